// SPDX-License-Identifier: Apache-2.0
// Speed of route compute at full size, as ratios measured in one run, in user time: golden decision, golden unit, bare Verilated RTL,
// lockstep in plain C++, lockstep under the SystemC kernel. Prints a table; `--json FILE` writes the same. Never part of a test.
#include <cstring>

#include "hw/common/lockstep_module.h"
#include "tb/bench/measurement.h"
#include "tb/harness/lockstep.h"
#include "tb/harness/trace_file.h"
#include "tb/route_compute/block.h"
#include "tb/route_compute/stimulus.h"

namespace odonata::cosim {
namespace {

using route_compute::GoldenDevice;
using route_compute::UnitInputs;
using route_compute::UnitOutputs;

/// A stream under load, recorded once, so that every measurement drives the same cycles and none pays for making them.
std::vector<UnitInputs> record_stream(const Dragonfly& d, size_t cycles) {
  TrafficOptions options;
  options.load = 0.8;
  TrafficStimulus stimulus(d, options);
  GoldenDevice reference(d);
  std::vector<UnitInputs> out;
  UnitInputs in;
  UnitOutputs last{};
  while (out.size() < cycles && stimulus.next(last, in)) {
    out.push_back(in);
    reference.step(in, last);
  }
  return out;
}

int run(int argc, char** argv) {
  const Dragonfly d = Dragonfly::named("full");
  const auto stream = record_stream(d, 16384);
  constexpr int kTimes = 16;
  using Loop = Loop<UnitInputs, UnitOutputs>;
  const auto bare = [&](CycleDevice<UnitInputs, UnitOutputs>& device) {
    Loop loop(stream, kTimes);
    UnitInputs in;
    UnitOutputs out{};
    uint64_t cycles = 0;
    for (; loop.next(out, in); ++cycles) device.step(in, out);
    return cycles;
  };
  auto rtl = make_rtl<RouteComputeBlock>(d), rtl_lockstep = make_rtl<RouteComputeBlock>(d);
  GoldenDevice golden(d), golden_lockstep(d);
  // Elaborated once: SystemC has one elaboration a process. Each round lets the kernel run for so many clock periods.
  auto rtl_kernel = make_rtl<RouteComputeBlock>(d);
  GoldenDevice golden_kernel(d);
  Loop endless(stream, 1 << 20);
  hw::LockstepModule<UnitInputs, UnitOutputs, Loop, GoldenDevice> kernel("lockstep", endless, golden_kernel, *rtl_kernel,
                                                                         {.transaction = RouteComputeBlock::transaction});
  std::vector<Measurement> all;
  all.push_back({"golden unit", [&] { return bare(golden); }});
  all.push_back({"bare Verilated RTL", [&] { return bare(*rtl); }});
  all.push_back({"lockstep, plain C++", [&] {
                   Loop loop(stream, kTimes);
                   const RunResult r = run_lockstep<RouteComputeBlock>(loop, golden_lockstep, *rtl_lockstep);
                   if (!r.passed()) fmt::print(stderr, "the lockstep failed\n");
                   return r.cycles;
                 }});
  all.push_back({"lockstep, SystemC kernel", [&] {
                   const uint64_t before = kernel.cycles();
                   sc_core::sc_start(sc_core::sc_time(static_cast<double>(stream.size() * kTimes), sc_core::SC_NS));
                   if (!kernel.passed()) fmt::print(stderr, "the lockstep failed\n");
                   return kernel.cycles() - before;
                 }});
  measure(all);
  fmt::print("route compute, {}, {} cycles a round, median of {} rounds, user time\n\n", d.name(), stream.size() * kTimes, kRounds);
  const std::string json = show(all, 1);
  if (argc == 3 && std::strcmp(argv[1], "--json") == 0) write_file(argv[2], json);
  return 0;
}

}  // namespace
}  // namespace odonata::cosim

int main(int argc, char** argv) { return odonata::cosim::run(argc, argv); }

int sc_main(int, char**) { return 1; }  // libsystemc refers to it; never called
