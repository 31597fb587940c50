// SPDX-License-Identifier: Apache-2.0
#include "hw/fabric/switch_module.h"

#include <stdexcept>
#include <utility>

namespace odonata::fabric {

namespace {

size_t at(int i) { return static_cast<size_t>(i); }

}  // namespace

SwitchModule::SwitchModule(const sc_core::sc_module_name& name, const SwitchParameters& parameters, int number,
                           std::vector<PortSetup> ports, Source& source, Observer& observer)
    : sc_module(name), p_(parameters), number_(number), source_(source), observer_(observer) {
  for (PortSetup& setup : ports) {
    Port port;
    static_cast<PortSetup&>(port) = std::move(setup);
    port.vc.resize(at(p_.vcs));
    port.credits.assign(at(p_.vcs), port.buffer);
    port.landed.assign(at(p_.vcs), 0);
    port.held.assign(at(p_.vcs), false);
    if (port.node >= 0) {
      port.following = source_.next(port.node, ~0u);
      port.handed.assign(ports.size() * at(p_.vcs), 0);
    }
    ports_.push_back(std::move(port));
  }
  before_.up.assign(ports_.size(), true);
}

void SwitchModule::work(int64_t now, const LinkState& state) {
  take_credits(now);
  if (before_.alive && !state.alive) die(now);
  for (size_t k = 0; k < ports_.size(); ++k) {
    if (ports_[k].in != nullptr) receive(ports_[k], now, state.alive);
  }
  for (size_t k = 0; k < ports_.size(); ++k) {
    if (ports_[k].node >= 0) inject(ports_[k], now, state.up[k], state.up[k] && !before_.up[k]);
  }
  send(now, state);
  if (!state.alive) {  // what its output FIFOs still held of cut packets is forgotten, too
    for (Port& p : ports_) p.handed.assign(p.handed.size(), 0);
  }
  for (int phase = 0; phase < p_.phases; ++phase) switch_phase(now);
  for (size_t k = 0; k < ports_.size(); ++k) {
    if (before_.up[k] && !state.up[k]) cut(ports_[k], now);
    if (ports_[k].in != nullptr && !state.up[k]) ports_[k].in->cut();
  }
  pay_credits(now);
  before_ = state;
}

/// A flit is asked for in the cycle in which its link ends, a packet of the node in the one before it may enter.
void SwitchModule::ask(int64_t now) {
  for (Port& p : ports_) {
    if (!p.unit) continue;
    if (p.node >= 0) {
      Flit head;
      head.source = static_cast<uint32_t>(p.node);
      head.dest = p.following.dest;
      p.unit->ask(p.left == 0 && p.following.born <= now ? &head : nullptr);
      continue;
    }
    const Flit* flit = p.in->arriving(now);
    p.unit->ask(flit != nullptr && flit->head() ? flit : nullptr);
  }
}

/// A credit can be used in the cycle after its arrival.
void SwitchModule::take_credits(int64_t now) {
  for (Port& p : ports_) {
    if (p.out == nullptr) continue;
    for (int v = 0; v < p_.vcs; ++v) p.credits[at(v)] += std::exchange(p.landed[at(v)], 0);
    for (const int v : p.out->receive_credits(now)) ++p.landed[at(v)];
  }
}

/// Whatever waits in a dying switch is lost, and its output VCs are free again.
void SwitchModule::die(int64_t now) {
  for (Port& p : ports_) {
    for (int v = 0; v < p_.vcs; ++v) {
      InputVc& vc = p.vc[at(v)];
      for (; !vc.buffer.empty(); pop(p, v)) observer_.lost(vc.buffer.front().flit, now);
      vc.open = false;
    }
    p.held.assign(at(p_.vcs), false);
  }
}

/// The flit whose link ended in the cycle before. Lost ones free their slot at once.
void SwitchModule::receive(Port& in, int64_t now, bool alive) {
  Flit flit;
  if (!in.in->receive(now - 1, flit)) return;
  InputVc& vc = in.vc[at(flit.vc)];
  const bool follows = flit.head() || vc.open;
  if (!flit.cut && alive && follows) return take_in(in, flit.vc, flit, now);
  observer_.lost(flit, now);
  in.owed.push_back(flit.vc);
}

/// A flit goes into its buffer; a head with the answer of the route unit.
void SwitchModule::take_in(Port& in, int v, const Flit& flit, int64_t now) {
  InputVc& vc = in.vc[at(v)];
  Waiting w{flit, {}};
  if (flit.head()) {
    w.route = in.unit->answer();
    w.flit.header = w.route.header;
  }
  vc.open = !flit.tail();
  vc.last = w.flit;
  vc.buffer.push_back(w);
  if (static_cast<int>(vc.buffer.size()) > in.buffer + vc.buffer.front().flit.uncredited)
    throw std::logic_error("a buffer holds more flits than it has slots");
  drop_unroutable(in, v, now);
}

/// A packet without a way is dropped flit by flit at the head of its VC.
void SwitchModule::drop_unroutable(Port& in, int v, int64_t now) {
  InputVc& vc = in.vc[at(v)];
  while (!vc.buffer.empty()) {
    const Flit& flit = vc.buffer.front().flit;
    if (flit.head()) vc.route = vc.buffer.front().route;
    if (vc.route.port != kDropped) return;
    observer_.lost(flit, now);
    pop(in, v);
  }
}

/// The first flit of a VC leaves; its slot's credit leaves in this cycle, too.
void SwitchModule::pop(Port& in, int v) {
  const Flit flit = in.vc[at(v)].buffer.front().flit;
  in.vc[at(v)].buffer.pop_front();
  in.freed = true;
  if (in.in != nullptr && !flit.uncredited) in.owed.push_back(v);
}

/// The next flit of the node's packet enters; after a try in vain the next one comes after a cycle in which a slot of
/// the port became free, or when the link comes up.
void SwitchModule::inject(Port& in, int64_t now, bool up, bool came_up) {
  const bool freed = std::exchange(in.freed, false);
  if (in.blocked && !freed && !came_up) return;
  in.blocked = false;
  if (in.left == 0 && now <= in.following.born) return;
  in.blocked = !up || !finds_room(in);
  if (in.blocked) return;
  if (in.left == 0) {
    in.packet = in.following;
    in.left = in.packet.flits;
    in.following = source_.next(in.node, in.packet.born);
  }
  take_in(in, in.node_vc, entering_flit(in.node, in.packet, in.left--, in.node_vc), now);
}

/// For a head: a virtual channel with room for it, or with cut-through for its packet.
bool SwitchModule::finds_room(Port& in) {
  const auto room = [&](int v, int flits) { return in.buffer - static_cast<int>(in.vc[at(v)].buffer.size()) >= flits; };
  if (in.left != 0) return room(in.node_vc, 1);
  const int start = source_.first_vc(in.node);
  for (int i = 0; i < p_.vcs; ++i) {
    in.node_vc = (start + i) % p_.vcs;
    if (room(in.node_vc, p_.cut_through ? in.following.flits : 1)) return true;
  }
  return false;
}

/// Every output FIFO puts one flit on its link. A node takes a flit if it has got all flits of its packet before it.
void SwitchModule::send(int64_t now, const LinkState& state) {
  for (size_t k = 0; k < ports_.size(); ++k) {
    Port& p = ports_[k];
    if (p.fifo.empty()) continue;
    const Departing d = p.fifo.front();
    p.fifo.pop_front();
    if (p.out != nullptr) {
      p.out->send(d.flit, now);
      continue;
    }
    int& handed = p.handed[at(d.in_port * p_.vcs + d.in_vc)];
    const bool takes = state.up[k] && d.flit.index == handed;
    handed = d.flit.tail() ? 0 : takes ? handed + 1 : -1;
    takes ? observer_.delivered(d.flit, now + p_.node_latency) : observer_.lost(d.flit, now);
  }
}

bool SwitchModule::can_move(const InputVc& vc) const {
  if (vc.buffer.empty()) return false;
  const Flit& flit = vc.buffer.front().flit;
  const Route route = route_of(vc);
  const Port& out = ports_[at(route.port)];
  if (p_.output_fifo != 0 && static_cast<int>(out.fifo.size()) >= p_.output_fifo) return false;
  if (out.out == nullptr) return true;
  if (flit.head() && !may_enter(out, route.vc)) return false;
  return out.credits[at(route.vc)] >= (flit.head() && p_.cut_through ? flit.length : 1);
}

/// The first VC from the pointer on whose flit could move; -1: none.
int SwitchModule::choose_vc(const Port& in) const {
  for (int i = 0; i < p_.vcs; ++i) {
    const int v = (first_choice(in) + i) % p_.vcs;
    if (can_move(in.vc[at(v)])) return v;
  }
  return -1;
}

/// One iteration of separable input-first allocation.
void SwitchModule::switch_phase(int64_t now) {
  const int ports = static_cast<int>(ports_.size());
  std::vector<int> chosen;
  for (const Port& p : ports_) chosen.push_back(choose_vc(p));
  for (int out = 0; out < ports; ++out) {
    for (int i = 0; i < ports; ++i) {
      const int in = (ports_[at(out)].grant_pointer + i) % ports;
      if (chosen[at(in)] < 0 || route_of(ports_[at(in)].vc[at(chosen[at(in)])]).port != out) continue;
      grant(in, std::exchange(chosen[at(in)], -1), now);
      ports_[at(out)].grant_pointer = (in + 1) % ports;
      break;
    }
  }
}

void SwitchModule::grant(int in_port, int v, int64_t now) {
  Port& in = ports_[at(in_port)];
  InputVc& vc = in.vc[at(v)];
  const Route route = route_of(vc);
  Flit flit = vc.buffer.front().flit;
  Port& out = ports_[at(route.port)];
  observer_.granted(flit, now, number_, in_port, v, route.port, route.vc,
                    out.out != nullptr ? out.credits[at(route.vc)] : 0);
  in.pointer = (v + 1) % p_.vcs;
  pop(in, v);
  if (out.out != nullptr) {
    --out.credits[at(route.vc)];
    out.held[at(route.vc)] = !flit.tail();
    flit.vc = static_cast<uint8_t>(route.vc);
    flit.uncredited = false;
  }
  out.fifo.push_back({flit, in_port, v});
  drop_unroutable(in, v, now);
}

/// The link into a port has failed: a packet of which only a part has arrived ends here.
void SwitchModule::cut(Port& in, int64_t now) {
  for (int v = 0; v < p_.vcs; ++v) {
    InputVc& vc = in.vc[at(v)];
    if (!vc.open) continue;
    vc.open = false;
    bool gone_on = true;
    while (!vc.buffer.empty() && gone_on) {
      const Flit flit = vc.buffer.back().flit;
      gone_on = !flit.head();
      observer_.lost(flit, now);
      vc.buffer.pop_back();
      in.freed = true;
      if (in.in != nullptr) in.owed.push_back(v);
    }
    if (gone_on && vc.route.port != kDropped) close_cut_packet(in, v);
  }
  in.left = 0;
}

/// Its head has gone on: a poisoned tail follows it.
void SwitchModule::close_cut_packet(Port& in, int v) {
  Flit poison = in.vc[at(v)].last;
  poison.index = Flit::kPoisoned;
  poison.uncredited = true;
  in.vc[at(v)].buffer.push_back({poison, {}});
}

void SwitchModule::pay_credits(int64_t now) {
  for (Port& p : ports_) {
    if (p.in != nullptr)
      for (const int v : p.owed) p.in->send_credit(v, now);
    p.owed.clear();
  }
}

}  // namespace odonata::fabric
