// SPDX-License-Identifier: Apache-2.0
// The routers of one domain, cycle by cycle: the hot loop of the engine. docs/network.md §2 is the specification, §3 says how the data lie.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/common/append_list.h"
#include "models/common/bits.h"
#include "models/common/calendar.h"
#include "models/common/delay_line.h"
#include "models/common/random.h"
#include "sim/network/fault_feed.h"
#include "sim/network/mail.h"
#include "sim/network/packet_watch.h"
#include "sim/network/policy.h"
#include "sim/network/prefetch.h"
#include "sim/network/profile.h"
#include "sim/network/route_pipe.h"
#include "sim/network/simulation.h"
#include "sim/network/statistics.h"
#include "sim/network/traffic_source.h"

namespace odonata::network {

#if defined(ODONATA_CHECK) || !defined(NDEBUG)
inline constexpr bool kCheck = true;
#else
inline constexpr bool kCheck = false;
#endif

/// A window of cycles first..last-1, at most as many as the lookahead.
struct Window {
  uint32_t first = 0, last = 0;
  size_t half = 0;  ///< of the post, which is written; the other one is read
};

/// What the domains of a thread use one after the other.
struct Scratch {
  Outbox outbox;
  Prefetch prefetch;
};

/// One domain. `kPackets`: packets of several flits (otherwise every flit is a packet, and what only they need is compiled out).
template <class Policy, class Source, bool kPackets>
class Domain {
 public:
  static constexpr bool kChecked = kCheck || requires { Policy::kChecked; };  ///< invariants are checked

  Domain(const Context& context, int number, const Source& source, Post& post);

  /// Runs a window. `next`: the domain that this thread runs next (or null), whose memory is asked for meanwhile.
  void run(const Window& window, Scratch& scratch, const Domain* next);

  /// From now on deliveries are kept until take_deliveries() hands them over.
  void record_deliveries() { records_ = true; }
  void take_deliveries(const std::function<void(const Delivery&)>& see) {
    for (const Delivery& d : deliveries_) see(d);
    deliveries_.clear();
  }

  const Statistics& statistics() const { return statistics_; }
  Policy& policy() { return policy_; }
  const Policy& policy() const { return policy_; }
  int number() const { return number_; }

  // Looking at everything that waits, between windows.
  /// Every flit in a buffer or on a link: visit(flit, port index over all domains of the buffer).
  template <class Visit>
  void for_each_flit(Visit visit) const;
  /// Whether the output VCs that are held are those of packets that are partly through, and no packet is arriving over a dead link.
  bool channels_kept() const;
  /// Packets whose tail has not entered the network but whose head has.
  uint64_t unsent_packets() const;
  /// Packets created before `cycle` that wait in source queues; those of the sample; the sample of the processes ends with `cycle`.
  /// Packets in source queues; of the sample only those of nodes that can inject.
  struct Waiting {
    uint64_t packets = 0, sampled = 0, sampled_flits = 0, age = 0;
  };
  Waiting waiting(uint32_t cycle) const;
  /// Whether a packet of the sample waits in the source queue of a node that can inject.
  bool sample_waits() const;
  /// Flits that were granted to an output in the sample.
  uint32_t carried(int output) const { return outputs_[output].carried; }
  /// What the head packet of an input VC waits for, as the input VC at the other end: router over all domains, port, VC.
  struct Wait {
    bool blocked = false;
    uint32_t router = 0;
    uint8_t port = 0, vc = 0, out_port = 0;
    uint32_t dest = 0;
  };
  Wait waits_for(int router, int port, int vc) const;
  int vcs() const { return vcs_; }
  /// Credits that outputs have: visit(port index over all domains, vc, credits).
  template <class Visit>
  void for_each_output_vc(Visit visit) const;
  /// Credits that are on their way to outputs of this domain: visit(port index over all domains, vc).
  template <class Visit>
  void for_each_credit(Visit visit) const;

  size_t bytes() const;
  template <class Visit>
  void visit_state(Visit&& visit);

 private:
  static constexpr int kStride = Policy::kMaxVcs;
  static constexpr int kShift = std::countr_zero(static_cast<unsigned>(kStride));
  static constexpr uint32_t kTailBit = 1u << 31;
  static constexpr bool kFaults = requires { Policy::kFaults; };
  static constexpr bool kPiped = requires { Policy::kPiped; };
  static constexpr bool kCuts = kFaults && kPackets;  // packets can be cut in two
  static constexpr uint16_t kDropped = 0xFFFF;
  static constexpr uint8_t kBroken = 0xFF;
  static constexpr uint8_t kUnusual = 4;         // links inside with another latency than most
  static constexpr uint32_t kKeptDrop = 0x3FFF;  // in Flit::via

  /// An input virtual channel: a ring of flits, and the route of its first packet.
  struct InputVc {
    uint16_t head = 0, count = 0;
    uint16_t route = 0;  // output port << kShift | vc, or kDropped
    uint8_t next = 0;    // kCuts: index of the next flit of the packet that is arriving; 0: none is
    uint8_t handed = 0;  // kCuts: flits of the first packet that its node has taken, or kBroken
  };
  /// A flit on a link.
  struct Arrival {
    Flit flit;
    uint32_t input_vc = 0;
  };
  /// An input port with its VCs: one cache line with 4 of them. Their rings lie slot by slot, the VCs of a slot side by side: as long as nothing
  /// queues, the first slot is all that is touched.
  struct alignas(64) InputPort {
    uint32_t upstream = 0;  // << kShift: inside: index of the output at the other end; between: number in between_; node: number in the domain
    uint32_t ring = 0;      // of VC 0 in flits_
    uint16_t mask = 0;      // slots of a ring - 1
    uint16_t buffer = 0;    // flits of a VC
    uint16_t latency = 0;
    uint16_t ready = 0;    // VCs whose first packet has a route (asking policies: has a head)
    uint16_t pointer = 0;  // round-robin
    uint16_t router = 0;
    uint8_t port = 0;
    LinkKind kind = LinkKind::none;
    uint8_t freed = 0;  // in freed_: who hears of its slots
    std::array<InputVc, kStride> vcs{};
  };
  struct OutputPort {
    uint32_t free = 0;     // first cycle in which the link is not taken yet
    uint32_t target = 0;   // inside: index of VC 0 of the input at the other end; between: number in between_; node: its address
    uint32_t carried = 0;  // flits in the sample
    uint16_t latency = 0;
    uint16_t pointer = 0;  // round-robin
    uint16_t held = 0;     // VCs that a packet holds
    LinkKind kind = LinkKind::none;
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
    uint8_t left = 0;  // flits of `current` to inject
    uint8_t vc = 0;
    bool blocked = false;  // no VC has room
    bool scheduled = false;
  };

  /// Slots that became free, as InputPort::upstream + VC, kTailBit: whoever waits for them hears of it at the end of the cycle, one kind of link
  /// after the other (in each grant it would be a branch that nobody can predict).
  using Freed = AppendList<uint32_t>;

  /// What an input port of the router in hand asks for in this phase.
  class Choice {  // one word, because a reader of all the fields would wait for stores of each
   public:
    Choice() = default;
    Choice(size_t flit, uint16_t route, int vc) : word_(flit | static_cast<uint64_t>(route) << 32 | static_cast<uint64_t>(vc) << 48) {}
    uint32_t flit() const { return static_cast<uint32_t>(word_); }  // in flits_
    uint32_t route() const { return static_cast<uint16_t>(word_ >> 32); }
    uint32_t vc() const { return static_cast<uint32_t>(word_ >> 48); }

   private:
    uint64_t word_ = 0;
  };

  /// What an asking policy may look at: the outputs of one router as they are in this phase.
  class Outputs {
   public:
    Outputs(const Domain& domain, uint32_t base) : domain_(domain), base_(base) {}
    /// Free flit slots of a VC behind an output.
    int credits(int port, int vc) const { return domain_.output_credits_[(index(port) << kShift) + static_cast<uint32_t>(vc)]; }
    /// Whether a packet holds a VC of an output.
    bool held(int port, int vc) const { return (domain_.outputs_[index(port)].held >> vc & 1) != 0; }
    /// Flit slots of a VC behind an output.
    int buffer(int port) const { return domain_.inputs_[index(port)].buffer; }
    int vcs() const { return domain_.vcs_; }

   private:
    uint32_t index(int port) const { return base_ + static_cast<uint32_t>(port); }
    const Domain& domain_;
    uint32_t base_;
  };

  Wait waits_by_asking(int router, int port, int vc) const;
  /// The ports of a router that lead to nodes, to routers inside the domain, to other domains.
  struct PortKinds {
    uint64_t node = 0, inside = 0, between = 0;
  };
  /// The arrays of one router, by port; credits by port << kShift | vc.
  struct RouterState {
    uint32_t base;  // port index of port 0
    int router;
    InputPort* inputs;
    OutputPort* outputs;
    uint16_t* credits;
  };
  /// A link to another domain. Its flits stay in the post until they arrive; those that are due after the window are kept for the next.
  struct Between {
    uint32_t port = 0;    // port index
    uint32_t sender = 0;  // the other domain
    uint32_t latency = 0;
    uint32_t next_late = 0;  // in late_: first those that were kept
    uint32_t end_late = 0;
    const FlitMessage* next = nullptr;
    const FlitMessage* end = nullptr;
  };

  void build(const Source& source);
  void build_port(int router, int port, uint32_t& flits);
  void collect_mail(const Window& window);
  void collect_flits(uint32_t link, std::span<const FlitMessage> fresh);
  void keep_late_mail();
  void arrive_from(Between& link);
  void list_memory(Prefetch& out, size_t half) const;
  void wake_nodes(uint32_t first, uint32_t last);
  void cycle(uint32_t now);
  /// For benchmarks: what comes next.
  [[gnu::always_inline]] static void enter([[maybe_unused]] Part part) {
    if constexpr (requires { Policy::profile; }) Policy::profile.enter(part);
  }
  void give_credit(uint32_t event);
  void arrive(uint32_t input_vc, const Flit& flit);
  void schedule_node(uint32_t n, uint32_t cycle);
  void inject(uint32_t n, uint32_t now);
  void count_injection(const Packet& packet);
  bool may_inject(Node& node, bool first, Random& random);
  bool is_silent(const Node& node) const;  // its link or router is dead
  void serve_faults(uint32_t now);
  void empty_router(int router, uint32_t now);
  void wake_node(uint32_t n, uint32_t now);
  bool lose_arrival(uint32_t input_vc, const Flit& flit, uint32_t now);
  bool joins_packet(InputPort& port, uint32_t vc, const Flit& flit);
  void cut_packets(uint32_t index);
  void cut_packet(InputPort& port, uint32_t vc);
  void abandon_packet(Node& node);
  bool hand_over(InputVc& in, const Flit& flit, bool open);
  void lose(const Flit& flit, uint32_t cycle);
  void serve_pipe(uint32_t now);
  void ask_at_arrival(const InputPort& port, uint32_t vc, uint32_t position, Flit& flit);
  void keep_route(const RoutePipe::Request& request);
  bool start_head(InputPort& port, uint32_t vc);
  void take_route(uint32_t input_vc, const Route& route);
  Place place_of(uint32_t input_vc) const {
    const InputPort& port = inputs_[input_vc >> kShift];
    return {port.router, port.port, static_cast<int>(input_vc & (kStride - 1)), input_vc >> kShift};
  }
  bool route_head(InputPort& port, uint32_t index, uint32_t vc, Flit& flit);
  bool route_next_head(InputPort& port, uint32_t vc);
  void set_ready(InputPort& port, uint32_t vc);
  void clear_ready(InputPort& port, uint32_t vc);
  void drop_flit(InputPort& port, uint32_t vc);
  void leave_buffer(InputPort& port, uint32_t vc, bool tail);
  void switch_router(int router, uint32_t now);
  uint64_t ask_outputs(const RouterState& r, uint32_t now);
  bool can_move(const InputPort& port, uint32_t vc, const OutputPort& out, uint32_t route, uint32_t credits, uint32_t now) const;
  bool fifo_has_room(const OutputPort& out, uint32_t now) const;
  int choose_vc(const RouterState& r, const InputPort& port, uint32_t now) const;
  int ask_policy(const RouterState& r, InputPort& port, uint32_t now);
  template <LinkKind kKind>
  void grant_all(const RouterState& r, uint64_t outputs, uint32_t now);
  template <LinkKind kKind>
  void grant(const RouterState& r, int input_port, int output_port, uint32_t now);
  void leave_slot(const InputPort& port, uint32_t vc, bool tail) { freed_[port.freed].add((port.upstream + vc) | (tail ? kTailBit : 0)); }
  void tell_freed(uint32_t now);
  /// Of a flit at an output, in cycles: granted, leaves the FIFO, first on the link (later than the next cycle when FDs or FRs take the slots).
  struct Times {
    uint32_t granted, departed, departure;
  };
  template <LinkKind kKind>
  void forward(const RouterState& r, const Flit& flit, int input_port, uint32_t route, const Times& at);
  void deliver(const Flit& flit, const OutputPort& out, uint32_t departure);
  size_t whole_port(uint32_t index) const { return static_cast<size_t>(number_) * routers_ * ports_ + index; }  // over all domains
  uint32_t index_of(const InputPort& port) const { return static_cast<uint32_t>(&port - inputs_.data()); }
  /// `position` in the ring, 0..mask.
  size_t slot(const InputPort& port, uint32_t vc, uint32_t position) const { return port.ring + position * static_cast<uint32_t>(vcs_) + vc; }
  Flit& first(const InputPort& port, uint32_t vc) { return flits_[slot(port, vc, port.vcs[vc].head)]; }
  const Flit& first(const InputPort& port, uint32_t vc) const { return flits_[slot(port, vc, port.vcs[vc].head)]; }
  /// The flit that arrived last, also when it has left.
  const Flit& latest(const InputPort& port, uint32_t vc) const {
    return flits_[slot(port, vc, (port.vcs[vc].head + port.vcs[vc].count - 1u) & port.mask)];
  }
  /// Whether an input VC holds an output VC: the head of its first packet has gone on and the tail has not.
  bool partly_through(const InputPort& port, uint32_t vc) const {
    const InputVc& in = port.vcs[vc];
    return in.route != kDropped && (in.count != 0 ? !first(port, vc).head() : in.next != 0);
  }

  const Context& context_;
  const Source& source_;
  Post& post_;
  Outbox* outbox_ = nullptr;  // of the thread that runs the present window
  int number_, routers_, ports_, vcs_;
  uint32_t window_last_ = 0, now_ = 0;
  uint32_t first_end_ = 0;  // number of the first link's end in the post
  bool cut_through_, records_ = false;
  int fifo_, phases_;
  bool at_arrival_;  // RouteCompute::arrival
  uint32_t sample_first_, sample_length_;
  bool in_sample_ = false;  // the present cycle
  Policy policy_;
  Statistics statistics_;
  std::conditional_t<kPiped, RoutePipe, NoRoutePipe> pipe_;
  std::vector<Flit> flits_;        // all rings
  std::vector<InputPort> inputs_;  // [port index]
  std::vector<OutputPort> outputs_;
  std::vector<uint16_t> output_credits_;   // [port index << kShift | vc]
  std::vector<uint64_t> waiting_;          // by router: input ports with a ready VC
  std::vector<PortKinds> kinds_;           // by router
  std::array<uint64_t, 64> asking_{};      // by output of the router in hand: input ports, in this phase
  std::array<Choice, 64> choices_;         // by input port
  std::vector<Between> between_;           // in the order of the ports, as in the post
  std::vector<FlitMessage> late_, later_;  // by link: arrive in this window though sent before the last one; kept for the next
  std::vector<Node> nodes_;
  uint32_t blocked_ = 0;                    // nodes without room
  uint32_t usual_latency_;                  // of the links inside
  DelayLine<Arrival> arrivals_;             // over links inside, of flits that take the usual time: that did not wait in the output FIFO
  BasicCalendar<Arrival> queued_arrivals_;  // of the others
  Calendar arrivals_between_;               // over the others: number in between_
  DelayLine<uint32_t> credits_;             // of links inside: output VC index, kTailBit
  Calendar queued_credits_;                 // of links with another latency, and of those between domains
  Calendar injections_;                     // node
  std::array<Freed, 5> freed_;              // by LinkKind of the input port, and kUnusual: slots that became free in this cycle
  std::vector<uint32_t> cuts_;              // input ports whose link went down in this cycle
  std::vector<Delivery> deliveries_;
};

}  // namespace odonata::network

#include "sim/network/domain_impl.h"  // IWYU pragma: export
