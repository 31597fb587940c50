// SPDX-License-Identifier: Apache-2.0
// `odonata pipeline --block torus_route`: the specification is what golden unit, SystemC module and RTL show; a device
// that is late, early or careless does not pass.
#include <functional>

#include "models/common/error.h"
#include "models/torus/golden_device.h"
#include "sim/tests/run_program.h"
#include "sim/torus/torus_pipeline.h"

namespace odonata::cli {
namespace {

using torus::RouteInputs;
using torus::RouteOutputs;
using torus::Variant;

/// The golden unit with something done to its pins.
class Planted final : public TorusRouteLevel {
 public:
  using Inputs = std::function<void(RouteInputs&)>;
  using Outputs = std::function<void(RouteOutputs&)>;
  Planted(const Torus& torus, Inputs inputs, Outputs outputs)
      : golden_(torus, Variant::kSafe6), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {}
  void step(const RouteInputs& in, RouteOutputs& out) override {
    RouteInputs changed = in;
    if (inputs_) inputs_(changed);
    golden_.step(changed, out);
    if (outputs_) outputs_(out);
  }

 private:
  torus::GoldenRoute golden_;
  Inputs inputs_;
  Outputs outputs_;
};

std::string problems(Planted::Inputs inputs, Planted::Outputs outputs) {
  const Torus torus = Torus::parse("7x6");
  Planted device(torus, std::move(inputs), std::move(outputs));
  std::string all;
  for (const std::string& problem : measure_torus_route("planted", device, torus, Variant::kSafe6, 2000, 3).problems)
    all += problem + "\n";
  return all;
}

TEST(TorusMeasure, EveryLevelKeepsTheSpecification) {
  const std::pair<const char*, Variant> built[] = {{"4x4", Variant::kSafe6Ring},
                                                   {"5x7", Variant::kSafe4},
                                                   {"10x10", Variant::kSafe6Ring},
                                                   {"32x32", Variant::kSafe6}};
  for (const auto& [name, variant] : built) {
    const Torus torus = Torus::parse(name);
    for (const char* level : {"golden", "systemc", "rtl"}) {
      const auto device = make_torus_route(level, torus, variant);
      ASSERT_NE(device, nullptr) << level << " " << name;
      const TorusLevelTimes times = measure_torus_route(level, *device, torus, variant, 3000, 7);
      EXPECT_TRUE(times.problems.empty()) << level << " " << name << ": " << times.problems.front();
      EXPECT_TRUE(times.isolated.latency.always(2));
      EXPECT_TRUE(times.back_to_back.latency.always(2));
      EXPECT_TRUE(times.back_to_back.interval.always(1));
      EXPECT_EQ(times.back_to_back.answers, 3000u);
    }
  }
  EXPECT_EQ(make_torus_route("rtl", Torus::parse("9x9"), Variant::kSafe6), nullptr);
}

TEST(TorusMeasure, WhatDeviatesDoesNotPass) {
  EXPECT_EQ(problems(nullptr, nullptr), "");
  EXPECT_NE(problems(nullptr, [before = RouteOutputs{}](RouteOutputs& out) mutable { std::swap(before, out); })
                .find("latency 3..3 cycles, the specification says 2"),
            std::string::npos);
  EXPECT_NE(
      problems([before = RouteInputs{}](RouteInputs& in) mutable { std::swap(before.ask.blocked, in.ask.blocked); },
               nullptr)
          .find("answers are not the route of their request"),
      std::string::npos)
      << "ports of another edge";
  EXPECT_NE(
      problems([i = 0](RouteInputs& in) mutable { in.valid = in.valid && ++i % 50 != 0; }, nullptr).find("answers to"),
      std::string::npos);
  EXPECT_NE(problems([i = 0](RouteInputs& in) mutable { in.valid = in.valid && ++i % 2 == 0; }, nullptr)
                .find("initiation interval 2 cycles, the specification says 1"),
            std::string::npos);
  EXPECT_NE(problems(nullptr,
                     [held = uint8_t{0}](RouteOutputs& out) mutable {
                       if (out.valid) held = out.header;
                       out.header = held;
                     })
                .find("pins that are not 0"),
            std::string::npos);
}

using TorusPipeline = ProgramTest;

TEST_F(TorusPipeline, KeysAndVerdict) {
  const Json r = run_json("pipeline --block torus_route --torus 10x10 --requests 2000");
  EXPECT_EQ(r["verdict"], "pass");
  EXPECT_EQ(r["block"], "torus_route");
  EXPECT_EQ(r["torus"], "10x10");
  EXPECT_EQ(r["routing"], "safe6_ring");
  EXPECT_EQ(r["specification"].dump(), R"({"latency_cycles":2,"initiation_interval":1})");
  for (const char* level : {"golden", "systemc", "rtl"}) {
    EXPECT_EQ(r["levels"][level]["latency_cycles"], 2) << level;
    EXPECT_EQ(r["levels"][level]["initiation_interval"], 1) << level;
    EXPECT_EQ(r["levels"][level]["back_to_back"]["responses"], 2000) << level;
    EXPECT_EQ(r["levels"][level]["back_to_back"]["wrong"], 0) << level;
    EXPECT_EQ(r["levels"][level]["verdict"], "pass") << level;
  }
  EXPECT_FALSE(run_json("pipeline --block torus_route --torus 9x7 --requests 100")["levels"].contains("rtl"))
      << "not built";
}

TEST_F(TorusPipeline, BadInputIsRefused) {
  expect_refused(run("pipeline --block torus_route --torus 2x4"), "torus");
  expect_refused(run("pipeline --block torus_route --routing ring6"), "no hardware");
  expect_refused(run("pipeline --block torus_route --torus 9x9 --levels rtl"), "rtl is not built");
  expect_refused(run("pipeline --block torus_route --levels gold"), "'gold' is unknown");
  expect_refused(run("pipeline --block torus_route --size tiny"), "--size");
  expect_refused(run("pipeline --torus 4x4"), "--torus");
  expect_refused(run("pipeline --block torus"), "--block");
}

}  // namespace
}  // namespace odonata::cli
