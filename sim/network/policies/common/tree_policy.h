// SPDX-License-Identifier: Apache-2.0
// VTFTR beyond the paper (docs/vtftr.md §8): dead roots, dead links and half-dead leaves, three and four dimensions,
// picks that look at congestion. The golden decisions of models/vtftr/tree_route.h; a switch knows whole fault sets,
// the latest that has reached it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "models/common/lfsr.h"
#include "models/vtftr/tree_route.h"
#include "sim/network/fault_feed.h"
#include "sim/network/policies/common/link_life.h"
#include "sim/network/policies/common/table_times.h"
#include "sim/network/policy.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/fat_tree.h"

namespace odonata::network {

class TreePolicy {
 public:
  static constexpr int kVcs = 2;
  static constexpr int kMaxVcs = 4;
  static constexpr int kMaxPorts = 128;
  static constexpr bool kAsks = false;
  static constexpr bool kMonitors = true;
  static constexpr bool kFaults = true;
  static constexpr bool kOwnFaults = true;
  static constexpr bool kPieces = true;
  static constexpr bool kInPortOrder = true;  // a misroute looks at what waits behind other ports

  TreePolicy(const Context& context, int domain);
  void begin_cycle(uint32_t) {}
  Route route(Flit& flit, const Place& at) { return at.router < leaves_ ? route_leaf(flit, at) : route_root(flit, at); }
  bool order_kept(const Channel& in, const Channel& out) const;
  std::string describe_wait(int router, int port, int vc, uint32_t dest, int out_port) const;

  // What waits behind an output, in packets of all its virtual channels.
  void credit(int output) { --waiting_[static_cast<size_t>(output)]; }
  void settle() {}
  void sent(int output, bool, uint32_t, uint32_t) { ++waiting_[static_cast<size_t>(output)]; }
  void rides(int, uint32_t) {}

  void begin_window() {}
  const FaultEvent* next_event(uint32_t cycle);
  bool port_up(int output) const { return links_[static_cast<size_t>(output)].up; }
  bool alive(int router) const { return alive_[static_cast<size_t>(router)] != 0; }
  bool cut_off(int input, uint32_t departure, uint32_t now) const {
    return links_[static_cast<size_t>(input)].cuts_off(departure, now);
  }
  int messages(int, uint32_t, uint32_t) const { return 0; }
  bool delivers(int output, uint32_t cycle) const;
  uint32_t free_slot(int, uint32_t cycle) const { return cycle; }
  /// Whether every switch that the manager's last message comes to knows it.
  bool tables_ok() const;
  FaultResult fault_result(uint32_t now) const;
  const std::array<uint64_t, 8>& drops() const { return drops_; }

  template <class Visit>
  void visit_state(Visit&& visit) {
    visit(next_), visit(detections_), visit_lives(visit, links_);
    visit_below(visit, alive_, 2, "switches that can die");
    visit_below(visit, version_, known_.size(), "what switches know");
    visit_sized(visit, lfsr_, "random numbers of roots"), visit_sized(visit, waiting_, "queues of outputs");
    for (uint64_t& n : drops_) visit(n);
  }
  /// What was read, after so many cycles.
  void check_state(uint32_t cycles) const {
    const auto by_now = [cycles](const Event& e) { return e.event.cycle < cycles; };
    expect_state(next_ == static_cast<uint64_t>(std::count_if(events_.begin(), events_.end(), by_now)) &&
                     detections_ < seen_.size(),
                 "what has failed so far");
    for (const int32_t n : waiting_) expect_state(std::abs(int64_t{n}) < int64_t{1} << 30, "queues of outputs");
  }
  size_t bytes() const {
    return links_.size() * sizeof(LinkLife) + waiting_.size() * 4 + lfsr_.size() * 2 + events_.size() * sizeof(Event);
  }

 private:
  struct Event {
    enum class Kind : uint8_t { engine, detected, update };
    FaultEvent event;
    Kind kind = Kind::engine;
    uint16_t number = 0;  ///< so many changes have happened, are detected, or are known to the switch then
  };
  struct Change {
    uint32_t cycle = 0;
    vtftr::TreeFault fault;
    bool dead = false;
  };

  Route drop(vtftr::DropReason reason) {
    ++drops_[static_cast<size_t>(reason)];
    return {};
  }
  Route route_leaf(Flit& flit, const Place& at);
  Route route_root(Flit& flit, const Place& at);
  vtftr::LineMap quiet(const vtftr::LineMap& ports, const Place& at) const;
  const vtftr::TreeKnowledge& known(int router) const { return known_[version_[static_cast<size_t>(router)]]; }
  const vtftr::TreeFaults& seen() const { return seen_[detections_]; }
  int name(int router) const { return names_[static_cast<size_t>(router)]; }
  void keep_own_events();
  void build_changes();
  void build_updates();
  uint16_t changes_by(uint32_t cycle) const;
  void add_engine_events(const Change& change);
  void add_links(const Change& change, int leaf, int dimension, int rail);

  const Context& context_;
  const FatTreeTopology& topology_;
  const FatTree& tree_;
  const std::vector<int> names_;  // of the routers of the domain in the tree, rising: leaves first
  const int routers_, leaves_;    // of the domain
  const int ports_, last_vc_;
  const bool avoids_;  // congested ports
  const int half_;     // of the slots behind a link, in packets
  std::vector<FatTree::Root> roots_;
  std::vector<Change> changes_;              // in order of the cycle
  std::vector<vtftr::TreeFaults> seen_;      // after so many detections
  std::vector<vtftr::TreeKnowledge> known_;  // to the manager after so many changes
  std::vector<Event> events_;
  uint32_t first_detected_ = 0;
  TableTimes times_;
  uint64_t next_ = 0, detections_ = 0;
  std::vector<LinkLife> links_;    // by port index
  std::vector<uint8_t> alive_;     // by router
  std::vector<uint16_t> version_;  // by router: the changes that its tables know
  std::vector<uint8_t> told_;      // by router of the tree: whether the manager's last message comes to it
  uint16_t last_told_ = 0;         // the changes that this message knows
  std::vector<uint16_t> lfsr_;     // by port index of the roots
  std::vector<int32_t> waiting_;   // by port index: packets sent whose slots are not free yet
  std::array<uint64_t, 8> drops_{};
};

/// Whether a run on a fat-tree needs this policy.
bool beyond_the_paper(const Config& config);
/// Throws Error when it does.
void check_paper(const Config& config);
/// What the hardware of §9 knows: leaves that fail and come back, and roots that fail as long as a rail of their line
/// is left. Throws Error otherwise.
void check_hardware_faults(const Config& config);
/// Refuses what this policy cannot run.
void check_beyond(const Config& config);
std::unique_ptr<Simulation> make_tree_engine(const Config& config);

}  // namespace odonata::network
