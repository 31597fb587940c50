// SPDX-License-Identifier: Apache-2.0
// Lockstep of the VTFTR RTL and SystemC modules with the golden units: agreement, coverage, the netlist of yosys, every
// planted bug.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "models/common/error.h"
#include "tb/harness/test_request.h"
#include "tb/vtftr/campaign.h"

namespace odonata::cosim {
namespace {

CampaignRequest request(const std::string& tree, uint64_t transactions, const std::string& device = "rtl") {
  CampaignRequest r = test_request("corner", transactions, {{"tree", tree}});
  r.device = device;
  return r;
}

struct Case {
  const char *unit, *tree;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.unit << ' ' << c.tree; }
const Case kCases[] = {
    {"vtftr_leaf", "tiny"},   {"vtftr_leaf", "uneven"}, {"vtftr_leaf", "paper"},    {"vtftr_leaf", "full"},
    {"vtftr_root", "tiny"},   {"vtftr_root", "uneven"}, {"vtftr_root", "mask"},     {"vtftr_root", "paper"},
    {"vtftr_root", "full"},   {"vtftr_update", "tiny"}, {"vtftr_update", "uneven"}, {"vtftr_update", "paper"},
    {"vtftr_update", "full"}, {"vtftr_detect", "tiny"}, {"vtftr_detect", "paper"},  {"vtftr_detect", "full"}};

class VtftrCosim : public testing::TestWithParam<Case> {};
TEST_P(VtftrCosim, RtlAgreesAndCoverageIsComplete) {
  const CampaignResult r = find_unit(vtftr_units(), GetParam().unit).run(request(GetParam().tree, 300'000));
  EXPECT_TRUE(r.passed()) << report_text(r);
  EXPECT_EQ(r.coverage["percent"], 100.0) << r.coverage_text;
}
TEST_P(VtftrCosim, SystemcAgrees) {
  const CampaignResult r = find_unit(vtftr_units(), GetParam().unit).run(request(GetParam().tree, 20'000, "systemc"));
  EXPECT_TRUE(r.passed()) << report_text(r);
}
INSTANTIATE_TEST_SUITE_P(Units, VtftrCosim, testing::ValuesIn(kCases),
                         [](const auto& c) { return std::string(c.param.unit) + "_" + c.param.tree; });

// yosys 0.23 can miscompile silently: what it writes has to pass the same lockstep.
TEST(VtftrNetlist, WhatYosysWritesAgrees) {
  for (const Unit& unit : vtftr_units()) {
    const CampaignResult r = unit.run(request("tiny", 20'000, "netlist"));
    EXPECT_TRUE(r.passed()) << unit.name << ": " << report_text(r);
  }
}

TEST(VtftrPlants, EveryPlantedBugIsCaught) {
  int caught = 0;
  for (const Unit& unit : vtftr_units()) {
    for (const Plant& plant : unit.plants) {
      bool found = false;
      for (const Case& built : kCases) {
        if (unit.name != built.unit) continue;
        CampaignRequest r = request(built.tree, 20'000);
        r.plant = plant.name;
        found = !unit.run(r).passed();
        if (found) break;
      }
      EXPECT_TRUE(found) << plant.name << ": " << plant.what;
      caught += found;
    }
  }
  EXPECT_GE(caught, 80);
  const auto of_no_unit =
      std::count_if(vtftr_plants().begin(), vtftr_plants().end(), [](const Plant& p) {  // rules_test.cpp
        return p.file.ends_with("/vtftr_half_dead_rules.sv") || p.file.ends_with("/vtftr_dimensions_rules.sv");
      });
  EXPECT_EQ(static_cast<size_t>(caught + of_no_unit), vtftr_plants().size());
}

TEST(VtftrCosim, BadInputIsRefused) {
  EXPECT_THROW(vtftr_units()[0].run(request("huge", 10)), Error);
  EXPECT_THROW(vtftr_units()[0].run(request("mask", 10)), Error);
  CampaignRequest r = request("tiny", 10);
  r.parameters["maps"] = "1";
  EXPECT_THROW(vtftr_units()[1].run(r), Error);
}

}  // namespace
}  // namespace odonata::cosim
