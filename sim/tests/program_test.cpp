// SPDX-License-Identifier: Apache-2.0
// The program's manners: help, bad input, configuration files, output files.
#include <fmt/format.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <sstream>

#include "models/common/error.h"
#include "models/common/random.h"
#include "sim/commands.h"
#include "sim/common/config_file.h"
#include "sim/common/options.h"
#include "sim/common/program.h"
#include "sim/network/parameters.h"
#include "sim/network/simulation.h"
#include "sim/tests/run_program.h"

namespace odonata::cli {
namespace {

using Program = ProgramTest;

TEST_F(Program, HelpListsTheCommands) {
  const Ran ran = run("--help");
  EXPECT_EQ(ran.exit_code, 0);
  for (const char* word : {"route", "pipeline", "report", "Exit codes"})
    EXPECT_NE(ran.out.find(word), std::string::npos) << word;
}

TEST_F(Program, EveryCommandTeachesWithExamples) {
  CLI::App app;
  add_all_commands(app);
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    const Ran ran = run(command->get_name() + " --help");
    EXPECT_EQ(ran.exit_code, 0) << command->get_name();
    EXPECT_NE(ran.out.find("Examples:\n  odonata " + command->get_name()), std::string::npos) << ran.out;
    EXPECT_EQ(ran.err, "");
  }
}

TEST_F(Program, TheManualSaysWhatAnOptionIsWithoutBeingGiven) {
  EXPECT_NE(run("--man").out.find("\\fB\\&\\-\\-load\\fR \\fI\\&FLOAT\\fR\n\\&requests a cycle [0.8]\n"),
            std::string::npos);
}

TEST_F(Program, VersionNamesTheCommit) {
  const Ran ran = run("--version");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out.rfind("odonata 0.2.0 (commit ", 0), 0u) << ran.out;
  const Json result = run_json("route --size tiny --from 0,0,0 --to 0,0,1");
  EXPECT_EQ("odonata " + result["version"].get<std::string>() + "\n", ran.out);
}

TEST_F(Program, TheTableOfParametersIsTheOneInTheDocuments) {
  const std::string page = read_text("docs/cli.md"), begin = "<!-- odonata net --list-parameters -->\n",
                    end = "<!-- end -->";
  const size_t from = page.find(begin);
  ASSERT_NE(from, std::string::npos);
  const size_t at = from + begin.size();
  EXPECT_EQ(page.substr(at, page.find(end, at) - at), run("net --list-parameters").out)
      << "print it with: odonata net --list-parameters";
}

TEST_F(Program, ParametersStandInTheResult) {
  const Json result = run_json(
      "net --size tiny --load 0.25 --warmup 10 --cycles 300 --switching wormhole --pipelined "
      "--fail global:G0-G1@200");
  EXPECT_EQ(result["parameters"]["load"], 0.25);
  EXPECT_EQ(result["parameters"]["warmup"], 10);
  EXPECT_EQ(result["parameters"]["switching"], "wormhole");
  EXPECT_EQ(result["parameters"]["pipelined"], true);
  EXPECT_EQ(result["parameters"]["local-window"], 20) << "what follows from others has its value";
  EXPECT_FALSE(result["parameters"].contains("depth"));
  const Json mesh = run_json("net --mesh 4x4 --load 0.25 --warmup 10 --cycles 300");
  EXPECT_EQ(mesh["parameters"]["depth"], 8) << "D2RA Table 2";
  EXPECT_EQ(mesh["parameters"]["vcs"], 3) << "D2RA Table 2";
  EXPECT_FALSE(mesh["parameters"].contains("interval"));
}

TEST_F(Program, ARecordedStimulusSaysItsArrangement) {
  const std::string record = path("absolute.stim");
  ASSERT_EQ(
      run("cosim --dragonfly 2,4,2,8 --arrangement absolute --device systemc --transactions 300 --record " + record)
          .exit_code,
      0);
  const Ran again = run("cosim --trace-in " + record + " --device systemc");
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NE(again.out.find("dfly(2,4,2,8) absolute"), std::string::npos) << again.out;
  const std::string both = "cosim --trace-in " + record + " --device systemc --dragonfly 2,4,2,8 --arrangement ";
  EXPECT_EQ(run(both + "absolute").exit_code, 0);
  expect_refused(run(both + "direct"), "recorded for");
  const std::string alone = "cosim --trace-in " + record + " --device systemc --arrangement ";
  EXPECT_EQ(run(alone + "absolute").exit_code, 0);
  expect_refused(run(alone + "direct"), "recorded for dfly(2,4,2,8) absolute, not for dfly(2,4,2,8) direct");
  expect_refused(run("cosim --trace-in " + record + " --seed 3"), "--seed: --trace-in " + record + " is the stimulus");
  const Json replayed = run_json("cosim --trace-in " + record + " --device systemc");
  EXPECT_TRUE(replayed["seed"].is_null()) << "the recording has its own";
  EXPECT_TRUE(replayed["load"].is_null()) << "the recording has its own";
}

/// Every unit of a dragonfly, not only the route compute: the tiny size is made in both arrangements.
TEST_F(Program, RecordedStimuliOfAllUnitsSayTheirArrangement) {
  const std::string record = path("unit.stim");
  for (const std::string block : {"pcs_transport", "fault_port", "fault_router", "router_data", "router"}) {
    const std::string run_of = "cosim --block " + block + " --device systemc ";
    ASSERT_EQ(run(run_of + "--size tiny --arrangement absolute --transactions 50 --record " + record).exit_code, 0);
    const Ran again = run(run_of + "--trace-in " + record);
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_NE(again.out.find("dfly(2,4,2,8) absolute"), std::string::npos) << again.out;
    expect_refused(run(run_of + "--arrangement direct --trace-in " + record),
                   "recorded for dfly(2,4,2,8) absolute, not for dfly(2,4,2,8) direct");
  }
}

TEST_F(Program, ATraceHasItsOwnPacketsAndCycles) {
  ASSERT_EQ(run("mesh-trace --generate --mesh 4x4 --cycles 300 --load 0.1 --out " + path("t.odtrace")).exit_code, 0);
  const std::string net = "net --mesh 4x4 --routing d2ra --traffic trace:" + path("t.odtrace");
  EXPECT_TRUE(run_json(net)["load"].is_null());
  for (const char* option : {"load 0.2", "packet 3", "packet-mix 1,5", "warmup 10", "cycles 100"})
    expect_refused(run(net + " --" + option), "traffic from a trace has its own packets and cycles");
}

TEST_F(Program, ATraceAndProgramsExcludeEachOther) {
  ASSERT_EQ(run("mesh-trace --generate --mesh 4x4 --cycles 300 --load 0.1 --out " + path("t.odtrace")).exit_code, 0);
  expect_refused(run("net --mesh 4x4 --workload dl:ranks=4,it=1,bytes=64 --traffic trace:" + path("t.odtrace")),
                 "--workload and --traffic trace: expected one of them");
}

TEST_F(Program, ACheckpointOfOtherParametersIsRefusedByName) {
  const std::string state = path("state"), run_of = "net --size tiny --warmup 0 --cycles 300 ";
  ASSERT_EQ(run(run_of + "--checkpoint " + state + " --checkpoint-every 100").exit_code, 0);
  EXPECT_EQ(run(run_of + "--threads 2 --resume " + state).exit_code, 0);
  expect_refused(run(run_of + "--load 0.3 --resume " + state), "another --load: '0.4', this run has '0.3'");
  expect_refused(run(run_of + "--fail global:G0-G1@200 --resume " + state), "made without --fail, this run has");
  expect_refused(run(run_of + "--local-latency 11 --resume " + state),
                 "another --local-latency: '10', this run has '11'");
  const std::string failing = run_of + "--fail local:G0.s0-G0.s1@250 ";
  ASSERT_EQ(run(failing + "--checkpoint " + path("failing") + " --checkpoint-every 100").exit_code, 0);
  EXPECT_EQ(run(failing + "--resume " + path("failing")).exit_code, 0);
  for (const char* other : {"local:G0.s0-G0.s2@250", "local:G0.s0-G0.s1@251", "local:G0.s1-G0.s2@250"})
    expect_refused(run(run_of + "--fail " + other + " --resume " + path("failing")), "another --fail");
  const std::string torus =
      "net --torus 4x4 --load 0.1 --warmup 0 --cycles 300 ";  // its faults can stand from the start
  ASSERT_EQ(run(torus + "--fail node:1,1 --checkpoint " + path("standing") + " --checkpoint-every 100").exit_code, 0);
  EXPECT_EQ(run(torus + "--fail node:1,1 --resume " + path("standing")).exit_code, 0);
  expect_refused(run(torus + "--fail node:2,1 --resume " + path("standing")), "another --fail");
  expect_refused(run(torus + "--resume " + path("standing")), "another --fail: 'node:1,1', this run has none");
  expect_refused(run(run_of + "--resume " + path("failing")), "--fail: 'local:G0.s0-G0.s1@250', this run has none");
  expect_refused(run(failing + "--repair all --repair-at 280 --resume " + path("failing")),
                 "made without --repair, this run has 'local:G0.s0-G0.s1@280'");
  const std::string tree = "net --fat-tree 4,4,2,2 --load 0.1 --warmup 0 --cycles 300 ";
  ASSERT_EQ(run(tree + "--fail leaf:1,2@50 --checkpoint " + path("tree") + " --checkpoint-every 100").exit_code, 0);
  expect_refused(run(tree + "--resume " + path("tree")), "--fail: 'leaf:1,2@50', this run has none");
  expect_refused(run("net --mesh 4x4 --resume " + state),
                 "another --topology: 'dfly(2,4,2,8) direct', this run has 'mesh 4x4'");
  const std::string programs = "net --size tiny --workload dl:ranks=4,it=1,bytes=64000";
  ASSERT_EQ(run(programs + " --checkpoint " + path("programs") + " --checkpoint-every 100").exit_code, 0);
  expect_refused(run("net --size tiny --resume " + path("programs")),
                 "another --workload: 'dl:ranks=4,it=1,bytes=64000', this run has none");
  expect_refused(run(programs + " --resume " + state), "made without --workload, this run has 'dl:ranks=4,it=1,");
}

TEST_F(Program, HelpFitsTheTerminal) {
  for (const size_t width : {80, 100, 200}) {
    setenv("COLUMNS", std::to_string(width).c_str(), 1);
    size_t longest = 0;
    for (const char* command : {"--help", "net --help", "fault --help"}) {
      const std::string text = run(command).out;
      std::istringstream lines(text.substr(0, text.find("Examples:")));
      for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
    }
    EXPECT_LE(longest, width);
    EXPECT_GT(longest, width - 20) << "the width is used";
  }
  unsetenv("COLUMNS");
}

/// The reference is that of the run; a mismatch is told where its files cannot be written.
TEST_F(Program, AMismatchIsToldWithoutItsFiles) {
  const std::string found = "cosim --size tiny --plant gb-gc-swap --reference systemc --artifacts ";
  const Json kept = run_json(found + path("out"), 1)["mismatch"]["shrunk"];
  EXPECT_EQ(kept["replay"], "odonata cosim --block route_compute --trace-in " +
                                path("out/mismatch_route_compute.trace") + " --reference systemc --plant gb-gc-swap");
  EXPECT_EQ(kept["waveform"], path("out/mismatch_route_compute.fst"));
  EXPECT_NE(run_json(found + "'" + path("a b") + "'", 1)["mismatch"]["shrunk"]["replay"].get<std::string>().find(
                " --trace-in '" + path("a b/mismatch_route_compute.trace") + "' "),
            std::string::npos);
  const std::string no_folder = file("no_folder", "");
  const Json told = run_json(found + no_folder, 1);
  EXPECT_EQ(told["mismatches"], 1);
  EXPECT_EQ(told["mismatch"]["shrunk"]["cycles"], kept["cycles"]);
  for (const char* key : {"file", "replay", "waveform"}) EXPECT_FALSE(told["mismatch"]["shrunk"].contains(key)) << key;
  EXPECT_EQ(told["report"][1]["text"].get<std::string>().find("Replay"), std::string::npos);
  const Ran ran = run(found + no_folder);
  EXPECT_NE(ran.out.find("No stimulus to replay: "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("No waveform: "), std::string::npos) << ran.out;
}

TEST_F(Program, FewerTransactionsThanAskedForAreNoPass) {
  const std::string thin = "cosim --size tiny --load 0.00005 --transactions 100";
  const Json out = run_json(thin, 1);
  EXPECT_EQ(out["verdict"], "fail");
  EXPECT_EQ(out["wanted"], 100);
  EXPECT_EQ(out["cycles"], 1'100'000);
  EXPECT_LT(out["compared"], 100);
  EXPECT_NE(run(thin).out.find(" of 100 transactions came in 1100000 cycles: this is no pass."), std::string::npos);
  const std::string recorded = path("short.trace");
  const Json whole = run_json("cosim --size tiny --traffic corner --transactions 50 --record " + recorded);
  EXPECT_EQ(whole["wanted"], 50);
  EXPECT_TRUE(run_json("cosim --trace-in " + recorded)["wanted"].is_null());
}

TEST_F(Program, APassingRunLeavesNoFolder) {
  EXPECT_EQ(run("cosim --size tiny --traffic corner --transactions 200 --artifacts " + path("out")).exit_code, 0);
  EXPECT_EQ(files(), 0);
  EXPECT_EQ(run("cosim --size tiny --plant gb-gc-swap --artifacts " + path("out")).exit_code, 1);
  EXPECT_TRUE(std::filesystem::exists(path("out/mismatch_route_compute.trace")));
}

TEST_F(Program, RtlThatIsNotBuiltOrBrokenIsNamed) {
  const std::string cosim = "cosim --size tiny --traffic corner --transactions 200";
  setenv("ODONATA_RTL_DIR", path("").c_str(), 1);
  const Ran missing = run(cosim);
  file("route_compute_tiny.so", "no module");
  const Ran broken = run(cosim);
  unsetenv("ODONATA_RTL_DIR");
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_NE(missing.err.find("no Verilated RTL route_compute_tiny.so in "), std::string::npos) << missing.err;
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_NE(broken.err.find("Verilated RTL " + path("route_compute_tiny.so")), std::string::npos) << broken.err;
  EXPECT_EQ(run(cosim).exit_code, 0);
}

/// A word of the command line takes the place of keys that exclude it; keys of one file do not do so to each other.
TEST_F(Program, KeysOfAFileThatExcludeEachOtherAreRefused) {
  const std::string both =
      file("both.toml", "size = \"tiny\"\ndragonfly = [2, 4, 2, 9]\nfrom = \"0,0,0\"\nto = \"1,0,0\"\n");
  expect_refused(run("route --config " + both), "excludes");
  const Ran typed = run("route --config " + both + " --size tiny");
  EXPECT_EQ(typed.exit_code, 0) << typed.err;
}

TEST_F(Program, AStimulusOfAnotherSizeIsRefused) {
  const std::string trace = path("t");
  ASSERT_EQ(run("cosim --size tiny --traffic corner --transactions 200 --record " + trace).exit_code, 0);
  EXPECT_EQ(run("cosim --trace-in " + trace).exit_code, 0);
  EXPECT_EQ(run("cosim --size tiny --trace-in " + trace).exit_code, 0);
  expect_refused(run("cosim --size full --trace-in " + trace),
                 "recorded for dfly(2,4,2,8) direct, not for dfly(16,32,16,512) direct");
}

struct BadInput {
  const char* name;
  const char* arguments;  ///< @ stands for the working folder, # for an @
  const char* words;      ///< what the message has to contain
};
void PrintTo(const BadInput& bad, std::ostream* out) { *out << bad.arguments; }

class TableTest : public ProgramTest {
 protected:
  /// Arguments of a table with the working folder in them.
  std::string in_folder(std::string arguments) const {
    for (size_t at = arguments.find('@'); at != std::string::npos; at = arguments.find('@'))
      arguments.replace(at, 1, path(""));
    std::replace(arguments.begin(), arguments.end(), '#', '@');
    return arguments;
  }
};

class BadInputTest : public TableTest, public testing::WithParamInterface<BadInput> {};

TEST_P(BadInputTest, IsRefusedInOneLineWithoutFiles) {
  expect_refused(run(in_folder(GetParam().arguments)), GetParam().words);
  EXPECT_EQ(files(), 0);
}

constexpr BadInput kBadInputs[] = {
    {"NoCommand", "", "a command is needed"},
    {"UnknownCommand", "rote", "unknown command 'rote'"},
    {"UnknownOption", "pipeline --sise tiny", "--sise"},
    {"SeedIsNoNumber", "pipeline --seed one --json @x.json", "--seed: 'one'"},
    {"SeedIsNegative", "pipeline --seed=-1 --json @x.json", "--seed: '-1'"},
    {"SeedIsTooLarge", "pipeline --seed 18446744073709551616", "--seed: '18446744073709551616'"},
    {"SeedHasTail", "pipeline --seed 1x", "--seed: '1x'"},
    {"SeedIsEmpty", "pipeline --seed ''", "--seed"},
    {"TooManyGroups", "pipeline --dragonfly 2,4,2,10 --json @x.json", "g = 10 is out of range, expected 2..9"},
    {"TooManyGroupsForNineBits", "pipeline --dragonfly 16,32,16,513", "g = 513"},
    {"TooManyRouters", "pipeline --dragonfly 2,33,2,8", "a = 33"},
    {"TooManyGlobalPorts", "pipeline --dragonfly 2,4,17,8", "h = 17"},
    {"TooManyNodes", "pipeline --dragonfly 17,4,2,8", "p = 17"},
    {"ZeroNodes", "pipeline --dragonfly 0,4,2,8", "p = 0"},
    {"NumbersOverflow", "pipeline --dragonfly 2,4,2,99999999999", "expected four numbers"},
    {"DragonflyIsTooShort", "pipeline --dragonfly 2,4,2", "expected four numbers"},
    {"DragonflyHasWords", "pipeline --dragonfly a,b,c,d", "expected four numbers"},
    {"DirectNeedsARoom", "pipeline --dragonfly 2,4,2,9 --arrangement direct", "g = 9"},
    {"UnknownSize", "pipeline --size huge", "'huge' is unknown, expected tiny, paper, full"},
    {"SizeAndDragonfly", "pipeline --size tiny --dragonfly 2,4,2,8", "--size"},
    {"UnknownLevel", "pipeline --size tiny --levels vhdl", "--levels: 'vhdl'"},
    {"NoRequests", "pipeline --requests 0", "--requests: '0'"},
    {"FromIsMissing", "route --size tiny --to 1,1,1", "--from"},
    {"FromIsNoAddress", "route --size tiny --from 1,1 --to 1,1,1", "--from: '1,1' is no address"},
    {"FromHasTail", "route --size tiny --from 1,1,1,1 --to 1,1,1", "--from"},
    {"GroupOutside", "route --size tiny --from 8,1,1 --to 1,1,1", "--from: group 8 is out of range 0..7"},
    {"RouterOutside", "route --size tiny --from 1,4,1 --to 1,1,1", "--from: router 4"},
    {"NodeOutside", "route --size tiny --from 1,1,1 --to 1,1,2", "--to: node 2"},
    {"NodeNegative", "route --size tiny --from 1,1,1 --to=1,1,-1", "--to: node -1"},
    {"ListIsGibberish", "route --size tiny --from 1,1,1 --to 1,1,0 --congested spam --json @x.json",
     "--congested: 'spam'"},
    {"PortOutside", "route --size tiny --from 1,1,1 --to 1,1,0 --congested g1.r1.p7", "names port 7"},
    {"PortNotCabled", "route --size tiny --from 1,1,1 --to 1,1,0 --congested g0.r0.p5", "not cabled"},
    {"SameNodeSpeltOtherwise", "route --size tiny --from 0,1,0 --to 0,01,00", "is the node that --from names"},
    {"SameNodeOfATorus", "route --torus 11x4 --from 10,0 --to 010,00", "is the node that --from names"},
    {"LinkToItself", "route --size tiny --from 1,1,1 --to 1,1,0 --congested local:G1.s1-s1", "a router to itself"},
    {"LinkAcrossGroups", "route --size tiny --from 1,1,1 --to 1,1,0 --congested local:G1.s1-G2.s1", "joins two groups"},
    {"GroupToItself", "route --size tiny --from 1,1,1 --to 1,1,0 --congested global:G1-G1", "a group to itself"},
    {"NoProbability", "route --size tiny --from 1,1,1 --to 1,1,0 --congested random:1.5", "no probability"},
    {"NodeLinkFailed", "route --size tiny --from 1,1,1 --to 1,1,0 --failed g1.r1.p0", "node port"},
    {"EverythingFailed", "route --size tiny --from 1,1,1 --to 1,1,0 --failed all", "no network"},
    {"UnknownPolicy", "route --size tiny --from 1,1,1 --to 1,1,0 --policy best", "'best' is unknown"},
    {"JsonInNoFolder", "route --size tiny --from 1,1,1 --to 1,1,0 --json @no/x.json", "x.json' cannot be written"},
    {"JsonIsFolder", "route --size tiny --from 1,1,1 --to 1,1,0 --json @", "it is a directory"},
    {"JsonDeviceIsFull", "route --size tiny --from 1,1,1 --to 1,1,0 --json /dev/full", "'/dev/full' cannot be written"},
    {"ConfigIsMissing", "route --config @no.toml", "no.toml' cannot be read"},
    {"ConfigIsFolder", "route --config @", "it is a directory"},
    {"ReportOfNothing", "report --in @no.json --out @x.html", "no.json' cannot be read"},
    {"UnknownOptionBeforeMissingOne", "route --sise tiny", "--sise"},
    {"DimsHaveNoEmptyChoice", "cosim --block arb_request --dims 5", "'5' is unknown, expected 2, 3, 4"},
    {"NoNetlistOfThatSize", "cosim --device netlist --size full", "no netlist of route_compute was built for"},
    {"LoadIsNoNumber", "cosim --size tiny --load nan", "--load: 'nan' is not a number 0..1"},
    {"ProbabilityIsNoNumber", "route --size tiny --from 1,1,1 --to 1,1,0 --congested random:nan",
     "'random:nan' is not understood"},
    {"FaultTwice", "fault --size tiny --fail global:G0-G2 --fail global:G2-G0#5",
     "global:G0-G2': fails in cycle 5, but it has failed in cycle 0"},
    {"FaultTwiceInACycle", "fault --size tiny --fail global:G0-G2 --fail global:G2-G0",
     "global:G0-G2': fails in cycle 0, twice"},
    {"RepairBeforeTheFailure", "fault --size tiny --fail global:G0-G2#100 --repair global:G0-G2#50",
     "repaired in cycle 50, but it has not failed before"},
    {"RepairOfARepairedLink",
     "fault --size tiny --fail global:G0-G1#0 --repair \"global:G0-G1#5000;global:G0-G1#9000\"",
     "global:G0-G1': repaired in cycle 9000, but it has not failed before"},
    {"NetRepairOfARepairedLink",
     "net --size tiny --cycles 3000 --fail global:G0-G1#500 --repair global:G0-G1#2600,global:G0-G1#2900",
     "repaired in cycle 2900, but it has not failed before"},
    {"HardwareOfTheFaultPlanesInRtl",
     "net --size tiny --fail global:G0-G2#300 --hardware full --block fault --device rtl --at 0.1",
     "--hardware full: the RTL of --block fault is built for the dragonfly, expected native"},
    {"TurnCyclesOfAMesh", "net --mesh 4x4 --turn-cycles 3", "--turn-cycles: mesh 4x4 has no such parameter"},
    {"RepairOfWhatStands", "net --torus 4x4 --fail node:1,1 --repair all --repair-at 200",
     "--repair all: what has failed from the start stays"},
    {"WholePacketsInASmallBuffer", "net --torus 4x4 --switching cut-through --depth 16",
     "does not fit into a buffer of 16, expected a larger --depth, a smaller --packet or --switching wormhole"},
    {"WaveformOfRtlAsVcd", "cosim --size tiny --transactions 100 --trace @x.vcd",
     "x.vcd: the waveform of rtl is written as FST, expected a name with .fst"},
    {"WaveformOfSystemcAsFst", "cosim --size tiny --transactions 100 --device systemc --trace @x.fst",
     "x.fst: the waveform of systemc is written as VCD, expected a name with .vcd"},
    {"TraceOfAMeshAndNodes", "mesh-trace --generate --nodes 12 --mesh 4x4 --out @x", "--nodes says how many"},
    {"NetBanksWithoutAFault", "net --size tiny --banks 2", "--banks: nothing fails, expected --fail"},
    {"ModeWithoutAFault", "net --size tiny --mode safe", "--mode: nothing fails, expected --fail"},
    {"LiveTrafficWithoutAFault", "net --size tiny --live-traffic", "--live-traffic: nothing fails, expected --fail"},
    {"PlaneOfMin", "net --size tiny --routing min --interval 5", "--interval: routing min does not look at it"},
    {"BusyOfDoar", "net --size tiny --local-busy 5", "--local-busy: routing doar does not look at it"},
    {"ThresholdOfParPh", "net --size tiny --routing par_ph --local-threshold 5",
     "--local-threshold: routing par_ph does not look at it"},
    {"EscapeOfDor", "net --mesh 4x4 --routing dor --escape equal", "--escape: routing dor does not look at it"},
    {"EscapeOfD2ra", "net --mesh 4x4 --routing d2ra --escape equal", "--escape: routing d2ra does not look at it"},
    {"GroupsOfAMesh", "net --mesh 4x4 --load 0 --workload dl:ranks=4,it=1,bytes=64 --mapping group",
     "--mapping group: mesh 4x4 has no groups"},
    {"GroupsOfAMeshInPieces", "net --mesh 4x4 --load 0 --workload dl:ranks=4,it=1,bytes=64 --mapping group --threads 2",
     "--mapping group: mesh 4x4 has no groups"},
    {"GroupsOfATorusInPieces",
     "net --torus 4x4 --load 0 --workload dl:ranks=4,it=1,bytes=64 --mapping group --threads 2",
     "--mapping group: torus 4x4 has no groups"},
    {"SelectionOfDyxy", "net --mesh 4x4 --routing dyxy --selection random", "--selection: routing dyxy does not look"},
    {"TablesOfMin", "net --size tiny --routing min --neighbours lowest",
     "--neighbours: routing min does not look at it"},
    {"ModeOfFta", "net --fat-tree 4,4,2,2 --routing ft_a --fail leaf:1,1#500 --mode paper",
     "--mode: routing ft_a does not look at it"},
    {"DetectorsOfXy", "net --fat-tree 4,4,2,2 --routing xy --fail leaf:1,1#500 --detect 5",
     "--detect: routing xy does not look at it"},
    {"ReconfigureWithoutAFault", "net --fat-tree 4,4,2,2 --reconfigure never",
     "--reconfigure: nothing fails, expected --fail"},
    {"ServiceOfNoManager", "net --fat-tree 4,4,2,2 --fail leaf:1,1#500 --reconfigure at-once --service 5",
     "--service: no manager is asked with --reconfigure at-once"},
    {"DetectorsOfTablesAtOnce", "net --fat-tree 4,4,2,2 --fail leaf:1,1#500 --reconfigure at-once --detect 5",
     "--detect: nobody waits for it with --reconfigure at-once"},
    {"CrosscheckBanksWithoutAFault", "crosscheck --load 0.2 --cycles 100 --banks 2", "--banks: nothing fails"},
    {"RuleWithoutAFault", "net --torus 6x6 --rule dim", "--rule: nothing fails, expected --fail"},
    {"TrafficOfProgramsAlone", "net --size tiny --workload dl:ranks=4,it=1,bytes=64 --traffic adv+1",
     "--traffic: all traffic is of programs, expected --load"},
    {"LoadOfNodesWithRanks", "net --mesh 2x2 --workload dl:ranks=4,it=1,bytes=64 --load 0.3",
     "--load: every node has a rank of the programs"},
    {"SelectionOfDor", "net --mesh 4x4 --routing dor --selection random", "--selection: routing dor does not look"},
    {"TurnLeafOfVtftr", "net --fat-tree 4,4,2,2 --turn-leaf common", "--turn-leaf: routing vtftr does not look at it"},
    {"RepairOfAWholeLink", "fault --size tiny --fail global:G0-G2 --repair global:G0-G3",
     "global:G0-G3': repaired, but it has not failed before"},
    {"RepairOfRandomLinks", "fault --size tiny --fail random-links:2 --repair random-links:2",
     "what failed is repaired"},
    {"NoRandomLinks", "fault --size tiny --fail random-links:0", "a count of 1 or more"},
    {"ThreeBanks", "fault --size tiny --fail global:G0-G2 --banks 3", "--banks: '3' is unknown, expected 1, 2, 4, 8"},
    {"NetFaultTwice", "net --size tiny --cycles 100 --fail global:G0-G2#10 --fail global:G0-G2#20",
     "fails in cycle 20, but it has failed in cycle 10"},
    {"NetRepairBefore", "net --size tiny --cycles 100 --fail global:G0-G2#50 --repair all --repair-at 20",
     "it has not failed before"},
    {"NetRepairOfAWholeLink", "net --size tiny --cycles 100 --fail global:G0-G2#50 --repair global:G0-G3#60",
     "it has not failed before"},
    {"NetRepairOfNothing", "net --size tiny --cycles 100 --repair all --repair-at 20", "nothing fails"},
    {"NetRepairOfRandomLinks", "net --size tiny --cycles 100 --fail random-links:2#5 --repair random-links:2#9",
     "what failed is repaired"},
    {"NetNoRandomLinks", "net --size tiny --cycles 100 --fail random-links:0#5", "a count of 1 or more"},
    {"DragonflyOnAMesh", "net --mesh 4x4 --size tiny", "--size: mesh 4x4 has no such parameter"},
    {"CongestionOnAMesh", "net --mesh 4x4 --interval 5", "--interval: mesh 4x4 has no such parameter"},
    {"GlobalLinksOnAMesh", "net --mesh 4x4 --global-latency 5", "--global-latency: mesh 4x4 has no such parameter"},
    {"BuffersOfPacketsOnAMesh", "net --mesh 4x4 --local-buffer 5", "--local-buffer: mesh 4x4 has no such parameter"},
    {"FaultsOnAMesh", "net --mesh 4x4 --fail global:G0-G1#5", "--fail: mesh 4x4 has no such parameter"},
    {"DepthOnADragonfly", "net --size tiny --depth 5", "--depth: dfly(2,4,2,8) direct has no such parameter"},
    {"EscapeOnADragonfly", "net --size tiny --escape equal", "--escape: dfly(2,4,2,8) direct has no such parameter"},
    {"TwoNetworks", "net --mesh 4x4 --topology mesh:4x4", "--topology and --mesh"},
    {"BufferOfTheLongestOfAMix", "net --size tiny --packet-mix 1,64 --local-buffer 513",
     "local_buffer is 513, must be 1..512"},
    {"BufferOfAWholePacket",
     "net --size tiny --route-compute arrival --switching cut-through --packet 8 --node-buffer 4 --local-buffer 4 "
     "--global-buffer 4",
     "node_buffer is 4, must be 8..4096"},
    {"RuleOfSafe4", "net --torus 6x6 --routing torus_safe4 --rule dim --fail node:1,1 --load 0.1",
     "free of deadlock under rule any only"},
    {"RuleOfSafe4AtArrival",
     "net --torus 6x6 --routing torus_safe4 --rule dim --fail node:1,1 --route-compute arrival --load 0.1",
     "free of deadlock under rule any only"},
    {"PipelinedRtlOfFaults", "fault --size tiny --fail global:G0-G2 --device rtl --pipelined", "--pipelined"},
    {"SlurmAndPrintedTasks", "sweep sim/scenarios/sweep_tiny.toml --slurm --print-tasks --out @o",
     "--slurm: not with --print-tasks"},
    {"PlanWithoutAnything", "sweep --plan @plan.json", "--plan: expected --task N or --merge"},
    {"TaskAndMerge", "sweep --plan @plan.json --task 0 --merge", "--plan: expected --task N or --merge"},
    {"NineDimensions", "arb --at 1,1,1,1,1,1,1,1,1 --to 2,2,2,2,2,2,2,2,2 --credits 1,1,1,1,1,1,1,1,1",
     "--at: more than 8 dimensions"},
    {"CoordinatesOfTo", "arb --at 1,1 --to 2,2,2 --credits 1,1", "--to: 3 coordinates, expected 2"},
    {"SetWithoutAValue", "cosim --set warp", "--set: 'warp', expected KEY=VALUE"},
    {"SetWithoutAKey", "cosim --set =3", "--set: '=3', expected KEY=VALUE"},
    {"BiasOfNoRouting", "net --size tiny --routing nonsense --bias 3", "routing 'nonsense' is unknown on a dragonfly"},
    {"HardwareOfThreeDimensions", "net --fat-tree 3,3,3,2,1 --routing vtftr --route-compute arrival",
     "routing 'vtftr' as its hardware times it: two dimensions"},
    {"CongestedOf65Letters",
     "route --size tiny --from 0,0,0 --to 0,0,1 --congested "
     "random:0.00000000000000000000000000000000000000000000000000000001",
     "is not understood"},
    {"StudyOfThreeDimensions", "fault-study --fat-tree 3,3,3,2,1", "expected two dimensions, N,M,P,U"},
    {"FaultOfThreeDimensions", "fault --fat-tree 3,3,3,2,1 --fail leaf:0,0,0", "expected two dimensions, N,M,P,U"},
    {"TwoClassesOfATorus", "fault-study --torus 4x4 --class node,link",
     "--class: one class of a torus or fat-tree, or none for all"},
    {"AtWithoutADevice", "crosscheck --torus 4x4 --at 1,1", "--at belongs to --device rtl or --device-lib"},
    {"DeviceOfATorus", "crosscheck --torus 4x4 --device rtl --at 1,1 --cycles 100", "--device: expected a dragonfly"},
    {"AtWithoutRtl", "net --size tiny --at G0.s0", "--at and --plant belong to --device rtl or --record"},
    {"PlantWithoutRtl", "net --size tiny --plant x", "--at and --plant belong to --device rtl or --record"},
    {"PlantOfATree", "net --fat-tree 4,4,2,2 --plant x", "--at and --plant belong to --device rtl"},
    {"PlantOfATorus", "net --torus 4x4 --plant x", "--at and --plant belong to --device rtl"},
    {"RecordOfATorus", "net --torus 4x4 --device rtl --at 1,1 --record @f", "records a port of a dragonfly"},
    {"FaultBlockWithoutRtl", "net --size tiny --block fault", "--block fault belongs to --device rtl"},
    {"AllSetsOfThreeDimensions", "deadlock --torus 4x4x4 --all-sets --rule dim", "--all-sets: two dimensions only"},
    {"AllSetsAndFail", "deadlock --torus 4x4 --all-sets --fail node:0,0",
     "--all-sets takes every set of faulty nodes: no --fail beside it"},
    {"EveryLeafFails", "fault --fat-tree 2,2,1,1 --fail \"leaf:0,0;leaf:0,1;leaf:1,0;leaf:1,1\"",
     "--fail: no leaf switch is left alive"},
    {"EveryLeafOfAWayFails",
     "route --fat-tree 2,2,1,1 --from 0,0,0 --to 1,1,0 --fail \"leaf:0,0;leaf:0,1;leaf:1,0;leaf:1,1\"",
     "--fail: no leaf switch is left alive"},
    {"EveryLeafOfThreeDimensionsFails",
     "deadlock --fat-tree 2,2,2,1,1 --fail "
     "\"leaf:0,0,0;leaf:0,1,0;leaf:1,0,0;leaf:1,1,0;leaf:0,0,1;leaf:0,1,1;leaf:1,0,1;leaf:1,1,1\"",
     "--fail: no leaf switch is left alive"},
    {"ResumeOfNothing", "net --size tiny --resume @none", "none: cannot be read: No such file or directory"},
    {"OneLeafAlive", "net --fat-tree 2,2,1,1 --traffic alive --fail \"leaf:0,0;leaf:0,1;leaf:1,0\"",
     "traffic 'alive' needs two nodes whose leaves do not fail"},
    {"RepairOfALeafThatLives", "net --fat-tree 2,2,1,1 --fail leaf:0,0 --repair leaf:0,1#50",
     "leaf:0,1 is repaired and has not failed"},
    {"HalvingOfSix", "workload --motif dl:ranks=6,algorithm=halving",
     "dl: ranks is '6', expected a power of two for halving"},
    {"AlgorithmOfDl", "workload --motif dl:ranks=6,algorithm=square",
     "dl: algorithm is 'square', expected tree, ring or halving"},
    {"LevelOfATreesPipeline", "pipeline --block vtftr_leaf --levels warp",
     "--levels: 'warp' is unknown, expected golden, systemc, rtl"},
    {"CrossCheckOfThreeDimensions", "crosscheck --fat-tree 3,3,3,2,1 --cycles 100",
     "routing 'vtftr_k' has no hardware, expected vtftr"},
    {"RouterOutOfRange", "crosscheck --size tiny --device rtl --at 0.9", "--at '0.9': expected all or GROUP.ROUTER"},
    {"GroupOutOfRange", "crosscheck --size tiny --device rtl --at 9.0", "--at '9.0': expected all or GROUP.ROUTER"},
    {"NoRouter", "crosscheck --size tiny --device rtl --at x", "--at 'x': expected all or GROUP.ROUTER"},
    {"RouterWithATail", "crosscheck --size tiny --device rtl --at 0.1x", "--at '0.1x': expected all or GROUP.ROUTER"},
    {"RouterBelowZero", "crosscheck --size tiny --device rtl --at 0.-1", "--at '0.-1': expected all or GROUP.ROUTER"},
    {"GroupBelowZero", "crosscheck --size tiny --device rtl --at -1.0", "--at '-1.0': expected all or GROUP.ROUTER"},
    {"MixOfNothing", "net --size tiny --packet-mix 1,,2", "--packet-mix: '' is not a number 1..64"},
    {"BiasWithATail", "net --size tiny --bias 1.5", "--bias: '1.5' is not a number -100000..100000"},
    {"CheckpointWithoutAFile", "net --size tiny --cycles 100 --checkpoint-every 10", "expected --checkpoint FILE"},
    {"RepairOnATorus", "fault --torus 10x10 --fail node:3,5 --repair all",
     "--repair: of a dragonfly, --torus and --fat-tree have no such option"},
    {"DeviceOnATorus", "fault --torus 10x10 --fail node:3,5 --device rtl", "--device: of a dragonfly"},
    {"SizeOnATorus", "fault --torus 10x10 --fail node:3,5 --size tiny", "--size: of a dragonfly"},
    {"PageOfATorusFault", "fault --torus 10x10 --fail node:3,5 --html @x.html", "--html: of a dragonfly"},
    {"VerifyOnAFatTree", "fault --fat-tree 4,4,2,2 --fail leaf:1,1 --verify", "--verify: of a dragonfly"},
    {"LoadOnAFatTree", "fault --fat-tree 4,4,2,2 --fail leaf:1,1 --load 0.3", "--load: of a dragonfly"},
    {"IdealTimesOfHardware", "fault --size tiny --fail global:G0-G2 --ideal --device systemc",
     "--ideal: no hardware has these times, expected --device golden"},
    {"IdealTimesOfBanks", "fault --size tiny --fail global:G0-G2 --ideal --banks 8",
     "--banks: --ideal has constant service times"},
    {"IdealTimesOfLinks", "fault --size tiny --fail global:G0-G2 --ideal --corrupt 0.3",
     "--corrupt: --ideal has constant service times"},
    {"IdealTimeWithoutIdeal", "fault --size tiny --fail global:G0-G2 --ideal-t-ld 4",
     "--ideal-t-ld: belongs to --ideal"},
    {"DeviceAtWithoutRtl", "fault --size tiny --fail global:G0-G2 --device-at G0.s1",
     "--device-at: belongs to --device rtl"},
    {"SchemeOnATorus", "deadlock --torus 5x5 --scheme dbra",
     "--scheme: of a mesh, --torus and --fat-tree have no such option"},
    {"SlotsOnAFatTree", "deadlock --fat-tree 4,4,2,2 --slots 4", "--slots: of a mesh"},
    {"EveryAndSamples", "fault-study --size tiny --class local --every --samples 3",
     "--every and --samples: expected one of them"},
    {"ADesignTwice", "fault-study --size tiny --class local --samples 2 --poll-width 1,4,1",
     "--poll-width: '1' is given twice"},
    {"PipelinedTwice", "fault-study --size tiny --class local --samples 2 --pipelined true,true",
     "--pipelined: 'true' is given twice"},
    {"HardwareTwice", "fault-study --size tiny --samples 1 --hardware full --hardware 64,560",
     "--hardware: '64,560' gives a design that is there already: 64 stations, 560 rows"},
    {"FaultsWithACommaBetween", "fault --size tiny --fail local:G0.s0-s1,local:G0.s0-s2",
     "',local:G0.s0-s2' is left over, names have ';' between"},
    {"NoneAndALeaf", "route --fat-tree 4,4,2,2 --from 0,0,0 --to 1,1,1 --known none --known leaf:1,1",
     "--known: none beside dead leaf switches"},
    {"BlockOfTheSuite", "vectors --suite --block fault_port --cycles 10 --out @v", "--block: --suite has its own"},
    {"TrafficOfAFaultUnit", "cosim --size tiny --block fault_port --traffic bogus",
     "traffic is 'bogus', fault_port knows ur and corner"},
    {"TrafficOfAFatTreeUnit", "cosim --block vtftr_leaf --traffic adv+1",
     "traffic is 'adv+1', vtftr_leaf knows ur and corner"},
    {"MixAndLength", "net --size tiny --packet 3 --packet-mix 1,2", "--packet and --packet-mix: expected one of them"},
    {"CrossCheckOfAProgram", "crosscheck --size tiny --workload lu:px=2,py=2 --cycles 100",
     "cross-check: traffic patterns are compared, no programs"},
    {"CrossCheckOfLongBuffers", "crosscheck --size tiny --local-buffer 257 --cycles 100",
     "cross-check: --local-buffer is 257, expected 256 at most: a credit monitor counts no more"},
    {"CrossCheckOfOtherChannels", "crosscheck --size tiny --vcs 8 --cycles 100",
     "cross-check: --vcs is 8, the hardware has 4"},
    {"JsonIsEmpty", "route --size tiny --from 1,1,1 --to 1,1,0 --json ''", "--json: the value is empty"},
    {"PlantIsEmpty", "cosim --size tiny --plant ''", "--plant: the value is empty"},
    {"TorusIsEmpty", "net --torus '' --cycles 10", "--torus: the value is empty"},
    {"WorkloadIsEmpty", "net --size tiny --workload ''", "--workload: the value is empty"},
    {"ResumeIsEmpty", "net --size tiny --resume ''", "--resume: the value is empty"},
    {"TwoResultsInOneFile", "net --size tiny --cycles 100 --json @x --page @./x", "--json and --page: both name"},
    {"ReportOverItsResult", "report --in @r.json --out @r.json", "--in and --out: both name"},
    {"OptionTwice", "net --size tiny --size paper", "--size: given more than once"},
    {"TorusNodeTwice", "net --torus 4x4 --fail node:1,1 --fail node:1,1#50", "--fail: node:1,1 fails twice"},
    {"TorusLinkFromBothEnds", "net --torus 4x4 --fail link:1,1,x+ --fail link:2,1,x-",
     "--fail: link:1,1,x+ fails twice"},
    {"RouteTorusNodeTwice", "route --torus 4x4 --from 0,0 --to 1,1 --fail 'node:2,2;node:2,2'",
     "names what fails already"},
    {"DeadlockTorusLinkTwice", "deadlock --torus 4x4 --fail link:1,1,x+ --fail link:2,1,x-",
     "'link:2,1,x-' names what fails already"},
    {"RouteLeafTwice", "route --fat-tree 4,4,2,2 --from 0,0,0 --to 1,1,1 --fail leaf:2,2 --fail leaf:2,2",
     "--fail: leaf:2,2 fails twice"},
    {"DeadlockRootTwice", "deadlock --fat-tree 4,4,2,2 --fail 'root:row,0,0;root:row,0,0'",
     "--fail: root:row,0,0 is named twice"},
    {"MoreLeavesThanThereAre", "net --fat-tree 4,4,2,2 --fail leaf:0,0 --fail random-leaves:2147483647",
     "fewer than the 15 leaf switches that have not failed"},
    {"MoreTreeLinksThanThereAre", "net --fat-tree 4,4,2,2 --fail random-leaves:2 --fail random-links:64",
     "fewer than the 64 links that have not failed"},
    {"TorusWithoutALinkLeft", "net --torus 3x3 --fail random-links:18 --fail random-links:1",
     "fault 'random-links:1': none is left that could fail"},
    {"StudyOfAllLeaves", "fault-study --fat-tree 4,4,2,2 --faults 16",
     "--faults: '16' is out of range, fat-tree 4x4, 2 nodes and 2 rails a leaf has 16 leaf switches, of which one has "
     "to "
     "live"},
    {"PointerBeyondTheDimensions", "arb --mesh 3x3 --pointer 8", "--pointer: '8' is not a number 0..7"},
    {"RequirementOfNoCycles", "fault-study --size tiny --samples 2 --class local --require mean",
     "--require: 'mean' is unknown, expected [CLASS.]QUANTITY=CYCLES"},
    {"FaultAfterTheEnd", "net --size tiny --warmup 0 --cycles 100 --fail global:G0-G2#10100",
     "--fail: cycle 10100 is not before the end of the run (--warmup, --cycles and --drain: 10100)"},
    {"CrossCheckFaultAfterTheEnd", "crosscheck --cycles 300 --fail global:G0-G1#5000",
     "--fail: cycle 5000 is not before the end of the run (--cycles: 300)"},
    {"CrossCheckWarmup", "crosscheck --cycles 300 --warmup 7",
     "--warmup: both networks are compared from the first cycle on"},
    {"TimelineOfACrosscheck", "crosscheck --cycles 300 --load 0.3 --timeline 100",
     "--timeline: both networks are compared"},
    {"DrainOfACrosscheck", "crosscheck --cycles 300 --load 0.3 --drain 1", "--drain: both networks are compared"},
    {"WatchdogOfACrosscheck", "crosscheck --cycles 300 --load 0.3 --watchdog 5",
     "--watchdog: both networks are compared"},
    {"BalanceOfACrosscheck", "crosscheck --cycles 300 --load 0.3 --balance 2", "--balance: both networks are compared"},
    {"BanksWithoutAFault", "net --size tiny --banks 3", "--banks: '3' is unknown, expected 1, 2, 4, 8"},
    {"HardwareWithoutAFault", "net --size tiny --hardware abc", "--hardware 'abc' is unknown"},
    {"MotifEndsWithAComma", "workload --motif lu:px=4,", "lu: 'px=4,' ends with a comma"},
    {"MotifParameterTwice", "workload --motif lu:px=4,px=4", "lu: px is given twice"},
    {"LevelTwice", "pipeline --size tiny --levels golden,golden", "--levels: 'golden' is given twice"},
    {"TreeOfATorus", "pipeline --block torus_route --tree tiny", "--tree: belongs to --block vtftr_leaf, vtftr_root"},
    {"DragonflyOfATree", "pipeline --block vtftr_leaf --size tiny", "--size: belongs to --block route_compute, router"},
    {"PartWithoutAFile", "fault-study --size tiny --samples 5 --part 0/2",
     "--part: what it finds goes into --json FILE"},
    {"CreditTwice", "arb --dims 2 --scheme dor --at 0,0 --to 1,1 --credits x+=1,x+=2",
     "--credits: 'x+' is given twice"},
    {"ShowOfATraceWritesNone", "mesh-trace --show @t --out @u", "--out: --show does nothing else"},
    {"SeedOfAConvertedTrace", "mesh-trace --from-text @t --out @u --seed 3", "--seed: of --generate"},
    {"EagerLimitOfTheMotifs", "workload --motifs --eager-limit 5", "--eager-limit: --motifs lists them"},
    {"EagerLimitOfAGeneratedTrace", "workload --generate-netrace @t.tra --eager-limit 5",
     "--eager-limit: --generate-netrace does nothing else"},
    {"TraceThatIsNone", "mesh-trace --show /dev/null", "--show /dev/null: trace: does not begin with"},
    {"CheckpointThatIsNone", "net --size tiny --resume /dev/null", "--resume /dev/null: checkpoint: not a checkpoint"},
    {"SizeOfATorusUnit", "cosim --block torus_route --size tiny",
     "--size tiny: torus_route is no part of a dragonfly, expected --set torus=KXxKY or"},
    {"SizeOfABox", "cosim --block torus_box --size tiny",
     "--size tiny: torus_box is no part of a dragonfly, expected --set torus=KXxKYxKZ or"},
    {"SizeOfATreeUnit", "vectors --block vtftr_leaf --size full --out @v",
     "--size full: vtftr_leaf is no part of a dragonfly, expected --set tree="},
    {"DragonflyOfATreeUnit", "cosim --block vtftr_detect --dragonfly 2,4,2,8",
     "--dragonfly 2,4,2,8: vtftr_detect is no part of a dragonfly"},
    {"ArrangementOfAMeshUnit", "cosim --block arb_request --arrangement direct",
     "arb_request is no part of a dragonfly, expected --set dims=2, 3 or 4"},
    {"SizeOfAMeshUnit", "wrap --block arb_request --size tiny --top x --files /dev/null",
     "--size tiny: arb_request is no part of a dragonfly"},
    {"SizeOfTheRegion", "cosim --block fault_region --size tiny",
     "fault_region is no part of a dragonfly, expected nothing: it has one size"},
    {"NoCampaignOfThePlane", "cosim --block congestion_plane --size tiny", "--block: 'congestion_plane' is unknown"},
    {"CheckAndSuite", "vectors --check /dev/null --suite", "--suite and --check: expected one of them"},
    {"CheckOfASize", "vectors --check /dev/null --size tiny", "--size: --check has that of vectors.json"},
    {"TrafficOfARecording", "cosim --trace-in @t --traffic corner", "--traffic: --trace-in"},
    {"ResetsOfARecording", "cosim --trace-in @t --one-reset", "--one-reset: --trace-in"},
    {"LimitWithoutADevice", "cosim --size tiny --device-limit 3", "--device-limit: belongs to --device-lib"},
    {"LimitOfNoDevice", "pipeline --size tiny --device-limit 3", "--device-limit: belongs to --device-lib"},
    {"FailAtWithoutAFault", "net --size tiny --fail-at 100",
     "--fail-at: nothing is to fail, expected --fail with a name without @CYCLE"},
    {"FailAtOfNamesWithCycles", "net --size tiny --fail-at 100 --fail global:G0-G2#50",
     "--fail-at: every name has its cycle"},
    {"RepairAtWithoutARepair", "net --size tiny --fail global:G0-G2#50 --repair-at 100",
     "--repair-at: nothing is to repair"},
    {"MappingWithoutAProgram", "net --size tiny --mapping random", "--mapping: of programs, expected --workload"},
    {"StragglerWithoutAProgram", "net --size tiny --straggler 0:100", "--straggler: of programs, expected --workload"},
    {"JitterWithoutAProgram", "net --mesh 4x4 --jitter 5", "--jitter: of programs, expected --workload"},
    {"TriesWithoutResend", "net --size tiny --workload lu:px=2,py=2 --resend-tries 3",
     "--resend-tries: nothing is sent again, expected --resend"},
    {"BiasOfDoar", "net --size tiny --bias 5", "--bias: doar weighs no paths, expected one of "},
    {"BiasOfVal", "net --size tiny --routing val --bias 5", "--bias: val weighs no paths"},
    {"BiasOnAMesh", "net --mesh 4x4 --bias 5", "weighs no paths"},
    {"RouteToItself", "route --size tiny --from 1,1,1 --to 1,1,1", "--to: '1,1,1' is the node that --from names"},
    {"RouteToItselfOnATree", "route --fat-tree 4,4,2,2 --from 0,0,0 --to 0,0,0",
     "--to: '0,0,0' is the node that --from names"},
    {"LocalLinkWithoutAGroup", "net --size tiny --fail local:s1-s2#5", "expected 'G' before 's1-s2'"},
    {"LocalLinkOfOneRouter", "fault --size tiny --fail local:G0.s1-s1", "a local link joins two routers"},
    {"SetTwice", "cosim --block torus_route --set torus=4x4 --set torus=5x5", "--set torus=5x5: torus is given twice"},
    {"DimsAndSet", "vectors --block arb_request --dims 2 --set dims=3 --out @v",
     "--dims 2: --set names dims, too, expected one of them"},
    {"DeviceLibIsAFolder", "cosim --size tiny --device-lib /tmp", "/tmp: it is no regular file"},
    {"EmptyValue", "net --size tiny --json= --load=0.9", "--json: the value is empty"},
    {"EmptyConfig", "net --config ''", "--config: the value is empty"},
    {"EmptyResult", "report --in '' --out @x.html", "'' cannot be read"},
    {"ProgramsOnADisabledNode", "net --torus 10x10 --cycles 3000 --workload dl:ranks=2,it=1,bytes=100 --fail node:5,5",
     "--workload: the faults disable nodes of torus 10x10 from the start"},
    {"PointerOfARandomSelection",
     "arb --dims 2 --scheme d2ra --at 1,1 --to 2,2 --credits 2,2 --policy random --pointer 1",
     "--pointer: the selection is random"},
    {"RegisterOfARoundRobin", "arb --dims 2 --scheme d2ra --at 1,1 --to 2,2 --credits 2,2 --lfsr 7",
     "--lfsr: of --policy random"},
    {"RegisterOfMostCredits",
     "arb --dims 2 --scheme d2ra --at 1,1 --to 2,2 --credits 2,2 --policy most-credits --lfsr 7",
     "--lfsr: of --policy random"},
    {"JobsAtATimeHere", "jobs @none.json --jobs 2", "--jobs: tasks at a time of --slurm"},
    {"RandomRoutersOfATree", "net --fat-tree 4,4,2,2 --fail random-routers:2 --cycles 100",
     "fault 'random-routers:2': expected random-leaves:N or random-links:N"},
    {"ALeafThatIsRepairedSoon", "net --fat-tree 4,4,2,2 --fail leaf:1,1#500 --repair leaf:1,1#1200",
     "network: leaf:1,1: repair of a router, cycles after its fault is 700"},
    {"KindOfNoSets", "deadlock --fat-tree 4,4,2,2 --of root", "--of requires --up-to"},
    {"AFaultAfterThePrograms",
     "net --size tiny --workload lu:px=4,py=4,nz=30,it=2 --cycles 1000 --fail global:G0-G5#5000",
     "--fail: cycle 5000 is not before the end of the run (--warmup and --cycles: 1000)"},
    {"PlantsAreListedOnly", "cosim --list-plants --json @x.json",
     "--json: --list-plants lists them and does nothing else"},
    {"PlantsOfNoDevice", "cosim --block credit_monitor --list-plants --device systemc",
     "--device: --list-plants lists them and does nothing else"},
    {"ParametersAreListedOnly", "net --list-parameters --load 0.3",
     "--load: --list-parameters lists them and does nothing else"},
    {"MotifsDoNothingElse", "workload --motifs --json @x.json", "--json: --motifs lists them and does nothing else"},
    {"GeneratedTraceIsNotShown", "workload --generate-netrace @t.tra --json @x.json",
     "--json: --generate-netrace does nothing else"},
    {"NodesOfAMotif", "workload --motif lu:px=2,py=2 --nodes 8", "--nodes: of --generate-netrace"},
    {"LoadOfACampaign", "crosscheck --packets 10 --load 0.2", "--load: a campaign (--packets) has its own"},
    {"TrafficOfACampaign", "crosscheck --packets 10 --traffic rp", "--traffic: a campaign (--packets) has its own"},
    {"CyclesOfADragonfly", "net --size tiny --allow-cycles", "--allow-cycles: of the tables of a graph"},
    {"TaskTimeOfASweep", "sweep sim/scenarios/sweep_tiny.toml --task-time 5 --out @o",
     "--task-time: of tasks, expected --slurm or --print-tasks"},
    {"JsonOfTasks", "sweep sim/scenarios/sweep_tiny.toml --print-tasks --json @x.json --out @o",
     "--json: results are written with --merge, or without tasks"},
    {"EstimateOfTasks", "sweep sim/scenarios/sweep_tiny.toml --print-tasks --estimate --out @o",
     "--estimate: not with --slurm and --print-tasks"},
    {"JsonOfAnEstimate", "sweep sim/scenarios/sweep_tiny.toml --estimate --json @x.json --out @o",
     "--json: --estimate runs nothing"},
    {"JsonOfATask", "sweep --plan @plan.json --task 0 --json @x.json",
     "--json: results are written with --merge, or without tasks"},
    {"JobsOfAPlan", "jobs --plan @plan.json --task 0 --jobs 2", "--jobs: not with --plan"},
    {"OutOfAPlan", "sweep --plan @plan.json --merge --out @o", "--out: not with --plan"},
    {"JobsOfPrintedTasks", "sweep sim/scenarios/sweep_tiny.toml --print-tasks --jobs 3 --out @o",
     "--jobs: of whoever runs the tasks that are printed"},
    {"MergeOfNothing", "sweep --merge", "--merge: of which --plan?"},
    {"TaskOfNothing", "sweep --task 0", "--task: of which --plan?"},
    {"FaultInCycleZero", "net --size tiny --warmup 0 --cycles 300 --fail global:G0-G2",
     "--fail global:G0-G2: in cycle 0, expected cycle 1 or later (--fail-at or NAME@CYCLE)"},
    {"FaultAtZero", "net --fat-tree 4,4,2,2 --cycles 300 --fail leaf:0,0#0",
     "--fail leaf:0,0@0: in cycle 0, expected cycle 1 or later"},
    {"RepairAtZero", "net --size tiny --cycles 300 --fail global:G0-G2#5 --repair global:G0-G2#0",
     "--repair global:G0-G2@0: in cycle 0, expected cycle 1 or later"},
    {"MixOfPrograms", "net --size tiny --workload dl:ranks=4,it=1 --packet-mix 1,5",
     "--packet-mix: packets of programs have the longest length, expected --packet"},
    {"WindowThatIsOff", "net --size tiny --no-global-window --global-window 7",
     "--global-window: --no-global-window takes no history off"},
    {"LocalWindowThatIsOff", "net --size tiny --no-local-window --local-window 7",
     "--local-window: --no-local-window takes no history off"},
    {"LoadOfNoPart", "cosim --block arb_request --dims 2 --set part=nonsense --load 0.4",
     "part is 'nonsense', expected port, logic or switch"},
    {"OrderOfTheUnknown", "route --one 1 --two 2 --three", "not expected: --one 1 --two 2 --three"},
    {"TasksWithoutAStore", "fault-study --size tiny --class local --samples 2 --print-tasks",
     "--slurm and --print-tasks: expected --store FILE"},
    {"SlurmTasksWithoutAStore", "fault-study --size tiny --class local --samples 2 --slurm",
     "--slurm and --print-tasks: expected --store FILE"},
    {"KnownOfNothing", "fault-study --size tiny --class local --samples 2 --known @none", "none' cannot be read"},
    {"AllLeavesAreTooMany", "deadlock --fat-tree 4,4,2,2 --up-to 16",
     "--up-to: 16, expected fewer than the leaf switches"},
    {"MoreFaultsThanThereAre", "deadlock --fat-tree 2,2,2,1,1 --up-to 8", "--up-to: 8, expected fewer than there are"},
    {"BouncesInThreeDimensions", "route --fat-tree 3,3,3,2,1 --from 0,0,0,0 --to 1,1,1,1 --pick bounce",
     "--mode and --pick: with dead roots or links, --vcs, or in three dimensions mode safe"},
    {"NodeOfThreeDimensionsOverflows", "route --fat-tree 3,3,3,2,1 --from 0,0,0,99999999999 --to 1,1,1,1",
     "--from: '0,0,0,99999999999' is no node, expected 3 coordinates and the number of the node, such"},
    {"NodeOfThreeDimensionsHasATail", "route --fat-tree 3,3,3,2,1 --from 0,0,0x0 --to 1,1,1,1",
     "--from: '0,0,0x0' is no node, expected 3 coordinates and the number of the node, such"},
    {"NodeOfThreeDimensionsOutside", "route --fat-tree 3,3,3,2,1 --from 0,0,0,2 --to 1,1,1,1",
     "--from: node 2 is out of range 0..1 in fat-tree 3x3x3, 2 nodes and 1 rails a leaf"},
    {"CoordinateBelowZero", "route --fat-tree 3,3,3,2,1 --from=0,0,-1,1 --to 1,1,1,1",
     "--from: coordinate -1 is out of range 0..2 in fat-tree 3x3x3, 2 nodes and 1 rails a leaf"},
    {"FromADeadLeafOfThreeDimensions", "route --fat-tree 3,3,3,2,1 --from=0,0,0,0 --to 1,1,1,1 --fail leaf:0,0,0",
     "--from: the leaf switch (0,0,0) is dead"},
    {"ColumnBelowZero", "route --fat-tree 4,4,2,2 --from=-1,0,0 --to 1,1,1",
     "--from: column -1 is out of range 0..3 in fat-tree 4x4, 2 nodes and 2 rails a leaf"},
    {"NodeOverflows", "route --fat-tree 4,4,2,2 --from 0,0,99999999999 --to 1,1,1",
     "--from: '0,0,99999999999' is no node, expected x,y,n (column, row, node) such as 0,1,0"},
    {"BlockRouterWithoutRtl", "crosscheck --size tiny --block router", "--block router belongs to --device rtl"},
    {"AroundWithoutABlock", "crosscheck --size tiny --around engine", "--around engine belongs to --block router"},
    {"GroupIsTheFirstOutside", "crosscheck --size tiny --device rtl --at 8.0",
     "--at '8.0': expected all or GROUP.ROUTER"},
    {"RouterIsTheFirstOutside", "crosscheck --size tiny --device rtl --at 0.4",
     "--at '0.4': expected all or GROUP.ROUTER"},
    {"PlantBesideALibrary", "net --size tiny --device-lib x.so --plant x --at 0.1",
     "--device-lib x.so: expected neither --device nor --plant"},
    {"CoordinatesOfTheDevice", "net --mesh 4x4 --device rtl --at 1,1,1", "--at 1,1,1: expected 2 coordinates"},
    {"AtOfAMeshWithoutRtl", "net --mesh 4x4 --at 1,1", "--at and --plant belong to --device rtl"},
    {"PlantOfAMeshWithoutRtl", "net --mesh 4x4 --plant x", "--at and --plant belong to --device rtl"},
    {"SweepOfNothing", "sweep", "FILE is missing: what to run"},
    {"FolderThatCannotBeMade", "sweep sim/scenarios/sweep_tiny.toml --out /dev/full/x/y",
     "--out /dev/full/x/y: the folder cannot be made"},
    {"AddressOverflows", "route --size tiny --from 1,1,99999999999 --to 1,1,0",
     "--from: '1,1,99999999999' is no address, expected g,b,n (group, router, node) such as"},
    {"FractionWithATail", "fault --size tiny --fail global:G0-G2 --load 0.3x",
     "--load: '0.3x' is not a number 0..0.99"},
    {"FaultAll", "fault --size tiny --fail all",
     "fault 'all': expected global:Gx-Gy, local:Gx.sa-sb, router:Gx.sa, node:Gx.sa.nk"},
    {"RandomLinksOfATorusAreAWord", "net --torus 4x4 --fail random-links:x",
     "fault 'random-links:x': expected a number 1..32"},
    {"RandomLeavesAreAWord", "net --fat-tree 4,4,2,2 --fail random-leaves:x",
     "--fail 'random-leaves:x': expected a number, fewer than the 16 leaf switches that have"},
    {"NetlistThatIsNone", "cosim --block fault_port --size tiny --device netlist",
     "no netlist of fault_port was built, for any size"},
    {"NetlistOfARouterThatIsNone", "cosim --block fault_router --size tiny --device netlist",
     "no netlist of fault_router was built, for any size"},
    {"MoreChannelsThanThereIsRoomFor", "net --size tiny --routing min --vcs 5",
     "routing 'min' is built for at most 4 virtual channels, --vcs is 5"},
    {"NoRandomNodes", "net --torus 4x4 --fail random-nodes:0", "fault 'random-nodes:0': expected a number 1..16"},
    {"RandomNodesWithATail", "net --torus 4x4 --fail random-nodes:3x",
     "fault 'random-nodes:3x': expected a number 1..16"},
    {"NoRandomLeaves", "net --fat-tree 4,4,2,2 --fail random-leaves:0",
     "--fail 'random-leaves:0': expected a number, fewer than the 16 leaf switches that have"},
    {"RandomLeavesWithATail", "net --fat-tree 4,4,2,2 --fail random-leaves:2x",
     "--fail 'random-leaves:2x': expected a number, fewer than the 16 leaf switches that have"},
    {"NodeWithoutCommas", "route --fat-tree 4,4,2,2 --from \"0;0,0\" --to 1,1,1",
     "--from: '0;0,0' is no node, expected x,y,n"},
    {"AddressWithoutCommas", "route --size tiny --from \"1;1,1\" --to 1,1,0", "--from: '1;1,1' is no address"},
    {"LineWithATail", "route --fat-tree 4,4,2,2 --from 0,0,0 --to 1,1,1 --fail root:row,0x,0",
     "--fail: fault 'root:row,0x,0' on a fat-tree: line '0x' is no number"},
    {"LineBelowZero", "route --fat-tree 4,4,2,2 --from 0,0,0 --to 1,1,1 --fail root:row,-1,0",
     "--fail: fault 'root:row,-1,0' on a fat-tree: line -1 is out of range, expected 0..3"},
    {"CoordinateWithATail", "route --torus 4x4 --from 0,0x --to 1,1",
     "node \"0,0x\" of torus 4x4: \"0x\" is not a coordinate"},
    {"TwoCoordinatesOfThree", "arb --dims 3 --scheme dor --at 0,0 --to 1,1 --credits 1,2",
     "--at: 2 coordinates, expected 3"},
    {"ShareBelowZero", "net --size tiny --traffic r_mixed_ua:-0.1",
     "traffic pattern 'r_mixed_ua:-0.1': the share is '-0.1', expected 0..1"},
    {"StragglerIsNoRank", "net --size tiny --workload dl:ranks=4,it=1,bytes=64 --straggler 4:5",
     "--straggler: rank 4 of 4"},
    {"StragglerWithATail", "net --size tiny --workload dl:ranks=4,it=1,bytes=64 --straggler 0:5x",
     "--straggler: '0:5x', expected RANK:NS"},
    {"StragglerOverflows", "net --size tiny --workload dl:ranks=4,it=1,bytes=64 --straggler 0:4294967296",
     "--straggler: '0:4294967296', expected RANK:NS"},
    {"ServiceWithoutReconfiguration", "net --fat-tree 4,4,2,2 --fail leaf:1,1#500 --reconfigure never --service 5",
     "--service: no manager is asked with --reconfigure at-once or never"},
    {"PickOfFta", "net --fat-tree 4,4,2,2 --routing ft_a --fail leaf:1,1#500 --pick bounce",
     "--pick: routing ft_a does not look at it"},
    {"ServiceOfXy", "net --fat-tree 4,4,2,2 --routing xy --fail leaf:1,1#500 --service 5",
     "--service: routing xy does not look at it"},
    {"ReconfigureOfXy", "net --fat-tree 4,4,2,2 --routing xy --fail leaf:1,1#500 --reconfigure never",
     "--reconfigure: routing xy does not look at it"},
    {"TurnLeafOfXy", "net --fat-tree 4,4,2,2 --routing xy --fail leaf:1,1#500 --turn-leaf common",
     "--turn-leaf: routing xy does not look at it"},
    {"PickOfXy", "net --fat-tree 4,4,2,2 --routing xy --fail leaf:1,1#500 --pick bounce",
     "--pick: routing xy does not look at it"},
    {"DeviceOfDor", "net --mesh 4x4 --routing dor --device rtl --at 1,1",
     "routing 'dor' does not ask the request logic of D2RA or DBRA, so no device can take its"},
    {"DeviceOfDyxy", "net --mesh 4x4 --routing dyxy --device rtl --at 1,1",
     "routing 'dyxy' does not ask the request logic of D2RA or DBRA, so no device can take"},
    {"ModeOfATorus", "net --torus 4x4 --mode paper --fail node:1,1", "--mode: torus 4x4 has no such parameter"},
    {"RuleOfTorusAdaptive", "net --torus 6x6 --routing torus_adaptive --rule dim --fail node:1,1",
     "routing 'torus_adaptive' is free of deadlock under rule any only (docs/torus.md §7)"},
    {"AdaptiveInThreeDimensions", "net --fat-tree 3,3,3,2,1 --routing vtftr_adaptive",
     "routing 'vtftr_adaptive' has two dimensions; fat-tree 3x3x3, 2 nodes and 1 rails a"},
    {"BouncesAmongDeadRoots", "net --fat-tree 4,4,2,2 --fail root:row,0,0 --pick bounce",
     "--pick bounce: a misroute does not go back with dead roots and links, in three"},
    {"LibraryAsAFaultBlock", "net --size tiny --device-lib x.so --block fault --at 0.1",
     "--device-lib x.so: is taken as route compute of a dragonfly, expected no --block fault"},
    {"BanksOfTheFaultBlock", "net --size tiny --fail global:G0-G2#300 --block fault --device rtl --at 0.1 --banks 2",
     "--block fault: the RTL is built as --hardware native, without --poll-width, --ring-hop"},
    {"RingHopOfTheFaultBlock",
     "net --size tiny --fail global:G0-G2#300 --block fault --device rtl --at 0.1 --ring-hop 2",
     "--block fault: the RTL is built as --hardware native, without --poll-width, --ring-hop"},
    {"PollWidthOfTheFaultBlock",
     "net --size tiny --fail global:G0-G2#300 --block fault --device rtl --at 0.1 --poll-width 2",
     "--block fault: the RTL is built as --hardware native, without --poll-width, --ring-hop"},
    {"ClassOfAFatTree", "fault-study --fat-tree 4,4,2,2 --class node",
     "--class: 'node' is unknown on a fat-tree, expected leaf"},
    {"PlantOfARecording", "net --size tiny --record @r --at 0.1.2 --plant x", "--plant belongs to --device rtl"},
    {"FaultBlockOfARecording", "net --size tiny --record @r --block fault --at 0.1 --fail global:G0-G2#300",
     "--block fault belongs to --device rtl"},
    {"RecordOfAllRouters", "net --size tiny --record @r --block fault --device rtl --at all --fail global:G0-G2#300",
     "records one router, expected --at GROUP.ROUTER"},
    {"PortOfTheFaultBlock", "net --size tiny --block fault --device rtl --at 0.1.0 --fail global:G0-G2#300",
     "--at 0.1.0: --block fault watches routers, expected GROUP.ROUTER or all"},
    {"TopologyWithoutAColon", "net --topology mesh",
     "topology 'mesh' is unknown, expected dragonfly:SIZE|P,A,H,G[/ARRANGEMENT]"},
    {"ArrangementInATopology", "net --topology dragonfly:tiny/other",
     "arrangement 'other' is unknown, expected direct, absolute"},
    {"NoLeafLeft", "net --fat-tree 2,2,1,1 --fail \"leaf:0,0;leaf:0,1;leaf:1,0;leaf:1,1\"",
     "--fail: no leaf switch is left alive"},
    {"RowsOfSystemC", "fault --size tiny --fail global:G0-G2 --hardware 7,21 --device systemc",
     "--hardware 7,21: --device systemc is built for the dragonfly, expected native"},
    {"StationsOfSystemC", "fault --size tiny --fail global:G0-G2 --hardware 9,14 --device systemc",
     "--hardware 9,14: --device systemc is built for the dragonfly, expected native"},
    {"PollWidthOfTheRtl", "fault --size tiny --fail global:G0-G2 --device rtl --poll-width 2",
     "--device rtl: the RTL router is built without --banks, --pipelined, --poll-width"},
    {"RingHopOfTheRtl", "fault --size tiny --fail global:G0-G2 --device rtl --ring-hop 2",
     "--device rtl: the RTL router is built without --banks, --pipelined, --poll-width"},
    {"BanksOfTheRtl", "fault --size tiny --fail global:G0-G2 --device rtl --banks 2",
     "--device rtl: the RTL router is built without --banks, --pipelined, --poll-width"},
    {"TooManyRows", "fault --size tiny --fail global:G0-G2 --hardware 64,1025",
     "expected full, native or STATIONS,ROWS with 7..64 stations and 14..1024 rows"},
    {"RowsOfARouterAtItsPins", "fault-timing --size tiny --hardware full",
     "--hardware full: a router at its pins has the 14 rows of dfly(2,4,2,8) direct"},
    {"VectorsInAFile", "vectors --block fault_port --cycles 10 --out /dev/full/x",
     "/dev/full/x: cannot be made: Not a directory"},
    {"MoreCreditsThanPorts", "arb --dims 2 --scheme dor --at 0,0 --to 1,1 --credits 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1",
     "--credits: more than 16 values"},
    {"TraceOfNothing", "mesh-trace --out @t", "one of --from-text, --generate and --show is needed"},
    {"TraceOfTwo", "mesh-trace --generate --from-text @a --out @t",
     "one of --from-text, --generate and --show is needed"},
    {"TraceToNowhere", "mesh-trace --generate --mesh 4x4", "--out FILE is needed"},
    {"MotifNumberWithATail", "workload --motif lu:px=2x,py=2", "lu: px is '2x', expected a number 1..1048576"},
    {"MotifNumberOverflows", "workload --motif lu:px=2,py=2,compute=99999999999999999999",
     "lu: compute is '99999999999999999999', expected a number"},
    {"MotifParameterWithoutAValue", "workload --motif lu:px", "lu: 'px', expected NAME=VALUE with one of px, py"},
    {"LoadBelowZero", "net --size tiny --load=-0.5", "--load: '-0.5' is not a number 0..1"},
    {"WorkloadOfNothing", "workload", "one of FILE, --motif, --motifs and --generate-netrace is needed"},
    {"ClassOfAStudyIsUnknown", "fault-study --size tiny --class globall --samples 2",
     "--class: 'globall' is unknown, expected local, global, node, router"},
    {"FaultsAreTheFirstTooMany", "fault-study --size tiny --class global --faults 29 --samples 1",
     "--faults: '29' is out of range, dfly(2,4,2,8) direct has 28 faults of class global"},
    {"FaultsOfNodesAreTooMany", "fault-study --size tiny --class node --faults 65 --samples 1",
     "--faults: '65' is out of range, dfly(2,4,2,8) direct has 64 faults of class node"},
    {"FaultsOfATorusAreTooMany", "fault-study --torus 4x4 --faults 17",
     "--faults: '17' is out of range, torus 4x4 has 16 nodes"},
    {"CosimTraffic", "cosim --size tiny --traffic cornr", "expected ur, rp or adv+I with I in 1..7, corner or all"},
    {"CongestionTraffic", "cosim --block credit_monitor --size tiny --traffic cornr", "in 1..7, corner or all"},
    {"MixtureWithoutAColon", "net --size tiny --traffic r_mixed_uax0.5", "traffic pattern 'r_mixed_uax0.5' is unknown"},
    {"SweepOfOneDimension", "workload --motif lulesh:grid=2x2x2,sweep=8",
     "lulesh: sweep is '8', expected PxQ with as many ranks as grid"},
    {"GeneratedTraceWithoutAPacket", "mesh-trace --generate --nodes 65536 --cycles 1 --load 0 --out @t",
     "trace: it would hold no packet"},
    {"LibraryOfAMeshWithoutAt", "net --mesh 4x4 --device-lib x.so", "--device rtl or --device-lib needs --at x,y,.."},
    {"LibraryOfATorusWithoutAt", "net --torus 4x4 --device-lib x.so", "--device rtl or --device-lib needs --at X,Y"},
    {"LibraryOfATreeWithoutAt", "net --fat-tree 4,4,2,2 --device-lib x.so",
     "--device rtl or --device-lib needs --at leaf:X,Y"},
    {"LibraryOfADragonflyWithoutAt", "net --size tiny --device-lib x.so",
     "--device rtl, --device-lib and --record need --at GROUP.ROUTER"},
    {"FaultOfNothing", "fault --size tiny", "--fail is required"},
    {"FromIsRequired", "route --size tiny --to 1,1,1", "--from is required"},
    {"ToIsRequired", "route --size tiny --from 1,1,1", "--to is required"},
    {"TopIsRequired", "wrap --size tiny --files /dev/null", "--top is required"},
    {"FilesAreRequired", "wrap --size tiny --top x", "--files is required"},
    {"AtIsRequired", "arb --to 2,2 --credits 1,1", "--at is required"},
    {"ToOfARequestIsRequired", "arb --at 1,1 --credits 1,1", "--to is required"},
    {"CreditsAreRequired", "arb --at 1,1 --to 2,2", "--credits is required"},
    {"ReportOfWhat", "report --out @x.html", "--in is required"},
    {"ReportWhere", "report --in @x.json", "--out is required"},
    {"ViewOfWhat", "view", "result is required"},
    {"SizeExcludesDragonfly", "net --size tiny --dragonfly 2,4,2,8", "--size excludes --dragonfly"},
    {"SizeOnARoutedTorus", "route --torus 4x4 --size tiny --from 0,0 --to 1,1", "--size excludes --torus"},
    {"PolicyOnARoutedTorus", "route --torus 4x4 --policy printed --from 0,0 --to 1,1", "--policy excludes --torus"},
    {"StudyOfASizedTorus", "fault-study --torus 4x4 --size tiny", "--size excludes --torus"},
    {"StudyOfATorusOfADragonfly", "fault-study --torus 4x4 --dragonfly 2,4,2,8", "--dragonfly excludes --torus"},
    {"StudyOfASizedTree", "fault-study --fat-tree 4,4,2,2 --size tiny", "--size excludes --fat-tree"},
    {"StudyOfATorusAndATree", "fault-study --torus 4x4 --fat-tree 4,4,2,2", "--torus excludes --fat-tree"},
    {"RuleOfAStudiedDragonfly", "fault-study --size tiny --rule dim", "--rule requires --torus"},
    {"DetectOfAStudiedDragonfly", "fault-study --size tiny --detect 5", "--detect requires --fat-tree"},
    {"ServiceOfAStudiedDragonfly", "fault-study --size tiny --service 5", "--service requires --fat-tree"},
    {"RuleOfADragonflyFault", "fault --size tiny --fail global:G0-G2 --rule dim", "--rule requires --torus"},
    {"DetectOfADragonflyFault", "fault --size tiny --fail global:G0-G2 --detect 5", "--detect requires --fat-tree"},
    {"ServiceOfADragonflyFault", "fault --size tiny --fail global:G0-G2 --service 5", "--service requires --fat-tree"},
    {"TreeAndTorusFault", "fault --torus 4x4 --fat-tree 4,4,2,2 --fail node:1,1", "--torus excludes --fat-tree"},
    {"TreeAndSizeFault", "fault --size tiny --fat-tree 4,4,2,2 --fail leaf:1,1", "--size excludes --fat-tree"},
    {"RuleOfADragonflyRoute", "route --size tiny --from 0,0,0 --to 1,1,1 --rule dim", "--rule requires --torus"},
    {"RoutingOfADragonflyRoute", "route --size tiny --from 0,0,0 --to 1,1,1 --routing safe4",
     "--routing requires --torus"},
    {"KnownOfADragonflyRoute", "route --size tiny --from 0,0,0 --to 1,1,1 --known leaf:1,1",
     "--known requires --fat-tree"},
    {"PickOfADragonflyRoute", "route --size tiny --from 0,0,0 --to 1,1,1 --pick bounce", "--pick requires --fat-tree"},
    {"RuleOfAMeshDeadlock", "deadlock --mesh 2x2 --rule dim", "--rule requires --torus"},
    {"AllSetsOfAMesh", "deadlock --mesh 2x2 --all-sets", "--all-sets requires --torus"},
    {"RoutingOfAMeshDeadlock", "deadlock --mesh 2x2 --routing safe4", "--routing requires --torus"},
    {"UpToOfAMesh", "deadlock --mesh 2x2 --up-to 2", "--up-to requires --fat-tree"},
    {"ToDisabledOfAMesh", "deadlock --mesh 2x2 --to-disabled", "--to-disabled requires --torus"},
    {"KnownOfAMesh", "deadlock --mesh 2x2 --known leaf:1,1", "--known requires --fat-tree"},
    {"FirstGroupOutside", "fault --size tiny --fail global:G8-G0", "group 8 is out of range, expected 0..7"},
    {"SecondGroupOutside", "fault --size tiny --fail global:G0-G8", "group 8 is out of range, expected 0..7"},
    {"LocalGroupOutside", "fault --size tiny --fail local:G8.s0-s1", "group 8 is out of range, expected 0..7"},
    {"LocalRouterOutside", "fault --size tiny --fail local:G0.s4-s1", "router 4 is out of range, expected 0..3"},
    {"LocalPeerOutside", "fault --size tiny --fail local:G0.s0-s4", "router 4 is out of range, expected 0..3"},
    {"LocalPeerGroupOutside", "fault --size tiny --fail local:G0.s0-G8.s1", "group 8 is out of range, expected 0..7"},
    {"ListedGroupOutside", "route --size tiny --from 1,1,1 --to 1,1,0 --congested g8.r0.p1", "names group 8"},
    {"ListedRouterOutside", "route --size tiny --from 1,1,1 --to 1,1,0 --congested g0.r4.p1", "names router 4"},
    {"ListedLocalGroupOutside", "route --size tiny --from 1,1,1 --to 1,1,0 --congested local:G8.s1-s2",
     "names group 8"},
    {"ListedLocalRouterOutside", "route --size tiny --from 1,1,1 --to 1,1,0 --congested local:G1.s4-s2",
     "names router 4"},
    {"ListedLocalPeerOutside", "route --size tiny --from 1,1,1 --to 1,1,0 --congested local:G1.s2-s4",
     "names router 4"},
    {"ListedGlobalGroupOutside", "route --size tiny --from 1,1,1 --to 1,1,0 --congested global:G8-G1", "names group 8"},
    {"ListedGlobalPeerOutside", "route --size tiny --from 1,1,1 --to 1,1,0 --congested global:G1-G8", "names group 8"},
    {"RangeOfNodes", "pipeline --dragonfly 0,4,2,8", "p = 0 is out of range, expected 1..16"},
    {"RangeOfRouters", "pipeline --dragonfly 2,1,2,2", "a = 1 is out of range, expected 2..32"},
    {"RangeOfGlobalPorts", "pipeline --dragonfly 2,4,0,2", "h = 0 is out of range, expected 1..16"},
    {"RangeOfGroups", "pipeline --dragonfly 2,4,2,1 --arrangement absolute", "g = 1 is out of range, expected 2..9"},
    {"RangeOfGroupsOfDirect", "pipeline --dragonfly 2,4,2,1 --arrangement direct",
     "g = 1 is out of range, expected 2.."},
    {"CreditsOfAPort", "arb --dims 2 --scheme dor --at 0,0 --to 1,1 --credits 1,256",
     "--credits: '256' is not a number 0..255"},
    {"CreditsOfADimension", "arb --dims 2 --scheme dor --at 0,0 --to 1,1 --credits x+=256",
     "--credits: '256' is not a number 0..255"},
    {"RangeOfTheDevice", "net --mesh 4x4 --device rtl --at 1,255", "--at: '255' is not a number 0..254"},
    {"LineOfTheDevice", "net --fat-tree 4,4,2,2 --device rtl --at row:4,0", "'4' is not a number 0..3"},
    {"RangeOfIterations", "workload --motif lu:px=2,py=2,it=0", "it is '0', expected a number 1..1000000000"},
    {"RangeOfNz", "workload --motif lu:px=2,py=2,nz=0", "nz is '0', expected a number 1.."},
    {"RangeOfNx", "workload --motif lu:px=2,py=2,nx=0", "nx is '0', expected a number 1.."},
    {"RangeOfNy", "workload --motif lu:px=2,py=2,ny=0", "ny is '0', expected a number 1.."},
    {"RangeOfNzblock", "workload --motif lu:px=2,py=2,nzblock=0", "nzblock is '0', expected a number 1.."},
    {"ReportToNowhere", "report --in @no.json --out @no/x.html", "x.html' cannot be written"},
};
INSTANTIATE_TEST_SUITE_P(Matrix, BadInputTest, testing::ValuesIn(kBadInputs),
                         [](const auto& info) { return info.param.name; });

/// Of options that a command line has no use for, each is refused.
struct Useless {
  const char* name;
  const char* arguments;  ///< as in BadInput
  const char* options;    ///< with their values; one at a time is added
  const char* why;        ///< after the option's name
};
void PrintTo(const Useless& useless, std::ostream* out) { *out << useless.arguments; }

class UselessTest : public TableTest, public testing::WithParamInterface<Useless> {};

TEST_P(UselessTest, EachOptionIsRefused) {
  const std::string options = GetParam().options;
  for (size_t from = 0; from < options.size();) {
    const size_t to = std::min(options.find(" --", from + 2), options.size());
    const std::string option = options.substr(from, to - from);
    expect_refused(run(in_folder(std::string(GetParam().arguments) + " " + option)),
                   option.substr(0, option.find(' ')) + ": " + GetParam().why);
    EXPECT_EQ(files(), 0) << option;
    from = to + 1;
  }
}

constexpr Useless kUseless[] = {
    {"FaultOnATorus", "fault --torus 4x4 --fail node:1,1",
     "--size tiny --dragonfly 2,4,2,8 --arrangement direct --at 5 --repair all --mode safe --recovery per_entry "
     "--hardware full --poll-width 2 --ring-hop 2 --banks 2 --pipelined --load 0.3 --ideal --ideal-t-ld 4 "
     "--ideal-t-gd 4 --ideal-t-r 4 --immediate-mask --local-latency 5 --global-latency 5 --link-level --corrupt "
     "0.1 --device rtl --device-at G0.s1 --verify --clock-ghz 1 --seed 3 --html @x.html --trace @x",
     "of a dragonfly, --torus and --fat-tree have no such option"},
    {"IdealTimes", "fault --size tiny --fail global:G0-G2", "--ideal-t-ld 4 --ideal-t-gd 4 --ideal-t-r 4",
     "belongs to --ideal"},
    {"IdealFault", "fault --size tiny --fail global:G0-G2 --ideal",
     "--hardware native --poll-width 2 --ring-hop 2 --banks 2 --pipelined --load 0.3 --link-level --corrupt 0.1",
     "--ideal has constant service times"},
    {"StudyOnATorus", "fault-study --torus 4x4",
     "--mode paper --poll start --load 0.3 --least-load 0.1 --every --no-repair --hardware full --poll-width 2 "
     "--ring-hop 2 --banks 2 --pipelined true --local-latency 5 --global-latency 5 --require p99=5 --threads 2 "
     "--store @s --html @h --trace @t --slurm --print-tasks --part 0/2 --known @k",
     "of the study of a dragonfly"},
    {"DeadlockOnATorus", "deadlock --torus 5x5",
     "--scheme dbra --mesh 3x3 --slots 4 --packets 3 --selection strict --time-limit 5 --memory-mb 5 "
     "--stop-at-first",
     "of a mesh, --torus and --fat-tree have no such option"},
    {"Campaign", "crosscheck --packets 10", "--load 0.2 --traffic rp --fail global:G0-G1#5 --random-faults",
     "a campaign (--packets) has its own"},
    {"SweepOfAPlan", "sweep --plan @p.json --merge",
     "--out @o --quick --estimate --no-run --slurm --print-tasks --jobs 2", "not with --plan"},
    {"PrintedTasks", "sweep sim/scenarios/sweep_tiny.toml --print-tasks --out @o", "--estimate --no-run",
     "not with --slurm and --print-tasks"},
    {"SlurmTasks", "sweep sim/scenarios/sweep_tiny.toml --slurm --out @o", "--estimate --no-run",
     "not with --slurm and --print-tasks"},
    {"Estimate", "sweep sim/scenarios/sweep_tiny.toml --estimate --out @o",
     "--json @x --sqlite @x --markdown @x --no-run", "--estimate runs nothing"},
    {"ResultsOfTasks", "sweep sim/scenarios/sweep_tiny.toml --print-tasks --out @o",
     "--json @x --sqlite @x --markdown @x", "results are written with --merge, or without tasks"},
    {"SweepWithoutAPlan", "sweep sim/scenarios/sweep_tiny.toml --out @o", "--merge --task 0", "of which --plan?"},
    {"SweepWithoutTasks", "sweep sim/scenarios/sweep_tiny.toml --out @o", "--array-max 5 --task-time 5",
     "of tasks, expected --slurm or --print-tasks"},
    {"SweepWithoutSlurm", "sweep sim/scenarios/sweep_tiny.toml --out @o", "--sbatch x", "words for --slurm"},
    {"JobsWithoutAPlan", "jobs @j.json", "--merge --task 0", "of which --plan?"},
    {"JobsOfAPlan", "jobs --plan @p.json --merge", "--slurm --print-tasks --jobs 2", "not with --plan"},
    {"Motif", "workload --motif lu:px=2,py=2", "--nodes 8 --misses 5 --seed 3", "of --generate-netrace"},
    {"GeneratedNetrace", "workload --generate-netrace @t", "--motif lu:px=2,py=2 --json @x --eager-limit 5 --chakra @c",
     "--generate-netrace does nothing else"},
    {"Recording", "cosim --trace-in @t", "--traffic corner --load 0.3 --seed 3 --one-reset --maps drawn", "--trace-in"},
    {"ShownTrace", "mesh-trace --show @t", "--mesh 4x4 --nodes 3 --out @o --cycles 5 --load 0.1 --seed 3",
     "--show does nothing else"},
    {"ConvertedTrace", "mesh-trace --from-text @t --mesh 4x4 --out @o", "--cycles 5 --load 0.1 --seed 3",
     "of --generate"},
    {"PipelineOfATree", "pipeline --block vtftr_leaf", "--size tiny --dragonfly 2,4,2,8 --arrangement direct",
     "belongs to --block route_compute, router"},
    {"PipelineOfATorus", "pipeline --block torus_route", "--size tiny --dragonfly 2,4,2,8 --arrangement direct",
     "belongs to --block route_compute, router"},
    {"PipelineOfADragonfly", "pipeline --size tiny", "--torus 5x5 --routing safe4", "belongs to --block torus_route"},
    {"TreeWithoutATorus", "pipeline --block vtftr_leaf", "--torus 5x5 --routing safe4",
     "belongs to --block torus_route"},
    {"DragonflyWithoutATree", "pipeline --size tiny", "--tree tiny", "belongs to --block vtftr_leaf, vtftr_root"},
    {"Suite", "vectors --suite --out @v",
     "--block router --size tiny --dragonfly 2,4,2,8 --arrangement direct --traffic ur --dims 2 --set x=1",
     "--suite has its own"},
    {"Check", "vectors --check @v.json",
     "--block router --size tiny --dragonfly 2,4,2,8 --arrangement direct --traffic ur --load 0.3 --cycles 10 "
     "--seed 3 --dims 2 --set x=1",
     "--check has that of vectors.json"},
};
INSTANTIATE_TEST_SUITE_P(Matrix, UselessTest, testing::ValuesIn(kUseless),
                         [](const auto& info) { return info.param.name; });

/// A number that is none, or not in the range of an option, is refused with the range.
struct Ranges {
  const char* name;
  const char* command;
  const char* ranges;  ///< of options, each with least..most
};
void PrintTo(const Ranges& ranges, std::ostream* out) { *out << ranges.command; }

class RangesTest : public ProgramTest, public testing::WithParamInterface<Ranges> {};

TEST_P(RangesTest, AreSaidAndHeld) {
  std::istringstream words(GetParam().ranges);
  for (std::string option, range; words >> option >> range;) {
    const size_t dots = range.find("..");
    const std::string least = range.substr(0, dots), most = range.substr(dots + 2);
    const std::string below = fmt::format("{}", std::stod(least) - 1),
                      above =
                          fmt::format("{:.12g}", std::stod(most) + (most.find('.') == std::string::npos ? 1 : 0.001));
    for (const std::string& word : {std::string("x"), below, above})
      expect_refused(run(fmt::format("{} {}={}", GetParam().command, option, word)),
                     fmt::format("{}: '{}' is not a number {}", option, word, range));
  }
}

constexpr Ranges kRanges[] = {
    {"Pipeline", "pipeline", "--device-limit 1..3600 --requests 10..100000000"},
    {"Cosim", "cosim", "--load 0..1 --device-limit 1..3600"},
    {"Arb", "arb", "--dims 1..8 --pointer 0..7 --lfsr 1..65535"},
    {"ArbTiming", "arb-timing", "--dims 1..8 --queues 1..16 --load 0.01..1 --packets 100..10000000"},
    {"Deadlock", "deadlock",
     "--slots 1..15 --packets 1..32 --time-limit 0..1000000 --memory-mb 1..1048576 --up-to 0..16 --vcs "
     "0..4"},
    {"Fault", "fault",
     "--at 0..1099511627776 --poll-width 1..64 --ring-hop 0..64 --banks 1..8 --local-latency 0..100000 "
     "--global-latency 0..100000 --load 0..0.99 --ideal-t-ld 1..1000000 --ideal-t-gd 1..1000000 "
     "--ideal-t-r 1..1000000 --corrupt 0..0.5 --clock-ghz 0..100 --detect 0..255 --service 0..100000000"},
    {"FaultTiming", "fault-timing", "--poll-width 1..64 --ring-hop 0..64 --banks 1..8"},
    {"FaultStudy", "fault-study",
     "--detect 0..255 --service 0..100000000 --samples 1..100000000 --faults 1..1000 --load 0..0.99 "
     "--least-load 0..0.99 --poll-width 1..64 --ring-hop 0..64 --banks 1..8 --local-latency 0..100000 "
     "--global-latency 0..100000 --threads 0..256 --array-max 1..1000000 --task-time 0..1000000"},
    {"Congestion", "congestion",
     "--interval 1..255 --pcs 1..255 --link 0..255 --loss 0..1 --corruption 0..1 --load 0..1 --packet "
     "1..10 --cycles 1..100000000"},
    {"MeshTrace", "mesh-trace", "--nodes 1..65536 --cycles 1..1000000000 --load 0..1"},
    {"Workload", "workload", "--nodes 4..255 --misses 1..100000000"},
    {"Sweep", "sweep", "--jobs 1..256 --array-max 1..1000000 --task-time 0..1000000"},
    {"Jobs", "jobs", "--jobs 0..1000000 --array-max 1..1000000 --task-time 0..1000000"},
    {"Vectors", "vectors", "--load 0..1 --cycles 1..10000000"},
};
INSTANTIATE_TEST_SUITE_P(Matrix, RangesTest, testing::ValuesIn(kRanges),
                         [](const auto& info) { return info.param.name; });

/// Whatever bytes a file has: the message is one line, and no terminal takes it for a command.
TEST_F(Program, BytesOfAFileDoNotReachTheTerminal) {
  const Ran ran = run("workload " + file("x.goal", "num_ranks 2\nrank 0 {\nl1: s\x1b[31mend\v\x01 10b to 1\n}\n"));
  expect_refused(ran, "line 3: 's?[31mend");
  for (const char c : ran.err.substr(0, ran.err.size() - 1)) EXPECT_GE(static_cast<unsigned char>(c), 0x20) << ran.err;
}

TEST_F(Program, UnwritableOutputIsRefusedBeforeTheWork) {
  // A hundred million requests take minutes; the refusal must not.
  expect_refused(run("pipeline --requests 100000000 --json " + path("no/x.json")), "cannot be written");
}

TEST_F(Program, OldOutputStaysWhenTheCommandFails) {
  const std::string old = file("x.json", "old");
  expect_refused(run("route --size tiny --from 9,9,9 --to 0,0,0 --json " + old), "--from");
  EXPECT_EQ(read_text(old), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(Program, JsonGoesToAPipe) {
  const Ran ran = run("route --size tiny --from 0,0,0 --to 0,0,1 --brief --json /dev/stdout | cat");
  EXPECT_TRUE(std::filesystem::is_symlink("/dev/stdout"));
  EXPECT_NE(ran.out.find("\"outcome\": \"delivered\""), std::string::npos);
}

TEST_F(Program, LinksAreFollowedNotReplaced) {
  file("real.json", "old");
  std::filesystem::create_symlink("real.json", path("link.json"));
  EXPECT_EQ(run("route --size tiny --from 0,0,0 --to 0,0,1 --json " + path("link.json")).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.json")));
  EXPECT_EQ(Json::parse(read_text(path("real.json")))["outcome"], "delivered");
  EXPECT_EQ(files(), 2);
}

TEST_F(Program, ACircleOfLinksIsNotReplaced) {
  const std::string net = "route --size tiny --from 0,0,0 --to 0,0,1 --json ";
  std::filesystem::create_symlink("loop", path("loop"));
  std::filesystem::create_symlink("two", path("one"));
  std::filesystem::create_symlink("one", path("two"));
  for (const std::string name : {"loop", "one"}) {
    expect_refused(run(net + path(name)), "cannot be written: Too many levels of symbolic links");
    EXPECT_TRUE(std::filesystem::is_symlink(path(name)));
  }
  EXPECT_EQ(files(), 3);
}

/// However a file is named, and whether an option reads or writes it.
TEST_F(Program, NoResultTakesThePlaceOfAnInputOrOfAnother) {
  const std::string map = file("map", "0\n1\n"), state = file("state", "x"), toml = file("s.json", "x");
  std::filesystem::create_symlink("x.json", path("link.json"));
  for (const std::string& words : {
           "net --size tiny --workload lu:px=1,py=2 --mapping file:" + map + " --json " + map,
           "net --size tiny --resume " + state + " --json " + state,
           "net --mesh 4x4 --traffic trace:" + state + " --page " + state,
           "net --size tiny --json " + path("link.json") + " --page " + path("x.json"),
           "sweep " + toml + " --out " + path("s"),
           "sweep s.toml --out " + path("o") + " --markdown " + path("o.csv"),
           "sweep s.toml --out " + path("o") + " --markdown " + path("o.html"),
           "workload " + path("p.0.et") + " --chakra " + path("p"),
       })
    expect_refused(run(words), ": both name '");
  EXPECT_EQ(read_text(map), "0\n1\n");
  EXPECT_EQ(files(), 4);
}

TEST_F(Program, APrefixIsNoPipe) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  expect_refused(run("sweep sim/scenarios/sweep_tiny.toml --out " + path("pipe")),
                 "--out " + path("pipe") + ": expected a prefix of file names");
}

/// Neither does a link to a device, nor a file that one option names twice, nor what a prefix does not make.
TEST_F(Program, WhatTakesNoPlaceIsNotRefused) {
  std::filesystem::create_symlink("/dev/null", path("null"));
  std::filesystem::create_symlink("/dev/null", path("nil"));
  EXPECT_EQ(run("net --size tiny --cycles 10 --json " + path("null") + " --page " + path("nil")).exit_code, 0);
  EXPECT_EQ(run("workload --motif lu:px=2,py=2,it=1 --chakra " + path("p") + " --json " + path("p.json")).exit_code, 0);
  const std::string result = path("p.json");
  EXPECT_EQ(run("report --in " + result + " --in " + result + " --out " + path("x.html")).exit_code, 0);
}

/// The first number beside each of these is refused above, or nothing makes use of the option.
TEST_F(Program, WhatIsStillPossibleIsAccepted) {
  for (const char* arguments :
       {"net --fat-tree 4,4,2,2 --traffic shift+1 --cycles 10 --warmup 0",
        "net --fat-tree 4,4,2,2 --fixed-ns 5 --ns-per-cycle 2 --cycles 10 --warmup 0",
        ("net --size tiny --fail global:G0-G2@300 --hardware native --block fault --device rtl --at 0.1 --cycles 400 "
         "--warmup 0"),
        "net --size tiny --workload dl:ranks=4,it=1,bytes=64 --load 0.1 --packet-mix 1,5 --cycles 2000",
        "fault --size tiny --fail global:G0-G2 --hardware 64,1024",
        "fault-study --size tiny --class node --faults 64 --samples 1",
        "fault-study --fat-tree 4,4,2,2 --class leaf --faults 15 --samples 1",
        "fault-study --torus 4x4 --faults 16 --samples 1",
        "deadlock --mesh 2x2 --packets 32 --slots 1 --time-limit 0.05",
        "deadlock --torus 3x3x3 --routing torus_boxes --rule dim",
        ("route --size tiny --from 0,0,0 --to 0,0,1 --congested "
         "random:0.0000000000000000000000000000000000000000000000000000001"),
        "pipeline --block vtftr_leaf --levels systemc,rtl --requests 10",
        "arb --dims 8 --at 1,1,1,1,1,1,1,1 --to 2,2,2,2,2,2,2,2 --credits 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"}) {
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.exit_code, 0) << arguments << "\n" << ran.err;
  }
}

TEST(Parameters, ASwitchIsOnOrOff) {
  const network::Parameter* live = network::find_parameter("live-traffic");
  ASSERT_NE(live, nullptr);
  for (const char* text : {"true", "false"}) EXPECT_NO_THROW(network::check_value(*live, text)) << text;
  for (const char* text : {"", "1", "False"}) EXPECT_THROW(network::check_value(*live, text), Error) << text;
}

TEST_F(Program, HelpHasAShortName) { EXPECT_EQ(run("-h").out, run("--help").out); }

TEST_F(Program, AFolderInTheWayOfOneFileOfASetLeavesNone) {
  std::filesystem::create_directories(path("v/vectors.json"));
  expect_refused(run("vectors --block credit_monitor --cycles 10 --out " + path("v")),
                 "vectors.json' cannot be written");
  EXPECT_FALSE(std::filesystem::exists(path("v/stimulus.hex")));
}

TEST_F(Program, AClosedOrFullStreamOfErrorsChangesNoExitCode) {
  const auto exit_code = [](const std::string& words) {
    return WEXITSTATUS(std::system((std::string(ODONATA_PROGRAM) + " " + words).c_str()));
  };
  const std::string route = "route --size tiny --from 0,0,0 --to 0,0,1 --brief";
  EXPECT_EQ(exit_code("net --bogus 2>&-"), 2);
  EXPECT_EQ(exit_code("net --bogus 2>/dev/full"), 2);
  EXPECT_EQ(exit_code(route + " >/dev/null 2>/dev/full"), 0);
  EXPECT_EQ(exit_code(route + " >&- 2>/dev/null"), 2);
  EXPECT_EQ(exit_code("fault-study --size tiny --samples 2 --store " + path("s") + " >/dev/null 2>&-"), 0);
  EXPECT_EQ(read_text(path("s")).rfind('{', 0), 0u) << "what was for people is in the store";
}

TEST_F(Program, DeepNestingIsNoResult) {
  const std::string deep(200'000, '['), close(200'000, ']');
  expect_refused(run("view " + file("deep.json", "{\"command\":\"net\",\"a\":" + deep + close + "}")), "no valid JSON");
}

TEST_F(Program, ALinkToNothingIsFollowed) {
  std::filesystem::create_symlink("new.json", path("link.json"));
  EXPECT_EQ(run("route --size tiny --from 0,0,0 --to 0,0,1 --json " + path("link.json")).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.json")));
  EXPECT_EQ(Json::parse(read_text(path("new.json")))["outcome"], "delivered");
}

TEST_F(Program, ARewrittenFileKeepsItsReaders) {
  using std::filesystem::perms;
  const std::string old = file("x.json", "old");
  std::filesystem::permissions(old, perms::owner_read | perms::owner_write);
  EXPECT_EQ(run("route --size tiny --from 0,0,0 --to 0,0,1 --json " + old).exit_code, 0);
  EXPECT_EQ(std::filesystem::status(old).permissions(), perms::owner_read | perms::owner_write);
}

TEST_F(Program, ANameThatIsNoUtf8LosesNoResult) {
  const std::string odd = path("\xff.json");
  const Ran ran = run("route --size tiny --from 0,0,0 --to 0,0,1 --json " + odd);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(Json::parse(read_text(odd))["outcome"], "delivered");
}

TEST_F(Program, GoingOnMayReplaceItsCheckpoint) {
  const std::string state = path("state"),
                    net = "net --size tiny --warmup 0 --cycles 300 --checkpoint-every 100 --checkpoint " + state;
  ASSERT_EQ(run(net).exit_code, 0);
  EXPECT_EQ(run(net + " --resume " + state).exit_code, 0);
}

/// Saved once at least so many cycles have passed since the last time, at the end of a window of 100 cycles.
TEST_F(Program, ACheckpointIsWrittenEverySoManyCycles) {
  const auto saved_in = [this](const std::string& every) {
    EXPECT_EQ(run("net --size tiny --load 0.2 --warmup 0 --cycles 1050 --drain 0 --checkpoint-every " + every +
                  " --checkpoint " + path("state"))
                  .exit_code,
              0);
    const network::Settings settings{
        {"size", "tiny"}, {"load", "0.2"}, {"warmup", "0"}, {"cycles", "1050"}, {"drain", "0"}};
    const network::Config config = network::finish(network::make_setup(settings), settings);
    const auto simulation = network::make_simulation(config);
    std::ifstream from(path("state"), std::ios::binary);
    simulation->load(from);
    return simulation->now();
  };
  EXPECT_EQ(saved_in("300"), 900u);
  EXPECT_EQ(saved_in("350"), 800u);
  EXPECT_EQ(saved_in("600"), 600u);
}

using Config = ProgramTest;

TEST_F(Config, GivesOptions) {
  const std::string toml =
      file("route.toml",
           "# a comment\nsize = \"tiny\"\nfrom = \"0,1,0\"\nto = \"5,2,1\"\nseed = 1_000\nbrief = true\n"
           "congested = [\"global:G0-G5\", \"g0.r1.p1\"]\n");
  const Json result = run_json("route --config " + toml);
  EXPECT_EQ(result["seed"], 1000);
  EXPECT_EQ(result["congested_ports"], 3);
  EXPECT_EQ(result["dragonfly"]["a"], 4);
}

TEST_F(Config, FractionsKeepAllTheirDigits) {
  const std::string toml = file("net.toml", "size = \"tiny\"\nload = 0.123456789012\ncycles = 100\nwarmup = 0\n");
  EXPECT_EQ(run_json("net --config " + toml)["load"].get<double>(), 0.123456789012);
}

TEST_F(Config, ANumberStandsWhereAListOfNumbersMay) {
  const std::string rest = "size = \"tiny\"\ncycles = 100\nwarmup = 0\n";
  const Json five = run_json("net --packet 5 --size tiny --cycles 100 --warmup 0");
  for (const char* value : {"packet = 5\n", "packet = \"5\"\n", "packet-mix = 5\n"})
    EXPECT_EQ(run_json("net --config " + file("net.toml", value + rest))["digest"], five["digest"]) << value;
  EXPECT_NE(run_json("net --size tiny --cycles 100 --warmup 0")["digest"], five["digest"]);
}

/// Of an option that takes several values in one word.
TEST_F(Config, AnArrayStandsWhereCommasMay) {
  const auto with = [this](const std::string& command, const std::string& text) {
    return run_json(command + " --config " + file("some.toml", text));
  };
  const std::string net = "net --size tiny --cycles 100 --warmup 0";
  EXPECT_EQ(with(net, "packet-mix = [1, 4]\n")["digest"], run_json(net + " --packet-mix 1,4")["digest"]);
  EXPECT_EQ(with("route --from 0,0,0 --to 1,1,1", "dragonfly = [2, 4, 2, 8]\n")["dragonfly"]["g"], 8);
  const std::string study = "fault-study --class local --samples 3 --size tiny";
  EXPECT_EQ(with(study, "banks = [1, 8]\npoll-width = 4\nring-hop = \"2\"\npipelined = [true, false]\n")["designs"],
            run_json(study + " --banks 1,8 --poll-width 4 --ring-hop 2 --pipelined true,false")["designs"]);
  EXPECT_EQ(with(study, "pipelined = true\n")["designs"], run_json(study + " --pipelined true")["designs"]);
  EXPECT_EQ(with("arb --dims 2 --scheme d2ra", "at = [1, 1]\nto = [2, 2]\ncredits = [2, 1]\n")["selected"],
            run_json("arb --dims 2 --scheme d2ra --at 1,1 --to 2,2 --credits 2,1")["selected"]);
  expect_refused(run(net + " --config " + file("some.toml", "packet-mix = []\n")), "expected one value, not a list");
  expect_refused(run(net + " --config " + file("some.toml", "packet-mix = [1.5]\n")), "expected a string");
}

TEST_F(Config, ANumberIsOfTheKindOfItsOption) {
  const auto refused = [this](const std::string& text, const std::string& words) {
    expect_refused(run("net --config " + file("net.toml", text)), words);
  };
  refused("load = \"x\"\n", "1: key 'load': expected a number");
  refused("load = [0.1, 0.2]\n", "1: key 'load': expected one value, not a list");
  refused("bias = 1.5\n", "1: key 'bias': expected an integer");
  refused("bias = \"5\"\n", "1: key 'bias': expected an integer");
  expect_refused(run("net --config"), "--config");
}

TEST_F(Config, CommandLineWins) {
  const std::string toml = file("route.toml", "size = \"tiny\"\nfrom = \"0,1,0\"\nto = \"5,2,1\"\nseed = 3\n");
  const Json result = run_json("route --seed 4 --dragonfly 2,3,2,6 --from=0,0,0 --config=" + toml);
  EXPECT_EQ(result["seed"], 4);
  EXPECT_EQ(result["dragonfly"]["a"], 3);
  EXPECT_EQ(result["from"]["bid"], 0);
}

TEST_F(Config, AShortNameOnTheCommandLineWins) {
  const std::string toml = file("wrap.toml", "out = \"" + path("of_the_file.so") + "\"\n");
  for (const std::string& given : {"-o " + path("no/x.so"), "-o" + path("no/x.so")})
    expect_refused(run("wrap --top x --files /dev/null --size tiny --config " + toml + " " + given),
                   "x.so' cannot be written");
}

TEST_F(Config, ScenariosRun) {
  for (const char* name : {"route.toml", "route_fault.toml"}) {
    const Ran ran = run(std::string("route --brief --config sim/scenarios/") + name);
    EXPECT_EQ(ran.exit_code, 0) << name << ": " << ran.err;
    EXPECT_NE(ran.out.find("non-minimal"), std::string::npos) << name;
  }
  EXPECT_EQ(run("pipeline --config sim/scenarios/pipeline.toml --size tiny --requests 100").exit_code, 0);
}

struct BadConfig {
  const char* name;
  const char* text;
  const char* words;  ///< after "FILE:"
};
void PrintTo(const BadConfig& bad, std::ostream* out) { *out << bad.text; }

class BadConfigTest : public ProgramTest, public testing::WithParamInterface<BadConfig> {};

TEST_P(BadConfigTest, IsRefusedWithFileAndLine) {
  const std::string toml = file("bad.toml", GetParam().text);
  expect_refused(run("route --config " + toml), toml + ":" + GetParam().words);
  EXPECT_EQ(files(), 1);
}

constexpr BadConfig kBadConfigs[] = {
    {"UnknownKey", "size = \"tiny\"\nfrom = \"0,0,0\"\n\nsise = \"tiny\"\n", "4: unknown key 'sise'"},
    {"UnknownTable", "size = \"tiny\"\n[network]\np = 1\n", "2: unknown key 'network'"},
    {"ConfigInConfig", "config = \"x.toml\"\n", "1: unknown key 'config'"},
    {"HelpInConfig", "help = true\n", "1: unknown key 'help'"},
    {"KeyWithEqualSign", "\"seed=1\" = 2\n", "1: unknown key 'seed=1'"},
    {"StringForNumber", "size = \"tiny\"\nseed = \"one\"\n", "2: key 'seed': expected an integer"},
    {"FloatForNumber", "seed = 1.5\n", "1: key 'seed': expected an integer"},
    {"NumberForString", "size = 4\n", "1: key 'size': expected a string"},
    {"StringForFlag", "brief = \"yes\"\n", "1: key 'brief': expected true or false"},
    {"ListForValue", "seed = [1, 2]\n", "1: key 'seed': expected one value"},
    {"ListOfNumbers", "congested = [1]\n", "1: key 'congested': expected a string"},
    {"NegativeSeed", "\n\nseed = -3\n", "3: --seed: '-3'"},
    {"SizeUnknown", "size = \"big\"\n", "1: --size"},
    {"DragonflyOutside", "from = \"0,0,0\"\ndragonfly = \"2,4,2,10\"\n", "2: --dragonfly: g = 10"},
    {"FlagForString", "size = true\n", "1: key 'size': expected a string"},
    {"OtherCommand", "command = \"pipeline\"\n", "1: key 'command': the file is for 'odonata pipeline'"},
    {"NoToml", "size = \"tiny\"\nfrom = = 1\n", "2: no valid TOML"},
    {"Truncated", "size = \"tiny\"\nfrom = \"0,0", "2: no valid TOML"},
    {"EmptyString", "size = \"tiny\"\njson = \"\"\n", "2: key 'json': the value is empty"},
    {"NulInAString", "size = \"tiny\"\njson = \"a\\u0000b\"\n", "2: key 'json': expected text without a NUL"},
    {"TwiceTheKey", "seed = 1\nseed = 2\n", "2: no valid TOML"},
    {"Binary", "\x01\x02\x03", "1: no valid TOML"},
};
INSTANTIATE_TEST_SUITE_P(Matrix, BadConfigTest, testing::ValuesIn(kBadConfigs),
                         [](const auto& info) { return info.param.name; });

TEST(ConfigText, NeverDoesAnythingButSucceedOrRefuse) {
  const std::string seeds[] = {"size = \"tiny\"\nseed = 4\n", "congested = [\"all\", \"random:0.3\"]\n",
                               "[a.b]\nc = 1979-05-27T07:32:00Z\n", "x = {y = [1, 2.5, inf]}\n",
                               "from = '''\n0,0,0'''\nbrief = true # end\n"};
  CLI::App app("", "odonata");
  add_all_commands(app);
  Random random(1);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = seeds[random.below(5)];
    for (uint32_t n = random.below(6); n > 0; --n) {
      const size_t at = random.below(static_cast<uint32_t>(text.size()));
      switch (random.below(3)) {
        case 0:
          text[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          text.erase(at, random.below(8));
          break;
        default:
          text.insert(at, seeds[random.below(5)].substr(0, random.below(12)));
          break;
      }
      if (text.empty()) text = "=";
    }
    try {
      expand_configuration_text(app, {"route"}, "fuzz.toml", text);
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).rfind("fuzz.toml:", 0), 0u) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(Numbers, AreDecimalDigitsOnly) {
  EXPECT_EQ(parse_number("--n", "007", 0, 10), 7u);
  for (const char* text : {"", " 7", "7 ", "+7", "-7", "0x7", "7.0", "1e3", "11", "99999999999999999999"}) {
    EXPECT_THROW(parse_number("--n", text, 0, 10), Error) << "'" << text << "'";
  }
}

TEST(Tables, ColumnsOfNumbersGoRight) {
  Table table({"name", "cycles"});
  table.add({"a", "7"});
  table.add({"longer", "1024"});
  EXPECT_EQ(table.text(), "name    cycles\n------  ------\na            7\nlonger    1024\n");
  Table half({"name", "what"});  // as many numbers as words: no column of numbers
  half.add({"a", "7"});
  half.add({"b", "seven"});
  EXPECT_EQ(half.text(), "name  what\n----  -----\na     7\nb     seven\n");
}

}  // namespace
}  // namespace odonata::cli
