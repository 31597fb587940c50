// SPDX-License-Identifier: Apache-2.0
// The rivals of DOAR: VAL, UGAL_L, UGAL_G, PAR, PAR_PH and TPR (definitions: docs/network.md §5; docs/readings.md §8).
// They differ in one decision, made at the source router, by PAR once more at the second router: the minimal path, or
// the path through a random intermediate router.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "models/common/calendar.h"
#include "models/common/random.h"
#include "models/route_compute/decide.h"
#include "sim/network/policies/common/dragonfly_way.h"
#include "sim/network/topologies/dragonfly.h"

namespace odonata::network {

/// How a packet between groups chooses between the minimal path and a detour.
enum class DetourRule : uint8_t {
  always,        ///< VAL
  local_queue,   ///< UGAL_L, at the source
  path_queues,   ///< UGAL_G, at the source, with the queues along both whole paths
  twice,         ///< PAR: UGAL_L at the source, and while minimal once more at the second router
  twice_window,  ///< PAR_PH: PAR with the history window taken off the queues
  pattern,       ///< TPR: VAL or UGAL_L with the window taken off, by the traffic pattern that the source router infers
};
/// The rule of a routing's name: val, ugal_l, ugal_g, par, par_ph, tpr.
DetourRule detour_rule(std::string_view routing);

/// TPR: what a router's packets to each group in one interval (`sent`) say about the next one. A group is concentrated
/// when it got kPatternLeast packets and more than 4 times its share of all; the traffic is adversarial when most of it
/// went to such groups. Own reading (docs/readings.md §8).
inline constexpr uint32_t kPatternLeast = 8;
bool is_adversarial(std::span<const uint16_t> sent, std::span<uint8_t> concentrated);

/// `kNeeded`: 4 virtual channels for one decision, 5 for two (L-L-G-L-L-G-L).
template <int kNeeded>
class Nonminimal {
 public:
  static constexpr int kVcs = kNeeded;
  static constexpr int kMaxVcs = kNeeded <= 4 ? 4 : 8;
  static constexpr bool kAsks = false;
  static constexpr bool kMonitors = true;
  static constexpr bool kBoard = true;

  Nonminimal(const Context& context, int domain);

  static bool order_kept(const Channel& in, const Channel& out) { return dragonfly_order_kept(in, out); }
  void begin_cycle(uint32_t cycle);
  void credit(int output) { --occupancy_[output]; }
  void settle() {}
  void sent(int output, bool, uint32_t cycle, uint32_t departed) {
    ++occupancy_[output];
    if (rule_ != DetourRule::twice_window && rule_ != DetourRule::pattern) return;
    if (departed == cycle) return enter_window(static_cast<uint32_t>(output), cycle);
    departing_.add(departed, static_cast<uint32_t>(output));
  }

  Route route(Flit& flit, const Place& at) {
    const bool elsewhere = gid_of(flit.dest) != gid_;
    if (at.port < nodes_) {
      flit.state = kMinimal;
      if (elsewhere || (rule_ == DetourRule::always && bid_of(flit.dest) != at.router))
        consider_detour(flit, at.router);
    } else if (flit.state == kDetour && static_cast<int>(flit.via) == first_router_ + at.router) {
      flit.state = kPastDetour;
    } else if (kNeeded > 4 && flit.state == kMinimal && elsewhere && gid_of(flit.source) == gid_) {
      consider_detour(flit, at.router);
    }
    const int port = output(at.router, flit);
    return {static_cast<uint8_t>(port),
            static_cast<uint8_t>(route_compute::next_vc(d_.port_class(at.port), d_.port_class(port), at.vc))};
  }

  template <class Visit>
  void visit_state(Visit&& visit) {
    visit(now_);
    visit_sized(visit, occupancy_, "queues of outputs"), visit_sized(visit, recent_, "queues of outputs");
    visit_sized(visit, dice_, "random numbers of routers"), visit_sized(visit, sent_to_, "packets to groups");
    visit_sized(visit, concentrated_, "packets to groups"), visit_sized(visit, adversarial_, "packets to groups");
    departing_.visit_state(visit), leaving_.visit_state(visit);
  }
  template <class Visit, class See>
  void visit_hot(Visit&& visit, See&&) {
    visit(occupancy_), visit(recent_), visit(dice_), visit(sent_to_), visit(concentrated_), visit(adversarial_);
    departing_.visit_hot(visit), leaving_.visit_hot(visit);
  }
  /// What was read, after so many cycles.
  void check_state(uint32_t cycles) const {
    const auto check = [&](const Calendar& calendar) {
      calendar.for_each_due(
          [&](uint32_t, uint32_t output) { expect_state(output < occupancy_.size(), "queues of outputs"); });
      expect_state(calendar.next() == cycles, "queues of outputs");
    };
    expect_state(now_ == cycles - (cycles != 0), "queues of outputs");
    check(departing_), check(leaving_);
  }
  /// Whether a packet's detour is one, and the channels of its way from here on are there.
  bool knows(const Flit& flit, const Place& at) const {
    return at.port < nodes_ || goes_on(flit, {{gid_, at.router}, d_.port_class(at.port), at.vc});
  }
  bool takes(const Flit& flit, const Place& at, const Route& to) const {
    return goes_on(flit, behind(d_, {gid_, at.router}, to.port, to.vc));
  }
  size_t bytes() const {
    return occupancy_.size() * 2 + recent_.size() * 2 + dice_.size() * sizeof(Dice) + departing_.bytes() +
           leaving_.bytes();
  }

 private:
  enum State : uint8_t { kMinimal, kDetour, kPastDetour };
  bool goes_on(const Flit& flit, WayPoint from) const {
    const RouterId to{gid_of(flit.dest), bid_of(flit.dest)};
    if (flit.state > kPastDetour || (flit.state == kDetour && static_cast<int>(flit.via) >= d_.num_routers()))
      return false;
    if (kNeeded > 4 && flit.state == kMinimal && gid_of(flit.source) == from.router.gid && to.gid != from.router.gid)
      return from.vc == 0;
    if (flit.state == kDetour) from = after_minimal_way(d_, from, d_.router(static_cast<int>(flit.via)));
    return after_minimal_way(d_, from, to).vc < kVcs;
  }
  struct Dice {
    Random random{0};
  };
  /// A path to compare: number of links, and the queue(s) that count.
  struct Cost {
    int hops = 0;
    int queue = 0;
  };

  /// A packet departs in `cycle`: the window takes it off.
  void enter_window(uint32_t output, uint32_t cycle) {
    const uint32_t cycles = window_of(static_cast<int>(output) % ports_);
    if (cycles == kNoWindow) return;
    ++recent_[output];
    leaving_.add(cycle + cycles + 1, output);
  }
  static constexpr uint32_t kPatternInterval = 512;  // TPR: cycles
  static constexpr uint32_t kNoWindow = UINT32_MAX;  // of cycles in which a departed packet is not counted
  void consider_detour(Flit& flit, int router);
  void infer_pattern();
  int draw_via(int dest_group, Random& random) const;
  int queue(int output) const { return std::max(0, occupancy_[output] - recent_[output]); }
  int queue_anywhere(RouterId router, int port) const;
  void add_path(RouterId from, RouterId to, Cost& cost) const;
  int port_towards(RouterId from, RouterId to) const {
    if (from.gid == to.gid) return d_.local_port(from.bid, to.bid);
    const int j = d_.port_to_group(from.gid, to.gid), exit = j / d_.h();
    return exit == from.bid ? d_.global_port(j % d_.h()) : d_.local_port(from.bid, exit);
  }
  int output(int router, const Flit& flit) const {
    const RouterId own{gid_, router};
    const RouterId to = flit.state == kDetour ? d_.router(flit.via) : RouterId{gid_of(flit.dest), bid_of(flit.dest)};
    return to == own ? nid_of(flit.dest) : port_towards(own, to);
  }
  uint32_t window_of(int port) const { return port < d_.first_global() ? local_window_ : global_window_; }

  const Context& context_;
  Dragonfly d_;
  DetourRule rule_;
  int gid_, first_router_, ports_, nodes_, bias_;
  uint32_t local_window_, global_window_, board_period_;
  uint32_t now_ = 0;
  std::vector<int16_t> occupancy_;     // by output of the group: packets granted whose credits are not back
  std::vector<int16_t> recent_;        // of these (or not), departed inside the history window
  Calendar departing_;                 // outputs with a packet in the FIFO
  Calendar leaving_;                   // outputs whose departures leave the window
  std::vector<Dice> dice_;             // by router
  std::vector<uint16_t> sent_to_;      // TPR, by router * groups + group: packets of the own nodes in this interval
  std::vector<uint8_t> concentrated_;  // TPR, by router * groups + group: whether they were many in the last one
  std::vector<uint8_t> adversarial_;   // TPR, by router: whether most packets of the last one went to such groups
};

extern template class Nonminimal<4>;
extern template class Nonminimal<5>;

}  // namespace odonata::network
