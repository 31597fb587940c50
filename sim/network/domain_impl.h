// SPDX-License-Identifier: Apache-2.0
// Definitions of Domain; included by domain.h only.
#pragma once

#include <algorithm>
#include <cassert>
#include <map>

#include "sim/network/domain.h"

namespace odonata::network {

/// An invariant of the engine; its violation is a bug. Checked in debug builds.
inline void invariant(bool holds, const char* what) {
  if (!holds) throw std::logic_error(std::string("network engine: ") + what);
}

/// Days that a calendar keeps: a link and a short queue before it.
inline uint32_t usual_delay(const Context& context) {
  int delay = 0;
  for (const PortWire& w : context.wiring.wire) delay = std::max<int>(delay, w.latency);
  return static_cast<uint32_t>(delay) + 64;
}

/// The most frequent latency of the links inside a domain: its flits and credits go through delay lines, others through calendars.
inline uint32_t usual_latency(const Context& context, int domain) {
  const Wiring& wiring = context.wiring;
  const size_t ports = static_cast<size_t>(wiring.routers) * wiring.ports;
  std::map<uint32_t, size_t> links;
  for (size_t i = static_cast<size_t>(domain) * ports; i != (static_cast<size_t>(domain) + 1) * ports; ++i) {
    if (wiring.wire[i].kind == LinkKind::inside) ++links[wiring.wire[i].latency];
  }
  const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
  return links.empty() ? 1 : std::max_element(links.begin(), links.end(), fewer)->first;
}

template <class Policy, class Source, bool kPackets>
Domain<Policy, Source, kPackets>::Domain(const Context& context, int number, const Source& source, Post& post)
    : context_(context),
      source_(source),
      post_(post),
      number_(number),
      routers_(context.wiring.routers),
      ports_(context.wiring.ports),
      vcs_(context.config.router.vcs),
      cut_through_(context.config.router.switching == Switching::cut_through),
      fifo_(context.config.router.output_fifo != 0 ? context.config.router.output_fifo : INT32_MAX),
      phases_(context.config.router.phases),
      at_arrival_(context.config.route_compute == RouteCompute::arrival),
      sample_first_(context.sample_first),
      sample_length_(context.sample_last - context.sample_first),
      policy_(context, number),
      pipe_(static_cast<size_t>(routers_) * static_cast<size_t>(ports_), kStride),
      waiting_(routers_),
      kinds_(routers_),
      usual_latency_(usual_latency(context, number)),
      arrivals_(usual_latency_ + 2),
      queued_arrivals_(usual_latency_ + 64),
      arrivals_between_(usual_delay(context)),
      credits_(usual_latency_ + 1),
      queued_credits_(usual_delay(context)),
      injections_(usual_delay(context)) {
  const auto own = [number](const Post::End& end) { return end.domain == static_cast<uint32_t>(number); };
  first_end_ = static_cast<uint32_t>(std::find_if(post.ends().begin(), post.ends().end(), own) - post.ends().begin());
  build(source);
}

template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::build(const Source& source) {
  const size_t ports = static_cast<size_t>(routers_) * ports_;
  inputs_.resize(ports);
  outputs_.resize(ports);
  output_credits_.resize(ports << kShift);
  uint32_t flits = 0;
  for (int r = 0; r < routers_; ++r) {
    for (int port = 0; port < ports_; ++port) build_port(r, port, flits);
  }
  flits_.resize(flits);
  for (uint32_t n = 0; n < nodes_.size(); ++n) nodes_[n].next = source.next(nodes_[n].number, ~0u, nodes_[n].random);
}

template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::build_port(int router, int port, uint32_t& flits) {
  const auto index = static_cast<uint32_t>(router * ports_ + port);
  const int whole = number_ * routers_ + router;  // over all domains
  const PortWire& wire = context_.wiring.at(whole, port);
  InputPort& in = inputs_[index];
  OutputPort& out = outputs_[index];
  in.kind = out.kind = wire.kind;
  in.latency = out.latency = wire.latency;
  const bool unusual = wire.kind == LinkKind::inside && wire.latency != usual_latency_;
  in.freed = unusual ? kUnusual : static_cast<uint8_t>(wire.kind);
  in.router = static_cast<uint16_t>(router);
  in.port = static_cast<uint8_t>(port);
  in.buffer = wire.buffer;
  const uint32_t peer = wire.peer * static_cast<uint32_t>(ports_) + wire.peer_port;
  PortKinds& kinds = kinds_[router];
  (wire.kind == LinkKind::node ? kinds.node : wire.kind == LinkKind::inside ? kinds.inside : kinds.between) |= uint64_t{1} << port;
  if (wire.kind == LinkKind::inside) {
    in.upstream = out.target = (peer - static_cast<uint32_t>(number_ * routers_ * ports_)) << kShift;
  } else if (wire.kind == LinkKind::between) {
    out.target = static_cast<uint32_t>(between_.size());
    in.upstream = out.target << kShift;
    between_.push_back({.port = index, .sender = wire.peer / static_cast<uint32_t>(routers_), .latency = wire.latency});
  } else if (wire.kind == LinkKind::node) {
    in.upstream = static_cast<uint32_t>(nodes_.size()) << kShift;
    out.target = wire.address;
    Node node;
    node.random = Random(mix_seed(context_.config.seed, 0x6E6F6465, wire.peer));
    node.number = wire.peer;
    node.input = index;
    node.address = wire.address;
    nodes_.push_back(node);
  }
  if (wire.kind == LinkKind::none) return;
  const uint32_t slots = std::bit_ceil(in.buffer + (kCuts ? 1u : 0u));  // one for a poisoned tail
  in.ring = flits;
  in.mask = static_cast<uint16_t>(slots - 1);
  flits += slots * static_cast<uint32_t>(vcs_);
  // The buffer behind an output is as deep as the one beside it: links are alike in both directions.
  for (int v = 0; v < vcs_; ++v) output_credits_[(index << kShift) + v] = wire.kind == LinkKind::node ? 0xFFFF : in.buffer;
}

template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::run(const Window& window, Scratch& scratch, const Domain* next) {
  window_last_ = window.last;
  outbox_ = &scratch.outbox;
  outbox_->open(static_cast<uint32_t>(between_.size()));
  scratch.prefetch.clear();
  if (next != nullptr) next->list_memory(scratch.prefetch, window.half);
  const size_t lines = scratch.prefetch.lines() / (window.last - window.first) + 1;
  collect_mail(window);
  wake_nodes(window.first, window.last);
  if constexpr (kFaults) policy_.begin_window();
  for (uint32_t now = window.first; now != window.last; ++now) {
    scratch.prefetch.ask(lines);
    cycle(now);
  }
  keep_late_mail();
  outbox_->deliver(post_, window.half, static_cast<uint32_t>(number_), first_end_);
}

/// What a window touches in any case, or nearly.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::list_memory(Prefetch& out, size_t half) const {
  constexpr size_t kUsualDepth = 4;         // slots of a ring that are in use now and then
  auto& self = const_cast<Domain&>(*this);  // one list of the state for both directions, and for this
  out(inputs_), out(outputs_), out(output_credits_), out(waiting_), out(kinds_), out(nodes_), out(between_), out(late_);
  for (const InputPort& port : inputs_) out.add(&flits_[port.ring], std::min<size_t>(port.mask + 1u, kUsualDepth) * vcs_ * sizeof(Flit));
  self.arrivals_.visit_state(out), self.queued_arrivals_.visit_state(out), self.arrivals_between_.visit_state(out), self.credits_.visit_state(out),
      self.queued_credits_.visit_state(out);
  self.injections_.visit_state(out);
  const auto see = [&out](const void* first, size_t bytes) { out.add(first, bytes); };
  if constexpr (requires { self.policy_.visit_hot(out, see); }) {
    self.policy_.visit_hot(out, see);
  } else {
    self.policy_.visit_state(out);
  }
  for (uint32_t k = 0; k < between_.size(); ++k) {
    const auto flits = post_.flits(1 - half, first_end_ + k, between_[k].sender);
    const auto credits = post_.credits(1 - half, first_end_ + k, between_[k].sender);
    out.add(flits.data(), flits.size_bytes());
    out.add(credits.data(), credits.size_bytes());
  }
}

/// Takes in what the other domains sent in the window before.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::collect_mail(const Window& window) {
  for (uint32_t k = 0; k < between_.size(); ++k) {
    collect_flits(k, post_.flits(1 - window.half, first_end_ + k, between_[k].sender));
    for (const CreditMessage& m : post_.credits(1 - window.half, first_end_ + k, between_[k].sender)) {
      const uint32_t due = window.first + static_cast<uint16_t>(m.due - window.first);
      queued_credits_.add(due, ((between_[k].port << kShift) + m.vc) | (m.tail ? kTailBit : 0));
    }
  }
}

template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::collect_flits(uint32_t link, std::span<const FlitMessage> fresh) {
  Between& from = between_[link];
  from.next = fresh.data();
  from.end = from.next + fresh.size();
  for (uint32_t i = from.next_late; i != from.end_late && late_[i].due < window_last_; ++i) arrivals_between_.add(late_[i].due, link);
  for (const FlitMessage* m = from.next; m != from.end && m->due < window_last_; ++m) arrivals_between_.add(m->due, link);
}

template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::keep_late_mail() {
  later_.clear();
  for (Between& link : between_) {
    const auto first = static_cast<uint32_t>(later_.size());
    later_.insert(later_.end(), late_.begin() + link.next_late, late_.begin() + link.end_late);
    later_.insert(later_.end(), link.next, link.end);
    link.next_late = first;
    link.end_late = static_cast<uint32_t>(later_.size());
    link.next = link.end = nullptr;
  }
  late_.swap(later_);
}

/// The next flit of a link from another domain; the one after the following is asked for.
template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::arrive_from(Between& link) {
  const Flit& flit = link.next_late != link.end_late ? late_[link.next_late++].flit : (link.next++)->flit;
  __builtin_prefetch(link.next + 4);
  arrive((link.port << kShift) + flit.vc, flit);
}

template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::wake_nodes(uint32_t first, uint32_t last) {
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    if (!node.scheduled && !node.blocked && node.next.born + 1 < last) schedule_node(n, std::max(node.next.born + 1, first));
  }
}

template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::cycle(uint32_t now) {
  now_ = now;
  in_sample_ = now - sample_first_ < sample_length_;
  enter(Part::plane);
  policy_.begin_cycle(now);
  enter(Part::credits);
  credits_.serve(now, [this](uint32_t event) { give_credit(event); });
  queued_credits_.serve(now, [this](uint32_t event) { give_credit(event); });
  enter(Part::plane);
  if constexpr (Policy::kMonitors) policy_.settle();
  enter(Part::arrival);
  if constexpr (kFaults) serve_faults(now);
  arrivals_between_.serve(
      now, [this](uint32_t link) __attribute__((always_inline)) { arrive_from(between_[link]); });
  // Of those that arrive now the ones that waited in a FIFO were granted first.
  queued_arrivals_.serve(now, [this](const Arrival& a) { arrive(a.input_vc, a.flit); });
  arrivals_.serve(
      now, [this](const Arrival& a) __attribute__((always_inline)) { arrive(a.input_vc, a.flit); });
  enter(Part::injection);
  injections_.serve(now, [this, now](uint32_t n) { inject(n, now); });
  if constexpr (kPiped) serve_pipe(now);
  enter(Part::requests);
  for (int r = 0; r < routers_; ++r) {
    if (waiting_[r] != 0) switch_router(r, now);
  }
  if constexpr (kCuts) {
    for (uint32_t index : cuts_) cut_packets(index);
    cuts_.clear();
  }
  enter(Part::credits);
  tell_freed(now);
  enter(Part::window);
}

/// Whoever waits for a slot that became free in this cycle hears of it.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::tell_freed(uint32_t now) {
  Freed& inside = freed_[static_cast<size_t>(LinkKind::inside)];
  credits_.add_all(inside.begin(), inside.end());
  inside.clear();
  Freed& unusual = freed_[kUnusual];
  for (uint32_t event : unusual) queued_credits_.add(now + outputs_[(event & ~kTailBit) >> kShift].latency + 1, event);
  unusual.clear();
  Freed& between = freed_[static_cast<size_t>(LinkKind::between)];
  for (uint32_t event : between) {
    const uint32_t link = (event & ~kTailBit) >> kShift;
    const auto due = static_cast<uint16_t>(now + between_[link].latency + 1u);
    outbox_->credit(link, {due, static_cast<uint8_t>(event & (kStride - 1)), (event & kTailBit) != 0});
  }
  between.clear();
  Freed& node = freed_[static_cast<size_t>(LinkKind::node)];
  if (blocked_ != 0) {
    for (uint32_t event : node) wake_node((event & ~kTailBit) >> kShift, now + 1);
  }
  node.clear();
}

template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::give_credit(uint32_t event) {
  const uint32_t vc = event & ~kTailBit;
  const uint32_t credits = ++output_credits_[vc];
  if constexpr (Policy::kAsks) {
    const InputPort& port = inputs_[vc >> kShift];
    const uint32_t v = vc & (kStride - 1);
    if (credits == port.buffer && (outputs_[vc >> kShift].held >> v & 1) == 0) policy_.idle(port.router, port.port, static_cast<int>(v));
  }
  if constexpr (Policy::kMonitors) {
    if (!kPackets || (event & kTailBit) != 0) policy_.credit(static_cast<int>(vc >> kShift));
  }
}

/// A flit goes into its buffer; an empty buffer starts anew, so that little memory is used.
template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::arrive(uint32_t input_vc, const Flit& flit) {
  if constexpr (kFaults) {
    if (lose_arrival(input_vc, flit, now_)) return;
  }
  InputPort& port = inputs_[input_vc >> kShift];
  const uint32_t v = input_vc & (kStride - 1);
  InputVc& vc = port.vcs[v];
  if constexpr (kChecked) invariant(vc.count < port.buffer + (kCuts ? 1 : 0), "a buffer holds more flits than it has slots");
  if (vc.count++ != 0) {
    const uint32_t position = (vc.head + vc.count - 1u) & port.mask;
    Flit& last = flits_[slot(port, v, position)];
    last = flit;
    if constexpr (kPiped) ask_at_arrival(port, v, position, last);
    return;
  }
  vc.head = 0;
  Flit& head = flits_[slot(port, v, 0)];
  head = flit;
  if constexpr (kPiped) ask_at_arrival(port, v, 0, head);
  route_head(port, input_vc >> kShift, v, head);
}

template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::schedule_node(uint32_t n, uint32_t cycle) {
  nodes_[n].scheduled = true;
  injections_.add(cycle, n);
}

/// One flit of the source queue's head enters the node port.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::inject(uint32_t n, uint32_t now) {
  Node& node = nodes_[n];
  node.scheduled = false;
  Random random = node.random;  // a copy stays in registers
  const bool first = !kPackets || node.left == 0;
  Packet packet = node.next;
  if constexpr (kPackets) {
    if (!first) packet = node.current;
  }
  if constexpr (kCuts) {  // too early: the packet before has been abandoned
    if (first && now <= packet.born) {
      if (packet.born + 1 < window_last_) schedule_node(n, packet.born + 1);
      return;
    }
  }
  if (!may_inject(node, first, random)) {
    node.blocked = true;
    ++blocked_;
    node.random = random;
    return;
  }
  if (first) {
    node.next = source_.next(node.number, packet.born, random);
    node.random = random;
    node.left = packet.flits;
    if constexpr (kPackets) node.current = packet;
    count_injection(packet);
  }
  Flit flit;
  flit.dest = packet.dest;
  flit.source = node.address;
  flit.born = packet.born;
  flit.vc = node.vc;
  if constexpr (kPackets) {
    flit.length = packet.flits;
    flit.index = static_cast<uint8_t>(packet.flits - node.left);
  }
  --node.left;
  ++statistics_.injected_flits;
  statistics_.injected_sum += hash_of(flit);
  arrive((node.input << kShift) + node.vc, flit);
  const bool more = kPackets && node.left != 0;
  const uint32_t next = more ? now + 1 : std::max(node.next.born + 1, now + 1);
  if (more || next < window_last_) schedule_node(n, next);
}

template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::count_injection(const Packet& packet) {
  ++statistics_.injected;
  if (!context_.in_sample(packet.born)) return;
  ++statistics_.sample_injected;
  statistics_.sample_flits += packet.flits;
}

/// Whether there is room: for the `first` flit in a random VC of the node port that takes a packet (wormhole: a flit), which the others follow.
template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline bool Domain<Policy, Source, kPackets>::may_inject(Node& node, bool first, Random& random) {
  if constexpr (kFaults) {
    if (!policy_.port_up(static_cast<int>(node.input))) return false;
  }
  const InputPort& port = inputs_[node.input];
  const auto room = [&](uint32_t v, int flits) { return port.buffer - port.vcs[v].count >= flits; };
  if (!first) return room(node.vc, 1);
  const int flits = kPackets && cut_through_ ? node.next.flits : 1;
  const auto vcs = static_cast<uint32_t>(vcs_);
  uint32_t v = random.below(vcs);
  for (uint32_t left = vcs; left != 0; --left) {
    if (room(v, flits)) [[likely]] {
      node.vc = static_cast<uint8_t>(v);
      return true;
    }
    v = v + 1 == vcs ? 0 : v + 1;
  }
  return false;
}

template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::set_ready(InputPort& port, uint32_t vc) {
  port.ready |= static_cast<uint16_t>(1u << vc);
  waiting_[port.router] |= 1ull << port.port;
}

template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::clear_ready(InputPort& port, uint32_t vc) {
  port.ready &= static_cast<uint16_t>(~(1u << vc));
  if (port.ready == 0) waiting_[port.router] &= ~(1ull << port.port);
}

/// A flit has come to the head of its VC: a head is routed, a body follows its packet. Returns whether a flit waits now.
template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline bool Domain<Policy, Source, kPackets>::route_head(InputPort& port, [[maybe_unused]] uint32_t index, uint32_t vc,
                                                                                [[maybe_unused]] Flit& flit) {
  if constexpr (kPiped) {
    if (at_arrival_) return start_head(port, vc);
    pipe_.want((index << kShift) + vc);
    return false;
  } else if constexpr (!Policy::kAsks) {
    InputVc& in = port.vcs[vc];
    if (!kPackets || flit.head()) {
      const Route route = policy_.route(flit, {port.router, port.port, static_cast<int>(vc), index});
      in.route = static_cast<uint16_t>(route.port << kShift | route.vc);
      if (route.port == Route::kDrop) in.route = kDropped;
    }
    if (in.route == kDropped) [[unlikely]] {
      drop_flit(port, vc);
      return in.count != 0 && route_next_head(port, vc);
    }
  }
  set_ready(port, vc);
  return true;
}

/// The same, out of the way of the hot loop.
template <class Policy, class Source, bool kPackets>
[[gnu::noinline]] bool Domain<Policy, Source, kPackets>::route_next_head(InputPort& port, uint32_t vc) {
  return route_head(port, index_of(port), vc, first(port, vc));
}

/// The route-compute pipelines: requests of this cycle's edge, decisions on those of the edge before, answers to those of four edges ago.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::serve_pipe(uint32_t now) {
  if constexpr (kPiped) {
    const auto draw = [this](uint32_t input_vc) { return policy_.ask(place_of(input_vc)); };
    at_arrival_ ? pipe_.ask_arrived(now, draw) : pipe_.ask(now, draw);
    for (RoutePipe::Request& r : pipe_.stage(now - 1)) {
      if (r.input_vc == RoutePipe::kForgotten) continue;
      const InputPort& port = inputs_[r.input_vc >> kShift];
      const uint32_t vc = r.input_vc & (kStride - 1);
      r.route = policy_.answer(at_arrival_ ? flits_[slot(port, vc, r.position)] : first(port, vc), place_of(r.input_vc), r.lfsr);
    }
    for (const RoutePipe::Request& r : pipe_.stage(now - RoutePipe::kLatency)) {
      if (r.input_vc == RoutePipe::kForgotten) continue;
      at_arrival_ ? keep_route(r) : take_route(r.input_vc, r.route);
    }
  }
}

/// RouteCompute::arrival: a packet asks as soon as it is in its buffer. It keeps its route in Flit::via, which DOAR does not use: 0 none yet.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::ask_at_arrival(const InputPort& port, uint32_t vc, uint32_t position, Flit& flit) {
  if (!at_arrival_) return;
  flit.via = 0;
  pipe_.arrived((index_of(port) << kShift) + vc, position);
}

template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::keep_route(const RoutePipe::Request& request) {
  InputPort& port = inputs_[request.input_vc >> kShift];
  const uint32_t vc = request.input_vc & (kStride - 1);
  flits_[slot(port, vc, request.position)].via =
      request.route.port == Route::kDrop ? kKeptDrop : 1u + (request.route.port << kShift | request.route.vc);
  if (port.vcs[vc].head == request.position) start_head(port, vc);
}

/// RouteCompute::arrival: the head of a VC takes part in the switch when it has its route; packets without a valid option are dropped here.
template <class Policy, class Source, bool kPackets>
bool Domain<Policy, Source, kPackets>::start_head(InputPort& port, uint32_t vc) {
  while (port.vcs[vc].count != 0 && first(port, vc).via == kKeptDrop) drop_flit(port, vc);
  if (port.vcs[vc].count == 0 || first(port, vc).via == 0) return false;
  port.vcs[vc].route = static_cast<uint16_t>(first(port, vc).via - 1u);
  set_ready(port, vc);
  return true;
}

/// The answer of a pipeline: the packet takes part in the switch from now on, or is dropped.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::take_route(uint32_t input_vc, const Route& route) {
  InputPort& port = inputs_[input_vc >> kShift];
  const uint32_t vc = input_vc & (kStride - 1);
  if (route.port != Route::kDrop) {
    port.vcs[vc].route = static_cast<uint16_t>(route.port << kShift | route.vc);
    return set_ready(port, vc);
  }
  drop_flit(port, vc);
  if (port.vcs[vc].count != 0) pipe_.want(input_vc);
}

/// Takes a flit of an unroutable packet out of the buffer.
template <class Policy, class Source, bool kPackets>
[[gnu::noinline]] void Domain<Policy, Source, kPackets>::drop_flit(InputPort& port, uint32_t vc) {
  const Flit& flit = first(port, vc);
  const bool tail = flit.tail();
  lose(flit, now_);
  statistics_.unroutable += tail && !flit.poisoned();
  leave_buffer(port, vc, tail);
}

template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::lose(const Flit& flit, [[maybe_unused]] uint32_t cycle) {
  if constexpr (kPiped) {
    if (context_.config.watch != nullptr) context_.config.watch->lost(flit, cycle);
  }
  if constexpr (kCuts) {
    if (flit.poisoned()) return void(++statistics_.poison_gone);
  }
  ++statistics_.lost_flits;
  statistics_.lost_sum += hash_of(flit);
  if (!flit.tail()) return;
  ++statistics_.lost;
  statistics_.sample_finished += context_.in_sample(flit.born);
}

/// Links and routers fail and recover, tables change.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::serve_faults(uint32_t now) {
  if constexpr (kFaults) {
    while (const FaultEvent* e = policy_.next_event(now)) {
      if (e->kind == FaultEvent::Kind::router && !e->up) empty_router(e->router, now);
      const auto index = static_cast<uint32_t>(e->router * ports_ + e->port);
      const InputPort& port = inputs_[index];
      if (e->kind == FaultEvent::Kind::link && e->up && port.kind == LinkKind::node) wake_node(port.upstream >> kShift, now);
      if (kCuts && e->kind == FaultEvent::Kind::link && !e->up) cuts_.push_back(index);
    }
  }
}

/// The link into a port has failed: a packet that is still arriving ends here.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::cut_packets(uint32_t index) {
  InputPort& port = inputs_[index];
  for (uint32_t vc = 0; vc != static_cast<uint32_t>(vcs_); ++vc) {
    if (port.vcs[vc].next != 0) cut_packet(port, vc);
  }
  if (port.kind == LinkKind::node) abandon_packet(nodes_[port.upstream >> kShift]);
}

/// What waits here of the packet that is arriving is lost; if its head has gone on, a poisoned tail follows.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::cut_packet(InputPort& port, uint32_t vc) {
  InputVc& in = port.vcs[vc];
  const Flit poison = latest(port, vc).poison();
  bool gone_on = true;
  while (in.count != 0 && gone_on) {
    gone_on = !latest(port, vc).head();
    lose(latest(port, vc), now_);
    leave_slot(port, vc, false);
    --in.count;
  }
  in.next = 0;
  if (in.count == 0) clear_ready(port, vc);
  if (!gone_on || in.route == kDropped) return;
  in.head = 0;
  in.count = 1;
  flits_[slot(port, vc, 0)] = poison;
  ++statistics_.poison_made;
  set_ready(port, vc);
}

/// The rest of a packet does not enter the network.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::abandon_packet(Node& node) {
  if constexpr (kCuts) {
    if (node.left == 0) return;
    node.left = 0;
    ++statistics_.lost;
    statistics_.sample_finished += context_.in_sample(node.current.born);
  }
}

/// Whatever waits in a router that dies is lost.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::empty_router(int router, uint32_t now) {
  const auto base = static_cast<uint32_t>(router * ports_);
  for (uint32_t index = base; index != base + static_cast<uint32_t>(ports_); ++index) {
    InputPort& port = inputs_[index];
    for (uint32_t vc = 0; vc != static_cast<uint32_t>(vcs_); ++vc) {
      while (port.vcs[vc].count != 0) {
        const Flit& flit = first(port, vc);
        const bool tail = !kPackets || flit.tail();
        lose(flit, now);
        statistics_.lost_in_routers += tail && !flit.poisoned();
        leave_buffer(port, vc, tail);
      }
      port.vcs[vc].next = port.vcs[vc].handed = 0;
      clear_ready(port, vc);
    }
    outputs_[index].held = 0;
  }
  pipe_.forget(base, base + static_cast<uint32_t>(ports_));
}

template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::wake_node(uint32_t n, uint32_t now) {
  if (!nodes_[n].blocked) return;
  nodes_[n].blocked = false;
  --blocked_;
  schedule_node(n, now);
}

/// A flit that would arrive now: when its link was cut while it was on it, or its router has died in this very cycle, it is lost, and its slot is
/// free again.
template <class Policy, class Source, bool kPackets>
bool Domain<Policy, Source, kPackets>::lose_arrival(uint32_t input_vc, const Flit& flit, uint32_t now) {
  if constexpr (kFaults) {
    const uint32_t index = input_vc >> kShift, vc = input_vc & (kStride - 1);
    InputPort& port = inputs_[index];
    const bool dead =
        port.kind != LinkKind::node && (!policy_.alive(port.router) || policy_.cut_off(static_cast<int>(index), now - port.latency - 1, now));
    if (!dead && joins_packet(port, vc, flit)) return false;
    lose(flit, now);
    leave_slot(port, vc, !kPackets || flit.tail());
    return true;
  }
  return false;
}

/// Whether the flit before it has been taken in; then it is the next one.
template <class Policy, class Source, bool kPackets>
bool Domain<Policy, Source, kPackets>::joins_packet(InputPort& port, uint32_t vc, const Flit& flit) {
  if constexpr (kCuts) {
    InputVc& in = port.vcs[vc];
    if (!flit.head() && in.next == 0) return false;
    if constexpr (kChecked) {
      const Flit& before = latest(port, vc);
      invariant(flit.head() ? in.next == 0 : before.source == flit.source && before.born == flit.born && (flit.poisoned() || flit.index == in.next),
                "flits of a packet arrive out of order, or from two packets");
    }
    in.next = flit.tail() ? 0 : static_cast<uint8_t>(flit.index + 1);
  }
  return true;
}

/// Whether a node takes a flit: its link is up and the node has all flits before this one.
template <class Policy, class Source, bool kPackets>
bool Domain<Policy, Source, kPackets>::hand_over(InputVc& in, const Flit& flit, bool open) {
  const bool takes = open && flit.index == in.handed;
  in.handed = flit.tail() ? 0 : takes ? static_cast<uint8_t>(in.handed + 1) : kBroken;
  return takes;
}

/// The first flit has left its buffer.
template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::leave_buffer(InputPort& port, uint32_t vc, bool tail) {
  InputVc& in = port.vcs[vc];
  const bool credited = !kCuts || !first(port, vc).uncredited() || port.kind == LinkKind::node;  // a node wants to know of every slot
  in.head = (in.head + 1) & port.mask;
  --in.count;
  if (credited) leave_slot(port, vc, tail);
}

/// The switch phases of one router. Grants in the order of the outputs: ports of a kind lie side by side, a mesh's node port is the last.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::switch_router(int router, uint32_t now) {
  const auto base = static_cast<uint32_t>(router * ports_);
  const RouterState r{base, router, &inputs_[base], &outputs_[base], &output_credits_[base << kShift]};
  const PortKinds kinds = kinds_[router];
  for (int phase = 0; phase < phases_ && waiting_[router] != 0; ++phase) {
    const uint64_t outputs = ask_outputs(r, now);
    if (outputs == 0) return;
    enter(Part::grants);
    statistics_.flit_hops += static_cast<uint64_t>(std::popcount(outputs));
    if constexpr (Policy::kAsks) {
      grant_all<LinkKind::inside>(r, outputs & kinds.inside, now);
      grant_all<LinkKind::node>(r, outputs & kinds.node, now);
    } else {
      grant_all<LinkKind::node>(r, outputs & kinds.node, now);
      grant_all<LinkKind::inside>(r, outputs & kinds.inside, now);
      grant_all<LinkKind::between>(r, outputs & kinds.between, now);
    }
    enter(Part::requests);
  }
}

/// Every output of `outputs`, all of one kind, picks an input by round-robin.
template <class Policy, class Source, bool kPackets>
template <LinkKind kKind>
[[gnu::noinline]] void Domain<Policy, Source, kPackets>::grant_all(const RouterState& r, uint64_t outputs, uint32_t now) {
  for (; outputs != 0; outputs &= outputs - 1) {
    const int port = std::countr_zero(outputs);
    uint16_t& pointer = r.outputs[port].pointer;
    const int input = rotating_pick(asking_[port], pointer);
    asking_[port] = 0;
    pointer = static_cast<uint16_t>((input + 1) & 63);
    grant<kKind>(r, input, port, now);
  }
}

/// Every input port chooses one VC; returns the outputs that are asked.
template <class Policy, class Source, bool kPackets>
[[gnu::noinline]] uint64_t Domain<Policy, Source, kPackets>::ask_outputs(const RouterState& r, uint32_t now) {
  uint64_t outputs = 0;
  for (uint64_t m = waiting_[r.router]; m != 0; m &= m - 1) {
    const int number = std::countr_zero(m);
    InputPort& port = r.inputs[number];
    const int v = Policy::kAsks ? ask_policy(r, port, now) : choose_vc(r, port, now);
    if (v < 0) continue;
    const InputVc& vc = port.vcs[v];
    choices_[number] = Choice(slot(port, static_cast<uint32_t>(v), vc.head), vc.route, v);
    const int to = vc.route >> kShift;
    asking_[to] |= 1ull << number;
    outputs |= 1ull << to;
  }
  return outputs;
}

/// The first VC from the round-robin pointer on whose packet can move; -1: none.
template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline int Domain<Policy, Source, kPackets>::choose_vc(const RouterState& r, const InputPort& port, uint32_t now) const {
  uint32_t left = port.ready;
  do {
    const int v = rotating_pick(left, port.pointer);
    const uint32_t route = port.vcs[v].route;
    if (can_move(port, v, r.outputs[route >> kShift], route, r.credits[route], now)) [[likely]]
      return v;
    left &= ~(1u << v);
  } while (left != 0);
  return -1;
}

/// Asking policies: the first VC from the round-robin pointer on that gets an answer and can move; -1: none.
template <class Policy, class Source, bool kPackets>
inline int Domain<Policy, Source, kPackets>::ask_policy(const RouterState& r, InputPort& port, uint32_t now) {
  if constexpr (Policy::kAsks) {
    for (uint32_t left = port.ready; left != 0;) {
      const int v = rotating_pick(left, port.pointer);
      left &= ~(1u << v);
      InputVc& vc = port.vcs[v];
      if (!kPackets || first(port, v).head()) {
        const Ask ask = policy_.ask(first(port, v), {port.router, port.port, v, index_of(port)}, Outputs(*this, r.base));
        if (ask.port == Ask::kNothing) continue;
        vc.route = static_cast<uint16_t>(ask.port << kShift | ask.vc);
      }
      if (can_move(port, v, r.outputs[vc.route >> kShift], vc.route, r.credits[vc.route], now)) return v;
    }
  }
  return -1;
}

/// Whether the first flit of a VC could take `route` through `out`, whose VC has `credits`.
template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline bool Domain<Policy, Source, kPackets>::can_move(const InputPort& port, uint32_t vc, const OutputPort& out,
                                                                              uint32_t route, uint32_t credits, uint32_t now) const {
  if (static_cast<int32_t>(out.free - now) > fifo_) {
    if constexpr (!kFaults) return false;
    if (!fifo_has_room(out, now)) return false;
  }
  if constexpr (kPackets) {
    const Flit& flit = first(port, vc);
    if (flit.head() && (out.held >> (route & (kStride - 1)) & 1) != 0) return false;
    if (flit.head() && cut_through_) return credits >= flit.length;
  }
  return credits != 0;
}

/// Cycles that FDs and FRs take are no flits of the FIFO.
template <class Policy, class Source, bool kPackets>
bool Domain<Policy, Source, kPackets>::fifo_has_room(const OutputPort& out, uint32_t now) const {
  if constexpr (kFaults)
    return static_cast<int32_t>(out.free - now) - policy_.messages(static_cast<int>(&out - outputs_.data()), now + 1, out.free) <= fifo_;
  return false;
}

/// Moves the first flit of the chosen VC of an input through the switch.
template <class Policy, class Source, bool kPackets>
template <LinkKind kKind>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::grant(const RouterState& r, int input_port, int output_port, uint32_t now) {
  InputPort& port = r.inputs[input_port];
  OutputPort& out = r.outputs[output_port];
  const Choice choice = choices_[input_port];
  const uint32_t v = choice.vc();
  const Flit& flit = flits_[choice.flit()];
  uint32_t departure = std::max(out.free, now + 1);
  const uint32_t departed = departure - 1;  // leaves the FIFO
  if constexpr (kFaults) departure = policy_.free_slot(static_cast<int>(r.base) + output_port, departure);
  out.free = departure + 1;
  out.carried += in_sample_;
  port.pointer = static_cast<uint16_t>((v + 1) & 15);
  const bool tail = !kPackets || flit.tail();
  bool open = true;
  if constexpr (kFaults && kKind == LinkKind::node) open = policy_.delivers(static_cast<int>(r.base) + output_port, departure);
  if constexpr (kCuts && kKind == LinkKind::node) open = hand_over(port.vcs[v], flit, open);
  if constexpr (kPiped) {
    if (context_.config.watch != nullptr) {
      context_.config.watch->granted(flit, now, static_cast<uint32_t>(number_ * routers_ + r.router), input_port, static_cast<int>(v), output_port,
                                     choice.route() & (kStride - 1));
    }
  }
  if (!open) {
    lose(flit, departure);
  } else if constexpr (kKind == LinkKind::node) {
    deliver(flit, out, departure);
  } else {
    forward<kKind>(r, flit, input_port, choice.route(), {now, departed, departure});
  }
  leave_buffer(port, v, tail);
  if (port.vcs[v].count == 0 || !route_next_head(port, v)) clear_ready(port, v);
}

template <class Policy, class Source, bool kPackets>
template <LinkKind kKind>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::forward(const RouterState& r, const Flit& flit, [[maybe_unused]] int input_port,
                                                                             uint32_t route, const Times& at) {
  const int port = static_cast<int>(route >> kShift);
  const uint32_t vc = route & (kStride - 1);
  OutputPort& out = r.outputs[port];
  if constexpr (kChecked) {
    const int whole = number_ * routers_ + r.router;
    const auto channel = [&](int p, int v) { return Channel{whole, p, context_.wiring.at(whole, p).port_class, v}; };
    invariant(r.credits[route] != 0, "a flit moves without a credit");
    invariant(static_cast<int>(vc) < vcs_, "a virtual channel beyond those of the link");
    if constexpr (requires { policy_.order_kept(channel(0, 0), channel(0, 0)); }) {
      invariant(flit.poisoned() || policy_.order_kept(channel(input_port, flit.vc), channel(port, static_cast<int>(vc))),
                "the order of virtual channels is broken");
    }
  }
  --r.credits[route];
  const bool tail = !kPackets || flit.tail();
  if constexpr (Policy::kAsks) {
    if (!kPackets || flit.head()) policy_.granted(flit, r.router, input_port, port, static_cast<int>(vc));
  }
  if constexpr (kPackets) out.held = static_cast<uint16_t>((out.held & ~(1u << vc)) | static_cast<uint32_t>(!tail) << vc);
  if constexpr (Policy::kMonitors) {
    if (!kPackets || tail) policy_.sent(static_cast<int>(r.base) + port, kKind == LinkKind::between, at.granted, at.departed);
    if constexpr (kKind == LinkKind::inside)
      policy_.template departs<kPackets || kFaults>(r.router, port, static_cast<int>(r.base) + port, at.departure, tail);
  }
  const uint32_t due = at.departure + out.latency + 1;
  if constexpr (kKind == LinkKind::inside) {
    const Arrival arrival{flit.moved(vc), out.target + vc};
    if (due - at.granted == usual_latency_ + 2) [[likely]] {
      arrivals_.add(arrival);
    } else {
      queued_arrivals_.add(due, arrival);
    }
  } else {
    outbox_->flit(out.target) = {flit.moved(vc), due};
  }
}

template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::deliver(const Flit& flit, const OutputPort& out, uint32_t departure) {
  ++statistics_.delivered_flits;
  const uint64_t hash = hash_of(flit);
  statistics_.delivered_sum += hash;
  statistics_.accepted_flits += departure - sample_first_ < sample_length_;
  statistics_.misdelivered += flit.dest != out.target;
  if constexpr (kPiped) {
    if (context_.config.watch != nullptr) context_.config.watch->delivered(flit, departure);
  }
  if (kPackets && !flit.tail()) return;
  statistics_.delivered_packet(flit, hash, departure, flit.born - sample_first_ < sample_length_);
  if (records_) [[unlikely]]
    deliveries_.push_back({flit, departure});
}

template <class Policy, class Source, bool kPackets>
template <class Visit>
void Domain<Policy, Source, kPackets>::for_each_flit(Visit visit) const {
  for (const InputPort& port : inputs_) {
    for (uint32_t v = 0; v < static_cast<uint32_t>(vcs_); ++v) {
      const InputVc& in = port.vcs[v];
      for (uint32_t k = 0; k < in.count; ++k) visit(flits_[slot(port, v, (in.head + k) & port.mask)], whole_port(index_of(port)));
    }
  }
  for (const Between& link : between_) {
    for (uint32_t i = link.next_late; i != link.end_late; ++i) visit(late_[i].flit, whole_port(link.port));
  }
  const auto show = [&](const Arrival& a) { visit(a.flit, whole_port(a.input_vc >> kShift)); };
  queued_arrivals_.for_each(show);
  arrivals_.for_each(show);
}

template <class Policy, class Source, bool kPackets>
bool Domain<Policy, Source, kPackets>::channels_kept() const {
  if constexpr (kCuts) {
    std::vector<uint16_t> held(outputs_.size());
    for (uint32_t index = 0; index != inputs_.size(); ++index) {
      const InputPort& port = inputs_[index];
      for (uint32_t v = 0; v < static_cast<uint32_t>(vcs_); ++v) {
        if (port.vcs[v].next != 0 && !policy_.port_up(static_cast<int>(index))) return false;
        if (!partly_through(port, v)) continue;
        const uint32_t route = port.vcs[v].route, output = static_cast<uint32_t>(port.router * ports_) + (route >> kShift);
        if (outputs_[output].kind == LinkKind::node) continue;
        const auto bit = static_cast<uint16_t>(1u << (route & (kStride - 1)));
        if ((held[output] & bit) != 0) return false;
        held[output] |= bit;
      }
    }
    const auto kept = [](const OutputPort& out, uint16_t expected) { return out.held == expected; };
    return std::equal(outputs_.begin(), outputs_.end(), held.begin(), kept);
  }
  return true;
}

template <class Policy, class Source, bool kPackets>
uint64_t Domain<Policy, Source, kPackets>::unsent_packets() const {
  return static_cast<uint64_t>(std::count_if(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.left != 0; }));
}

template <class Policy, class Source, bool kPackets>
bool Domain<Policy, Source, kPackets>::is_silent(const Node& node) const {
  if constexpr (kFaults) return !policy_.port_up(static_cast<int>(node.input));
  return false;
}

template <class Policy, class Source, bool kPackets>
typename Domain<Policy, Source, kPackets>::Waiting Domain<Policy, Source, kPackets>::waiting(uint32_t cycle) const {
  Waiting out;
  for (const Node& node : nodes_) {
    const bool silent = is_silent(node);
    Random random = node.random;
    for (Packet p = node.next; p.born < cycle; p = source_.next(node.number, p.born, random)) {
      ++out.packets;
      if (silent || !context_.in_sample(p.born)) continue;
      ++out.sampled;
      out.sampled_flits += p.flits;
      out.age += cycle - p.born;
    }
  }
  return out;
}

template <class Policy, class Source, bool kPackets>
bool Domain<Policy, Source, kPackets>::sample_waits() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& node) { return node.next.born < context_.sample_last && !is_silent(node); });
}

template <class Policy, class Source, bool kPackets>
typename Domain<Policy, Source, kPackets>::Wait Domain<Policy, Source, kPackets>::waits_for(int router, int port, int vc) const {
  const auto index = static_cast<uint32_t>(router * ports_ + port);
  const InputPort& in = inputs_[index];
  const InputVc& in_vc = in.vcs[vc];
  Wait out;
  if (in_vc.count == 0) return out;
  out.dest = first(in, vc).dest;
  if constexpr (Policy::kAsks) {
    if (first(in, vc).head()) return waits_by_asking(router, port, vc);
  }
  const int out_port = in_vc.route >> kShift, out_vc = in_vc.route & (kStride - 1);
  const auto output = static_cast<uint32_t>(router * ports_ + out_port);
  const OutputPort& to = outputs_[output];
  if (to.kind == LinkKind::node || can_move(in, vc, to, in_vc.route, output_credits_[(output << kShift) + static_cast<uint32_t>(out_vc)], to.free)) {
    return out;
  }
  const PortWire& wire = context_.wiring.at(number_ * routers_ + router, out_port);
  return {true, wire.peer, wire.peer_port, static_cast<uint8_t>(out_vc), static_cast<uint8_t>(out_port), out.dest};
}

/// A head waits for the first packet in its way behind the outputs that it could ask for.
template <class Policy, class Source, bool kPackets>
typename Domain<Policy, Source, kPackets>::Wait Domain<Policy, Source, kPackets>::waits_by_asking(int router, int port, int vc) const {
  Wait out;
  if constexpr (Policy::kAsks) {
    const auto base = static_cast<uint32_t>(router * ports_);
    const InputPort& in = inputs_[base + static_cast<uint32_t>(port)];
    out.dest = first(in, vc).dest;
    const Ask ask = policy_.ask(first(in, vc), {router, port, vc}, Outputs(*this, base));
    if (ask.port != Ask::kNothing) {
      const uint32_t output = base + ask.port;
      if (can_move(in, vc, outputs_[output], ask.vc, output_credits_[(output << kShift) + ask.vc], outputs_[output].free)) return out;
    }
    for (uint64_t left = policy_.possible(router, out.dest); left != 0 && !out.blocked; left &= left - 1) {
      const int to = std::countr_zero(left);
      const PortWire& wire = context_.wiring.at(number_ * routers_ + router, to);
      for (int v = 0; v < vcs_ && !out.blocked; ++v) {
        if (inputs_[outputs_[base + static_cast<uint32_t>(to)].target >> kShift].vcs[v].count == 0) continue;
        out = {true, wire.peer, wire.peer_port, static_cast<uint8_t>(v), static_cast<uint8_t>(to), out.dest};
      }
    }
  }
  return out;
}

template <class Policy, class Source, bool kPackets>
template <class Visit>
void Domain<Policy, Source, kPackets>::for_each_output_vc(Visit visit) const {
  for (uint32_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i].kind != LinkKind::inside && outputs_[i].kind != LinkKind::between) continue;
    for (int v = 0; v < vcs_; ++v) visit(whole_port(i), v, output_credits_[(i << kShift) + static_cast<uint32_t>(v)]);
  }
}

template <class Policy, class Source, bool kPackets>
template <class Visit>
void Domain<Policy, Source, kPackets>::for_each_credit(Visit visit) const {
  const auto show = [&](uint32_t event) {
    const uint32_t vc = event & ~kTailBit;
    visit(whole_port(vc >> kShift), static_cast<int>(vc & (kStride - 1)));
  };
  credits_.for_each(show);
  queued_credits_.for_each(show);
}

template <class Policy, class Source, bool kPackets>
size_t Domain<Policy, Source, kPackets>::bytes() const {
  return flits_.size() * sizeof(Flit) + output_credits_.size() * sizeof(uint16_t) + inputs_.size() * (sizeof(InputPort) + sizeof(OutputPort)) +
         nodes_.size() * sizeof(Node) + arrivals_.bytes() + queued_arrivals_.bytes() + arrivals_between_.bytes() + credits_.bytes() +
         queued_credits_.bytes() + injections_.bytes() + policy_.bytes() + sizeof(LatencyHistogram) + 65536;
}

template <class Policy, class Source, bool kPackets>
template <class Visit>
void Domain<Policy, Source, kPackets>::visit_state(Visit&& visit) {
  visit(now_), visit(flits_), visit(inputs_), visit(outputs_), visit(output_credits_), visit(waiting_), visit(nodes_);
  for (Between& link : between_) visit(link.next_late), visit(link.end_late);
  visit(late_);
  arrivals_.visit_state(visit), queued_arrivals_.visit_state(visit), arrivals_between_.visit_state(visit), credits_.visit_state(visit),
      queued_credits_.visit_state(visit);
  injections_.visit_state(visit), visit(blocked_);
  policy_.visit_state(visit);
  pipe_.visit_state(visit);
  statistics_.visit_state(visit);
}

}  // namespace odonata::network
