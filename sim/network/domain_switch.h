// SPDX-License-Identifier: Apache-2.0
// The switch: routes of heads, requests, grants, and what becomes of a flit that moves. Definitions of Domain; included
// by domain.h only.
#pragma once

#include <string>

#include "models/common/error.h"
#include "sim/network/domain.h"

namespace odonata::network {

/// A flit has come to the head of its VC: a head is routed, a body follows its packet. Returns whether a flit waits
/// now.
template <class Policy, class Source, bool kPackets>
template <LinkKind kFrom, class Batch>
[[gnu::always_inline]] inline bool Domain<Policy, Source, kPackets>::route_head(
    const Arrays& all, [[maybe_unused]] Batch& batch, InputPort& port, [[maybe_unused]] uint32_t index, uint32_t vc,
    [[maybe_unused]] Flit& flit) {
  if constexpr (kPiped) {
    if constexpr (kPackets) {
      if (!flit.head()) {
        all.set_ready(port, index, vc);
        return true;
      }
    }
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
      in.route = static_cast<uint16_t>(route.port << kShift | route.vc);
      if (route.port == Route::kDrop) [[unlikely]] {
        in.route = kDropped;
      } else if constexpr (!own_batch<Policy>() && !kAtArrival) {
        expect_output(port.router, route.port, route.vc);
      }
    }
    if (in.route == kDropped) [[unlikely]] {
      drop_flit(port, vc);
      return in.count != 0 && route_next_head(port, vc);
    }
  }
  all.set_ready(port, index, vc);
  if constexpr (kSleeps) asleep_[index / 64] &= ~(uint64_t{1} << (index % 64));
  return true;
}

/// What a routing answers is a port of the router with something behind it, and a virtual channel.
template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::expect_output(int router, int port, int vc) const {
  if (port >= ports_ || vc >= vcs_ || outputs_[static_cast<uint32_t>(router * ports_ + port)].kind == LinkKind::none)
      [[unlikely]]
    refuse_output(router, port, vc);
}

template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Domain<Policy, Source, kPackets>::refuse_output(int router, int port, int vc) const {
  std::string what = "routing '" + context_.config.routing + "' at router " +
                     std::to_string(context_.wiring.name(number_ * routers_ + router)) + ": port " +
                     std::to_string(port);
  if (port < ports_ && vc < vcs_) throw Error(what + " leads nowhere");
  throw Error(what + ", virtual channel " + std::to_string(vc) + ", expected 0.." + std::to_string(ports_ - 1) +
              " and 0.." + std::to_string(vcs_ - 1));
}

/// The ports of a router may be able to move. `base`: port index of its port 0.
template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::wake_router(uint32_t base) {
  const uint64_t ports = low_mask(ports_);
  const uint32_t bit = base % 64;
  uint64_t* const words = &asleep_[base / 64];
  words[0] &= ~(ports << bit);
  words[1] &= ~(ports >> 1 >> (63 - bit));
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
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::leave_buffer(InputPort& port, uint32_t vc,
                                                                                  bool tail) {
  InputVc& in = port.vcs[vc];
  const bool credited =
      !kCuts || !first(port, vc).uncredited() || port.kind == LinkKind::node;  // a node wants to know of every slot
  in.head = this->arrays().wrap(port, in.head + 1u);
  --in.count;
  if (credited) leave_slot(port, vc, tail);
}

/// The switches of all routers: of several at once, where the order of what they cause does not count, as long as their
/// ports stay in the cache.
template <class Policy, class Source, bool kPackets>
[[gnu::noinline]] void Domain<Policy, Source, kPackets>::switch_routers(uint32_t now) {
  constexpr uint32_t kPortsAtOnce = 320;
  const auto ports = static_cast<uint32_t>(inputs_.size()), router = static_cast<uint32_t>(ports_);
  const uint32_t step = kOneByOne || router > kPortsAtOnce ? router : kPortsAtOnce / router * router;
  const Moment at{now, fifo_ == kUnbounded ? UINT32_MAX : now + fifo_, usual_latency_, in_sample_};
  Grants grants{{arrivals_, usual_latency_ + 2},
                freed_by_grants_->open(static_cast<size_t>(phases_) * inputs_.size()),
                outbox_->flits(static_cast<size_t>(phases_) * between_.size())};
  uint32_t*& inside = grants.freed[static_cast<size_t>(LinkKind::inside)];
  inside = credits_.open(usual_latency_ + 1);
  uint64_t hops = 0;
  for (uint32_t first = 0; first < ports; first += step)
    hops += switch_ports(grants, {first, std::min(first + step, ports)}, at);
  statistics_.flit_hops += hops;
  credits_.finish(usual_latency_ + 1, inside);
  freed_by_grants_->finish(grants.freed);
  outbox_->finish(grants.flits);
}

/// The phases of some routers; returns the grants.
template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline uint64_t Domain<Policy, Source, kPackets>::switch_ports(Grants& grants,
                                                                                      const Ports& ports,
                                                                                      const Moment& at) {
  uint64_t hops = 0;
  for (int phase = 0; phase != phases_; ++phase) {
    if (turn_cycles_ != 0) [[unlikely]]
      give_turns(ports, at);
    if (!(fifo_ == kUnbounded ? ask_outputs<false>(ports, at) : ask_outputs<true>(ports, at))) {
      if constexpr (kPiped) continue;  // what was dropped makes room for the next phase
      break;
    }
    enter(Part::grants);
    // by kind of output, in each in the order of the outputs: ports of a kind lie side by side, a mesh's node port is
    // the last
    if constexpr (Policy::kAsks) {
      hops += grant_all<LinkKind::inside>(grants, ports, at);
      hops += grant_all<LinkKind::node>(grants, ports, at);
    } else {
      hops += grant_all<LinkKind::node>(grants, ports, at);
      hops += grant_all<LinkKind::inside>(grants, ports, at);
    }
    if (!kInPortOrder && !between_.empty()) hops += grant_all<LinkKind::between>(grants, ports, at);
    enter(Part::requests);
  }
  return hops;
}

/// In every router the VC whose turn it is goes first in the searches of its input and of its output, if it can move.
template <class Policy, class Source, bool kPackets>
[[gnu::noinline]] void Domain<Policy, Source, kPackets>::give_turns(const Ports& ports, const Moment& at) {
  const Arrays all = this->arrays();
  const auto router = static_cast<uint32_t>(ports_), vcs = static_cast<uint32_t>(vcs_);
  const uint32_t turn = at.now / turn_cycles_ % (vcs * router), number = turn / vcs, v = turn % vcs;
  for (uint32_t base = ports.first; base != ports.last; base += router) {
    InputPort& port = all.inputs[base + number];
    if ((port.ready >> v & 1) == 0) continue;
    const uint32_t route = port.vcs[v].route;
    if (route != kDropped) {
      OutputPort& out = all.outputs[base + (route >> kShift)];
      if (!can_move(port, v, out, route, all.credits[(base << kShift) + route], at.latest_free)) continue;
      out.pointer = static_cast<uint16_t>(number);
    }
    port.pointer = static_cast<uint8_t>(v);
  }
}

/// Every output with a request, of one kind (kInPortOrder: of both kinds of links), picks an input by round-robin;
/// returns the grants. A function of its own for each kind has enough registers.
template <class Policy, class Source, bool kPackets>
template <LinkKind kKind>
[[gnu::noinline]] uint64_t Domain<Policy, Source, kPackets>::grant_all(Grants& grants, const Ports& ports,
                                                                       const Moment& at) {
  const Arrays all = this->arrays();
  Grants own = grants;
  const Moment moment = at;
  uint32_t* const list = requests_->ports.data();
  uint64_t* const asked = requests_->asked.data();
  const auto* const kinds = kinds_.data();
  const auto outputs = [asked, kinds](uint32_t word) {
    uint64_t of_kind = kKind == LinkKind::node     ? kinds[word].node
                       : kKind == LinkKind::inside ? kinds[word].inside
                                                   : kinds[word].between;
    if constexpr (kInPortOrder && kKind == LinkKind::inside) of_kind |= kinds[word].between;
    const uint64_t out = asked[word] & of_kind;
    asked[word] ^= out;
    return out;
  };
  const uint32_t* const end = list_bits(outputs, ports.first, ports.last, list);
  for (const uint32_t* output = list; output != end; ++output) {
    OutputPort& out = all.outputs[*output];
    const int input = rotating_port(out.asking, out.pointer);
    out.asking = 0;
    out.pointer = static_cast<uint16_t>((input + 1) & (max_ports<Policy>() - 1));
    const uint32_t from = *output - out.port + static_cast<uint32_t>(input);
    if constexpr (kInPortOrder && kKind == LinkKind::inside) {
      if (out.kind == LinkKind::between) {
        grant<LinkKind::between>(all, own, from, *output, moment);
        continue;
      }
    }
    grant<kKind>(all, own, from, *output, moment);
  }
  grants = own;
  return static_cast<uint64_t>(end - list);
}

/// Asks for the memory of input ports in hand, of their first flits and of the outputs to which those go.
template <class Policy, class Source, bool kPackets>
[[gnu::noinline]] void Domain<Policy, Source, kPackets>::expect(const Arrays& all, const uint32_t* list,
                                                                const uint32_t* end) const {
  for (const uint32_t* input = list; input != end; ++input) __builtin_prefetch(&all.inputs[*input]);
  for (const uint32_t* input = list; input != end; ++input) {
    const InputPort& port = all.inputs[*input];
    const auto vc = static_cast<uint32_t>(std::countr_zero(port.ready));
    __builtin_prefetch(&all.flits[all.slot(port, vc, port.vcs[vc].head)]);
    if constexpr (!Policy::kAsks) __builtin_prefetch(&all.outputs[*input - port.port + (port.vcs[vc].route >> kShift)]);
  }
}

/// Every input port chooses one VC; returns whether any output is asked. `kBounded`: output FIFOs can be full.
template <class Policy, class Source, bool kPackets>
template <bool kBounded>
[[gnu::noinline]] bool Domain<Policy, Source, kPackets>::ask_outputs(const Ports& ports, const Moment& at) {
  const Arrays all = this->arrays();
  const uint32_t latest_free = kBounded ? at.latest_free : UINT32_MAX;
  uint32_t* const list = requests_->ports.data();
  uint64_t* const asked = requests_->asked.data();
  uint64_t* const asleep = asleep_.data();
  const auto awake = [&all, asleep](uint32_t word) {
    return kSleeps ? all.waiting[word] & ~asleep[word] : all.waiting[word];
  };
  const uint32_t* const end = list_bits(awake, ports.first, ports.last, list);
  if (is_far()) expect(all, list, end);
  for (const uint32_t* input = list; input != end; ++input) {
    InputPort& port = all.inputs[*input];
    const uint32_t base = *input - port.port;
    const int v = Policy::kAsks ? ask_policy(all, port, base, latest_free) : choose_vc(all, port, base, latest_free);
    if (v < 0) {
      if constexpr (kSleeps && !kBounded) asleep[*input / 64] |= static_cast<uint64_t>(sleeps_) << (*input % 64);
      continue;
    }
    const uint32_t route = port.vcs[v].route;
    if constexpr (kPiped) {
      if (route == kDropped) [[unlikely]] {
        drop_picked(port, static_cast<uint32_t>(v));
        continue;
      }
    }
    port.choice = static_cast<uint8_t>(v);
    const uint32_t output = base + (route >> kShift);
    all.outputs[output].asking |= PortBits{1} << port.port;
    asked[output / 64] |= uint64_t{1} << (output % 64);
  }
  uint64_t any = 0;
  for (uint32_t word = ports.first / 64; word * 64 < ports.last; ++word) any |= asked[word];
  return any != 0;
}

/// The first VC from the round-robin pointer on whose packet can move; -1: none. `base`: port index of the router's
/// port 0.
template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline int Domain<Policy, Source, kPackets>::choose_vc(const Arrays& all, const InputPort& port,
                                                                              uint32_t base,
                                                                              uint32_t latest_free) const {
  uint32_t left = port.ready;
  do {
    const int v = rotating_pick(left, port.pointer);
    const uint32_t route = port.vcs[v].route;
    if constexpr (kPiped) {
      if (route == kDropped) [[unlikely]]
        return v;
    }
    if (can_move(port, v, all.outputs[base + (route >> kShift)], route, all.credits[(base << kShift) + route],
                 latest_free)) [[likely]]
      return v;
    left &= ~(1u << v);
  } while (left != 0);
  return -1;
}

/// Asking policies: the first VC from the round-robin pointer on that gets an answer and can move; -1: none.
template <class Policy, class Source, bool kPackets>
inline int Domain<Policy, Source, kPackets>::ask_policy(const Arrays& all, InputPort& port, uint32_t base,
                                                        uint32_t latest_free) {
  if constexpr (Policy::kAsks) {
    for (uint32_t left = port.ready; left != 0;) {
      const int v = rotating_pick(left, port.pointer);
      left &= ~(1u << v);
      InputVc& vc = port.vcs[v];
      if constexpr (requires { Policy::kDrops; }) {
        if (drop_hopeless(port, static_cast<uint32_t>(v), base)) continue;
      }
      if (!kPackets || first(port, v).head()) {
        const Ask ask =
            policy_.ask(first(port, v), {port.router, port.port, v, base + port.port}, Outputs(*this, base));
        if (ask.port == Ask::kNothing) continue;
        expect_output(port.router, ask.port, ask.vc);
        vc.route = static_cast<uint16_t>(ask.port << kShift | ask.vc);
      }
      if (can_move(port, v, all.outputs[base + (vc.route >> kShift)], vc.route,
                   all.credits[(base << kShift) + vc.route], latest_free))
        return v;
    }
  }
  return -1;
}

/// Asking policies with kDrops: takes the first flit out when its packet has no way, one a phase.
template <class Policy, class Source, bool kPackets>
[[gnu::noinline]] bool Domain<Policy, Source, kPackets>::drop_hopeless(InputPort& port, uint32_t v, uint32_t base) {
  InputVc& vc = port.vcs[v];
  if (!kPackets || first(port, v).head()) {
    const Ask ask = policy_.ask(first(port, v), {port.router, port.port, static_cast<int>(v), base + port.port},
                                Outputs(*this, base));
    vc.route = ask.port == Ask::kDrop ? kDropped : uint16_t{0};
  }
  if (vc.route != kDropped) return false;
  drop_flit(port, v);
  if (vc.count == 0) clear_ready(port, v);
  return true;
}

/// Whether the first flit of a VC could take `route` through `out`, whose VC has `credits`. The output FIFO has room
/// when the link is not taken for longer than until `latest_free`.
template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline bool Domain<Policy, Source, kPackets>::can_move(const InputPort& port, uint32_t vc,
                                                                              const OutputPort& out, uint32_t route,
                                                                              uint32_t credits,
                                                                              uint32_t latest_free) const {
  if (out.free > latest_free) {
    if constexpr (!kFaults) return false;
    if (!fifo_has_room(out, now_)) return false;
  }
  if constexpr (kPackets) {
    const Flit& flit = first(port, vc);
    if (flit.head() && (out.held >> (route & (kStride - 1)) & 1) != 0) return false;
    if (flit.head() && cut_through_) return credits >= (kPiped ? longest_ : flit.length);
  }
  return credits != 0;
}

/// Cycles that FDs and FRs take are no flits of the FIFO.
template <class Policy, class Source, bool kPackets>
bool Domain<Policy, Source, kPackets>::fifo_has_room(const OutputPort& out, uint32_t now) const {
  if constexpr (kFaults)
    return out.free - now -
               static_cast<uint32_t>(policy_.messages(static_cast<int>(&out - outputs_.data()), now + 1, out.free)) <=
           fifo_;
  return false;
}

/// Moves the first flit of the chosen VC of an input through the switch.
template <class Policy, class Source, bool kPackets>
template <LinkKind kKind>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::grant(const Arrays& all, Grants& grants,
                                                                           uint32_t input, uint32_t output,
                                                                           const Moment& at) {
  InputPort& port = all.inputs[input];
  OutputPort& out = all.outputs[output];
  const uint32_t v = port.choice;
  InputVc& in = port.vcs[v];
  const uint32_t vc = in.route & (kStride - 1);
  const Flit& flit = all.flits[all.slot(port, v, in.head)];
  uint32_t departure = std::max(out.free, at.now + 1);
  const uint32_t departed = departure - 1;  // leaves the FIFO
  if constexpr (kFaults) departure = policy_.free_slot(static_cast<int>(output), departure);
  out.free = departure + 1;
  out.carried += at.in_sample;
  port.pointer = static_cast<uint8_t>(v + 1);
  const bool tail = !kPackets || flit.tail();
  bool open = true;
  if constexpr (kFaults && kKind == LinkKind::node) open = policy_.delivers(static_cast<int>(output), departure);
  if constexpr (kCuts && kKind == LinkKind::node) open = hand_over(in, flit, open);
  if constexpr (kWatched) {
    if (context_.config.watch != nullptr) {
      context_.config.watch->granted(
          flit, at.now, static_cast<uint32_t>(number_ * routers_) + port.router, port.port, static_cast<int>(v),
          out.port, vc, kKind == LinkKind::node ? 0 : static_cast<int>(all.credits[(output << kShift) + vc]));
    }
  }
  const bool credited =
      !kCuts || !flit.uncredited() || port.kind == LinkKind::node;  // a node wants to know of every slot
  if constexpr (kHeldNodes && kKind == LinkKind::node)
    out.held = static_cast<uint16_t>((out.held & ~(1u << vc)) | static_cast<uint32_t>(!tail) << vc);
  if (!open) {
    lose(flit, departure);
  } else if constexpr (kKind == LinkKind::node) {
    deliver(flit, out, departure + out.latency);
  } else {
    forward<kKind>(all, grants, flit, port, output, vc, at, {departed, departure});
  }
  in.head = all.wrap(port, in.head + 1u);
  *grants.freed[port.freed] = (port.upstream + v) | (tail ? kTailBit : 0);
  grants.freed[port.freed] += credited;
  if (--in.count != 0) {
    if (route_next_head(port, v)) return;
  }
  port.ready &= static_cast<uint16_t>(~(1u << v));
  all.waiting[input / 64] ^= static_cast<uint64_t>(port.ready == 0) << (input % 64);
}

template <class Policy, class Source, bool kPackets>
template <LinkKind kKind>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::forward(const Arrays& all, Grants& grants,
                                                                             const Flit& flit,
                                                                             [[maybe_unused]] const InputPort& from,
                                                                             uint32_t output, uint32_t vc,
                                                                             const Moment& at, const Times& times) {
  OutputPort& out = all.outputs[output];
  uint16_t& credits = all.credits[(output << kShift) + vc];
  if constexpr (kChecked) {
    const int whole = number_ * routers_ + from.router;
    const auto channel = [&](int p, int v) {
      return Channel{context_.wiring.name(whole), p, context_.wiring.at(whole, p).port_class, v};
    };
    invariant(credits != 0, "a flit moves without a credit");
    invariant(static_cast<int>(vc) < vcs_, "a virtual channel beyond those of the link");
    if constexpr (requires { policy_.order_kept(channel(0, 0), channel(0, 0)); }) {
      invariant(
          flit.poisoned() || policy_.order_kept(channel(from.port, flit.vc), channel(out.port, static_cast<int>(vc))),
          "the order of virtual channels is broken");
    }
  }
  --credits;
  const bool tail = !kPackets || flit.tail();
  if constexpr (Policy::kAsks) {
    if (!kPackets || flit.head()) policy_.granted(flit, from.router, from.port, out.port, static_cast<int>(vc));
  }
  if constexpr (kPackets)
    out.held = static_cast<uint16_t>((out.held & ~(1u << vc)) | static_cast<uint32_t>(!tail) << vc);
  if constexpr (kPackets && kSleeps) {
    if (tail) wake_router(output - out.port);
  }
  if constexpr (Policy::kMonitors) {
    if (!kPackets || kPiped || tail)
      policy_.sent(static_cast<int>(output), kKind == LinkKind::between, at.now, times.departed);
    if constexpr (kFaults && kKind == LinkKind::inside) {
      if (tail) policy_.rides(static_cast<int>(output), times.departure);
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
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::deliver(const Flit& flit, const OutputPort& out,
                                                                             uint32_t departure) {
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
[[gnu::noinline]] void Domain<Policy, Source, kPackets>::see_delivery(const Flit& flit, const OutputPort& out,
                                                                      uint32_t departure) {
  if (records_) deliveries_.push_back({flit, departure});
  if (nics_ == nullptr || !Nics::is_own(flit)) return;
  statistics_.latency_sum +=
      (departure - kUncountedCycles) - uint64_t{departure - flit.born - kUncountedCycles};  // its number is no cycle
  --statistics_.program_packets;
  const auto port = static_cast<uint32_t>(&out - outputs_.data());
  nics_->delivered(inputs_[port].upstream >> kShift, flit, departure);
}

}  // namespace odonata::network
