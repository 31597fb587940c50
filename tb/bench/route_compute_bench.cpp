// SPDX-License-Identifier: Apache-2.0
// Speed of route compute at full size, as ratios measured in one run, in user time: golden decision, golden unit, bare Verilated RTL,
// lockstep in plain C++, lockstep under the SystemC kernel. Prints a table; `--json FILE` writes the same. Never part of a test.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "hw/common/lockstep_module.h"
#include "tb/harness/lockstep.h"
#include "tb/harness/trace_file.h"
#include "tb/route_compute/block.h"
#include "tb/route_compute/rtl_device.h"
#include "tb/route_compute/stimulus.h"

namespace odonata::cosim {
namespace {

using route_compute::GoldenDevice;
using route_compute::UnitInputs;
using route_compute::UnitOutputs;

constexpr int kRounds = 7;

double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

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

/// Plays a recording a number of times over.
class Loop final : public Stimulus<UnitInputs, UnitOutputs> {
 public:
  Loop(const std::vector<UnitInputs>& cycles, int times) : cycles_(cycles), left_(times) {}
  bool next(const UnitOutputs&, UnitInputs& in) override {
    if (at_ == cycles_.size()) {
      at_ = 0;
      --left_;
    }
    if (left_ <= 0) return false;
    in = cycles_[at_++];
    return true;
  }

 private:
  const std::vector<UnitInputs>& cycles_;
  int left_;
  size_t at_ = 0;
};

struct Measurement {
  std::string name;
  std::function<uint64_t()> run;  ///< returns the number of cycles
  std::vector<double> ns{};       ///< a cycle, one a round
  double median() const {
    auto sorted = ns;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

/// Rounds are interleaved, so that a slow moment of the machine hits all alike.
void measure(std::vector<Measurement>& all) {
  for (int round = 0; round < kRounds; ++round) {
    for (Measurement& m : all) {
      const double start = user_seconds();
      const uint64_t cycles = m.run();
      m.ns.push_back((user_seconds() - start) * 1e9 / static_cast<double>(cycles));
    }
  }
}

int run(int argc, char** argv) {
  const Dragonfly d = Dragonfly::named("full");
  const auto stream = record_stream(d, 16384);
  constexpr int kTimes = 16;
  const auto bare = [&](CycleDevice<UnitInputs, UnitOutputs>& device) {
    Loop loop(stream, kTimes);
    UnitInputs in;
    UnitOutputs out{};
    uint64_t cycles = 0;
    for (; loop.next(out, in); ++cycles) device.step(in, out);
    return cycles;
  };
  auto rtl = make_route_compute_rtl(d), rtl_lockstep = make_route_compute_rtl(d);
  GoldenDevice golden(d), golden_lockstep(d);
  // Elaborated once: SystemC has one elaboration a process. Each round lets the kernel run for so many clock periods.
  auto rtl_kernel = make_route_compute_rtl(d);
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
  const double base = all[1].median();
  fmt::print("route compute, {}, {} cycles a round, median of {} rounds, user time\n\n", d.name(), stream.size() * kTimes, kRounds);
  fmt::print("{:<34} {:>9} {:>14} {:>8}\n", "", "ns/cycle", "M cycles/s", "ratio");
  std::string json = "{\n";
  for (const Measurement& m : all) {
    fmt::print("{:<34} {:>9.1f} {:>14.2f} {:>8.2f}\n", m.name, m.median(), 1000 / m.median(), m.median() / base);
    json += fmt::format("  \"{}\": {{\"ns_per_cycle\": {:.2f}, \"ratio\": {:.3f}}}{}\n", m.name, m.median(), m.median() / base,
                        &m == &all.back() ? "" : ",");
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("\nmemory: {} MB\n", usage.ru_maxrss / 1024);
  if (argc == 3 && std::strcmp(argv[1], "--json") == 0) write_file(argv[2], json + "}\n");
  return 0;
}

}  // namespace
}  // namespace odonata::cosim

int main(int argc, char** argv) { return odonata::cosim::run(argc, argv); }

int sc_main(int, char**) { return 1; }  // libsystemc refers to it; never called
