// SPDX-License-Identifier: Apache-2.0
#include "hw/router/router_unit.h"

#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <string>

#include "hw/router/router_signals.h"

namespace odonata::router {

namespace {

constexpr int kPlaneUnit = 64;  // of the configuration

using Counts = std::vector<std::array<int, kNumVcs>>;

}  // namespace

// ---- The blocks, with their pins wired to the router

/// Route compute of a port.
class RouterUnitModule::Route final : public route_compute::UnitPins {
 public:
  Route(hw::Tick& tick, RouterUnitModule& router, int port)
      : router_(router),
        port_(port),
        pipeline_(("route_compute_" + std::to_string(port)).c_str(), tick, router.dragonfly(), *this) {}
  route_compute::RouteComputePipeline& pipeline() { return pipeline_; }
  const route_compute::UnitOutputs& out() const { return pipeline_.out(); }

 private:
  const route_compute::UnitInputs& drive() override { return in_ = router_.route_pins(port_); }
  void deliver(const route_compute::UnitOutputs&) override {}

  RouterUnitModule& router_;
  const int port_;
  route_compute::UnitInputs in_;
  route_compute::RouteComputePipeline pipeline_;
};

class RouterUnitModule::Plane final : public congestion::StructuralPlane {
 public:
  Plane(hw::Tick& tick, RouterUnitModule& router)
      : StructuralPlane("congestion_plane", tick, router.dragonfly()), router_(router) {
    nobody_.bind(config_socket);
  }

 private:
  const congestion::PlaneInputs& drive() override { return router_.plane_in_ = router_.plane_pins(); }
  RouterUnitModule& router_;
  tlm_utils::simple_initiator_socket<Plane, hw::kBusWidth> nobody_{"nobody"};  // it is configured through pins
};

RouterUnitModule::RouterUnitModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                                   const DataConfig& config, const RouterOptions& options, hw::Drive<RouterInputs> pins)
    : ClockedModule(name, tick),
      d_(d),
      config_(config),
      options_(options),
      drive_(std::move(pins)),
      link_in_(static_cast<size_t>(d.num_ports())) {
  next().backlog.resize(static_cast<size_t>(ports()));
  next().counted.resize(static_cast<size_t>(ports()));
  clear(RouterUnitRegisters(next()));
  for (int k = 0; k < ports(); ++k) routes_.push_back(std::make_unique<Route>(tick, *this, k));
  plane_ = std::make_unique<Plane>(tick, *this);
  for (int k = 0; k < ports(); ++k) {
    links_.push_back(framed(k) ? std::make_unique<fault::FaultLinkEndModule>(
                                     ("fault_link_" + std::to_string(k)).c_str(), tick, d,
                                     [this, k]() -> const fault::LinkInputs& {
                                       return link_in_[static_cast<size_t>(k)] = link_pins(k);
                                     })
                               : nullptr);
  }
  const auto fault_drive = [this]() -> const fault::RouterInputs& {
    if (fault_in_at_ != sc_core::sc_time_stamp()) fault_in_ = fault_pins();
    fault_in_at_ = sc_core::sc_time_stamp();
    return fault_in_;
  };
  const auto make_ram = [this](int port) -> std::unique_ptr<fault::TableRam> {
    using Ram = fault::SharedTableRam;
    auto ram = std::make_unique<Ram>(routes_[static_cast<size_t>(port)]->pipeline(), d_, port,
                                     options_.table_ports == 1 ? Ram::Ports::one : Ram::Ports::two);
    rams_.push_back(ram.get());
    return ram;
  };
  fault_ = std::make_unique<fault::FaultRouterModule>(
      "fault_plane", tick, d, fault::FaultRouterConfig::of(d, options.pipelined), fault_drive, make_ram);
  for (int k = 0; k < ports(); ++k) rams_[static_cast<size_t>(k)]->set_unit(fault_->unit(k));
  data_ = std::make_unique<DataPathModule>("data_path", arranged_, moved_, config,
                                           [this]() -> const DataInputs& { return data_in_ = data_pins(); });
  SC_HAS_PROCESS(RouterUnitModule);
  SC_METHOD(configure);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(sample_links);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(arrange);
  sensitive << fault_->published();
  dont_initialize();
  SC_METHOD(finish);
  sensitive << moved_;
  dont_initialize();
  SC_METHOD(show);
  sensitive << finished_;
  dont_initialize();
}

RouterUnitModule::~RouterUnitModule() = default;

/// Kept from the edge on: the data path looks some delta cycles later, when whoever drives the pins may have gone on.
const RouterInputs& RouterUnitModule::pins() {
  if (sampled_at_ != sc_core::sc_time_stamp()) in_ = drive_();
  sampled_at_ = sc_core::sc_time_stamp();
  return in_;
}

// ---- Route compute

route_compute::UnitInputs RouterUnitModule::route_pins(int port) {
  const RouterInputs& in = pins();
  const uint64_t flit = header(port);
  const bool comes = in.in_kind[static_cast<size_t>(port)] == kSlotFlit && !(in.in_cut >> port & 1);
  route_compute::UnitInputs u;
  u.reset = in.reset;
  u.req_valid = comes && in.alive && flit_head(flit);
  u.req_dest = static_cast<uint32_t>(flit >> 11 & 0x3FFFF);
  u.req_src_gid = static_cast<uint16_t>(flit >> 38 & 0x1FF);
  u.req_vc = static_cast<uint8_t>(is_network(port) ? flit_vc(flit) : 0);
  const congestion::PlaneOutputs& plane = plane_->out();
  u.congestion = {plane.cong_local, plane.collector.map[static_cast<size_t>(port)], plane.busy_local,
                  plane.collector.busy_map[static_cast<size_t>(port)]};
  u.cfg_valid = offered(port);
  u.cfg_write = now().operation.write;
  u.cfg_addr = now().operation.address;
  u.cfg_wdata = now().operation.data;
  return u;
}

// ---- Congestion plane

/// Packets of the cycle before, and credits that this edge samples or that have waited.
void RouterUnitModule::count(congestion::RouterEvents& events) {
  const auto spread = [](std::array<PortMap, congestion::kNumVcs>& on, int port, int n,
                         const std::array<int, kNumVcs>& order, auto&& done) {
    for (int i = 0; i < n; ++i) {
      on[static_cast<size_t>(order[static_cast<size_t>(i)])] |= PortMap{1} << port;
      done(order[static_cast<size_t>(i)]);
    }
  };
  for (int k = d_.p(); k < ports(); ++k) {
    const auto& before = now().counted[static_cast<size_t>(k)];
    auto& counted = next().counted[static_cast<size_t>(k)];
    auto& backlog = next().backlog[static_cast<size_t>(k)];
    int sent = 0, returned = 0;
    for (size_t v = 0; v < kNumVcs; ++v) {
      const size_t channel = kNumVcs * static_cast<size_t>(k) + v;
      sent += data_->out().sent[channel];
      const int waiting = now().backlog[static_cast<size_t>(k)][v] + pins().credit[channel];
      const int now_counted = std::min({waiting, 2, kNumVcs - returned});
      returned += now_counted;
      backlog[v] = waiting - now_counted;
    }
    // Packets where there is most room, credits where most is in use: each finds a slot or a packet.
    std::array<int, kNumVcs> order{0, 1, 2, 3};
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return before[static_cast<size_t>(a)] < before[static_cast<size_t>(b)]; });
    counted = before;
    spread(events.sent, k, sent, order, [&](int v) { ++counted[static_cast<size_t>(v)]; });
    std::reverse(order.begin(), order.end());
    spread(events.credit, k, returned, order, [&](int v) { --counted[static_cast<size_t>(v)]; });
    if (!pins().reset) continue;
    counted = {};
    backlog = {};
  }
}

congestion::PlaneInputs RouterUnitModule::plane_pins() {
  const RouterInputs& in = pins();
  const DataOutputs& data = data_->out();
  congestion::PlaneInputs p;
  p.reset = in.reset;
  count(p.events);
  p.events.departed = data.departed & low_mask(ports()) & ~low_mask(d_.p());
  p.events.failed = now().down;
  for (int k = d_.first_local(); k < d_.first_global(); ++k) {
    p.events.flit |= data.out_valid & PortMap{1} << k;
    p.events.tail |= PortMap{flit_tail(data.out_flit[static_cast<size_t>(config_.words * k)])} << k;
  }
  std::copy(in.rx.begin(), in.rx.end(), p.rx.begin());
  p.cfg_valid = offered(ports());
  p.cfg_write = now().operation.write;
  p.cfg_addr = now().operation.address;
  p.cfg_wdata = now().operation.data;
  return p;
}

/// The congestion plane knows of a dead link a cycle after the fault plane.
void RouterUnitModule::sample_links() { next().down = pins().reset ? 0 : ~pins().link_up & low_mask(ports()); }

// ---- Fault plane

fault::RouterInputs RouterUnitModule::fault_pins() {
  const RouterInputs& in = pins();
  fault::RouterInputs f;
  f.reset = in.reset || !in.alive;
  f.joins = !in.reset && !in.alive && !in.port_level;
  f.own_gid = in.own_gid;
  f.own_bid = in.own_bid;
  f.safe = in.safe;
  f.port_level = in.port_level;
  f.link_up = in.link_up;
  for (int k = 0; k < ports(); ++k) {
    const PortMap bit = PortMap{1} << k;
    const size_t port = static_cast<size_t>(k);
    if (options_.table_ports == 1 && routes_[port]->pipeline().reads_tables_next()) f.route_read |= bit;
    if (framed(k)) {
      const fault::LinkOutputs& link = links_[port]->out();
      if (link.in_valid) f.in_valid |= bit;
      f.in_message[port] = link.in_message;
      if (!link.ready) f.out_ready &= ~bit;
    } else if (in.in_kind[port] == kSlotMessage && !(in.in_cut & bit)) {
      f.in_valid |= bit;
      f.in_message[port] = static_cast<uint32_t>(header(k) & 0x3FFFFF);
    }
  }
  return f;
}

fault::LinkInputs RouterUnitModule::link_pins(int port) {
  const RouterInputs& in = pins();
  const fault::RouterOutputs& plane = fault_->out();
  fault::LinkInputs link;
  link.reset = in.reset || !in.alive;
  link.link_up = in.link_up >> port & 1;
  link.msg_valid = plane.out_valid >> port & 1;
  link.msg = plane.out_message[static_cast<size_t>(port)];
  link.in_ready = plane.in_ready >> port & 1;
  link.frame_valid = in.in_kind[static_cast<size_t>(port)] == kSlotMessage && !(in.in_cut >> port & 1);
  link.frame = header(port) & 0xFFFFFFFFFF;
  return link;
}

// ---- Configuration

/// The unit of the operation under way: a port, or ports() for the congestion plane; -1: there is none.
int RouterUnitModule::chosen() const {
  const int unit = now().operation.unit;
  return unit == kPlaneUnit ? ports() : unit < ports() ? unit : -1;
}

/// Whether the operation goes to its unit at this edge.
bool RouterUnitModule::taken() const {
  const int unit = chosen();
  return unit < 0 ||
         (unit == ports() ? plane_->out().cfg_ready : routes_[static_cast<size_t>(unit)]->out().cfg_ready) != 0;
}

/// One operation is under way at a time.
void RouterUnitModule::configure() {
  const RouterInputs& in = pins();
  RouterUnitRegisters& to = next();
  to.refused = !in.reset && now().operation.valid && chosen() < 0;
  if (in.reset) {
    to.operation = {};
    to.busy = false;
  } else if (!now().busy || out_.cfg_ack) {
    to.operation = {in.cfg_valid, in.cfg_write, in.cfg_unit, in.cfg_addr, in.cfg_wdata};
    to.busy = in.cfg_valid;
  } else if (taken()) {
    to.operation.valid = false;
  }
}

// ---- Data path, when all others have loaded their registers

void RouterUnitModule::arrange() {
  const bool forgets = in_.reset || !in_.alive;
  for (int k = 0; k < ports(); ++k) {
    route_compute::RouteComputePipeline& pipeline = routes_[static_cast<size_t>(k)]->pipeline();
    // Marks count from the row's first marking on: a flip-flop a row says so.
    const int row = pipeline.written_row();
    for (int r = 0; forgets && r < fault::num_rows(d_); ++r) fault_->poke(k, r, {});
    if (row >= 0) fault_->poke(k, row, {});
    const bool busy = fault_->out().busy >> k & 1;
    pipeline.hold_tables(busy, busy && options_.table_ports == 1);
  }
  arranged_.notify();
  moved_.notify(sc_core::SC_ZERO_TIME);
}

/// A message of the fault plane, or a frame of a link end, has the slot of this cycle.
bool RouterUnitModule::tells(int port) const {
  return framed(port) ? links_[static_cast<size_t>(port)]->out().frame_valid != 0
                      : (fault_->out().out_valid >> port & 1) != 0;
}

DataInputs RouterUnitModule::data_pins() {
  DataInputs d;
  d.reset = in_.reset;
  d.alive = in_.alive;
  d.packet_last = in_.packet_last;
  d.in_cut = in_.in_cut;
  d.in_flit = in_.in_flit;
  d.credit = in_.credit;
  d.link_down = ~in_.link_up & low_mask(ports());
  for (int k = 0; k < ports(); ++k) {
    const size_t port = static_cast<size_t>(k);
    d.in_valid |= PortMap{in_.in_kind[port] == kSlotFlit} << k;
    d.slot_taken |= PortMap{tells(k)} << k;
    d.ans_port[port] = routes_[port]->out().resp_port;
    d.ans_vc[port] = routes_[port]->out().resp_vc;
  }
  return d;
}

// ---- Pins

/// The data path moves now.
void RouterUnitModule::finish() { finished_.notify(sc_core::SC_ZERO_TIME); }

void RouterUnitModule::show() {
  const DataOutputs& data = data_->out();
  out_.credit = data.credit;
  out_.sent = data.sent;
  out_.departed = data.departed;
  out_.grant = data.grant;
  show_slots();
  show_fault_plane();
  show_plane();
  show_answers();
  out_.cfg_ready = !now().busy || out_.cfg_ack;
  published_.notify(sc_core::SC_ZERO_TIME);
}

void RouterUnitModule::show_slots() {
  const DataOutputs& data = data_->out();
  out_.out_flit = data.out_flit;
  for (int k = 0; k < ports(); ++k) {
    const size_t port = static_cast<size_t>(k), word = static_cast<size_t>(config_.words * k);
    out_.out_kind[port] = static_cast<uint8_t>(tells(k)                  ? kSlotMessage
                                               : data.out_valid >> k & 1 ? kSlotFlit
                                                                         : kSlotIdle);
    if (!tells(k)) continue;
    std::fill_n(out_.out_flit.begin() + static_cast<std::ptrdiff_t>(word), config_.words, 0);
    out_.out_flit[word] = framed(k) ? links_[port]->out().frame : fault_->out().out_message[port];
  }
}

void RouterUnitModule::show_fault_plane() {
  const fault::RouterOutputs& plane = fault_->out();
  out_.serve = plane.serve;
  out_.serve_kind = plane.serve_kind;
  out_.serve_port = plane.serve_port;
  out_.serve_message = plane.serve_message;
  out_.serve_isolated = plane.serve_isolated;
  out_.busy = plane.busy;
  out_.write = 0;
  for (size_t k = 0; k < static_cast<size_t>(ports()); ++k) {
    const fault::PortOutputs& unit = plane.unit[k];
    out_.write |= PortMap{unit.write != 0} << k;
    out_.write_row[k] = unit.write_row;
    out_.write_level_a[k] = static_cast<uint8_t>(unit.write_level_a);
    out_.write_lost[k] = unit.write_lost[0];
    out_.write_partial[k] = unit.write_partial[0];
    out_.unheard[k] = unit.unheard;
  }
}

void RouterUnitModule::show_plane() {
  const congestion::PlaneOutputs& plane = plane_->out();
  out_.frame_valid = plane.sender.valid;
  out_.frame_idle = plane.sender.idle;
  out_.frame_stolen = plane.sender.stolen;
  out_.frame_bits = plane.sender.bits;
  out_.frame_crc = plane.sender.crc;
  out_.frame_phase = plane.sender.phase;
  out_.cong_local = plane.cong_local;
  out_.cfg_ack = now().refused || plane.cfg_ack;
  out_.cfg_err = now().refused || (plane.cfg_ack && plane.cfg_err);
  out_.cfg_rdata = plane.cfg_ack ? plane.cfg_rdata : 0;
}

void RouterUnitModule::show_answers() {
  out_.answer = 0;
  for (size_t k = 0; k < routes_.size(); ++k) {
    const route_compute::UnitOutputs& r = routes_[k]->out();
    out_.answer |= PortMap{r.resp_valid} << k;
    out_.answer_port[k] = r.resp_port;
    out_.cfg_ack |= r.cfg_ack;
    out_.cfg_err |= r.cfg_ack && r.cfg_err;
    if (r.cfg_ack) out_.cfg_rdata |= r.cfg_rdata;
  }
}

void RouterUnitModule::trace(sc_core::sc_trace_file* file) const {
  trace_pins(file, out_, "");
  data_->trace(file);
}

}  // namespace odonata::router
