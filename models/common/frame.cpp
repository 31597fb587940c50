// SPDX-License-Identifier: Apache-2.0
#include "models/common/frame.h"

#include <array>

#include "models/common/error.h"

namespace odonata {

namespace {

/// kTables[k][b]: what byte b, k bytes before the last one, adds to the CRC.
constexpr auto kTables = [] {
  std::array<std::array<uint32_t, 256>, 8> t{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int k = 0; k < 8; ++k) c = (c >> 1) ^ (c & 1 ? 0xEDB88320u : 0);
    t[0][i] = c;
  }
  for (size_t k = 1; k < 8; ++k) {
    for (uint32_t i = 0; i < 256; ++i) t[k][i] = (t[k - 1][i] >> 8) ^ t[0][t[k - 1][i] & 255];
  }
  return t;
}();

}  // namespace

void Crc32::add(std::string_view bytes) {
  const auto byte = [&bytes](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  uint32_t crc = crc_;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    uint32_t sum = 0;
    for (size_t i = 0; i < 4; ++i)
      sum ^= kTables[7 - i][byte(i) ^ (crc >> (8 * i) & 255)] ^ kTables[3 - i][byte(4 + i)];
    crc = sum;
  }
  for (size_t i = 0; i < bytes.size(); ++i) crc = (crc >> 8) ^ kTables[0][(crc ^ byte(i)) & 255];
  crc_ = crc;
}

uint32_t crc32(std::string_view bytes) {
  Crc32 crc;
  crc.add(bytes);
  return crc.value();
}

std::string frame_end(uint64_t length, Crc32 crc) {
  std::string out;
  for (int i = 0; i < 8; ++i) out.push_back(static_cast<char>(length >> (8 * i)));
  crc.add(out);
  for (int i = 0; i < 4; ++i) out.push_back(static_cast<char>(crc.value() >> (8 * i)));
  return out;
}

std::string frame(std::string_view mark, std::string_view content) {
  std::string out(mark);
  out += content;
  Crc32 crc;
  crc.add(out);
  return out + frame_end(content.size(), crc);
}

std::string_view unframe(std::string_view what, std::string_view mark, std::string_view bytes) {
  if (!bytes.starts_with(mark)) throw Error(std::string(what) + ": does not begin with " + std::string(mark));
  if (bytes.size() < mark.size() + kFrameEnd) throw Error(std::string(what) + ": damaged, it ends early");
  const size_t length = bytes.size() - mark.size() - kFrameEnd;
  Crc32 crc;
  crc.add(bytes.substr(0, mark.size() + length));
  if (frame_end(length, crc) != bytes.substr(mark.size() + length))
    throw Error(std::string(what) + ": damaged, length and CRC do not fit");
  return bytes.substr(mark.size(), length);
}

}  // namespace odonata
