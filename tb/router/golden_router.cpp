// SPDX-License-Identifier: Apache-2.0
#include "tb/router/golden_router.h"

#include <algorithm>
#include <cstring>

#include "models/congestion/frame.h"
#include "models/route_compute/decide.h"

namespace odonata::cosim {

using namespace router;

GoldenRouter::GoldenRouter(const Dragonfly& d, const DataConfig& config, WrongWire wrong, const Options& options)
    : d_(d),
      ports_(d.num_ports()),
      in_words_(config.words),
      options_(options),
      wrong_(wrong),
      data_(config),
      plane_(d),
      fault_(d, fault::FaultRouterConfig::of(d, options.pipelined)),
      links_(static_cast<size_t>(ports_), fault::LinkUnit(d)),
      link_out_(static_cast<size_t>(ports_)),
      looks_(static_cast<size_t>(ports_)),
      in_use_(static_cast<size_t>(ports_)),
      backlog_(static_cast<size_t>(ports_)) {
  fault_out_.unit.resize(static_cast<size_t>(ports_));
  for (int k = 0; k < ports_; ++k) {
    route_.emplace_back(d);
    route_.back().set_entry_filter(
        [this, k](const route_compute::Request& request, const route_compute::Decoded& decoded,
                  const route_compute::Entries& words) { return look_up(k, request, decoded, words); });
  }
}

/// The unit of the operation under way: a port, or `ports_` for the plane; -1: there is none.
int GoldenRouter::chosen() const {
  return operation_.unit == 64 ? ports_ : operation_.unit < ports_ ? operation_.unit : -1;
}

/// The port brings the head of a packet that needs a route.
bool GoldenRouter::asks(const RouterInputs& in, int port) const {
  return in.in_kind[static_cast<size_t>(port)] == kSlotFlit && (header(in, port) >> 2 & 1) &&
         (!(in.in_cut >> port & 1) || wrong_ == WrongWire::cut_asks) && (in.alive || wrong_ == WrongWire::dead_asks);
}

/// The port whose operations the unit of a port gets: its own.
int GoldenRouter::configured_by(int port) const {
  return wrong_ == WrongWire::next_port_configured ? (port + 1) % ports_ : port;
}

const route_compute::UnitInputs& GoldenRouter::route_pins(const RouterInputs& in, int port) {
  route_compute::UnitInputs& u = route_in_;
  const uint64_t flit = header(in, port);
  u.reset = in.reset;
  u.req_valid = asks(in, port);
  u.req_dest = static_cast<uint32_t>(flit >> 11 & 0x3FFFF);
  u.req_src_gid = static_cast<uint16_t>(flit >> 38 & 0x1FF);
  u.req_vc = static_cast<uint8_t>(port < d_.p() ? 0 : flit & 3);
  if ((route_[static_cast<size_t>(port)].out().probe & route_compute::probe::kStage2) != 0) {  // sampled at this edge
    const congestion::PlaneOutputs& plane = plane_.out();
    u.congestion.local = plane.cong_local;
    u.congestion.global =
        plane.collector.map[static_cast<size_t>(wrong_ == WrongWire::next_map ? (port + 1) % ports_ : port)];
    u.congestion.busy_local = plane.busy_local;
    u.congestion.busy_global =
        plane.collector.busy_map[static_cast<size_t>(wrong_ == WrongWire::next_busy_map ? (port + 1) % ports_ : port)];
  }
  u.cfg_valid = offered(configured_by(port));
  u.cfg_write = operation_.write;
  u.cfg_addr = operation_.address;
  u.cfg_wdata = operation_.data;
  return u;
}

/// Packets and credits that this edge samples, and credits that have waited, spread over the counters of their port so
/// that each finds a slot or a packet. The counters take four credits a cycle together: who brings more at once than
/// that is not compared.
void GoldenRouter::count(const RouterInputs& in, congestion::RouterEvents& events) {
  for (int k = d_.p(); k < ports_; ++k) {
    const size_t first = static_cast<size_t>(4 * k);
    uint32_t any_sent = 0;  // most ports have nothing: all four at once
    uint64_t any_credit = 0;
    std::memcpy(&any_sent, &data_.out().sent[first], sizeof any_sent);
    std::memcpy(&any_credit, &in.credit[first], sizeof any_credit);
    Backlog& backlog = backlog_[static_cast<size_t>(k)];
    if (any_sent == 0 && any_credit == 0 && backlog.all == 0) continue;
    int sent = 0, credit = 0;
    std::array<int, 4> taken;
    for (size_t v = 0; v < 4; ++v) {
      sent += data_.out().sent[first + v];
      backlog.of_vc[v] += in.credit[first + v];
      credit += taken[v] = std::min(backlog.of_vc[v], 2);
    }
    for (size_t v = 3; credit > 4; --v) {  // the last ones wait
      const int waits = std::min(taken[v], credit - 4);
      taken[v] -= waits;
      credit -= waits;
    }
    backlog.all = 0;
    for (size_t v = 0; v < 4; ++v) backlog.all += backlog.of_vc[v] -= taken[v];
    if (sent + credit != 0) spread(k, sent, credit, events);
  }
}

/// Packets go to the counters with the fewest, credits are those of the counters with the most.
void GoldenRouter::spread(int port, int sent, int credit, congestion::RouterEvents& events) {
  std::array<int, 4>& use = in_use_[static_cast<size_t>(port)];
  const std::array<int, 4> before = use;
  for (unsigned left = 15; sent > 0; --sent) {
    size_t v = static_cast<size_t>(std::countr_zero(left));
    for (size_t w = v + 1; w < 4; ++w)
      if ((left >> w & 1) != 0 && before[w] < before[v]) v = w;
    events.sent[v] |= PortMap{1} << port;
    ++use[v];
    left &= ~(1u << v);
  }
  for (unsigned left = 15; credit > 0; --credit) {
    size_t v = static_cast<size_t>(std::countr_zero(left));
    for (size_t w = v + 1; w < 4; ++w)
      if ((left >> w & 1) != 0 && before[w] >= before[v]) v = w;
    events.credit[v] |= PortMap{1} << port;
    --use[v];
    left &= ~(1u << v);
  }
}

congestion::PlaneInputs GoldenRouter::plane_pins(const RouterInputs& in) {
  congestion::PlaneInputs p;
  p.reset = in.reset;
  count(in, p.events);
  p.events.departed = data_.out().departed;
  if (wrong_ == WrongWire::departed_as_sent) {
    p.events.departed = 0;
    for (int k = d_.p(); k < ports_; ++k)
      for (int v = 0; v < 4; ++v)
        if (data_.out().sent[static_cast<size_t>(4 * k + v)]) p.events.departed |= PortMap{1} << k;
  }
  const PortMap network = low_mask(ports_) & ~low_mask(d_.p());
  p.events.departed &= network;
  p.events.failed = wrong_ == WrongWire::live_links ? 0 : down_;
  down_ = in.reset ? 0 : ~in.link_up & low_mask(ports_);
  for (int k = d_.p(); k < d_.p() + d_.a() - 1; ++k) {
    p.events.flit |= (data_.out().out_valid >> k & 1) << k;
    if (wrong_ != WrongWire::no_tails)
      p.events.tail |= PortMap{data_.out().out_flit[static_cast<size_t>(in_words_ * k)] >> 3 & 1} << k;
  }
  std::copy_n(in.rx.begin(), d_.a() - 1, p.rx.begin());
  p.cfg_valid = offered(ports_);
  p.cfg_write = operation_.write;
  p.cfg_addr = operation_.address;
  p.cfg_wdata = operation_.data;
  return p;
}

/// After the route-compute units: the data path samples an answer at the edge that puts it into their response
/// registers.
const DataInputs& GoldenRouter::data_pins(const RouterInputs& in) {
  DataInputs& d = data_in_;
  d.in_valid = 0;
  d.reset = in.reset;
  d.alive = in.alive;
  d.packet_last = in.packet_last;
  for (int k = 0; k < ports_; ++k) d.in_valid |= PortMap{in.in_kind[static_cast<size_t>(k)] == kSlotFlit} << k;
  d.in_cut = in.in_cut;
  std::copy_n(in.in_flit.begin(), in_words_ * ports_, d.in_flit.begin());
  std::copy_n(in.credit.begin(), kNumVcs * ports_, d.credit.begin());
  d.slot_taken = wrong_ == WrongWire::free_slot ? 0 : messages();
  d.link_down = wrong_ == WrongWire::nothing_cut ? 0 : ~in.link_up & low_mask(ports_);
  for (size_t k = 0; k < route_.size(); ++k) {
    d.ans_port[k] = route_[k].out().resp_port;
    d.ans_vc[k] = route_[k].out().resp_vc;
  }
  return d;
}

fault::RouterInputs GoldenRouter::fault_pins(const RouterInputs& in) const {
  fault::RouterInputs f;
  f.reset = in.reset || (!in.alive && wrong_ != WrongWire::dead_serves);
  f.joins = !in.reset && !in.alive && !in.port_level && wrong_ != WrongWire::never_joins;
  f.own_gid = in.own_gid;
  f.own_bid = in.own_bid;
  f.safe = in.safe;
  f.port_level = in.port_level;
  f.link_up = in.link_up;
  for (int k = 0; k < ports_ && options_.table_ports == 1 && wrong_ != WrongWire::unit_first; ++k) {
    f.route_read |= PortMap{(route_[static_cast<size_t>(k)].out().probe & route_compute::probe::kStage2) != 0} << k;
  }
  f.in_message.fill(0);
  for (int k = 0; k < ports_; ++k) {
    if (framed(k)) {
      const fault::LinkOutputs& link = link_out_[static_cast<size_t>(k)];
      f.in_valid |= PortMap{link.in_valid != 0} << k;
      f.in_message[static_cast<size_t>(k)] = link.in_message;
      if (!link.ready) f.out_ready &= ~(PortMap{1} << k);
      continue;
    }
    if (in.in_kind[static_cast<size_t>(k)] != kSlotMessage ||
        ((in.in_cut >> k & 1) && wrong_ != WrongWire::cut_message))
      continue;
    f.in_valid |= PortMap{1} << k;
    f.in_message[static_cast<size_t>(k)] = static_cast<uint32_t>(header(in, k) & 0x3FFFFF);
  }
  return f;
}

/// The options that the words of a row name. Of several in table A the lowest speaks for all.
fault::Options GoldenRouter::options_of(int port, int row, const route_compute::Entries& words) const {
  fault::Options o = fault::options_of_words(d_, d_.port_class(port), fault::entry_of_row(d_, row), {words.a, words.b});
  o.a &= ~o.a + 1;
  if (row < d_.p()) o.b = 0;
  return o;
}

/// Stage 2: the marks and the unheard ports as they are before this edge.
route_compute::Entries GoldenRouter::look_up(int port, const route_compute::Request& request,
                                             const route_compute::Decoded& decoded,
                                             const route_compute::Entries& words) {
  if (decoded.zone == table::Zone::invalid) return words;
  const int row = decoded.index_a;
  const PortClass at = d_.port_class(port);
  const fault::PortUnit& unit = fault_.unit(wrong_ == WrongWire::marks_of_next_port ? (port + 1) % ports_ : port);
  const fault::Options configured = options_of(port, row, words);
  fault::RowConfig config;
  config.id = fault::entry_of_row(d_, row);
  config.local_ports = low_mask(d_.a() - 1) << d_.first_local();
  config.global_ports = low_mask(d_.h()) << d_.first_global();
  const PortMap unheard = wrong_ == WrongWire::heard ? 0 : unit.unheard();
  LookUp& look = looks_[static_cast<size_t>(port)];
  look = {true,      {},
          {},        fault::without_unheard(configured, unit.marks(row), unheard),
          config.id, ((configured.a | configured.b) & unheard) != 0,
          false};
  look.clean = fault::effective(config, at, configured, {}, decoded.transit, request.vc);
  look.kept = fault::effective(config, at, configured, look.marks, decoded.transit, request.vc);
  if (wrong_ == WrongWire::no_mask) return words;
  const fault::Options keep{look.kept.a != 0 ? ~PortMap{0} : 0, look.kept.b};
  const fault::EntryWords kept = fault::masked_words(d_, at, look.id, {words.a, words.b}, keep);
  return {kept.a, kept.b};
}

/// The rows that this edge has configured begin without marks.
void GoldenRouter::configure_rows() {
  cleared_ = 0;
  for (int k = 0; k < ports_; ++k) {
    const int row = route_[static_cast<size_t>(k)].written_row();
    if (row < 0) continue;
    const fault::Marks& before = fault_.unit(k).marks(row);
    if (before.lost_b != 0 || before.partial_b != 0 || before.a != fault::Level::full) cleared_ |= PortMap{1} << k;
    const route_compute::Registers& registers = route_[static_cast<size_t>(k)].registers();
    const auto word = [&](uint32_t base, int index) {
      return registers.read(registers.target(false, base / 8 + static_cast<uint32_t>(index), 0),
                            base / 8 + static_cast<uint32_t>(index));
    };
    const route_compute::Entries words{word(route_compute::reg::kTableA, row),
                                       row < d_.p() ? 0 : word(route_compute::reg::kTableB, row - d_.p())};
    fault_.unit(k).configure(row, options_of(k, row, words));
  }
}

/// Ports with a message of the fault plane, or a frame of a link end, in the slot of this cycle.
PortMap GoldenRouter::messages() const {
  PortMap taken = 0;
  for (int k = 0; k < ports_; ++k) {
    taken |=
        PortMap{framed(k) ? link_out_[static_cast<size_t>(k)].frame_valid != 0 : (fault_out_.out_valid >> k & 1) != 0}
        << k;
  }
  return taken;
}

/// Link ends between port units, input FIFOs and wires; they see the fault plane as it was before this edge.
void GoldenRouter::step_links(const RouterInputs& in) {
  for (int k = d_.p(); k < ports_ && options_.frames; ++k) {
    const size_t port = static_cast<size_t>(k);
    fault::LinkInputs link;
    link.reset = in.reset || !in.alive;
    link.link_up = in.link_up >> k & 1;
    link.msg_valid = fault_out_.out_valid >> k & 1;
    link.msg = fault_out_.out_message[port];
    link.in_ready = fault_out_.in_ready >> k & 1;
    link.frame_valid = in.in_kind[port] == kSlotMessage && !(in.in_cut >> k & 1) && wrong_ != WrongWire::lost_frames;
    link.frame = header(in, k) & 0xFFFFFFFFFF;
    links_[port].step(link, link_out_[port]);
  }
}

void GoldenRouter::step_fault_plane(const RouterInputs& in) {
  configure_rows();
  const fault::RouterInputs pins = fault_pins(in);
  step_links(in);
  fault_.step(pins, fault_out_);
  held_ = 0;
  for (int k = 0; k < ports_; ++k) {
    if (pins.reset) fault_.unit(k).forget_marks();
    const fault::PortOutputs& unit = fault_out_.unit[static_cast<size_t>(k)];
    LookUp& look = looks_[static_cast<size_t>(k)];
    look.written = look.any && unit.write && unit.write_row == fault::row_of_entry(d_, look.id);
    route_compute::Unit& route = route_[static_cast<size_t>(k)];
    route.hold_tables(false);
    if (!unit.busy || wrong_ == WrongWire::configured_at_once) continue;
    const bool ready = route.out().cfg_ready;
    route.hold_tables(true, options_.table_ports == 1 && wrong_ != WrongWire::read_at_once);
    if (ready && !route.out().cfg_ready) held_ |= PortMap{1} << k;
  }
}

/// Units to which nothing happens stay as they are.
void GoldenRouter::step_routes(const RouterInputs& in) {
  for (int k = 0; k < ports_; ++k) {
    looks_[static_cast<size_t>(k)].any = false;
    route_compute::Unit& unit = route_[static_cast<size_t>(k)];
    if (unit.idle() && !in.reset && !asks(in, k) && !offered(configured_by(k))) continue;
    unit.step(route_pins(in, k));
  }
}

void GoldenRouter::step(const RouterInputs& in, RouterOutputs& out) {
  const congestion::PlaneInputs plane = plane_pins(in);
  const int unit = chosen();
  const bool ready =
      unit < 0 || (unit == ports_ ? plane_.out().cfg_ready : route_[static_cast<size_t>(unit)].out().cfg_ready);
  step_routes(in);
  const bool free = !busy_ || acknowledged_;
  refused_ = !in.reset && operation_.valid && unit < 0;
  if (in.reset) {
    operation_ = {};
    busy_ = false;
  } else if (free) {
    operation_ = {in.cfg_valid, in.cfg_write, in.cfg_unit, in.cfg_addr, in.cfg_wdata};
    busy_ = in.cfg_valid;
  } else if (ready) {
    operation_.valid = false;
  }
  if (in.reset) {
    in_use_.assign(in_use_.size(), {});
    backlog_.assign(backlog_.size(), {});
  }

  step_fault_plane(in);
  plane_.step(plane);
  data_.step(data_pins(in));
  show(out);
  acknowledged_ = out.cfg_ack;
  out.cfg_ready = !busy_ || acknowledged_;
}

/// What is beyond the ports stays as it is.
void GoldenRouter::show(RouterOutputs& out) const {
  const DataOutputs& data = data_.out();
  const PortMap taken = messages();
  std::copy_n(data.out_flit.begin(), in_words_ * ports_, out.out_flit.begin());
  out.write = 0;
  for (int k = 0; k < ports_; ++k) {
    const size_t port = static_cast<size_t>(k);
    out.out_kind[port] = static_cast<uint8_t>(taken >> k & 1            ? kSlotMessage
                                              : data.out_valid >> k & 1 ? kSlotFlit
                                                                        : kSlotIdle);
    if (out.out_kind[port] == kSlotMessage) {
      for (int w = 0; w < in_words_; ++w) out.out_flit[static_cast<size_t>(in_words_ * k + w)] = 0;
      out.out_flit[static_cast<size_t>(in_words_ * k)] =
          framed(k) ? link_out_[port].frame : fault_out_.out_message[port];
    }
    const fault::PortOutputs& unit = fault_out_.unit[port];
    out.write |= PortMap{unit.write != 0} << k;
    out.write_row[port] = unit.write_row;
    out.write_level_a[port] = static_cast<uint8_t>(unit.write_level_a);
    out.write_lost[port] = unit.write_lost[0];
    out.write_partial[port] = unit.write_partial[0];
    out.unheard[port] = unit.unheard;
  }
  out.serve = fault_out_.serve;
  out.serve_kind = fault_out_.serve_kind;
  out.serve_port = fault_out_.serve_port;
  out.serve_message = fault_out_.serve_message;
  out.serve_isolated = fault_out_.serve_isolated;
  out.busy = fault_out_.busy;
  std::copy_n(data.credit.begin(), kNumVcs * ports_, out.credit.begin());
  std::copy_n(data.sent.begin(), kNumVcs * ports_, out.sent.begin());
  std::copy_n(data.grant.begin(), 2 * ports_, out.grant.begin());
  out.departed = data.departed;
  const congestion::PlaneOutputs& plane = plane_.out();
  out.frame_valid = plane.sender.valid;
  out.frame_idle = plane.sender.idle;
  out.frame_stolen = plane.sender.stolen;
  out.frame_bits = plane.sender.bits;
  out.frame_crc = plane.sender.crc;
  out.frame_phase = plane.sender.phase;
  out.cong_local = plane.cong_local;
  out.cfg_ack = refused_ || plane.cfg_ack;
  out.cfg_err = refused_ || (plane.cfg_ack && plane.cfg_err);
  out.cfg_rdata = plane.cfg_ack ? plane.cfg_rdata : 0;
  out.answer = 0;
  for (size_t k = 0; k < route_.size(); ++k) {
    const route_compute::UnitOutputs& r = route_[k].out();
    out.answer |= PortMap{r.resp_valid} << k;
    out.answer_port[k] = r.resp_port;
    out.cfg_ack |= r.cfg_ack;
    out.cfg_err |= r.cfg_ack && r.cfg_err;
    if (r.cfg_ack) out.cfg_rdata |= r.cfg_rdata;
  }
}

}  // namespace odonata::cosim
