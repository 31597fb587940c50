// SPDX-License-Identifier: Apache-2.0
// The routings of the fat-tree: VTFTR with the golden decisions of models/vtftr, algorithm A and dimension order beside
// it, and leaves that fail and come back at run time (docs/vtftr.md §2, §6, §8).
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "models/common/lfsr.h"
#include "models/vtftr/manager.h"
#include "models/vtftr/path.h"
#include "sim/network/fault_feed.h"
#include "sim/network/policies/common/link_life.h"
#include "sim/network/policies/common/table_times.h"
#include "sim/network/policy.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/fat_tree.h"

namespace odonata::network {

/// What happens to the switches and to the tables of all of them in a run, and when; cycles of the engine.
struct FatTreeSchedule {
  explicit FatTreeSchedule(const Config& config);

  struct Change {
    uint32_t cycle = 0;
    vtftr::LeafId leaf;
    bool dead = false;
  };
  /// A table write at a leaf or at the roots of a line.
  struct Update {
    uint32_t cycle = 0;
    bool at_leaf = false;
    vtftr::LeafId leaf;  ///< at_leaf
    int dimension = 0, line = 0;
    vtftr::UpdateMessage message;
    int whole = -1;  ///< without a manager's messages a leaf that comes back gets all: number in `known`
  };
  /// A root fails; or a leaf of its line sees it.
  struct RootChange {
    uint32_t cycle = 0;
    int router = 0;
    int leaf = -1;
  };
  std::vector<Change> changes;             ///< in order of the cycle
  std::vector<Change> detected;            ///< the same as the roots see it
  std::vector<Update> updates;             ///< in order of the cycle
  std::vector<vtftr::FaultSet> known;      ///< to the manager, by change
  vtftr::FaultSet told;                    ///< what its messages have told at the end
  std::vector<RootChange> roots;           ///< in order of the cycle
  std::vector<RootChange> roots_detected;  ///< by each leaf of its line: a leaf that comes back has to look anew
  uint32_t first_detected = 0;
  TableTimes times;
};

/// What the switches know, and their decisions.
class FatTreeRouting {
 public:
  enum class Algorithm : uint8_t { vtftr, ft_a, xy };

  FatTreeRouting(const Context& context, int domain);

  void begin_cycle(uint32_t) {}
  Route route(const Flit& flit, const Place& at) { return route_from<LinkKind::none>(flit, at); }
  /// The same at an input port of a kind; none: it is not known.
  template <LinkKind kFrom>
  [[gnu::always_inline]] Route route_from(const Flit& flit, const Place& at) {
    const FatTreeTopology::Where to = topology_.where(flit.dest);
    if (algorithm_ != Algorithm::vtftr) [[unlikely]]
      return at.router < leaves_ ? route_leaf_of_rival(to, at) : route_root(to, at);
    if (kFrom != LinkKind::node && at.router >= leaves_) return route_root(to, at);
    return route_leaf(to, at, kFrom == LinkKind::node ? vtftr::From::node : came_from(at.port));
  }
  bool order_kept(const Channel& in, const Channel& out) const;
  std::string describe_wait(int router, int port, int vc, uint32_t dest, int out_port) const;

  void begin_window() {}
  const FaultEvent* next_event(uint32_t cycle) {
    while (next_ != events_.size() && events_[next_].event.cycle == cycle) {
      if (const FaultEvent* const e = apply(events_[next_++])) return e;
    }
    return nullptr;
  }
  // before the first event all is up
  bool port_up(int output) const { return next_ == 0 || links_[static_cast<size_t>(output)].up; }
  bool alive(int router) const {
    return next_ == 0 || alive_[static_cast<size_t>(names_[static_cast<size_t>(router)])] != 0;
  }
  bool cut_off(int input, uint32_t departure, uint32_t now) const {
    if (next_ == 0) return false;
    return links_[static_cast<size_t>(input)].cuts_off(departure, now);
  }
  int messages(int, uint32_t, uint32_t) const { return 0; }
  bool delivers(int output, uint32_t cycle) const {
    return schedule_.changes.empty() || leaf_lives(output / ports_, cycle);
  }
  uint32_t free_slot(int, uint32_t cycle) const { return cycle; }
  /// Whether all tables say what is dead at the end, as far as the manager has heard of it and reaches them.
  bool tables_ok() const;
  FaultResult fault_result(uint32_t now) const;
  /// Packets dropped by reason (vtftr::DropReason).
  const std::array<uint64_t, 8>& drops() const { return drops_; }

  template <class Visit>
  void visit_state(Visit&& visit) {
    visit(next_), visit_lives(visit, links_), visit_below(visit, alive_, 2, "switches that can die");
    visit_sized(visit, leaf_tables_, "tables of leaves"), visit_sized(visit, root_tables_, "tables of roots");
    visit_sized(visit, uplink_down_, "uplinks of leaves"), visit_sized(visit, lfsr_, "random numbers of roots");
    for (uint64_t& n : drops_) visit(n);
  }
  /// What was read, after so many cycles.
  void check_state(uint32_t cycles) const {
    const auto by_now = [cycles](const Event& e) { return e.event.cycle < cycles; };
    expect_state(next_ == static_cast<uint64_t>(std::count_if(events_.begin(), events_.end(), by_now)),
                 "what has failed so far");
    for (const vtftr::LeafTables& t : leaf_tables_) expect_state(is_flag(t.column_first), "tables of leaves");
  }
  size_t bytes() const {
    return links_.size() * sizeof(LinkLife) + leaf_tables_.size() * sizeof(vtftr::LeafTables) +
           root_tables_.size() * sizeof(vtftr::RootTables) + lfsr_.size() * 2 + events_.size() * sizeof(Event);
  }

 protected:
  struct Root {
    int8_t dimension = -1;
    uint8_t line = 0;
  };
  /// What happens: what the engine has to know, and what the tables have.
  struct Event {
    FaultEvent event;
    enum class Kind : uint8_t { engine, detected, root_detected, update } kind = Kind::engine;
    size_t number = 0;  // in the schedule
  };

  Route drop(vtftr::DropReason reason) {
    ++drops_[static_cast<size_t>(reason)];
    return {};
  }
  [[gnu::always_inline]] vtftr::LeafDecision leaf_decision(const FatTreeTopology::Where& to, const Place& at,
                                                           vtftr::From from) const {
    constexpr int kAny = 256;  // the destinations are in the tree
    const FatTreeTopology::Where own = places_[static_cast<size_t>(at.router)];
    const vtftr::LeafConfig config{own.x, own.y, kAny, kAny, kAny, mode_.safe};
    return vtftr::decide_leaf(config, leaf_tables_[static_cast<size_t>(at.router)], {to.x, to.y, to.node, from, at.vc});
  }
  [[gnu::always_inline]] Route route_leaf(const FatTreeTopology::Where& to, const Place& at, vtftr::From from) {
    const vtftr::LeafDecision d = leaf_decision(to, at, from);
    if (d.kind == vtftr::LeafKind::eject) return {to.node, 0};
    if (d.dimension < 0) [[unlikely]]
      return drop(d.kind == vtftr::LeafKind::loop ? vtftr::DropReason::loop : vtftr::DropReason::turn);
    const int rail = rail_of(at.router, d.dimension, to.rail);
    if (rail < 0) [[unlikely]]
      return drop(vtftr::DropReason::no_port);
    return {static_cast<uint8_t>(nodes_ + d.dimension * rails_ + rail), static_cast<uint8_t>(d.vc)};
  }
  [[gnu::always_inline]] Route route_root(const FatTreeTopology::Where& to, const Place& at) {
    const auto number = static_cast<size_t>(at.router - leaves_);
    const Root root = roots_[number];
    uint16_t& state = lfsr_[number * static_cast<size_t>(ports_) + static_cast<size_t>(at.port)];
    const uint16_t lfsr = state;
    state = lfsr_next(state);
    const int target = root.dimension == vtftr::kRow ? to.x : to.y;
    if (algorithm_ == Algorithm::ft_a || root_tables_[number].dead.test(target)) [[unlikely]]
      return route_round(to, at, lfsr);
    return {static_cast<uint8_t>(target), static_cast<uint8_t>(at.vc)};
  }
  Route route_leaf_of_rival(const FatTreeTopology::Where& to, const Place& at);
  /// At a root, where the target's link is down, or by algorithm A.
  Route route_round(const FatTreeTopology::Where& to, const Place& at, uint16_t lfsr);
  int leaf_dimension_of_a(const FatTreeTopology::Where& to, const Place& at, vtftr::From from) const;
  Route root_of_a(const FatTreeTopology::Where& to, const Place& at, const Root& root, const vtftr::LineMap& dead);
  /// The column and row by which algorithm A goes round the dead leaf (x, y).
  int turn_column(int x) const { return turn_.x >= 0 ? turn_.x : (x + 1) % columns_; }
  int turn_row(int y) const { return turn_.x >= 0 ? turn_.y : (y + 1) % rows_; }
  vtftr::From came_from(int port) const {
    return port < nodes_ ? vtftr::From::node : port < nodes_ + rails_ ? vtftr::From::row : vtftr::From::column;
  }
  /// Where a leaf of the domain is.
  const FatTreeTopology::Where& place(int leaf) const { return places_[static_cast<size_t>(leaf)]; }
  /// A router by its number in the tree; -1: of another domain.
  int router_of(int name) const {
    const auto found = std::lower_bound(names_.begin(), names_.end(), name);
    return found == names_.end() || *found != name ? -1 : static_cast<int>(found - names_.begin());
  }
  bool leaf_lives(int leaf, uint32_t cycle) const;
  const FaultEvent* apply(const Event& e);
  void build_events();
  void add_leaf_events(const FatTreeSchedule::Change& change);
  void add_root_events(const FatTreeSchedule::RootChange& change);
  void add_event(uint32_t cycle, FaultEvent::Kind kind, bool up, int router, int port);
  /// The rail of a step; -1: all uplinks are down.
  int rail_of(int leaf, int dimension, int wanted) const {
    if (uplink_down_.empty()) [[likely]]
      return wanted;
    return vtftr::first_rail(uplink_down_[static_cast<size_t>(leaf)][static_cast<size_t>(dimension)], wanted, rails_);
  }

  const Context& context_;
  const FatTreeTopology& topology_;
  Algorithm algorithm_;
  vtftr::Mode mode_;
  std::vector<int> names_;  // of the routers of the domain in the tree, rising: leaves first
  int first_;               // number of its first router over all domains
  int routers_, leaves_;    // of the domain
  int ports_, columns_, rows_, nodes_, rails_;
  std::vector<FatTreeTopology::Where> places_;  // of the leaves
  std::vector<Root> roots_;
  FatTreeSchedule schedule_;
  vtftr::LeafId turn_{-1, -1};  // algorithm A, common turn leaf
  std::vector<Event> events_;
  uint64_t next_ = 0;
  FaultEvent event_;                            // the one that is served
  std::vector<LinkLife> links_;                 // by port index
  std::vector<uint8_t> alive_;                  // by router of the whole tree
  std::vector<vtftr::LeafTables> leaf_tables_;  // by leaf
  std::vector<vtftr::RootTables> root_tables_;  // by root
  std::vector<std::array<uint32_t, 2>>
      uplink_down_;  // by leaf and dimension, bit r: as its detector says; empty while no root fails in this run
  std::vector<uint16_t> lfsr_;  // by port index of the roots
  std::array<uint64_t, 8> drops_{};
};

/// The same as a policy of the engine; `kPorts`: 64 or 128, room for so many ports of a router. Two virtual channels:
/// VTFTR needs the second; dimension order and algorithm A carry data on both.
template <int kPorts>
class FatTreePolicy final : public FatTreeRouting {
 public:
  static constexpr int kVcs = 1;
  static constexpr int kMaxVcs = 2;
  static constexpr int kMaxPorts = kPorts;
  static constexpr bool kAsks = false;
  static constexpr bool kMonitors = false;
  static constexpr bool kOrderFree = true;
  static constexpr bool kPieces = true;
  static constexpr bool kFaults = true;
  static constexpr bool kOwnFaults = true;  // knows them from the configuration, without a feed
  using FatTreeRouting::FatTreeRouting;

  struct Batch {
    using Of = FatTreePolicy;
    FatTreePolicy& policy;
    template <LinkKind kFrom>
    [[gnu::always_inline]] Route route(const Flit& flit, const Place& at) const {
      return policy.template route_from<kFrom>(flit, at);
    }
    void finish() const {}
  };
  Batch batch() { return {*this}; }
};

/// The engine of all three, with as much room as the switches need.
std::unique_ptr<Simulation> make_fat_tree_engine(const Config& config);

}  // namespace odonata::network
