// SPDX-License-Identifier: Apache-2.0
// The parts of a text between separators.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace odonata {

/// "a,,b" has three parts, an empty text one.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace odonata
