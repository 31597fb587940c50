// SPDX-License-Identifier: Apache-2.0
// How the port unit of the fault plane plugs into the lockstep harness, its stimulus and its coverage.
#pragma once

#include <memory>

#include "models/common/random.h"
#include "models/fault/port_unit.h"
#include "tb/fault/fault_port_block.h"
#include "tb/harness/coverage.h"
#include "tb/harness/stimulus.h"

namespace odonata::cosim {

using FaultPortDevice = RtlDevice<FaultPortBlock>;

/// Random commands at a random port of a random router, on real tables: an episode starts with a reset and a configuration and keeps
/// its mode, RAM contention and back-pressure; its commands keep to a few rows, so that entries run empty and come back. In some episodes identity
/// and tables are any, so that every bit of an address and every combination of options occurs.
class PortStimulus final : public Stimulus<fault::PortInputs, fault::PortOutputs> {
 public:
  /// `command_depth`: commands that may be sent while the unit works.
  PortStimulus(const Dragonfly& d, uint64_t seed, int command_depth = 0) : d_(d), random_(seed), depth_(command_depth) {}
  bool next(const fault::PortOutputs& last, fault::PortInputs& in) override;

 private:
  void new_episode();
  void load(fault::PortInputs& in);
  void command(fault::PortInputs& in);
  void undo(fault::PortInputs& in);
  fault::Message message(fault::EntryId id, fault::Kind kind);
  Dragonfly d_;
  Random random_;
  int depth_;
  fault::PortInputs base_;  ///< the quasi-static pins
  RouterId own_;
  fault::Mode mode_ = fault::Mode::safe;
  bool wild_ = false;                   ///< any identity, any table
  bool narrow_ = false;                 ///< and one or two options a row
  bool undoes_ = false;                 ///< every failure is repaired at once
  fault::PortInputs last_;              ///< the last command; cmd_valid: it failed something
  std::vector<fault::Options> loaded_;  ///< by row
  double read_ = 0, ready_ = 1, travels_ = 0.1, failing_ = 0.5;
  bool open_ = true;        ///< the link takes messages (ready_ < 0: for a while all, for a while none)
  std::vector<int> rows_;   ///< favourites of the episode
  std::vector<int> ports_;  ///< and failing ports
  int step_ = 0, commands_ = 0, gap_ = 0;
};

/// Functional coverage of the unit; fed with what the golden unit is doing.
class PortCoverage {
 public:
  explicit PortCoverage(const Dragonfly& d);
  void sample(const fault::PortInputs& in, const fault::PortOutputs& out, const fault::PortUnit& unit);
  const Coverage& coverage() const { return coverage_; }

 private:
  Dragonfly d_;
  Coverage coverage_;
  int commands_ = 0, writes_ = 0, messages_ = 0, waits_ = 0, levels_ = 0, aims_ = 0, special_ = 0;
  uint16_t last_wait_ram_ = 0, last_wait_queue_ = 0, last_fd_ = 0, last_fr_ = 0;
  fault::PortUnit::State last_state_ = fault::PortUnit::State::idle;
};

/// The port unit with four banks and a command queue of three (tiny only).
inline constexpr int kBeyondBanks = 4, kBeyondCommandDepth = 3;
inline RtlParameters beyond_parameters(const Dragonfly& d) {
  RtlParameters wanted = rtl_parameters(d);
  wanted["Banks"] = kBeyondBanks;
  return wanted;
}

}  // namespace odonata::cosim
