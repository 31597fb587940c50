// SPDX-License-Identifier: Apache-2.0
// `odonata pipeline --block router`: the specification is what golden model, SystemC module and RTL show; a device that
// is late does not pass.
#include "sim/router/router_pipeline.h"

#include <functional>

#include "sim/tests/run_program.h"

namespace odonata::cli {
namespace {

using router::DataInputs;
using router::DataOutputs;

/// The golden data path with something done to its pins.
class Planted final : public router::DataDevice {
 public:
  using Change = std::function<void(DataInputs& in)>;
  using Show = std::function<void(DataOutputs& out)>;
  Planted(const router::DataConfig& config, Change change, Show show)
      : golden_(config), change_(std::move(change)), show_(std::move(show)) {}
  void step(const DataInputs& in, DataOutputs& out) override {
    DataInputs changed = in;
    if (change_) change_(changed);
    golden_.step(changed, out);
    if (show_) show_(out);
  }

 private:
  router::GoldenData golden_;
  Change change_;
  Show show_;
};

std::string problems(Planted::Change change, Planted::Show show) {
  const router::DataConfig config;
  Planted device(config, std::move(change), std::move(show));
  std::string all;
  for (const std::string& problem :
       measure_router("planted", device, config, 200, 3, router_expectation(config)).problems)
    all += problem + "\n";
  return all;
}

TEST(RouterMeasure, WhatDeviatesDoesNotPass) {
  EXPECT_EQ(problems(nullptr, nullptr), "");
  const std::string late = problems(nullptr, [before = DataOutputs{}](DataOutputs& out) mutable {
    std::swap(before.out_valid, out.out_valid);
    std::swap(before.out_flit, out.out_flit);
  });
  EXPECT_NE(late.find("arrival to link, alone: 6, the specification says 5"), std::string::npos) << late;
  const std::string blocked =
      problems([i = 0](DataInputs& in) mutable { in.slot_taken |= ++i % 50 == 0 ? ~0ull : 0; }, nullptr);
  EXPECT_NE(blocked.find("streaming"), std::string::npos) << blocked;
  const std::string credits =
      problems([before = DataInputs{}](DataInputs& in) mutable { std::swap(before.credit, in.credit); }, nullptr);
  EXPECT_NE(credits.find("credit counted to grant: 1, the specification says 0"), std::string::npos) << credits;
}

class RouterPipelineCommand : public ProgramTest {};

TEST_F(RouterPipelineCommand, EveryLevelKeepsTheSpecification) {
  const Ran r = run("pipeline --block router --size tiny --requests 500");
  EXPECT_EQ(r.exit_code, 0) << r.out << r.err;
  for (const char* level : {"golden", "systemc", "rtl"}) EXPECT_NE(r.out.find(level), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("5..10"), std::string::npos) << r.out;
  EXPECT_EQ(run("pipeline --block router --size full --levels golden --requests 100").exit_code, 0);
  expect_refused(run("pipeline --block router --dragonfly 3,6,3,18 --levels rtl"), "rtl is not built");
  expect_refused(run("pipeline --block router --levels fast"), "levels");
}

}  // namespace
}  // namespace odonata::cli
