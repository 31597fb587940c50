// SPDX-License-Identifier: Apache-2.0
// Dimension order on a mesh, highest dimension first: the other one of the two orders of Dally and Seitz (IEEE ToC 1987).
#include "sim/network/make_engine.h"
#include "sim/network/topologies/mesh.h"

namespace odonata::network {

namespace {

class HighestFirst {
 public:
  static constexpr int kVcs = 1;
  static constexpr int kMaxVcs = 8;
  static constexpr bool kAsks = false;
  static constexpr bool kMonitors = false;

  HighestFirst(const Context& context, int) : mesh_(mesh_of(context.config)) {}
  void begin_cycle(uint32_t) {}
  Route route(const Flit& flit, const Place& at) const {
    const int dest = static_cast<int>(flit.dest);
    for (int d = mesh_.dimensions() - 1; d >= 0; --d) {
      const int way = mesh_.coordinate(dest, d) - mesh_.coordinate(at.router, d);
      if (way != 0) return {static_cast<uint8_t>(2 * d + (way < 0)), static_cast<uint8_t>(at.vc)};
    }
    return {static_cast<uint8_t>(2 * mesh_.dimensions()), 0};
  }
  /// Dimensions fall on the way.
  bool order_kept(const Channel& in, const Channel& out) const { return in.port_class == 0 || out.port_class == 0 || out.port / 2 <= in.port / 2; }
  template <class Visit>
  void visit_state(Visit&&) {}
  size_t bytes() const { return 0; }

 private:
  const arb_request::Mesh& mesh_;
};

}  // namespace

std::vector<Routing> routings_mesh_yx() {
  return {{.name = "yx",
           .topology = "mesh",
           .text = "dimension order, highest dimension first",
           .vcs = HighestFirst::kVcs,
           .order = "dimensions fall",
           .make = make_engine<HighestFirst, MeshTopology>}};
}

}  // namespace odonata::network
