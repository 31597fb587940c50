// SPDX-License-Identifier: Apache-2.0
// Small events that are all due the same number of cycles after they were added.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace odonata {

/// A queue with a mark at the end of every cycle: cheaper than a Calendar where the delay is constant.
template <class Event>
class DelayLine {
 public:
  /// `delay` >= 1 cycles.
  explicit DelayLine(uint32_t delay) : delay_(delay), events_(64), marks_(std::bit_ceil(delay + 1)) {}

  /// An event of the cycle served last, due `delay` cycles after it.
  [[gnu::always_inline]] void add(Event event) {
    events_[end_ & mask_] = event;
    if (++end_ - first_ > mask_) [[unlikely]]
      grow();
  }
  /// The same for many.
  void add_all(const Event* first, const Event* last) {
    while (end_ - first_ + static_cast<size_t>(last - first) > mask_) grow();
    for (; first != last; ++first) events_[end_++ & mask_] = *first;
  }
  /// Shows the events that are due in the order of their addition and forgets them; nothing is added meanwhile. Cycles are served one after the
  /// other, from 0.
  template <class Visit>
  [[gnu::always_inline]] void serve(uint32_t cycle, Visit visit) {
    const size_t days = marks_.size() - 1;
    marks_[(cycle - 1) & days] = end_;
    if (cycle < delay_) return;
    const uint32_t due = marks_[(cycle - delay_) & days];
    const Event* const events = events_.data();
    for (uint32_t i = first_; i != due; ++i) visit(events[i & mask_]);
    first_ = due;
  }
  /// All events that wait.
  template <class Visit>
  void for_each(Visit visit) const {
    for (uint32_t i = first_; i != end_; ++i) visit(events_[i & mask_]);
  }
  size_t bytes() const { return events_.size() * sizeof(Event) + marks_.size() * sizeof(uint32_t); }
  /// Saves or restores the state.
  template <class Visit>
  void visit_state(Visit&& visit) {
    visit(events_), visit(marks_), visit(first_), visit(end_);
    mask_ = static_cast<uint32_t>(events_.size()) - 1;
  }

 private:
  /// Twice as long; events keep their numbers.
  [[gnu::noinline]] void grow() {
    std::vector<Event> longer(2 * events_.size());
    for (uint32_t i = first_; i != end_; ++i) longer[i & (longer.size() - 1)] = events_[i & mask_];
    events_.swap(longer);
    mask_ = static_cast<uint32_t>(events_.size()) - 1;
  }

  uint32_t delay_;
  std::vector<Event> events_;    // a ring, a power of two long and never full; events are numbered
  std::vector<uint32_t> marks_;  // by cycle: number of the first event after it
  uint32_t mask_ = 63;           // events_.size() - 1
  uint32_t first_ = 0, end_ = 0;
};

}  // namespace odonata
