// SPDX-License-Identifier: Apache-2.0
#include "models/torus/path.h"

#include <array>

#include "models/common/error.h"

namespace odonata::torus {

std::string_view name_of(Outcome outcome) {
  constexpr std::array<std::string_view, 5> kNames{"delivered", "dropped", "stuck", "livelock", "unreachable"};
  return kNames[static_cast<size_t>(outcome)];
}

Path find_path(const FaultMap& map, Variant variant, int from, int to) {
  if (!map.healthy(from)) throw Error("source " + map.torus().node_name(from) + " is disabled");
  const Ground ground = ground_of(map);
  Path path;
  path.outcome = with_variant(variant, [&]<Variant V>() {
    return walk<V>(map, ground, from, to, path.end, [&](const Hop& hop) { path.hops.push_back(hop); });
  });
  return path;
}

int rank(const Torus& torus, const Hop& hop) {
  const int dimension = hop.header & header::kDim ? 1 : 0, k = torus.radix(dimension);
  const bool minus = hop.header & header::kDir;
  const int c = torus.coordinate(hop.node, dimension), r = hop.vc / 3;
  const int position = minus ? k - 1 - c : c, stage = minus ? r : 1 - r;
  const bool main = hop.vc % 3 == 0;
  // Phase x: a detour comes before the main channel of its column. Phase y: home, then out, then on.
  const int kind = main ? 2 : dimension == 0 || !(hop.header & header::kBack) ? 1 : 0;
  return ((2 * dimension + stage) * Torus::kMaxRadix + position) * 3 + kind;
}

}  // namespace odonata::torus
