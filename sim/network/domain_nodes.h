// SPDX-License-Identifier: Apache-2.0
// Nodes: packets enter the network, and those that wait in source queues are counted. Definitions of Domain; included
// by domain.h only.
#pragma once

#include "sim/network/domain.h"

namespace odonata::network {

template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::wake_nodes(uint32_t first, uint32_t last) {
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    if (node.due == 0 && !node.blocked && node.next.born + 1 < last)
      schedule_node(n, std::max(node.next.born + 1, first));
  }
}

template <class Policy, class Source, bool kPackets>
[[gnu::noinline]] void Domain<Policy, Source, kPackets>::inject_all(uint32_t now) {
  const Arrays all = this->arrays();
  auto batch = this->batch();
  Injected injected;
  injections_.serve(
      now, [&](uint32_t n) __attribute__((always_inline)) { inject(all, batch, injected, n, now); });
  batch.finish();
  statistics_.injected += injected.packets;
  statistics_.injected_flits += injected.flits;
  statistics_.injected_sum += injected.sum;
  statistics_.sample_injected += injected.sampled;
  statistics_.sample_flits += injected.sampled_flits;
}

/// One flit of the source queue's head enters the node port.
template <class Policy, class Source, bool kPackets>
template <class Batch>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::inject(const Arrays& all, Batch& batch,
                                                                            Injected& injected, uint32_t n,
                                                                            uint32_t now) {
  Node& node = nodes_[n];
  if (node.due != now) [[unlikely]]
    return;  // its head has changed since
  node.due = 0;
  Random random = node.random;  // a copy stays in registers
  const bool first = !kPackets || node.left == 0;
  Packet packet = node.next;
  if constexpr (kPackets) {
    if (!first) packet = node.current;
  }
  if constexpr (kCuts) {  // too early: the packet before has been abandoned
    if (first && now <= packet.born) {
      if (packet.born + 1 < round_last_) schedule_node(n, packet.born + 1);
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
    if (nics_ != nullptr && nics_->has_rank(n)) [[unlikely]] {
      take_packet(n, now, packet);
    } else {
      node.next = source_.next(node.number, packet.born, random);
    }
    node.random = random;
    if constexpr (kPackets) node.left = packet.flits, node.current = packet;
    const bool sampled = packet.born - sample_first_ < sample_length_;
    ++injected.packets;
    injected.sampled += sampled;
    injected.sampled_flits += sampled ? packet.flits : 0u;
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
  if constexpr (kPackets) --node.left;
  ++injected.flits;
  node.sent += in_sample_;
  injected.sum += hash_of(flit);
  arrive<LinkKind::node>(all, batch, (node.input << kShift) + node.vc, flit);
  const bool more = kPackets && node.left != 0;
  if (nics_ != nullptr && !more && Nics::is_own(flit)) [[unlikely]]
    nics_->entered(n, now);
  const uint32_t next = more ? now + 1 : std::max(node.next.born + 1, now + 1);
  if (more || next < round_last_) schedule_node(n, next);
}

/// The next packet of a rank enters.
template <class Policy, class Source, bool kPackets>
[[gnu::noinline]] void Domain<Policy, Source, kPackets>::take_packet(uint32_t n, uint32_t now, Packet& packet) {
  packet.born = nics_->take(n, now);
  nodes_[n].next = nics_->head(n);
  statistics_.latency_sum -= now - 1;  // its end adds the cycle of then
  ++statistics_.program_packets;
}

/// The ranks go on with what has happened in this cycle.
template <class Policy, class Source, bool kPackets>
[[gnu::noinline]] void Domain<Policy, Source, kPackets>::run_programs(uint32_t now) {
  for (const uint32_t n : nics_->serve(now)) {
    Node& node = nodes_[n];
    node.next = nics_->head(n);
    const uint32_t next = std::max(node.next.born, now) + 1;  // sooner than the head before: control goes before data
    const bool sooner = node.due == 0 || next < node.due;
    if (sooner && !node.blocked && next < round_last_) schedule_node(n, next);
  }
}

/// Whether there is room: for the `first` flit in a random VC of the node port that takes a packet (wormhole: a flit),
/// which the others follow.
template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline bool Domain<Policy, Source, kPackets>::may_inject(Node& node, bool first,
                                                                                Random& random) {
  if constexpr (kFaults) {
    if (!policy_.port_up(static_cast<int>(node.input))) return false;
    if constexpr (requires { policy_.holds(0); }) {
      if (policy_.holds(static_cast<int>(node.input))) return false;
    }
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
bool Domain<Policy, Source, kPackets>::is_silent(const Node& node) const {
  if constexpr (kFaults) return !policy_.port_up(static_cast<int>(node.input));
  return false;
}

template <class Policy, class Source, bool kPackets>
AnyDomain::Waiting Domain<Policy, Source, kPackets>::waiting(uint32_t cycle) const {
  Waiting out;
  for (const Node& node : nodes_) {
    const auto n = static_cast<uint32_t>(&node - nodes_.data());
    if (nics_ != nullptr && nics_->has_rank(n)) {
      out.packets += nics_->waiting(n);
      continue;
    }
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
  return std::any_of(nodes_.begin(), nodes_.end(),
                     [&](const Node& node) { return node.next.born < context_.sample_last && !is_silent(node); });
}

}  // namespace odonata::network
