// SPDX-License-Identifier: Apache-2.0
// A calendar of small events: what is due in which cycle.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/common/state_check.h"

namespace odonata {

/// Events of the next `horizon` cycles lie in a ring of days; the few that are due later wait in a list until their day
/// comes near. A day is a chain of blocks from a common pool, the block that became free last is used first: what is in
/// use stays small and in the cache.
template <class Event>
class BasicCalendar {
 public:
  explicit BasicCalendar(uint32_t horizon)
      : days_(std::bit_ceil(horizon)), mask_(static_cast<uint32_t>(days_.size()) - 1) {}

  /// `cycle` is not before the first cycle that has not been served.
  [[gnu::always_inline]] void add(uint32_t cycle, const Event& event) { room(cycle) = event; }
  /// Where a new event of a cycle is to be written, before anything else is added.
  [[gnu::always_inline]] Event& room(uint32_t cycle) {
    if (cycle - next_ > mask_) [[unlikely]]
      return room_later(cycle);
    return room(days_[cycle & mask_]);
  }
  /// Shows the events of a cycle in the order of their addition and forgets them. Cycles are served one after the
  /// other, from 0; meanwhile events may be added to later ones.
  template <class Visit>
  [[gnu::always_inline]] void serve(uint32_t cycle, Visit visit) {
    const Day day = days_[cycle & mask_];
    next_ = cycle + 1;
    if (day.first != kNone) {
      days_[cycle & mask_] = {};
      show(day, visit);
      next_block_[last_block(day)] = free_;
      free_ = day.first;
    }
    if (!later_.empty() && (next_ & (mask_ >> 1)) == 0) bring_near();
  }
  /// All events that wait.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Day& day : days_) {
      if (day.first != kNone) show(day, visit);
    }
    for (const Later& l : later_) visit(l.event);
  }
  /// The same with the cycle in which each is due; events of a cycle in the order in which they will be shown.
  template <class Visit>
  void for_each_due(Visit visit) const {
    for_each_near(visit);
    for (const Later& l : later_) visit(l.cycle, l.event);
  }
  /// The first cycle that has not been served.
  uint32_t next() const { return next_; }
  size_t bytes() const {
    return days_.size() * sizeof(Day) + events_.capacity() * sizeof(Event) + next_block_.capacity() * 4 +
           later_.capacity() * sizeof(Later);
  }
  /// Saves or restores the events with their cycles; where they lie is found anew. Throws Error when one is due before
  /// the present; what the events say, their owner knows.
  template <class Visit>
  void visit_state(Visit&& visit) {
    std::vector<uint32_t> cycles;
    std::vector<Event> events;
    if constexpr (!kReadsState<Visit>)
      for_each_near([&](uint32_t cycle, const Event& e) { cycles.push_back(cycle), events.push_back(e); });
    visit(next_), visit(cycles), visit(events), visit(later_);
    if constexpr (kReadsState<Visit>) take(cycles, events);
  }
  /// Shows the memory that is in use: visit(container).
  template <class Visit>
  void visit_hot(Visit&& visit) {
    visit(days_), visit(events_), visit(next_block_), visit(later_);
  }

 private:
  static constexpr uint32_t kNone = ~0u, kBlock = 64;  // events of a block
  struct Day {
    uint32_t first = kNone;  // block; all but the last are full
    uint32_t end = 0;        // where the next event goes, in events_; a multiple of kBlock: into a new block
  };
  struct Later {
    uint32_t cycle;
    Event event;
  };

  template <class Visit>
  void for_each_near(Visit visit) const {
    for (uint32_t ahead = 0; ahead <= mask_; ++ahead) {
      const Day& day = days_[(next_ + ahead) & mask_];
      if (day.first != kNone) show(day, [&](const Event& e) { visit(next_ + ahead, e); });
    }
  }
  void take(const std::vector<uint32_t>& cycles, const std::vector<Event>& events) {
    expect_state(cycles.size() == events.size(), "cycles of waiting events");
    for (const uint32_t cycle : cycles) expect_state(cycle - next_ <= mask_, "the cycle of a waiting event");
    // One that is due earlier would have been brought near.
    for (const Later& l : later_) {
      expect_state(l.cycle - next_ <= ~0u / 2 && l.cycle - next_ > mask_ >> 1,
                   "the cycle of an event that waits for long");
    }
    days_.assign(days_.size(), {});
    events_.clear(), next_block_.clear();
    free_ = kNone;
    for (size_t i = 0; i != cycles.size(); ++i) room(days_[cycles[i] & mask_]) = events[i];
  }
  static uint32_t last_block(const Day& day) { return (day.end - 1) / kBlock; }
  [[gnu::always_inline]] Event& room(Day& day) {
    if (day.end % kBlock == 0) [[unlikely]]
      grow(day);
    return events_[day.end++];
  }
  [[gnu::noinline]] Event& room_later(uint32_t cycle) {
    later_.push_back({cycle, {}});
    return later_.back().event;
  }
  [[gnu::noinline]] void grow(Day& day) {
    uint32_t block = free_;
    if (block == kNone) {
      block = static_cast<uint32_t>(next_block_.size());
      next_block_.push_back(kNone);
      events_.resize(events_.size() + kBlock);
    } else {
      free_ = next_block_[block];
    }
    (day.first == kNone ? day.first : next_block_[last_block(day)]) = block;
    day.end = block * kBlock;
  }
  template <class Visit>
  [[gnu::always_inline]] void show(const Day& day, Visit visit) const {
    const uint32_t last = last_block(day);
    for (uint32_t b = day.first;; b = next_block_[b]) {
      const uint32_t end = b == last ? day.end : (b + 1) * kBlock;
      for (uint32_t i = b * kBlock; i != end; ++i) visit(events_[i]);
      if (b == last) return;
    }
  }
  [[gnu::noinline]] void bring_near() {
    size_t kept = 0;
    for (const Later& l : later_) {
      if (l.cycle - next_ <= mask_) {
        room(days_[l.cycle & mask_]) = l.event;
      } else {
        later_[kept++] = l;
      }
    }
    later_.resize(kept);
  }

  std::vector<Day> days_;
  std::vector<Event> events_;         // block after block
  std::vector<uint32_t> next_block_;  // of the same day, or of the chain of free ones
  std::vector<Later> later_;
  uint32_t mask_;
  uint32_t free_ = kNone;  // chain of free blocks
  uint32_t next_ = 0;      // the first cycle that has not been served
};

using Calendar = BasicCalendar<uint32_t>;

}  // namespace odonata
