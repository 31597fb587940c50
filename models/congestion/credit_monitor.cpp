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
}

/// Counts the credits of the VCs that have an event.
void CreditMonitor::count_credits() {
  const int capacity = std::min<int>(r0_.capacity, limits_.max_capacity);
  out_.underflow = out_.overflow = 0;
  for (uint32_t events = (r0_.sent | r0_.credit) & low_mask(limits_.num_vcs); events != 0; events &= events - 1) {
    const int v = std::countr_zero(events), use = vc_in_use(out_, v);
    const bool sent = r0_.sent >> v & 1, credit = r0_.credit >> v & 1;
    const bool take = sent && use < capacity, give = credit && use > 0;
    out_.underflow |= static_cast<uint8_t>((sent && !take) << v);
    out_.overflow |= static_cast<uint8_t>((credit && !give) << v);
    out_.in_use += (static_cast<uint64_t>(take) - static_cast<uint64_t>(give)) << (9 * v);
    out_.occupancy = static_cast<uint16_t>(out_.occupancy + take - give);
  }
}

/// Records this edge's departure and drops that of `length` edges ago; another length starts an empty window.
void CreditMonitor::move_window() {
  const int wanted = std::min<int>(r0_.window, limits_.max_window);
  if (wanted != length_) {
    length_ = wanted;
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
