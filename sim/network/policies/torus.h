// SPDX-License-Identifier: Apache-2.0
// The fault-tolerant routings of a torus (docs/torus.md §5) on the engine: what models/torus decides, with the fault
// regions of the start. The channel d_{r,j} of a link is virtual channel r * J + j with as many detour channels as the
// variant has. The header travels in Flit::state.
#pragma once

#include "models/torus/path.h"
#include "sim/network/policy.h"
#include "sim/network/routing.h"
#include "sim/network/topologies/common/torus_history.h"
#include "sim/network/topologies/torus.h"

namespace odonata::network {

/// A routing of the torus as it is registered.
struct TorusRoutingInfo {
  const char* name;
  torus::Variant variant;
  int js;             ///< channels of a class: J
  bool safe;          ///< free of deadlock
  bool changing;      ///< also while faults come
  const char* order;  ///< Routing::order
  const char* text;
};
const TorusRoutingInfo& torus_routing(const Config& config);
/// All of them but the adaptive one; `changing`: those that stand faults at run time.
std::vector<Routing> torus_routings(bool changing, std::unique_ptr<Simulation> (*make)(const Config&));

class TorusRouting {
 public:
  static constexpr int kVcs = torus::kVcs;
  static constexpr int kMaxVcs = 8;
  static constexpr bool kAsks = false;
  static constexpr bool kMonitors = false;
  static constexpr bool kOrderFree = true;
  static constexpr bool kPieces = true;
  static constexpr int kNodePort = 4;

  TorusRouting(const Context& context, int domain);
  void begin_cycle(uint32_t) {}
  Route route(Flit& flit, const Place& at) const {
    const torus::Answer a = answer(views_[static_cast<size_t>(at.router)], flit.dest, at.port == kNodePort,
                                   static_cast<uint8_t>(flit.state));
    if (a.action == torus::Action::kEject) return {kNodePort, 0};
    if (a.action != torus::Action::kForward) return {};  // dropped
    flit.state = a.header;
    return {a.port, vc_[a.vc]};
  }
  /// The variants with a proof by rank: a higher one at every hop, or the same straight on.
  bool order_kept(const Channel& in, const Channel& out) const;
  std::string describe_wait(int router, int port, int vc, uint32_t dest, int out_port) const;
  template <class Visit>
  void visit_state(Visit&&) {}
  size_t bytes() const { return views_.size() * sizeof(TorusView) + points_.size() * 2; }

 protected:
  using Point = std::array<uint8_t, 2>;
  torus::Answer answer(const TorusView& view, uint32_t dest, bool fresh, uint8_t header) const {
    const Point to = points_[dest];
    torus::Ask ask;
    ask.at[0] = view.at[0], ask.at[1] = view.at[1];
    ask.dest[0] = to[0], ask.dest[1] = to[1];
    ask.header = header;
    ask.blocked = view.blocked;
    ask.sides = view.sides;
    ask.fresh = fresh;
    return decide_({{view.wall[0], view.wall[1]}, {radix_[0], radix_[1]}}, ask);
  }

  Torus torus_;
  int first_, routers_;  // of the domain
  uint8_t radix_[2];
  int js_;
  bool ranked_;   ///< order_kept() can tell
  bool steered_;  ///< directions keep clear of walls
  torus::Answer (*decide_)(const torus::Ground&, const torus::Ask&);
  std::array<uint8_t, torus::kVcs> vc_{};  // by 3 * r + j
  std::vector<Point> points_;              // coordinates, by address
  std::vector<TorusView> views_;           // by router
};

}  // namespace odonata::network
