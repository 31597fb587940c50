// SPDX-License-Identifier: Apache-2.0
// What the congestion plane of a router is told by the rest of the router (docs/congestion.md §6).
#pragma once

#include <array>

#include "models/common/bits.h"
#include "models/congestion/credit_monitor.h"
#include "models/congestion/frame.h"
#include "models/topology/dragonfly.h"

namespace odonata::congestion {

/// What a router's switch and links tell its congestion plane in one cycle; bit k = physical port k.
struct RouterEvents {
  std::array<PortMap, kNumVcs> sent{};    ///< a packet is granted to port k for VC v
  std::array<PortMap, kNumVcs> credit{};  ///< a credit of VC v comes back to port k
  PortMap departed = 0;                   ///< a packet leaves the output FIFO of port k for the link
  PortMap failed = 0;
  PortMap flit = 0;  ///< local ports: a flit is offered
  PortMap tail = 0;  ///< local ports: with flit, it is a tail

  /// The bits of one port in `sent` or `credit`, bit v = VC v.
  static uint32_t vcs(const std::array<PortMap, kNumVcs>& map, int port) {
    uint32_t bits = 0;
    for (int v = 0; v < kNumVcs; ++v) bits |= static_cast<uint32_t>(map[v] >> port & 1) << v;
    return bits;
  }
  static void set_vcs(std::array<PortMap, kNumVcs>& map, int port, uint32_t bits) {
    for (int v = 0; v < kNumVcs; ++v) map[v] = (map[v] & ~(PortMap{1} << port)) | PortMap{bits >> v & 1} << port;
  }
};

}  // namespace odonata::congestion
