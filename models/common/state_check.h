// SPDX-License-Identifier: Apache-2.0
// What a state that is read back (visit_state of every class) may not say. A checksum only tells that a file is the one
// that was written; whether the engine would ever have written it is told here.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "models/common/error.h"

namespace odonata {

/// Whether a visitor of a state reads it back; others take it down, or only look at it.
template <class Visit>
inline constexpr bool kReadsState = requires {
  requires std::remove_cvref_t<Visit>::kReads;
};

/// Throws Error when a state that was read cannot be; `what` names the part of it.
inline void expect_state(bool holds, const char* what) {
  if (!holds) throw Error(std::string("checkpoint: the state of another program: ") + what);
}

/// Whether the byte of a flag that was read is 0 or 1: any other may not be looked at as a bool.
inline bool is_flag(const bool& flag) {
  unsigned char byte = 0;
  std::memcpy(&byte, &flag, 1);
  return byte <= 1;
}

/// Saves or restores a list whose length follows from the configuration.
template <class Visit, class Item>
void visit_sized(Visit&& visit, std::vector<Item>& list, const char* what) {
  const size_t size = list.size();
  visit(list);
  if (list.size() == size) return;
  list.resize(size);
  expect_state(false, what);
}

/// The same of numbers that are below `end`.
template <class Visit, class Item>
void visit_below(Visit&& visit, std::vector<Item>& list, uint64_t end, const char* what) {
  visit_sized(visit, list, what);
  if constexpr (kReadsState<Visit>)
    expect_state(std::all_of(list.begin(), list.end(), [end](Item i) { return i < end; }), what);
}

}  // namespace odonata
