// SPDX-License-Identifier: Apache-2.0
// What the lockstep of a congestion block costs beside the bare RTL: in plain C++ and under the SystemC kernel. Built once a block
// (CONGESTION_BLOCK), because SystemC has one elaboration a process. Prints a table; `--json FILE` writes the same. Never part of a test.
#include <cstring>
#include <memory>

#include "hw/common/lockstep_module.h"
#include "tb/bench/measurement.h"
#include "tb/congestion/stimulus.h"
#include "tb/harness/lockstep.h"
#include "tb/harness/trace_file.h"

namespace odonata::cosim {
namespace {

using namespace congestion;

// 0 credit_monitor, 1 bitmap_sender, 2 bitmap_collector, 3 congestion_plane (all of them, as a router has them).
#if CONGESTION_BLOCK == 0
using Block = CreditMonitorBlock;
GoldenMonitor make_golden(const Dragonfly&) { return GoldenMonitor(); }
MonitorLoad make_stimulus(const Dragonfly& d) { return MonitorLoad(d, 0.8, 1); }
#elif CONGESTION_BLOCK == 1
using Block = BitmapSenderBlock;
GoldenSender make_golden(const Dragonfly& d) { return GoldenSender(d); }
SenderLoad make_stimulus(const Dragonfly& d) { return SenderLoad(d, 0.8, 1); }
#elif CONGESTION_BLOCK == 2
using Block = BitmapCollectorBlock;
GoldenCollector make_golden(const Dragonfly& d) { return GoldenCollector(d); }
CollectorLoad make_stimulus(const Dragonfly& d) { return CollectorLoad(d, 0.8, 1); }
#else
using Block = CongestionPlaneBlock;
GoldenPlane make_golden(const Dragonfly& d) { return GoldenPlane(d); }
PlaneCorner make_stimulus(const Dragonfly& d) { return PlaneCorner(d, 1); }
#endif
using In = Block::Inputs;
using Out = Block::Outputs;
using Golden = Block::Reference;

/// Cycles recorded once; the first is a reset.
std::vector<In> record_stream(const Dragonfly& d, size_t cycles) {
  auto stimulus = make_stimulus(d);
  Golden reference = make_golden(d);
  std::vector<In> out;
  In in{};
  Out last{};
  while (out.size() < cycles && stimulus.next(last, in)) {
    if (out.empty()) in.reset = true;
    out.push_back(in);
    reference.step(in, last);
  }
  return out;
}

/// Cycles an activation by the kernel: a notification costs as much as a whole cycle of these small blocks.
constexpr unsigned kQuantum = 16;

int run(int argc, char** argv) {
  const Dragonfly d = Dragonfly::named("full");
  const auto stream = record_stream(d, 8192);
  constexpr int kTimes = CONGESTION_BLOCK < 2 ? 64 : 4;
  const auto bare = [&](CycleDevice<In, Out>& device) {
    Loop<In, Out> loop(stream, kTimes);
    In in;
    Out out{};
    uint64_t cycles = 0;
    for (; loop.next(out, in); ++cycles) device.step(in, out);
    return cycles;
  };
  auto rtl = make_rtl<Block>(d), rtl_lockstep = make_rtl<Block>(d), rtl_kernel = make_rtl<Block>(d);
  Golden golden = make_golden(d), golden_lockstep = make_golden(d), golden_kernel = make_golden(d);
  // Elaborated once: SystemC has one elaboration a process. Each round lets the kernel run for so many clock periods.
  Loop<In, Out> endless(stream, 1 << 20);
  hw::LockstepModule<In, Out, Loop<In, Out>, Golden> kernel("lockstep", endless, golden_kernel, *rtl_kernel,
                                                            {.quantum = kQuantum, .transaction = Block::transaction});
  std::vector<Measurement> all;
  all.push_back({"golden", [&] { return bare(golden); }});
  all.push_back({"bare Verilated RTL", [&] { return bare(*rtl); }});
  all.push_back({"lockstep, plain C++", [&] {
                   Loop<In, Out> loop(stream, kTimes);
                   const RunResult r = run_lockstep<Block>(loop, golden_lockstep, *rtl_lockstep);
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
  fmt::print("{}, {}, {} cycles a round, median of {} rounds, user time; {} cycles an activation by the kernel\n\n", Block::kName, d.name(),
             stream.size() * kTimes, kRounds, kQuantum);
  const std::string json = show(all, 1);
  if (argc == 3 && std::strcmp(argv[1], "--json") == 0) write_file(argv[2], json);
  return 0;
}

}  // namespace
}  // namespace odonata::cosim

int main(int argc, char** argv) { return odonata::cosim::run(argc, argv); }

int sc_main(int, char**) { return 1; }  // libsystemc refers to it; never called
