// SPDX-License-Identifier: Apache-2.0
// What a domain consists of, without any policy: ports with their buffers, links, nodes, slots on their way back; how
// the memory is laid out and what can be seen of it from outside (docs/network.md §3).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "models/common/append_list.h"
#include "models/common/bits.h"
#include "models/common/bucket_line.h"
#include "models/common/calendar.h"
#include "models/common/random.h"
#include "models/common/state_check.h"
#include "sim/network/cold.h"
#include "sim/network/any_domain.h"
#include "sim/network/bit_list.h"
#include "sim/network/due_bits.h"
#include "sim/network/mail.h"
#include "sim/network/policy.h"
#include "sim/network/port_bits.h"
#include "sim/network/traffic_source.h"
#include "sim/network/untouched_array.h"

namespace odonata::network {

#if defined(ODONATA_CHECK) || !defined(NDEBUG)
inline constexpr bool kCheck = true;
#else
inline constexpr bool kCheck = false;
#endif

/// An invariant of the engine; its violation is a bug. Checked in debug builds.
inline void invariant(bool holds, const char* what) {
  if (!holds) throw std::logic_error(std::string("network engine: ") + what);
}

/// Days that a calendar keeps: a link and a short queue before it.
inline uint32_t usual_delay(const Context& context) {
  return static_cast<uint32_t>(context.wiring.wire.longest()) + 64;
}

/// Ports of a domain of one kind.
inline size_t count_ports(const Context& context, int domain, LinkKind kind) {
  const size_t ports = static_cast<size_t>(context.wiring.routers) * static_cast<size_t>(context.wiring.ports);
  const PortWire* const first = &context.wiring.wire[static_cast<size_t>(domain) * ports];
  return static_cast<size_t>(std::count_if(first, first + ports, [kind](const PortWire& w) { return w.kind == kind; }));
}

/// The most frequent latency of the links inside a domain, of those that are not too long to keep a bucket for every
/// cycle: their flits and credits go through buckets, others through calendars.
inline uint32_t usual_latency(const Context& context, int domain) {
  constexpr uint32_t kLongest = 500;
  const Wiring& wiring = context.wiring;
  const size_t ports = static_cast<size_t>(wiring.routers) * wiring.ports;
  std::map<uint32_t, size_t> links;
  for (size_t i = static_cast<size_t>(domain) * ports; i != (static_cast<size_t>(domain) + 1) * ports; ++i) {
    if (wiring.wire[i].kind == LinkKind::inside && wiring.wire[i].latency <= kLongest) ++links[wiring.wire[i].latency];
  }
  const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
  return links.empty() ? 1 : std::max_element(links.begin(), links.end(), fewer)->first;
}

/// `kMaxVcs`: 2, 4, 8 or 16, room for so many virtual channels; `kCuts`: packets of several flits can be cut in two by
/// a fault; `kMaxPorts`: 64 or 128, room for so many ports of a router; `kOrderFree`: as the policy says (policy.h).
template <int kMaxVcs, bool kPackets, bool kCuts, int kMaxPorts, bool kOrderFree>
class DomainState : public AnyDomain {
 public:
  int number() const override { return number_; }
  int vcs() const override { return vcs_; }
  uint32_t carried(int output) const override { return outputs_[static_cast<size_t>(output)].carried; }
  void for_each_node(const std::function<void(size_t port, uint32_t sent)>& see) const override {
    for (const Node& node : nodes_) see(whole_port(node.input), node.sent);
  }
  void for_each_flit(const std::function<void(const Flit& flit, size_t port)>& see) const override;
  uint64_t unsent_packets() const override;
  void for_each_output_vc(const std::function<void(size_t port, int vc, uint32_t credits)>& see) const override;
  void for_each_credit(const std::function<void(size_t port, int vc)>& see) const override;

 protected:
  static constexpr int kStride = kMaxVcs;
  static constexpr int kShift = std::countr_zero(static_cast<unsigned>(kStride));
  static constexpr uint32_t kTailBit = 1u << 31;
  static constexpr uint16_t kDropped = 0xFFFF;
  static constexpr uint8_t kBroken = 0xFF;
  using PortBits = network::PortBits<kMaxPorts>;
  static constexpr uint8_t kUnusual = 4;     // links inside with another latency than most
  static constexpr uint32_t kShortWait = 8;  // flits that wait fewer cycles in an output FIFO go through buckets
  using Injections = std::conditional_t<kOrderFree, DueBits, Calendar>;

  /// What an input virtual channel keeps where packets can be cut in two.
  struct CutVc {
    uint8_t next = 0;    // index of the next flit of the packet that is arriving; 0: none is
    uint8_t handed = 0;  // flits of the first packet that its node has taken, or kBroken
  };
  struct WholeVc {};
  /// An input virtual channel: a ring of flits, and the route of its first packet.
  struct InputVc : std::conditional_t<kCuts, CutVc, WholeVc> {
    uint16_t head = 0, count = 0;
    uint16_t route = 0;  // output port << kShift | vc, or kDropped
  };
  /// A flit on a link.
  struct Arrival {
    Flit flit;
    uint32_t input_vc = 0;
  };
  /// An input port with its VCs: one cache line with 4 of them, half of one with 2.
  struct alignas(kStride == 2 && !kCuts ? 32 : 64) InputPort {
    uint32_t upstream = 0;  // << kShift: inside: index of the output at the other end; between: number in between_;
                            // node: number in the domain
    uint32_t ring = 0;      // first slot of VC 0 in flits_
    uint16_t buffer = 0;    // flits of a VC
    uint16_t ready = 0;     // VCs whose first packet has a route (asking policies: has a head)
    uint16_t router = 0;
    uint8_t rings = 0;  // in rings_
    uint8_t port = 0;
    LinkKind kind = LinkKind::none;
    uint8_t freed = 0;    // in freed_: who hears of its slots
    uint8_t choice = 0;   // VC that asks in this switch phase
    uint8_t pointer = 0;  // round-robin
    std::array<InputVc, kStride> vcs{};
    auto built() const { return std::tie(upstream, ring, buffer, router, rings, port, kind, freed); }
  };
  struct OutputPort {
    PortBits asking = 0;  // input ports in this switch phase; none between phases
    uint32_t free = 0;    // first cycle in which the link is not taken yet
    uint32_t target =
        0;  // inside: index of VC 0 of the input at the other end; between: number in between_; node: its address
    uint32_t carried = 0;  // flits in the sample
    uint16_t latency = 0;
    uint16_t pointer = 0;  // round-robin
    uint16_t held = 0;     // VCs that a packet holds
    LinkKind kind = LinkKind::none;
    uint8_t port = 0;
    auto built() const { return std::tie(target, latency, kind, port); }
  };
  /// Rings of the same depth in flits_: the first slots of all ports, the VCs of a port side by side, then all second
  /// slots ... As long as nothing queues, the first slots are all that is touched; as they lie side by side, they fill
  /// all sets of a cache, not one in 16.
  struct Rings {
    uint32_t mask = 0;    // slots of a ring - 1
    uint32_t stride = 0;  // from a slot to the next one
    uint32_t first = 0;   // in flits_
    uint32_t built = 0;
  };
  struct NoPacket {};
  struct alignas(64) Node {
    Random random{0};
    Packet next;  // head of the source queue, or not yet created
    /// Being injected.
    [[no_unique_address]] std::conditional_t<kPackets, Packet, NoPacket> current;
    uint32_t number = 0;  // over all domains
    uint32_t input = 0;   // port index
    uint32_t address = 0;
    uint32_t sent = 0;  // flits that entered in the sample
    uint32_t due = 0;   // cycle in which it sends; 0: nobody knows yet. An entry for another cycle means nothing
    uint8_t left = 0;   // flits of `current` to inject
    uint8_t vc = 0;
    bool blocked = false;  // no VC has room
    auto built() const { return std::tie(number, input, address); }
  };

  /// Slots that became free, as InputPort::upstream + VC, kTailBit: whoever waits for them hears of it at the end of
  /// the cycle, one kind of link after the other (in each grant it would be a branch that nobody can predict). Those of
  /// grants are not in such a list (FreedByGrants).
  using Freed = AppendList<uint32_t>;

  /// 64 ports of the domain, a bit each: those that lead to nodes, to routers inside, to other domains.
  struct PortKinds {
    uint64_t node = 0, inside = 0, between = 0;
  };
  /// The arrays of a domain as the loops over many flits hold them: in registers, because a Flit that is copied might
  /// be any member otherwise.
  struct Arrays {
    InputPort* inputs;
    OutputPort* outputs;
    uint16_t* credits;
    Flit* flits;
    uint64_t* waiting;
    const Rings* rings;
    size_t slot(const InputPort& port, uint32_t vc, uint32_t position) const {
      return port.ring + position * rings[port.rings].stride + vc;
    }
    /// A position in the ring, round its end.
    uint16_t wrap(const InputPort& port, uint32_t position) const {
      return static_cast<uint16_t>(position & rings[port.rings].mask);
    }
    /// `index`: of the port.
    void set_ready(InputPort& port, uint32_t index, uint32_t vc) const {
      port.ready |= static_cast<uint16_t>(1u << vc);
      waiting[index / 64] |= uint64_t{1} << (index % 64);
    }
  };
  Arrays arrays() {
    return {inputs_.data(), outputs_.data(), output_credits_.data(), flits_.data(), waiting_.data(), rings_.data()};
  }
  /// A link to another domain. Its flits stay in the post until they arrive; those that are due after the window are
  /// kept for the next.
  struct Between {
    uint32_t port = 0;    // port index
    uint32_t sender = 0;  // the other domain
    uint32_t latency = 0;
    uint32_t next_late = 0;  // in late_: first those that were kept
    uint32_t end_late = 0;
    const FlitMessage* next = nullptr;
    const FlitMessage* end = nullptr;
    uint32_t late_listed = 0;  // in late_, and then from `listed` on: not in arrivals_between_ yet
    const FlitMessage* listed = nullptr;
  };

  DomainState(const Context& context, int number);
  void build();
  void lay_rings();
  void build_port(int router, int port);
  /// Of this depth, in rings_.
  uint8_t rings_of(const PortWire& wire);
  size_t state_bytes() const;
  template <class Visit>
  void visit_state(Visit&& visit);
  /// Ports or nodes: what the wiring says of them does not change.
  template <class Visit, class Item>
  static void visit_built(Visit&& visit, std::vector<Item>& list, const char* what);
  void set_ready(InputPort& port, uint32_t vc);
  void clear_ready(InputPort& port, uint32_t vc);
  void schedule_node(uint32_t n, uint32_t cycle);
  void wake_node(uint32_t n, uint32_t now);
  Place place_of(uint32_t input_vc) const {
    const InputPort& port = inputs_[input_vc >> kShift];
    return {port.router, port.port, static_cast<int>(input_vc & (kStride - 1)), input_vc >> kShift};
  }
  void leave_slot(const InputPort& port, uint32_t vc, bool tail) {
    freed_[port.freed].add((port.upstream + vc) | (tail ? kTailBit : 0));
  }
  size_t whole_port(uint32_t index) const {
    return static_cast<size_t>(number_) * routers_ * ports_ + index;
  }  // over all domains
  uint32_t index_of(const InputPort& port) const { return static_cast<uint32_t>(&port - inputs_.data()); }
  /// `position` in the ring, 0..mask.
  size_t slot(const InputPort& port, uint32_t vc, uint32_t position) const {
    return port.ring + position * rings_[port.rings].stride + vc;
  }
  uint32_t mask(const InputPort& port) const { return rings_[port.rings].mask; }  // slots of a ring - 1
  Flit& first(const InputPort& port, uint32_t vc) { return flits_[slot(port, vc, port.vcs[vc].head)]; }
  const Flit& first(const InputPort& port, uint32_t vc) const { return flits_[slot(port, vc, port.vcs[vc].head)]; }
  /// The flit that arrived last, also when it has left.
  const Flit& latest(const InputPort& port, uint32_t vc) const {
    return flits_[slot(port, vc, (port.vcs[vc].head + port.vcs[vc].count - 1u) & mask(port))];
  }
  /// Whether an input VC holds an output VC: the head of its first packet has gone on and the tail has not.
  bool partly_through(const InputPort& port, uint32_t vc) const {
    const InputVc& in = port.vcs[vc];
    if (in.route == kDropped) return false;
    if (in.count != 0) return !first(port, vc).head();
    if constexpr (kCuts) return in.next != 0;
    return false;
  }

  const Context& context_;
  int number_, routers_, ports_, vcs_;
  uint32_t now_ = 0;
  UntouchedArray<Flit> flits_;  // all rings
  std::vector<Rings> rings_;
  std::vector<InputPort> inputs_;  // [port index]
  std::vector<OutputPort> outputs_;
  std::vector<uint16_t> output_credits_;  // [port index << kShift | vc]
  std::vector<uint64_t> waiting_;         // by port index, 64 in a word: input ports with a ready VC
  std::vector<uint64_t>
      asleep_;  // the same, of asking policies: those that cannot move before something happens at their router
  std::vector<PortKinds> kinds_;  // the same
  std::vector<Between> between_;  // in the order of the ports, as in the post
  std::vector<FlitMessage> late_,
      later_;  // by link: arrive in this window though sent before the last one; kept for the next
  std::vector<Node> nodes_;
  uint32_t blocked_ = 0;    // nodes without room
  uint32_t usual_latency_;  // of the links inside
  BucketLine<Arrival>
      arrivals_;  // over links inside, of flits that take the usual time or a little more, in the order of their grants
  BasicCalendar<Arrival> queued_arrivals_;  // of the others
  DueBits arrivals_between_;                // over the others, until round_last_: number in between_
  BucketLine<uint32_t> credits_;            // of links inside: output VC index, kTailBit; of slots that a grant freed
  Calendar queued_credits_;     // of links with another latency, of those between domains, of slots of what was lost
  Injections injections_;       // node
  std::array<Freed, 5> freed_;  // by LinkKind of the input port, and kUnusual: slots that became free in this cycle
  std::vector<uint32_t> cuts_;  // input ports whose link went down in this cycle
};

template <int kMaxVcs, bool kPackets, bool kCuts, int kMaxPorts, bool kOrderFree>
ODONATA_COLD DomainState<kMaxVcs, kPackets, kCuts, kMaxPorts, kOrderFree>::DomainState(const Context& context,
                                                                                       int number)
    : context_(context),
      number_(number),
      routers_(context.wiring.routers),
      ports_(context.wiring.ports),
      vcs_(context.config.router.vcs),
      waiting_((static_cast<size_t>(routers_) * static_cast<size_t>(ports_) + 63) / 64),
      asleep_(waiting_.size() + 1),
      kinds_(waiting_.size()),
      usual_latency_(usual_latency(context, number)),
      arrivals_(usual_latency_ + 2 + kShortWait, count_ports(context, number, LinkKind::inside)),
      queued_arrivals_(usual_latency_ + 64),
      arrivals_between_(count_ports(context, number, LinkKind::between)),
      credits_(usual_latency_ + 2,
               static_cast<size_t>(context.config.router.phases) * count_ports(context, number, LinkKind::inside)),
      queued_credits_(usual_delay(context)),
      injections_(kOrderFree ? count_ports(context, number, LinkKind::node) : usual_delay(context)) {
  build();
}

template <int kMaxVcs, bool kPackets, bool kCuts, int kMaxPorts, bool kOrderFree>
void DomainState<kMaxVcs, kPackets, kCuts, kMaxPorts, kOrderFree>::build() {
  const size_t ports = static_cast<size_t>(routers_) * ports_;
  inputs_.resize(ports);
  outputs_.resize(ports);
  output_credits_.resize(ports << kShift);
  lay_rings();
  for (int r = 0; r < routers_; ++r) {
    for (int port = 0; port < ports_; ++port) build_port(r, port);
  }
}

template <int kMaxVcs, bool kPackets, bool kCuts, int kMaxPorts, bool kOrderFree>
uint8_t DomainState<kMaxVcs, kPackets, kCuts, kMaxPorts, kOrderFree>::rings_of(const PortWire& wire) {
  const uint32_t mask = std::bit_ceil(wire.buffer + (kCuts ? 1u : 0u)) - 1;  // one for a poisoned tail
  const auto found = std::find_if(rings_.begin(), rings_.end(), [mask](const Rings& r) { return r.mask == mask; });
  const auto number = static_cast<uint8_t>(found - rings_.begin());  // depths are powers of two
  if (found == rings_.end()) rings_.push_back({.mask = mask});
  return number;
}

template <int kMaxVcs, bool kPackets, bool kCuts, int kMaxPorts, bool kOrderFree>
void DomainState<kMaxVcs, kPackets, kCuts, kMaxPorts, kOrderFree>::lay_rings() {
  for (int r = number_ * routers_; r != (number_ + 1) * routers_; ++r) {
    for (int port = 0; port < ports_; ++port) {
      const PortWire& wire = context_.wiring.at(r, port);
      if (wire.kind != LinkKind::none) rings_[rings_of(wire)].stride += static_cast<uint32_t>(vcs_);
    }
  }
  uint32_t flits = 0;
  for (Rings& rings : rings_) {
    rings.first = flits;
    flits += (rings.mask + 1) * rings.stride;
  }
  flits_.allot(flits);
}

template <int kMaxVcs, bool kPackets, bool kCuts, int kMaxPorts, bool kOrderFree>
ODONATA_COLD void DomainState<kMaxVcs, kPackets, kCuts, kMaxPorts, kOrderFree>::build_port(int router, int port) {
  const auto index = static_cast<uint32_t>(router * ports_ + port);
  const int whole = number_ * routers_ + router;  // over all domains
  const PortWire& wire = context_.wiring.at(whole, port);
  InputPort& in = inputs_[index];
  OutputPort& out = outputs_[index];
  in.kind = out.kind = wire.kind;
  out.latency = wire.latency;
  const bool unusual = wire.kind == LinkKind::inside && wire.latency != usual_latency_;
  in.freed = unusual ? kUnusual : static_cast<uint8_t>(wire.kind);
  in.router = static_cast<uint16_t>(router);
  in.port = out.port = static_cast<uint8_t>(port);
  in.buffer = wire.buffer;
  const uint32_t peer = wire.peer * static_cast<uint32_t>(ports_) + wire.peer_port;
  PortKinds& kinds = kinds_[index / 64];
  (wire.kind == LinkKind::node     ? kinds.node
   : wire.kind == LinkKind::inside ? kinds.inside
                                   : kinds.between) |= uint64_t{1} << (index % 64);
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
    node.random = random_of_node(context_.config.seed, wire.peer);
    node.number = wire.peer;
    node.input = index;
    node.address = wire.address;
    nodes_.push_back(node);
  }
  if (wire.kind == LinkKind::none) return;
  in.rings = rings_of(wire);
  Rings& rings = rings_[in.rings];
  in.ring = rings.first + rings.built;
  rings.built += static_cast<uint32_t>(vcs_);
  // The buffer behind an output is as deep as the one beside it: links are alike in both directions.
  for (int v = 0; v < vcs_; ++v)
    output_credits_[(index << kShift) + v] = wire.kind == LinkKind::node ? 0xFFFF : in.buffer;
}

template <int kMaxVcs, bool kPackets, bool kCuts, int kMaxPorts, bool kOrderFree>
[[gnu::always_inline]] inline void DomainState<kMaxVcs, kPackets, kCuts, kMaxPorts, kOrderFree>::set_ready(
    InputPort& port, uint32_t vc) {
  port.ready |= static_cast<uint16_t>(1u << vc);
  waiting_[index_of(port) / 64] |= uint64_t{1} << (index_of(port) % 64);
}

template <int kMaxVcs, bool kPackets, bool kCuts, int kMaxPorts, bool kOrderFree>
[[gnu::always_inline]] inline void DomainState<kMaxVcs, kPackets, kCuts, kMaxPorts, kOrderFree>::clear_ready(
    InputPort& port, uint32_t vc) {
  port.ready &= static_cast<uint16_t>(~(1u << vc));
  if (port.ready == 0) waiting_[index_of(port) / 64] &= ~(uint64_t{1} << (index_of(port) % 64));
}

template <int kMaxVcs, bool kPackets, bool kCuts, int kMaxPorts, bool kOrderFree>
void DomainState<kMaxVcs, kPackets, kCuts, kMaxPorts, kOrderFree>::schedule_node(uint32_t n, uint32_t cycle) {
  nodes_[n].due = cycle;
  injections_.add(cycle, n);
}

template <int kMaxVcs, bool kPackets, bool kCuts, int kMaxPorts, bool kOrderFree>
[[gnu::always_inline]] inline void DomainState<kMaxVcs, kPackets, kCuts, kMaxPorts, kOrderFree>::wake_node(
    uint32_t n, uint32_t now) {
  if (!nodes_[n].blocked) return;
  nodes_[n].blocked = false;
  --blocked_;
  schedule_node(n, now);
}

template <int kMaxVcs, bool kPackets, bool kCuts, int kMaxPorts, bool kOrderFree>
ODONATA_COLD void DomainState<kMaxVcs, kPackets, kCuts, kMaxPorts, kOrderFree>::for_each_flit(
    const std::function<void(const Flit& flit, size_t port)>& see) const {
  for (const InputPort& port : inputs_) {
    for (uint32_t v = 0; v < static_cast<uint32_t>(vcs_); ++v) {
      const InputVc& in = port.vcs[v];
      for (uint32_t k = 0; k < in.count; ++k)
        see(flits_[slot(port, v, (in.head + k) & mask(port))], whole_port(index_of(port)));
    }
  }
  for (const Between& link : between_) {
    for (uint32_t i = link.next_late; i != link.end_late; ++i) see(late_[i].flit, whole_port(link.port));
  }
  const auto show = [&](const Arrival& a) { see(a.flit, whole_port(a.input_vc >> kShift)); };
  queued_arrivals_.for_each(show);
  arrivals_.for_each(show);
}

template <int kMaxVcs, bool kPackets, bool kCuts, int kMaxPorts, bool kOrderFree>
uint64_t DomainState<kMaxVcs, kPackets, kCuts, kMaxPorts, kOrderFree>::unsent_packets() const {
  return static_cast<uint64_t>(
      std::count_if(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.left != 0; }));
}

template <int kMaxVcs, bool kPackets, bool kCuts, int kMaxPorts, bool kOrderFree>
ODONATA_COLD void DomainState<kMaxVcs, kPackets, kCuts, kMaxPorts, kOrderFree>::for_each_output_vc(
    const std::function<void(size_t port, int vc, uint32_t credits)>& see) const {
  for (uint32_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i].kind != LinkKind::inside && outputs_[i].kind != LinkKind::between) continue;
    for (int v = 0; v < vcs_; ++v) see(whole_port(i), v, output_credits_[(i << kShift) + static_cast<uint32_t>(v)]);
  }
}

template <int kMaxVcs, bool kPackets, bool kCuts, int kMaxPorts, bool kOrderFree>
ODONATA_COLD void DomainState<kMaxVcs, kPackets, kCuts, kMaxPorts, kOrderFree>::for_each_credit(
    const std::function<void(size_t port, int vc)>& see) const {
  const auto show = [&](uint32_t event) {
    const uint32_t vc = event & ~kTailBit;
    see(whole_port(vc >> kShift), static_cast<int>(vc & (kStride - 1)));
  };
  credits_.for_each(show);
  queued_credits_.for_each(show);
}

template <int kMaxVcs, bool kPackets, bool kCuts, int kMaxPorts, bool kOrderFree>
size_t DomainState<kMaxVcs, kPackets, kCuts, kMaxPorts, kOrderFree>::state_bytes() const {
  return flits_.bytes() + output_credits_.size() * sizeof(uint16_t) +
         inputs_.size() * (sizeof(InputPort) + sizeof(OutputPort)) + nodes_.size() * sizeof(Node) + arrivals_.bytes() +
         queued_arrivals_.bytes() + arrivals_between_.bytes() + credits_.bytes() + queued_credits_.bytes() +
         injections_.bytes() + sizeof(LatencyHistogram) + 65536;
}

template <int kMaxVcs, bool kPackets, bool kCuts, int kMaxPorts, bool kOrderFree>
template <class Visit, class Item>
void DomainState<kMaxVcs, kPackets, kCuts, kMaxPorts, kOrderFree>::visit_built(Visit&& visit, std::vector<Item>& list,
                                                                               const char* what) {
  if constexpr (!kReadsState<Visit>) {
    visit(list);
  } else {
    std::vector<Item> read;
    visit(read);
    const auto same = [](const Item& a, const Item& b) { return a.built() == b.built(); };
    expect_state(std::equal(list.begin(), list.end(), read.begin(), read.end(), same), what);
    list.swap(read);
  }
}

/// What the parts say together is looked at by Domain::check_state().
template <int kMaxVcs, bool kPackets, bool kCuts, int kMaxPorts, bool kOrderFree>
template <class Visit>
void DomainState<kMaxVcs, kPackets, kCuts, kMaxPorts, kOrderFree>::visit_state(Visit&& visit) {
  flits_.visit_state(visit);
  visit(now_);
  visit_built(visit, inputs_, "input ports"), visit_built(visit, outputs_, "output ports");
  visit_sized(visit, output_credits_, "credits of outputs");
  visit_sized(visit, waiting_, "ports with a packet"), visit_sized(visit, asleep_, "ports with a packet");
  visit_built(visit, nodes_, "nodes");
  for (Between& link : between_) visit(link.next_late), visit(link.end_late);
  visit(late_);
  arrivals_.visit_state(visit), queued_arrivals_.visit_state(visit), arrivals_between_.visit_state(visit),
      credits_.visit_state(visit), queued_credits_.visit_state(visit);
  injections_.visit_state(visit), visit(blocked_);
}

}  // namespace odonata::network
