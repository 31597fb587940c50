// SPDX-License-Identifier: Apache-2.0
// What the tests of the torus share: families of fault sets, and the two worlds side by side.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/common/random.h"
#include "models/torus/dependency.h"
#include "tb/torus/oracle.h"

namespace odonata::torus::tests {

/// A map with the faults of a text, "" = none.
inline FaultMap map_of(const std::string& torus, const std::string& faults, Rule rule = Rule::kAny) {
  const Torus t = Torus::parse(torus);
  return FaultMap(t, rule, faults.empty() ? Faults{} : parse_faults(t, faults));
}

/// The same faults for the oracle, closed there by its own rule.
inline oracle::World world_of(const Torus& t, Rule rule, const Faults& faults) {
  oracle::World w;
  w.kx = t.radix(0);
  w.ky = t.radix(1);
  w.dim_rule = rule == Rule::kDim;
  for (const int n : faults.nodes) w.disabled.insert({n % w.kx, n / w.kx});
  for (const Link& l : faults.links) w.dead_links.insert({{l.node % w.kx, l.node / w.kx}, "xy"[l.dimension]});
  w.close();
  return w;
}

/// The faults of `count` different random nodes.
inline Faults random_nodes(const Torus& t, int count, Random& random) {
  Faults f;
  while (static_cast<int>(f.nodes.size()) < count) {
    const int n = static_cast<int>(random.below(static_cast<uint32_t>(t.nodes())));
    if (std::find(f.nodes.begin(), f.nodes.end(), n) == f.nodes.end()) f.nodes.push_back(n);
  }
  return f;
}

/// Thing number i of a torus of two dimensions: its nodes, then its links.
inline void add_thing(const Torus& t, int i, Faults& f) {
  if (i < t.nodes()) {
    f.nodes.push_back(i);
  } else {
    f.links.push_back({(i - t.nodes()) / 2, (i - t.nodes()) % 2});
  }
}
/// No fault, every single one, every pair of nodes and links.
inline void for_each_single_and_double(const Torus& t, const std::function<void(const Faults&)>& visit) {
  const int things = 3 * t.nodes();
  visit({});
  for (int a = 0; a < things; ++a) {
    Faults one;
    add_thing(t, a, one);
    visit(one);
    for (int b = a + 1; b < things; ++b) {
      Faults two = one;
      add_thing(t, b, two);
      visit(two);
    }
  }
}

/// A path in the words of the oracle.
inline oracle::Way in_words(const FaultMap& map, Variant variant, int from, int to) {
  const Path path = find_path(map, variant, from, to);
  oracle::Way way{std::string(name_of(path.outcome)), {}};
  for (const Hop& h : path.hops)
    way.steps.push_back(
        {{map.torus().coordinate(h.node, 0), map.torus().coordinate(h.node, 1)}, directed_channel_name(h.port, h.vc)});
  return way;
}

inline oracle::Rules rules_of(Variant v) {
  return {v == Variant::kRing6, v == Variant::kSafe4 || v == Variant::kSafe4Ring,
          v == Variant::kSafe6Ring || v == Variant::kSafe4Ring, v == Variant::kSafe6Short};
}
inline oracle::Way oracle_way(const oracle::World& w, Variant v, oracle::Point from, oracle::Point to) {
  return v == Variant::kPrinted ? oracle::printed(w, from, to) : oracle::safe(w, rules_of(v), from, to);
}
inline constexpr Variant kWithOracle[] = {Variant::kPrinted,   Variant::kRing6,      Variant::kSafe6,
                                          Variant::kSafe6Ring, Variant::kSafe6Short, Variant::kSafe4,
                                          Variant::kSafe4Ring};

}  // namespace odonata::torus::tests
