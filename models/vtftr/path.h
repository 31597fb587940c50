// SPDX-License-Identifier: Apache-2.0
// The way of one packet through a fat-tree: drawn, or all ways with their probabilities. docs/vtftr.md §2.
#pragma once

#include <string>
#include <vector>

#include "models/vtftr/knowledge.h"

namespace odonata::vtftr {

/// One dimension routing: from a leaf over a root to another leaf (2 links).
struct Routing {
  int dimension = kRow;
  LeafId at;  ///< the leaf reached
  int vc = 0;
  LeafKind leaf_kind = LeafKind::direct;  ///< how the leaf before decided
  RootKind root_kind = RootKind::direct;
  bool operator==(const Routing&) const = default;
};

enum class Outcome : uint8_t { delivered, dropped, endless };

/// Why a packet was dropped; loop, turn and address happen at a leaf, the others at a root.
enum class DropReason : uint8_t { none, loop, turn, address, dead, virtual_channel, no_port };

struct Path {
  std::vector<Routing> hops;
  Outcome outcome = Outcome::delivered;
  DropReason reason = DropReason::none;
  double probability = 1;
};

/// The network at one moment: which leaves are dead, what the tables say.
struct Scene {
  FatTree tree;
  FaultSet dead;
  Knowledge known;
  Mode mode;
};

inline constexpr int kMostRoutings = 64;  ///< a packet that is still on its way then counts as endless

/// The way of a packet from one leaf to node `node` of another; picks use the LFSR, which advances once a root. The
/// source is a live leaf.
Path walk(const Scene& scene, LeafId from, LeafId to, int node, uint16_t lfsr);

/// All ways over all picks, most probable first (equal ones in the order of their ports). Ways of more than `most`
/// routings are cut and `endless`.
std::vector<Path> all_paths(const Scene& scene, LeafId from, LeafId to, int node, int most = 8);

std::string_view to_string(Outcome outcome);
std::string_view to_string(DropReason reason);

}  // namespace odonata::vtftr
