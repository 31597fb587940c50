// SPDX-License-Identifier: Apache-2.0
// Links and routers that fail and recover, and what is lost with them (docs/network.md §8). Definitions of Domain;
// included by domain.h only.
#pragma once

#include "sim/network/domain.h"

namespace odonata::network {

template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::lose(const Flit& flit, [[maybe_unused]] uint32_t cycle) {
  if constexpr (kWatched) {
    if (context_.config.watch != nullptr) context_.config.watch->lost(flit, cycle);
  }
  if constexpr (kCuts) {
    if (flit.poisoned()) return void(++statistics_.poison_gone);
  }
  ++statistics_.lost_flits;
  statistics_.lost_sum += hash_of(flit);
  if (!flit.tail()) return;
  if (nics_ != nullptr && Nics::is_own(flit)) forget_program_packet();
  ++statistics_.lost;
  statistics_.sample_finished += context_.in_sample(flit.born);
}

template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::forget_program_packet() {
  statistics_.latency_sum += now_;
  --statistics_.program_packets;
}

/// Links and routers fail and recover, tables change.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::serve_faults(uint32_t now) {
  if constexpr (kFaults) {
    while (const FaultEvent* e = policy_.next_event(now)) {
      if (e->kind == FaultEvent::Kind::router && !e->up) empty_router(e->router, now);
      const auto index = static_cast<uint32_t>(e->router * ports_ + e->port);
      const InputPort& port = inputs_[index];
      const bool opens = e->kind == FaultEvent::Kind::open || (e->kind == FaultEvent::Kind::link && e->up);
      if (opens && port.kind == LinkKind::node) wake_node(port.upstream >> kShift, now);
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
  if (!gone_on) pipe_.forget((index_of(port) << kShift) + vc, this->arrays().wrap(port, in.head + uint32_t{in.count}));
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
    if (nics_ != nullptr && (node.current.born & Nics::kMark) != 0) {
      forget_program_packet();
      nics_->entered(static_cast<uint32_t>(&node - nodes_.data()), now_);
    }
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
      if constexpr (kCuts) port.vcs[vc].next = port.vcs[vc].handed = 0;
      clear_ready(port, vc);
    }
    outputs_[index].held = 0;
  }
  pipe_.forget_all(base, base + static_cast<uint32_t>(ports_));
}

/// A flit that would arrive now: when its link was cut while it was on it, or its router has died in this very cycle,
/// it is lost, and its slot is free again.
template <class Policy, class Source, bool kPackets>
bool Domain<Policy, Source, kPackets>::lose_arrival(uint32_t input_vc, const Flit& flit, uint32_t now) {
  if constexpr (kFaults) {
    const uint32_t index = input_vc >> kShift, vc = input_vc & (kStride - 1);
    InputPort& port = inputs_[index];
    const bool dead = port.kind != LinkKind::node &&
                      (!policy_.alive(port.router) ||
                       policy_.cut_off(static_cast<int>(index), now - outputs_[index].latency - 1, now));
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
      invariant(flit.head() ? in.next == 0
                            : before.source == flit.source && before.born == flit.born &&
                                  (flit.poisoned() || flit.index == in.next),
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

/// Every output VC that is held is held by one packet. Where nothing is cut in two nobody knows of the packets of which
/// all that has come has gone on.
template <class Policy, class Source, bool kPackets>
bool Domain<Policy, Source, kPackets>::channels_kept() const {
  if constexpr (kPackets) {
    std::vector<uint16_t> held(outputs_.size());
    for (uint32_t index = 0; index != inputs_.size(); ++index) {
      const InputPort& port = inputs_[index];
      for (uint32_t v = 0; v < static_cast<uint32_t>(vcs_); ++v) {
        if constexpr (kCuts) {
          if (port.vcs[v].next != 0 && !policy_.port_up(static_cast<int>(index))) return false;
        }
        if (!partly_through(port, v)) continue;
        const uint32_t route = port.vcs[v].route,
                       output = static_cast<uint32_t>(port.router * ports_) + (route >> kShift);
        if (!kHeldNodes && outputs_[output].kind == LinkKind::node) continue;
        const auto bit = static_cast<uint16_t>(1u << (route & (kStride - 1)));
        if ((held[output] & bit) != 0) return false;
        held[output] |= bit;
      }
    }
    const auto kept = [](const OutputPort& out, uint16_t expected) {
      return kCuts ? out.held == expected : (expected & ~out.held) == 0;
    };
    return std::equal(outputs_.begin(), outputs_.end(), held.begin(), kept);
  }
  return true;
}

}  // namespace odonata::network
