// SPDX-License-Identifier: Apache-2.0
// What a domain's state has to be that was read from a checkpoint: whatever the file says behind a right checksum, the
// engine may then run with it (docs/network_ranks.md §5). Lists and calendars check themselves when they are read
// (visit_state); here stands what their entries say of ports, packets and nodes. Definitions of Domain; included by
// domain.h only.
#pragma once

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/network/domain.h"

namespace odonata::network {

template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Domain<Policy, Source, kPackets>::check_state(const Addresses& addresses, uint32_t now,
                                                                size_t half) const {
  expect_state(now_ == now - (now != 0) && arrivals_.served(now) && credits_.served(now) &&
                   queued_arrivals_.next() == now && queued_credits_.next() == now,
               "the cycle of a domain");
  if constexpr (requires { policy_.check_state(now); }) policy_.check_state(now);
  check_outputs(now);
  check_buffers(addresses, now);
  std::vector<UnderWay> under_way;
  check_arrivals(addresses, now, under_way);
  check_mail(addresses, now, half, under_way);
  if constexpr (kPackets) check_order(under_way, now);
  check_credits();
  check_nodes(addresses, now);
  check_pipe();
  if constexpr (kPackets) expect_state(channels_kept(), "channels that packets hold");
}

/// A flit that waits in an input VC or comes to it.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::check_flit(const Flit& flit, uint32_t input_vc, const Addresses& addresses,
                                                  uint32_t now) const {
  expect_state((input_vc >> kShift) < inputs_.size(), "the port of a flit");
  const Place at = this->place_of(input_vc);
  expect_state(inputs_[at.input].kind != LinkKind::none && at.vc < vcs_, "the port of a flit");
  const bool cut = kCuts && flit.poisoned();
  expect_state(flit.vc == at.vc || (cut && flit.uncredited()), "the channel of a flit");
  const int most = kPackets ? context_.config.router.packet_flits() : 1;
  expect_state(cut ? flit.tail() : flit.length != 0 && flit.length <= most && flit.index < flit.length,
               "the length of a packet");
  expect_state(addresses.contains(flit.dest) && addresses.contains(flit.source), "the address of a packet");
  if (nics_ != nullptr && Nics::is_own(flit)) {
    expect_state(nics_->knows(flit), "the number of a packet");
  } else {
    expect_state(flit.born < now, "the cycle in which a packet was created");
  }
  if constexpr (requires { policy_.knows(flit, at); }) {
    expect_state(!flit.head() || policy_.knows(flit, at), "the way of a packet");
  }
}

/// Whether the router of an input port has such an output.
template <class Policy, class Source, bool kPackets>
bool Domain<Policy, Source, kPackets>::is_route(const InputPort& port, uint32_t route) const {
  const uint32_t output = route >> kShift;
  if (output >= static_cast<uint32_t>(ports_) || (route & (kStride - 1)) >= static_cast<uint32_t>(vcs_)) return false;
  return outputs_[static_cast<uint32_t>(port.router * ports_) + output].kind != LinkKind::none;
}

/// Whether a flit in a VC of a port can have such a route: it leads to its own node only, and what the policy decides
/// behind it has channels.
template <class Policy, class Source, bool kPackets>
bool Domain<Policy, Source, kPackets>::leads_on(const InputPort& port, uint32_t v, const Flit& flit,
                                                uint32_t route) const {
  if (!is_route(port, route)) return false;
  const OutputPort& out = outputs_[static_cast<uint32_t>(port.router * ports_) + (route >> kShift)];
  if (out.kind == LinkKind::node) return out.target == flit.dest;
  if constexpr (requires { policy_.takes(flit, Place{}, Route{}); }) {
    const Place at{port.router, port.port, static_cast<int>(v), index_of(port)};
    return !flit.head() || policy_.takes(flit, at, {out.port, static_cast<uint8_t>(route & (kStride - 1))});
  }
  return true;
}

template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Domain<Policy, Source, kPackets>::check_buffers(const Addresses& addresses, uint32_t now) const {
  for (uint32_t index = 0; index != inputs_.size(); ++index) {
    const InputPort& port = inputs_[index];
    expect_state(port.ready >> vcs_ == 0 && port.pointer <= kStride, "an input port");
    expect_state((waiting_[index / 64] >> (index % 64) & 1) == (port.ready != 0), "ports with a packet");
    for (uint32_t v = 0; v != kStride; ++v) {
      const bool here = port.kind != LinkKind::none && v < static_cast<uint32_t>(vcs_);
      expect_state(here || port.vcs[v].count == 0, "a channel that no link has");
      if (!here) continue;
      expect_state(port.vcs[v].head <= this->mask(port) && port.vcs[v].count <= port.buffer + (kCuts ? 1 : 0),
                   "a ring of flits");
      const Flit* before = nullptr;
      for (uint32_t k = 0; k != port.vcs[v].count; ++k) {
        const Flit& flit = flits_[slot(port, v, (port.vcs[v].head + k) & this->mask(port))];
        check_flit(flit, (index << kShift) + v, addresses, now);
        expect_state(before == nullptr || follows(*before, flit), "the order of flits");
        before = &flit;
      }
      check_routes(port, v);
      if constexpr (kCuts) {
        expect_state(before == nullptr || (port.vcs[v].next == 0) == before->tail(), "a packet that is arriving");
        if (port.vcs[v].next == 0) continue;
        const Flit& last = latest(port, v);
        expect_state(addresses.contains(last.dest) && addresses.contains(last.source) &&
                         last.index + 1 == port.vcs[v].next && port.vcs[v].next < last.length,
                     "a packet that is arriving");
      }
    }
  }
  const size_t last = inputs_.size() % 64;
  expect_state(last == 0 || waiting_.back() >> last == 0, "ports with a packet");
}

/// Whether a flit can come behind another one on a VC: packets are not mixed.
template <class Policy, class Source, bool kPackets>
bool Domain<Policy, Source, kPackets>::follows(const Flit& before, const Flit& flit) {
  if (flit.head()) return before.tail();
  return !before.tail() && flit.source == before.source && flit.born == before.born && flit.dest == before.dest &&
         ((kCuts && flit.poisoned()) || (flit.length == before.length && flit.index == before.index + 1));
}

/// Where the first packet of a ring goes, whose flits have been looked at.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::check_routes(const InputPort& port, uint32_t v) const {
  const InputVc& in = port.vcs[v];
  const bool ready = (port.ready >> v & 1) != 0;
  expect_state(ready ? in.count != 0 : kPiped || in.count == 0, "ports with a packet");
  const bool asks = Policy::kAsks && (in.count == 0 || first(port, v).head());  // its route is asked for anew
  constexpr bool kMayDrop = kPiped || requires { Policy::kDrops; };
  // An empty VC keeps the route of its last packet, of which more may come.
  const uint32_t output = in.route >> kShift, channel = in.route & (kStride - 1);
  expect_state(in.route == kDropped ? kMayDrop || !Policy::kAsks
                                    : output < static_cast<uint32_t>(ports_) && channel < static_cast<uint32_t>(vcs_),
               "the route of a packet");
  if (ready && !asks) {
    expect_state(in.route == kDropped ? kMayDrop : leads_on(port, v, first(port, v), in.route),
                 "the route of a packet");
  }
  if constexpr (kCuts) {
    const bool held = in.next != 0 && in.route != kDropped;
    expect_state((!held && !this->partly_through(port, v)) || is_route(port, in.route), "the route of a packet");
  }
  if constexpr (kWatched) {  // heads keep their routes
    for (uint32_t k = 0; k != in.count; ++k) {
      const Flit& flit = flits_[slot(port, v, (in.head + k) & this->mask(port))];
      if (!flit.head() || (kPiped && !at_arrival_) || (kPiped && flit.via == 0) || flit.via == kKeptDrop) continue;
      expect_state(flit.via != 0 && leads_on(port, v, flit, flit.via - 1u), "the route of a packet");
    }
  }
}

template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Domain<Policy, Source, kPackets>::check_outputs(uint32_t now) const {
  // More than FDs and FRs take of a link in a row; with as many flits again that wait, less than the planes are known
  // ahead (longest_queue() in fault_feed.cpp).
  constexpr uint64_t kManyMessages = 3072;
  for (uint32_t index = 0; index != outputs_.size(); ++index) {
    const OutputPort& out = outputs_[index];
    expect_state(
        out.asking == 0 && out.pointer < max_ports<Policy>() && out.held >> vcs_ == 0 && (kPackets || out.held == 0),
        "an output port");
    const bool link = out.kind == LinkKind::inside || out.kind == LinkKind::between;
    const uint64_t flits = link ? now + static_cast<uint64_t>(vcs_) * inputs_[index].buffer
                                : uint64_t{now} * static_cast<uint64_t>(phases_) + 1,
                   most = flits + (kFaults ? kManyMessages : 0);
    expect_state(out.free <= most, "the cycle in which a link is free");
    for (uint32_t v = 0; v != kStride; ++v) {
      const uint16_t credits = output_credits_[(index << kShift) + v];
      const bool here = v < static_cast<uint32_t>(vcs_);
      expect_state(here && out.kind == LinkKind::node ? credits == 0xFFFF
                                                      : credits <= (here && link ? inputs_[index].buffer : 0),
                   "credits of outputs");
      if constexpr (requires { policy_.is_idle(0, 0, 0); }) {
        const bool idle = credits == inputs_[index].buffer && (out.held >> v & 1) == 0;
        expect_state(!here || !link || policy_.is_idle(inputs_[index].router, out.port, static_cast<int>(v)) == idle,
                     "free channels behind outputs");
      }
    }
  }
}

template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Domain<Policy, Source, kPackets>::check_nodes(const Addresses& addresses, uint32_t now) const {
  const int most = kPackets ? context_.config.router.packet_flits() : 1;
  const auto is_packet = [&](const Packet& p) { return addresses.contains(p.dest) && p.flits != 0 && p.flits <= most; };
  std::vector<uint8_t> due(nodes_.size());
  const auto see = [&](uint32_t cycle, uint32_t n) {
    constexpr uint32_t kOf = order_free<Policy>() ? DueBits::kDays - 1 : ~0u;
    expect_state(n < nodes_.size() && cycle == (now & kOf) && due[n]++ == 0, "nodes that send");
  };
  injections_.for_each_due(see);
  uint32_t blocked = 0;
  for (uint32_t n = 0; n != nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    expect_state(is_flag(node.blocked) && node.vc < vcs_, "a node");
    expect_state(node.due == (due[n] != 0 ? now : 0) && !(node.due != 0 && node.blocked), "nodes that send");
    blocked += node.blocked;
    if (nics_ != nullptr && nics_->has_rank(n)) {
      const Packet head = nics_->head(n);
      expect_state(node.next.born == head.born && node.next.dest == head.dest && node.next.flits == head.flits,
                   "the next packet of a node");
    } else {
      expect_state(
          node.next.born == GeometricGap::kNever || (node.next.born < GeometricGap::kNever && is_packet(node.next)),
          "the next packet of a node");
    }
    if constexpr (kPackets) {
      expect_state(node.left == 0 || (is_packet(node.current) && node.left < node.current.flits && is_sending(node)),
                   "the packet that a node sends");
    } else {
      expect_state(node.left == 0, "the packet that a node sends");
    }
  }
  expect_state(blocked == blocked_, "nodes without room");
  if constexpr (!order_free<Policy>()) expect_state(injections_.next() == now, "the cycle of a domain");
}

/// Whether the flit that has entered last is of the packet of which a node has some left.
template <class Policy, class Source, bool kPackets>
bool Domain<Policy, Source, kPackets>::is_sending(const Node& node) const {
  const InputPort& port = inputs_[node.input];
  if constexpr (kCuts) {
    if (port.vcs[node.vc].next == 0) return true;  // what is left is discarded
  }
  const Flit& last = latest(port, node.vc);
  return last.source == node.address && last.dest == node.current.dest && last.born == node.current.born &&
         last.length == node.current.flits && last.index + 1 + node.left == last.length;
}

/// Flits on links inside: a link carries one at a time, and none that is sent from now on meets one that was.
template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Domain<Policy, Source, kPackets>::check_arrivals(const Addresses& addresses, uint32_t now,
                                                                   std::vector<UnderWay>& under_way) const {
  std::vector<std::pair<uint32_t, uint32_t>> taken;  // port index, cycle
  const auto see = [&](uint32_t due, const Arrival& a) {
    check_flit(a.flit, a.input_vc, addresses, now);
    const InputPort& port = inputs_[a.input_vc >> kShift];
    expect_state(port.kind == LinkKind::inside && !a.flit.uncredited(), "a flit on a link");
    const OutputPort& from = outputs_[port.upstream >> kShift];
    expect_state(due <= from.free + from.latency, "a flit on a link");
    taken.emplace_back(a.input_vc >> kShift, due);
    under_way.push_back({a.input_vc, due, &a.flit});
  };
  arrivals_.for_each_due([&](uint32_t cycles, const Arrival& a) { see(now + cycles - 1, a); });
  queued_arrivals_.for_each_due(see);
  std::sort(taken.begin(), taken.end());
  expect_state(std::adjacent_find(taken.begin(), taken.end()) == taken.end(), "two flits on a link at once");
}

/// What comes over the links between domains: flits one after the other, what was kept for later before the last mail.
template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Domain<Policy, Source, kPackets>::check_mail(const Addresses& addresses, uint32_t now, size_t half,
                                                               std::vector<UnderWay>& under_way) const {
  arrivals_between_.for_each_due([](uint32_t, uint32_t) { expect_state(false, "links that bring a flit"); });
  uint32_t kept = 0;
  for (uint32_t k = 0; k != between_.size(); ++k) {
    const Between& link = between_[k];
    expect_state(link.next_late == kept && link.end_late >= kept && link.end_late <= late_.size(),
                 "mail kept for later");
    kept = link.end_late;
    uint32_t next = now;
    const auto see = [&](const FlitMessage& m) {
      check_flit(m.flit, (link.port << kShift) + std::min<uint32_t>(m.flit.vc, kStride - 1), addresses, now);
      expect_state(m.flit.vc < vcs_ && m.due >= next && m.due < ~0u / 2, "the cycle of mail");
      next = m.due + 1;
      under_way.push_back({(link.port << kShift) + m.flit.vc, m.due, &m.flit});
    };
    for (uint32_t i = link.next_late; i != link.end_late; ++i) see(late_[i]);
    for (const FlitMessage& m : post_.flits(half, first_end_ + k, link.sender)) see(m);
    for (const CreditMessage& m : post_.credits(half, first_end_ + k, link.sender)) {
      expect_state(m.vc < vcs_ && is_flag(m.tail), "a credit in the mail");
      expect_state(static_cast<uint16_t>(m.due - now) <= link.latency, "the cycle of mail");
    }
  }
  expect_state(kept == late_.size(), "mail kept for later");
}

/// The flit that came last to an input VC, when more of its packet may come or it still waits; else null.
template <class Policy, class Source, bool kPackets>
const Flit* Domain<Policy, Source, kPackets>::came_last(uint32_t input_vc) const {
  const InputPort& port = inputs_[input_vc >> kShift];
  const uint32_t v = input_vc & (kStride - 1);
  if constexpr (kCuts) return port.vcs[v].next != 0 ? &latest(port, v) : nullptr;
  return port.vcs[v].count != 0 ? &latest(port, v) : nullptr;
}

/// Whether the link to a port has ever been down: of what it carries then some has been lost.
template <class Policy, class Source, bool kPackets>
bool Domain<Policy, Source, kPackets>::was_cut(uint32_t input, uint32_t now) const {
  if constexpr (kFaults) {
    return !policy_.alive(inputs_[input].router) || policy_.cut_off(static_cast<int>(input), 0, now);
  }
  return false;
}

/// What is under way to an input VC goes on with the packet that has come, and what waits in front of the link with
/// what is under way.
template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Domain<Policy, Source, kPackets>::check_order(std::vector<UnderWay>& under_way, uint32_t now) const {
  std::sort(under_way.begin(), under_way.end(), [](const UnderWay& a, const UnderWay& b) {
    return std::tie(a.input_vc, a.due) < std::tie(b.input_vc, b.due);
  });
  std::vector<const Flit*> last(inputs_.size() << kShift);  // to an input VC, come or under way
  for (uint32_t input = 0; input != inputs_.size(); ++input) {
    if (inputs_[input].kind == LinkKind::none || was_cut(input, now)) continue;
    for (uint32_t v = 0; v != static_cast<uint32_t>(vcs_); ++v) {
      last[(input << kShift) + v] = came_last((input << kShift) + v);
    }
  }
  for (const UnderWay& u : under_way) {
    if (was_cut(u.input_vc >> kShift, now)) continue;
    expect_state(last[u.input_vc] == nullptr || follows(*last[u.input_vc], *u.flit), "the order of flits on a link");
    last[u.input_vc] = u.flit;
  }
  for (const InputPort& port : inputs_) {
    for (uint32_t v = 0; v != static_cast<uint32_t>(vcs_); ++v) {
      if (port.vcs[v].count == 0 || !this->partly_through(port, v)) continue;
      const uint32_t route = port.vcs[v].route,
                     output = static_cast<uint32_t>(port.router * ports_) + (route >> kShift);
      if (outputs_[output].kind != LinkKind::inside) continue;
      const Flit* before = last[outputs_[output].target + (route & (kStride - 1))];
      expect_state(before == nullptr || follows(*before, first(port, v)), "the order of flits before a link");
    }
  }
}

template <class Policy, class Source, bool kPackets>
uint32_t Domain<Policy, Source, kPackets>::last_due(uint32_t k, size_t half) const {
  const auto mail = post_.flits(half, first_end_ + k, between_[k].sender);
  if (!mail.empty()) return mail.back().due;
  return between_[k].next_late == between_[k].end_late ? 0 : late_[between_[k].end_late - 1].due;
}

template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Domain<Policy, Source, kPackets>::check_credits() const {
  const auto see = [this](uint32_t event, bool usual) {
    const uint32_t vc = event & ~kTailBit;
    expect_state((vc >> kShift) < outputs_.size() && (vc & (kStride - 1)) < static_cast<uint32_t>(vcs_),
                 "a credit under way");
    const LinkKind kind = outputs_[vc >> kShift].kind;
    expect_state(kind == LinkKind::inside || (!usual && kind == LinkKind::between), "a credit under way");
  };
  credits_.for_each([&](uint32_t event) { see(event, true); });
  queued_credits_.for_each([&](uint32_t event) { see(event, false); });
}

/// Who waits for the answer of a route-compute unit has a packet there; each answer is for one of them.
template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Domain<Policy, Source, kPackets>::check_pipe() const {
  std::vector<std::pair<uint32_t, uint32_t>> asked;  // input VC, place in its ring
  const auto add = [&](uint32_t input_vc, uint32_t position) {
    expect_state((input_vc >> kShift) < inputs_.size() && (input_vc & (kStride - 1)) < static_cast<uint32_t>(vcs_),
                 "a request for a route");
    const InputPort& port = inputs_[input_vc >> kShift];
    const uint32_t v = input_vc & (kStride - 1);
    expect_state(port.kind != LinkKind::none, "a request for a route");
    const InputVc& in = port.vcs[v];
    if (at_arrival_) {
      expect_state(position <= this->mask(port) && ((position - in.head) & this->mask(port)) < in.count &&
                       flits_[slot(port, v, position)].via == 0,
                   "a request for a route");
    } else {
      expect_state(in.count != 0 && (port.ready >> v & 1) == 0, "a request for a route");
    }
    asked.emplace_back(input_vc, at_arrival_ ? position : 0);
  };
  const auto wants = [&](uint32_t port, uint32_t vcs) {
    expect_state(vcs == 0 || !at_arrival_, "a request for a route");
    for (; vcs != 0; vcs &= vcs - 1) add((port << kShift) + static_cast<uint32_t>(std::countr_zero(vcs)), 0);
  };
  const auto request = [&](const RoutePipe::Request& r) {
    add(r.input_vc, r.position);
    const InputPort& port = inputs_[r.input_vc >> kShift];
    const uint32_t v = r.input_vc & (kStride - 1), route = static_cast<uint32_t>(r.route.port) << kShift | r.route.vc,
                   position = at_arrival_ ? uint32_t{r.position} : uint32_t{port.vcs[v].head};
    expect_state(r.route.port == Route::kDrop ||
                     (r.route.vc < vcs_ && leads_on(port, v, flits_[slot(port, v, position)], route)),
                 "the route of a packet");
  };
  pipe_.for_each(now_ + 1, wants, request);
  std::sort(asked.begin(), asked.end());
  expect_state(std::adjacent_find(asked.begin(), asked.end()) == asked.end(), "a request for a route");
}

}  // namespace odonata::network
