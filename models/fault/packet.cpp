// SPDX-License-Identifier: Apache-2.0
#include "models/fault/packet.h"

namespace odonata::fault {

uint8_t crc8(uint32_t word) {
  uint32_t crc = 0xFF;
  for (int i = 31; i >= 0; --i) {
    const uint32_t feedback = (crc >> 7 ^ word >> i) & 1;
    crc = (crc << 1 & 0xFF) ^ (feedback ? 0x07 : 0);
  }
  return static_cast<uint8_t>(crc);
}

uint32_t encode_message(const Message& m) {
  return static_cast<uint32_t>(m.kind) << 21 | static_cast<uint32_t>(m.message_class) << 20 |
         static_cast<uint32_t>(m.prefix & 3) << 18 | static_cast<uint32_t>(m.gid & 0x1FF) << 9 |
         static_cast<uint32_t>(m.bid & 0x1F) << 4 | (m.nid & 0xF);
}

Message decode_message(uint32_t bits) {
  Message m;
  m.kind = static_cast<Kind>(bits >> 21 & 1);
  m.message_class = static_cast<MessageClass>(bits >> 20 & 1);
  m.prefix = bits >> 18 & 3;
  m.gid = bits >> 9 & 0x1FF;
  m.bid = bits >> 4 & 0x1F;
  m.nid = bits & 0xF;
  return m;
}

bool well_formed(const Message& m, const Dragonfly& d) {
  if (m.gid >= d.g() || m.bid >= d.a()) return false;
  const bool may_be_gateway = m.prefix == 2 && m.kind == Kind::diagnosis;
  if (m.prefix == 3 ? m.nid >= d.p() : m.nid > (may_be_gateway ? kGatewayOnly : 0)) return false;
  if (m.prefix < 2 && m.bid != 0) return false;
  if (m.prefix > 0) return true;
  return m == kWholePort;
}

uint64_t encode_frame(const Frame& f) {
  const uint32_t content = f.type == FrameType::message ? encode_message(f.message) : 0;
  const uint32_t low =
      static_cast<uint32_t>(f.type) << 30 | static_cast<uint32_t>(f.sequence & 15) << 26 | content << 4;
  return static_cast<uint64_t>(crc8(low)) << 32 | low;
}

std::optional<Frame> decode_frame(uint64_t word) {
  const uint32_t low = static_cast<uint32_t>(word);
  if (word >> 32 != crc8(low) || (low & 15) != 0) return std::nullopt;
  Frame f;
  f.type = static_cast<FrameType>(low >> 30);
  f.sequence = low >> 26 & 15;
  if (f.type == FrameType::reserved) return std::nullopt;
  if (f.type == FrameType::message) {
    f.message = decode_message(low >> 4 & 0x3FFFFF);
  } else if ((low & 0x3FFFFFF) != 0) {
    return std::nullopt;
  }
  return f;
}

}  // namespace odonata::fault
