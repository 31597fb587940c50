// SPDX-License-Identifier: Apache-2.0
// Parameters of the data path of a router, and the fields of a flit (docs/router.md §1, §2.1).
#pragma once

#include <cstdint>

#include "models/topology/dragonfly.h"

namespace odonata::router {

inline constexpr int kNumVcs = 4;
inline constexpr int kMaxPorts = 63;
inline constexpr int kNoOption = 63;  ///< what route compute answers when there is none

/// What is in a slot of a link: nothing, a flit, or a message of the fault plane.
inline constexpr int kSlotIdle = 0, kSlotFlit = 1, kSlotMessage = 2;

/// Fields of a flit's lowest word (docs/router.md §1).
constexpr int flit_vc(uint64_t word) { return static_cast<int>(word & 3); }
constexpr bool flit_head(uint64_t word) { return (word >> 2 & 1) != 0; }
constexpr bool flit_tail(uint64_t word) { return (word >> 3 & 1) != 0; }
constexpr bool flit_poison(uint64_t word) { return (word >> 4 & 1) != 0; }
constexpr int flit_last(uint64_t word) { return static_cast<int>(word >> 5 & 63); }
inline constexpr uint64_t kPoisonedTail = 0x18;  ///< the flit that closes a packet which a fault has cut; VC 0

/// Parameters of the data path, by default those of the hardware for a dragonfly; depths in flits.
struct DataConfig {
  DataConfig() = default;
  explicit DataConfig(const Dragonfly& d) : nodes(d.p()), routers(d.a()), globals(d.h()) {}
  int nodes = 2, routers = 4, globals = 2;  ///< P, A, H
  int words = 2;                            ///< FlitBits / 64
  int node_depth = 32, local_depth = 32, global_depth = 256;
  int output_fifo = 64;
  int turn_cycles = 0;  ///< in which a virtual channel has the first choice in its turn, 0..256; 0: there are no turns
  int num_ports() const { return nodes + routers - 1 + globals; }
  bool is_node(int port) const { return port < nodes; }
  int depth(int port) const {
    return is_node(port) ? node_depth : port < nodes + routers - 1 ? local_depth : global_depth;
  }
};

}  // namespace odonata::router
