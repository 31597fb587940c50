// SPDX-License-Identifier: Apache-2.0
// How the link level of the fault plane plugs into the lockstep harness, and its stimulus.
#pragma once

#include <memory>

#include "models/common/random.h"
#include "models/fault/link_unit.h"
#include "tb/fault/fault_link_block.h"
#include "tb/harness/coverage.h"
#include "tb/harness/stimulus.h"

namespace odonata::cosim {

using FaultLinkDevice = RtlDevice<FaultLinkBlock>;

/// A wire: carries a frame a cycle, flips one to three bits or loses a frame now and then.
class NoisyWire {
 public:
  NoisyWire(uint64_t seed, double rate) : random_(seed), rate_(rate) {}
  void carry(uint8_t valid, uint64_t frame, bool& to_valid, uint64_t& to_frame);
  void set_rate(double rate) { rate_ = rate; }

 private:
  Random random_;
  double rate_;
};

/// One end with a golden partner behind noisy wires: random messages both ways, a receiver that has no room now and
/// then, a link that flaps, well-formed frames that nobody asked for, malformed messages, both recoveries.
class LinkStimulus final : public Stimulus<fault::LinkInputs, fault::LinkOutputs> {
 public:
  LinkStimulus(const Dragonfly& d, uint64_t seed)
      : d_(d), random_(seed), partner_(d), out_(seed + 1, 0), back_(seed + 2, 0) {}
  bool next(const fault::LinkOutputs& last, fault::LinkInputs& in) override;

 private:
  void new_phase();
  uint32_t message();
  Dragonfly d_;
  Random random_;
  fault::LinkUnit partner_;
  NoisyWire out_, back_;
  fault::LinkOutputs partner_last_;
  double talk_ = 1, room_ = 1, inject_ = 0, flap_ = 0;
  uint8_t up_ = 1, expected_ = 0;  ///< the number that the end has last said it expects
  uint64_t cycle_ = 0;
};

/// Functional coverage of a link end: what becomes of the frames that come, and what it sends.
class LinkCoverage {
 public:
  LinkCoverage();
  void sample(const fault::LinkInputs& in, const fault::LinkOutputs& out, const fault::LinkUnit& unit);
  const Coverage& coverage() const { return coverage_; }

 private:
  void judged(const fault::LinkInputs& in, const fault::LinkOutputs& out);
  Coverage coverage_;
  int received_ = 0, numbers_ = 0, sent_ = 0, special_ = 0;
  int expected_ = 0;    ///< messages taken since the link came up
  bool came_ = false;   ///< a frame was in the input register in the cycle that ends at the next edge
  uint64_t frame_ = 0;  ///< which
  fault::LinkOutputs last_;
  int kept_ = 0;
};

}  // namespace odonata::cosim
