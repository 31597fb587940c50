// SPDX-License-Identifier: Apache-2.0
#include "tb/arb_request/campaign.h"

#include "arb_request_plants.h"
#include "hw/arb_request/input_port_device.h"
#include "tb/arb_request/arb_request_logic_words.h"
#include "tb/arb_request/arb_request_switch_words.h"
#include "tb/arb_request/arb_request_words.h"
#include "tb/arb_request/coverage.h"
#include "tb/arb_request/stimulus.h"

namespace odonata::cosim {

using namespace arb_request;

namespace {

int dims_of(const CampaignRequest& request) {
  const std::string text = parameter_of(request, "dims", "3");
  if (text.size() != 1 || text[0] < '1' || text[0] > '8') throw Error("dims is '" + text + "', expected 1..8");
  return text[0] - '0';
}

std::string part_of(const CampaignRequest& request) {
  const auto part = request.parameters.find("part");
  return part == request.parameters.end() ? "port" : part->second;
}

/// The built size that is asked for. Throws Error for anything that the unit does not know.
PortSize size_of(const CampaignRequest& request) {
  check_parameters(request, "arb_request", {"dims", "part"});
  const std::string part = part_of(request);
  if (part != "port" && part != "logic" && part != "switch")
    throw Error("part is '" + part + "', expected port, logic or switch");
  check_traffic(request, "arb_request");
  return arb_rtl_size(dims_of(request));
}

template <class Block>
UnitBench<Block> arb_bench(const PortSize& size) {
  UnitBench<Block> bench;
  bench.parameters = rtl_parameters(size);
  bench.size = std::to_string(size.dimensions) + " dimensions";
  bench.meta = {{"dims", std::to_string(size.dimensions)}};
  return bench;
}

/// Bins that a part of the coverage declares in a Coverage of its own.
template <class Part>
struct OwnBins {
  Coverage all;
  Part part;
  explicit OwnBins(auto size) : part(all, size) {}
  const Coverage& coverage() const { return all; }
};

CampaignResult run_part(const CampaignRequest& request, std::span<const Plant> plants) {
  const std::string part = part_of(request);
  if (part == "switch") return run_unit(request, plants, arb_switch_bench(request));
  return part == "logic" ? run_unit(request, plants, arb_logic_bench(request))
                         : run_unit(request, plants, arb_port_bench(request));
}

std::unique_ptr<WordBench> open_part(const CampaignRequest& request) {
  const std::string part = part_of(request);
  if (part == "switch") return by_words(arb_switch_bench(request));
  return part == "logic" ? by_words(arb_logic_bench(request)) : by_words(arb_port_bench(request));
}

}  // namespace

UnitBench<ArbPortBlock> arb_port_bench(const CampaignRequest& r) {
  const PortSize size = size_of(r);
  auto bench = arb_bench<ArbPortBlock>(size);
  bench.golden = [=] { return std::make_unique<GoldenPort>(size); };
  bench.systemc = [=] { return std::make_unique<InputPortDevice>(size); };
  bench.rtl = [=](RtlVariant variant, int plant) {
    return make_rtl<ArbPortBlock>(rtl_parameters(size), variant, plant);
  };
  bench.stimulus = [=]() -> std::unique_ptr<StimulusOf<ArbPortBlock>> {
    if (r.traffic == "corner") return std::make_unique<ArbCornerPins>(size, r.seed);
    return std::make_unique<ArbTrafficPins>(size, r.load, r.seed);
  };
  bench.cover_with(std::make_shared<ArbPortCoverage>(size),
                   [](auto& bins, const auto& in, const auto&, const auto& golden) { bins.sample(in, golden.unit()); });
  return bench;
}

UnitBench<ArbLogicBlock> arb_logic_bench(const CampaignRequest& r) {
  const PortSize size = size_of(r);
  auto bench = arb_bench<ArbLogicBlock>(size);
  bench.golden = [=] { return std::make_unique<GoldenLogic>(size); };
  bench.rtl = [=](RtlVariant variant, int plant) {
    return make_rtl<ArbLogicBlock>(rtl_parameters(size), variant, plant);
  };
  bench.stimulus = [=] { return std::make_unique<ArbLogicPinsRandom>(size, r.seed); };
  bench.cover_with(std::make_shared<OwnBins<ArbLogicCoverage>>(size.dimensions),
                   [](auto& bins, const auto&, const auto& out, const auto& golden) {
                     const LogicInputs& asked = golden.answered();
                     if (out.valid)
                       bins.part.sample(asked.query, asked.scheme, evaluate(asked.query, known(asked.scheme)));
                   });
  return bench;
}

UnitBench<ArbSwitchBlock> arb_switch_bench(const CampaignRequest& r) {
  const PortSize size = size_of(r);
  auto bench = arb_bench<ArbSwitchBlock>(size);
  bench.golden = [=] { return std::make_unique<GoldenSwitch>(size.dimensions, size.queues); };
  bench.rtl = [=](RtlVariant variant, int plant) {
    return make_rtl<ArbSwitchBlock>(rtl_parameters(size), variant, plant);
  };
  bench.stimulus = [=] { return std::make_unique<ArbSwitchPinsRandom>(size, r.seed); };
  bench.cover_with(std::make_shared<OwnBins<ArbSwitchCoverage>>(size),
                   [](auto& bins, const auto& in, const auto&, const auto& golden) { bins.part.sample(in, golden); });
  return bench;
}

std::span<const Plant> arb_request_plants() { return planted_arb_request::kPlants; }

std::span<const Unit> arb_request_units() {
  static const Unit kUnits[] = {
      {"arb_request", "arb_request", arb_request_plants(), run_part, open_part, [](const CampaignRequest& r) {
         size_of(r);  // refuses a part that there is not
         return part_of(r) == "port";
       }}};
  return kUnits;
}

}  // namespace odonata::cosim
