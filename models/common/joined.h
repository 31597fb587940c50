// SPDX-License-Identifier: Apache-2.0
// A list in words.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>

namespace odonata {

/// The items of a range with `between` between them, "a, b, c"; what `text` gives for an item is a text or a number.
template <class Range, class Text = std::identity>
std::string joined(const Range& range, Text text = {}, std::string_view between = ", ") {
  std::string out;
  bool first = true;
  for (const auto& item : range) {
    if (!first) out += between;
    first = false;
    if constexpr (std::is_arithmetic_v<std::decay_t<std::invoke_result_t<Text&, decltype(item)>>>) {
      out += std::to_string(std::invoke(text, item));
    } else {
      out += std::invoke(text, item);
    }
  }
  return out;
}

}  // namespace odonata
