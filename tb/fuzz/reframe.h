// SPDX-License-Identifier: Apache-2.0
// Random bytes never have a right CRC: with '!' as the first byte the rest becomes the content of a frame, so that a
// reader gets behind that check.
#pragma once

#include <string>

#include "models/common/frame.h"

namespace odonata {

inline std::string reframed(const uint8_t* data, size_t size, std::string_view mark) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  return size > 0 && data[0] == '!' ? frame(mark, text.substr(1)) : text;
}

}  // namespace odonata
