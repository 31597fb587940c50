// SPDX-License-Identifier: Apache-2.0
// Speed of the route function at the big size; the target is 100 million decisions a second on one core.
#include <benchmark/benchmark.h>

#include <vector>

#include "models/common/random.h"
#include "models/torus/dependency.h"

namespace odonata::torus {
namespace {

FaultMap big_map() {
  const Torus t = Torus::parse("big");
  return FaultMap(t, Rule::kDim,
                  parse_faults(t, "node:3,5;node:7,9;node:20,20;node:21,21;node:22,3;link:1,1,x+;link:9,30,y+"));
}

/// Questions at random nodes for random destinations with random headers.
std::vector<Ask> questions(const FaultMap& map, size_t count) {
  Random random(3);
  const Torus& t = map.torus();
  std::vector<Ask> asks(count);
  for (Ask& a : asks) {
    const int at = static_cast<int>(random.below(static_cast<uint32_t>(t.nodes())));
    for (int d = 0; d < 2; ++d) {
      a.at[d] = static_cast<uint8_t>(t.coordinate(at, d));
      a.dest[d] = static_cast<uint8_t>(random.below(static_cast<uint32_t>(t.radix(d))));
    }
    a.header = static_cast<uint8_t>(random.below(16));
    a.blocked = map.blocked(at);
    a.sides = map.sides(at);
    a.fresh = random.chance(0.2);
  }
  return asks;
}

void BM_RouteAll(benchmark::State& state) {
  const FaultMap map = big_map();
  const std::vector<Ask> asks = questions(map, 4096);
  std::vector<Answer> answers(asks.size());
  const Ground ground = ground_of(map);
  const Variant variant = static_cast<Variant>(state.range(0));
  for (auto _ : state) {
    route_all(variant, ground, asks.data(), answers.data(), asks.size());
    benchmark::ClobberMemory();
  }
  state.SetLabel(std::string(name_of(variant)));
  state.counters["decisions/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * 4096, benchmark::Counter::kIsRate);
}
BENCHMARK(BM_RouteAll)->DenseRange(0, kNumVariants - 1);

/// All pairs of the torus, hop by hop, with the dependency graph.
void BM_AllRoutes(benchmark::State& state) {
  const FaultMap map = big_map();
  WaitGraph graph(map.torus());
  int64_t links = 0;
  for (auto _ : state) {
    graph.clear();
    links += add_routes(map, Variant::kSafe6Ring, graph).links;
  }
  state.counters["hops/s"] = benchmark::Counter(static_cast<double>(links), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_AllRoutes)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace odonata::torus

BENCHMARK_MAIN();
