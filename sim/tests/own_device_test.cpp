// SPDX-License-Identifier: Apache-2.0
// Devices of other people: what fits runs, what does not is refused in one line.
#include "sim/tests/run_program.h"
#include "tb/congestion/campaign.h"
#include "tb/congestion/pcs_transport_words.h"
#include "tb/harness/own_device.h"
#include "tb/route_compute/campaign.h"
#include "tb/arb_request/arb_request_logic_words.h"
#include "tb/arb_request/campaign.h"
#include "tb/route_compute/route_compute_words.h"
#include "tb/torus/campaign.h"
#include "tb/torus/torus_route_words.h"
#include "tb/units.h"
#include "tb/vtftr/campaign.h"
#include "tb/vtftr/vtftr_leaf_words.h"
#include "tb/vtftr/vtftr_root_words.h"

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
  /// RTL_DEVICE is our RTL of this unit behind the interface of devices; its answer number `wrong` is wrong.
  static void be(const char* unit, int wrong = 0) {
    setenv("OWN_UNIT", unit, 1);
    setenv("OWN_WRONG", std::to_string(wrong).c_str(), 1);
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
  expect_refused(run("net --mesh 4x4 --at 1,1 --device-lib " + library), "is a device of 'route_compute', expected arb_request_logic");
  expect_refused(run("crosscheck --load 0.2 --cycles 100 --device-lib " + library),
                 "answers after 4 cycles and takes a request every 2; routers and engine are built for 4 and 1");
}

/// A unit in routers of the SystemC network, against the engine, while links and a router fail; the first wrong answer ends the run and is explained.
TEST_F(OwnDevice, RoutesInTheCrossCheck) {
  const std::string check = "crosscheck --load 0.3 --cycles 700 --random-faults --device-lib " RTL_DEVICE;
  be("route_compute");
  const Json some = run_json(check + " --at 1.2,4.0"), all = run_json(check + " --route-compute arrival");
  EXPECT_EQ(some["verdict"], "pass");
  EXPECT_GT(some["device"]["answers"].get<int>(), 500);
  EXPECT_GT(all["device"]["answers"].get<int>(), 10 * some["device"]["answers"].get<int>());
  EXPECT_GT(all["device"]["rewritten"].get<int>(), 10) << "entries with marks of the fault plane";
  be("route_compute", 40);
  const Ran wrong = run(check + " --at 1.2");
  EXPECT_EQ(wrong.exit_code, 1) << wrong.err;
  for (const char* words : {"DIFFERENT", "Route compute of g1.r2, port ", ": hop class: expected ", "this is no pass"})
    EXPECT_NE(wrong.out.find(words), std::string::npos) << words << "\n" << wrong.out;
  be("route_compute");
  expect_refused(run(check + " --at 9.0"), "--at '9.0': expected all or GROUP.ROUTER");
  expect_refused(run(check + " --at all --device rtl"), "expected neither --device nor --plant");
  expect_refused(run(check + " --plant late-stage"), "expected neither --device nor --plant");
  expect_refused(run("crosscheck --torus 4x4 --load 0.2 --device-lib " RTL_DEVICE), "is taken as route compute of a dragonfly");
  be("crossbar");
  expect_refused(run(check), "is a device of 'crossbar', expected route_compute");
}

/// Units of the other networks decide in the running network, in lockstep with the golden unit.
TEST_F(OwnDevice, DecidesInEveryNetwork) {
  const std::string device = " --load 0.2 --warmup 200 --cycles 800 --device-lib " RTL_DEVICE " --at ";
  const std::pair<const char*, std::string> networks[] = {{"torus_route", "net --torus 4x4 --fail node:1,1" + device + "2,1"},
                                                          {"vtftr_leaf", "net --fat-tree 4,4,2,2" + device + "leaf:1,1"},
                                                          {"vtftr_root", "net --fat-tree 4,4,2,2" + device + "row:0,1"},
                                                          {"arb_request_logic", "net --mesh 8x8 --routing d2ra --packet 5" + device + "3,4"}};
  for (const auto& [unit, command] : networks) {
    be(unit);
    EXPECT_GT(run_json(command)["compared"].get<int>(), 20) << unit;
    be(unit, 3);
    const Ran wrong = run(command);
    EXPECT_EQ(wrong.exit_code, 1) << unit << wrong.err;
    EXPECT_NE((wrong.out + wrong.err).find("Mismatch after "), std::string::npos) << unit << wrong.out << wrong.err;
    expect_refused(run(command + " --device rtl"), "expected neither --device nor --plant");
    be("crossbar");
    expect_refused(run(command), std::string("is a device of 'crossbar', expected ") + unit);
  }
  be("torus_route");
  expect_refused(run("net --torus 4x4 --load 0.2 --device-lib " RTL_DEVICE), "needs --at X,Y");
  expect_refused(run("net --topology docs/examples/topology/two_rows.json --device-lib " RTL_DEVICE), "has no routing in hardware");
}

/// `pipeline` measures units of other families, too.
TEST_F(OwnDevice, KeepsTheCyclesOfOtherFamilies) {
  const std::string device = " --requests 500 --device-lib " RTL_DEVICE;
  be("torus_route");
  const Json torus = run_json("pipeline --block torus_route --torus 4x4" + device);
  EXPECT_EQ(torus["levels"].size(), 1u);
  EXPECT_EQ(torus["levels"].begin().value()["latency_cycles"], 2);
  be("torus_route", 10);
  EXPECT_EQ(run("pipeline --block torus_route --torus 4x4 --levels golden" + device).exit_code, 1) << "a wrong answer";
  be("vtftr_root");
  const Json root = run_json("pipeline --block vtftr_root --levels golden" + device);
  EXPECT_EQ(root["levels"].size(), 2u);
  for (const auto& [level, times] : root["levels"].items()) EXPECT_EQ(times["latency_cycles"], 4) << level;
  be("vtftr_leaf");
  EXPECT_EQ(run_json("pipeline --block vtftr_leaf" + device)["levels"].size(), 1u);
  expect_refused(run("pipeline --block vtftr_root" + device), "is a device of 'vtftr_leaf', expected vtftr_root");
  expect_refused(run("pipeline --block router --size tiny" + device), "is a device of 'vtftr_leaf', expected router_data");
}

/// Units of other families, also at a size that was never built, and of another latency.
TEST_F(OwnDevice, RtlOfOtherFamilies) {
  const std::string work = " -o " + path("own.so"),
                    lockstep = "cosim --transactions 3000 --traffic corner --device-lib " + path("own.so") + " --block ";
  const std::pair<const char*, const char*> units[] = {
      {"vtftr_detect --set tree=5,3,2,2", "--top vtftr_detect --files rtl/vtftr/vtftr.f"},
      {"arb_request --dims 2 --set part=logic", "--top arb_request_logic --files rtl/arb_request/arb_request.f"},
      {"fault_region", "--top fault_region --files rtl/torus/torus.f"}};
  for (const auto& [unit, sources] : units) {
    const Ran wrapped = run("wrap --block " + std::string(unit) + " " + sources + work);
    ASSERT_EQ(wrapped.exit_code, 0) << unit << ": " << wrapped.err;
    const Ran ran = run(lockstep + unit);
    EXPECT_EQ(ran.exit_code, 0) << unit << ran.out << ran.err;
  }
  be("torus_route");
  const std::string torus = "cosim --block torus_route --traffic corner --transactions 3000 --device-lib " RTL_DEVICE;
  EXPECT_EQ(run_json(torus + " --latency auto --interval auto")["verdict"], "pass");
  expect_refused(run("cosim --block torus_route --set torus=6x5,safe4 --traffic corner"),
                 "no RTL of torus_route was built for CW=3 Detours=1 KX=6 KY=5 Ring=0");
  expect_refused(run("cosim --block torus_route --set torus=6x2"), "radix 2 of dimension y is outside 3..64");
  expect_refused(run("cosim --block torus_route --set torus=4x4x4"), "has two dimensions");
  expect_refused(run("cosim --block vtftr_leaf --set tree=5,3"), "5,3");
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

template <class Block, auto make_bench>
void timing_is_right(const cosim::CampaignRequest& request) {
  const auto bench = make_bench(request);
  EXPECT_EQ(timing_of(bench).latency, cosim::PinWords<Block>(bench.parameters).latency) << Block::kName;
  EXPECT_EQ(timing_of(bench).interval, 1) << Block::kName;
}

TEST(Timing, OfTheGoldenUnitsIsThatOfTheirDescriptions) {
  const cosim::CampaignRequest request;
  const auto route = cosim::route_compute_bench(request);
  EXPECT_EQ(timing_of(route).latency, cosim::PinWords<cosim::RouteComputeBlock>(route.parameters).latency);
  EXPECT_EQ(timing_of(route).interval, 1);
  cosim::CampaignRequest corner;
  corner.traffic = "corner";
  for (const auto check :
       {timing_is_right<cosim::TorusRouteBlock, cosim::torus_route_bench>, timing_is_right<cosim::VtftrLeafBlock, cosim::vtftr_leaf_bench>,
        timing_is_right<cosim::VtftrRootBlock, cosim::vtftr_root_bench>, timing_is_right<cosim::ArbLogicBlock, cosim::arb_logic_bench>})
    check(corner);
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
