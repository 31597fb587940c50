// SPDX-License-Identifier: Apache-2.0
// The congestion plane of a group for network simulation: the same maps in the same cycles as GroupPlane (a test holds
// them together), but nothing is done for what does not change (docs/congestion.md §10).
//
// A monitor's corrected occupancy is sends - credits - departures inside the history window. What departs in a cycle is
// a bit map of the ports, kept until its departures leave the window: so a departure is a bit, and the counters of all
// ports take a cycle's departures at once. Frames that repeat the last bitmap change nothing at the receiver and are
// not sent; map histories keep versions instead of a copy a cycle.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/common/bits.h"
#include "models/common/calendar.h"
#include "models/common/state_check.h"
#include "models/congestion/plane_config.h"
#include "models/topology/dragonfly.h"

namespace odonata::congestion {

/// All routers of one group. A *port index* is router * num_ports + port. Lost frames (PlaneConfig::faults) are not
/// modelled, and so no neighbour falls silent (stale).
///
/// A cycle c of a simulation: begin_cycle(c); then the maps are what the pins show after the edge that ends cycle c-1,
/// which is what a decision in cycle c sees; credit() for all credits whose pin was set in cycle c-1; settle(); then
/// sent() and rides() for what the switch grants.
class SparsePlane {
 public:
  /// `gaps`: rides() tells when packets are on a link; otherwise each is on its link in the cycle after it departed.
  /// `busy`: the plane of the second thresholds and of the frames of phase 1, whose maps are busy_local_i and
  /// busy_global_i.
  SparsePlane(const Dragonfly& d, const PlaneConfig& config, bool gaps, bool busy = false);

  /// Executes edge `cycle`; consecutive, from 0.
  void begin_cycle(uint32_t cycle);
  /// A credit pin of a monitored port was set in the cycle before.
  [[gnu::always_inline]] void credit(int index) { --levels_[static_cast<size_t>(index)]; }
  /// All credits of the cycle are in.
  void settle();
  /// The `sent` pin of a monitored port is set in the present cycle, and its `departed` pin for this packet in cycle
  /// `departed` (the present one when the packet finds the output FIFO empty). A port's packets depart in different
  /// cycles.
  [[gnu::always_inline]] void sent(int index, uint32_t departed) {
    const auto i = static_cast<uint32_t>(index);
    ++levels_[i];  // is looked at in the next cycle
    const uint32_t wait = departed - now_;
    if (wait < kShortWait) [[likely]] {
      departed_[rows_[day_ + wait] + i / 64] |= uint64_t{1} << (i % 64);
    } else {
      departing_.add(departed + 1, i);
    }
  }
  /// With `gaps`: a packet's tail is on local port `index` in `cycle`, which is not over yet.
  void rides(int index, uint32_t cycle) {
    if (gaps_) riding_.add(cycle, static_cast<uint32_t>(index));
  }
  /// The `failed` pins of a router from the present cycle on.
  void set_failed(int router, PortMap failed);

  /// cong_local_i (busy_local_i) of every route-compute unit of a router.
  PortMap cong_local(int router) const { return visible_[router]; }
  const PortMap* visible() const { return visible_.data(); }  ///< cong_local() by router
  /// cong_global_i (busy_global_i) of the route-compute unit at a port of a router.
  const GroupMap& cong_global(int router, int port) const {
    const History& h = histories_[router];
    uint32_t at = h.newest;
    const uint32_t seen = now_ >= static_cast<uint32_t>(port) ? now_ - static_cast<uint32_t>(port) : 0;
    while (h.version[at].since > seen) at = (at - 1) % kVersions;
    return h.version[at].map;
  }
  /// Corrected occupancy of a monitored port as counted so far, not clamped at 0.
  int corrected(int index) const { return levels_[index] + thresholds_[index] + 1; }
  size_t bytes() const;

  /// Saves or restores the state: visit(container or number) for each part. Throws Error when it is not that of such a
  /// plane.
  template <class Visit>
  void visit_state(Visit&& visit) {
    departing_.visit_state(visit), riding_.visit_state(visit), stores_.visit_state(visit), loads_.visit_state(visit);
    for (auto& list : toggles_) visit(list);
    constexpr const char* kPart = "a congestion plane";
    for (auto* list : {&departed_, &ranks_, &tails_[0], &tails_[1]}) visit_sized(visit, *list, kPart);
    for (auto* list : {&pending_, &over_, &failed_, &visible_})
      visit_below(visit, *list, low_mask(ports_) + (ports_ < 64), kPart);
    for (auto* list : {&latched_, &own_, &latest_}) visit_below(visit, *list, uint64_t{1} << dragonfly_.h(), kPart);
    visit_sized(visit, levels_, kPart), visit_sized(visit, histories_, kPart);
    visit(unsent_), visit(own_changed_), visit(words_), visit(failures_), visit(now_), visit(latch_);
    if constexpr (kReadsState<Visit>) check_state();
  }
  /// Throws Error unless so many cycles have begun.
  void check_cycles(uint32_t cycles) const;
  /// Shows the memory that the next cycles touch in any case, or nearly: visit(container), see(address, bytes).
  template <class Visit, class See>
  void visit_hot(Visit&& visit, See&& see) {
    departing_.visit_hot(visit), stores_.visit_hot(visit), loads_.visit_hot(visit);
    visit(levels_), visit(departed_), visit(ranks_), visit(pending_), visit(latched_), visit(own_), visit(over_),
        visit(visible_), visit(latest_);
    for (const History& h : histories_) see(&h, sizeof h.newest), see(&h.version[h.newest], sizeof h.version[0]);
  }

 private:
  static constexpr uint32_t kVersions = 64;
  static constexpr uint32_t kShortWait =
      16;  // cycles in an output FIFO after which a departure waits in a calendar until it takes place
  struct Version {
    uint32_t since = 0;  // edge
    GroupMap map;
  };
  struct History {
    uint32_t newest = 0;
    Version version[kVersions];
  };
  struct Word {
    uint8_t router = 0, bid = 0;
    uint16_t bits = 0;
  };
  struct Failure {
    uint32_t edge = 0;
    int router = 0;
    PortMap failed = 0;
  };

  bool is_global(uint32_t index) const { return static_cast<int>(index) % ports_ >= dragonfly_.first_global(); }
  /// The map of what departed so many cycles ago, fewer than days_.
  uint64_t* departures(uint32_t cycles) {
    return &departed_[rows_[day_ >= cycles ? day_ - cycles : day_ + days_ - cycles]];
  }
  void check_state() const;
  void check_history(const History& history) const;
  void count_departures();
  void take_tails();
  void ride_along();
  PortMap tails_of(int router, uint32_t cycle) const;
  void apply_failures();
  void apply_words();
  void load_words();
  void latch_all();
  void latch(int router);
  void send_rest(int router);
  void ride(int router, PortMap tails, uint32_t cycle);
  void send(int router, int k, uint32_t edge);
  void store_frames();
  void refresh_own();
  void apply_toggles();
  void refresh_visible(int router);
  void schedule_load(int router, int slot, uint32_t earliest);

  Dragonfly dragonfly_;
  PlaneConfig config_;
  bool busy_;
  int ports_;
  uint32_t now_ = 0;
  uint32_t latch_ = 0;  // edge of the last latch
  bool gaps_;
  size_t row_;  // words of a map of all ports
  std::vector<int32_t>
      levels_;  // by port index, whole words: sends - credits - departures inside the window - threshold - 1
  std::vector<int32_t> thresholds_;      // by port index: congested above
  uint32_t local_delay_, global_delay_;  // cycles from a departure until it leaves the history window
  uint32_t days_;                        // maps in departed_
  uint32_t day_ = 0;                     // now_ mod days_
  std::vector<uint32_t> rows_;           // by day, and once more for the first ones: where its map begins in departed_
  std::vector<uint64_t> departed_;       // maps by cycle mod days_: packets leave their FIFOs
  std::vector<uint64_t> none_;           // an empty map
  std::vector<uint64_t> global_;         // map of the global ports
  std::vector<uint64_t> ranks_;          // map: over the threshold as counted
  Calendar departing_;                   // port indices, the cycle after: departures that are not in departed_ yet
  Calendar riding_;                      // gaps: port indices of tails on links
  std::vector<uint64_t> tails_[2];    // maps by the cycle's parity: tails on links, of this cycle and of the one before
  Calendar stores_;                   // frames by store edge: router << 24 | local port << 16 | bits
  Calendar loads_;                    // multiplexer: router << 8 | slot
  std::vector<uint32_t> toggles_[4];  // by edge mod 4: port indices whose `over` bit flips
  std::vector<PortMap> over_, failed_, visible_;  // by router: over the threshold as compared, failed pins, congested
  std::vector<uint16_t> own_, latched_;           // by router: own_r0, latched bitmap
  std::vector<uint32_t> own_changed_;             // routers
  std::vector<PortMap> pending_;                  // by router: local ports that have not sent the latched bitmap
  uint64_t unsent_ = 0;                           // routers that have such ports
  std::vector<uint16_t> latest_;                  // by router * a + local port
  std::vector<Word> words_;                       // loaded at the last edge
  std::vector<Failure> failures_;                 // pins that are not sampled yet
  std::vector<History> histories_;                // of the map at ring stop 0
};

}  // namespace odonata::congestion
