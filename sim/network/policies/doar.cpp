// SPDX-License-Identifier: Apache-2.0
#include "sim/network/policies/doar.h"

#include <bit>

#include "models/route_compute/registers.h"
#include "models/table/configuration.h"
#include "sim/network/make_engine.h"
#include "sim/network/parameters.h"

namespace odonata::network {

namespace {

/// The plane of the network's links: credits are packets, round trips follow from the latencies.
congestion::PlaneConfig plane_config(const Config& config) {
  congestion::PlaneConfig out = config.plane;
  out.link = config.link("local").latency;
  out.alternate = config.routing == kDoarStable;
  return out;
}

/// Whether what leaves an output FIFO may be no packet's tail, or be held up by a fault message: with the hardware's
/// timing the monitors count flits.
bool has_gaps(const Config& config) {
  return !config.faults.events.empty() || (config.piped() && config.router.packet_flits() > 1);
}

}  // namespace

Doar::Doar(const Context& context, int domain, bool sided)
    : context_(context),
      maps_(dragonfly_of(context.config)),
      next_vc_{route_compute::NextVc(dragonfly_of(context.config), PortClass::node),
               route_compute::NextVc(dragonfly_of(context.config), PortClass::local),
               route_compute::NextVc(dragonfly_of(context.config), PortClass::global)},
      gid_(domain),
      ports_(context.wiring.ports),
      nodes_(dragonfly_of(context.config).p()),
      h_(dragonfly_of(context.config).h()),
      first_global_(dragonfly_of(context.config).first_global()),
      slots_(sided ? ports_ : ports_ - nodes_ + 1),
      row_local_(dragonfly_of(context.config).p()),
      row_global_(row_local_ + dragonfly_of(context.config).a()),
      row_count_(table::size_a(dragonfly_of(context.config))),
      side_(sided ? static_cast<size_t>(dragonfly_of(context.config).a() * slots_) * static_cast<size_t>(row_count_)
                  : 0),
      plane_(dragonfly_of(context.config), plane_config(context.config), has_gaps(context.config)),
      rows_a_((sided ? 2 : 1) * static_cast<size_t>(dragonfly_of(context.config).a() * slots_) *
              static_cast<size_t>(row_count_)),
      rows_b_(rows_a_.size()) {
  const Dragonfly& d = dragonfly_of(context.config);
  if (context.config.routing == kDoarStable)
    busy_ = std::make_unique<congestion::SparsePlane>(d, plane_config(context.config), has_gaps(context.config), true);
  for (int i = 0; i < d.a() * ports_; ++i) {
    const int r = i / ports_, port = i % ports_, slot = sided ? port : port < nodes_ ? 0 : port - nodes_ + 1;
    port_.push_back({static_cast<uint32_t>((r * slots_ + slot) * row_count_),
                     route_compute::lfsr_seed(context.config.seed, d, {gid_, r}, port),
                     static_cast<uint16_t>(d.port_class(port))});
  }
  for (int r = 0; r < d.a(); ++r) {
    units_.emplace_back(d);
    configure(r);
    find_ways(r);
  }
}

void Doar::configure(int router) {
  const Dragonfly& d = dragonfly_of(context_.config);
  const RouterId own{gid_, router};
  table::PortTables t = table::configure(d, own, 0, context_.config.tables);
  route_compute::UnitConfig& unit = units_[static_cast<size_t>(router)];
  unit.set_own(own);
  unit.set_port(PortClass::node, d.arrangement() == Arrangement::absolute);
  if (busy_ != nullptr) unit.set_rule(route_compute::kStableRule);
  for (int c = 0; c < d.a(); ++c) unit.set_table_c(c, t.c[c]);
  for (int port = side_ != 0 ? 0 : nodes_ - 1; port < ports_; ++port) {
    if (port >= nodes_)
      t = table::configure(d, own, port, context_.config.tables);  // node ports of a router have the same tables
    for (int row = 0; row < row_count_; ++row) {
      for (int side = 0; side <= (side_ != 0); ++side)
        set_entries(router, port, row, {t.a[row], row < nodes_ ? 0 : t.b[row - nodes_]}, side != 0);
    }
  }
}

/// What pick_minimal() finds for an entry whatever is congested.
void Doar::find_ways(int router) {
  const Dragonfly& d = dragonfly_of(context_.config);
  const route_compute::UnitConfig& unit = units_[static_cast<size_t>(router)];
  for (int group = 0; group < d.g(); ++group) {
    const auto min = table::GlobalEntryA::decode(rows_a_[entry_of(router, 0, row_global_ + group, false)]);
    Way way;
    if (group != gid_ && !min.own_router && d.is_local_port(min.port)) {
      const int exit = d.neighbour(router, min.port);
      const uint64_t ports = unit.ports_c(exit);
      if (std::has_single_bit(ports)) {
        way = {static_cast<uint16_t>(min.global_ports & unit.offered(exit)), static_cast<uint16_t>(exit * d.h()),
               static_cast<uint8_t>(std::countr_zero(ports))};
      }
    }
    ways_.push_back(way);
  }
}

/// From a checkpoint: where a unit's rows are does not change.
void Doar::take_units(const std::vector<Port>& read) {
  for (size_t i = 0; i != port_.size(); ++i) {
    expect_state(read[i].first_row == port_[i].first_row && read[i].port_class == port_[i].port_class,
                 "units of input ports");
    port_[i].lfsr = read[i].lfsr;
  }
}

route_compute::Congestion Doar::seen(const Place& at) const {
  route_compute::Congestion out{plane_.cong_local(at.router), plane_.cong_global(at.router, at.port)};
  if (busy_ != nullptr)
    out.busy_local = busy_->cong_local(at.router), out.busy_global = busy_->cong_global(at.router, at.port);
  return out;
}

route_compute::Decision Doar::decide_any(const Flit& flit, const Place& at, const route_compute::Entries& words,
                                         uint16_t lfsr) const {
  const route_compute::Request request{
      {gid_of(flit.dest), bid_of(flit.dest), nid_of(flit.dest)}, gid_of(flit.source), 0};
  route_compute::Decoded decoded;
  decoded.zone = table::Zone::global;
  decoded.rta = true;
  return route_compute::decide(units_[at.router], request, decoded, words, seen(at), lfsr);
}

bool of_second_plane(const Parameter& parameter) { return parameter.name.ends_with("-busy"); }

std::vector<Routing> routings_doar() {
  return {{.name = "doar",
           .topology = "dragonfly",
           .text = kDoarText,
           .vcs = Doar::kVcs,
           .order = kDragonflyOrder,
           .ignores = of_second_plane,
           .make = make_engine<Doar, DragonflyTopology>}};
}

}  // namespace odonata::network
