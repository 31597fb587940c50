// SPDX-License-Identifier: Apache-2.0
// The routers of one domain, cycle by cycle: the hot loop of the engine. docs/network.md §2 is the specification, §3
// says how the data lie.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#if defined(__AVX512BW__) && defined(__AVX512VL__)
#include <immintrin.h>
#endif

#include "sim/network/any_domain.h"
#include "sim/network/domain_state.h"
#include "sim/network/fault_feed.h"
#include "sim/network/monitor_backlog.h"
#include "sim/network/packet_watch.h"
#include "sim/network/profile.h"
#include "sim/network/route_pipe.h"

namespace odonata::network {

/// Packets can be cut in two. A name, because g++ 12 cannot mangle a requires-expression in a base class.
template <class Policy, bool kPackets>
inline constexpr bool kCuts = kPackets&& requires {
  Policy::kFaults;
};

/// Whether the requests of a cycle at different ports may be made in any order (policy.h).
template <class Policy>
constexpr bool order_free() {
  if constexpr (requires { Policy::kOrderFree; }) return Policy::kOrderFree;
  return false;
}

/// Whether a policy hands out batches that are its own: those of a base class would pass by what the policy changes in
/// route().
template <class Policy>
constexpr bool own_batch() {
  if constexpr (requires { typename Policy::Batch::Of; }) return std::is_same_v<typename Policy::Batch::Of, Policy>;
  return false;
}

/// Where nothing is decided on arrival.
struct NoBatch {
  void finish() {}
};

/// One domain. `kPackets`: packets of several flits (otherwise every flit is a packet, and what only they need is
/// compiled out).
template <class Policy, class Source, bool kPackets>
class Domain final : public DomainState<Policy::kMaxVcs, kPackets, kCuts<Policy, kPackets>, max_ports<Policy>(),
                                        order_free<Policy>()> {
 public:
  static constexpr bool kChecked = kCheck || requires { Policy::kChecked; };  ///< invariants are checked

  Domain(const Context& context, int number, const Source& source, Post& post);

  void find_ends(const Post& post) override;
  void run(const Window& window, Scratch& scratch, const AnyDomain* next) override;
  void list_memory(Prefetch& out, size_t half) const override;

  void record_deliveries() override { records_ = sees_deliveries_ = true; }
  void take_deliveries(const std::function<void(const Delivery&)>& see) override {
    for (const Delivery& d : deliveries_) see(d);
    deliveries_.clear();
  }

  const Statistics& statistics() const override { return statistics_; }
  const Nics* nics() const override { return nics_.get(); }
  void add_counts(Result& out) const override;
  bool tables_ok() const override;
  FaultResult fault_result(uint32_t now) const override;
  size_t bytes() const override { return State::state_bytes() + policy_.bytes(); }

  using typename AnyDomain::Wait;
  using typename AnyDomain::Waiting;
  bool channels_kept() const override;
  Waiting waiting(uint32_t cycle) const override;
  bool sample_waits() const override;
  Wait waits_for(int router, int port, int vc) const override;
  std::string describe_wait(int router, int port, int vc, const Wait& wait) const override;

  void visit_state(StateWriter& to) override { visit_parts(to); }
  void visit_state(StateReader& from) override { visit_parts(from); }
  void check_state(const Addresses& addresses, uint32_t now, size_t half) const override;
  uint32_t last_due(uint32_t k, size_t half) const override;
  uint32_t last_sent(uint32_t k) const override {
    const OutputPort& out = outputs_[between_[k].port];
    return out.free + out.latency;
  }
  uint32_t first_end() const override { return first_end_; }

 private:
  using State =
      DomainState<Policy::kMaxVcs, kPackets, kCuts<Policy, kPackets>, max_ports<Policy>(), order_free<Policy>()>;
  using State::arrivals_;
  using State::arrivals_between_;
  using State::asleep_;
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
  using State::kShortWait;
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
  using State::rings_;
  using State::routers_;
  using State::schedule_node;
  using State::set_ready;
  using State::slot;
  using State::usual_latency_;
  using State::vcs_;
  using State::waiting_;
  using State::wake_node;
  using State::whole_port;
  using typename State::Arrays;
  using typename State::Arrival;
  using typename State::Between;
  using typename State::Freed;
  using typename State::InputPort;
  using typename State::InputVc;
  using typename State::Node;
  using typename State::OutputPort;
  using typename State::PortBits;
  using typename State::Rings;
  static constexpr bool kFaults = requires { Policy::kFaults; };
  static constexpr bool kPiped = requires { Policy::kPiped; };
  static constexpr bool kAtArrival = requires { Policy::kAtArrival; };      // heads are routed when they arrive
  static constexpr bool kInPortOrder = requires { Policy::kInPortOrder; };  // the grants of a router to its links
  static constexpr bool kWatched = kPiped || kAtArrival;
  // The data path of the hardware (docs/router.md §2): a packet has a virtual channel of a node port for itself, too,
  // a head waits for the room of the longest packet, monitors count flits and take two credits a VC and cycle.
  static constexpr bool kHeldNodes = kPiped && kPackets;
  static constexpr bool kCuts = kFaults && kPackets;  // packets can be cut in two
  static constexpr bool kOneByOne = kWatched || !order_free<Policy>() || requires {
    Policy::kDrops;
  };                                             // one switch after the other
  static constexpr uint32_t kKeptDrop = 0x3FFF;  // in Flit::via
  // A port that has asked in vain is not asked again before a credit has come or a channel has become free at its
  // router, or it has another head.
  static constexpr bool kSleeps = Policy::kAsks && !kFaults && max_ports<Policy>() <= 64 && requires(const Policy& p) {
    p.steady();
  };

  /// What an asking policy may look at: the outputs of one router as they are in this phase.
  class Outputs {
   public:
    Outputs(const Domain& domain, uint32_t base) : domain_(domain), base_(base) {}
    /// Free flit slots of a VC behind an output.
    int credits(int port, int vc) const {
      return domain_.output_credits_[(index(port) << kShift) + static_cast<uint32_t>(vc)];
    }
    /// The VCs (bits) of an output with at least `least` free flit slots that no packet holds.
    uint32_t open(int port, int least) const {
      const uint16_t* const credits = &domain_.output_credits_[index(port) << kShift];
      uint32_t out = 0;
#if defined(__AVX512BW__) && defined(__AVX512VL__)
      if constexpr (kStride == 8) {
        out = _mm_cmpge_epu16_mask(_mm_loadu_si128(reinterpret_cast<const __m128i*>(credits)),
                                   _mm_set1_epi16(static_cast<int16_t>(least)));
        return out & ~uint32_t{domain_.outputs_[index(port)].held};
      }
#endif
      for (int v = 0; v != kStride; ++v) out |= static_cast<uint32_t>(credits[v] >= least) << v;
      return out & ~uint32_t{domain_.outputs_[index(port)].held};
    }
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

  template <class Visit>
  void visit_parts(Visit& visit) {
    State::visit_state(visit);
    policy_.visit_state(visit);
    if (nics_) nics_->visit_state(visit);
    pipe_.visit_state(visit);
    backlog_.visit_state(visit);
    statistics_.visit_state(visit);
  }
  void check_flit(const Flit& flit, uint32_t input_vc, const Addresses& addresses, uint32_t now) const;
  void check_buffers(const Addresses& addresses, uint32_t now) const;
  void check_routes(const InputPort& port, uint32_t v) const;
  bool is_route(const InputPort& port, uint32_t route) const;
  bool leads_on(const InputPort& port, uint32_t v, const Flit& flit, uint32_t route) const;
  static bool follows(const Flit& before, const Flit& flit);
  bool is_sending(const Node& node) const;
  void check_outputs(uint32_t now) const;
  void check_nodes(const Addresses& addresses, uint32_t now) const;
  /// A flit that comes to an input VC.
  struct UnderWay {
    uint32_t input_vc, due;
    const Flit* flit;
  };
  void check_arrivals(const Addresses& addresses, uint32_t now, std::vector<UnderWay>& under_way) const;
  void check_mail(const Addresses& addresses, uint32_t now, size_t half, std::vector<UnderWay>& under_way) const;
  void check_order(std::vector<UnderWay>& under_way, uint32_t now) const;
  const Flit* came_last(uint32_t input_vc) const;
  bool was_cut(uint32_t input, uint32_t now) const;
  void check_credits() const;
  void check_pipe() const;
  Wait waits_by_asking(int router, int port, int vc) const;
  void collect_mail(const Window& window);
  void begin_round(uint32_t now);
  void keep_late_mail();
  void wake_nodes(uint32_t first, uint32_t last);
  void cycle(uint32_t now);
  /// For benchmarks: what comes next.
  [[gnu::always_inline]] static void enter([[maybe_unused]] Part part) {
    if constexpr (requires { Policy::profile; }) Policy::profile.enter(part);
  }
  void give_credit(uint32_t event);
  /// What decides the routes of packets that come in one cycle.
  auto batch() {
    if constexpr (Policy::kAsks || kPiped) {
      return NoBatch{};
    } else if constexpr (own_batch<Policy>()) {
      return policy_.batch();
    } else {
      return OneByOne<Policy>(policy_);
    }
  }
  void arrive_all(uint32_t now);
  template <LinkKind kFrom, class Batch>
  void arrive(const Arrays& all, Batch& batch, uint32_t input_vc, const Flit& flit);
  void inject_all(uint32_t now);
  /// Injections of a cycle.
  struct Injected {
    uint64_t packets = 0, flits = 0, sum = 0, sampled = 0, sampled_flits = 0;
  };
  template <class Batch>
  void inject(const Arrays& all, Batch& batch, Injected& injected, uint32_t n, uint32_t now);
  void run_programs(uint32_t now);
  void take_packet(uint32_t n, uint32_t now, Packet& packet);
  void see_delivery(const Flit& flit, const OutputPort& out, uint32_t departure);
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
  void forget_program_packet();
  void serve_pipe(uint32_t now);
  void ask_at_arrival(const InputPort& port, uint32_t vc, uint32_t position, Flit& flit);
  void keep_route(const RoutePipe::Request& request);
  void route_arrival(const InputPort& port, uint32_t vc, Flit& flit);
  static Route kept_route(const Flit& flit);
  bool start_head(InputPort& port, uint32_t vc);
  void drop_picked(InputPort& port, uint32_t vc);
  void take_route(uint32_t input_vc, const Route& route);
  template <LinkKind kFrom, class Batch>
  bool route_head(const Arrays& all, Batch& batch, InputPort& port, uint32_t index, uint32_t vc, Flit& flit);
  void expect_output(int router, int port, int vc) const;
  [[noreturn]] void refuse_output(int router, int port, int vc) const;
  bool route_next_head(InputPort& port, uint32_t vc);
  void drop_flit(InputPort& port, uint32_t vc);
  void leave_buffer(InputPort& port, uint32_t vc, bool tail);
  /// What the switch must know of the present cycle.
  struct Moment {
    uint32_t now;
    uint32_t latest_free;  // OutputPort::free of an output FIFO that has room
    uint32_t usual_latency;
    bool in_sample;
  };
  /// Where grants put what they cause.
  struct Grants {
    typename BucketLine<Arrival>::Writer arrivals;
    FreedByGrants::Ends freed;
    Outbox::Writer<FlitMessage> flits;  // to other domains
  };
  /// Of a flit at an output, in cycles: leaves the FIFO, first on the link (later than the next cycle when FDs or FRs
  /// take the slots).
  struct Times {
    uint32_t departed, departure;
  };
  /// Ports first..last-1 by index, of whole routers.
  struct Ports {
    uint32_t first, last;
  };
  void wake_router(uint32_t base);
  void switch_routers(uint32_t now);
  void give_turns(const Ports& ports, const Moment& at);
  uint64_t switch_ports(Grants& grants, const Ports& ports, const Moment& at);
  template <bool kBounded>
  bool ask_outputs(const Ports& ports, const Moment& at);
  void expect(const Arrays& all, const uint32_t* list, const uint32_t* end) const;
  /// Whether the ports do not stay in the cache from cycle to cycle.
  bool is_far() const { return inputs_.size() > (size_t{1} << 19) / sizeof(InputPort); }
  bool can_move(const InputPort& port, uint32_t vc, const OutputPort& out, uint32_t route, uint32_t credits,
                uint32_t latest_free) const;
  bool fifo_has_room(const OutputPort& out, uint32_t now) const;
  int choose_vc(const Arrays& all, const InputPort& port, uint32_t base, uint32_t latest_free) const;
  int ask_policy(const Arrays& all, InputPort& port, uint32_t base, uint32_t latest_free);
  bool drop_hopeless(InputPort& port, uint32_t v, uint32_t base);
  template <LinkKind kKind>
  uint64_t grant_all(Grants& grants, const Ports& ports, const Moment& at);
  template <LinkKind kKind>
  void grant(const Arrays& all, Grants& grants, uint32_t input, uint32_t output, const Moment& at);
  template <LinkKind kKind>
  void forward(const Arrays& all, Grants& grants, const Flit& flit, const InputPort& from, uint32_t output, uint32_t vc,
               const Moment& at, const Times& times);
  void tell_freed(uint32_t now);
  void deliver(const Flit& flit, const OutputPort& out, uint32_t departure);
  const Source& source_;
  Post& post_;
  Outbox* outbox_ = nullptr;  // of the thread that runs the present window, as the next
  FreedByGrants* freed_by_grants_ = nullptr;
  Requests* requests_ = nullptr;
  uint32_t window_last_ = 0;
  uint32_t round_last_ = 0;  // nodes are scheduled up to this cycle
  uint32_t first_end_ = 0;   // number of the first link's end in the post
  bool cut_through_, records_ = false;
  bool sees_deliveries_ = false;  // records_, or programs
  static constexpr uint32_t kUnbounded = UINT32_MAX;
  uint32_t fifo_;        // flits of an output FIFO
  bool sleeps_ = false;  // ports sleep (kSleeps)
  int phases_;
  uint32_t turn_cycles_;  // 0: no turns
  bool at_arrival_;       // RouteCompute::arrival
  uint32_t longest_;      // flits of the longest packet
  uint32_t sample_first_, sample_length_;
  bool in_sample_ = false;      // the present cycle
  bool busy_ = false;           // the window before had many grants
  std::unique_ptr<Nics> nics_;  // null: an open loop
  Policy policy_;
  Statistics statistics_;
  std::conditional_t<kPiped, RoutePipe, NoRoutePipe> pipe_;
  std::conditional_t<kHeldNodes, MonitorBacklog, NoBacklog> backlog_;
  std::vector<Delivery> deliveries_;
};

/// Domains with packets by `source`.
template <class Policy, class Source, bool kPackets>
DomainKind domain_kind(Source source) {
  using Kind = Domain<Policy, Source, kPackets>;
  const auto shared = std::make_shared<const Source>(std::move(source));
  DomainKind out;
  out.make = [shared](const Context& context, int number, Post& post) -> std::unique_ptr<AnyDomain> {
    return std::make_unique<Kind>(context, number, *shared, post);
  };
  out.addresses = {shared, &shared->addresses()};
  out.max_vcs = Policy::kMaxVcs;
  out.pieces = kServesPieces<Policy>;
  out.board = requires { Policy::kBoard; };
  out.faults = requires { Policy::kFaults; };
  out.own_faults = requires { Policy::kOwnFaults; };
  out.checked = Kind::kChecked;
  return out;
}

}  // namespace odonata::network

#include "sim/network/domain_check.h"   // IWYU pragma: export
#include "sim/network/domain_faults.h"  // IWYU pragma: export
#include "sim/network/domain_nodes.h"   // IWYU pragma: export
#include "sim/network/domain_pipe.h"    // IWYU pragma: export
#include "sim/network/domain_run.h"     // IWYU pragma: export
#include "sim/network/domain_switch.h"  // IWYU pragma: export
#include "sim/network/domain_waits.h"   // IWYU pragma: export
