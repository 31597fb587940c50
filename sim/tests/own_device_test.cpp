// SPDX-License-Identifier: Apache-2.0
// Devices of other people: what fits runs, what does not is refused in one line.
#include <fmt/format.h>

#include <regex>

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
    std::string out = path("device.so");
    EXPECT_EQ(std::system(("cc -shared -fPIC -I . -I tb/harness " + options + " " + source + " -o " + out).c_str()), 0);
    return out;
  }
  Ran odd(int number, const std::string& more = "") const {
    const std::string library = compile("sim/tests/odd_device.c", "-DODD=" + std::to_string(number));
    return run("cosim --block pcs_transport --size tiny --traffic corner --transactions 5000 --device-lib " + library +
               " " + more);
  }
  /// RTL_DEVICE is our RTL of this unit behind the interface of devices; its answer number `wrong` is wrong at answer
  /// pin `pin`, of which 0 says that there is an answer.
  static void be(const char* unit, int wrong = 0, int late = 0, int every = 1, int pin = 1) {
    setenv("OWN_UNIT", unit, 1);
    setenv("OWN_WRONG", std::to_string(wrong).c_str(), 1);
    setenv("OWN_WRONG_PIN", std::to_string(pin).c_str(), 1);
    setenv("OWN_LATE", std::to_string(late).c_str(), 1);
    setenv("OWN_EVERY", std::to_string(every).c_str(), 1);
  }
  Ran wrap(const std::string& top, const std::string& files, const std::string& more = "") const {
    return run("wrap --size tiny --top " + top + " --files " + files + " -o " + path(top + ".so") + " " + more);
  }
};

TEST_F(OwnDevice, AnExampleInCAgrees) {
  const std::string library = compile("docs/examples/own_device.c", "-Wall -Wextra -Werror");
  const std::string command =
      "cosim --block pcs_transport --size tiny --traffic corner --transactions 5000 --device-lib " + library;
  EXPECT_EQ(run_json(command)["device"], library);
  EXPECT_EQ(run_json(command + " --latency auto --interval auto")["verdict"], "pass");
  const Ran other = run(command + " --latency 30");
  EXPECT_EQ(other.exit_code, 1) << "one cycle too early for that";
  EXPECT_NE(other.out.find("\nThe device measures latency 29, a request every cycle; compared as latency 30, a request "
                           "every cycle. As it is: --latency 29\n"),
            std::string::npos)
      << other.out;
  std::filesystem::copy_file(library, path("a blank.so"));
  const std::string blank = "'" + path("a blank.so") + "'";
  const Ran early = run("cosim --block pcs_transport --size tiny --traffic corner --latency 30 --artifacts " +
                        path("") + " --device-lib " + blank);
  EXPECT_NE(early.out.find(" --device-lib " + blank + " --latency 30"), std::string::npos)
      << "as a shell takes it: " << early.out;
}

TEST_F(OwnDevice, RefusedInOneLine) {
  expect_refused(odd(1), "made for version 2 of odonata_device.h, expected 1");
  expect_refused(odd(2), "is a device of 'crossbar', expected pcs_transport");
  expect_refused(odd(3),
                 "missing: crc_i; inputs that pcs_transport does not have: spare_i; bits_i has 17 bits, expected 16");
  expect_refused(odd(4), "the licence has run out");
  expect_refused(odd(5), "a function of odonata_device_interface is null");
  expect_refused(odd(8), "the licence has run out");
  expect_refused(odd(9), "the licence has run out");
  expect_refused(odd(12), "device.so: lists valid_i twice");
  expect_refused(odd(13), "device.so: lists 100000000 pins");
  expect_refused(odd(14), "device.so: lists a pin without a name");
  expect_refused(odd(15), "device.so: gave up without a message");
  const std::string text = file("text.so", "no library\n"), empty = compile("-x c /dev/null");
  expect_refused(run("cosim --block pcs_transport --size tiny --device-lib " + text), "text.so: cannot be loaded: ");
  expect_refused(run("cosim --block pcs_transport --size tiny --device-lib " + empty),
                 "symbol odonata_device is missing");
  expect_refused(run("cosim --block pcs_transport --size tiny --device-lib nothing.so"),
                 "nothing.so: there is no such file");
  std::filesystem::create_symlink("loop.so", path("loop.so"));
  expect_refused(run("cosim --block pcs_transport --size tiny --device-lib " + path("loop.so")),
                 "loop.so: it cannot be read: Too many levels of symbolic links");
  expect_refused(run("cosim --size tiny --latency 5"), "expected --device-lib");
}

TEST_F(OwnDevice, CrashesAndHangsAreNamed) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer answers this itself";
  expect_refused(odd(6), "device.so: crashed (invalid memory access) in step(), call ");
  expect_refused(odd(7, "--device-limit 1"), "device.so: did not come back within 1 s in step(), call ");
  expect_refused(odd(10), "device.so: ended by abort() in step(), call ");
  expect_refused(odd(11), "device.so: called exit() in step(), call ");
  expect_refused(odd(16), "device.so: ended the program (_exit) in step(), call ");
  expect_refused(odd(17), "device.so: ended the program (_exit) in step(), call ");
  expect_refused(odd(18), "device.so: ended by signal 9 in step(), call ");
  expect_refused(odd(19), "device.so: ended the program (_exit) in step(), call ");
  expect_refused(odd(20, "--device-limit 1"), "device.so: did not come back within 1 s in step(), call ");
  expect_refused(odd(21), "device.so: crashed (invalid memory access) in step(), call ");
  expect_refused(odd(22), "device.so: crashed (invalid memory access) in step(), call ");
  const std::string throws = file("throws.cpp", R"(#include <stdexcept>
#include "odonata_device.h"
static const odonata_pin* pins(const odonata_parameter*, uint32_t, uint32_t*) {
  throw std::runtime_error("no licence server");
}
static void* create(const odonata_parameter*, uint32_t) { return nullptr; }
static int step(void*, int, const uint64_t*, uint64_t*) { return 1; }
static void destroy(void*) {}
static const char* message() { return ""; }
extern "C" const odonata_device_interface* odonata_device(void) {
  static const odonata_device_interface i = {
    ODONATA_DEVICE_VERSION, "pcs_transport", pins, create, step, destroy, message, nullptr, nullptr};
  return &i;
}
)");
  expect_refused(
      run("cosim --block pcs_transport --size tiny --device-lib " + compile("-x c++ " + throws + " -lstdc++")),
      "device.so: threw an exception in pins(): no licence server");
}

/// In every other function, while it is loaded and when the program ends.
TEST_F(OwnDevice, CrashesAreNamedWhereverTheyAre) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer answers this itself";
  const std::pair<int, const char*> cases[] = {{23, "crashed (invalid memory access) in pins(), call "},
                                               {24, "crashed (invalid memory access) in create(), call "},
                                               {26, "crashed (invalid memory access) in message(), call "},
                                               {27, "crashed (invalid memory access) in odonata_device(), call "},
                                               {28, "crashed (invalid memory access) in dlopen(), call "},
                                               {29, "ended the program (_exit) in dlopen(), call "},
                                               {30, "crashed (invalid memory access) in odonata_device(), call "}};
  for (const auto& [number, words] : cases) expect_refused(odd(number), std::string("device.so: ") + words);
  expect_refused(odd(34), "device.so: xxxxxxxxx xxxxxxxxx");
  EXPECT_LT(odd(34).err.size(), 1200u) << "a line that somebody can read";
  for (const auto& [number, words] : {std::pair{25, "crashed (invalid memory access) in destroy(), call "},
                                      {31, "crashed (invalid memory access) at the end of the program"},
                                      {32, "ended the program (_exit) at the end of the program"}}) {
    const Ran ran = odd(number);  // the work is done and told, but nobody can rely on it
    EXPECT_EQ(ran.exit_code, 2) << number;
    EXPECT_NE(ran.err.find(std::string("device.so: ") + words), std::string::npos) << number << ran.err;
  }
}

/// What is not refused: bits above the pins, which nobody sees, and a device that takes its time. The other commands
/// watch theirs, too.
TEST_F(OwnDevice, WhatIsBearable) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer answers this itself";
  EXPECT_EQ(odd(33).exit_code, 0);
  const std::string slow =
      "cosim --block pcs_transport --size tiny --traffic corner --transactions 100000000 --device-lib " +
      compile("sim/tests/odd_device.c", "-DODD=35");
  const int status = std::system(
      (ODONATA_PROGRAM " " + slow + " >" + path("log") + " 2>&1 & p=$!; sleep 1; kill -TERM $p; wait $p").c_str());
  EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 130)
      << "the one that watches passes it on: " << read_text(path("log"));
  const std::string crash = compile("sim/tests/odd_device.c", "-DODD=28");
  for (const char* command : {"pipeline --size tiny", "net --size tiny --load 0.2 --cycles 100 --at 1.2",
                              "crosscheck --load 0.2 --cycles 100"})
    expect_refused(run(std::string(command) + " --device-lib " + crash),
                   "device.so: crashed (invalid memory access) in dlopen(), call 1");
}

TEST_F(OwnDevice, OptionsThatDoNotFit) {
  const std::string library = compile("docs/examples/own_device.c");
  expect_refused(run("cosim --block pcs_transport --size tiny --device-lib " + library + " --latency soon"),
                 "--latency: 'soon' is no number of cycles, expected 1..64 or auto");
  for (const char* device : {"rtl", "systemc", "netlist"})
    expect_refused(run("cosim --block pcs_transport --size tiny --device-lib " + library + " --device " + device),
                   "--device: the device is the library, expected neither --device nor --plant");
  expect_refused(run("cosim --block pcs_transport --size tiny --device-lib " + library + " --trace " + path("x.fst")),
                 "writes no waveforms");
  expect_refused(run("cosim --block credit_monitor --size tiny --device-lib " + library),
                 "is a device of 'pcs_transport', expected credit_monitor");
}

/// What wrap says before it compiles anything.
TEST_F(OwnDevice, WrapNamesPortsThatDoNotFit) {
  const std::string list = file("my.f", "my.sv\n"), ports =
                                                        "input logic clk_i, input logic [3:0] rst_ni, input logic "
                                                        "valid_i, output logic [3:0] bits_i, output logic valid_o";
  file("my.sv",
       "module my(" + ports + ", input logic scan);\nassign valid_o = valid_i; assign bits_i = rst_ni;\nendmodule\n");
  const std::string block = "--block pcs_transport ";
  const std::string map =
      "--map " + file("odd.toml", "[pins]\nphase_i = \"valid_i\"\ncrc_o = \"sum\"\n[tie]\nscan = 9\nvalid_i = 1\n");
  const Ran odd_map = wrap("my", list, block + map);
  for (const char* words : {"valid_i stands for valid_i and phase_i", "valid_i stands for valid_i and a tied value",
                            "sum (8 bits, for crc_o)", "scan is tied to 9, expected at most 1"})
    expect_refused(odd_map, words);
  EXPECT_EQ(wrap("my", list, block + "--map " + file("ones.toml", "[tie]\nscan = 1\n")).err.find("scan is tied"),
            std::string::npos)
      << "all ones fit";
  expect_refused(wrap("my", list, block),
                 "my is no pcs_transport of this size; missing: crc_i (8 bits), phase_i (1 bit), bits_o (16 bits), "
                 "crc_o (8 bits), "
                 "phase_o (1 bit); inputs that the unit does not have: scan (--map can rename or tie them); rst_ni has "
                 "4 bits, expected 1, bits_i is "
                 "an output, expected an input, bits_i has 4 bits, expected 16");
  file("my.sv", "module my(input logic clk_i);\n  assign x = ;\nendmodule\n");
  expect_refused(wrap("my", list, block), "my.sv:2:");
  expect_refused(wrap("my", file("none.f", "other.sv\n"), block), "none.f: there is no file other.sv");
  expect_refused(wrap("my", file("empty.f", "\n"), block), "empty.f: no file is named, expected the RTL's sources");
  expect_refused(wrap("my", file("deep.f", "-f deep.f\n"), block), "lists inside lists, more than 8 deep");
  file("two.sv", "module two(input logic clk_i, input logic rst_ni, inout wire both_io);\nendmodule\n");
  expect_refused(wrap("two", file("two.f", "two.sv\n"), block),
                 "port both_io is an inout, expected inputs and outputs");
  file("four.sv", "module four(input logic clk_i, input logic rst_ni, input logic [2:0] bits_i [4]);\nendmodule\n");
  expect_refused(wrap("four", file("four.f", "four.sv\n"), block),
                 "port bits_i is an unpacked array, expected a packed one");
  file("real.sv", "module r(input logic clk_i, input logic rst_ni, input real level);\nendmodule\n");
  expect_refused(wrap("r", file("real.f", "real.sv\n"), block), "port level has no bits (real, string)");
  expect_refused(wrap("my", list, block + "--map " + file("map.toml", "[pins]\nvalid = \"go\"\n")),
                 "pins.valid: pcs_transport has no such pin, expected one of clk_i, rst_ni, valid_i");
  expect_refused(wrap("my", list, block + "--map " + file("map.toml", "[ties]\nvalid = 1\n")),
                 "unknown key 'ties', expected the tables pins and tie");
  expect_refused(wrap("my", list, block + "--map " + file("map.toml", "[pins]\nrst_ni = \"!\"\n")),
                 "pins.rst_ni: expected the name of a port");
  expect_refused(wrap("my", list, block + "--map " + file("map.toml", "pins = 3\n")),
                 "map.toml: pins: expected a table");
  for (const char* port : {"3", "\"\""})
    expect_refused(
        wrap("my", list, block + "--map " + file("map.toml", std::string("[pins]\nvalid_i = ") + port + "\n")),
        "map.toml: pins.valid_i: expected the name of a port");
  for (const char* level : {"-1", "\"low\""})
    expect_refused(wrap("my", list, block + "--map " + file("map.toml", std::string("[tie]\nscan = ") + level + "\n")),
                   "map.toml: tie.scan: expected a number from 0 on");
  expect_refused(wrap("my", list, block + "--keep '" + path("a blank") + "'"), "expected another one in --keep");
  expect_refused(run("wrap --size tiny --top 'my(' --files " + list), "--top 'my(': expected the name of a module");
  EXPECT_FALSE(std::filesystem::exists(path("my.so")));
}

/// Ports are called as in their source, also where C++ and Verilator call them otherwise.
TEST_F(OwnDevice, WrapTakesEveryNameThatSystemVerilogHas) {
  file("my.sv",
       "module my #(parameter int H = 2, Latency = 3) (input logic clk__i, input logic operator, input logic go$x,\n"
       "  input logic a___b, input logic [H-1:0] bits_i, input logic [7:0] crc_i, input logic phase_i,\n"
       "  output logic __done, output logic [H-1:0] bits_o, output logic [7:0] crc_o, output logic phase_o);\n"
       "  pcs_transport #(.H(H), .Latency(Latency)) unit (.clk_i(clk__i), .rst_ni(!operator), .valid_i(go$x & a___b),\n"
       "    .bits_i(bits_i), .crc_i(crc_i), .phase_i(phase_i), .valid_o(__done), .bits_o(bits_o), .crc_o(crc_o),\n"
       "    .phase_o(phase_o));\nendmodule\n");
  const std::string map = file("my.toml",
                               "[pins]\nclk_i = \"clk__i\"\nrst_ni = \"!operator\"\nvalid_i = \"go$x\"\n"
                               "valid_o = \"__done\"\n[tie]\na___b = 1\n");
  const std::string list = file("my.f", "-f rtl/congestion/congestion.f\nmy.sv\n");
  const Ran wrapped = wrap("my", list, "--block pcs_transport --map " + map);
  ASSERT_EQ(wrapped.exit_code, 0) << wrapped.err;
  EXPECT_EQ(run_json("cosim --block pcs_transport --size tiny --traffic corner --transactions 2000 --device-lib " +
                     path("my.so"))["verdict"],
            "pass");
  expect_refused(wrap("my", list, "--block pcs_transport"),
                 "missing: clk_i (1 bit), rst_ni (1 bit), valid_i (1 bit), valid_o (1 bit); inputs that the unit does "
                 "not have: clk__i, operator, go$x, a___b (--map");
}

/// What the tools say, or that there are none; the folder of --keep may be there or not.
TEST_F(OwnDevice, WrapTellsOfItsToolsAndFolders) {
  const std::string list = file("my.f", "my.sv\n"), bin = path("bin"), kept = " --keep " + path("kept");
  file("my.sv", "module my(input logic clk_i);\nendmodule\n");
  const std::string words = "wrap --block pcs_transport --size tiny --top my --files " + list + " -o " + path("my.so");
  const auto with = [&](const std::string& environment, const std::string& more) {
    const std::string err = path("err"), out = path("out");
    const int status =
        std::system((environment + " " ODONATA_PROGRAM " " + words + more + " >" + out + " 2>" + err).c_str());
    return Ran{WEXITSTATUS(status), read_text(out), read_text(err)};
  };
  const auto verilator = [&](const std::string& script) {
    std::filesystem::create_directories(bin);
    file("bin/verilator", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(bin + "/verilator", std::filesystem::perms::owner_all);
  };
  EXPECT_FALSE(std::filesystem::exists(path("kept")));
  for ([[maybe_unused]] const char* folder : {"is made", "is there"})
    expect_refused(with("PATH=" + bin, kept), "wrap: verilator cannot be run, expected it to be installed");
  EXPECT_TRUE(std::filesystem::exists(path("kept/plugin.cpp")));
  verilator("exit 3");
  expect_refused(with("PATH=" + bin, ""), "wrap: verilator failed: without a message (--keep DIR");
  verilator("echo a line; echo \"%Error: my.sv:1: not today\"; exit 1");
  expect_refused(with("PATH=" + bin, ""), "wrap: verilator failed: %Error: my.sv:1: not today (--keep DIR");
  expect_refused(with("", " --keep " + list + "/kept"), "my.f/kept: cannot be made");
  expect_refused(with("TMPDIR=" + path("none"), ""), "TMPDIR: expected a folder for temporary files");
  expect_refused(with("TMPDIR=/proc", ""), "/proc/odonata-wrap-");
  EXPECT_FALSE(std::filesystem::exists(path("my.so")));
}

/// Parameters are set behind an import and among others of their kind; local ones, and what a comment says, are not.
TEST_F(OwnDevice, WrapSetsTheParametersThatMayBeSet) {
  file("own_pkg.sv", "package own_pkg;\n  typedef logic word_t;\nendpackage\n");
  file("my.sv",
       "module my import own_pkg::*; #(/* parameter int H = 5; ( */\n  parameter int X = 1, P = 7, // , G = 9\n"
       "  parameter logic [3:0] A = 4'(3),\n  localparam int NB = 3, G = 5\n) (\n"
       "  input logic [P-1:0] clk_i, input logic [A+3:0] rst_ni, input logic [NB-1:0] req_valid_i,\n"
       "  input logic [G-1:0] cfg_valid_i);\nendmodule\n");
  expect_refused(wrap("my", file("my.f", "# a list\nown_pkg.sv\n// and what is wrapped\nmy.sv\n")),
                 "clk_i has 2 bits, expected 1, rst_ni has 8 bits, expected 1, req_valid_i has 3 bits, expected 1, "
                 "cfg_valid_i has 5 bits, expected 1");
}

/// A parameter may have no default, and a default may have commas.
TEST_F(OwnDevice, WrapSetsTheParametersWithoutADefault) {
  file("own_pkg.sv",
       "package own_pkg;\n  function automatic int most(int a, int b, int c);\n    return a + b + c;\n  endfunction\n"
       "endpackage\n");
  file("my.sv",
       "module my #(localparam int G = 5, parameter int P, X = own_pkg::most(1, G, 2), parameter logic Y [2] = '{1, 0}"
       "\n) (input logic [P-1:0] clk_i, input logic [G-1:0] rst_ni, input logic [X-1:0] req_valid_i);\nendmodule\n");
  const Ran refused = wrap("my", file("my.f", "own_pkg.sv\nmy.sv\n"));
  expect_refused(refused, "clk_i has 2 bits, expected 1, rst_ni has 5 bits, expected 1, req_valid_i has 8 bits");
}

/// A directive of the preprocessor may stand before the list.
TEST_F(OwnDevice, WrapSetsTheParametersBehindADirective) {
  file("my.sv",
       "module my\n`ifdef FOO\n#(parameter int P = 8)\n`else\n#(parameter int P = 7)\n`endif\n"
       "(input logic [P-1:0] clk_i);\nendmodule\n");
  expect_refused(wrap("my", file("my.f", "my.sv\n")), "clk_i has 2 bits, expected 1");
}

/// Without a list of parameters those of the body are set.
TEST_F(OwnDevice, WrapSetsTheParametersOfABody) {
  file("my.sv",
       "module my (clk_i, rst_ni, req_valid_i);\n  parameter P = 7, A = 9;\n  localparam H = 5;\n"
       "  input [P-1:0] clk_i;\n  input [A-1:0] rst_ni;\n  input [H-1:0] req_valid_i;\nendmodule\n");
  expect_refused(wrap("my", file("my.f", "my.sv\n")),
                 "clk_i has 2 bits, expected 1, rst_ni has 4 bits, expected 1, req_valid_i has 5 bits, expected 1");
}

/// RTL with names of its own, a request every second cycle, from the sources to verdicts of both commands; the longest
/// test, it verilates.
TEST_F(OwnDevice, RtlThatTakesEverySecondCycle) {
  const Ran wrapped = wrap("rc_half", "docs/examples/own_rtl/half.f", "--map docs/examples/own_rtl/half.toml");
  ASSERT_EQ(wrapped.exit_code, 0) << wrapped.err;
  EXPECT_NE(wrapped.out.find("without probe_o: not compared"), std::string::npos) << wrapped.out;
  const std::string with_probe = read_text("docs/examples/own_rtl/half.toml");
  const size_t pins = with_probe.find("[pins]\n") + 7;
  expect_refused(wrap("rc_half", "docs/examples/own_rtl/half.f",
                      "--map " + file("probe.toml",
                                      with_probe.substr(0, pins) + "probe_o = \"seen\"\n" + with_probe.substr(pins))),
                 "missing: seen (24 bits, for probe_o)");
  const std::string library = path("rc_half.so"),
                    lockstep = "cosim --size tiny --traffic corner --transactions 20000 --artifacts " + path("") +
                               " --device-lib " + library;
  EXPECT_EQ(run_json(lockstep + " --interval auto --latency auto")["verdict"], "pass");
  const Ran lost = run(lockstep);
  EXPECT_EQ(lost.exit_code, 1) << "without --interval requests are lost";
  EXPECT_NE(lost.out.find(" a request every 2 cycles; compared as latency 4, a request every cycle. As it is: "
                          "--interval 2\n"),
            std::string::npos)
      << lost.out;
  EXPECT_NE(lost.out.find("Replay: odonata cosim --block route_compute --trace-in " + path("") +
                          "/mismatch_route_compute.trace --device-lib " + library),
            std::string::npos)
      << lost.out;
  EXPECT_EQ(run("cosim --trace-in " + path("mismatch_route_compute.trace") + " --device-lib " + library +
                " --artifacts " + path(""))
                .exit_code,
            1);

  const std::string measure = "pipeline --size tiny --requests 2000 --device-lib " + library;
  const Json times = run_json(measure, 1);
  EXPECT_EQ(times["levels"]["rc_half"]["initiation_interval"], 2);
  EXPECT_EQ(times["levels"]["rc_half"]["latency_cycles"], 4);
  EXPECT_EQ(times["levels"]["rc_half"]["probed"], false);
  EXPECT_EQ(run(measure + " --expect " + file("half.toml", "initiation_interval = 2\n")).exit_code, 0);
  expect_refused(run(measure + " --expect " + file("bad.toml", "latncy = 4\n")),
                 "unknown key 'latncy', expected latency, initiation_interval, stages or writes");
  for (const char* rule : {"any", "first_free"}) {
    const Ran judged = run(measure + " --expect " +
                           file("rule.toml", "initiation_interval = 2\nwrites = \"" + std::string(rule) + "\"\n"));
    EXPECT_EQ(judged.exit_code, 0) << judged.out;
    EXPECT_TRUE(std::regex_search(
        judged.out, std::regex("table writes: cycles waited *" + std::string(rule[0] == 'a' ? "any" : "first free"))))
        << judged.out;
  }
  expect_refused(run("pipeline --size paper --device-lib " + library), "made for P=2, expected 6");

  const std::string live = "net --size tiny --traffic adv+1 --load 0.2 --warmup 200 --cycles 800 --device-lib ";
  const Json network = run_json(live + library + " --at 1.2");
  EXPECT_EQ(network["verdict"], "pass") << "requests wait until the unit can take them";
  EXPECT_GT(network["compared"].get<int>(), 500);
  expect_refused(run(live + library + " --at 1.2 --device rtl"), "expected neither --device nor --plant");
  expect_refused(run("net --mesh 4x4 --at 1,1 --device-lib " + library),
                 "is a device of 'route_compute', expected arb_request_logic");
  expect_refused(run("crosscheck --load 0.2 --cycles 100 --device-lib " + library),
                 "answers after 4 cycles and takes a request every 2; routers and engine are built for 4 and 1: with "
                 "more every packet would leave in "
                 "another cycle than in the engine");
}

/// A unit in routers of the SystemC network, against the engine, while links and a router fail; the first wrong answer
/// ends the run and is explained.
TEST_F(OwnDevice, RoutesInTheCrossCheck) {
  const std::string check = "crosscheck --load 0.3 --cycles 700 --random-faults --device-lib " RTL_DEVICE;
  be("route_compute");
  const Json some = run_json(check + " --at 1.2,4.0"), all = run_json(check + " --route-compute arrival");
  EXPECT_EQ(some["verdict"], "pass");
  EXPECT_GT(some["device"]["answers"].get<int>(), 500);
  EXPECT_GT(all["device"]["answers"].get<int>(), 10 * some["device"]["answers"].get<int>());
  EXPECT_GT(all["device"]["rewritten"].get<int>(), 10) << "entries with marks of the fault plane";
  for (const int pin : {2, 3, 4}) {
    be("route_compute", 40, 0, 1, pin);
    EXPECT_EQ(run(check + " --at 1.2").exit_code, 1) << pin;
  }
  be("route_compute", 40);
  const Ran wrong = run(check + " --at 1.2");
  EXPECT_EQ(wrong.exit_code, 1) << wrong.err;
  for (const char* words : {"DIFFERENT", "Route compute of g1.r2, port ", ": hop class: expected ", "this is no pass"})
    EXPECT_NE(wrong.out.find(words), std::string::npos) << words << "\n" << wrong.out;
  be("route_compute");
  expect_refused(run(check + " --at 9.0"), "--at '9.0': expected all or GROUP.ROUTER");
  expect_refused(run(check + " --at all --device rtl"), "expected neither --device nor --plant");
  expect_refused(run(check + " --plant late-stage"), "expected neither --device nor --plant");
  expect_refused(run("crosscheck --torus 4x4 --load 0.2 --device-lib " RTL_DEVICE),
                 "is a device of 'route_compute', expected torus_route");
  expect_refused(run("crosscheck --mesh 4x4 --load 0.2 --device-lib " RTL_DEVICE),
                 "expected a dragonfly, torus or fat-tree, not a mesh");
  be("crossbar");
  expect_refused(run(check), "is a device of 'crossbar', expected route_compute");
}

/// The route units of a torus and of the switches of a fat-tree, likewise; a fat-tree's cycle has edges to spare.
TEST_F(OwnDevice, RoutesInTheCrossCheckOfTheOthers) {
  struct Case {
    const char *unit, *network, *some, *wrong_place, *expected;
    int late;  ///< edges that the network can wait
    int pins;  ///< of an answer, behind the one that says that there is one
  };
  const std::string device = " --random-faults --cycles 400 --device-lib " RTL_DEVICE;
  const Case cases[] = {{"torus_route", "crosscheck --torus 4x4 --load 0.3 --packet 4", "'1,1;2,3'", "1,4",
                         "expected all or X,Y below 4,4", 0, 5},
                        {"vtftr_leaf", "crosscheck --fat-tree 4,4,2,2 --load 0.4", "'leaf:1,1;leaf:2,0'", "row:0,1",
                         "expected all or leaf:X,Y below 4,4", 2, 3},
                        {"vtftr_root", "crosscheck --fat-tree 5,3,2,2 --load 0.4", "'row:0,1;column:3,0'", "leaf:0,0",
                         "expected all or row:LINE,RAIL or column:LINE", 1, 3}};
  for (const Case& c : cases) {
    be(c.unit, 0, c.late, 2);
    const Json all = run_json(c.network + device), some = run_json(c.network + device + " --at " + c.some);
    EXPECT_EQ(all["verdict"], "pass") << c.unit;
    EXPECT_GT(some["device"]["answers"].get<int>(), 20) << c.unit;
    EXPECT_GT(all["device"]["answers"].get<int>(), 2 * some["device"]["answers"].get<int>()) << c.unit;
    expect_refused(run(c.network + device + " --at " + c.wrong_place), c.expected);
    be(c.unit, 0, c.late + 1);
    expect_refused(run(c.network + device), "edges of the units' clock, and a packet goes on in the next one");
    for (int pin = 1; pin <= c.pins; ++pin) {
      be(c.unit, 30, 0, 1, pin);
      const Ran wrong = run(c.network + device);
      EXPECT_EQ(wrong.exit_code, 1) << c.unit << " pin " << pin << wrong.err;
      for (const char* words : {"DIFFERENT", ", after ", " equal answers:", ": expected ", "this is no pass"})
        EXPECT_NE(wrong.out.find(words), std::string::npos) << words << "\n" << wrong.out;
    }
  }
}

/// Units of the other networks decide in the running network, in lockstep with the golden unit.
TEST_F(OwnDevice, DecidesInEveryNetwork) {
  const std::string device = " --load 0.2 --warmup 200 --cycles 800 --device-lib " RTL_DEVICE " --at ";
  struct Case {
    const char* unit;
    int pins;  ///< of an answer, behind the one that says that there is one
    std::string command;
  };
  const Case networks[] = {{"torus_route", 5, "net --torus 4x4 --fail node:1,1" + device + "2,1"},
                           {"vtftr_leaf", 3, "net --fat-tree 4,4,2,2" + device + "leaf:1,1"},
                           {"vtftr_root", 3, "net --fat-tree 4,4,2,2" + device + "row:0,1"},
                           {"arb_request_logic", 7, "net --mesh 8x8 --routing d2ra --packet 5" + device + "3,4"}};
  for (const auto& [unit, pins, command] : networks) {
    be(unit);
    EXPECT_GT(run_json(command)["compared"].get<int>(), 20) << unit;
    for (int pin = 1; pin <= pins; ++pin) {
      be(unit, 3, 0, 1, pin);
      const Ran wrong = run(command);
      EXPECT_EQ(wrong.exit_code, 1) << unit << " pin " << pin << wrong.err;
      EXPECT_NE((wrong.out + wrong.err).find("Mismatch after "), std::string::npos) << unit << wrong.out << wrong.err;
    }
    expect_refused(run(command + " --device rtl"), "expected neither --device nor --plant");
    be("crossbar");
    expect_refused(run(command), std::string("is a device of 'crossbar', expected ") + unit);
  }
  for (const char* unit : {"torus_route", "arb_request_logic"}) {  // any latency below the longest wait, any interval
    const std::string command = std::string("net ") +
                                (unit[0] == 't' ? "--torus 4x4" : "--mesh 8x8 --routing d2ra --packet 5") + device +
                                "2,1";
    be(unit, 0, 9, 3);
    EXPECT_EQ(run_json(command)["verdict"], "pass") << unit;
    be(unit, 0, 20);
    expect_refused(run(command), "answers after 21 cycles; the running network waits less than 16 for an answer");
  }
  be("torus_route");
  expect_refused(run("net --torus 4x4 --load 0.2 --device-lib " RTL_DEVICE), "needs --at X,Y");
  expect_refused(run("net --topology docs/examples/topology/two_rows.json --device-lib " RTL_DEVICE),
                 "has no routing in hardware");
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
  expect_refused(run("pipeline --block router --size tiny" + device),
                 "is a device of 'vtftr_leaf', expected router_data");
}

/// Units of other families, also at a size that was never built, and of another latency.
TEST_F(OwnDevice, RtlOfOtherFamilies) {
  const std::string work = " -o " + path("own.so"),
                    lockstep =
                        "cosim --transactions 3000 --traffic corner --device-lib " + path("own.so") + " --block ";
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
  expect_refused(run("cosim --block vtftr_leaf --set tree=5,3,2,2,mask"), "only vtftr_root has a mask form");
  be("vtftr_root");
  const std::string mask =
      "cosim --block vtftr_root --set tree=5,3,2,2,mask --transactions 3000 --device-lib " RTL_DEVICE;
  EXPECT_EQ(run_json(mask)["verdict"], "pass");
}

/// A right answer some cycles later is right, and what is covered is what was answered.
TEST_F(OwnDevice, AnswersLaterInEveryFamily) {
  const std::pair<const char*, const char*> units[] = {{"route_compute", "route_compute --size tiny"},
                                                       {"torus_route", "torus_route"},
                                                       {"vtftr_leaf", "vtftr_leaf"},
                                                       {"vtftr_root", "vtftr_root"},
                                                       {"arb_request_logic", "arb_request --set part=logic"}};
  for (const auto& [unit, block] : units) {
    for (const char* traffic : {"corner", "ur"}) {
      const std::string command = std::string("cosim --transactions 3000 --traffic ") + traffic +
                                  " --device-lib " RTL_DEVICE " --artifacts " + path("") + " --block " + block;
      be(unit);
      const Json in_time = run_json(command);
      be(unit, 0, 3);
      const Json late = run_json(command + " --latency auto");
      EXPECT_EQ(late["verdict"], "pass") << unit << " " << traffic;
      EXPECT_EQ(late["coverage"]["contradicted"], Json::array()) << unit << " " << traffic;
      for (size_t k = 0; k != in_time["coverage"]["groups"].size(); ++k) {  // the run is a little longer
        const Json &group = in_time["coverage"]["groups"][k], &as_late = late["coverage"]["groups"][k];
        EXPECT_EQ(as_late["reached"], group["reached"]) << unit << " " << traffic << ": " << group["name"];
        EXPECT_GE(as_late["hits"], group["hits"]) << unit << " " << traffic << ": " << group["name"];
      }
    }
  }
}

/// A unit that refuses what is written into its tables.
TEST_F(OwnDevice, ThatRefusesItsConfigurationFails) {
  be("route_compute");
  const std::string measure = "pipeline --size tiny --requests 500 --device-lib " RTL_DEVICE;
  EXPECT_EQ(run(measure).exit_code, 0);
  setenv("OWN_HIGH", "cfg_err_o", 1);
  const Ran ran = run(measure);
  unsetenv("OWN_HIGH");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_TRUE(std::regex_search(ran.out, std::regex("table writes: [1-9][0-9]* refused"))) << ran.out;
}

/// A unit against its user's specification: later, and a request every second cycle. Of every block that `pipeline`
/// knows.
TEST_F(OwnDevice, IsHeldAgainstItsUsersSpecification) {
  struct Case {
    const char *unit, *command;
    int latency;
    const char* stages;
  };
  const Case cases[] = {{"route_compute", "pipeline --size tiny", 4, "[1, 1, 1, 4]"},
                        {"torus_route", "pipeline --block torus_route --torus 4x4", 2, ""},
                        {"vtftr_leaf", "pipeline --block vtftr_leaf", 3, "[1, 1, 1]"},
                        {"vtftr_root", "pipeline --block vtftr_root", 4, "[1, 1, 1, 1]"}};
  for (const Case& c : cases) {
    const std::string measure = std::string(c.command) + " --requests 500", own = measure + " --device-lib " RTL_DEVICE;
    const std::string stages = *c.stages != 0 ? std::string("stages = ") + c.stages + "\n" : "",
                      later = std::to_string(c.latency + 3);
    const auto expecting = [&](const std::string& text) { return " --expect " + file("want.toml", text); };
    be(c.unit, 0, 3, 2);
    const Json times = run_json(own + expecting("latency = " + later + "\ninitiation_interval = 2\n" + stages));
    EXPECT_EQ(times["verdict"], "pass") << c.unit;
    EXPECT_EQ(times["specification"]["latency_cycles"], c.latency + 3) << c.unit;
    EXPECT_EQ(times["levels"].begin().value()["initiation_interval"], 2) << c.unit;
    const Ran plain = run(own);
    EXPECT_EQ(plain.exit_code, 1) << c.unit;
    for (const std::string& words : {"the specification says " + std::to_string(c.latency),
                                     std::string("initiation interval 2"), std::string("the specification says 1")})
      EXPECT_NE(plain.out.find(words), std::string::npos) << c.unit << words << plain.out;
    const Ran ours = run(measure + " --levels golden" + expecting("latency = " + later + "\n"));
    EXPECT_EQ(ours.exit_code, 1) << c.unit << ours.err;
    EXPECT_NE(ours.out.find("want.toml says " + later), std::string::npos) << c.unit << ours.out;
    expect_refused(run(measure + expecting("latncy = 4\n")), "want.toml: unknown key 'latncy', expected latency");
    expect_refused(run(measure + expecting("latency = 0\n")),
                   "want.toml: latency: expected a number of cycles 1..1000");
    if (*c.stages != 0) expect_refused(run(measure + expecting("stages = 3\n")), "want.toml: stages: expected ");
    expect_refused(run(measure + expecting("stages = [1]\n")),
                   *c.stages != 0 ? "want.toml: stages: expected " : "unknown key 'stages'");
    expect_refused(run(measure + " --expect " + path("nothing.toml")), "nothing.toml");
    if (std::string(c.unit) != "route_compute")
      expect_refused(run(measure + expecting("writes = \"any\"\n")), "unknown key 'writes'");
  }
  const std::string router = "pipeline --block router --size tiny --requests 100 --levels golden --expect ";
  EXPECT_EQ(run(router + file("want.toml", "link = 5\ncontended = [5, 10]\nstream_rate = 1\n")).exit_code, 0);
  const Ran later = run(router + file("want.toml", "link = 6\ncontended_rate = 0.5\n"));
  EXPECT_EQ(later.exit_code, 1);
  EXPECT_EQ(run_json(router + path("want.toml"), 1)["verdict"], "fail");
  for (const char* words : {"golden: arrival to link, alone: 5, ", "want.toml says 6",
                            "flits a cycle of that link: 1.000, ", "want.toml says 0.500"})
    EXPECT_NE(later.out.find(words), std::string::npos) << later.out;
  expect_refused(run(router + file("want.toml", "latency = 4\n")),
                 "want.toml: unknown key 'latency', expected grant, link, ");
  EXPECT_EQ(run(router + file("want.toml", "link = [5, 5]\n")).exit_code, 0);
  EXPECT_EQ(run(router + file("want.toml", "stream_rate = 0\n")).exit_code, 1) << "0 is a rate";
  expect_refused(run(router + file("want.toml", "stream_rate = -0.5\n")),
                 "want.toml: stream_rate: expected a rate 0..1");
  expect_refused(run(router + file("want.toml", "link = [6, 5]\n")), "want.toml: link: least 6 is more than most 5");
  expect_refused(run(router + file("want.toml", "link = \"5\"\n")),
                 "want.toml: link: expected a number of cycles 0..1000");
  expect_refused(run(router + file("want.toml", "stream_rate = 2\n")), "want.toml: stream_rate: expected a rate 0..1");
}

/// A unit that is slower while it answers: each phase is shown and judged by itself.
TEST_F(OwnDevice, IsShownPhaseByPhase) {
  struct Case {
    const char *unit, *command;
    int alone;
    std::vector<const char*> shown;
  };
  const Case cases[] = {
      {"route_compute",
       "pipeline --size tiny",
       4,
       {"latency, isolated requests +4 +4 +4\n.*back to back +4 +4 +4\\.\\.5\n.*beside table writes +4 +4 +4\\.\\.5\n",
        "requests beside table writes: latency 4\\.\\.5 cycles"}},
      {"torus_route", "pipeline --block torus_route --torus 4x4", 2, {"rtl_device +2, 1 +2 +2\\.\\.3 +1\\.\\.2 +0 "}},
      {"vtftr_root",
       "pipeline --block vtftr_root",
       4,
       {"latency, back to back +4 +4 +4\\.\\.5\n", "initiation interval +1 +1 +1\\.\\.2\n"}}};
  for (const Case& c : cases) {
    be(c.unit);
    setenv("OWN_BUSY", "1", 1);
    const Ran ran = run(std::string(c.command) + " --requests 500 --levels golden --device-lib " RTL_DEVICE " --json " +
                        path("r.json"));
    unsetenv("OWN_BUSY");
    EXPECT_EQ(ran.exit_code, 1) << c.unit;
    EXPECT_EQ(ran.out.find("isolated requests: "), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find(fmt::format("back-to-back requests: latency {}..{} cycles", c.alone, c.alone + 1)),
              std::string::npos)
        << ran.out;
    EXPECT_NE(ran.out.find("back-to-back requests: initiation interval 1..2 cycles"), std::string::npos) << ran.out;
    for (const char* shown : c.shown) EXPECT_TRUE(std::regex_search(ran.out, std::regex(shown))) << shown << ran.out;
    Json levels = Json::parse(read_text(path("r.json")))["levels"];
    levels.erase("golden");
    ASSERT_EQ(levels.size(), 1u);
    const Json& level = levels.begin().value();
    EXPECT_EQ(level["latency_cycles"], c.alone) << c.unit;
    EXPECT_GT(level["initiation_interval"], 1) << c.unit;
    if (level.contains("latency_back_to_back")) {
      EXPECT_GT(level["latency_back_to_back"], c.alone);
    }
  }
}

TEST_F(OwnDevice, PlantsShowAFailingVerdict) {
  const Ran ran = run("pipeline --size tiny --requests 1000 --plant ack-early");
  EXPECT_EQ(ran.exit_code, 1) << ran.out;
  EXPECT_NE(ran.out.find("FAIL"), std::string::npos) << ran.out;
  expect_refused(run("pipeline --size tiny --levels golden --plant ack-early"), "expected --levels rtl, not golden");
  const std::string torus = "pipeline --block torus_route --torus 4x4 --requests 1000 ";
  const Ran late = run(torus + "--plant blocked-late");
  EXPECT_EQ(late.exit_code, 1) << late.out;
  EXPECT_NE(late.out.find("answers are not the route of their request"), std::string::npos) << late.out;
  expect_refused(run(torus + "--levels golden --plant blocked-late"), "expected --levels rtl, not golden");
  expect_refused(run(torus + "--plant nothing"), "nothing");
  expect_refused(run("pipeline --block vtftr_leaf --plant leaf-probe-swapped"),
                 "no planted bug of vtftr_leaf changes its cycles");
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
  for (const auto check : {timing_is_right<cosim::TorusRouteBlock, cosim::torus_route_bench>,
                           timing_is_right<cosim::VtftrLeafBlock, cosim::vtftr_leaf_bench>,
                           timing_is_right<cosim::VtftrRootBlock, cosim::vtftr_root_bench>,
                           timing_is_right<cosim::ArbLogicBlock, cosim::arb_logic_bench>})
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
