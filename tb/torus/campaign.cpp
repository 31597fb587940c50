// SPDX-License-Identifier: Apache-2.0
#include "tb/torus/campaign.h"

#include <algorithm>
#include <bit>

#include "hw/torus/block_device.h"
#include "tb/torus/coverage.h"
#include "tb/torus/fault_region_words.h"
#include "tb/torus/stimulus.h"
#include "tb/torus/torus_box_words.h"
#include "tb/torus/torus_output_words.h"
#include "tb/torus/torus_route_words.h"
#include "tb/torus/torus_sides_words.h"
#include "tb/torus/torus_walls_words.h"
#include "torus_plants.h"

namespace odonata::cosim {

namespace {

/// A size for which the route unit was built.
struct RouteSize {
  Torus torus;
  torus::Variant variant;
  RtlParameters parameters;
};

/// Bits of a coordinate in all dimensions.
int coordinate_bits(const Torus& t) {
  int longest = 0;
  for (int d = 0; d < t.dimensions(); ++d) longest = std::max(longest, t.radix(d));
  return std::max(2, static_cast<int>(std::bit_width(static_cast<unsigned>(longest - 1))));
}

/// The parameters of the library of this name; throws Error that lists the names, and what else would do.
template <class Block>
const RtlParameters& built_as(const std::string& parameter, const std::string& name, const std::string& otherwise) {
  std::string all;
  for (const RtlLibrary<Block>& library : rtl_libraries<Block>()) {
    if (library.variant != RtlVariant::fast) continue;
    if (library.size == name) return library.parameters;
    all += (all.empty() ? "" : ", ") + library.size;
  }
  throw Error(parameter + " is '" + name + "', expected one of " + all + otherwise);
}

/// Of torus_walls and torus_sides: a size that was built, or one's own, for which there is no RTL of ours.
template <class Block>
Torus plain_size(const CampaignRequest& r) {
  const std::string name = parameter_of(r, "torus", "tiny");
  if (name.find('x') == std::string::npos) {
    const RtlParameters& p = built_as<Block>("torus", name, ", or KXxKY");
    return Torus({p.at("KX"), p.at("KY")});
  }
  const Torus t = Torus::parse(name);
  if (t.dimensions() != 2) throw Error("torus is '" + name + "', " + std::string(Block::kName) + " has two dimensions");
  return t;
}

/// What torus_walls and torus_sides have in common.
template <class Block, class Golden, class Device, class Pins, class Bins>
UnitBench<Block> plain_bench(const CampaignRequest& r) {
  check_parameters(r, Block::kName, {"torus"});
  check_traffic(r, Block::kName);
  const Torus t = plain_size<Block>(r);
  UnitBench<Block> bench;
  bench.size = "torus " + t.name();
  bench.meta = {{"torus", parameter_of(r, "torus", "tiny")}};
  bench.parameters = {{"KX", t.radix(0)}, {"KY", t.radix(1)}, {"CW", coordinate_bits(t)}};
  bench.golden = [=] { return std::make_unique<Golden>(t); };
  bench.systemc = [=] { return std::make_unique<Device>(t); };
  bench.rtl = [parameters = bench.parameters](RtlVariant variant, int plant) {
    return make_rtl<Block>(parameters, variant, plant);
  };
  bench.stimulus = [=] { return std::make_unique<Pins>(t.radix(0), t.radix(1), r.seed); };
  bench.cover_with(std::make_shared<Bins>(t),
                   [](auto& bins, const auto& in, const auto& out, const auto&) { bins.sample(in, out); });
  return bench;
}

/// "KXxKY" or "KXxKY,VARIANT": a size of one's own, for which there is golden unit and SystemC module, and no RTL of
/// ours.
RouteSize own_route_size(const std::string& name) {
  const size_t comma = std::min(name.find(','), name.size());
  const Torus t = Torus::parse(name.substr(0, comma));
  if (t.dimensions() != 2) throw Error("torus is '" + name + "', torus_route has two dimensions");
  const torus::Variant variant =
      comma == name.size() ? torus::Variant::kSafe6Ring : torus::variant_from_name(name.substr(comma + 1));
  return {t, variant, torus_route_parameters(t, variant)};
}

RouteSize route_size(const std::string& name) {
  if (name.find('x') != std::string::npos) return own_route_size(name);
  const RtlParameters& p = built_as<TorusRouteBlock>("torus", name, ", or KXxKY,VARIANT");
  const bool ring = p.at("Ring") != 0;
  const torus::Variant six = ring ? torus::Variant::kSafe6Ring : torus::Variant::kSafe6,
                       four = ring ? torus::Variant::kSafe4Ring : torus::Variant::kSafe4;
  return {Torus({p.at("KX"), p.at("KY")}), p.at("Detours") == 2 ? six : four, p};
}

/// The torus of torus_box: of a name, or one's own, for which there is no RTL of ours.
Torus box_torus(const std::string& name) {
  if (name.find('x') == std::string::npos) {
    const RtlParameters& p = built_as<TorusBoxBlock>("torus", name, ", or KXxKYxKZ");
    return Torus({p.at("KX"), p.at("KY"), p.at("KZ")});
  }
  const Torus t = Torus::parse(name);
  if (t.dimensions() != 3) throw Error("torus is '" + name + "', torus_box has three dimensions");
  return t;
}

}  // namespace

RtlParameters torus_route_parameters(const Torus& t, torus::Variant variant) {
  const bool ring = variant == torus::Variant::kSafe6Ring || variant == torus::Variant::kSafe4Ring;
  const bool six = variant == torus::Variant::kSafe6Ring || variant == torus::Variant::kSafe6;
  if (!ring && !six && variant != torus::Variant::kSafe4)
    throw Error("routing '" + std::string(torus::name_of(variant)) +
                "' has no hardware, expected torus_safe6_ring, torus_safe6, torus_safe4_ring or torus_safe4");
  return {{"KX", t.radix(0)}, {"KY", t.radix(1)}, {"CW", coordinate_bits(t)}, {"Ring", ring}, {"Detours", six ? 2 : 1}};
}

RtlParameters torus_box_parameters(const Torus& t) {
  return {{"KX", t.radix(0)}, {"KY", t.radix(1)}, {"KZ", t.radix(2)}, {"CW", coordinate_bits(t)}};
}

UnitBench<TorusRouteBlock> torus_route_bench(const CampaignRequest& r) {
  check_parameters(r, "torus_route", {"torus"});
  check_traffic(r, "torus_route");
  const std::string name = parameter_of(r, "torus", "tiny");
  const RouteSize size = route_size(name);
  UnitBench<TorusRouteBlock> bench;
  bench.size = "torus " + size.torus.name() + ", " + std::string(torus::name_of(size.variant));
  bench.meta = {{"torus", name}};
  bench.parameters = size.parameters;
  bench.golden = [=] { return std::make_unique<torus::GoldenRoute>(size.torus, size.variant); };
  bench.systemc = [=] { return std::make_unique<torus::TorusRouteDevice>(size.torus, size.variant); };
  bench.rtl = [=](RtlVariant variant, int plant) { return make_rtl<TorusRouteBlock>(size.parameters, variant, plant); };
  bench.stimulus = [=]() -> std::unique_ptr<StimulusOf<TorusRouteBlock>> {
    if (r.traffic == "corner")
      return std::make_unique<TorusRoutePins>(size.torus.radix(0), size.torus.radix(1), r.seed);
    return std::make_unique<TorusTrafficPins>(size.torus, size.variant, r.load, r.seed);
  };
  bench.cover_with(
      std::make_shared<TorusRouteCoverage>(size.torus),
      [](auto& bins, const auto&, const auto& out, const auto& golden) { bins.sample(golden.unit().answered(), out); });
  return bench;
}

UnitBench<TorusBoxBlock> torus_box_bench(const CampaignRequest& r) {
  check_parameters(r, "torus_box", {"torus"});
  check_traffic(r, "torus_box");
  const std::string name = parameter_of(r, "torus", "tiny");
  const Torus t = box_torus(name);
  UnitBench<TorusBoxBlock> bench;
  bench.size = "torus " + t.name();
  bench.meta = {{"torus", name}};
  bench.parameters = torus_box_parameters(t);
  bench.golden = [=] { return std::make_unique<torus::GoldenBox>(t); };
  bench.systemc = [=] { return std::make_unique<torus::TorusBoxDevice>(t); };
  bench.rtl = [parameters = bench.parameters](RtlVariant variant, int plant) {
    return make_rtl<TorusBoxBlock>(parameters, variant, plant);
  };
  bench.stimulus = [=] { return std::make_unique<TorusBoxPins>(t, r.seed); };
  bench.cover_with(
      std::make_shared<TorusBoxCoverage>(),
      [](auto& bins, const auto&, const auto& out, const auto& golden) { bins.sample(golden.unit().answered(), out); });
  return bench;
}

UnitBench<FaultRegionBlock> fault_region_bench(const CampaignRequest& r) {
  check_parameters(r, "fault_region", {});
  check_traffic(r, "fault_region");
  UnitBench<FaultRegionBlock> bench;
  bench.size = "any torus";
  bench.golden = [] { return std::make_unique<torus::GoldenRegion>(); };
  bench.systemc = [] { return std::make_unique<torus::FaultRegionDevice>(); };
  bench.rtl = [](RtlVariant variant, int plant) { return make_rtl<FaultRegionBlock>(RtlParameters{}, variant, plant); };
  bench.stimulus = [=] { return std::make_unique<FaultRegionPins>(r.seed); };
  bench.cover_with(std::make_shared<FaultRegionCoverage>(),
                   [](auto& bins, const auto& in, const auto& out, const auto&) { bins.sample(in, out); });
  return bench;
}

UnitBench<TorusWallsBlock> torus_walls_bench(const CampaignRequest& r) {
  return plain_bench<TorusWallsBlock, torus::GoldenWalls, torus::TorusWallsDevice, TorusWallsPins, TorusWallsCoverage>(
      r);
}

UnitBench<TorusSidesBlock> torus_sides_bench(const CampaignRequest& r) {
  return plain_bench<TorusSidesBlock, torus::GoldenSides, torus::TorusSidesDevice, TorusSidesPins, TorusSidesCoverage>(
      r);
}

UnitBench<TorusOutputBlock> torus_output_bench(const CampaignRequest& r) {
  check_parameters(r, "torus_output", {"output"});
  check_traffic(r, "torus_output");
  const std::string name = parameter_of(r, "output", "tiny");
  const RtlParameters parameters = built_as<TorusOutputBlock>("output", name, "");
  const int slots = parameters.at("Slots"), inputs = parameters.at("P");
  UnitBench<TorusOutputBlock> bench;
  bench.size = std::to_string(inputs) + " inputs, " + std::to_string(slots) + " slots a channel";
  bench.meta = {{"output", name}};
  bench.parameters = parameters;
  bench.golden = [=] { return std::make_unique<torus::GoldenOutput>(slots, inputs); };
  bench.systemc = [=] { return std::make_unique<torus::TorusOutputDevice>(slots, inputs); };
  bench.rtl = [=](RtlVariant variant, int plant) { return make_rtl<TorusOutputBlock>(parameters, variant, plant); };
  bench.stimulus = [=] { return std::make_unique<TorusOutputPins>(slots, inputs, r.seed); };
  bench.cover_with(std::make_shared<TorusOutputCoverage>(inputs),
                   [](auto& bins, const auto& in, const auto& out, const auto&) { bins.sample(in, out); });
  return bench;
}

std::span<const Plant> torus_plants() { return planted_torus::kPlants; }

std::span<const Unit> torus_units() {
  static const Unit kUnits[] = {make_unit<torus_route_bench>("torus_route", "torus", torus_plants(), kLoaded),
                                make_unit<fault_region_bench>("fault_region", "torus", torus_plants()),
                                make_unit<torus_walls_bench>("torus_walls", "torus", torus_plants()),
                                make_unit<torus_sides_bench>("torus_sides", "torus", torus_plants()),
                                make_unit<torus_output_bench>("torus_output", "torus", torus_plants()),
                                make_unit<torus_box_bench>("torus_box", "torus", torus_plants())};
  return kUnits;
}

}  // namespace odonata::cosim
