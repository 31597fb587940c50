// SPDX-License-Identifier: Apache-2.0
// The frame of every binary format: a mark of 8 bytes that names the format, the content, its length (8 bytes) and the
// CRC-32 of all before it (4 bytes), both with the low byte first. Whatever is damaged, cut off or appended is refused
// before the content is looked at.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace odonata {

/// CRC-32 (IEEE 802.3, reflected) of pieces that follow each other.
class Crc32 {
 public:
  void add(std::string_view bytes);
  uint32_t value() const { return ~crc_; }

 private:
  uint32_t crc_ = ~0u;
};
/// CRC-32 of zlib over all bytes.
uint32_t crc32(std::string_view bytes);

inline constexpr size_t kFrameEnd = 12;  ///< bytes behind the content

/// What follows the content: its length, and the CRC over mark, content and length. `crc` has seen mark and content.
std::string frame_end(uint64_t length, Crc32 crc);

/// Mark (8 characters), content, its length and the CRC, as a file holds them.
std::string frame(std::string_view mark, std::string_view content);
/// The content. Throws Error "what: ..." when the mark is another one or anything is damaged.
std::string_view unframe(std::string_view what, std::string_view mark, std::string_view bytes);

}  // namespace odonata
