// SPDX-License-Identifier: Apache-2.0
// VTFTR as its hardware times it (RouteCompute::arrival): a head is routed when it arrives, by what its switch knew
// when the unit sampled it. For the cross-check with the SystemC fat-tree and for RTL in the loop (docs/crosscheck.md
// §5).
#include "models/common/error.h"
#include "sim/network/make_engine.h"
#include "sim/network/policies/common/fat_tree_policy.h"
#include "sim/network/policies/common/tree_policy.h"
#include "sim/network/route_hardware.h"

namespace odonata::network {

namespace {

using namespace vtftr;

class VtftrObserved final : public FatTreeRouting {
 public:
  static constexpr int kMaxVcs = 2;
  static constexpr int kMaxPorts = 64;
  static constexpr bool kAsks = false;
  static constexpr bool kMonitors = false;
  static constexpr bool kFaults = true;
  static constexpr bool kOwnFaults = true;
  static constexpr bool kAtArrival = true;
  static constexpr bool kPieces = true;

  VtftrObserved(const Context& context, int domain) : FatTreeRouting(context, domain) {
    if (!context.config.hardware) return;
    router_ = router_of(context.config.hardware->router);
    if (router_ < 0) return;
    if (router_ < leaves_) {
      leaf_ = std::make_unique<LeafLockstep>(*context.config.hardware, nodes_ + 2 * rails_);
    } else {
      root_ = std::make_unique<RootLockstep>(*context.config.hardware,
                                             roots_[number()].dimension == kRow ? columns_ : rows_);
    }
  }
  Route route(const Flit& flit, const Place& at) {
    if (at.router != router_) [[likely]]
      return FatTreeRouting::route(flit, at);
    return root_ ? route_root_beside(flit, at) : route_leaf_beside(flit, at);
  }
  uint64_t compared() const { return leaf_ ? leaf_->compared() : root_ ? root_->compared() : 0; }

 private:
  size_t number() const { return static_cast<size_t>(router_ - leaves_); }
  static int port_of(const Route& r) { return r.port == Route::kDrop ? vtftr::kNoPort : r.port; }

  Route route_leaf_beside(const Flit& flit, const Place& at) {
    const FatTreeTopology::Where &to = topology_.where(flit.dest), &own = place(at.router);
    const LeafTables& tables = leaf_tables_[static_cast<size_t>(at.router)];
    const Route out = FatTreeRouting::route(flit, at);
    LeafInputs in;
    in.own_x = own.x;
    in.own_y = own.y;
    in.port_class = static_cast<uint8_t>(came_from(at.port));
    in.safe = mode_.safe;
    in.req_valid = true;
    in.req_vc = at.vc != 0;
    in.req_dest = static_cast<uint32_t>(to.y << 12 | to.x << 5 | to.node);
    in.fr = tables.row_dead;
    in.fc = tables.column_dead;
    in.cf = tables.column_first;
    if (!uplink_down_.empty()) {
      in.row_down = uplink_down_[static_cast<size_t>(at.router)][kRow];
      in.column_down = uplink_down_[static_cast<size_t>(at.router)][kColumn];
    }
    // To a node the engine takes VC 0, which is all that a node has; the unit leaves the packet the VC that it has.
    const bool ejects = out.port < nodes_ && in.port_class != static_cast<uint8_t>(From::node);
    leaf_->decide(
        at.port, in,
        {port_of(out), ejects ? at.vc : out.vc, static_cast<int>(leaf_decision(to, at, came_from(at.port)).kind)});
    return out;
  }
  Route route_root_beside(const Flit& flit, const Place& at) {
    const FatTreeTopology::Where& to = topology_.where(flit.dest);
    const Root root = roots_[number()];
    const RootTables& tables = root_tables_[number()];
    const uint16_t& lfsr = lfsr_[number() * static_cast<size_t>(ports_) + static_cast<size_t>(at.port)];
    const uint16_t before = lfsr;
    RootInputs in;
    in.dim = root.dimension == kColumn;
    in.own = root.line;
    in.in_port = static_cast<uint8_t>(at.port);
    in.safe = mode_.safe;
    in.exclude = mode_.exclude;
    in.req_valid = true;
    in.req_vc = at.vc != 0;
    in.req_leaf = static_cast<uint16_t>(to.y << 7 | to.x);
    in.dead = tables.dead;
    in.mask = tables.mask;
    const Route out = FatTreeRouting::route(flit, at);
    const RootConfig config{root.dimension, root.line, columns_, rows_, mode_};
    const RootKind kind = decide_root(config, tables, {to.x, to.y, at.port, at.vc}, before).kind;
    root_->decide(at.port, in, before, {port_of(out), out.vc, static_cast<int>(kind)}, lfsr);
    return out;
  }

  int router_ = -1;
  std::unique_ptr<LeafLockstep> leaf_;
  std::unique_ptr<RootLockstep> root_;
};

void check_observed(const Config& config) {
  check_hardware_faults(config);
  if (fat_tree_of(config).wire(config).ports > VtftrObserved::kMaxPorts)
    throw Error("--route-compute arrival: " + config.topology->name() + " has switches of more than 64 ports");
}

}  // namespace

std::vector<Routing> routings_vtftr_observed() {
  return {{.name = "vtftr",
           .topology = "fat_tree",
           .text = "dimension order; round dead leaves, one fault-tolerant virtual channel",
           .vcs = 2,
           .order = "x-up 0 < x-down 0 < y-up 0 < y-down 0 < x-up 1 < ... (mode safe)",
           .ignores = of_turn_leaf,
           .arrival = true,
           .faults = true,
           .check = check_observed,
           .make = make_engine<VtftrObserved, FatTreeTopology, PacketLengths::any>}};
}

}  // namespace odonata::network
