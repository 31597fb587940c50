// SPDX-License-Identifier: Apache-2.0
#include "models/torus/fault_map.h"

#include <algorithm>
#include <bit>
#include <string>
#include <tuple>

#include "models/common/error.h"
#include "models/common/split.h"

namespace odonata::torus {
namespace {

/// "2,2,x+"
Link parse_link(const Torus& torus, std::string_view text) {
  const size_t comma = std::min(text.rfind(','), text.size());
  const std::string_view name = text.substr(std::min(comma + 1, text.size()));
  for (int port = 0; port < torus.ports(); ++port) {
    if (name != Torus::port_name(port)) continue;
    const int node = torus.parse_node(text.substr(0, comma));
    return {port & 1 ? torus.neighbour(node, port) : node, port / 2};
  }
  throw Error("link \"" + std::string(text) + "\" of torus " + torus.name() +
              ": expected a node and one of its ports, such as 2,2,x+");
}

/// Consecutive ones of a coordinate map, cyclically: where they begin and how many.
std::pair<int, int> arc(uint64_t used, int radix) {
  const int length = std::popcount(used);
  if (length == radix) return {0, radix};
  const uint64_t before = (used << 1) | (used >> (radix - 1) & 1);
  return {std::countr_zero(used & ~before), length};
}

}  // namespace

Faults parse_faults(const Torus& torus, std::string_view text) {
  Faults faults;
  for (const std::string_view part : split(text, ';')) {
    if (part.starts_with("node:")) {
      faults.nodes.push_back(torus.parse_node(part.substr(5)));
    } else if (part.starts_with("link:")) {
      faults.links.push_back(parse_link(torus, part.substr(5)));
    } else {
      throw Error("fault \"" + std::string(part) + "\" is not of the form node:3,5 or link:2,2,x+");
    }
  }
  return faults;
}

FaultMap::FaultMap(const Torus& torus, Rule rule, const Faults& faults)
    : torus_(torus),
      rule_(rule),
      marked_in_round_(static_cast<size_t>(torus.nodes()), kHealthy),
      blocked_(static_cast<size_t>(torus.nodes())),
      num_healthy_(torus.nodes()) {
  mark(faults);
  find_walls();
  if (torus.dimensions() == 2) find_sides();
}

void FaultMap::mark(const Faults& faults) {
  for (const Link& l : faults.links) {
    blocked_[static_cast<size_t>(l.node)] |= static_cast<uint8_t>(1 << 2 * l.dimension);
    blocked_[static_cast<size_t>(torus_.neighbour(l.node, 2 * l.dimension))] |=
        static_cast<uint8_t>(2 << 2 * l.dimension);
  }
  std::vector<int> marked, next = faults.nodes;  // of this round and of the one to come
  for (int round = 0; round == 0 || !next.empty(); ++round) {
    marked.clear();
    for (const int n : next) {
      if (!healthy(n)) continue;  // named twice
      marked_in_round_[static_cast<size_t>(n)] = static_cast<int16_t>(round);
      rounds_ = round;
      marked.push_back(n);
    }
    num_healthy_ -= static_cast<int>(marked.size());
    next.clear();
    for (const int n : marked) {
      for (int p = 0; p < torus_.ports(); ++p) {
        const int m = torus_.neighbour(n, p);
        blocked_[static_cast<size_t>(m)] |= static_cast<uint8_t>(1 << Torus::opposite(p));
        next.push_back(m);
      }
    }
    if (round == 0)  // links alone can mark, too
      for (const Link& l : faults.links) next.insert(next.end(), {l.node, torus_.neighbour(l.node, 2 * l.dimension)});
    std::erase_if(next, [&](int n) { return !healthy(n) || !marks(rule_, blocked(n)); });
  }
}

void FaultMap::find_walls() {
  for (int d = 0; d < torus_.dimensions(); ++d) {
    uint64_t open = 0;
    for (int n = 0; n < torus_.nodes(); ++n)
      if (healthy(n) && !(blocked(n) >> (2 * d) & 1)) open |= 1ull << torus_.coordinate(n, d);
    const uint64_t ring = torus_.radix(d) == 64 ? ~0ull : (1ull << torus_.radix(d)) - 1;
    wall_[static_cast<size_t>(d)] = ring & ~open;
  }
}

bool FaultMap::parted(int from, int to) const {
  for (int d = 0; d < torus_.dimensions(); ++d) {
    const int a = torus_.coordinate(from, d), b = torus_.coordinate(to, d);
    const uint64_t plus_way = plus_way_of(static_cast<uint64_t>(a), static_cast<uint64_t>(b));
    if (a != b && (wall(d) & plus_way) && (wall(d) & ~plus_way)) return true;
  }
  return false;
}

int FaultMap::span(int node, int port, bool minus) const {
  const int across = 2 * (1 - port / 2) + minus, ring = torus_.radix(across / 2);
  int length = 0;
  for (; length < ring && blocked(node) >> port & 1; ++length) node = torus_.neighbour(node, across);
  return length;
}

void FaultMap::find_sides() {
  sides_.resize(blocked_.size());
  for (int n = 0; n < torus_.nodes(); ++n)
    for (unsigned ports = blocked(n); ports != 0; ports &= ports - 1) {
      const int p = std::countr_zero(ports), plus = span(n, p, false), minus = span(n, p, true);
      if (plus != minus) sides_[static_cast<size_t>(n)] |= static_cast<uint8_t>(1 << (plus < minus ? p : 4 + p));
    }
}

std::vector<Region> FaultMap::regions() const {
  std::vector<Region> out;
  std::vector<bool> seen(blocked_.size());
  for (int start = 0; start < torus_.nodes(); ++start) {
    if (healthy(start) || seen[static_cast<size_t>(start)]) continue;
    std::array<uint64_t, Torus::kMaxDimensions> used{};
    std::vector<int> members{start};
    seen[static_cast<size_t>(start)] = true;
    for (size_t at = 0; at < members.size(); ++at) {
      for (int d = 0; d < torus_.dimensions(); ++d)
        used[static_cast<size_t>(d)] |= 1ull << torus_.coordinate(members[at], d);
      for (int p = 0; p < torus_.ports(); ++p) {
        const int m = torus_.neighbour(members[at], p);
        if (healthy(m) || seen[static_cast<size_t>(m)]) continue;
        seen[static_cast<size_t>(m)] = true;
        members.push_back(m);
      }
    }
    Region r{{}, {1, 1, 1}, static_cast<int>(members.size())};
    for (size_t d = 0; d < static_cast<size_t>(torus_.dimensions()); ++d)
      std::tie(r.first[d], r.extent[d]) = arc(used[d], torus_.radix(static_cast<int>(d)));
    out.push_back(r);
  }
  return out;
}

void for_each_closed_set(const Torus& torus, Rule rule, const std::function<void(uint32_t)>& visit) {
  const int n = torus.nodes(), kx = torus.radix(0);
  if (torus.dimensions() != 2 || n > 30)
    throw Error("torus " + torus.name() + ": all fault sets are possible for 2 dimensions and at most 30 nodes");
  const uint32_t all = (1u << n) - 1;
  uint32_t first = 0;  // column 0
  for (int y = 0; y < torus.radix(1); ++y) first |= 1u << (y * kx);
  const uint32_t last = first << (kx - 1);
  for (uint32_t set = 0; set <= all; ++set) {
    // Bit n of each word: the neighbour of node n at that port is in the set.
    const uint32_t xp = (set & ~first) >> 1 | (set & first) << (kx - 1),
                   xm = (set & ~last) << 1 | (set & last) >> (kx - 1);
    const uint32_t yp = set >> kx | set << (n - kx), ym = set << kx | set >> (n - kx);
    const uint32_t x = xp | xm, y = yp | ym;
    const uint32_t marked = rule == Rule::kDim ? x & y : (xp & xm) | (yp & ym) | (x & y);
    if ((marked & ~set & all) == 0) visit(set);
  }
}

Faults node_faults(uint32_t set) {
  Faults faults;
  for (; set != 0; set &= set - 1) faults.nodes.push_back(std::countr_zero(set));
  return faults;
}

}  // namespace odonata::torus
