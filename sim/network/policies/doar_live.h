// SPDX-License-Identifier: Apache-2.0
// DOAR whose tables change at run time as the fault planes write them, and whose decisions can be watched (docs/network.md §8, §9).
#pragma once

#include <unordered_map>

#include "sim/network/fault_feed.h"
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
  Route route(const Flit& flit, const Place& at) { return decide_live(flit, at, draw(at)); }

  void begin_window() { next_event_ = 0; }
  const FaultEvent* next_event(uint32_t cycle);
  bool port_up(int output) const { return links_[static_cast<size_t>(output)].up; }
  bool alive(int router) const { return alive_[static_cast<size_t>(router)] != 0; }
  bool cut_off(int input, uint32_t departure, uint32_t now) const {
    const Link& l = links_[static_cast<size_t>(input)];
    return l.up_since > departure || (!l.up && l.down_since < now);
  }
  int messages(int output, uint32_t first, uint32_t last) const {
    return context_.faults == nullptr ? 0 : context_.faults->taken_slots(first_output_ + static_cast<size_t>(output), first, last);
  }
  bool delivers(int output, uint32_t cycle) const {
    return context_.faults == nullptr || context_.faults->node_link_up(first_output_ + static_cast<size_t>(output), cycle);
  }
  uint32_t free_slot(int output, uint32_t cycle) const {
    return context_.faults == nullptr ? cycle : context_.faults->free_slot(first_output_ + static_cast<size_t>(output), cycle);
  }

  /// The words that decide at a port: the one place through which tables are read.
  route_compute::Entries entries(int router, int port, int row, bool transit) const;
  /// Whether all tables are what the fault planes say.
  bool tables_ok() const;

  template <class Visit>
  void visit_state(Visit&& visit) {
    Doar::visit_state(visit);
    std::vector<ChangedEntry> list = changed_list();
    visit(list), visit(links_), visit(alive_), visit(lives_);
    take_changed(list);
  }

 protected:
  /// The decision of a request that has drawn `lfsr`, with the tables and maps of the present cycle.
  Route decide_live(const Flit& flit, const Place& at, uint16_t lfsr);

 private:
  struct Link {
    uint32_t down_since = 0, up_since = 0;
    bool up = true;
  };
  struct Tap {
    int router, port;
    DecisionTap* tap;
  };
  struct ChangedEntry {
    uint64_t key;
    SidedEntries words;
  };
  uint64_t key(int router, int port, int row) const {
    return (static_cast<uint64_t>(router) * static_cast<uint64_t>(ports_) + static_cast<uint64_t>(port)) * static_cast<uint64_t>(row_count_) +
           static_cast<uint64_t>(row);
  }
  void apply(const FaultEvent& e);
  void set_link(const FaultEvent& e);
  void set_router(const FaultEvent& e);
  std::vector<ChangedEntry> changed_list() const;
  void take_changed(const std::vector<ChangedEntry>& list);
  void watch(const Flit& flit, const Place& at, int row, const route_compute::Entries& words, uint16_t lfsr,
             const route_compute::Decision& decision) const;

  size_t first_output_;
  size_t next_event_ = 0;
  std::unordered_map<uint64_t, SidedEntries> changed_;  // entries that are not as configured
  std::vector<uint8_t> port_changed_;                   // by port index: whether it may have such entries
  std::vector<Link> links_;                             // by port index
  std::vector<uint8_t> alive_;                          // by router
  std::vector<uint32_t> lives_;                         // by router: how often it has died
  std::vector<Tap> taps_;
};

}  // namespace odonata::network
