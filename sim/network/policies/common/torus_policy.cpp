// SPDX-License-Identifier: Apache-2.0
#include "models/common/error.h"
#include "sim/network/policies/torus.h"

namespace odonata::network {

using torus::FaultMap;
using torus::Variant;

namespace {

constexpr char kRank[] = "a channel of higher rank, or straight on (docs/torus.md §7)";
constexpr char kSearch[] = "no cycle found in any search (docs/torus.md §7)";
constexpr char kOneMap[] = "the rank, under rule any with the faults of the start";

constexpr TorusRoutingInfo kRoutings[] = {
    {"torus_safe6_ring", Variant::kSafe6Ring, 3, true, true, kRank,
     "round fault regions, phase x on the ring's shorter side"},
    {"torus_safe6", Variant::kSafe6, 3, true, true, kRank, "round fault regions"},
    {"torus_safe6_short", Variant::kSafe6Short, 3, true, true, kSearch, "round fault regions on their shorter side"},
    {"torus_safe4_ring", Variant::kSafe4Ring, 2, true, false, kOneMap,
     "as torus_safe6_ring with one detour channel a class"},
    {"torus_safe4", Variant::kSafe4, 2, true, false, kOneMap, "as torus_safe6 with one detour channel a class"},
    {"torus_printed", Variant::kPrinted, 3, false, true, "none", "UNSAFE: as printed (DWZ); loses packets"},
    {"torus_ring6", Variant::kRing6, 3, false, true, "none", "UNSAFE: as printed, and back to the column"},
    {"ecube", Variant::kEcube, 1, true, true, "dimensions, the wrap link in each",
     "dimension order, the shorter way; a blocked port drops"},
};

const TorusRoutingInfo* find(const std::string& name) {
  for (const TorusRoutingInfo& i : kRoutings)
    if (name == i.name) return &i;
  return nullptr;
}

void check_torus_routing(const Config& config) {
  check_plane(config);
  if (!torus_routing(config).changing && config.faults.rule != torus::Rule::kAny)
    throw Error("routing '" + config.routing + "' is free of deadlock under rule any only (docs/torus.md §7)");
}

}  // namespace

const TorusRoutingInfo& torus_routing(const Config& config) { return *find(config.routing); }

std::vector<Routing> torus_routings(bool changing, std::unique_ptr<Simulation> (*make)(const Config&)) {
  std::vector<Routing> out;
  for (const TorusRoutingInfo& i : kRoutings) {
    if (changing && !i.changing) continue;
    out.push_back({.name = i.name,
                   .topology = "torus",
                   .text = i.text,
                   .vcs = 2 * i.js,
                   .reason = "(DWZ §3: r = 0, 1 and j below " + std::to_string(i.js) + ")",
                   .order = i.order,
                   .safe = i.safe,
                   .faults = changing,
                   .check = check_torus_routing,
                   .make = make});
  }
  return out;
}

TorusRouting::TorusRouting(const Context& context, int domain) : torus_(torus_of(context.config)) {
  const std::vector<int> routers = context.wiring.routers_of(domain);
  first_ = routers.front();
  routers_ = static_cast<int>(routers.size());
  const TorusRoutingInfo& info = torus_routing(context.config);
  js_ = info.js;
  ranked_ = info.variant == Variant::kSafe6 || info.variant == Variant::kSafe6Ring;
  steered_ = info.variant != Variant::kPrinted && info.variant != Variant::kEcube;
  decide_ = torus::with_variant(info.variant, []<Variant V>() {
    return +[](const torus::Ground& ground, const torus::Ask& ask) { return torus::route<V>(ground, ask); };
  });
  for (int d = 0; d < 2; ++d) radix_[d] = static_cast<uint8_t>(torus_.radix(d));
  for (int v = 0; v < torus::kVcs; ++v) vc_[static_cast<size_t>(v)] = static_cast<uint8_t>(v / 3 * js_ + v % 3);
  const FaultMap map = standing_map(context.config);
  for (int n = 0; n < torus_.nodes(); ++n) {
    const Point at{static_cast<uint8_t>(torus_.coordinate(n, 0)), static_cast<uint8_t>(torus_.coordinate(n, 1))};
    points_.push_back(at);
    if (n < first_ || n >= first_ + routers_) continue;
    views_.push_back({{map.wall(0), map.wall(1)}, map.blocked(n), map.sides(n), {at[0], at[1]}, {}});
  }
}

namespace {

/// A channel as a hop of a packet on it; the side of the way back is x+ in safe6 and safe6_ring.
torus::Hop hop_on(int node, int port, int vc, int js) {
  const int j = vc % js;
  const bool y = (port >= 2) == (j == 0), minus = j == 0 ? (port & 1) != 0 : j == 2, back = y && j != 0 && port == 0;
  const int header =
      (y ? torus::header::kDim : 0) | (minus ? torus::header::kDir : 0) | (back ? torus::header::kBack : 0);
  return {node, static_cast<uint8_t>(port), static_cast<uint8_t>(vc / js * 3 + j), static_cast<uint8_t>(header)};
}

}  // namespace

bool TorusRouting::order_kept(const Channel& in, const Channel& out) const {
  if (!ranked_ || in.port_class == 0 || out.port_class == 0) return true;
  const int came = Torus::opposite(in.port);
  const int before = torus::rank(torus_, hop_on(torus_.neighbour(in.router, in.port), came, in.vc, js_));
  const int after = torus::rank(torus_, hop_on(out.router, out.port, out.vc, js_));
  return after > before || (after == before && out.port == came);
}

std::string TorusRouting::describe_wait(int router, int port, int vc, uint32_t dest, int out_port) const {
  const int node = first_ + router;
  std::string out = "a packet to " + torus_.node_name(static_cast<int>(dest)) + " in ";
  out += port == kNodePort ? "the injection queue of " + torus_.node_name(node)
                           : torus::directed_channel_name(Torus::opposite(port), vc / js_ * 3 + vc % js_) + " of " +
                                 torus_.node_name(torus_.neighbour(node, port));
  return out + " waits for a channel " + Torus::port_name(out_port) + " of " + torus_.node_name(node);
}

}  // namespace odonata::network
