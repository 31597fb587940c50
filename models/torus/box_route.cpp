// SPDX-License-Identifier: Apache-2.0
#include "models/torus/box_route.h"

#include <algorithm>

#include "models/common/channel_graph.h"
#include "models/common/error.h"

namespace odonata::torus {

namespace {

const Torus& three_dimensions(const Torus& torus) {
  if (torus.dimensions() != 3) throw Error("torus " + torus.name() + ": boxes are routed round in three dimensions");
  return torus;
}

constexpr Variant kPlane = Variant::kSafe6Ring;

/// The question in a plane of dimensions `first` and `first` + 1.
Ask in_plane(const BoxAsk& q, int first, uint8_t blocked, uint8_t header, bool fresh) {
  Ask ask;
  for (size_t i = 0; i < 2; ++i) {
    ask.at[i] = static_cast<uint8_t>(q.at[static_cast<size_t>(first) + i]);
    ask.dest[i] = static_cast<uint8_t>(q.dest[static_cast<size_t>(first) + i]);
  }
  ask.blocked = static_cast<uint8_t>(blocked >> (2 * first) & 0xF);
  ask.header = header;
  ask.fresh = fresh;
  return ask;
}

}  // namespace

BoxMap::BoxMap(const Torus& torus, const Faults& faults) : map_(three_dimensions(torus), Rule::kDim, faults) {
  for (int z = 0; z < torus.radix(2); ++z) wall_x_.push_back(wall(0, 2, z));
  for (int x = 0; x < torus.radix(0); ++x) {
    wall_y_.push_back(wall(1, 0, x));
    wall_z_.push_back(wall(2, 0, x));
  }
}

/// Bit c: in the plane with coordinate `at` of dimension `fixed` no healthy node at c can leave in direction + of
/// `dimension`.
uint64_t BoxMap::wall(int dimension, int fixed, int at) const {
  const Torus& t = torus();
  uint64_t open = 0;
  for (int n = 0; n < t.nodes(); ++n)
    if (t.coordinate(n, fixed) == at && map_.healthy(n) && !(map_.blocked(n) >> (2 * dimension) & 1))
      open |= 1ull << t.coordinate(n, dimension);
  const uint64_t ring = t.radix(dimension) == 64 ? ~0ull : (1ull << t.radix(dimension)) - 1;
  return ring & ~open;
}

BoxMap::View BoxMap::view(int node) const {
  const auto x = static_cast<size_t>(torus().coordinate(node, 0)), z = static_cast<size_t>(torus().coordinate(node, 2));
  return {wall_x_[z], {wall_y_[x], wall_z_[x]}, map_.blocked(node)};
}

BoxAnswer route_box(const Torus& torus, const BoxMap::View& view, const BoxAsk& q) {
  const bool second = q.at[0] == q.dest[0], was_second = !q.fresh && (q.header & kBoxPlane) != 0;
  const auto radix = [&](int d) { return static_cast<uint8_t>(torus.radix(d)); };
  if (!second) {
    const Ground ground{{view.wall_x, 0}, {radix(0), radix(1)}};
    const Answer a = route<kPlane>(ground, in_plane(q, 0, view.blocked, q.header, q.fresh));
    const bool detour = a.vc % 3 != 0;
    return {a.action, a.port, static_cast<uint8_t>(detour ? 6 + 2 * (a.vc / 3) + a.vc % 3 - 1 : a.vc), a.header};
  }
  const Ground ground{{view.wall_yz[0], view.wall_yz[1]}, {radix(1), radix(2)}};
  const Answer a = route<kPlane>(
      ground, in_plane(q, 1, view.blocked, static_cast<uint8_t>(q.header & (kBoxPlane - 1)), !was_second));
  if (a.action != Action::kForward) return {a.action, 0, 0, 0};
  return {a.action, static_cast<uint8_t>(a.port + 2), a.vc, static_cast<uint8_t>(a.header | kBoxPlane)};
}

namespace {

/// Follows a packet; visit(Hop). A way that is longer than every channel once circles for ever.
template <class Visit>
Outcome walk_box(const BoxMap& map, int from, int to, int& node, Visit&& visit) {
  const Torus& t = map.torus();
  BoxAsk ask{t.coordinates(from), t.coordinates(to), 0, true};
  const int most = t.nodes() * t.ports() * kBoxVcs;
  node = from;
  for (int steps = 0; steps <= most; ++steps) {
    const BoxAnswer a = route_box(t, map.view(node), ask);
    if (a.action == Action::kEject) return Outcome::kDelivered;
    if (a.action == Action::kUnreachable) return Outcome::kUnreachable;
    if (a.action != Action::kForward) return Outcome::kDropped;
    visit(Hop{node, a.port, a.vc, a.header});
    node = t.neighbour(node, a.port);
    ask = {t.coordinates(node), ask.dest, a.header, false};
  }
  return Outcome::kLivelock;
}

}  // namespace

Path find_box_path(const BoxMap& map, int from, int to) {
  if (!map.healthy(from)) throw Error("source " + map.torus().node_name(from) + " is disabled");
  Path path;
  path.outcome = walk_box(map, from, to, path.end, [&](const Hop& hop) { path.hops.push_back(hop); });
  return path;
}

std::string box_channel_name(const Torus& torus, int node, int port, int vc) {
  const std::string name = Torus::port_name(port);
  return name.substr(0, 1) + std::to_string(vc) + name.substr(1) + " of " + torus.node_name(node);
}

BoxReport explore_boxes(const BoxMap& map, Destinations destinations, bool merge_detours) {
  const Torus& t = map.torus();
  ChannelGraph graph(t.nodes() * t.ports() * kBoxVcs);
  std::vector<bool> held(static_cast<size_t>(t.nodes() * t.ports() * kBoxVcs));
  BoxReport report;
  Service& s = report.service;
  for (int from = 0; from < t.nodes(); ++from) {
    if (!map.healthy(from)) continue;
    for (int to = 0; to < t.nodes(); ++to) {
      if (from == to || (destinations == Destinations::kHealthy && !map.healthy(to))) continue;
      int before = -1, links = 0, end = 0;
      const Outcome outcome = walk_box(map, from, to, end, [&](const Hop& h) {
        const int vc = merge_detours && h.vc >= 6 ? 3 * ((h.vc - 6) / 2) : h.vc;
        const int channel = (h.node * t.ports() + h.port) * kBoxVcs + vc;
        held[static_cast<size_t>(channel)] = true;
        if (before >= 0) graph.add(before, channel);
        before = channel;
        ++links;
      });
      if (!map.healthy(to)) continue;
      ++s.pairs;
      if (outcome == Outcome::kDelivered) {
        ++s.delivered;
        s.links += links;
        s.max_links = std::max(s.max_links, links);
      } else {
        ++(outcome == Outcome::kUnreachable ? s.unreachable : outcome == Outcome::kDropped ? s.dropped : s.livelocked);
      }
    }
  }
  report.channels = std::count(held.begin(), held.end(), true);
  report.dependencies = graph.dependencies();
  for (const int c : graph.find_cycle())
    report.cycle.push_back(box_channel_name(t, c / kBoxVcs / t.ports(), c / kBoxVcs % t.ports(), c % kBoxVcs));
  return report;
}

}  // namespace odonata::torus
