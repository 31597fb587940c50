// SPDX-License-Identifier: Apache-2.0
// The measurement of cycle counts: true for a good device, and a device that is late, early or careless does not pass.
#include <deque>
#include <functional>

#include "models/route_compute/golden_device.h"
#include "sim/pipeline/measure.h"
#include "sim/tests/run_program.h"

namespace odonata::cli {
namespace {

namespace rc = route_compute;
using rc::UnitInputs;
using rc::UnitOutputs;

/// The golden unit with something done to its pins.
class Planted final : public RouteComputeDevice {
 public:
  using Inputs = std::function<void(UnitInputs&)>;
  using Outputs = std::function<void(UnitOutputs&)>;
  Planted(const Dragonfly& d, Inputs inputs, Outputs outputs)
      : golden_(d), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {}
  void step(const UnitInputs& in, UnitOutputs& out) override {
    UnitInputs changed = in;
    if (inputs_) inputs_(changed);
    golden_.step(changed, out);
    if (outputs_) outputs_(out);
  }

 private:
  rc::GoldenDevice golden_;
  Inputs inputs_;
  Outputs outputs_;
};

LevelTimes measure_planted(Planted::Inputs inputs, Planted::Outputs outputs, const char* size = "tiny") {
  const Dragonfly d = Dragonfly::named(size);
  Planted device(d, std::move(inputs), std::move(outputs));
  return measure("planted", device, d, {.requests = 2000});
}

/// Delays the response pins (what == resp) or the acknowledge pins by one cycle.
Planted::Outputs late(bool response) {
  return [response, before = UnitOutputs{}](UnitOutputs& out) mutable {
    const UnitOutputs now = out;
    if (response) {
      out.resp_valid = before.resp_valid;
      out.resp_port = before.resp_port;
    } else {
      out.cfg_ack = before.cfg_ack;
      out.cfg_err = before.cfg_err;
      out.cfg_rdata = before.cfg_rdata;
    }
    before = now;
  };
}

void expect_problem(const LevelTimes& times, const std::string& words) {
  EXPECT_FALSE(times.passed());
  std::string all;
  for (const std::string& problem : times.problems) all += problem + "\n";
  EXPECT_NE(all.find(words), std::string::npos) << "'" << words << "' is not among:\n" << all;
}

TEST(Spread, IsAlwaysWhatItIsEveryTime) {
  Spread spread;
  EXPECT_FALSE(spread.always(0)) << "nothing was measured";
  spread.add(4), spread.add(4);
  EXPECT_TRUE(spread.always(4));
  EXPECT_FALSE(spread.always(5));
  spread.add(7);
  EXPECT_FALSE(spread.always(4));
  EXPECT_FALSE(spread.always(7));
}

TEST(Measure, GoldenKeepsTheSpecification) {
  for (const char* size : {"tiny", "paper", "full"}) {
    const LevelTimes times = measure_planted(nullptr, nullptr, size);
    EXPECT_TRUE(times.passed()) << size << ": " << (times.problems.empty() ? "" : times.problems.front());
    EXPECT_TRUE(times.isolated.latency.always(4));
    EXPECT_TRUE(times.back_to_back.interval.always(1));
    EXPECT_EQ(times.back_to_back.responses, 2000u);
    EXPECT_GT(times.contention.writes, 300u);
    EXPECT_GE(times.contention.wait.max, 200) << "the burst makes a write wait";
    EXPECT_EQ(times.contention.lost_writes, 0u);
  }
}

TEST(Measure, TimelineIsWhatThePinsShowed) {
  const LevelTimes times = measure_planted(nullptr, nullptr);
  int request = -1, response = -1, offered = -1, executed = -1, waits = 0;
  for (int c = 0; c < static_cast<int>(times.timeline.size()); ++c) {
    const TimelineCycle& now = times.timeline[c];
    if (now.request == 0) request = c;
    if (now.response == 0) response = c;
    if (now.write_offered == 0) offered = c;
    if (now.write_executed == 0) executed = c;
    waits += now.write_waiting == 0;
    if (now.write_executed == 0) {
      EXPECT_EQ(now.stage[1], -1) << "a write executes when stage 2 is free";
    }
    if (now.write_waiting == 0) {
      EXPECT_NE(now.stage[1], -1) << "a write waits for stage 2";
    }
  }
  EXPECT_EQ(response - request, 5) << "sampled at the end of cycle `request`, four edges later the response";
  EXPECT_GT(waits, 0);
  EXPECT_EQ(executed - offered, waits + 1);
}

TEST(Measure, LateDeviceFails) {
  expect_problem(measure_planted(nullptr, late(true)), "latency 5..5 cycles, the specification says 4");
}

TEST(Measure, EarlyDeviceFails) {
  const LevelTimes times =
      measure_planted(nullptr, [](UnitOutputs& out) { out.resp_valid = (out.probe & rc::probe::kStage4) != 0; });
  expect_problem(times, "latency 3..3 cycles");
  expect_problem(times, "stage 4 (select) takes 0..0 cycles");
}

TEST(Measure, OnceLateInAThousandFails) {
  // One response of a burst is swallowed and given a cycle later.
  const LevelTimes times = measure_planted(nullptr, [n = 0, owed = false](UnitOutputs& out) mutable {
    n += out.resp_valid;
    if (owed && !out.resp_valid) {
      out.resp_valid = 1;
      owed = false;
    } else if (out.resp_valid && n % 1000 == 999) {
      out.resp_valid = 0;
      owed = true;
    }
  });
  expect_problem(times, "latency 4..");
}

TEST(Measure, LostAndInventedResponsesFail) {
  expect_problem(measure_planted(
                     nullptr, [n = 0](UnitOutputs& out) mutable { out.resp_valid = out.resp_valid && ++n % 500 != 0; }),
                 "requests, but");
  expect_problem(measure_planted(nullptr, [n = 0](UnitOutputs& out) mutable { out.resp_valid |= ++n % 701 == 0; }),
                 "requests, but");
}

TEST(Measure, HalfThroughputFails) {
  const LevelTimes times = measure_planted(
      [last = false](UnitInputs& in) mutable {
        if (last) in.req_valid = false;
        last = in.req_valid;
      },
      nullptr);
  expect_problem(times, "initiation interval 2..2 cycles, the specification says 1");
}

TEST(Measure, SilentDeviceFailsAndEnds) {
  const LevelTimes times = measure_planted([](UnitInputs& in) { in.reset = true; }, nullptr);
  expect_problem(times, "the configuration write to 0x6008 was never acknowledged");
  expect_problem(times, "but 0 responses");
}

TEST(Measure, LateWriteFails) {
  expect_problem(measure_planted(nullptr, late(false)), "not executed in the first free cycle");
}

TEST(Measure, LostWriteFails) {
  // A write to table B that comes together with a request is acknowledged, but not done.
  const LevelTimes times =
      measure_planted([](UnitInputs& in) { in.cfg_write = in.cfg_write && !in.req_valid; }, nullptr);
  expect_problem(times, "entries read back differently");
}

TEST(Measure, WritesThatHoldUpRequestsFail) {
  const LevelTimes times =
      measure_planted([](UnitInputs& in) { in.req_valid = in.req_valid && !in.cfg_valid; }, nullptr);
  expect_problem(times, "requests beside table writes");
}

using Pipeline = ProgramTest;

TEST_F(Pipeline, JsonHasTheKeys) {
  const Json r = run_json("pipeline --size tiny --requests 1000 --seed 9");
  EXPECT_EQ(r["verdict"], "pass");
  EXPECT_EQ(r["seed"], 9);
  EXPECT_EQ(r["specification"]["latency_cycles"], 4);
  ASSERT_TRUE(r["levels"].contains("golden"));
  for (const auto& [name, level] : r["levels"].items()) {
    EXPECT_EQ(level["latency_cycles"], 4) << name;
    EXPECT_EQ(level["initiation_interval"], 1) << name;
    EXPECT_EQ(level["stages"], (Json{{"decode", 1}, {"table_read", 1}, {"filter", 1}, {"select", 1}})) << name;
    EXPECT_EQ(level["throughput"], 1.0) << name;
    EXPECT_EQ(level["back_to_back"]["requests"], 1000) << name;
    EXPECT_EQ(level["contention"]["lost_writes"], 0) << name;
    EXPECT_EQ(level["verdict"], "pass") << name;
    EXPECT_TRUE(level["timeline"].is_array()) << name;
  }
}

struct BadExpectation {
  const char* command;
  const char* text;
  const char* words;  ///< after "FILE: "
};

TEST_F(Pipeline, AnExpectationThatCannotBeIsRefused) {
  const BadExpectation bad[] = {
      {"pipeline --size tiny", "latency = 0", "latency: expected a number of cycles 1..1000"},
      {"pipeline --size tiny", "latency = 1001", "latency: expected a number of cycles 1..1000"},
      {"pipeline --size tiny", "latency = 1.5", "latency: expected a number of cycles 1..1000"},
      {"pipeline --size tiny", "initiation_interval = 0", "initiation_interval: expected a number of cycles 1..1000"},
      {"pipeline --size tiny", "stages = 4", "stages: expected 4 numbers"},
      {"pipeline --size tiny", "stages = [1, 1, 1]", "stages: expected 4 numbers"},
      {"pipeline --size tiny", "stages = [1, 1, 1, 0]", "stages: expected a number of cycles 1..1000"},
      {"pipeline --size tiny", "writes = \"never\"", "writes: expected \"first_free\" or \"any\""},
      {"pipeline --size tiny", "writes = 1", "writes: expected \"first_free\" or \"any\""},
      {"pipeline --size tiny", "speed = 1",
       "unknown key 'speed', expected latency, initiation_interval, stages or writes"},
      {"pipeline --block router", "grant = 1001", "grant: expected a number of cycles 0..1000"},
      {"pipeline --block router", "grant = [3]", "grant: expected a number of cycles or [least, most]"},
      {"pipeline --block router", "grant = [-1, 3]", "grant: expected a number of cycles 0..1000"},
      {"pipeline --block router", "grant = [4, 3]", "grant: least 4 is more than most 3"},
      {"pipeline --block router", "stream_rate = 1.1", "stream_rate: expected a rate 0..1"},
      {"pipeline --block router", "stream_rate = -0.1", "stream_rate: expected a rate 0..1"},
      {"pipeline --block router", "stream_rate = \"1\"", "stream_rate: expected a rate 0..1"},
      {"pipeline --block router", "grants = 3", "unknown key 'grants', expected grant, link, credit"},
      {"pipeline --block torus_route", "stages = [1]", "unknown key 'stages', expected latency or initiation_interval"},
  };
  for (const auto& [command, text, words] : bad) {
    const std::string expectation = file("expect.toml", text);
    expect_refused(run(std::string(command) + " --expect " + expectation), expectation + ": " + words);
  }
}

TEST_F(Pipeline, AnExpectationOfAThousandCyclesIsTaken) {
  const Expectation read =
      read_expectation(file("expect.toml", "latency = 1000\nstages = [1, 1000]"), {.stages = {1, 1}});
  EXPECT_EQ(read.latency, 1000);
  EXPECT_EQ(read.stages, (std::vector<int>{1, 1000}));
}

TEST_F(Pipeline, ARangeOfOneNumberIsThatNumber) {
  const std::vector<FigureKey> keys{{"grant", false}, {"link", false}};
  const auto figures = read_figures(file("expect.toml", "grant = [3, 3]\nlink = [3, 4]"), keys);
  EXPECT_EQ(figures.at("grant"), "3");
  EXPECT_EQ(figures.at("link"), "3..4");
}

TEST_F(Pipeline, LevelsCanBeChosen) {
  const Json r = run_json("pipeline --dragonfly 3,5,2,7 --levels golden --requests 100");
  EXPECT_EQ(r["levels"].size(), 1u);
  EXPECT_EQ(r["verdict"], "pass");
}

}  // namespace
}  // namespace odonata::cli
