// SPDX-License-Identifier: Apache-2.0
// Small events by the cycle in which they are due, where it is known how many there can be in one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace odonata {

/// A bucket of constant size for each of the next cycles: adding is a store and a count, without a look at the room. Memory that never held an event
/// is never touched.
template <class Event>
class BucketLine {
  static_assert(std::is_trivially_copyable_v<Event> && std::is_trivially_destructible_v<Event> && alignof(Event) <= 8);

 public:
  /// Events are due 1 to `days` - 1 cycles after the cycle served last, at most `most` in a cycle.
  BucketLine(uint32_t days, size_t most)
      : days_(days), most_(most), memory_(std::make_unique_for_overwrite<std::byte[]>(days * most * sizeof(Event))), counts_(days) {}

  uint32_t days() const { return days_; }
  void add(uint32_t cycles, const Event& event) {
    const uint32_t day = day_in(cycles);
    bucket(day)[counts_[day]++] = event;
  }
  /// The next cycle (the first call: cycle 0): shows its events in the order of their addition and forgets them; nothing is added meanwhile.
  template <class Visit>
  [[gnu::always_inline]] void serve(Visit visit) {
    today_ = day_in(1);
    const Event* event = bucket(today_);
    const Event* const end = event + counts_[today_];
    counts_[today_] = 0;
    for (; event != end; ++event) visit(*event);
  }
  /// Where the next event that is due in so many cycles goes; finish() tells where the one after the last goes then. Meanwhile nobody else adds.
  Event* open(uint32_t cycles) {
    const uint32_t day = day_in(cycles);
    return bucket(day) + counts_[day];
  }
  void finish(uint32_t cycles, const Event* end) {
    const uint32_t day = day_in(cycles);
    counts_[day] = static_cast<uint32_t>(end - bucket(day));
  }
  /// Adds events that are due `first` to `first` + kSpan - 1 cycles after the cycle served last.
  template <uint32_t kSpan>
  class Writer {
   public:
    Writer(BucketLine& line, uint32_t first) : line_(line), first_(first) {
      for (uint32_t k = 0; k != kSpan; ++k) end_[k] = line.open(first + k);
    }
    /// Where the event that is due in `first` + `k` cycles is to be written.
    [[gnu::always_inline]] Event& room(uint32_t k) { return *end_[k]++; }
    void finish() {
      for (uint32_t k = 0; k != kSpan; ++k) line_.finish(first_ + k, end_[k]);
    }

   private:
    BucketLine& line_;
    uint32_t first_;
    std::array<Event*, kSpan> end_;
  };

  /// All events that wait.
  template <class Visit>
  void for_each(Visit visit) const {
    for (uint32_t day = 0; day != days_; ++day) {
      for (uint32_t i = 0; i != counts_[day]; ++i) visit(bucket(day)[i]);
    }
  }
  /// Bytes that it may come to use.
  size_t bytes() const { return days_ * (most_ * sizeof(Event) + sizeof(uint32_t)); }
  /// Saves or restores the state.
  template <class Visit>
  void visit_state(Visit&& visit) {
    std::vector<Event> events;
    for_each([&](const Event& e) { events.push_back(e); });
    visit(today_), visit(counts_), visit(events);
    const Event* next = events.data();
    for (uint32_t day = 0; day != days_; ++day) {
      std::copy(next, next + counts_[day], bucket(day));
      next += counts_[day];
    }
  }
  /// Shows the memory that is in use: see(address, bytes).
  template <class See>
  void visit_hot(See&& see) const {
    for (uint32_t day = 0; day != days_; ++day) see(bucket(day), counts_[day] * sizeof(Event));
  }

 private:
  uint32_t day_in(uint32_t cycles) const {
    const uint32_t day = today_ + cycles;
    return day >= days_ ? day - days_ : day;
  }
  Event* bucket(uint32_t day) { return reinterpret_cast<Event*>(memory_.get()) + day * most_; }
  const Event* bucket(uint32_t day) const { return reinterpret_cast<const Event*>(memory_.get()) + day * most_; }

  uint32_t days_, today_ = 0;
  size_t most_;
  std::unique_ptr<std::byte[]> memory_;
  std::vector<uint32_t> counts_;  // by day: events of its bucket
};

}  // namespace odonata
