// SPDX-License-Identifier: Apache-2.0
#include "sim/network/topologies/common/torus_history.h"

#include <algorithm>
#include <utility>

namespace odonata::network {

namespace {

constexpr int kPorts = 5, kNodePort = 4;

bool same_but_sides(const TorusView& a, const TorusView& b) {
  return a.blocked == b.blocked && a.wall[0] == b.wall[0] && a.wall[1] == b.wall[1];
}

/// Whether the walls that a node knows make it decide as those of the map do, for every other node (docs/torus.md §3).
bool same_ways(const torus::FaultMap& map, const TorusView& view, int node) {
  for (int d = 0; d < 2; ++d) {
    const int at = map.torus().coordinate(node, d);
    for (int to = 0; to < map.torus().radix(d); ++to) {
      const uint64_t way = torus::plus_way_of(static_cast<uint64_t>(at), static_cast<uint64_t>(to)),
                     mine = view.wall[d], whole = map.wall(d);
      if (to != at && (((mine & way) != 0) != ((whole & way) != 0) || ((mine & ~way) != 0) != ((whole & ~way) != 0)))
        return false;
    }
  }
  return true;
}

}  // namespace

TorusHistory::TorusHistory(const Config& config)
    : link_down(static_cast<size_t>(torus_of(config).nodes() * kPorts), kNever),
      dead(static_cast<size_t>(torus_of(config).nodes()), kNever),
      torus_(torus_of(config)),
      plane_(torus_, config.faults.rule) {
  std::vector<TimedFault> timed = config.faults.events;
  std::stable_sort(timed.begin(), timed.end(),
                   [](const TimedFault& a, const TimedFault& b) { return a.cycle < b.cycle; });
  std::vector<fault::Fault> all = config.faults.standing;
  kill(0, torus_faults(all));
  plane_.settle();
  for (int n = 0; n < torus_.nodes(); ++n) {
    if (plane_.region(n).bad && !plane_.dead(n)) take_down(0, n, kNodePort);
    first.push_back(view(n));
  }
  for (size_t i = 0; i < timed.size();) {
    const auto cycle = static_cast<uint32_t>(timed[i].cycle);
    first_fault = std::min(first_fault, cycle);
    std::vector<fault::Fault> now;
    for (; i < timed.size() && timed[i].cycle == cycle; ++i) now.push_back(timed[i].fault);
    all.insert(all.end(), now.begin(), now.end());
    kill(cycle, torus_faults(now));
    spread(cycle, i < timed.size() ? static_cast<uint32_t>(timed[i].cycle) : kNever);
  }
  std::stable_sort(events.begin(), events.end(), [](const FaultEvent& a, const FaultEvent& b) {
    return a.cycle != b.cycle ? a.cycle < b.cycle : a.kind < b.kind;
  });
  const torus::FaultMap map(torus_, config.faults.rule, torus_faults(all));
  as_map = true;
  for (int n = 0; n < torus_.nodes(); ++n) {
    const bool disabled = plane_.dead(n) || plane_.region(n).bad;
    as_map = as_map && disabled == !map.healthy(n);
    if (!disabled)
      as_map = as_map && plane_.region(n).blocked == map.blocked(n) && plane_.sides(n).sides == map.sides(n) &&
               same_ways(map, view(n), n);
  }
}

TorusView TorusHistory::view(int router) const {
  TorusView out;
  if (plane_.dead(router)) return out;
  out.blocked = plane_.region(router).blocked;
  out.sides = plane_.sides(router).sides;
  out.wall[0] = plane_.walls(router).wall_x;
  out.wall[1] = plane_.walls(router).wall_y;
  return out;
}

void TorusHistory::take_down(uint32_t cycle, int router, int port) {
  uint32_t& down = link_down[static_cast<size_t>(router * kPorts + port)];
  if (down != kNever) return;
  down = cycle;
  if (cycle == 0) return;
  FaultEvent e;
  e.cycle = cycle;
  e.port = static_cast<uint8_t>(port);
  e.router = static_cast<uint16_t>(router);
  events.push_back(e);
}

void TorusHistory::kill(uint32_t cycle, const torus::Faults& faults) {
  plane_.fail(faults);
  for (const int n : faults.nodes) {
    if (dead[static_cast<size_t>(n)] != kNever) continue;
    dead[static_cast<size_t>(n)] = cycle;
    if (cycle != 0) {
      FaultEvent e;
      e.cycle = cycle;
      e.kind = FaultEvent::Kind::router;
      e.router = static_cast<uint16_t>(n);
      events.push_back(e);
    }
    for (int p = 0; p < kPorts; ++p) {
      take_down(cycle, n, p);
      if (p != kNodePort) take_down(cycle, torus_.neighbour(n, p), Torus::opposite(p));
    }
  }
  for (const torus::Link& l : faults.links) {
    take_down(cycle, l.node, 2 * l.dimension);
    take_down(cycle, torus_.neighbour(l.node, 2 * l.dimension), 2 * l.dimension + 1);
  }
}

/// Edges of the units in cycles from `cycle` on, until nothing changes or the next fault comes; what an edge writes is
/// there in the next cycle.
void TorusHistory::spread(uint32_t cycle, uint32_t until) {
  std::vector<TorusView> known;
  for (int n = 0; n < torus_.nodes(); ++n) known.push_back(view(n));
  for (bool moves = true; moves && cycle != until;) {
    plane_.step();
    ++cycle;
    moves = false;
    for (int n = 0; n < torus_.nodes(); ++n) {
      if (plane_.dead(n)) continue;
      moves = moves || std::max({plane_.last_mark(n), plane_.last_wall(n), plane_.last_side(n)}) == plane_.cycle();
      if (plane_.region(n).bad) take_down(cycle, n, kNodePort);
      const TorusView now = view(n), before = std::exchange(known[static_cast<size_t>(n)], now);
      const bool same = same_but_sides(now, before), same_sides = now.sides == before.sides;
      if (same && same_sides) continue;
      changes.push_back({cycle, n, now});
      if (!same) last_view_change = cycle;
      if (!same_sides) last_side_change = cycle;
    }
  }
}

}  // namespace odonata::network
