// SPDX-License-Identifier: Apache-2.0
// The routers of one domain, cycle by cycle: the hot loop of the engine. docs/network.md §2 is the specification, §3 says how the data lie.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/network/domain_state.h"
#include "sim/network/fault_feed.h"
#include "sim/network/packet_watch.h"
#include "sim/network/prefetch.h"
#include "sim/network/profile.h"
#include "sim/network/route_pipe.h"
#include "sim/network/simulation.h"
#include "sim/network/statistics.h"

namespace odonata::network {

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

/// Packets can be cut in two. A name, because g++ 12 cannot mangle a requires-expression in a base class.
template <class Policy, bool kPackets>
inline constexpr bool kCuts = kPackets&& requires {
  Policy::kFaults;
};

/// One domain. `kPackets`: packets of several flits (otherwise every flit is a packet, and what only they need is compiled out).
template <class Policy, class Source, bool kPackets>
class Domain : public DomainState<Policy::kMaxVcs, kPackets, kCuts<Policy, kPackets>, max_ports<Policy>()> {
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

  // Looking at everything that waits, between windows.
  /// Whether the output VCs that are held are those of packets that are partly through, and no packet is arriving over a dead link.
  bool channels_kept() const;
  /// Packets created before `cycle` that wait in source queues; those of the sample; the sample of the processes ends with `cycle`.
  /// Packets in source queues; of the sample only those of nodes that can inject.
  struct Waiting {
    uint64_t packets = 0, sampled = 0, sampled_flits = 0, age = 0;
  };
  Waiting waiting(uint32_t cycle) const;
  /// Whether a packet of the sample waits in the source queue of a node that can inject.
  bool sample_waits() const;
  /// What the head packet of an input VC waits for, as the input VC at the other end: router over all domains, port, VC.
  struct Wait {
    bool blocked = false;
    uint32_t router = 0;
    uint8_t port = 0, vc = 0, out_port = 0;
    uint32_t dest = 0;
  };
  Wait waits_for(int router, int port, int vc) const;

  size_t bytes() const { return State::bytes() + policy_.bytes(); }
  template <class Visit>
  void visit_state(Visit&& visit) {
    State::visit_state(visit);
    policy_.visit_state(visit);
    pipe_.visit_state(visit);
    statistics_.visit_state(visit);
  }

 private:
  using State = DomainState<Policy::kMaxVcs, kPackets, kCuts<Policy, kPackets>, max_ports<Policy>()>;
  using State::arrivals_;
  using State::arrivals_between_;
  using State::between_;
  using State::blocked_;
  using State::clear_ready;
  using State::context_;
  using State::credits_;
  using State::cuts_;
  using State::first;
  using State::flits_;
  using State::freed_;
  using State::index_of;
  using State::injections_;
  using State::inputs_;
  using State::kBroken;
  using State::kDropped;
  using State::kinds_;
  using State::kShift;
  using State::kStride;
  using State::kTailBit;
  using State::kUnusual;
  using State::late_;
  using State::later_;
  using State::latest;
  using State::leave_slot;
  using State::nodes_;
  using State::now_;
  using State::number_;
  using State::output_credits_;
  using State::outputs_;
  using State::partly_through;
  using State::place_of;
  using State::ports_;
  using State::queued_arrivals_;
  using State::queued_credits_;
  using State::routers_;
  using State::schedule_node;
  using State::set_ready;
  using State::slot;
  using State::usual_latency_;
  using State::vcs_;
  using State::waiting_;
  using State::wake_node;
  using State::whole_port;
  using typename State::Arrival;
  using typename State::Between;
  using typename State::Freed;
  using typename State::InputPort;
  using typename State::InputVc;
  using typename State::Node;
  using typename State::OutputPort;
  using typename State::PortBits;
  using typename State::PortKinds;
  using typename State::RouterState;
  static constexpr bool kFaults = requires { Policy::kFaults; };
  static constexpr bool kPiped = requires { Policy::kPiped; };
  static constexpr bool kCuts = kFaults && kPackets;  // packets can be cut in two
  static constexpr uint32_t kKeptDrop = 0x3FFF;       // in Flit::via

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
  void inject(uint32_t n, uint32_t now);
  void count_injection(const Packet& packet);
  bool may_inject(Node& node, bool first, Random& random);
  bool is_silent(const Node& node) const;  // its link or router is dead
  void serve_faults(uint32_t now);
  void empty_router(int router, uint32_t now);
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
  void drop_picked(InputPort& port, uint32_t vc);
  void take_route(uint32_t input_vc, const Route& route);
  bool route_head(InputPort& port, uint32_t index, uint32_t vc, Flit& flit);
  bool route_next_head(InputPort& port, uint32_t vc);
  void drop_flit(InputPort& port, uint32_t vc);
  void leave_buffer(InputPort& port, uint32_t vc, bool tail);
  void switch_router(int router, uint32_t now);
  PortBits ask_outputs(const RouterState& r, uint32_t now);
  bool can_move(const InputPort& port, uint32_t vc, const OutputPort& out, uint32_t route, uint32_t credits, uint32_t now) const;
  bool fifo_has_room(const OutputPort& out, uint32_t now) const;
  int choose_vc(const RouterState& r, const InputPort& port, uint32_t now) const;
  int ask_policy(const RouterState& r, InputPort& port, uint32_t now);
  template <LinkKind kKind>
  void grant_all(const RouterState& r, PortBits outputs, uint32_t now);
  template <LinkKind kKind>
  void grant(const RouterState& r, int input_port, int output_port, uint32_t now);
  void tell_freed(uint32_t now);
  /// Of a flit at an output, in cycles: granted, leaves the FIFO, first on the link (later than the next cycle when FDs or FRs take the slots).
  struct Times {
    uint32_t granted, departed, departure;
  };
  template <LinkKind kKind>
  void forward(const RouterState& r, const Flit& flit, int input_port, uint32_t route, const Times& at);
  void deliver(const Flit& flit, const OutputPort& out, uint32_t departure);
  const Source& source_;
  Post& post_;
  Outbox* outbox_ = nullptr;  // of the thread that runs the present window
  uint32_t window_last_ = 0;
  uint32_t first_end_ = 0;  // number of the first link's end in the post
  bool cut_through_, records_ = false;
  int fifo_, phases_;
  bool at_arrival_;  // RouteCompute::arrival
  uint32_t sample_first_, sample_length_;
  bool in_sample_ = false;  // the present cycle
  Policy policy_;
  Statistics statistics_;
  std::conditional_t<kPiped, RoutePipe, NoRoutePipe> pipe_;
  std::array<PortBits, max_ports<Policy>()> asking_{};  // by output of the router in hand: input ports, in this phase
  std::array<Choice, max_ports<Policy>()> choices_;     // by input port
  std::vector<Delivery> deliveries_;
};

}  // namespace odonata::network

#include "sim/network/domain_faults.h"  // IWYU pragma: export
#include "sim/network/domain_nodes.h"   // IWYU pragma: export
#include "sim/network/domain_pipe.h"    // IWYU pragma: export
#include "sim/network/domain_run.h"     // IWYU pragma: export
#include "sim/network/domain_switch.h"  // IWYU pragma: export
#include "sim/network/domain_waits.h"   // IWYU pragma: export
