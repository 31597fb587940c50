// SPDX-License-Identifier: Apache-2.0
// What moves through the network: a flit of 16 bytes that carries its packet's header, so that no packet pool is needed
// (docs/network.md §3).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace odonata::network {

/// One flit. `source` and `dest` are packed addresses that only the wiring and the policy understand; dragonfly:
/// {gid[17:9], bid[8:4], nid[3:0]}. A packet is identified by (source, born): a node creates at most one packet a
/// cycle.
struct Flit {
  uint32_t dest : 18;
  uint32_t via : 14;  ///< the policy's own: intermediate router (full size: 16,384 routers)
  uint32_t source : 18;
  uint32_t state : 14;  ///< the policy's own: phase of the path, ...
  uint32_t born = 0;    ///< cycle of creation
  uint8_t hops = 0;     ///< links taken so far; kManyHops and the next: at least kManyHops, as even or odd as they are
  uint8_t vc = 0;       ///< virtual channel that it travels on or waits in
  uint8_t length = 1;   ///< flits of the packet
  uint8_t index = 0;    ///< 0: head, length - 1: tail

  static constexpr uint8_t kManyHops = 254;

  Flit() : dest(0), via(0), source(0), state(0) {}
  /// The flit after one more link, on channel `channel`. Two words, because byte by byte its next reader would wait for
  /// the stores.
  [[gnu::always_inline]] Flit moved(uint32_t channel) const {
    constexpr uint64_t kHop = uint64_t{1} << 32, kVc = uint64_t{0xFF} << 40;  // in the upper word
    uint64_t word[2];
    std::memcpy(word, this, sizeof word);
    if (hops > kManyHops) [[unlikely]]
      word[1] -= 2 * kHop;  // policies of tori look whether it is even
    word[1] = ((word[1] + kHop) & ~kVc) | static_cast<uint64_t>(channel) << 40;
    Flit out;
    std::memcpy(&out, word, sizeof word);
    return out;
  }
  bool head() const { return index == 0; }
  bool tail() const { return index + 1 == length; }
  /// A poisoned tail closes what is left of a packet that a fault has cut in two (docs/network.md §8); it is no flit of
  /// the packet.
  bool poisoned() const { return length == kPoisoned; }
  /// It is where it was made, in the slot of which the sender does not know.
  bool uncredited() const { return vc == kNoVc; }
  /// The poisoned tail of this flit's packet.
  Flit poison() const {
    Flit out = *this;
    out.vc = kNoVc;
    out.length = kPoisoned;
    out.index = kPoisoned - 1;
    return out;
  }

 private:
  static constexpr uint8_t kPoisoned = 255, kNoVc = 255;  // packets have at most 64 flits, links at most 16 VCs
};
static_assert(sizeof(Flit) == 16 && offsetof(Flit, hops) == 12 && offsetof(Flit, vc) == 13 &&
              std::endian::native == std::endian::little);

}  // namespace odonata::network
