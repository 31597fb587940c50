// SPDX-License-Identifier: Apache-2.0
// A calendar of small events: what is due in which cycle, for delays below a fixed horizon.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace odonata {

/// Events of type T (trivial) in a ring of days. Days keep their memory, so that after the first turns nothing is allocated.
template <class T>
class Calendar {
 public:
  /// Holds events that are due less than `horizon` cycles ahead.
  explicit Calendar(uint32_t horizon) : days_(std::bit_ceil(horizon)), mask_(static_cast<uint32_t>(days_.size()) - 1) {}

  uint32_t horizon() const { return mask_ + 1; }
  void add(uint32_t cycle, T event) { days_[cycle & mask_].push_back(event); }
  /// The events of a cycle, in the order of their addition; clear() them when they are served.
  const std::vector<T>& day(uint32_t cycle) const { return days_[cycle & mask_]; }
  void clear(uint32_t cycle) { days_[cycle & mask_].clear(); }
  /// All events that wait, day by day (the day of cycle `from` first).
  template <class Visit>
  void for_each(uint32_t from, Visit visit) const {
    for (uint32_t i = 0; i <= mask_; ++i) {
      for (const T& event : day(from + i)) visit(from + i, event);
    }
  }
  std::vector<std::vector<T>>& days() { return days_; }
  size_t bytes() const {
    size_t n = days_.size() * sizeof(std::vector<T>);
    for (const auto& d : days_) n += d.capacity() * sizeof(T);
    return n;
  }

 private:
  std::vector<std::vector<T>> days_;
  uint32_t mask_;
};

}  // namespace odonata
