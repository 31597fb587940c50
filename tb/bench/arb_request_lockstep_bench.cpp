// SPDX-License-Identifier: Apache-2.0
// What the lockstep of a mesh router's input port costs: golden unit, SystemC module, bare Verilated RTL, lockstep in plain C++. Prints a table;
// `--json FILE` writes the same. Never part of a test.
#include <cstring>
#include <systemc>

#include "hw/arb_request/input_port_device.h"
#include "tb/arb_request/rtl_sizes.h"
#include "tb/arb_request/stimulus.h"
#include "tb/bench/measurement.h"
#include "tb/harness/lockstep.h"
#include "tb/harness/trace_file.h"

namespace odonata::cosim {
namespace {

using arb_request::GoldenPort;
using arb_request::InputPortDevice;
using arb_request::PortDevice;
using arb_request::PortInputs;
using arb_request::PortOutputs;
using PortLoop = Loop<PortInputs, PortOutputs>;

std::vector<PortInputs> record_stream(const arb_request::PortSize& size, size_t cycles) {
  ArbTrafficPins stimulus(size, 0.8, 1);
  GoldenPort reference(size);
  std::vector<PortInputs> out;
  PortInputs in;
  PortOutputs last{};
  while (out.size() < cycles && stimulus.next(last, in)) {
    out.push_back(in);
    reference.step(in, last);
  }
  return out;
}

int run(int argc, char** argv) {
  const arb_request::PortSize size = arb_rtl_size(3);
  const auto stream = record_stream(size, 16384);
  constexpr int kTimes = 32;
  const auto bare = [&](PortDevice& device, int times) {
    PortLoop loop(stream, times);
    PortInputs in;
    PortOutputs out{};
    uint64_t cycles = 0;
    for (; loop.next(out, in); ++cycles) device.step(in, out);
    return cycles;
  };
  const auto lockstep = [&](GoldenPort& golden, PortDevice& device, int times) {
    PortLoop loop(stream, times);
    const RunResult r = run_lockstep<ArbPortBlock>(loop, golden, device);
    if (!r.passed()) fmt::print(stderr, "the lockstep failed\n");
    return r.cycles;
  };
  auto rtl = make_rtl<ArbPortBlock>(rtl_parameters(size)), rtl_lockstep = make_rtl<ArbPortBlock>(rtl_parameters(size));
  GoldenPort golden(size), golden_rtl(size), golden_systemc(size);
  InputPortDevice systemc(size), systemc_lockstep(size);
  std::vector<Measurement> all;
  all.push_back({"golden input port", [&] { return bare(golden, kTimes); }});
  all.push_back({"bare Verilated RTL", [&] { return bare(*rtl, kTimes); }});
  all.push_back({"lockstep golden - RTL", [&] { return lockstep(golden_rtl, *rtl_lockstep, kTimes); }});
  all.push_back({"SystemC module", [&] { return bare(systemc, kTimes / 8); }});
  all.push_back({"lockstep golden - SystemC", [&] { return lockstep(golden_systemc, systemc_lockstep, kTimes / 8); }});
  measure(all);
  fmt::print("input port, n = {}, V = {}, S = {}, {} cycles a round, median of {} rounds, user time\n\n", size.dimensions, size.queues, size.subset,
             stream.size() * kTimes, kRounds);
  const std::string json = show(all, 1);
  if (argc == 3 && std::strcmp(argv[1], "--json") == 0) write_file(argv[2], json);
  return 0;
}

}  // namespace
}  // namespace odonata::cosim

int main(int argc, char** argv) { return odonata::cosim::run(argc, argv); }

int sc_main(int, char**) { return 1; }  // libsystemc refers to it; never called
