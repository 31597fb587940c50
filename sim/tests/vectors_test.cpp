// SPDX-License-Identifier: Apache-2.0
// Vectors of every unit, played by iverilog on the RTL; what a simulator wrote is judged.
#include <regex>

#include "sim/tests/run_program.h"
#include "sim/vectors/vector_set.h"
#include "tb/units.h"

namespace odonata::cli {
namespace {

class Vectors : public ProgramTest, public testing::WithParamInterface<std::string> {
 protected:
  static constexpr int kCycles = 400;
  /// Those of every unit at its smallest size; a whole router is only configured in fewer cycles.
  std::string write_small(const std::string& name) const {
    const uint64_t cycles = name == "router" ? 4 * kCycles : kCycles;
    for (const cosim::SmallUnit& unit : cosim::every_small_unit()) {
      if (unit.name != name) continue;
      const auto bench = unit.open();
      write_vector_set(*bench, {unit.block, unit.request, cycles}, vector_lines(*bench, cycles), path("set"));
    }
    return std::to_string(cycles);
  }
  void write(const std::string& block, const std::string& more = "") const {
    const Ran ran = run("vectors --block " + block + " --cycles 400 --out " + path("set") + " " + more);
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
  }
  /// Plays the set; what the simulator printed.
  std::string play() const {
    const Json set = Json::parse(read_text(path("set/vectors.json")));
    const std::string compile = "iverilog -g2012 -s replay -o " + path("replay") + " " + path("set/replay.sv") +
                                " -f " + set["sources"].get<std::string>();
    EXPECT_EQ(std::system((compile + " >" + path("log") + " 2>&1").c_str()), 0) << read_text(path("log"));
    EXPECT_EQ(std::system(("cd " + path("set") + " && vvp ../replay >../log 2>&1").c_str()), 0);
    return read_text(path("log"));
  }
  Ran check() const { return run("vectors --check " + path("set/result.hex")); }
};

TEST_P(Vectors, PlayInIverilog) {
  const std::string cycles = write_small(GetParam());
  const std::string said = play();
  EXPECT_NE(said.find("PASS: " + cycles + " cycles of "), std::string::npos) << said;
  const Ran ran = check();
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find(cycles + " cycles compared, pass"), std::string::npos) << ran.out;
}

/// A unit says itself whether its stimulus looks at a load; where it does not, the load is refused and nowhere told.
TEST_F(Vectors, ALoadIsRefusedWhereNothingLooksAtIt) {
  int loaded = 0;
  for (const cosim::SmallUnit& small : cosim::every_small_unit()) {
    const cosim::Unit& unit = cosim::find_unit(cosim::described_units(), small.block);
    for (const char* traffic : {"ur", "corner"}) {
      cosim::CampaignRequest request = small.request;
      request.traffic = traffic;
      const auto stimulus = [&](double load) {
        request.load = load;
        return vector_lines(*unit.open(request), 2500).stimulus;
      };
      EXPECT_EQ(stimulus(0.1) != stimulus(0.9), unit.uses_load(request)) << small.name << ", " << traffic;
      loaded += unit.uses_load(request);
    }
  }
  EXPECT_EQ(loaded, 9);
  expect_refused(run("vectors --block fault_link --traffic ur --load 0.3 --out " + path("set")),
                 "--load: the stimulus of fault_link looks at no load");
  expect_refused(run("cosim --block arb_request --set part=switch --load 0.3"),
                 "--load: the stimulus of arb_request, part switch looks at no load");
  expect_refused(run("cosim --block vtftr_leaf --load 0.3"), "--load: the stimulus of vtftr_leaf looks at no load");
  expect_refused(run("cosim --block credit_monitor --size tiny --traffic corner --load 0.3"),
                 "--load: the corner cases look at no load, expected another --traffic");
  const Json out = run_json("cosim --block fault_link --size tiny --transactions 100");
  EXPECT_TRUE(out["load"].is_null());
  EXPECT_EQ(out["report"][0]["text"].get<std::string>().find("load"), std::string::npos);
  EXPECT_EQ(run_json("cosim --block credit_monitor --size tiny --load 0.3 --transactions 100")["load"], 0.3);
  write("credit_monitor", "--size tiny");
  EXPECT_TRUE(Json::parse(read_text(path("set/vectors.json")))["load"].is_null());
  write("credit_monitor", "--size tiny --traffic ur --load 0.3");
  EXPECT_EQ(Json::parse(read_text(path("set/vectors.json")))["load"], 0.3);
}

/// Parts of a unit have sets, too. A pin is told by its own bits, not by the digits that it shares with others.
TEST_F(Vectors, PartsAreJudged) {
  for (const char* part : {"logic", "switch"}) {
    write("arb_request", std::string("--dims 2 --set part=") + part);
    EXPECT_NE(play().find(std::string("PASS: 400 cycles of arb_request_") + part), std::string::npos);
    EXPECT_EQ(check().exit_code, 0) << part;
  }
  write("credit_monitor", "--size tiny");
  std::string lines = read_text(path("set/expected.hex"));
  const size_t high =
      lines.rfind('\n', lines.size() - 2) + 1;  // this digit of the last line: bit 0 is congested_o, bit 1 busy_o
  const int digit = std::stoi(lines.substr(high, 1), nullptr, 16);
  lines[high] = "0123456789abcdef"[digit ^ 2];
  file("set/result.hex", lines);
  const Ran ran = check();
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(ran.out.find("congested_o"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find(digit >> 1 & 1 ? "busy_o: expected 1, got 0" : "busy_o: expected 0, got 1"), std::string::npos)
      << ran.out;
  std::string windows = read_text(path("set/expected.hex"));
  for (size_t at = 0; (at = windows.find('\n', at)) != std::string::npos; at += 3) windows.replace(at, 1, " \r\n");
  file("set/result.hex", windows);
  EXPECT_EQ(check().exit_code, 0) << "ends of lines of another system";
  lines[high] = 'X';  // one bit of the digit, or all
  file("set/result.hex", lines);
  const Ran unknown = check();
  for (const char* pin : {"congested_o", "busy_o"}) {
    EXPECT_TRUE(
        std::regex_search(unknown.out, std::regex(std::string(pin) + ": expected ., got x, or a pin beside it")))
        << unknown.out;
  }
  lines[high] = 'z';
  file("set/result.hex", lines);
  EXPECT_NE(check().out.find("busy_o: expected "), std::string::npos);
  EXPECT_NE(check().out.find(", got z, or a pin beside it"), std::string::npos);
  lines[high] = 'g';
  file("set/result.hex", lines);
  expect_refused(check(), " hexadecimal digits");
  expect_refused(run("vectors --check " + path("set/expected.hex")), "that is what is expected");
}

/// Pins of many digits, of which none is unknown, and the reasons of the size that the set is of; what the unit got is
/// not needed to judge what it said.
TEST_F(Vectors, WidePinsAreNamedWhole) {
  const auto said = [this](const std::string& size) {
    write("route_compute", size);
    std::string lines = read_text(path("set/expected.hex"));
    const size_t digits = lines.find('\n');
    file("set/result.hex", lines.replace(249 * (digits + 1), digits, digits, '0'));
    std::filesystem::remove(path("set/stimulus.hex"));
    const Ran ran = check();
    EXPECT_EQ(ran.exit_code, 1) << ran.err;
    return ran.out;
  };
  const std::string tiny = said("--size tiny"), other = said("--dragonfly 2,4,2,9");
  for (const char* words : {"cycle 249: probe_o: expected 018003, got 000000\n",
                            "local_threshold_o: expected 000a, got 0000\n", "250 cycles compared, FAIL"})
    EXPECT_NE(tiny.find(words), std::string::npos) << tiny;
  EXPECT_NE(other.find("No request is in stage 4"), std::string::npos) << other;
}

/// The size that the description names is the unit's: a dragonfly for parts of one alone.
TEST_F(Vectors, NameADragonflyOnlyOfItsParts) {
  write("vtftr_leaf");
  Json set = Json::parse(read_text(path("set/vectors.json")));
  EXPECT_FALSE(set.contains("dragonfly"));
  EXPECT_EQ(set["parameters"], Json({{"N", 4}, {"M", 4}, {"P", 2}, {"U", 2}}));
  file("set/result.hex", read_text(path("set/expected.hex")));
  EXPECT_EQ(check().exit_code, 0);
  write("credit_monitor", "--size tiny");
  set = Json::parse(read_text(path("set/vectors.json")));
  EXPECT_EQ(set["dragonfly"]["name"], "dfly(2,4,2,8) direct");
  file("set/result.hex", read_text(path("set/expected.hex")));
  EXPECT_EQ(check().exit_code, 0);
  set.erase("dragonfly");
  file("set/vectors.json", set.dump());
  expect_refused(check(),
                 "vectors.json: no description of vectors: expected \"dragonfly\", the size of credit_monitor");
}

/// A result is judged where it lies, too.
TEST_F(Vectors, AreJudgedInTheirOwnFolder) {
  write("vtftr_leaf");
  file("set/result.hex", read_text(path("set/expected.hex")));
  const std::string in_folder =
      "cd " + path("set") + " && " ODONATA_PROGRAM " vectors --check result.hex >/dev/null 2>&1";
  EXPECT_EQ(std::system(in_folder.c_str()), 0);
}

/// What was right, and why, is told by the same stimulus: with the load of the set.
TEST_F(Vectors, ReasonsAreThoseOfTheSetsLoad) {
  write("route_compute", "--size tiny --traffic ur --load 0.3 --seed 3");
  std::string lines = read_text(path("set/expected.hex"));
  size_t at = 0;
  for (int line = 0; line < 40; ++line) at = lines.find('\n', at) + 1;
  const size_t end = lines.find('\n', at) - 1;
  lines[end] = lines[end] == '0' ? '1' : '0';
  file("set/result.hex", lines);
  const Ran ran = check();
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.out.find("No request is in stage 4"), std::string::npos) << ran.out;
}

/// Four-valued simulation out of reset: above, no output of any unit is ever unknown. The control: a unit that never
/// sees its reset shows X.
TEST_P(Vectors, WithoutResetOutputsAreUnknown) {
  write_small(GetParam());
  std::string bench = read_text(path("set/replay.sv"));
  const std::string drive = "stimulus = stimuli[cycle];";
  ASSERT_NE(bench.find(drive), std::string::npos);
  file("set/replay.sv",
       bench.replace(bench.find(drive), drive.size(), "stimulus = stimuli[cycle] | 1'b1;  // bit 0: rst_ni"));
  EXPECT_NE(play().find("FAIL: "), std::string::npos);
  const std::string result = read_text(path("set/result.hex"));
  EXPECT_NE(result.find_first_of("xX", result.find('\n')), std::string::npos);
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const cosim::SmallUnit& unit : cosim::every_small_unit()) out.push_back(unit.name);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Units, Vectors, testing::ValuesIn(names()), [](const auto& info) { return info.param; });

/// The conformance suite: every unit, both sizes, directed and loaded; it judges what it expects as a pass, and says
/// what its benches are made for.
TEST_F(Vectors, TheSuiteHasEveryUnitAtBothSizes) {
  ASSERT_EQ(run("vectors --suite --cycles 60 --out " + path("suite")).exit_code, 0);
  std::map<std::string, std::map<std::string, Json>> sets;  // by unit and traffic, then by size
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path("suite"))) {
    if (entry.path().filename() != "vectors.json") continue;
    const auto traffic = entry.path().parent_path(), unit = traffic.parent_path();
    sets[unit.filename().string() + "/" + traffic.filename().string()][unit.parent_path().filename().string()] =
        Json::parse(read_text(entry.path()));
  }
  for (const cosim::Unit& unit : cosim::described_units())
    EXPECT_EQ(sets.count(unit.name + "/corner"), 1u) << unit.name;
  for (const char* loaded : {"route_compute/ur", "credit_monitor/ur", "arb_request_logic/corner",
                             "arb_request_switch/corner", "torus_route/ur"})
    EXPECT_EQ(sets.count(loaded), 1u) << loaded;
  for (const auto& [name, sizes] : sets) {
    if (name == "router/ur") {  // the first cycles at paper size are configuration, the same with every traffic
      EXPECT_EQ(sizes.count("tiny"), 1u);
      continue;
    }
    ASSERT_EQ(sizes.size(), 2u) << name;
    const std::string large = name == "router/corner" ? "paper" : "full";
    const Json &tiny = sizes.at("tiny"), &full = sizes.at(large);
    const bool one_size = !tiny.contains("parameters") || name.starts_with("pcs_") ||
                          name.starts_with("fault_region") || name.starts_with("credit_");
    EXPECT_EQ(tiny["stimulus"]["bits"] == full["stimulus"]["bits"] &&
                  tiny.value("parameters", Json()) == full.value("parameters", Json()),
              one_size)
        << name;
    if (name.ends_with("/ur")) {
      EXPECT_NE(tiny["stimulus"]["crc32"],
                sets.at(name.substr(0, name.size() - 2) + "corner").at("tiny")["stimulus"]["crc32"])
          << name;
    }
    for (const std::string& size : {std::string("tiny"), large}) {
      const std::string set = path("suite/" + size + "/" + name);
      std::filesystem::copy_file(set + "/expected.hex", set + "/result.hex");
      EXPECT_EQ(run("vectors --check " + set + "/result.hex").exit_code, 0) << set;
    }
  }
}

/// Of the largest units the suite has fewer cycles than were asked for, so that a free simulator ends.
TEST_F(Vectors, TheSuiteIsBounded) {
  ASSERT_EQ(run("vectors --suite --cycles 400 --out " + path("suite")).exit_code, 0);
  const auto cycles = [this](const std::string& set) {
    return Json::parse(read_text(path("suite/" + set + "/vectors.json")))["cycles"].get<int>();
  };
  EXPECT_EQ(cycles("tiny/router_data/corner"), 400);
  EXPECT_EQ(cycles("full/route_compute/corner"), 400);
  EXPECT_EQ(cycles("tiny/router/corner"), 1400) << "it is configured first";
  EXPECT_LT(cycles("full/router_data/corner"), 400);
  EXPECT_FALSE(std::filesystem::exists(path("suite/full/router")));
}

TEST_F(Vectors, ADifferenceIsNamed) {
  write("route_compute", "--size tiny");
  play();
  std::string result = read_text(path("set/result.hex"));
  const size_t line = result.rfind('\n', result.size() - 2) + 1;
  result[result.size() - 2] = result[result.size() - 2] == 'x' ? '0' : 'x';  // the lowest bits: the probe
  file("set/result.hex", result);
  const Ran ran = check();
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.out.find("cycle 399: probe_o: expected "), std::string::npos) << ran.out;
  file("set/result.hex", result.substr(0, line));
  expect_refused(check(), "result.hex: 399 cycles, expected 400");
  expect_refused(run("vectors --check " + path("set")), "set' cannot be read: it is a directory");
  file("set/result.hex", "// route_compute 00000000\n" + result.substr(result.find('\n') + 1));
  expect_refused(check(), "a result of other vectors");
  file("set/result.hex", result.substr(0, line) + "12\n");
  expect_refused(check(), "cycle 399: '12', expected 35 hexadecimal digits");
  write("route_compute", "--dragonfly 2,4,2,9");
  expect_refused(check(), "a result of other vectors");
  const std::string made_for = read_text(path("set/vectors.json"));
  const Json pins = Json::parse(made_for)["stimulus"]["pins"];
  EXPECT_EQ(pins[0]["name"], "rst_ni");
  EXPECT_EQ(pins[1]["at"], 1);
  file("set/vectors.json", std::string(made_for).replace(made_for.find("\"cycles\": 400"), 13, "\"cycles\": 500"));
  expect_refused(check(), "vectors.json: cycles: 500, expected 400 as in expected.hex");
  file("set/vectors.json", made_for);
  file("set/stimulus.hex", "00\n");
  expect_refused(check(), "stimulus.hex: CRC-32 ");
  file("set/expected.hex", "00\n");
  expect_refused(check(), "expected.hex: CRC-32 ");
  expect_refused(run("vectors --block route_compute --size tiny"), "expected --out DIR, or --check RESULT");
}

}  // namespace
}  // namespace odonata::cli
