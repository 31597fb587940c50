// SPDX-License-Identifier: Apache-2.0
// The way of a frame from one router to another: physical coding sublayer and link as one pipeline (docs/congestion.md
// §4).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/common/random.h"
#include "models/congestion/frame.h"
#include "models/congestion/pcs_transport_pins.h"
#include "models/congestion/plane_config.h"

namespace odonata::congestion {

/// Applies the faults of a link to a frame that enters it; the draws are taken in this order: loss, corruption, bits.
inline Frame pass_link(Frame frame, int h, const LinkFaults& faults, Random& random) {
  if (!frame.valid) return frame;
  if (faults.loss > 0 && random.chance(faults.loss)) return {};
  if (faults.corruption > 0 && random.chance(faults.corruption)) {
    const int flips = 1 + static_cast<int>(random.below(3)), width = h + kCrcBits;
    uint32_t error = 0;
    while (__builtin_popcount(error) < flips) error |= 1u << random.below(width);
    frame.bits ^= static_cast<uint16_t>(error >> kCrcBits);
    frame.crc ^= static_cast<uint8_t>(error);
  }
  return frame;
}

/// A delay line of `latency` >= 1 cycles: what is put in before an edge comes out after the latency-th edge.
class PcsTransport {
 public:
  explicit PcsTransport(int latency) : pipe_(latency) {}
  /// One rising edge; returns what the output shows afterwards.
  const Frame& step(const Frame& in) {
    pipe_[at_] = in;
    at_ = at_ + 1 == pipe_.size() ? 0 : at_ + 1;
    return pipe_[at_];
  }
  const Frame& out() const { return pipe_[at_]; }
  int latency() const { return static_cast<int>(pipe_.size()); }
  /// Frames on the way, the shown one included.
  int in_flight() const {
    return static_cast<int>(std::count_if(pipe_.begin(), pipe_.end(), [](const Frame& f) { return f.valid; }));
  }
  void reset() {
    for (Frame& f : pipe_) f = {};
    at_ = 0;
  }

 private:
  std::vector<Frame> pipe_;
  size_t at_ = 0;
};

}  // namespace odonata::congestion
