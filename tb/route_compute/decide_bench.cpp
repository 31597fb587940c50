// SPDX-License-Identifier: Apache-2.0
// Speed of the golden model at full size: decide() and the cycle model, with configured tables and congestion of
// several densities. The target for decide() is 12 million decisions a second on one core, that is 83 ns.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "models/common/random.h"
#include "models/route_compute/explain.h"
#include "models/route_compute/path.h"
#include "models/route_compute/unit.h"

namespace odonata::route_compute {
namespace {

constexpr int kSamples = 1 << 12;  // pre-generated, so that the loop measures the decision and not the random numbers

Congestion random_congestion(const Dragonfly& d, int percent, Random& random) {
  Congestion c;
  for (int k = 0; k < d.num_ports(); ++k)
    c.local |= static_cast<uint64_t>(random.below(100) < static_cast<uint32_t>(percent)) << k;
  for (int j = 0; j < d.group_ports(); ++j) {
    if (random.below(100) < static_cast<uint32_t>(percent)) c.global.set(j);
  }
  return c;
}

struct Sample {
  Request request;
  Decoded decoded;
  Entries entries;
  uint16_t lfsr;
};

/// Requests of one router at one port of a class.
struct Samples {
  Samples(PortClass port_class, bool other_group, bool absolute)
      : d({16, 32, 16, 512}, absolute ? Arrangement::absolute : Arrangement::direct), network(d) {
    Random random(11);
    const int port = port_class == PortClass::node    ? 0
                     : port_class == PortClass::local ? d.first_local() + 3
                                                      : d.first_global() + 3;
    config = &network.config(own, port);
    while (all.size() < kSamples) {
      const Address to{other_group ? static_cast<int>(random.below(d.g())) : own.gid,
                       static_cast<int>(random.below(d.a())), static_cast<int>(random.below(d.p()))};
      const Request request{to, own.gid, 0};
      const Decoded decoded = decode(*config, request);
      if (other_group != (decoded.zone == table::Zone::global)) continue;
      all.push_back(
          {request, decoded, network.entries(own, port, decoded), static_cast<uint16_t>(random.below(65535) + 1)});
    }
  }
  Dragonfly d;
  NetworkTables network;
  RouterId own{100, 13};
  const UnitConfig* config = nullptr;
  std::vector<Sample> all;
};

std::vector<Congestion> many_congestions(const Dragonfly& d, int percent) {
  Random random(7);
  std::vector<Congestion> out;
  for (int k = 0; k < 512; ++k) out.push_back(random_congestion(d, percent, random));
  return out;
}

void report_rate(benchmark::State& state) {
  state.counters["decisions/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void decide_samples(benchmark::State& state, const Samples& samples) {
  const std::vector<Congestion> congestion = many_congestions(samples.d, static_cast<int>(state.range(0)));
  size_t k = 0;
  for (auto _ : state) {
    const Sample& s = samples.all[k % kSamples];
    benchmark::DoNotOptimize(decide(*samples.config, s.request, s.decoded, s.entries, congestion[k * 7 % 512], s.lfsr));
    ++k;
  }
  report_rate(state);
}

void BM_DecideRta(benchmark::State& state) { decide_samples(state, Samples(PortClass::node, true, false)); }
void BM_DecideRtaAbsolute(benchmark::State& state) { decide_samples(state, Samples(PortClass::node, true, true)); }
void BM_DecideRtb(benchmark::State& state) { decide_samples(state, Samples(PortClass::local, true, false)); }
BENCHMARK(BM_DecideRta)->ArgName("congested%")->Arg(0)->Arg(5)->Arg(50)->Arg(90)->Arg(100);
BENCHMARK(BM_DecideRtaAbsolute)->ArgName("congested%")->Arg(0)->Arg(5)->Arg(50)->Arg(90)->Arg(100);
BENCHMARK(BM_DecideRtb)->ArgName("congested%")->Arg(5)->Arg(90);

/// Unit by unit over 512-bit maps, for comparison.
void BM_Stages(benchmark::State& state) {
  const Samples samples(PortClass::node, true, false);
  const std::vector<Congestion> congestion = many_congestions(samples.d, 50);
  size_t k = 0;
  for (auto _ : state) {
    const Sample& s = samples.all[k % kSamples];
    const Congestion& c = congestion[k * 7 % 512];
    benchmark::DoNotOptimize(stage4_rta(*samples.config, stage3_rta(*samples.config, s.request.dest, s.entries, c),
                                        c.local, s.request.vc, s.lfsr));
    ++k;
  }
  report_rate(state);
}
BENCHMARK(BM_Stages);

/// The cycle model with a request in every cycle.
void BM_UnitStep(benchmark::State& state) {
  const Samples samples(PortClass::node, true, false);
  const std::vector<Congestion> congestion = many_congestions(samples.d, static_cast<int>(state.range(0)));
  Unit unit(samples.d);
  const table::PortTables tables = table::configure(samples.d, samples.own, 0);
  for (const RegisterWrite& w : configuration_writes(samples.d, samples.own, 0, tables, 1)) {
    UnitInputs in;
    in.cfg_valid = in.cfg_write = true;
    in.cfg_addr = static_cast<uint16_t>(w.address / 8);
    in.cfg_wdata = w.data;
    unit.step(in);
  }
  std::vector<UnitInputs> inputs(kSamples / 4);
  for (size_t k = 0; k < inputs.size(); ++k) {
    inputs[k].req_valid = true;
    inputs[k].req_dest = pack_address(samples.all[k].request.dest);
    inputs[k].req_src_gid = static_cast<uint16_t>(samples.own.gid);
    inputs[k].congestion = congestion[k % congestion.size()];
  }
  size_t k = 0;
  for (auto _ : state) {
    unit.step(inputs[k++ % inputs.size()]);
    benchmark::DoNotOptimize(unit.out());
  }
  report_rate(state);
}
BENCHMARK(BM_UnitStep)->ArgName("congested%")->Arg(5)->Arg(50)->Arg(90);

}  // namespace
}  // namespace odonata::route_compute

BENCHMARK_MAIN();
