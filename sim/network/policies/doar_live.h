// SPDX-License-Identifier: Apache-2.0
// DOAR whose tables change at run time as the fault planes write them, and whose decisions can be watched
// (docs/network.md §8, §9).
#pragma once

#include "sim/network/fault_feed.h"
#include "sim/network/policies/common/link_life.h"
#include "sim/network/policies/doar.h"

namespace odonata::network {

class DoarLive : public Doar {
 public:
  static constexpr bool kFaults = true;

  DoarLive(const Context& context, int domain);

  void begin_cycle(uint32_t cycle) {
    Doar::begin_cycle(cycle);
    for (const Tap& t : taps_) t.tap->cycle(cycle);
  }
  Route route(const Flit& flit, const Place& at) {
    const Row row = row_of(flit.dest, at.router);
    if (!taps_.empty() || hides_detours(row.zone, at)) [[unlikely]]
      return decide_live(flit, at, draw(at));
    return route_entry(flit, at, row.zone, entry_of(at.router, at.port, row.index, gid_of(flit.source) != gid_));
  }

  void begin_window() { next_event_ = 0; }
  const FaultEvent* next_event(uint32_t cycle);
  bool port_up(int output) const { return links_[static_cast<size_t>(output)].up; }
  bool holds(int input) const { return links_[static_cast<size_t>(input)].held; }
  bool alive(int router) const { return alive_[static_cast<size_t>(router)] != 0; }
  bool cut_off(int input, uint32_t departure, uint32_t now) const {
    return links_[static_cast<size_t>(input)].cuts_off(departure, now);
  }
  int messages(int output, uint32_t first, uint32_t last) const {
    return context_.faults == nullptr ? 0
                                      : context_.faults->taken_slots(gid_, static_cast<size_t>(output), first, last);
  }
  bool delivers(int output, uint32_t cycle) const {
    return context_.faults == nullptr || context_.faults->node_link_up(gid_, static_cast<size_t>(output), cycle);
  }
  uint32_t free_slot(int output, uint32_t cycle) const {
    return context_.faults == nullptr ? cycle : context_.faults->free_slot(gid_, static_cast<size_t>(output), cycle);
  }

  /// Whether all tables are what the fault planes say.
  bool tables_ok() const;

  template <class Visit>
  void visit_state(Visit&& visit) {
    Doar::visit_state(visit);
    visit_lives(visit, links_, [](const Link& l) { return is_flag(l.held); });
    visit_below(visit, alive_, 2, "routers that can die"), visit_sized(visit, lives_, "routers that can die");
  }

 protected:
  /// The decision of a request that has drawn `lfsr`, with the tables and maps of the present cycle.
  Route decide_live(const Flit& flit, const Place& at, uint16_t lfsr);

 private:
  struct Link : LinkLife {
    bool held = false;  // a node port: its router has died and not yet heard its neighbours again
  };
  struct Tap {
    int router, port;
    DecisionTap* tap;
  };
  /// Table B of such an entry is the emergency detour, for the lower channels only (docs/fault.md §4).
  bool hides_detours(table::Zone zone, const Place& at) const {
    return zone == table::Zone::group_local && at.port >= first_global_ && at.vc > fault::kHighestDetourVc;
  }
  void apply(const FaultEvent& e);
  void set_link(const FaultEvent& e);
  void set_router(const FaultEvent& e);
  void watch(const Flit& flit, const Place& at, int row, const route_compute::Entries& words, uint16_t lfsr,
             const route_compute::Decision& decision) const;

  size_t next_event_ = 0;
  std::vector<Link> links_;      // by port index
  std::vector<uint8_t> alive_;   // by router
  std::vector<uint32_t> lives_;  // by router: how often it has died
  std::vector<Tap> taps_;
};

}  // namespace odonata::network
