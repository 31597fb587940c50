// SPDX-License-Identifier: Apache-2.0
// Devices of other people: what fits runs, what does not is refused in one line.
#include "sim/tests/run_program.h"
#include "tb/congestion/campaign.h"
#include "tb/congestion/pcs_transport_words.h"
#include "tb/harness/own_device.h"
#include "tb/route_compute/campaign.h"
#include "tb/route_compute/route_compute_words.h"
#include "tb/units.h"

namespace odonata::cli {
namespace {

class OwnDevice : public ProgramTest {
 protected:
  /// Compiles a library from C.
  std::string compile(const std::string& source, const std::string& options = "") const {
    const std::string out = path("device.so");
    EXPECT_EQ(std::system(("cc -shared -fPIC -I . -I tb/harness " + options + " " + source + " -o " + out).c_str()), 0);
    return out;
  }
  Ran odd(int number, const std::string& more = "") const {
    const std::string library = compile("sim/tests/odd_device.c", "-DODD=" + std::to_string(number));
    return run("cosim --block pcs_transport --size tiny --traffic corner --transactions 5000 --device-lib " + library + " " + more);
  }
  Ran wrap(const std::string& top, const std::string& files, const std::string& more = "") const {
    return run("wrap --size tiny --top " + top + " --files " + files + " -o " + path(top + ".so") + " " + more);
  }
};

TEST_F(OwnDevice, AnExampleInCAgrees) {
  const std::string library = compile("docs/examples/own_device.c", "-Wall -Wextra -Werror");
  const std::string command = "cosim --block pcs_transport --size tiny --traffic corner --transactions 5000 --device-lib " + library;
  EXPECT_EQ(run_json(command)["device"], library);
  EXPECT_EQ(run_json(command + " --latency auto --interval auto")["verdict"], "pass");
  EXPECT_EQ(run(command + " --latency 30").exit_code, 1) << "one cycle too early for that";
}

TEST_F(OwnDevice, RefusedInOneLine) {
  expect_refused(odd(1), "made for version 2 of odonata_device.h, expected 1");
  expect_refused(odd(2), "is a device of 'crossbar', expected pcs_transport");
  expect_refused(odd(3), "missing: crc_i; inputs that pcs_transport does not have: spare_i; bits_i has 17 bits, expected 16");
  expect_refused(odd(4), "the licence has run out");
  expect_refused(odd(5), "a function of odonata_device_interface is null");
  expect_refused(odd(8), "the licence has run out");
  expect_refused(odd(9), "the licence has run out");
  const std::string text = file("text.so", "no library\n"), empty = compile("-x c /dev/null");
  expect_refused(run("cosim --block pcs_transport --size tiny --device-lib " + text), "text.so: cannot be loaded: ");
  expect_refused(run("cosim --block pcs_transport --size tiny --device-lib " + empty), "symbol odonata_device is missing");
  expect_refused(run("cosim --block pcs_transport --size tiny --device-lib nothing.so"), "nothing.so: there is no such file");
  expect_refused(run("cosim --size tiny --latency 5"), "expected --device-lib");
}

TEST_F(OwnDevice, CrashesAndHangsAreNamed) {
  expect_refused(odd(6), "device.so: crashed (invalid memory access) in step(), call ");
  expect_refused(odd(7, "--device-limit 1"), "device.so: did not come back within 1 s in step(), call ");
  expect_refused(odd(10), "device.so: ended by abort() in step(), call ");
}

TEST_F(OwnDevice, OptionsThatDoNotFit) {
  const std::string library = compile("docs/examples/own_device.c");
  expect_refused(run("cosim --block pcs_transport --size tiny --device-lib " + library + " --latency soon"),
                 "--latency: 'soon' is no number of cycles, expected 1..64 or auto");
  expect_refused(run("cosim --block pcs_transport --size tiny --device-lib " + library + " --device systemc"),
                 "expected neither --device nor --plant");
  expect_refused(run("cosim --block pcs_transport --size tiny --device-lib " + library + " --trace " + path("x.fst")), "writes no waveforms");
  expect_refused(run("cosim --block credit_monitor --size tiny --device-lib " + library), "is a device of 'pcs_transport', expected credit_monitor");
}

/// What wrap says before it compiles anything.
TEST_F(OwnDevice, WrapNamesPortsThatDoNotFit) {
  const std::string list = file("my.f", "my.sv\n"),
                    ports = "input logic clk_i, input logic [3:0] rst_ni, input logic valid_i, output logic [3:0] bits_i, output logic valid_o";
  file("my.sv", "module my(" + ports + ", input logic scan);\nassign valid_o = valid_i; assign bits_i = rst_ni;\nendmodule\n");
  const std::string block = "--block pcs_transport ";
  expect_refused(wrap("my", list, block),
                 "my is no pcs_transport of this size; missing: crc_i (8 bits), phase_i (1 bit), bits_o (16 bits), crc_o (8 bits), "
                 "phase_o (1 bit); inputs that the unit does not have: scan (--map can rename or tie them); rst_ni has 4 bits, expected 1, bits_i is "
                 "an output, expected an input, bits_i has 4 bits, expected 16");
  file("my.sv", "module my(input logic clk_i);\n  assign x = ;\nendmodule\n");
  expect_refused(wrap("my", list, block), "my.sv:2:");
  expect_refused(wrap("my", file("none.f", "other.sv\n"), block), "none.f: there is no file other.sv");
  expect_refused(wrap("my", list, block + "--map " + file("map.toml", "[pins]\nvalid = \"go\"\n")),
                 "pins.valid: pcs_transport has no such pin, expected one of clk_i, rst_ni, valid_i");
  expect_refused(wrap("my", list, block + "--map " + file("map.toml", "[ties]\nvalid = 1\n")),
                 "unknown key 'ties', expected the tables pins and tie");
  EXPECT_FALSE(std::filesystem::exists(path("my.so")));
}

/// RTL with names of its own, a request every second cycle, from the sources to verdicts of both commands; the longest test, it verilates.
TEST_F(OwnDevice, RtlThatTakesEverySecondCycle) {
  const Ran wrapped = wrap("rc_half", "docs/examples/own_rtl/half.f", "--map docs/examples/own_rtl/half.toml");
  ASSERT_EQ(wrapped.exit_code, 0) << wrapped.err;
  EXPECT_NE(wrapped.out.find("without probe_o: not compared"), std::string::npos) << wrapped.out;
  const std::string library = path("rc_half.so"),
                    lockstep = "cosim --size tiny --traffic corner --transactions 20000 --artifacts " + path("") + " --device-lib " + library;
  EXPECT_EQ(run_json(lockstep + " --interval auto --latency auto")["verdict"], "pass");
  const Ran lost = run(lockstep);
  EXPECT_EQ(lost.exit_code, 1) << "without --interval requests are lost";
  EXPECT_NE(
      lost.out.find("Replay: odonata cosim --block route_compute --trace-in " + path("") + "/mismatch_route_compute.trace --device-lib " + library),
      std::string::npos)
      << lost.out;
  EXPECT_EQ(run("cosim --trace-in " + path("mismatch_route_compute.trace") + " --device-lib " + library + " --artifacts " + path("")).exit_code, 1);

  const std::string measure = "pipeline --size tiny --requests 2000 --device-lib " + library;
  const Json times = run_json(measure, 1);
  EXPECT_EQ(times["levels"]["rc_half"]["initiation_interval"], 2);
  EXPECT_EQ(times["levels"]["rc_half"]["latency_cycles"], 4);
  EXPECT_EQ(times["levels"]["rc_half"]["probed"], false);
  EXPECT_EQ(run(measure + " --expect " + file("half.toml", "initiation_interval = 2\n")).exit_code, 0);
  expect_refused(run(measure + " --expect " + file("bad.toml", "latncy = 4\n")),
                 "unknown key 'latncy', expected latency, initiation_interval, stages or writes");
  expect_refused(run("pipeline --size paper --device-lib " + library), "made for P=2, expected 6");

  const std::string live = "net --size tiny --traffic adv+1 --load 0.2 --warmup 200 --cycles 800 --device-lib ";
  const Json network = run_json(live + library + " --at 1.2");
  EXPECT_EQ(network["verdict"], "pass") << "requests wait until the unit can take them";
  EXPECT_GT(network["compared"].get<int>(), 500);
  expect_refused(run(live + library + " --at 1.2 --device rtl"), "expected neither --device nor --plant");
  expect_refused(run("net --mesh 4x4 --at 1,1 --device-lib " + library), "is taken as route compute of a dragonfly");
}

TEST_F(OwnDevice, PlantsShowAFailingVerdict) {
  const Ran ran = run("pipeline --size tiny --requests 1000 --plant ack-early");
  EXPECT_EQ(ran.exit_code, 1) << ran.out;
  EXPECT_NE(ran.out.find("FAIL"), std::string::npos) << ran.out;
  expect_refused(run("pipeline --size tiny --levels golden --plant ack-early"), "expected --levels rtl, not golden");
}

/// The latency in a description is that of the golden unit.
template <class Block>
cosim::Timing timing_of(const cosim::UnitBench<Block>& bench) {
  const cosim::PinWords<Block> pins(bench.parameters);
  const auto golden = bench.golden();
  return cosim::measure_timing<Block>("golden", pins, *golden);
}

TEST(Timing, OfTheGoldenUnitsIsThatOfTheirDescriptions) {
  const cosim::CampaignRequest request;
  const auto route = cosim::route_compute_bench(request);
  EXPECT_EQ(timing_of(route).latency, cosim::PinWords<cosim::RouteComputeBlock>(route.parameters).latency);
  EXPECT_EQ(timing_of(route).interval, 1);
  const auto pcs = cosim::pcs_transport_bench(request);
  EXPECT_EQ(timing_of(pcs).latency, cosim::PinWords<cosim::PcsTransportBlock>(pcs.parameters).latency);
}

/// Inputs and outputs of every unit survive the way to words and back.
TEST(Words, CarryEveryUnit) {
  for (const cosim::Unit& unit : cosim::units()) {
    cosim::CampaignRequest request;
    request.traffic = "corner";
    const auto bench = unit.open(request);
    const auto golden = bench->golden();
    std::vector<uint64_t> again(static_cast<size_t>(bench->pins().output_words()));
    uint64_t cycle = 0;
    bench->play(2000, [&](bool rst_n, const uint64_t* in, const uint64_t* out) {
      golden->step(rst_n, in, again.data());
      ASSERT_TRUE(std::equal(again.begin(), again.end(), out)) << unit.name << ", cycle " << cycle;
      ++cycle;
    });
    EXPECT_EQ(cycle, 2000u) << unit.name;
  }
}

}  // namespace
}  // namespace odonata::cli
