// SPDX-License-Identifier: Apache-2.0
#include "hw/router/router.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace odonata::router {

congestion::PlaneConfig plane_config(const Parameters& p) {
  congestion::PlaneConfig config = p.plane;
  config.local_capacity = p.local_buffer;
  config.global_capacity = p.global_buffer;
  return config;
}

std::vector<route_compute::RegisterWrite> route_configuration(const Parameters& p, RouterId own, int port) {
  const Dragonfly& d = p.dragonfly;
  table::PortTables tables = table::configure(d, own, port, p.tables);
  for (int row = d.p(); row < d.p() + d.a() && d.port_class(port) == PortClass::global; ++row) {
    tables.b[row - d.p()] = fault::row_config(d, own, fault::entry_of_row(d, row), p.mode, p.tables).at(d, port).b;
  }
  std::vector<route_compute::RegisterWrite> out =
      route_compute::configuration_writes(d, own, port, tables, route_compute::lfsr_seed(p.seed, d, own, port));
  out.push_back({route_compute::reg::kRule, p.rule.word()});
  return out;
}

// ---- RouteUnit

RouteUnit::RouteUnit(hw::Tick& tick, const Parameters& p, int router, int port,
                     const fault::FaultRouterModule& fault_router, const MakePipeline& make)
    : d_(p.dragonfly),
      own_(d_.router(router)),
      port_(port),
      mode_(p.mode),
      policy_(p.tables),
      fault_router_(fault_router) {
  const std::string name = "route_compute_" + std::to_string(port);
  route_compute::UnitPins& pins = *this;
  pipeline_ = make ? make(name.c_str(), tick, d_, pins, router, port)
                   : std::make_unique<route_compute::RouteComputePipeline>(name.c_str(), tick, d_, pins);
  pipeline_->set_entry_filter([this](const route_compute::Request& request, const route_compute::Decoded& decoded,
                                     const route_compute::Entries& words) { return look_up(request, decoded, words); });
  for (const auto& w : route_configuration(p, own_, port)) {
    if (!pipeline_->debug_write(w.address / 8, w.data))
      throw std::logic_error("route compute refuses its configuration");
  }
}

/// fault_lookup behind the table RAM (docs/fault.md §6.1): what the marks leave of an entry.
route_compute::Entries RouteUnit::look_up(const route_compute::Request& request, const route_compute::Decoded& decoded,
                                          const route_compute::Entries& words) const {
  if (decoded.zone == table::Zone::invalid) return words;
  const fault::EntryId id = fault::entry_of_row(d_, decoded.index_a);
  const PortClass at = d_.port_class(port_);
  const fault::RowConfig row = fault::row_config(d_, own_, id, mode_, policy_);
  const fault::Options configured = row.at(d_, port_);
  const fault::Marks marks = fault::without_unheard(configured, fault_router_.peek(port_, decoded.index_a).marks,
                                                    fault_router_.unheard(port_));
  const fault::Options options = fault::effective(row, at, configured, marks, decoded.transit, request.vc);
  const fault::EntryWords kept = fault::masked_words(d_, at, id, {words.a, words.b}, options);
  return {kept.a, kept.b};
}

// ---- RouterModule

RouterModule::RouterModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Parameters& p, int router,
                           Source& source, Observer& observer, congestion::CongestionPlane& plane,
                           const fault::FaultPlane& fault_plane, const fault::FaultRouterModule* fault_router,
                           const MakePipeline& make)
    : sc_module(name),
      p_(p),
      d_(p.dragonfly),
      router_(router),
      source_(source),
      observer_(observer),
      plane_(plane),
      fault_plane_(fault_plane),
      ports_(d_.num_ports()) {
  for (int k = 0; k < d_.num_ports(); ++k) {
    Port& port = ports_[k];
    port.port_class = d_.port_class(k);
    if (fault_router != nullptr) port.unit = std::make_unique<RouteUnit>(tick, p, router, k, *fault_router, make);
    port.vc.resize(p.vcs);
    port.buffer = port.port_class == PortClass::node    ? p.node_buffer
                  : port.port_class == PortClass::local ? p.local_buffer
                                                        : p.global_buffer;
    port.credits.assign(p.vcs, port.buffer);  // links are alike in both directions
    port.landed.assign(p.vcs, 0);
    port.returned.assign(p.vcs, 0);
    port.held.assign(p.vcs, false);
    port.handed.assign(p.vcs, 0);
    port.pin_use.assign(congestion::kNumVcs, 0);
    if (port.port_class != PortClass::node) continue;
    port.node = d_.node_index({d_.router(router).gid, d_.router(router).bid, k});
    port.next = source_.next(port.node, ~0u);
  }
}

void RouterModule::work(int64_t now, const LinkState& state) {
  for (Port& p : ports_) p.left = false;
  offered_ = tails_ = 0;
  take_credits(now);
  move_flits(now, state);
  for (int k = 0; k < d_.num_ports(); ++k) {
    if ((before_.up & ~state.up) >> k & 1) cut(ports_[k], now);
  }
  pay_credits(now);
  drive_plane(state);
  before_ = state;
}

void RouterModule::move_flits(int64_t now, const LinkState& state) {
  take_answers(now);
  send(now, state);
  for (int phase = 0; phase < p_.phases; ++phase) switch_phase(now);
}

/// A credit can be used in the cycle after its arrival; the monitor samples it with the edge between.
void RouterModule::take_credits(int64_t now) {
  for (Port& p : ports_) {
    if (p.out == nullptr) continue;
    for (int v = 0; v < p_.vcs; ++v) p.credits[v] += std::exchange(p.landed[v], 0);
    for (const int v : p.out->receive_credits(now)) {
      ++p.landed[v];
      ++p.returned[v];
    }
  }
}

/// Answers come in the order of the requests. An answer is the route of its packet from this cycle on.
void RouterModule::take_answers(int64_t now) {
  for (Port& p : ports_) {
    const route_compute::UnitOutputs& out = p.unit->out();
    if (!out.resp_valid) continue;
    if (p.requests.empty()) throw std::logic_error("route compute answers without a request");
    const int v = p.requests.front();
    p.requests.pop_front();
    if (v == kForgotten) continue;
    std::deque<Waiting>& buffer = p.vc[v].buffer;
    Waiting& packet =
        *std::find_if(buffer.begin(), buffer.end(), [](const Waiting& w) { return w.flit.head() && !w.routed; });
    packet.routed = true;
    packet.route = {out.resp_port, out.resp_vc};
    while (!drops_when_picked() && p.vc[v].drops()) drop(p, v, now);
  }
}

/// The first flit of a VC is of a packet without a valid option.
void RouterModule::drop(Port& in, int v, int64_t now) {
  observer_.lost(in.vc[v].buffer.front().flit, now);
  pop(in, v);
}

/// The first flit of a VC leaves; its slot's credit leaves in this cycle, too.
void RouterModule::pop(Port& in, int v) {
  InputVc& vc = in.vc[v];
  const Waiting first = vc.buffer.front();
  if (first.flit.head()) vc.route = first.route;
  vc.buffer.pop_front();
  in.left = true;
  if (in.in != nullptr && !first.flit.uncredited) in.owed.push_back(v);
}

/// Every output FIFO puts one flit on its link; an FD or FR of the fault plane goes first.
void RouterModule::send(int64_t now, const LinkState& state) {
  for (int k = 0; k < d_.num_ports(); ++k) {
    Port& p = ports_[k];
    if (p.fifo.empty() || (messages() >> k & 1)) continue;
    const Flit flit = p.fifo.front();
    p.fifo.pop_front();
    p.departed = false;
    leaves(k, flit, now, state);
  }
}

void RouterModule::leaves(int k, const Flit& flit, int64_t now, const LinkState& state) {
  Port& p = ports_[k];
  if (p.out != nullptr) {
    p.out->send(flit, now);
    offered_ |= 1ull << k;
    tails_ |= PortMap{flit.tail()} << k;
    return;
  }
  // A node takes a flit if it has got all flits of its packet before it.
  int& handed = p.handed[flit.vc];
  const bool takes = (state.up >> k & 1) != 0 && (flit.head() || flit.index == handed);
  handed = flit.tail() ? 0 : takes ? flit.index + 1 : -1;
  takes ? observer_.delivered(flit, now) : observer_.lost(flit, now);
}

bool RouterModule::can_move(const InputVc& vc) const {
  if (!vc.routed()) return false;
  if (vc.drops()) return true;
  const bool head = vc.buffer.front().flit.head();
  const Route& way = vc.way();
  const Port& out = ports_[way.port];
  if (p_.output_fifo != 0 && static_cast<int>(out.fifo.size()) >= p_.output_fifo) return false;
  if (head && out.held[way.vc]) return false;
  return out.out == nullptr || out.credits[way.vc] >= (head ? head_room() : 1);
}

/// The first VC from the pointer on whose packet could move; -1: none.
int RouterModule::choose_vc(const Port& in) const {
  for (int i = 0; i < p_.vcs; ++i) {
    const int v = (first_choice(in) + i) % p_.vcs;
    if (can_move(in.vc[v])) return v;
  }
  return -1;
}

/// The VC whose turn it is goes first in the searches of its input and of its output, if it can move.
void RouterModule::give_turn(int64_t now) {
  if (p_.turn_cycles == 0) return;
  const auto turn = static_cast<int>(now / p_.turn_cycles % (d_.num_ports() * p_.vcs));
  Port& in = ports_[turn / p_.vcs];
  const InputVc& vc = in.vc[turn % p_.vcs];
  if (!can_move(vc)) return;
  in.switch_pointer = turn % p_.vcs;
  if (!vc.drops()) ports_[vc.way().port].grant_pointer = turn / p_.vcs;
}

/// One iteration of separable input-first allocation. A packet without an option takes part as one that needs no
/// output.
void RouterModule::switch_phase(int64_t now) {
  give_turn(now);
  std::vector<int> chosen;
  for (const Port& p : ports_) chosen.push_back(choose_vc(p));
  for (size_t in = 0; in < ports_.size(); ++in) {
    if (chosen[in] < 0 || !ports_[in].vc[chosen[in]].drops()) continue;
    ports_[in].switch_pointer = (chosen[in] + 1) % p_.vcs;
    drop(ports_[in], std::exchange(chosen[in], -1), now);
  }
  for (int out = 0; out < d_.num_ports(); ++out) {
    for (int i = 0; i < d_.num_ports(); ++i) {
      const int in = (ports_[out].grant_pointer + i) % d_.num_ports();
      if (chosen[in] < 0 || ports_[in].vc[chosen[in]].way().port != out) continue;
      grant(in, chosen[in], now);
      chosen[in] = -1;
      ports_[out].grant_pointer = (in + 1) % d_.num_ports();
      break;
    }
  }
}

void RouterModule::grant(int in_port, int v, int64_t now) {
  const Route way = ports_[in_port].vc[v].way();
  Port& out = ports_[way.port];
  out.sent += out.out != nullptr;
  move(in_port, v, way.port, way.vc, now);
}

void RouterModule::move(int in_port, int v, int out_port, int out_vc, int64_t now) {
  Port& in = ports_[in_port];
  Port& out = ports_[out_port];
  Flit flit = in.vc[v].buffer.front().flit;
  observer_.granted(flit, now, router_, in_port, v, out_port, out_vc, out.out != nullptr ? out.credits[out_vc] : 0);
  if (out.out != nullptr) --out.credits[out_vc];
  out.held[out_vc] = !flit.tail();
  flit.vc = static_cast<uint8_t>(out_vc);
  flit.uncredited = false;
  out.fifo.push_back(flit);
  in.switch_pointer = (v + 1) % p_.vcs;
  pop(in, v);
}

void RouterModule::pay_credits(int64_t now) {
  for (Port& p : ports_) {
    for (const int v : p.owed) p.in->send_credit(v, now);
    p.owed.clear();
  }
}

/// The link into a port has failed: packets of which only a part has arrived end here, and a node does not finish its
/// own.
void RouterModule::cut(Port& in, int64_t now) {
  for (int v = 0; v < p_.vcs; ++v) {
    if (in.vc[v].open) cut_packet(in, v, now);
  }
  in.to_enter = 0;
}

/// What waits of the packet is lost. Nobody waits for the route of a head that is lost (a router behind its pins knows
/// that by itself); behind one that has gone on a poisoned tail follows.
void RouterModule::cut_packet(Port& in, int v, int64_t now) {
  InputVc& vc = in.vc[v];
  vc.open = false;
  bool gone_on = true, unanswered = false;
  while (!vc.buffer.empty() && gone_on) {
    const Waiting last = vc.buffer.back();
    gone_on = !last.flit.head();
    unanswered = !gone_on && !last.routed;
    observer_.lost(last.flit, now);
    vc.buffer.pop_back();
    in.left = true;
    if (in.in != nullptr) in.owed.push_back(v);
  }
  if (unanswered && in.unit != nullptr) *std::find(in.requests.rbegin(), in.requests.rend(), v) = kForgotten;
  if (gone_on && vc.route.port != kNoPort) close_cut_packet(in, v);
}

void RouterModule::close_cut_packet(Port& in, int v) {
  Flit poison = in.vc[v].last;
  poison.index = Flit::kPoisoned;
  poison.uncredited = true;
  in.vc[v].buffer.push_back({poison, false, false, {}});
}

/// A free pin of a port's monitor; packets go to the pin with the fewest in use, credits to the one with the most, as
/// the monitor judges: before this cycle's events. -1: none.
int RouterModule::free_pin(int k, const std::array<PortMap, congestion::kNumVcs>& pins, const std::vector<int>& use,
                           bool credit) {
  int best = -1;
  for (int v = 0; v < congestion::kNumVcs; ++v) {
    if ((pins[v] >> k & 1) || (credit && use[v] == 0)) continue;
    if (best < 0 || (credit ? use[v] > use[best] : use[v] < use[best])) best = v;
  }
  return best;
}

/// Several flits or credits of a port in a cycle are put on different pins of its monitor. Of credits of a VC that come
/// at once, because a link has cut packets or a router has died, two a cycle are counted, or as many as there are
/// phases.
void RouterModule::drive_plane(const LinkState& state) {
  const int most = std::max(p_.phases, 2);
  congestion::RouterEvents events;
  events.failed = ~state.up & low_mask(d_.num_ports());
  for (int k = d_.first_local(); k < d_.num_ports(); ++k) {
    Port& p = ports_[k];
    const std::vector<int> use = p.pin_use;
    for (int& waiting : p.returned) {
      for (int n = 0, v = 0; n < most && waiting > 0 && (v = free_pin(k, events.credit, use, true)) >= 0;
           ++n, --waiting) {
        events.credit[v] |= 1ull << k;
        --p.pin_use[v];
      }
    }
    for (int v = 0; p.sent > 0 && (v = free_pin(k, events.sent, use, false)) >= 0; --p.sent) {
      events.sent[v] |= 1ull << k;
      ++p.pin_use[v];
    }
    if (!p.fifo.empty() && !std::exchange(p.departed, true)) events.departed |= 1ull << k;
  }
  const PortMap local = low_mask(d_.a() - 1) << d_.first_local();
  events.flit = offered_ & local;
  events.tail = tails_ & local;
  plane_.set_events(events);
  if (plane_.out().error) throw std::logic_error("a credit monitor reports an underflow or overflow");
}

void RouterModule::load(int64_t now, const LinkState& state) {
  if (!state.alive && before_.alive) die(now);
  if (!state.alive) died();
  for (int k = 0; k < d_.num_ports(); ++k) {
    Port& p = ports_[k];
    p.written = -1;
    if (p.in != nullptr) {
      if (!(before_.up >> k & 1)) p.in->cut();
      receive(p, now, state.alive);
    } else if (p.node >= 0) {
      inject(p, now, takes_packets(p, state));
    }
    request(k);
  }
}

/// The flit that arrived in the cycle before is written into its buffer, unless its link was cut, the router is dead or
/// the flit before it was not written: then its slot is free again.
void RouterModule::receive(Port& in, int64_t now, bool alive) {
  Flit flit;
  if (!in.in->receive(now - 1, flit)) return;
  if (!flit.cut && alive && (flit.head() || in.vc[flit.vc].open)) {
    write(in, flit.vc, flit);
    const std::deque<Waiting>& buffer = in.vc[flit.vc].buffer;
    if (static_cast<int>(buffer.size()) > in.buffer + buffer.front().flit.uncredited)
      throw std::logic_error("a buffer holds more flits than it has slots");
    return;
  }
  arrived(index_of(in), flit, flit.cut);
  observer_.lost(flit, now);
  in.owed.push_back(flit.vc);
}

void RouterModule::write(Port& in, int v, const Flit& flit) {
  in.vc[v].buffer.push_back({flit, false, false, {}});
  in.vc[v].open = !flit.tail();
  in.vc[v].last = flit;
  if (flit.head()) in.written = v;
  arrived(index_of(in), flit, false);
}

/// Whatever waits in the buffers is lost, and output VCs are free again; requests in the pipelines are forgotten.
void RouterModule::die(int64_t now) {
  for (Port& p : ports_) {
    std::fill(p.requests.begin(), p.requests.end(), kForgotten);
    p.held.assign(p_.vcs, false);
    for (int v = 0; v < p_.vcs; ++v) {
      p.vc[v].open = false;
      for (; !p.vc[v].buffer.empty(); pop(p, v)) observer_.lost(p.vc[v].buffer.front().flit, now);
    }
  }
}

/// A node holds its packets while its link is down and, when its router comes back, until the port's unit has heard
/// whoever is there (docs/fault.md §4).
bool RouterModule::takes_packets(Port& in, const LinkState& state) const {
  const int k = index_of(in);
  const bool waits =
      (fault_plane_.out().unit[static_cast<size_t>(k)].unheard & state.up & low_mask(d_.num_ports())) != 0;
  in.holds = state.alive ? in.holds && waits : p_.recovery == fault::Recovery::per_entry;
  return (state.up >> k & 1) != 0 && !in.holds;
}

/// The next flit of the node's packet enters the node port. A head is tried from the edge after its creation on, and
/// what fails is tried again after a cycle in which a flit left the port, or when the port takes packets again.
void RouterModule::inject(Port& in, int64_t now, bool takes) {
  const bool again = !std::exchange(in.took, takes) && takes;
  if (in.blocked && !in.left && !again) return;
  in.blocked = false;  // what failed may have been cut since: the next packet has not been tried
  if (in.to_enter == 0 && now <= in.next.born) return;
  in.blocked = !takes || !finds_room(in);
  if (in.blocked) return;
  if (in.to_enter == 0) {
    in.packet = in.next;
    in.to_enter = in.packet.flits;
    in.next = source_.next(in.node, in.packet.born);
  }
  write(in, in.node_vc, entering_flit(in.node, in.packet, in.to_enter--, in.node_vc));
}

/// For a head: a virtual channel with room for it, or with cut-through for its packet.
bool RouterModule::finds_room(Port& in) {
  const auto room = [&](int v, int flits) { return in.buffer - static_cast<int>(in.vc[v].buffer.size()) >= flits; };
  if (in.to_enter != 0) return room(in.node_vc, 1);
  const int start = source_.first_vc(in.node);
  for (int i = 0; i < p_.vcs; ++i) {
    in.node_vc = (start + i) % p_.vcs;
    if (room(in.node_vc, p_.cut_through ? in.next.flits : 1)) return true;
  }
  return false;
}

/// The VC whose packet asks at this edge; -1: none. At the head of the VCs: round-robin among those whose head has not
/// asked.
int RouterModule::wants_route(Port& in) const {
  if (p_.ask_at_arrival) return in.written;
  for (int i = 0; i < p_.vcs; ++i) {
    const int v = (in.request_pointer + i) % p_.vcs;
    if (in.vc[v].buffer.empty() || in.vc[v].buffer.front().asked) continue;
    in.request_pointer = (v + 1) % p_.vcs;
    return v;
  }
  return -1;
}

/// One request a cycle.
void RouterModule::request(int k) {
  Port& p = ports_[k];
  if (p.unit == nullptr) return;
  route_compute::UnitInputs pins;
  pins.congestion = {plane_.out().cong_local, plane_.out().collector.map[k], plane_.out().busy_local,
                     plane_.out().collector.busy_map[k]};
  if (const int v = wants_route(p); v >= 0) {
    Waiting& packet = p_.ask_at_arrival ? p.vc[v].buffer.back() : p.vc[v].buffer.front();
    pins.req_valid = true;
    pins.req_dest = packet.flit.dest;
    pins.req_src_gid = static_cast<uint16_t>(d_.node(static_cast<int>(packet.flit.source)).gid);
    pins.req_vc = static_cast<uint8_t>(p.port_class == PortClass::node ? 0 : v);
    packet.asked = true;
    p.requests.push_back(v);
  }
  p.unit->set_pins(pins);
}

uint64_t RouterModule::waiting() const {
  uint64_t n = 0;
  for (const Port& p : ports_) {
    n += p.fifo.size();
    for (const InputVc& vc : p.vc) n += vc.buffer.size();
  }
  return n;
}

}  // namespace odonata::router
