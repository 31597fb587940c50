// SPDX-License-Identifier: Apache-2.0
// The switch: routes of heads, requests, grants, and what becomes of a flit that moves. Definitions of Domain; included by domain.h only.
#pragma once

#include "sim/network/domain.h"

namespace odonata::network {

/// A flit has come to the head of its VC: a head is routed, a body follows its packet. Returns whether a flit waits now.
template <class Policy, class Source, bool kPackets>
template <LinkKind kFrom, class Batch>
[[gnu::always_inline]] inline bool Domain<Policy, Source, kPackets>::route_head(const Arrays& all, [[maybe_unused]] Batch& batch, InputPort& port,
                                                                                [[maybe_unused]] uint32_t index, uint32_t vc,
                                                                                [[maybe_unused]] Flit& flit) {
  if constexpr (kPiped) {
    if (at_arrival_) return start_head(port, vc);
    pipe_.want((index << kShift) + vc);
    return false;
  } else if constexpr (!Policy::kAsks) {
    InputVc& in = port.vcs[vc];
    if (!kPackets || flit.head()) {
      Route route;
      if constexpr (kAtArrival) {
        route = kept_route(flit);
      } else {
        route = batch.template route<kFrom>(flit, {port.router, port.port, static_cast<int>(vc), index});
      }
      in.route = route.port == Route::kDrop ? kDropped : static_cast<uint16_t>(route.port << kShift | route.vc);
    }
    if (in.route == kDropped) [[unlikely]] {
      drop_flit(port, vc);
      return in.count != 0 && route_next_head(port, vc);
    }
  }
  all.set_ready(port, vc);
  return true;
}

/// The same, out of the way of the hot loop.
template <class Policy, class Source, bool kPackets>
[[gnu::noinline]] bool Domain<Policy, Source, kPackets>::route_next_head(InputPort& port, uint32_t vc) {
  if constexpr (Policy::kAsks || kPiped) {
    NoBatch none;
    return route_head<LinkKind::none>(this->arrays(), none, port, index_of(port), vc, first(port, vc));
  } else {
    OneByOne<Policy> batch(policy_);
    return route_head<LinkKind::none>(this->arrays(), batch, port, index_of(port), vc, first(port, vc));
  }
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

/// The first flit has left its buffer.
template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::leave_buffer(InputPort& port, uint32_t vc, bool tail) {
  InputVc& in = port.vcs[vc];
  const bool credited = !kCuts || !first(port, vc).uncredited() || port.kind == LinkKind::node;  // a node wants to know of every slot
  in.head = (in.head + 1) & port.mask;
  --in.count;
  if (credited) leave_slot(port, vc, tail);
}

/// The switches of all routers. Grants in the order of the outputs: ports of a kind lie side by side, a mesh's node port is the last.
template <class Policy, class Source, bool kPackets>
[[gnu::noinline]] void Domain<Policy, Source, kPackets>::switch_routers(uint32_t now) {
  const Arrays all = this->arrays();
  const Moment at{now, fifo_ == kUnbounded ? UINT32_MAX : now + fifo_, usual_latency_, in_sample_};
  Grants grants{{arrivals_, usual_latency_ + 2},
                freed_by_grants_->open(static_cast<size_t>(phases_) * inputs_.size()),
                outbox_->flits(static_cast<size_t>(phases_) * between_.size()),
                {},
                {}};
  uint32_t*& inside = grants.freed[static_cast<size_t>(LinkKind::inside)];
  inside = credits_.open(usual_latency_ + 1);
  uint64_t hops = 0;
  for (uint32_t router = 0; router != static_cast<uint32_t>(routers_); ++router) {
    const Router r{router, router * all.ports, all.inputs + router * all.ports, all.outputs + router * all.ports,
                   all.credits + (router * all.ports << kShift)};
    for (int phase = 0; phase < phases_ && all.waiting[router] != 0; ++phase) {
      if (turn_cycles_ != 0) [[unlikely]]
        give_turn(all, r, at);
      const PortBits outputs = ask_outputs(all, grants, r, at);
      if (outputs == 0) {
        if constexpr (kPiped) continue;  // what was dropped makes room for the next phase
        break;
      }
      enter(Part::grants);
      hops += static_cast<uint64_t>(count_ports(outputs));
      const PortKinds& kinds = kinds_[router];
      PortBits empty = 0;
      if constexpr (Policy::kAsks) {
        empty |= grant_all<LinkKind::inside>(all, grants, r, outputs & kinds.inside, at);
        empty |= grant_all<LinkKind::node>(all, grants, r, outputs & kinds.node, at);
      } else {
        empty |= grant_all<LinkKind::node>(all, grants, r, outputs & kinds.node, at);
        empty |= grant_all<LinkKind::inside>(all, grants, r, outputs & kinds.inside, at);
        empty |= grant_all<LinkKind::between>(all, grants, r, outputs & kinds.between, at);
      }
      all.waiting[router] &= ~empty;
      enter(Part::requests);
    }
  }
  statistics_.flit_hops += hops;
  grants.arrivals.finish();
  credits_.finish(usual_latency_ + 1, inside);
  freed_by_grants_->finish(grants.freed);
  outbox_->finish(grants.flits);
}

/// The VC whose turn it is goes first in the searches of its input and of its output, if it can move.
template <class Policy, class Source, bool kPackets>
[[gnu::noinline]] void Domain<Policy, Source, kPackets>::give_turn(const Arrays& all, const Router& r, const Moment& at) {
  const uint32_t turn = at.now / turn_cycles_ % (all.vcs * all.ports), number = turn / all.vcs, v = turn % all.vcs;
  InputPort& port = r.inputs[number];
  if ((port.ready >> v & 1) == 0) return;
  const uint32_t route = port.vcs[v].route;
  if (route != kDropped) {
    OutputPort& out = r.outputs[route >> kShift];
    if (!can_move(port, v, out, route, r.credits[route], at.latest_free)) return;
    out.pointer = static_cast<uint16_t>(number);
  }
  port.pointer = static_cast<uint16_t>(v);
}

/// Every output of `outputs`, all of one kind, picks an input by round-robin. Returns the inputs at which nothing is ready any more.
template <class Policy, class Source, bool kPackets>
template <LinkKind kKind>
[[gnu::always_inline]] inline typename Domain<Policy, Source, kPackets>::PortBits Domain<Policy, Source, kPackets>::grant_all(
    const Arrays& all, Grants& grants, const Router& r, PortBits outputs, const Moment& at) {
  PortBits empty = 0;
  for (; outputs != 0; outputs &= outputs - 1) {
    const int port = lowest_port(outputs);
    uint16_t& pointer = r.outputs[port].pointer;
    const int input = rotating_port(grants.asking[port], pointer);
    grants.asking[port] = 0;
    pointer = static_cast<uint16_t>((input + 1) & (max_ports<Policy>() - 1));
    empty |= static_cast<PortBits>(!grant<kKind>(all, grants, r, input, port, at)) << input;
  }
  return empty;
}

/// Every input port chooses one VC; returns the outputs that are asked.
template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline typename Domain<Policy, Source, kPackets>::PortBits Domain<Policy, Source, kPackets>::ask_outputs(
    [[maybe_unused]] const Arrays& all, Grants& grants, const Router& r, const Moment& at) {
  PortBits outputs = 0;
  for (PortBits m = all.waiting[r.number]; m != 0; m &= m - 1) {
    const int number = lowest_port(m);
    InputPort& port = r.inputs[number];
    const int v = Policy::kAsks ? ask_policy(r, port, at) : choose_vc(r, port, at);
    if (v < 0) continue;
    const InputVc& vc = port.vcs[v];
    if constexpr (kPiped) {
      if (vc.route == kDropped) [[unlikely]] {
        drop_picked(port, static_cast<uint32_t>(v));
        continue;
      }
    }
    grants.choices[number] = static_cast<uint8_t>(v);
    const int to = vc.route >> kShift;
    grants.asking[to] |= PortBits{1} << number;
    outputs |= PortBits{1} << to;
  }
  return outputs;
}

/// The first VC from the round-robin pointer on whose packet can move; -1: none.
template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline int Domain<Policy, Source, kPackets>::choose_vc(const Router& r, const InputPort& port, const Moment& at) const {
  uint32_t left = port.ready;
  do {
    const int v = rotating_pick(left, port.pointer);
    const uint32_t route = port.vcs[v].route;
    if constexpr (kPiped) {
      if (route == kDropped) [[unlikely]]
        return v;
    }
    if (can_move(port, v, r.outputs[route >> kShift], route, r.credits[route], at.latest_free)) [[likely]]
      return v;
    left &= ~(1u << v);
  } while (left != 0);
  return -1;
}

/// Asking policies: the first VC from the round-robin pointer on that gets an answer and can move; -1: none.
template <class Policy, class Source, bool kPackets>
inline int Domain<Policy, Source, kPackets>::ask_policy(const Router& r, InputPort& port, const Moment& at) {
  if constexpr (Policy::kAsks) {
    for (uint32_t left = port.ready; left != 0;) {
      const int v = rotating_pick(left, port.pointer);
      left &= ~(1u << v);
      InputVc& vc = port.vcs[v];
      if constexpr (requires { Policy::kDrops; }) {
        if (drop_hopeless(port, static_cast<uint32_t>(v), r)) continue;
      }
      if (!kPackets || first(port, v).head()) {
        const Ask ask = policy_.ask(first(port, v), {port.router, port.port, v, index_of(port)}, Outputs(*this, r.base));
        if (ask.port == Ask::kNothing) continue;
        vc.route = static_cast<uint16_t>(ask.port << kShift | ask.vc);
      }
      if (can_move(port, v, r.outputs[vc.route >> kShift], vc.route, r.credits[vc.route], at.latest_free)) return v;
    }
  }
  return -1;
}

/// Asking policies with kDrops: takes the first flit out when its packet has no way, one a phase.
template <class Policy, class Source, bool kPackets>
[[gnu::noinline]] bool Domain<Policy, Source, kPackets>::drop_hopeless(InputPort& port, uint32_t v, const Router& r) {
  InputVc& vc = port.vcs[v];
  if (!kPackets || first(port, v).head()) {
    const Ask ask = policy_.ask(first(port, v), {port.router, port.port, static_cast<int>(v), index_of(port)}, Outputs(*this, r.base));
    vc.route = ask.port == Ask::kDrop ? kDropped : uint16_t{0};
  }
  if (vc.route != kDropped) return false;
  drop_flit(port, v);
  if (vc.count == 0) clear_ready(port, v);
  return true;
}

/// Whether the first flit of a VC could take `route` through `out`, whose VC has `credits`. The output FIFO has room when the link is not taken for
/// longer than until `latest_free`.
template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline bool Domain<Policy, Source, kPackets>::can_move(const InputPort& port, uint32_t vc, const OutputPort& out,
                                                                              uint32_t route, uint32_t credits, uint32_t latest_free) const {
  if (out.free > latest_free) {
    if constexpr (!kFaults) return false;
    if (!fifo_has_room(out, now_)) return false;
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
    return out.free - now - static_cast<uint32_t>(policy_.messages(static_cast<int>(&out - outputs_.data()), now + 1, out.free)) <= fifo_;
  return false;
}

/// Moves the first flit of the chosen VC of an input through the switch. Returns whether anything is still ready at the input.
template <class Policy, class Source, bool kPackets>
template <LinkKind kKind>
[[gnu::always_inline]] inline bool Domain<Policy, Source, kPackets>::grant(const Arrays& all, Grants& grants, const Router& r, int input_port,
                                                                           int output_port, const Moment& at) {
  InputPort& port = r.inputs[input_port];
  OutputPort& out = r.outputs[output_port];
  const uint32_t v = grants.choices[input_port];
  InputVc& in = port.vcs[v];
  const uint32_t route = in.route;
  const Flit& flit = all.flits[all.slot(port, v, in.head)];
  uint32_t departure = std::max(out.free, at.now + 1);
  const uint32_t departed = departure - 1;  // leaves the FIFO
  if constexpr (kFaults) departure = policy_.free_slot(static_cast<int>(r.base) + output_port, departure);
  out.free = departure + 1;
  out.carried += at.in_sample;
  port.pointer = static_cast<uint16_t>(v + 1);
  const bool tail = !kPackets || flit.tail();
  bool open = true;
  if constexpr (kFaults && kKind == LinkKind::node) open = policy_.delivers(static_cast<int>(r.base) + output_port, departure);
  if constexpr (kCuts && kKind == LinkKind::node) open = hand_over(in, flit, open);
  if constexpr (kWatched) {
    if (context_.config.watch != nullptr) {
      context_.config.watch->granted(flit, at.now, static_cast<uint32_t>(number_ * routers_) + r.number, input_port, static_cast<int>(v), output_port,
                                     route & (kStride - 1), kKind == LinkKind::node ? 0 : static_cast<int>(r.credits[route]));
    }
  }
  const bool credited = !kCuts || !flit.uncredited() || port.kind == LinkKind::node;  // a node wants to know of every slot
  if (!open) {
    lose(flit, departure);
  } else if constexpr (kKind == LinkKind::node) {
    deliver(flit, out, departure + out.latency);
  } else {
    forward<kKind>(grants, r, flit, input_port, route, at, {departed, departure});
  }
  in.head = (in.head + 1) & port.mask;
  *grants.freed[port.freed] = (port.upstream + v) | (tail ? kTailBit : 0);
  grants.freed[port.freed] += credited;
  if (--in.count != 0) {
    if (route_next_head(port, v)) return true;
  }
  port.ready &= static_cast<uint16_t>(~(1u << v));
  return port.ready != 0;
}

template <class Policy, class Source, bool kPackets>
template <LinkKind kKind>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::forward(Grants& grants, const Router& r, const Flit& flit,
                                                                             [[maybe_unused]] int input_port, uint32_t route, const Moment& at,
                                                                             const Times& times) {
  const int port = static_cast<int>(route >> kShift);
  const uint32_t vc = route & (kStride - 1);
  OutputPort& out = r.outputs[port];
  if constexpr (kChecked) {
    const int whole = number_ * routers_ + static_cast<int>(r.number);
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
    if (!kPackets || flit.head()) policy_.granted(flit, static_cast<int>(r.number), input_port, port, static_cast<int>(vc));
  }
  if constexpr (kPackets) out.held = static_cast<uint16_t>((out.held & ~(1u << vc)) | static_cast<uint32_t>(!tail) << vc);
  if constexpr (Policy::kMonitors) {
    if (!kPackets || tail) policy_.sent(static_cast<int>(r.base) + port, kKind == LinkKind::between, at.now, times.departed);
    if constexpr (kFaults && kKind == LinkKind::inside) {
      if (tail) policy_.rides(static_cast<int>(r.base) + port, times.departure);
    }
  }
  const uint32_t due = times.departure + out.latency + 1;
  if constexpr (kKind == LinkKind::inside) {
    const uint32_t wait = due - at.now - (at.usual_latency + 2);
    if (wait < kShortWait) [[likely]] {
      Arrival& arrival = grants.arrivals.room(wait);
      arrival.flit = flit.moved(vc);
      arrival.input_vc = out.target + vc;
    } else {
      queued_arrivals_.add(due, {flit.moved(vc), out.target + vc});
    }
  } else {
    grants.flits.add(out.target, {flit.moved(vc), due});
  }
}

template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::deliver(const Flit& flit, const OutputPort& out, uint32_t departure) {
  ++statistics_.delivered_flits;
  const uint64_t hash = hash_of(flit);
  statistics_.delivered_sum += hash;
  statistics_.accepted_flits += departure - sample_first_ < sample_length_;
  statistics_.misdelivered += flit.dest != out.target;
  if constexpr (kWatched) {
    if (context_.config.watch != nullptr) context_.config.watch->delivered(flit, departure);
  }
  if (kPackets && !flit.tail()) return;
  statistics_.delivered_packet(flit, hash, departure, flit.born - sample_first_ < sample_length_);
  if (sees_deliveries_) [[unlikely]]
    see_delivery(flit, out, departure);
}

/// Whoever is interested in the end of a packet's way hears of it.
template <class Policy, class Source, bool kPackets>
[[gnu::noinline]] void Domain<Policy, Source, kPackets>::see_delivery(const Flit& flit, const OutputPort& out, uint32_t departure) {
  if (records_) deliveries_.push_back({flit, departure});
  if (nics_ == nullptr || !Nics::is_own(flit)) return;
  statistics_.latency_sum += (departure - kUncountedCycles) - uint64_t{departure - flit.born - kUncountedCycles};  // its number is no cycle
  --statistics_.program_packets;
  const auto port = static_cast<uint32_t>(&out - outputs_.data());
  nics_->delivered(inputs_[port].upstream >> kShift, flit, departure);
}

}  // namespace odonata::network
