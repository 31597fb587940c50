// SPDX-License-Identifier: Apache-2.0
// The parts of a text between separators.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace odonata {

/// "a,,b" has three parts, an empty text one. Blanks around a separator belong to no part.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    std::string_view part = text.substr(at, end - at);
    while (at != 0 && part.starts_with(' ')) part.remove_prefix(1);
    while (end != text.size() && part.ends_with(' ')) part.remove_suffix(1);
    parts.push_back(part);
    at = end + 1;
  }
  return parts;
}

}  // namespace odonata
