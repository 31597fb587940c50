// SPDX-License-Identifier: Apache-2.0
// Commands that are shown, to be typed again.
#pragma once

#include <string>

namespace odonata {

/// A word as a shell reads it back: as it is, or between quotes when it holds anything but letters, digits and
/// _-+=.,:/%@.
inline std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-+=.,:/%@") == std::string::npos;
  if (plain) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace odonata
