// SPDX-License-Identifier: Apache-2.0
// A calendar of small events: what is due in which cycle.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace odonata {

/// 32-bit events. Those of the next `horizon` cycles lie in a ring of days; the few that are due later wait in a list until their day comes near.
/// A day is a chain of blocks from a common pool, the block that became free last is used first: what is in use stays small and in the cache.
class Calendar {
 public:
  explicit Calendar(uint32_t horizon) : days_(std::bit_ceil(horizon)), mask_(static_cast<uint32_t>(days_.size()) - 1) {}

  /// `cycle` is not before the first cycle that has not been served.
  [[gnu::always_inline]] void add(uint32_t cycle, uint32_t event) {
    if (cycle - next_ > mask_) [[unlikely]]
      return later_.push_back({cycle, event});
    put(days_[cycle & mask_], event);
  }
  /// Shows the events of a cycle in the order of their addition, and keeps them.
  template <class Visit>
  void look(uint32_t cycle, Visit visit) const {
    show(days_[cycle & mask_], visit);
  }
  /// Shows the events of a cycle and forgets them. Cycles are served one after the other, from 0; meanwhile events may be added to later ones.
  template <class Visit>
  void serve(uint32_t cycle, Visit visit) {
    const Day day = days_[cycle & mask_];
    days_[cycle & mask_] = {};
    next_ = cycle + 1;
    show(day, visit);
    if (day.last != kNone) {
      blocks_[day.last].next = free_;
      free_ = day.first;
    }
    if (!later_.empty() && (next_ & (mask_ >> 1)) == 0) bring_near();
  }
  /// All events that wait.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Day& day : days_) show(day, visit);
    for (const Later& l : later_) visit(l.event);
  }
  size_t bytes() const { return days_.size() * sizeof(Day) + blocks_.capacity() * sizeof(Block) + later_.capacity() * sizeof(Later); }
  /// Saves or restores the state.
  template <class Visit>
  void visit_state(Visit&& visit) {
    visit(days_), visit(blocks_), visit(later_), visit(free_), visit(next_);
  }

 private:
  static constexpr uint32_t kNone = ~0u, kEvents = 63;
  struct Block {
    uint32_t next = kNone;
    uint32_t event[kEvents] = {};
  };
  struct Day {
    uint32_t first = kNone, last = kNone;  // blocks; all but the last are full
    uint32_t fill = kEvents;               // events in the last block
  };
  struct Later {
    uint32_t cycle, event;
  };

  [[gnu::always_inline]] void put(Day& day, uint32_t event) {
    if (day.fill == kEvents) [[unlikely]]
      grow(day);
    blocks_[day.last].event[day.fill++] = event;
  }
  [[gnu::noinline]] void grow(Day& day) {
    uint32_t block = free_;
    if (block == kNone) {
      block = static_cast<uint32_t>(blocks_.size());
      blocks_.emplace_back();
    } else {
      free_ = blocks_[block].next;
    }
    (day.last == kNone ? day.first : blocks_[day.last].next) = block;
    blocks_[block].next = kNone;
    day.last = block;
    day.fill = 0;
  }
  template <class Visit>
  [[gnu::always_inline]] void show(const Day& day, Visit visit) const {
    for (uint32_t b = day.first; b != kNone; b = b == day.last ? kNone : blocks_[b].next) {
      const uint32_t n = b == day.last ? day.fill : kEvents;
      for (uint32_t i = 0; i < n; ++i) visit(blocks_[b].event[i]);
    }
  }
  void bring_near() {
    size_t kept = 0;
    for (const Later& l : later_) {
      if (l.cycle - next_ <= mask_) {
        put(days_[l.cycle & mask_], l.event);
      } else {
        later_[kept++] = l;
      }
    }
    later_.resize(kept);
  }

  std::vector<Day> days_;
  std::vector<Block> blocks_;
  std::vector<Later> later_;
  uint32_t mask_;
  uint32_t free_ = kNone;  // chain of free blocks
  uint32_t next_ = 0;      // the first cycle that has not been served
};

}  // namespace odonata
