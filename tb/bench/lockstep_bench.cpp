// SPDX-License-Identifier: Apache-2.0
// What the lockstep of a unit costs beside the bare RTL: in plain C++ and under the SystemC kernel; the SystemC module,
// where there is one. Built once a unit (BENCH_UNIT), because SystemC has one elaboration a process. Prints a table;
// `--json FILE` writes the same. Never part of a test.
#include <cstring>

#include "hw/common/lockstep_module.h"
#include "tb/bench/measurement.h"
#include "tb/harness/lockstep.h"
#include BENCH_HEADER

namespace odonata::cosim {
namespace {

template <class Block>
class LockstepBench {
 public:
  LockstepBench(const UnitBench<Block>& bench) : bench_(bench), stream_(record()) {}

  int run(const Dragonfly& d, const char* json_file) {
    const auto rtl = fast(), rtl_lockstep = fast(), rtl_kernel = fast();
    const auto golden = bench_.golden(), golden_lockstep = bench_.golden(), golden_kernel = bench_.golden();
    // Elaborated once: SystemC has one elaboration a process. Each round lets the kernel run for so many clock periods.
    // BENCH_QUANTUM: cycles an activation by the kernel; a notification costs as much as a whole cycle of the small
    // units.
    Played endless(stream_, 1 << 20);
    hw::LockstepModule<In, Out, Played, typename Block::Reference> kernel(
        "lockstep", endless, *golden_kernel, *rtl_kernel,
        {.quantum = BENCH_QUANTUM, .transaction = Block::transaction});
    std::vector<Measurement> all;
    all.push_back({"golden", [&] { return bare(*golden, BENCH_TIMES); }});
    all.push_back({"bare Verilated RTL", [&] { return bare(*rtl, BENCH_TIMES); }});
    all.push_back({"lockstep, plain C++", [&] { return lockstep(*golden_lockstep, *rtl_lockstep, BENCH_TIMES); }});
    all.push_back({fmt::format("lockstep, kernel, quantum {}", BENCH_QUANTUM), [&] {
                     const uint64_t before = kernel.cycles();
                     sc_core::sc_start(
                         sc_core::sc_time(static_cast<double>(stream_.size() * BENCH_TIMES), sc_core::SC_NS));
                     if (!kernel.passed()) fmt::print(stderr, "the lockstep failed\n");
                     return kernel.cycles() - before;
                   }});
    std::unique_ptr<DeviceOf<Block>> systemc;
    if (bench_.systemc) {
      systemc = bench_.systemc();
      all.push_back({"SystemC module", [&] { return bare(*systemc, std::max(1, BENCH_TIMES / 8)); }});
    }
    measure(all);
    fmt::print("{}, {}, {} cycles a round, median of {} rounds, user time\n\n", Block::kName,
               bench_.size.empty() ? d.name() : bench_.size, stream_.size() * BENCH_TIMES, kRounds);
    const std::string json = show(all, 1);
    if (json_file != nullptr) write_file(json_file, json);
    return 0;
  }

 private:
  using In = typename Block::Inputs;
  using Out = typename Block::Outputs;
  using Played = Loop<In, Out>;

  std::unique_ptr<DeviceOf<Block>> fast() const { return bench_.rtl(RtlVariant::fast, 0); }

  /// Cycles recorded once, so that every measurement drives the same and none pays for making them; the first is a
  /// reset where the unit has such a pin.
  std::vector<In> record() const {
    const auto stimulus = bench_.stimulus();
    const auto reference = bench_.golden();
    std::vector<In> out;
    In in{};
    Out last{};
    while (out.size() < 16384 && stimulus->next(last, in)) {
      if constexpr (requires { in.reset = true; }) in.reset |= out.empty();
      out.push_back(in);
      reference->step(in, last);
    }
    return out;
  }
  uint64_t bare(DeviceOf<Block>& device, int times) const {
    Played loop(stream_, times);
    In in;
    Out out{};
    uint64_t cycles = 0;
    for (; loop.next(out, in); ++cycles) device.step(in, out);
    return cycles;
  }
  uint64_t lockstep(typename Block::Reference& golden, DeviceOf<Block>& device, int times) const {
    Played loop(stream_, times);
    const RunResult r = run_lockstep<Block>(loop, golden, device);
    if (!r.passed()) fmt::print(stderr, "the lockstep failed\n");
    return r.cycles;
  }

  UnitBench<Block> bench_;
  std::vector<In> stream_;
};

int run(int argc, char** argv) {
  CampaignRequest request;
  request.dragonfly = Dragonfly::named(BENCH_SIZE);
  return LockstepBench(BENCH_UNIT(request))
      .run(request.dragonfly, argc == 3 && std::strcmp(argv[1], "--json") == 0 ? argv[2] : nullptr);
}

}  // namespace
}  // namespace odonata::cosim

int main(int argc, char** argv) { return odonata::cosim::run(argc, argv); }

int sc_main(int, char**) { return 1; }  // libsystemc refers to it; never called
