// SPDX-License-Identifier: Apache-2.0
// Speed of the golden decisions at full size; the targets are 50 million a second at a leaf and 20 million at a root on
// one core.
#include <benchmark/benchmark.h>

#include <vector>

#include "models/common/lfsr.h"
#include "models/common/random.h"
#include "models/vtftr/knowledge.h"

namespace odonata::vtftr {
namespace {

constexpr size_t kAsks = 4096;
const FatTree kFull = FatTree::named("full");

FaultSet some_faults() { return FaultSet(kFull, std::vector<LeafId>{{3, 5}, {10, 5}, {40, 41}, {71, 0}, {12, 60}}); }

void BM_Leaf(benchmark::State& state) {
  Random random(1);
  const Knowledge known(some_faults());
  const LeafTables tables = known.leaf(20, 5);
  const LeafConfig own{20, 5, 72, 72, 24, true};
  std::vector<LeafRequest> asks(kAsks);
  for (LeafRequest& q : asks)
    q = {static_cast<int>(random.below(72)), static_cast<int>(random.below(72)), static_cast<int>(random.below(24)),
         static_cast<From>(random.below(3)), static_cast<int>(random.below(2))};
  int64_t sum = 0;
  for (auto _ : state)
    for (const LeafRequest& q : asks) sum += decide_leaf(own, tables, q).dimension;
  benchmark::DoNotOptimize(sum);
  state.counters["decisions/s"] =
      benchmark::Counter(static_cast<double>(state.iterations() * kAsks), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_Leaf);

/// Argument: of 16 packets so many are for a dead leaf of the line, and are misrouted.
void BM_Root(benchmark::State& state) {
  Random random(2);
  const FaultSet faults = some_faults();
  const RootTables tables{dead_links(faults, kRow, 5), Knowledge(faults).mask(kRow)};
  const RootConfig own{kRow, 5, 72, 72, {}};
  std::vector<RootRequest> asks(kAsks);
  for (RootRequest& q : asks) {
    const bool misrouted = random.below(16) < static_cast<uint32_t>(state.range(0));
    q = {misrouted ? 3 : static_cast<int>(random.below(72)), 20, static_cast<int>(20 + random.below(20)), 0};
  }
  uint16_t lfsr = 1;
  int64_t sum = 0;
  for (auto _ : state) {
    for (const RootRequest& q : asks) {
      sum += decide_root(own, tables, q, lfsr).port;
      lfsr = lfsr_next(lfsr);
    }
  }
  benchmark::DoNotOptimize(sum);
  state.counters["decisions/s"] =
      benchmark::Counter(static_cast<double>(state.iterations() * kAsks), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_Root)->Arg(0)->Arg(4)->Arg(16);

}  // namespace
}  // namespace odonata::vtftr

BENCHMARK_MAIN();
