// SPDX-License-Identifier: Apache-2.0
// What the lockstep of a part of the fault plane costs beside the bare RTL: in plain C++ and under the SystemC kernel. Built once a part
// (FAULT_BLOCK), because SystemC has one elaboration a process. Prints a table; `--json FILE` writes the same. Never part of a test.
#include <cstring>
#include <memory>

#include "hw/common/lockstep_module.h"
#include "tb/bench/measurement.h"
#include "tb/fault/port_block.h"
#include "tb/fault/router_block.h"
#include "tb/fault/scheduler_block.h"
#include "tb/harness/lockstep.h"
#include "tb/harness/trace_file.h"

namespace odonata::cosim {
namespace {

using namespace fault;

// Cycles an activation of the kernel: an activation costs as much as a cycle of the small scheduler.
constexpr unsigned kQuantum = FAULT_BLOCK == 1 ? 16 : 1;

// 0 fault_port (full), 1 fault_scheduler (full), 2 fault_router (tiny, 7 port units).
#if FAULT_BLOCK == 0
using Block = FaultPortBlock;
constexpr const char* kSize = "full";
auto make_rtl(const Dragonfly& d) { return make_rtl<FaultPortBlock>(d); }
PortUnit make_golden(const Dragonfly& d) { return PortUnit(d); }
PortStimulus make_stimulus(const Dragonfly& d) { return PortStimulus(d, 1); }
#elif FAULT_BLOCK == 1
using Block = FaultSchedulerBlock;
constexpr const char* kSize = "full";
auto make_rtl(const Dragonfly& d) { return make_rtl<FaultSchedulerBlock>(d); }
SchedulerUnit make_golden(const Dragonfly& d) { return SchedulerUnit(d, scheduler_config(d)); }
SchedulerStimulus make_stimulus(const Dragonfly& d) { return SchedulerStimulus(d, 1); }
#else
using Block = FaultRouterBlock;
constexpr const char* kSize = "tiny";
auto make_rtl(const Dragonfly& d) { return make_fault_router_rtl(d); }
RouterUnit make_golden(const Dragonfly& d) { return RouterUnit(d, router_config(d, RouterVariant::plain)); }
RouterStimulus make_stimulus(const Dragonfly& d) { return RouterStimulus(d, 1); }
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
    if (out.empty()) in.reset = 1;
    out.push_back(in);
    reference.step(in, last);
  }
  return out;
}

int run(int argc, char** argv) {
  const Dragonfly d = Dragonfly::named(kSize);
  const auto stream = record_stream(d, 16384);
  constexpr int kTimes = FAULT_BLOCK == 2 ? 2 : 8;
  const auto bare = [&](CycleDevice<In, Out>& device) {
    Loop<In, Out> loop(stream, kTimes);
    In in;
    Out out{};
    uint64_t cycles = 0;
    for (; loop.next(out, in); ++cycles) device.step(in, out);
    return cycles;
  };
  auto rtl = make_rtl(d), rtl_lockstep = make_rtl(d), rtl_kernel = make_rtl(d);
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
  all.push_back({fmt::format("lockstep, kernel, quantum {}", kQuantum), [&] {
                   const uint64_t before = kernel.cycles();
                   sc_core::sc_start(sc_core::sc_time(static_cast<double>(stream.size() * kTimes), sc_core::SC_NS));
                   if (!kernel.passed()) fmt::print(stderr, "the lockstep failed\n");
                   return kernel.cycles() - before;
                 }});
  measure(all);
  fmt::print("{}, {}, {} cycles a round, median of {} rounds, user time\n\n", Block::kName, d.name(), stream.size() * kTimes, kRounds);
  const std::string json = show(all, 1);
  if (argc == 3 && std::strcmp(argv[1], "--json") == 0) write_file(argv[2], json);
  return 0;
}

}  // namespace
}  // namespace odonata::cosim

int main(int argc, char** argv) { return odonata::cosim::run(argc, argv); }

int sc_main(int, char**) { return 1; }  // libsystemc refers to it; never called
