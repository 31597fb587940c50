// SPDX-License-Identifier: Apache-2.0
// The congestion plane of a group for network simulation: the same maps in the same cycles as GroupPlane (a test holds them together), but nothing
// is done for what does not change (docs/congestion.md §10).
//
// A monitor's corrected occupancy is sends - credits - departures inside the history window: a packet that departs at once changes nothing when it is
// sent, only when it leaves the window; one that waits in the output FIFO counts until it departs. Frames that repeat the last bitmap change nothing
// at the receiver and are not sent; map histories keep versions instead of a copy a cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "models/common/bits.h"
#include "models/common/calendar.h"
#include "models/common/delay_line.h"
#include "models/congestion/group_plane.h"
#include "models/topology/dragonfly.h"

namespace odonata::congestion {

/// All routers of one group. A *port index* is router * num_ports + port. Lost frames (PlaneConfig::faults) are not modelled, and
/// so no neighbour falls silent (stale).
///
/// A cycle c of a simulation: begin_cycle(c); then the maps are what the pins show after the edge that ends cycle c-1, which is what a decision in
/// cycle c sees; credit() for all credits whose pin was set in cycle c-1; settle(); then sent() and departs() for what the switch grants.
class SparsePlane {
 public:
  /// `ahead`: how many cycles ahead departs() may be told at most; 0: every flit is a tail, however far ahead it is told.
  SparsePlane(const Dragonfly& d, const PlaneConfig& config, uint32_t ahead);

  /// Executes edge `cycle`; consecutive, from 0.
  void begin_cycle(uint32_t cycle);
  /// A credit pin of a monitored port was set in the cycle before.
  [[gnu::always_inline]] void credit(int index) {
    if (levels_[index]-- == 0) [[unlikely]]
      crossed_.push_back(static_cast<uint32_t>(index));
  }
  /// All credits of the cycle are in.
  void settle() {
    if (!crossed_.empty()) settle_crossed();
  }
  /// The `sent` pin of a monitored port is set in the present cycle, and its `departed` pin for this packet in cycle `departed` (the present one when
  /// the packet finds the output FIFO empty). `global`: whether it is a global port.
  [[gnu::always_inline]] void sent(int index, bool global, uint32_t departed) {
    const auto i = static_cast<uint32_t>(index);
    if (departed != now_) {
      queued_.push_back(i);
      departing_.add(departed + 1, i | (global ? kGlobal : 0));
    } else if (now_ != 0) [[likely]] {
      enter_window(i, global);
    } else {
      queued_.push_back(i);  // no window holds what departs in cycle 0
    }
  }
  /// A flit is on local port `port` (port index `index`) in `cycle` (at most `ahead` cycles ahead; never two in a cycle, in the order of cycles);
  /// `tail`: the last of its packet. Told as soon as it is certain: flits that wait behind each other are on the link in consecutive cycles; gaps
  /// before a flit that is told while an earlier one has not left yet (FDs and FRs take the slots) need `ahead` > 0. Not `kTails`: `ahead` was 0.
  template <bool kTails = true>
  [[gnu::always_inline]] void departs(int router, int port, int index, uint32_t cycle, bool tail) {
    Departures& p = departures_[index];
    if (kTails && tail_words_ != 0 && cycle != p.last + 1 && p.last >= now_) {
      fill_gap(index, cycle);
    } else {
      p.first = cycle != p.last + 1 ? cycle : p.first;
    }
    p.last = cycle;
    if (kTails && tail_words_ != 0) mark_tail(index, cycle, tail);
    if (tail && (pending_[router] >> port & 1)) [[unlikely]]
      ride(router, port - dragonfly_.p(), cycle);
  }
  /// The `failed` pins of a router from the present cycle on.
  void set_failed(int router, PortMap failed);

  /// cong_local_i of every route-compute unit of a router.
  PortMap cong_local(int router) const { return visible_[router]; }
  const PortMap* visible() const { return visible_.data(); }  ///< cong_local() by router
  /// cong_global_i of the route-compute unit at a port of a router.
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

  /// Saves or restores the state: visit(container or number) for each part.
  template <class Visit>
  void visit_state(Visit&& visit) {
    local_expiries_.visit_state(visit), global_expiries_.visit_state(visit), departing_.visit_state(visit);
    stores_.visit_state(visit), loads_.visit_state(visit);
    visit(queued_);
    for (auto& list : toggles_) visit(list);
    visit(levels_), visit(crossed_), visit(departures_), visit(tails_), visit(pending_), visit(latched_), visit(own_), visit(own_changed_),
        visit(over_);
    visit(rank1_), visit(failed_), visit(visible_), visit(latest_), visit(words_), visit(histories_), visit(failures_), visit(now_), visit(latch_);
  }
  /// Shows the memory that the next cycles touch in any case, or nearly: visit(container), see(address, bytes).
  template <class Visit, class See>
  void visit_hot(Visit&& visit, See&& see) {
    local_expiries_.visit_state(visit), global_expiries_.visit_state(visit), departing_.visit_state(visit);
    stores_.visit_state(visit), loads_.visit_state(visit);
    visit(levels_), visit(departures_), visit(pending_), visit(latched_), visit(own_), visit(over_), visit(rank1_), visit(visible_), visit(latest_);
    for (const History& h : histories_) see(&h, sizeof h.newest), see(&h.version[h.newest], sizeof h.version[0]);
  }

 private:
  static constexpr uint32_t kVersions = 64, kGlobal = 1u << 31;
  struct Departures {              // the last run of departures in consecutive cycles
    uint32_t first = 1, last = 0;  // none yet
  };
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

  void mark_tail(int index, uint32_t cycle, bool tail) {
    uint64_t& word = tails_[static_cast<size_t>(index) * tail_words_ + ((cycle >> 6) & (tail_words_ - 1))];
    const uint64_t bit = uint64_t{1} << (cycle & 63);
    word = tail ? word | bit : word & ~bit;
  }
  bool is_global(uint32_t index) const { return static_cast<int>(index) % ports_ >= dragonfly_.first_global(); }
  void fill_gap(int index, uint32_t cycle);
  void settle_crossed();
  void apply_failures();
  void apply_words();
  void load_words();
  void latch_all();
  void latch(int router);
  void settle_departures(int router, int k);
  void send_rest(int router);
  void ride(int router, int k, uint32_t cycle);
  void send(int router, int k, uint32_t edge);
  void store_frames();
  void refresh_own();
  void apply_toggles();
  void refresh_visible(int router);
  void expire();
  [[gnu::always_inline]] void enter_window(uint32_t index, bool global) {
    (global ? global_expiries_ : local_expiries_).add(static_cast<uint16_t>(index));
  }
  [[gnu::always_inline]] void count_up(uint32_t index) {
    if (++levels_[index] == 0) [[unlikely]]
      crossed_.push_back(index);
  }
  void schedule_load(int router, int slot, uint32_t earliest);

  Dragonfly dragonfly_;
  PlaneConfig config_;
  int ports_;
  uint32_t now_ = 0;
  uint32_t latch_ = 0;                                    // edge of the last latch
  std::vector<int32_t> levels_;                           // by port index: sends - credits - departures inside the window - threshold - 1
  std::vector<int32_t> thresholds_;                       // by port index: congested above
  std::vector<Departures> departures_;                    // by port index; local ports
  uint32_t tail_words_;                                   // words a port in tails_; 0: every flit is a tail
  std::vector<uint64_t> tails_;                           // by port index: bit (cycle mod 64 tail_words_), valid inside the run
  DelayLine<uint16_t> local_expiries_, global_expiries_;  // port indices: departures until they leave the history window
  std::vector<uint32_t> queued_;                          // port indices: packets that were sent in the last cycle and did not depart in it
  Calendar departing_;                                    // port indices, kGlobal: packets in output FIFOs
  Calendar stores_;                                       // frames by store edge: router << 24 | local port << 16 | bits
  Calendar loads_;                                        // multiplexer: router << 8 | slot
  std::vector<uint32_t> crossed_;                         // port indices whose count crossed the threshold in this cycle
  std::vector<uint32_t> toggles_[4];                      // by edge mod 4: port indices whose `over` bit flips
  std::vector<PortMap> rank1_, over_, failed_, visible_;  // by router: over the threshold as counted, as compared, failed pins, congested
  std::vector<uint16_t> own_, latched_;                   // by router: own_r0, latched bitmap
  std::vector<uint32_t> own_changed_;                     // routers
  std::vector<PortMap> pending_;                          // by router: local ports that have not sent the latched bitmap
  std::vector<uint16_t> latest_;                          // by router * a + local port
  std::vector<Word> words_;                               // loaded at the last edge
  std::vector<Failure> failures_;                         // pins that are not sampled yet
  std::vector<History> histories_;                        // of the map at ring stop 0
};

}  // namespace odonata::congestion
