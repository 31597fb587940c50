// SPDX-License-Identifier: Apache-2.0
#include "tb/vtftr/campaign.h"

#include <algorithm>

#include "hw/vtftr/block_device.h"
#include "tb/vtftr/coverage.h"
#include "tb/vtftr/stimulus.h"
#include "tb/vtftr/vtftr_detect_words.h"
#include "tb/vtftr/vtftr_leaf_words.h"
#include "tb/vtftr/vtftr_root_words.h"
#include "tb/vtftr/vtftr_update_words.h"
#include "vtftr_plants.h"

namespace odonata::cosim {

using namespace vtftr;

namespace {

/// "N,M,P,U", of a root also "N,M,P,U,mask": a size of one's own, for which there is golden unit and SystemC module,
/// and no RTL of ours. `others`: of a size that there is.
VtftrSize own_size(const std::string& name, const RtlParameters& others) {
  constexpr std::string_view kMask = ",mask";
  const bool mask = name.ends_with(kMask);
  if (mask && others.count("MaskForm") == 0) throw Error("tree is '" + name + "', but only vtftr_root has a mask form");
  const FatTree tree = FatTree::parse(mask ? name.substr(0, name.size() - kMask.size()) : name);
  if (tree.dimensions() != 2) throw Error("tree is '" + name + "', the units have two dimensions");
  const int longer = std::max(tree.columns(), tree.rows());
  const RtlParameters own{{"N", tree.columns()}, {"M", tree.rows()}, {"S", longer},
                          {"P", tree.p()},       {"U", tree.u()},    {"MaskForm", mask}};
  RtlParameters parameters;
  for (const auto& parameter : others) parameters[parameter.first] = own.at(parameter.first);
  return {name, {tree.columns(), tree.rows(), tree.p(), tree.u()}, mask, parameters};
}

template <class Block>
VtftrSize size_of(const std::string& name) {
  if (name.find(',') != std::string::npos) return own_size(name, rtl_libraries<Block>().front().parameters);
  std::string all;
  for (const RtlLibrary<Block>& library : rtl_libraries<Block>()) {
    if (library.variant != RtlVariant::fast) continue;
    all += (all.empty() ? "" : ", ") + library.size;
    if (library.size != name) continue;
    const RtlParameters& p = library.parameters;
    const auto value = [&p](const char* key, int otherwise) { return p.count(key) != 0 ? p.at(key) : otherwise; };
    const int ports = value("S", 0);
    return {name, {value("N", ports), value("M", ports), value("P", 1), value("U", 1)}, value("MaskForm", 0) != 0, p};
  }
  throw Error("tree is '" + name + "', expected one of " + all + ", or N,M,P,U (of vtftr_root also N,M,P,U,mask)");
}

/// What the benches of all units have in common.
template <class Block>
std::pair<VtftrSize, UnitBench<Block>> begin(const CampaignRequest& r) {
  check_parameters(r, Block::kName, {"tree"});
  check_traffic(r, Block::kName);
  const VtftrSize s = size_of<Block>(parameter_of(r, "tree", "tiny"));
  UnitBench<Block> bench;
  bench.size = "fat-tree size " + s.name;
  bench.meta = {{"tree", s.name}};
  bench.parameters = s.parameters;
  bench.rtl = [s](RtlVariant variant, int plant) { return make_rtl<Block>(s.parameters, variant, plant); };
  return {s, bench};
}

std::vector<Plant> plants_of(std::initializer_list<std::string_view> files) {
  std::vector<Plant> found;
  for (const Plant& plant : planted_vtftr::kPlants) {
    const auto here = [&plant](std::string_view file) { return plant.file.ends_with("/" + std::string(file) + ".sv"); };
    if (std::any_of(files.begin(), files.end(), here)) found.push_back(plant);
  }
  return found;
}

}  // namespace

/// A reset, and the table as it is.
std::vector<RootInputs> VtftrRootBlock::preload(const Reference& reference) {
  const RootUnit& unit = reference.unit();
  RootInputs in;
  in.reset = true;
  std::vector<RootInputs> out{in};
  in.reset = false;
  in.upd_valid = true;
  for (int t = 0; t < unit.size().ports() && !unit.mask_form(); ++t) {
    in.upd_row = static_cast<uint8_t>(t);
    in.upd_data = unit.row(t);
    out.push_back(in);
  }
  return out;
}

VtftrSize vtftr_leaf_size(const std::string& name) { return size_of<VtftrLeafBlock>(name); }
VtftrSize vtftr_root_size(const std::string& name) { return size_of<VtftrRootBlock>(name); }

UnitBench<VtftrLeafBlock> vtftr_leaf_bench(const CampaignRequest& r) {
  auto [s, bench] = begin<VtftrLeafBlock>(r);
  const UnitSize size = s.size;
  bench.golden = [size] { return std::make_unique<GoldenLeaf>(size); };
  bench.systemc = [size] { return make_leaf_systemc(size); };
  bench.stimulus = [size, seed = r.seed] { return std::make_unique<LeafPins>(size, seed); };
  bench.cover_with(
      std::make_shared<LeafCoverage>(size),
      [](auto& bins, const auto&, const auto& out, const auto& golden) { bins.sample(golden.unit().answered(), out); });
  return bench;
}

UnitBench<VtftrRootBlock> vtftr_root_bench(const CampaignRequest& r) {
  auto [s, bench] = begin<VtftrRootBlock>(r);
  const UnitSize size = s.size;
  const bool mask_form = s.mask_form;
  bench.golden = [=] { return std::make_unique<GoldenRoot>(size, mask_form); };
  bench.systemc = [=] { return make_root_systemc(size, mask_form); };
  bench.stimulus = [size, seed = r.seed] { return std::make_unique<RootPins>(size, seed); };
  bench.cover_with(
      std::make_shared<RootCoverage>(size, mask_form),
      [](auto& bins, const auto& in, const auto& out, const auto& golden) { bins.sample(in, out, golden.unit()); });
  return bench;
}

UnitBench<VtftrUpdateBlock> vtftr_update_bench(const CampaignRequest& r) {
  auto [s, bench] = begin<VtftrUpdateBlock>(r);
  const UnitSize size = s.size;
  bench.golden = [size] { return std::make_unique<GoldenUpdate>(size); };
  bench.systemc = [size] { return make_update_systemc(size); };
  bench.stimulus = [size, seed = r.seed] { return std::make_unique<UpdatePins>(size, seed); };
  bench.cover_with(std::make_shared<UpdateCoverage>(size),
                   [](auto& bins, const auto& in, const auto& out, const auto&) { bins.sample(in, out); });
  return bench;
}

UnitBench<VtftrDetectBlock> vtftr_detect_bench(const CampaignRequest& r) {
  auto [s, bench] = begin<VtftrDetectBlock>(r);
  const int ports = s.parameters.at("S");
  bench.golden = [ports] { return std::make_unique<GoldenDetect>(ports); };
  bench.systemc = [ports] { return make_detect_systemc(ports); };
  bench.stimulus = [ports, seed = r.seed] { return std::make_unique<DetectPins>(ports, seed); };
  bench.cover_with(std::make_shared<DetectCoverage>(ports),
                   [](auto& bins, const auto& in, const auto& out, const auto&) { bins.sample(in, out); });
  return bench;
}

std::span<const Plant> vtftr_plants() { return planted_vtftr::kPlants; }

std::span<const Unit> vtftr_units() {
  static const std::vector<Plant> leaf =
                                      plants_of({"vtftr_leaf", "vtftr_leaf_lookup", "vtftr_leaf_rules", "vtftr_rail"}),
                                  root = plants_of(
                                      {"vtftr_root", "vtftr_candidates", "vtftr_rank", "vtftr_select", "lfsr16"}),
                                  update = plants_of({"vtftr_update"}), detect = plants_of({"vtftr_detect"});
  static const Unit kUnits[] = {
      make_unit<vtftr_leaf_bench>("vtftr_leaf", "vtftr", leaf),
      make_unit<vtftr_root_bench>("vtftr_root", "vtftr", root),
      make_unit<vtftr_update_bench>("vtftr_update", "vtftr", update),
      make_unit<vtftr_detect_bench>("vtftr_detect", "vtftr", detect),
  };
  return kUnits;
}

}  // namespace odonata::cosim
