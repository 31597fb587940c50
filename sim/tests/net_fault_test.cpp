// SPDX-License-Identifier: Apache-2.0
// `odonata net --device rtl --block fault`: the fault plane of a router in RTL, in the loop of a running network.
#include "sim/tests/run_program.h"

namespace odonata::cli {
namespace {

class NetFaultRtl : public ProgramTest {};

const std::string kRun =
    "net --size tiny --load 0.3 --warmup 0 --cycles 3000 --fail global:G0-G2@500 --repair all --repair-at 2000 ";

TEST_F(NetFaultRtl, AgreesAndAPlantedBugStopsTheRun) {
  const std::string command = kRun + "--device rtl --block fault --at 0.1";
  const Json out = run_json(command);
  EXPECT_GT(out["compared"].get<int>(), 10);
  const Ran planted = run(command + " --plant ring-skips");
  EXPECT_EQ(planted.exit_code, 1);
  EXPECT_NE(planted.out.find("Replay: odonata cosim --block fault_router"), std::string::npos) << planted.out;
}

TEST_F(NetFaultRtl, APipelinedSchedulerDiagnosesEarlier) {
  const std::string net = "net --size tiny --load 0.1 --warmup 500 --cycles 6000 --fail random-links:4 --fail-at 1000";
  const Json printed = run_json(net), pipelined = run_json(net + " --pipelined");
  EXPECT_EQ(printed["faults"]["tables_ok"], true);
  EXPECT_EQ(pipelined["faults"]["tables_ok"], true);
  EXPECT_LT(pipelined["faults"]["phases"]["diagnosis_done"].get<int>(),
            printed["faults"]["phases"]["diagnosis_done"].get<int>());
  const Ran same = run("crosscheck --pipelined --cycles 1500 --fail global:G0-G2@300");
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  const Ran rtl = run(net + " --device rtl --block fault --at 1.2 --pipelined");
  EXPECT_EQ(rtl.exit_code, 0) << rtl.err;
  EXPECT_NE(rtl.out.find("RTL, golden unit and engine agree"), std::string::npos) << rtl.out;
  expect_refused(run(net + " --device rtl --block fault --at 1.2 --pipelined --plant fd-lost"),
                 "built without --pipelined");
}

TEST_F(NetFaultRtl, BadInput) {
  expect_refused(run(kRun + "--device rtl --block fault --at 0.1.2"), "GROUP.ROUTER");
  expect_refused(run(kRun + "--block fault"), "--block fault");
  expect_refused(run(kRun + "--device rtl --block fault --at 0.1 --plant no-such"), "no-such");
  expect_refused(run("net --size tiny --cycles 100 --device rtl --block fault --at 0.1"), "--fail");
  expect_refused(
      run("net --dragonfly 3,6,3,18 --cycles 100 --fail global:G0-G2@50 --device rtl --block fault --at 0.1"),
      "no RTL");
}

}  // namespace
}  // namespace odonata::cli
