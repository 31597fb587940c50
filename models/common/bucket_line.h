// SPDX-License-Identifier: Apache-2.0
// Small events by the cycle in which they are due, where it is known how many there can be in one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "models/common/state_check.h"

namespace odonata {

/// A bucket of constant size for each of the next cycles: adding is a store and a count, without a look at the room.
/// Memory that never held an event is never touched.
template <class Event>
class BucketLine {
  static_assert(std::is_trivially_copyable_v<Event> && std::is_trivially_destructible_v<Event> && alignof(Event) <= 8);

 public:
  /// Events are due 1 to `days` - 1 cycles after the cycle served last, at most `most` in a cycle.
  BucketLine(uint32_t days, size_t most)
      : days_(days),
        most_(most),
        memory_(std::make_unique_for_overwrite<std::byte[]>(days * most * sizeof(Event))),
        ends_(days) {
    for (uint32_t day = 0; day != days_; ++day) ends_[day] = bucket(day);
  }

  uint32_t days() const { return days_; }
  void add(uint32_t cycles, const Event& event) { *ends_[day_in(cycles)]++ = event; }
  /// The next cycle (the first call: cycle 0): shows its events in the order of their addition and forgets them;
  /// nothing is added meanwhile.
  template <class Visit>
  [[gnu::always_inline]] void serve(Visit visit) {
    today_ = day_in(1);
    const Event* event = bucket(today_);
    const Event* const end = ends_[today_];
    ends_[today_] = bucket(today_);
    for (; event != end; ++event) visit(*event);
  }
  /// Shows the events of the next cycle without serving it.
  template <class Visit>
  void expect(Visit visit) const {
    const uint32_t day = day_in(1);
    for (const Event* event = bucket(day); event != ends_[day]; ++event) visit(*event);
  }
  /// Where the next event that is due in so many cycles goes; finish() tells where the one after the last goes then.
  /// Meanwhile nobody else adds.
  Event* open(uint32_t cycles) { return ends_[day_in(cycles)]; }
  void finish(uint32_t cycles, Event* end) { ends_[day_in(cycles)] = end; }
  /// Adds events that are due from `first` cycles after the cycle served last on.
  class Writer {
   public:
    Writer(BucketLine& line, uint32_t first)
        : ends_(line.ends_.data()), days_(line.days_), first_(line.day_in(first)) {}
    /// Where the event that is due in `first` + `k` cycles is to be written.
    [[gnu::always_inline]] Event& room(uint32_t k) const {
      const uint32_t day = first_ + k;
      return *ends_[day >= days_ ? day - days_ : day]++;
    }

   private:
    Event** ends_;
    uint32_t days_, first_;
  };

  /// All events that wait.
  template <class Visit>
  void for_each(Visit visit) const {
    for (uint32_t day = 0; day != days_; ++day) {
      for (const Event* event = bucket(day); event != ends_[day]; ++event) visit(*event);
    }
  }
  /// The same with the cycles, after the one served last, in which they are due.
  template <class Visit>
  void for_each_due(Visit visit) const {
    for (uint32_t cycles = 1; cycles != days_; ++cycles) {
      const uint32_t day = day_in(cycles);
      for (const Event* event = bucket(day); event != ends_[day]; ++event) visit(cycles, *event);
    }
  }
  /// Whether so many cycles have been served.
  bool served(uint64_t cycles) const { return today_ == cycles % days_; }
  /// Bytes that it may come to use.
  size_t bytes() const { return days_ * (most_ * sizeof(Event) + sizeof(Event*)); }
  /// Saves or restores the state. Throws Error when it is not that of such a line; what the events say, their owner
  /// knows.
  template <class Visit>
  void visit_state(Visit&& visit) {
    std::vector<uint32_t> counts;
    std::vector<Event> events;
    if constexpr (!kReadsState<Visit>) {
      for (uint32_t day = 0; day != days_; ++day) counts.push_back(count(day));
      for_each([&](const Event& e) { events.push_back(e); });
    }
    uint32_t today = today_;
    visit(today), visit(counts), visit(events);
    if constexpr (!kReadsState<Visit>) return;
    check(today, counts, events.size());
    today_ = today;
    const Event* next = events.data();
    for (uint32_t day = 0; day != days_; ++day) {
      ends_[day] = std::copy(next, next + counts[day], bucket(day));
      next += counts[day];
    }
  }
  /// Shows the memory that is in use: see(address, bytes).
  template <class See>
  void visit_hot(See&& see) const {
    for (uint32_t day = 0; day != days_; ++day) see(bucket(day), count(day) * sizeof(Event));
  }

 private:
  uint32_t day_in(uint32_t cycles) const {
    const uint32_t day = today_ + cycles;
    return day >= days_ ? day - days_ : day;
  }
  /// The day that was served last is empty: the next events to come get its bucket.
  void check(uint32_t today, const std::vector<uint32_t>& counts, size_t events) const {
    size_t sum = 0;
    bool fits = today < days_ && counts.size() == days_ && counts[today] == 0;
    for (const uint32_t n : counts) sum += n, fits = fits && n <= most_;
    expect_state(fits && sum == events, "counts of waiting events");
  }
  uint32_t count(uint32_t day) const { return static_cast<uint32_t>(ends_[day] - bucket(day)); }
  Event* bucket(uint32_t day) { return reinterpret_cast<Event*>(memory_.get()) + day * most_; }
  const Event* bucket(uint32_t day) const { return reinterpret_cast<const Event*>(memory_.get()) + day * most_; }

  uint32_t days_, today_ = 0;
  size_t most_;
  std::unique_ptr<std::byte[]> memory_;
  std::vector<Event*> ends_;  // by day: where its bucket's next event goes
};

}  // namespace odonata
