// SPDX-License-Identifier: Apache-2.0
// What moves through the network: a flit of 16 bytes that carries its packet's header, so that no packet pool is needed (docs/network.md §3).
#pragma once

#include <cstdint>

namespace odonata::network {

/// One flit. `source` and `dest` are packed addresses that only the wiring and the policy understand; dragonfly: {gid[17:9], bid[8:4], nid[3:0]}.
/// A packet is identified by (source, born): a node creates at most one packet a cycle.
struct Flit {
  uint32_t dest : 18;
  uint32_t via : 14;  ///< the policy's own: intermediate router (full size: 16,384 routers)
  uint32_t source : 18;
  uint32_t state : 14;  ///< the policy's own: phase of the path, ...
  uint32_t born = 0;    ///< cycle of creation
  uint8_t hops = 0;     ///< links taken so far
  uint8_t vc = 0;       ///< virtual channel that it travels on or waits in
  uint8_t length = 1;   ///< flits of the packet
  uint8_t index = 0;    ///< 0: head, length - 1: tail

  Flit() : dest(0), via(0), source(0), state(0) {}
  bool head() const { return index == 0; }
  bool tail() const { return index + 1 == length; }
};
static_assert(sizeof(Flit) == 16);

}  // namespace odonata::network
