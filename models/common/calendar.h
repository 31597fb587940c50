// SPDX-License-Identifier: Apache-2.0
// A calendar of small events: what is due in which cycle.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace odonata {

/// Events of type T (trivial). Those of the next `horizon` cycles lie in a ring of days, which keep their memory; the few that are due later wait in
/// a list until their day comes near.
template <class T>
class Calendar {
 public:
  explicit Calendar(uint32_t horizon) : days_(std::bit_ceil(horizon)), mask_(static_cast<uint32_t>(days_.size()) - 1) {}

  /// `cycle` is not before the first cycle that has not been cleared.
  void add(uint32_t cycle, T event) {
    if (cycle - next_ <= mask_) {
      days_[cycle & mask_].push_back(event);
    } else {
      later_.push_back({cycle, event});
    }
  }
  /// The events of a cycle; clear() them when they are served. Cycles are cleared one after the other, from 0.
  const std::vector<T>& day(uint32_t cycle) const { return days_[cycle & mask_]; }
  void clear(uint32_t cycle) {
    days_[cycle & mask_].clear();
    next_ = cycle + 1;
    if (!later_.empty() && (next_ & (mask_ >> 1)) == 0) bring_near();
  }
  /// All events that wait.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& day : days_) {
      for (const T& event : day) visit(event);
    }
    for (const Later& l : later_) visit(l.event);
  }
  size_t bytes() const {
    size_t n = days_.size() * sizeof(days_[0]) + later_.capacity() * sizeof(Later);
    for (const auto& d : days_) n += d.capacity() * sizeof(T);
    return n;
  }
  /// Saves or restores the state.
  template <class Visit>
  void visit_state(Visit&& visit) {
    for (auto& day : days_) visit(day);
    visit(later_), visit(next_);
  }

 private:
  struct Later {
    uint32_t cycle;
    T event;
  };
  void bring_near() {
    size_t kept = 0;
    for (const Later& l : later_) {
      if (l.cycle - next_ <= mask_) {
        days_[l.cycle & mask_].push_back(l.event);
      } else {
        later_[kept++] = l;
      }
    }
    later_.resize(kept);
  }

  std::vector<std::vector<T>> days_;
  std::vector<Later> later_;
  uint32_t mask_;
  uint32_t next_ = 0;  // the first cycle that has not been cleared
};

}  // namespace odonata
