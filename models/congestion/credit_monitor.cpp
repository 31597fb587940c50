// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/credit_monitor.h"

#include <algorithm>
#include <bit>

#include "models/common/bits.h"

namespace odonata::congestion {

void CreditMonitor::step(const MonitorInputs& in) {
  if (in.reset) {
    r0_ = {};
    length_ = pointer_ = fill_ = 0;
    out_ = {};
    return;
  }
  rank2();
  count_credits();
  move_window();
  r0_ = in;
}

/// Compares what rank 1 held before the edge.
void CreditMonitor::rank2() {
  const int taken_off = r0_.window_enable ? out_.window : 0;
  out_.corrected = static_cast<uint16_t>(std::max(0, out_.occupancy - taken_off));
  out_.congested = r0_.failed || out_.corrected > r0_.threshold;
  out_.busy = r0_.failed || out_.corrected > r0_.busy_threshold;
}

/// Counts the credits of the VCs that have an event.
void CreditMonitor::count_credits() {
  const int capacity = this->capacity();
  out_.underflow = out_.overflow = 0;
  const int bits = limits_.per_cycle;
  const uint32_t one_vc = low_mask(bits);
  for (uint32_t events = (r0_.sent | r0_.credit) & low_mask(limits_.num_vcs * bits); events != 0;) {
    const int v = std::countr_zero(events) / bits, use = vc_in_use(out_, v);
    const int sent = std::min<int>(r0_.sent >> bits * v & one_vc, bits),
              credit = std::min<int>(r0_.credit >> bits * v & one_vc, bits);
    const int take = std::min(sent, std::max(0, capacity - use)), give = std::min(credit, use);
    out_.underflow |= static_cast<uint8_t>((take != sent) << v);
    out_.overflow |= static_cast<uint8_t>((give != credit) << v);
    out_.in_use += (static_cast<uint64_t>(take) - static_cast<uint64_t>(give)) << (9 * v);
    out_.occupancy = static_cast<uint16_t>(out_.occupancy + take - give);
    events &= ~(one_vc << bits * v);
  }
}

/// Records this edge's departure and drops that of `length` edges ago; another length starts an empty window.
void CreditMonitor::move_window() {
  if (window() != length_) {
    length_ = window();
    pointer_ = fill_ = 0;
    out_.window = 0;
    return;
  }
  if (length_ == 0) return;
  const bool leaving = fill_ == length_ && history_[pointer_];
  history_[pointer_] = r0_.departed;
  out_.window = static_cast<uint16_t>(out_.window + r0_.departed - leaving);
  pointer_ = pointer_ + 1 == length_ ? 0 : pointer_ + 1;
  fill_ = std::min(fill_ + 1, length_);
}

}  // namespace odonata::congestion
