// SPDX-License-Identifier: Apache-2.0
#include "models/torus/route.h"

#include "models/common/error.h"

namespace odonata::torus {

Ground ground_of(const FaultMap& map) {
  const Torus& t = map.torus();
  if (t.dimensions() != 2) throw Error("torus " + t.name() + ": the fault-tolerant routings have two dimensions");
  return {{map.wall(0), map.wall(1)}, {static_cast<uint8_t>(t.radix(0)), static_cast<uint8_t>(t.radix(1))}};
}

Answer route(Variant variant, const Ground& ground, const Ask& ask) {
  return with_variant(variant, [&]<Variant V>() { return route<V>(ground, ask); });
}

void route_all(Variant variant, const Ground& ground, const Ask* asks, Answer* answers, size_t count) {
  with_variant(variant, [=, g = ground]<Variant V>() {
    for (size_t i = 0; i < count; ++i) answers[i] = route<V>(g, asks[i]);
  });
}

}  // namespace odonata::torus
