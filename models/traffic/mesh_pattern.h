// SPDX-License-Identifier: Apache-2.0
// Synthetic traffic patterns over the nodes of a mesh (one node a router): D2RA Table 2, with the definitions of
// BookSim2 (Jiang et al., ISPASS'13; Dally, Towles: Principles and Practices of Interconnection Networks, §3.2). Node
// numbers are router numbers, dimension 0 fastest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/arb_request/mesh.h"
#include "models/common/random.h"

namespace odonata::traffic {

/// Who sends to whom. A node may be its own destination (BookSim2 excludes nobody); such a packet takes no link.
class MeshPattern {
 public:
  enum class Kind {
    uniform,    ///< every node, the sender included, equally likely
    transpose,  ///< the upper and the lower half of the number's bits exchanged; an even number of bits
    shuffle,    ///< the bits rotated left by one
    tornado,    ///< every coordinate c of k goes to (c + ceil(k/2) - 1) mod k
    neighbor,   ///< every coordinate c of k goes to (c + 1) mod k
    randperm,   ///< one permutation of all nodes, drawn from the seed
    bitcomp,    ///< every bit inverted
    bitrev,     ///< the bits in reverse order
  };
  /// The names above, also "bit-complement", "bit-reverse" and "random-permutation". Throws Error for another word and
  /// where the bit patterns do not fit the number of nodes. `network`: what its message calls the nodes' network,
  /// "torus" when these are coordinates of one.
  static MeshPattern parse(const arb_request::Mesh& mesh, std::string_view text, uint64_t seed,
                           std::string_view network = "mesh");
  /// All names that parse() prefers, in the order of Kind.
  static const std::vector<std::string>& names();

  Kind kind() const { return kind_; }
  const std::string& name() const { return names()[static_cast<size_t>(kind_)]; }
  int nodes() const { return nodes_; }
  /// The destination of a packet that node `source` sends.
  int destination(int source, Random& random) const {
    return kind_ == Kind::uniform ? static_cast<int>(random.below(static_cast<uint32_t>(nodes_)))
                                  : to_[static_cast<size_t>(source)];
  }
  /// The share of the packets of `source` that go to `dest`.
  double share(int source, int dest) const {
    return kind_ == Kind::uniform ? 1.0 / nodes_ : to_[static_cast<size_t>(source)] == dest;
  }

 private:
  MeshPattern(Kind kind, int nodes) : kind_(kind), nodes_(nodes) {}
  Kind kind_;
  int nodes_;
  std::vector<int> to_;  // all but uniform
};

/// What dimension-order routing (lowest dimension first) makes of a pattern when every node sends one flit a cycle.
struct DorLoad {
  std::vector<double>
      channel;          ///< flits a cycle on the channel into input queue q of the mesh (arb_request::Mesh::queue)
  double busiest = 0;   ///< of all channels
  double ejection = 0;  ///< of the node that receives most
  /// No deterministic routing along these paths accepts more than this, in flits a node and cycle; at most 1
  /// (injection).
  double saturation_bound() const;
};
DorLoad dor_load(const arb_request::Mesh& mesh, const MeshPattern& pattern);

}  // namespace odonata::traffic
