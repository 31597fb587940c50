// SPDX-License-Identifier: Apache-2.0
// The frame in which an FD or FR travels over a link: bit layout, CRC, checks (docs/fault.md §2).
#pragma once

#include <optional>

#include "models/fault/types.h"

namespace odonata::fault {

enum class FrameType : uint8_t { reserved = 0, message = 1, acknowledge = 2, ask_again = 3 };

struct Frame {
  FrameType type = FrameType::message;
  uint8_t sequence = 0;  ///< 4 bits
  Message message;       ///< all zero unless type is message
  bool operator==(const Frame&) const = default;
};

/// CRC-8, polynomial x^8+x^2+x+1, initial value 0xFF, most significant bit first.
uint8_t crc8(uint32_t word);
/// 22 bits: kind, class, prefix, gid, bid, nid; and back (every bit pattern decodes).
uint32_t encode_message(const Message& message);
Message decode_message(uint32_t bits);
/// Whether a message may be applied in this network.
bool well_formed(const Message& message, const Dragonfly& d);
/// 40 bits.
uint64_t encode_frame(const Frame& frame);
/// Nothing when the CRC is wrong, bits above 39 are set, the type is reserved, or bits that have to be zero are not.
std::optional<Frame> decode_frame(uint64_t word);

}  // namespace odonata::fault
