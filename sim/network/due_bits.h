// SPDX-License-Identifier: Apache-2.0
// Which of a domain's nodes or links have something to do in which of the next cycles.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/common/state_check.h"

namespace odonata::network {

/// A bit a number for each of kDays cycles: the numbers of a cycle are shown in their own order, not in that of their
/// addition.
class DueBits {
 public:
  static constexpr uint32_t kDays = 128;

  /// Numbers 0..size-1.
  explicit DueBits(size_t size) : words_(size / 64 + 1), bits_(kDays * words_) {}
  /// `cycle` is later than the one served last, by less than kDays.
  [[gnu::always_inline]] void add(uint32_t cycle, uint32_t number) {
    day(cycle)[number >> 6] |= uint64_t{1} << (number & 63);
  }
  /// Shows the numbers of a cycle and forgets them; meanwhile others may be added to later cycles.
  template <class Visit>
  [[gnu::always_inline]] void serve(uint32_t cycle, Visit visit) {
    uint64_t* const today = day(cycle);
    for (uint32_t w = 0; w != words_; ++w) {
      uint64_t due = today[w];
      if (due == 0) continue;
      today[w] = 0;
      for (; due != 0; due &= due - 1) visit(w * 64 + static_cast<uint32_t>(std::countr_zero(due)));
    }
  }
  /// All that wait: visit(cycle modulo kDays, number).
  template <class Visit>
  void for_each_due(Visit visit) const {
    for (size_t w = 0; w != bits_.size(); ++w) {
      for (uint64_t due = bits_[w]; due != 0; due &= due - 1) {
        visit(static_cast<uint32_t>(w / words_),
              static_cast<uint32_t>(w % words_ * 64) + static_cast<uint32_t>(std::countr_zero(due)));
      }
    }
  }
  size_t bytes() const { return bits_.size() * sizeof(uint64_t); }
  /// Saves or restores the state. Throws Error when it has another size; which numbers may wait, the owner knows.
  template <class Visit>
  void visit_state(Visit&& visit) {
    visit_sized(visit, bits_, "bits of what is due");
  }
  template <class Visit>
  void visit_hot(Visit&& visit) {
    visit(bits_);
  }

 private:
  uint64_t* day(uint32_t cycle) { return bits_.data() + (cycle & (kDays - 1)) * words_; }

  size_t words_;                // of a day
  std::vector<uint64_t> bits_;  // by day
};

}  // namespace odonata::network
