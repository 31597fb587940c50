// SPDX-License-Identifier: Apache-2.0
// Speed of the engine on meshes: 3 VCs, load 0.3, uniform; cycles and flit-hops a second of processor time (BookSim2 on
// such a machine: about 4,500 cycles a second on 8x8 and 5,000 on 4x4x4).
#include <benchmark/benchmark.h>

#include "models/arb_request/mesh.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/mesh.h"

namespace odonata::network {
namespace {

void run(benchmark::State& state, const char* mesh, const char* routing, int flits) {
  Config c = on_mesh(arb_request::Mesh::parse(mesh));
  c.router.lengths = {flits};
  c.routing = routing;
  c.load = 0.3;
  c.warmup = 0;
  c.sample = 1'000'000'000;
  const auto simulation = make_simulation(c);
  while (simulation->now() < 5000) simulation->advance();
  const uint64_t from = simulation->now(), hops = simulation->result().flit_hops;
  for (auto _ : state) simulation->advance();
  const auto rate = benchmark::Counter::kIsRate;
  state.counters["cycles"] = benchmark::Counter(static_cast<double>(simulation->now() - from), rate);
  state.counters["flit_hops"] = benchmark::Counter(static_cast<double>(simulation->result().flit_hops - hops), rate);
}

BENCHMARK_CAPTURE(run, mesh_8x8_dor_1_flit, "8x8", "dor", 1);
BENCHMARK_CAPTURE(run, mesh_8x8_duato_1_flit, "8x8", "duato", 1);
BENCHMARK_CAPTURE(run, mesh_8x8_d2ra_5_flits, "8x8", "d2ra", 5);
BENCHMARK_CAPTURE(run, mesh_4x4x4_dor_1_flit, "4x4x4", "dor", 1);
BENCHMARK_CAPTURE(run, mesh_4x4x4_d2ra_1_flit, "4x4x4", "d2ra", 1);
BENCHMARK_CAPTURE(run, mesh_4x4x4_d2ra_5_flits, "4x4x4", "d2ra", 5);

}  // namespace
}  // namespace odonata::network

BENCHMARK_MAIN();
