// SPDX-License-Identifier: Apache-2.0
#include "tb/network/own_fabric_units.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "models/common/error.h"
#include "models/common/split.h"
#include "models/torus/golden_device.h"
#include "models/vtftr/golden_device.h"
#include "sim/network/topologies/fat_tree.h"
#include "sim/network/topologies/torus.h"
#include "tb/harness/unit_bench.h"
#include "tb/network/crosscheck_fabric.h"
#include "tb/torus/campaign.h"
#include "tb/torus/torus_route_words.h"
#include "tb/vtftr/campaign.h"
#include "tb/vtftr/vtftr_leaf_words.h"
#include "tb/vtftr/vtftr_root_words.h"

namespace odonata::cosim {

using network::Config;

namespace {

constexpr int kReset = 4;  // edges

/// A unit in lockstep with the golden one, on the pins of a port.
template <class Block>
class PortUnit {
 public:
  PortUnit(const detail::OwnDevice<Block>& own, const UnitBench<Block>& bench, std::string place,
           OwnRouteAnswers& answers)
      : place_(std::move(place)),
        reference_(own.reference(bench, false)),
        device_(own.make()),
        comparator_(Block::probes(), 0),
        answers_(answers) {
    typename Block::Inputs reset{};
    own.pins.set_rst_n(reset, false);
    for (int i = 0; i < kReset; ++i) {
      reference_->step(reset, expected_);
      device_->step(reset, got_);
    }
  }
  void edge(const typename Block::Inputs& in) {
    if (!answers_.difference.empty()) return;
    reference_->step(in, expected_);
    device_->step(in, got_);
    if (!comparator_.equal(compared_, expected_, got_)) return differs();
    if (!Block::transaction(expected_)) return;
    ++compared_;
    ++answers_.compared;
  }

 private:
  void differs() {
    answers_.difference.push_back(place_ + ", after " + std::to_string(compared_) + " equal answers:");
    for (const Difference& d : comparator_.differences())
      answers_.difference.push_back("  " + d.probe + ": expected " + std::to_string(d.expected) + ", got " +
                                    std::to_string(d.got));
    for (const std::string& reason : reference_->describe()) answers_.difference.push_back("  " + reason);
  }

  std::string place_;
  std::unique_ptr<detail::CampaignReference<Block>> reference_;
  std::unique_ptr<DeviceOf<Block>> device_;
  Comparator<typename Block::Outputs> comparator_;
  OwnRouteAnswers& answers_;
  typename Block::Outputs expected_{}, got_{};
  uint64_t compared_ = 0;
};

CampaignRequest measured(const std::string& library) {
  CampaignRequest request;
  request.device_lib = library;
  request.latency = request.interval = "auto";
  return request;
}

/// Loads a library and gives what makes its units. `edges`: of the units' clock in a cycle of the network.
template <class Block>
auto load(const std::string& library, UnitBench<Block> bench, int edges, const std::vector<bool>& chosen,
          const std::function<std::string(int)>& name) {
  const auto shared = std::make_shared<const UnitBench<Block>>(std::move(bench));
  const auto own = std::make_shared<const detail::OwnDevice<Block>>(measured(library), *shared);
  check_timing(library, {own->pins.latency + own->delay, own->interval}, {edges - 1, edges},
               "a cycle of this network has " + std::to_string(edges) +
                   " edges of the units' clock, and a packet goes on in the next one");
  return [=](int router, int port, OwnRouteAnswers& answers) -> std::function<void(const typename Block::Inputs&)> {
    if (!chosen[static_cast<size_t>(router)]) return {};
    const std::string place = library + " at " + name(router) + ", port " + std::to_string(port);
    auto unit = std::make_shared<PortUnit<Block>>(*own, *shared, place, answers);
    return [unit](const typename Block::Inputs& in) { unit->edge(in); };
  };
}

/// Numbers of the routers that a list names, by what reads one of its items (-1: no such).
std::vector<bool> chosen_of(const std::string& at, int routers, const std::function<bool(int)>& fits,
                            const std::function<int(const std::string&)>& read, const std::string& expected) {
  std::vector<bool> out(static_cast<size_t>(routers));
  for (int r = 0; r < routers && at == "all"; ++r) out[static_cast<size_t>(r)] = fits(r);
  if (at == "all") return out;
  for (const std::string_view item : split(at, ';')) {
    const int router = read(std::string(item));
    if (router < 0 || !fits(router))
      throw Error("--at '" + at + "': expected all or " + expected + ", with ; between them");
    out[static_cast<size_t>(router)] = true;
  }
  return out;
}

/// Whether the text is `prefix` and two numbers below these limits.
bool two_numbers(const std::string& text, const char* prefix, int limit_a, int limit_b, int& a, int& b) {
  int end = -1;
  const std::string pattern = std::string(prefix) + "%d,%d%n";
  return std::sscanf(text.c_str(), pattern.c_str(), &a, &b, &end) == 2 && end == static_cast<int>(text.size()) &&
         a >= 0 && a < limit_a && b >= 0 && b < limit_b;
}

/// A torus's route unit with one beside it.
class WatchedRoute final : public torus::TorusRouteModule {
 public:
  WatchedRoute(const char* name, hw::Tick& tick, const Torus& t, torus::Variant variant,
               const hw::Drive<torus::RouteInputs>& pins, std::function<void(const torus::RouteInputs&)> beside)
      : TorusRouteModule(name, tick, t, variant, pins), pins_(pins), beside_(std::move(beside)) {}

 protected:
  void turn() override {
    TorusRouteModule::turn();
    beside_(pins_());
  }

 private:
  hw::Drive<torus::RouteInputs> pins_;
  std::function<void(const torus::RouteInputs&)> beside_;
};

}  // namespace

OwnFabricUnits::OwnFabricUnits(const std::string& library, const std::string& at, const Config& config)
    : path_(library) {
  const std::string kind = config.topology->kind();
  if (kind != "torus" && kind != "fat_tree")
    throw Error("--device-lib " + library + ": expected a dragonfly, torus or fat-tree, not a " + kind);
  kind == "torus" ? load_torus(at, config) : load_fat_tree(at, config);
}

void OwnFabricUnits::load_torus(const std::string& at, const Config& config) {
  const Torus& t = network::torus_of(config);
  const torus::Variant variant = torus::variant_from_name(config.routing);
  UnitBench<TorusRouteBlock> bench;
  bench.parameters = torus_route_parameters(t, variant);
  bench.golden = [t, variant] { return std::make_unique<torus::GoldenRoute>(t, variant); };
  const auto read = [&t](const std::string& item) {
    int x = 0, y = 0;
    return two_numbers(item, "", t.radix(0), t.radix(1), x, y) ? y * t.radix(0) + x : -1;
  };
  const std::vector<bool> chosen = chosen_of(
      at, t.nodes(), [](int) { return true; }, read,
      "X,Y below " + std::to_string(t.radix(0)) + "," + std::to_string(t.radix(1)));
  torus_ =
      load(path_, std::move(bench), torus::TorusModule::kEdges, chosen, [t](int node) { return t.node_name(node); });
}

void OwnFabricUnits::load_fat_tree(const std::string& at, const Config& config) {
  const network::FatTreeTopology& topology = network::fat_tree_of(config);
  const FatTree& t = topology.tree();
  const vtftr::UnitSize size{t.columns(), t.rows(), t.p(), t.u()};
  const int edges = static_cast<int>(config.fat_tree.ns_per_cycle);
  const std::string unit = DeviceLibrary::unit_of(path_);
  const bool leaf = unit != "vtftr_root";
  const auto name = [keep = config.topology, &topology](int n) { return switch_name(topology, n); };
  const auto read = [&](const std::string& item) {
    int a = 0, b = 0;
    if (two_numbers(item, "leaf:", t.columns(), t.rows(), a, b)) return t.leaf(a, b);
    if (two_numbers(item, "row:", t.rows(), t.u(), a, b)) return topology.root_router(0, a, b);
    return two_numbers(item, "column:", t.columns(), t.u(), a, b) ? topology.root_router(1, a, b) : -1;
  };
  const auto fits = [&](int n) { return topology.at(n).leaf == leaf; };
  const std::vector<bool> chosen =
      chosen_of(at, topology.routers(), fits, read,
                leaf ? "leaf:X,Y below " + std::to_string(t.columns()) + "," + std::to_string(t.rows())
                     : std::string("row:LINE,RAIL or column:LINE,RAIL of this fat-tree"));
  if (leaf) {
    UnitBench<VtftrLeafBlock> bench;
    bench.parameters = {{"N", t.columns()}, {"M", t.rows()}, {"P", t.p()}, {"U", t.u()}};
    bench.golden = [size] { return std::make_unique<vtftr::GoldenLeaf>(size); };
    leaf_ = load(path_, std::move(bench), edges, chosen, name);
  } else {
    UnitBench<VtftrRootBlock> bench;
    bench.parameters = {{"N", t.columns()}, {"M", t.rows()}, {"S", size.ports()}, {"MaskForm", 1}};
    bench.golden = [size] { return std::make_unique<vtftr::GoldenRoot>(size, true); };
    root_ = load(path_, std::move(bench), edges, chosen, name);
  }
}

void OwnFabricUnits::put_into(torus::TorusMakers& makers, OwnRouteAnswers& answers) const {
  makers.route = [make = torus_, &answers](const char* name, hw::Tick& tick, const Torus& t, torus::Variant variant,
                                           const hw::Drive<torus::RouteInputs>& pins, int node,
                                           int port) -> std::unique_ptr<torus::TorusRouteModule> {
    auto beside = make(node, port, answers);
    if (beside == nullptr) return std::make_unique<torus::TorusRouteModule>(name, tick, t, variant, pins);
    return std::make_unique<WatchedRoute>(name, tick, t, variant, pins, std::move(beside));
  };
}

void OwnFabricUnits::put_into(vtftr::FatTreeMakers& makers, OwnRouteAnswers& answers) const {
  if (leaf_) makers.watch_leaf = [make = leaf_, &answers](int number, int port) { return make(number, port, answers); };
  if (root_) makers.watch_root = [make = root_, &answers](int number, int port) { return make(number, port, answers); };
}

}  // namespace odonata::cosim
