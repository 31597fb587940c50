// SPDX-License-Identifier: Apache-2.0
// How the fault plane of a router plugs into the lockstep harness, its stimulus and its coverage.
#pragma once

#include <memory>

#include "models/common/random.h"
#include "models/fault/router_unit.h"
#include "tb/fault/fault_router_block.h"
#include "tb/harness/coverage.h"
#include "tb/harness/stimulus.h"

namespace odonata::cosim {

using FaultRouterDevice = RtlDevice<FaultRouterBlock>;

/// A router on its real tables: links flap, neighbours send well-formed messages, route compute reads, output links
/// stall, rows are written again. An episode starts with reset and configuration and keeps its rates; a reset in
/// between changes mode, recovery and identity.
class RouterStimulus final : public Stimulus<fault::RouterInputs, fault::RouterOutputs> {
 public:
  RouterStimulus(const Dragonfly& d, uint64_t seed) : d_(d), random_(seed) {}
  bool next(const fault::RouterOutputs& last, fault::RouterInputs& in) override;

 private:
  void new_episode();
  fault::Message message();
  void reload(fault::RouterInputs& in);
  void change_identity(fault::RouterInputs& in);
  Dragonfly d_;
  Random random_;
  fault::RouterInputs base_;  ///< the quasi-static pins
  RouterId own_;
  fault::Mode mode_ = fault::Mode::safe;
  double read_ = 0, ready_ = 1, flap_ = 0, arrive_ = 0;
  std::vector<int> rows_;  ///< favourites of the episode
  int step_ = 0, cycles_ = 0;
  bool restless_ = false;  ///< pins change without a reset, too
};

/// Functional coverage of the router: what is served while what is waiting.
class RouterCoverage {
 public:
  RouterCoverage(const Dragonfly& d, const fault::FaultRouterConfig& config);
  void sample(const fault::RouterInputs& in, const fault::RouterOutputs& out, const fault::RouterUnit& unit);
  const Coverage& coverage() const { return coverage_; }

 private:
  void sample_pins(const fault::RouterInputs& in, const fault::RouterOutputs& out);
  Dragonfly d_;
  fault::FaultRouterConfig config_;
  Coverage coverage_;
  int serves_ = 0, fifo_ = 0, stalls_ = 0, together_ = 0, resets_ = 0, changes_ = 0, served_changes_ = 0, links_ = 0;
  fault::RouterInputs last_;  ///< pins of the edge before
  fault::LocalLinks known_;   ///< what the commands have said of the local links
  PortMap busy_ = 0;          ///< since the edge before
  PortMap last_up_ = ~0ull, held_ = 0;
  int since_ = 0;  ///< cycles since the last command
};

/// How a Verilated router was built. At size tiny the input FIFOs of planted and beyond hold 4 messages, so that they
/// fill. beyond: two banks, pipelined, immediate mask; with planted bugs. pipelined: the scheduler only, without
/// planted bugs.
enum class RouterVariant { plain, planted, beyond, pipelined };
fault::FaultRouterConfig router_config(const Dragonfly& d, RouterVariant variant);
/// The Verilated router. Throws Error when no RTL was built for this size and variant.
std::unique_ptr<FaultRouterDevice> make_fault_router_rtl(const Dragonfly& d,
                                                         RouterVariant variant = RouterVariant::plain, int plant = 0);

}  // namespace odonata::cosim
