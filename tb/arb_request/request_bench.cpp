// SPDX-License-Identifier: Apache-2.0
// Speed of the golden request logic (target: 100 million evaluations a second on one core for n = 3), of the cycle
// model, and of the deadlock search (target: 1 million configurations a second).
#include <benchmark/benchmark.h>

#include <vector>

#include "models/arb_request/deadlock.h"
#include "models/arb_request/golden_device.h"
#include "models/common/random.h"

namespace odonata::arb_request {
namespace {

std::vector<Query> random_queries(int n) {
  Random random(1);
  std::vector<Query> queries(4096);
  for (Query& q : queries) {
    for (int d = 0; d < n; ++d) {
      set_lane(q.at, d, static_cast<uint8_t>(random.below(8)));
      set_lane(q.dest, d, static_cast<uint8_t>(random.below(8)));
      set_lane(q.credit_plus, d, static_cast<uint8_t>(random.below(5)));
      set_lane(q.credit_minus, d, static_cast<uint8_t>(random.below(5)));
    }
  }
  return queries;
}

/// One at a time, each result used.
void BM_Evaluate(benchmark::State& state) {
  const auto queries = random_queries(static_cast<int>(state.range(0)));
  for (auto _ : state)
    for (const Query& q : queries) {
      Requests r = evaluate(q, Scheme::kD2ra);
      benchmark::DoNotOptimize(r);
    }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(queries.size()));
}
BENCHMARK(BM_Evaluate)->Arg(3)->Arg(8);

/// Many at once.
void BM_EvaluateAll(benchmark::State& state) {
  const auto queries = random_queries(static_cast<int>(state.range(0)));
  std::vector<Requests> answers(queries.size());
  for (auto _ : state) {
    evaluate_all(queries.data(), answers.data(), queries.size(), Scheme::kD2ra);
    benchmark::DoNotOptimize(answers.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(queries.size()));
}
BENCHMARK(BM_EvaluateAll)->Arg(3)->Arg(8);

void BM_InputPortCycle(benchmark::State& state) {
  InputPort port({3, 8, 8, 4, 2});
  PortInputs pins;
  pins.credit_plus = pins.credit_minus = 0x0203010203010203;
  pins.in_valid = pins.grant = true;
  const auto queries = random_queries(3);
  size_t i = 0;
  for (auto _ : state) {
    pins.in_dest = queries[i++ & 4095].dest;
    port.step(pins);
    benchmark::DoNotOptimize(port.out());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_InputPortCycle);

void BM_DeadlockSearch(benchmark::State& state) {
  const Mesh mesh = Mesh::parse("3x3");
  SearchOptions options;
  options.slots = 2;
  options.packets = 4;
  uint64_t states = 0;
  for (auto _ : state) states += search(mesh, options).states;
  state.SetItemsProcessed(static_cast<int64_t>(states));
}
BENCHMARK(BM_DeadlockSearch)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace odonata::arb_request

BENCHMARK_MAIN();
