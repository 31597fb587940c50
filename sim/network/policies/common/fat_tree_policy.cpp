// SPDX-License-Identifier: Apache-2.0
#include "sim/network/policies/common/fat_tree_policy.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "models/common/error.h"
#include "sim/network/make_engine.h"

namespace odonata::network {

using namespace vtftr;

// ---- what happens and when

namespace {

/// Writes a FatTreeSchedule: the faults of the settings, when they are known, when which table is written.
class ScheduleWriter {
 public:
  ScheduleWriter(const Config& config, FatTreeSchedule& schedule)
      : topology_(fat_tree_of(config)),
        tree_(topology_.tree()),
        p_(config.fat_tree),
        // With RouteCompute::arrival as the hardware of the cross-check does it: a unit samples its request and what it
        // knows when the link ends, in the cycle before the one of the switch; and roots keep masks, no tables.
        sampled_(config.piped()),
        s_(schedule) {
    timing_.detect = p_.detect;
    timing_.service = p_.service;
    timing_.mask_form = sampled_;
  }

  void write(const FaultPlan& faults) {
    read_changes(faults);
    find_times();
    for (size_t i = 0; i < s_.changes.size() && !at_once(); ++i)
      check_life(i, first_use(managed() ? std::max<int64_t>(p_.detect, times_[i].reported) : p_.detect));
    detect_roots(at_once() ? 0 : first_use(p_.detect));
    serve();
    for (size_t i = 0; i < s_.changes.size(); ++i) {
      s_.detected.push_back(s_.changes[i]);
      if (!at_once()) s_.detected.back().cycle += first_use(p_.detect);
      s_.first_detected = s_.first_detected == 0 ? s_.detected.back().cycle : s_.first_detected;
      if (p_.reconfigure == Reconfigure::never || !heard(i)) continue;
      s_.times.serve(s_.changes[i].dead, at(i, times_[i].served));
      tell_leaves(i);
      for (size_t k = 0; k < again_[i].size(); ++k) tell_again(i, k);
      tell_roots(i, times_[i], messages_[i]);
    }
    std::stable_sort(s_.updates.begin(), s_.updates.end(), kEarlier);
  }

 private:
  using Change = FatTreeSchedule::Change;

  static constexpr auto kEarlier = [](const auto& a, const auto& b) { return a.cycle < b.cycle; };

  bool managed() const { return p_.reconfigure == Reconfigure::manager; }
  bool at_once() const { return p_.reconfigure == Reconfigure::at_once; }
  bool by_roots() const { return p_.reconfigure == Reconfigure::broadcast; }

  LeafId leaf_at(int number) const { return {number % tree_.columns(), number / tree_.columns()}; }
  uint32_t first_use(int64_t ns) const {
    return static_cast<uint32_t>(std::ceil(static_cast<double>(ns) / p_.ns_per_cycle)) + sampled_;
  }
  /// The cycle at which something `ns` after change i is used.
  uint32_t at(size_t i, int64_t ns) const { return s_.changes[i].cycle + (at_once() ? 0 : first_use(ns)); }
  /// The manager does not hear of a leaf whose roots have no way to it.
  bool heard(size_t i) const { return times_.empty() || by_roots() || times_[i].reported != 0; }

  void read_changes(const FaultPlan& faults) {
    for (const TimedFault& f : faults.events) {
      const int router = f.fault.router.bid;
      const auto cycle = static_cast<uint32_t>(f.cycle);
      if (router >= tree_.num_leaves())
        s_.roots.push_back({cycle, router});
      else
        s_.changes.push_back({cycle, leaf_at(router), !f.repair});
    }
    std::stable_sort(s_.changes.begin(), s_.changes.end(), kEarlier);
    std::stable_sort(s_.roots.begin(), s_.roots.end(), kEarlier);
  }

  void find_times() {
    FaultSet dead(tree_);
    for (const Change& c : s_.changes) {
      const auto start = static_cast<int64_t>(static_cast<double>(c.cycle) * p_.ns_per_cycle);
      story_.push_back({start, c.leaf, c.dead});
      dead.set(c.leaf, c.dead);
      if (by_roots()) times_.push_back(by_neighbours(tree_, dead, c.leaf, timing_));
      if (at_once()) times_.push_back(by_manager(tree_, dead, c.leaf, timing_));
    }
    if (managed()) times_ = by_manager_in_time(tree_, story_, timing_);
  }

  /// The roots, and a manager, hear of each return of a leaf before it fails again: it lives for `least` cycles.
  void check_life(size_t i, uint32_t least) const {
    const Change& back = s_.changes[i];
    const auto again = std::find_if(s_.changes.begin() + static_cast<std::ptrdiff_t>(i) + 1, s_.changes.end(),
                                    [&back](const Change& c) { return c.leaf == back.leaf; });
    if (back.dead || again == s_.changes.end() || again->cycle - back.cycle >= least) return;
    throw Error("--fail: leaf:" + std::to_string(back.leaf.x) + "," + std::to_string(back.leaf.y) + " fails " +
                std::to_string(again->cycle - back.cycle) + " cycles after its repair, expected " +
                std::to_string(least) + " at least, until its return is known");
  }

  void detect_roots(uint32_t after) {
    for (const FatTreeSchedule::RootChange& r : s_.roots) {
      const FatTreeTopology::Switch root = topology_.at(r.router);
      for (int i = 0; i < tree_.size(root.dimension); ++i) {
        const int leaf = tree_.leaf_of_line(root.dimension, root.line, i);
        s_.roots_detected.push_back({r.cycle + after, r.router, leaf});
        for (const Change& c : s_.changes) {
          if (tree_.leaf(c.leaf.x, c.leaf.y) != leaf) continue;
          if (c.dead && c.cycle <= s_.roots_detected.back().cycle)
            s_.roots_detected.pop_back();  // it forgets, or does not live to see it
          if (!c.dead) s_.roots_detected.push_back({std::max(c.cycle, r.cycle) + after, r.router, leaf});
        }
      }
    }
  }

  /// What is told, in the order in which the changes are served.
  void serve() {
    std::vector<size_t> order(s_.changes.size());
    std::iota(order.begin(), order.end(), 0);
    const auto served = [this](size_t i) { return story_[i].ns + times_[i].served; };
    if (managed())
      std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return served(a) < served(b); });
    Manager manager(tree_);
    messages_.resize(order.size());
    again_.resize(order.size());
    s_.known.assign(order.size(), FaultSet(tree_));
    for (const size_t i : order) {
      const Change& c = s_.changes[i];
      if (heard(i)) messages_[i] = manager.serve(c.leaf, c.dead);
      s_.known[i] = manager.known();
      if (managed() && heard(i) && !c.dead) again_[i] = manager.again(c.leaf);
    }
    s_.told = manager.known();
  }

  void add(size_t i, const FatTreeSchedule::Update& u) {
    s_.times.write(s_.changes[i].dead, u.cycle);
    s_.updates.push_back(u);
  }

  void tell_roots(size_t i, const Reach& reach, const UpdateMessage& message) {
    for (int d : {kRow, kColumn}) {
      for (size_t line = 0; line < reach.line[d].size(); ++line) {
        if (reach.line[d][line] == kNever) continue;
        add(i,
            {.cycle = at(i, reach.line[d][line]), .dimension = d, .line = static_cast<int>(line), .message = message});
      }
    }
  }

  void tell_leaves(size_t i) {
    const Change& c = s_.changes[i];
    for (int leaf = 0; leaf < tree_.num_leaves(); ++leaf) {
      int64_t when = times_[i].leaf[static_cast<size_t>(leaf)];
      const LeafId id = leaf_at(leaf);
      // Without a manager a leaf that is not told of the fault hears of `cf` only, a hop after the roots.
      if (when == kNever && by_roots() && !s_.known[i].test(id.x, id.y))
        when = times_[i].detected + 3 * timing_.hop + timing_.leaf_update;
      if (when == kNever) continue;
      const bool whole = id == c.leaf && !c.dead && !managed();
      add(i, {.cycle = at(i, when),
              .at_leaf = true,
              .leaf = id,
              .message = messages_[i],
              .whole = whole ? static_cast<int>(i) : -1});
    }
  }

  /// Message k for a leaf that has come back: one without a live leaf has missed what came meanwhile.
  void tell_again(size_t i, size_t k) {
    const Reach& reach = times_[i].again[k];
    tell_roots(i, reach, again_[i][k]);
    for (int leaf = 0; leaf < tree_.num_leaves(); ++leaf) {
      const int64_t when = reach.leaf[static_cast<size_t>(leaf)];
      if (when == kNever) continue;
      add(i, {.cycle = at(i, when), .at_leaf = true, .leaf = leaf_at(leaf), .message = again_[i][k]});
    }
  }

  const FatTreeTopology& topology_;
  const FatTree& tree_;
  const FatTreeParameters& p_;
  bool sampled_;
  FatTreeSchedule& s_;
  ManagerTiming timing_;
  std::vector<LeafChange> story_;
  std::vector<ReconfigurationTimes> times_;        // by change; none if nothing is told
  std::vector<UpdateMessage> messages_;            // by change
  std::vector<std::vector<UpdateMessage>> again_;  // by change: for the leaf that has come back
};

}  // namespace

FatTreeSchedule::FatTreeSchedule(const Config& config) : told(fat_tree_of(config).tree()) {
  ScheduleWriter(config, *this).write(config.faults);
}

// ---- what the engine and the tables have to be told

namespace {

FatTreeRouting::Algorithm algorithm_of(const std::string& name) {
  using enum FatTreeRouting::Algorithm;
  return name == "vtftr" ? vtftr : name == "ft_a" ? ft_a : xy;
}

/// The first leaf in a row and a column without a fault at any time; algorithm A turns there round every fault.
LeafId common_turn(const FatTree& tree, const FatTreeSchedule& schedule) {
  FaultSet ever(tree);
  for (const auto& c : schedule.changes) ever.set(c.leaf);
  const LineMap columns = ever.faulty_columns(), rows = ever.faulty_rows();
  for (int y = 0; y < tree.rows(); ++y)
    for (int x = 0; x < tree.columns(); ++x)
      if (!columns.test(x) && !rows.test(y)) return {x, y};
  throw Error("routing 'ft_a' with --turn-leaf common: no row or no column is left without a fault");
}

}  // namespace

FatTreeRouting::FatTreeRouting(const Context& context, int domain)
    : context_(context),
      topology_(fat_tree_of(context.config)),
      algorithm_(algorithm_of(context.config.routing)),
      mode_{.safe = context.config.faults.mode == fault::Mode::safe, .exclude = true},
      names_(context.wiring.routers_of(domain)),
      first_(domain * context.wiring.routers),
      routers_(static_cast<int>(names_.size())),
      leaves_(static_cast<int>(std::lower_bound(names_.begin(), names_.end(), topology_.tree().num_leaves()) -
                               names_.begin())),
      ports_(context.wiring.ports),
      columns_(topology_.tree().columns()),
      rows_(topology_.tree().rows()),
      nodes_(topology_.tree().p()),
      rails_(topology_.tree().u()),
      schedule_(context.config),
      links_(static_cast<size_t>(routers_) * static_cast<size_t>(ports_)),
      alive_(static_cast<size_t>(topology_.routers()), 1),
      leaf_tables_(static_cast<size_t>(leaves_)),
      root_tables_(static_cast<size_t>(routers_ - leaves_)) {
  const FatTreeParameters& p = context.config.fat_tree;
  mode_.exclude = p.pick == Pick::by_mode ? mode_.safe : p.pick == Pick::exclude;
  if (algorithm_ == Algorithm::ft_a && p.common_turn_leaf) turn_ = common_turn(topology_.tree(), schedule_);
  for (int r = 0; r < leaves_; ++r)
    places_.push_back(topology_.where(static_cast<uint32_t>(names_[static_cast<size_t>(r)] * nodes_)));
  for (int r = leaves_; r < routers_; ++r) {
    const int name = names_[static_cast<size_t>(r)];
    const FatTreeTopology::Switch s = topology_.at(name);
    roots_.push_back({static_cast<int8_t>(s.dimension), static_cast<uint8_t>(s.line)});
    const auto first = static_cast<uint64_t>((name - topology_.tree().num_leaves()) * ports_);
    for (uint64_t i = first; i < first + static_cast<uint64_t>(ports_); ++i)
      lfsr_.push_back(FatTreeTopology::first_lfsr(context.config.seed, i));
  }
  if (!schedule_.roots.empty()) uplink_down_.resize(static_cast<size_t>(leaves_));
  build_events();
}

void FatTreeRouting::add_event(uint32_t cycle, FaultEvent::Kind kind, bool up, int router, int port) {
  FaultEvent e;
  e.cycle = cycle;
  e.kind = kind;
  e.up = up;
  e.router = static_cast<uint16_t>(router);
  e.port = static_cast<uint8_t>(port);
  events_.push_back({e});
}

/// The root and both ends of its links.
void FatTreeRouting::add_root_events(const FatTreeSchedule::RootChange& change) {
  const FatTree& tree = topology_.tree();
  const FatTreeTopology::Switch s = topology_.at(change.router);
  add_event(change.cycle, FaultEvent::Kind::router, false, change.router, 0);
  for (int i = 0; i < tree.size(s.dimension); ++i) {
    add_event(change.cycle, FaultEvent::Kind::link, false, change.router, i);
    add_event(change.cycle, FaultEvent::Kind::link, false, tree.leaf_of_line(s.dimension, s.line, i),
              tree.uplink(s.dimension, s.rail));
  }
}

void FatTreeRouting::add_leaf_events(const FatTreeSchedule::Change& change) {
  const auto add = [&](FaultEvent::Kind kind, int router, int port) {
    add_event(change.cycle, kind, !change.dead, router, port);
  };
  const FatTree& tree = topology_.tree();
  const int leaf = tree.leaf(change.leaf.x, change.leaf.y);
  add(FaultEvent::Kind::router, leaf, 0);
  for (int port = 0; port < tree.leaf_ports(); ++port) add(FaultEvent::Kind::link, leaf, port);
  for (int r = tree.num_leaves(); r < topology_.routers(); ++r) {
    const FatTreeTopology::Switch root = topology_.at(r);
    if (root.dimension == kRow && root.line == change.leaf.y) add(FaultEvent::Kind::link, r, change.leaf.x);
    if (root.dimension == kColumn && root.line == change.leaf.x) add(FaultEvent::Kind::link, r, change.leaf.y);
  }
}

void FatTreeRouting::build_events() {
  for (const FatTreeSchedule::Change& c : schedule_.changes) add_leaf_events(c);
  for (const FatTreeSchedule::RootChange& c : schedule_.roots) add_root_events(c);
  const auto add = [this](Event::Kind kind, uint32_t cycle, size_t number) {
    FaultEvent e;
    e.cycle = cycle;
    e.kind = FaultEvent::Kind::entry;
    events_.push_back({e, kind, number});
  };
  for (size_t i = 0; i < schedule_.detected.size(); ++i) {
    const FatTreeSchedule::Change& c = schedule_.detected[i];
    add(Event::Kind::detected, c.cycle, i);
  }
  for (size_t i = 0; i < schedule_.roots_detected.size(); ++i)
    add(Event::Kind::root_detected, schedule_.roots_detected[i].cycle, i);
  for (size_t i = 0; i < schedule_.updates.size(); ++i) add(Event::Kind::update, schedule_.updates[i].cycle, i);
  std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
    return a.event.cycle != b.event.cycle ? a.event.cycle < b.event.cycle : a.event.kind < b.event.kind;
  });
}

/// Null: what happens at a router of another domain.
const FaultEvent* FatTreeRouting::apply(const Event& e) {
  if (e.kind == Event::Kind::engine) {
    const int router = router_of(e.event.router);
    event_ = e.event;
    event_.router = static_cast<uint16_t>(router);
    if (e.event.kind == FaultEvent::Kind::router) {
      alive_[e.event.router] = e.event.up;
      if (!e.event.up && router >= 0 && router < leaves_) {  // a dead leaf forgets
        leaf_tables_[static_cast<size_t>(router)] = {};
        if (!uplink_down_.empty()) uplink_down_[static_cast<size_t>(router)] = {};
      }
      return router < 0 ? nullptr : &event_;
    }
    if (router < 0) return nullptr;
    // The link of a leaf that comes back to a root that is dead stays down.
    const bool node = router < leaves_ && e.event.port < nodes_;
    const auto peer = [&] {
      return context_.wiring.name(static_cast<int>(context_.wiring.at(first_ + router, e.event.port).peer));
    };
    const bool both = node || (alive_[e.event.router] != 0 && alive_[static_cast<size_t>(peer())] != 0);
    links_[static_cast<size_t>(router * ports_ + e.event.port)].set(e.event.up && both, e.event.cycle);
    return &event_;
  }
  if (e.kind == Event::Kind::root_detected) {
    const FatTreeSchedule::RootChange& c = schedule_.roots_detected[e.number];
    const FatTreeTopology::Switch s = topology_.at(c.router);
    const int leaf = router_of(c.leaf);
    if (leaf >= 0) uplink_down_[static_cast<size_t>(leaf)][static_cast<size_t>(s.dimension)] |= 1u << s.rail;
    return &e.event;
  }
  if (e.kind == Event::Kind::detected) {
    const FatTreeSchedule::Change& c = schedule_.detected[e.number];
    for (size_t r = 0; r < roots_.size(); ++r) {
      const bool row = roots_[r].dimension == kRow;
      if (roots_[r].dimension < 0 || roots_[r].line != (row ? c.leaf.y : c.leaf.x)) continue;
      LineMap& dead = root_tables_[r].dead;
      c.dead ? dead.set(row ? c.leaf.x : c.leaf.y) : dead.clear(row ? c.leaf.x : c.leaf.y);
    }
    return &e.event;
  }
  const FatTreeSchedule::Update& u = schedule_.updates[e.number];
  if (u.at_leaf) {
    const int leaf = router_of(topology_.tree().leaf(u.leaf.x, u.leaf.y));
    if (leaf >= 0 && alive(leaf)) {
      LeafTables& tables = leaf_tables_[static_cast<size_t>(leaf)];
      if (u.whole >= 0) tables = Knowledge(schedule_.known[static_cast<size_t>(u.whole)]).leaf(u.leaf.x, u.leaf.y);
      vtftr::apply(u.message, u.leaf.x, u.leaf.y, tables);
    }
    return &e.event;
  }
  for (size_t r = 0; r < roots_.size(); ++r) {
    if (roots_[r].dimension == u.dimension && roots_[r].line == u.line)
      vtftr::apply(u.message, u.dimension, root_tables_[r].mask);
  }
  return &e.event;
}

bool FatTreeRouting::leaf_lives(int leaf, uint32_t cycle) const {
  const FatTreeTopology::Where& own = place(leaf);
  bool up = true;
  for (const FatTreeSchedule::Change& c : schedule_.changes) {
    if (c.cycle > cycle) break;
    if (c.leaf.x == own.x && c.leaf.y == own.y) up = !c.dead;
  }
  return up;
}

// ---- decisions

Route FatTreeRouting::route_leaf_of_rival(const FatTreeTopology::Where& to, const Place& at) {
  const FatTreeTopology::Where& own = place(at.router);
  if (to.x == own.x && to.y == own.y) return {to.node, 0};
  const int dimension = algorithm_ == Algorithm::ft_a ? leaf_dimension_of_a(to, at, came_from(at.port))
                        : to.x == own.x               ? kColumn
                                                      : kRow;
  return {static_cast<uint8_t>(nodes_ + dimension * rails_ + to.rail), static_cast<uint8_t>(at.vc)};
}

Route FatTreeRouting::route_round(const FatTreeTopology::Where& to, const Place& at, uint16_t lfsr) {
  const auto number = static_cast<size_t>(at.router - leaves_);
  const Root root = roots_[number];
  const RootTables& tables = root_tables_[number];
  if (algorithm_ == Algorithm::ft_a) return root_of_a(to, at, root, tables.dead);
  if (algorithm_ == Algorithm::xy) return drop(DropReason::dead);
  const RootConfig own{root.dimension, root.line, columns_, rows_, mode_};
  const RootDecision d = decide_root(own, tables, {to.x, to.y, at.port, at.vc}, lfsr);
  if (d.port != vtftr::kNoPort) return {static_cast<uint8_t>(d.port), static_cast<uint8_t>(at.vc)};
  return drop(d.kind == RootKind::dead           ? DropReason::dead
              : d.kind == RootKind::no_turn_left ? DropReason::virtual_channel
                                                 : DropReason::no_port);
}

/// Algorithm A: round the dead leaf (a, b) on (xs, b) R (turn, b) C (turn, turn') R (a, turn') C (a, yd).
int FatTreeRouting::leaf_dimension_of_a(const FatTreeTopology::Where& to, const Place& at, From from) const {
  const int x = place(at.router).x;
  if (to.x == x) return kColumn;
  if (from == From::column) return kRow;  // the second turn of a detour
  if (from == From::row) return kColumn;  // the first one
  return leaf_tables_[static_cast<size_t>(at.router)].row_dead.test(to.x) && x == turn_column(to.x) ? kColumn : kRow;
}

Route FatTreeRouting::root_of_a(const FatTreeTopology::Where& to, const Place& at, const Root& root,
                                const LineMap& dead) {
  const bool row = root.dimension == kRow;
  int port = row ? to.x : to.y;
  if (dead.test(port) && (row ? to.y : to.x) == root.line) return drop(DropReason::dead);
  if (row && dead.test(port)) port = turn_column(port);
  if (!row && to.x != root.line) port = turn_row(at.port);
  if (dead.test(port)) return drop(DropReason::no_port);
  return {static_cast<uint8_t>(port), static_cast<uint8_t>(at.vc)};
}

// ---- what is seen from outside

bool FatTreeRouting::order_kept(const Channel& in, const Channel& out) const {
  if (algorithm_ != Algorithm::vtftr || !mode_.safe || in.port_class == 0 || out.port_class == 0) return true;
  const FatTreeTopology::Switch s = topology_.at(in.router);
  const auto rank = [&](const Channel& c, bool down) {
    const int dimension = s.leaf ? (c.port - nodes_) / rails_ : s.dimension;
    return 4 * c.vc + 2 * dimension + down;
  };
  return s.leaf ? rank(in, true) < rank(out, false) : rank(in, false) < rank(out, true);
}

std::string FatTreeRouting::describe_wait(int router, int port, int vc, uint32_t dest, int out_port) const {
  const auto leaf_name = [](int x, int y) { return "(" + std::to_string(x) + "," + std::to_string(y) + ")"; };
  const FatTreeTopology::Switch s = topology_.at(names_[static_cast<size_t>(router)]);
  const FatTreeTopology::Where& to = topology_.where(dest);
  const auto channel = [&](int p, bool down) {
    if (s.leaf)
      return p < nodes_ ? "node port " + std::to_string(p)
                        : std::string((p - nodes_) / rails_ == kRow ? "x" : "y") + (down ? "-down" : "-up") +
                              leaf_name(s.x, s.y);
    const int x = s.dimension == kRow ? p : s.line, y = s.dimension == kRow ? s.line : p;
    return std::string(s.dimension == kRow ? "x" : "y") + (down ? "-up" : "-down") +
           leaf_name(x, y);  // seen from the root
  };
  return "a packet to " + leaf_name(to.x, to.y) + " in VC " + std::to_string(vc) + " of " + channel(port, true) +
         " waits for " + channel(out_port, false);
}

/// A switch that the manager cannot reach any more keeps what it knows.
bool FatTreeRouting::tables_ok() const {
  if (algorithm_ == Algorithm::xy) return true;
  const FatTree& tree = topology_.tree();
  FaultSet dead(tree);
  for (const FatTreeSchedule::Change& c : schedule_.changes) dead.set(c.leaf, c.dead);
  const bool by_roots = context_.config.fat_tree.reconfigure == Reconfigure::broadcast;
  const Knowledge known(by_roots ? dead : schedule_.told);
  const Flood reached = by_roots ? Flood{} : flood(tree, dead, manager_leaf(tree, dead));
  for (int leaf = 0; leaf < leaves_; ++leaf) {
    const int name = names_[static_cast<size_t>(leaf)];
    if (!alive(leaf) || (!by_roots && reached.leaf[static_cast<size_t>(name)] < 0)) continue;
    if (!(leaf_tables_[static_cast<size_t>(leaf)] == known.leaf(name % columns_, name / columns_))) return false;
  }
  for (size_t r = 0; r < roots_.size(); ++r) {
    const int d = roots_[r].dimension;
    if (d < 0 || !alive(leaves_ + static_cast<int>(r))) continue;
    const LineMap& links = dead_links(dead, d, roots_[r].line);
    if (!(root_tables_[r].dead == links)) return false;
    if (!by_roots && reached.line[d][static_cast<size_t>(roots_[r].line)] < 0) continue;
    // Without a manager the root is not told of lines whose leaf at this root is dead, too; it cannot pick them.
    const LineMap cannot = by_roots ? links : LineMap{};
    if (!((root_tables_[r].mask | cannot) == (known.mask(d) | cannot))) return false;
  }
  return true;
}

FaultResult FatTreeRouting::fault_result(uint32_t now) const {
  FaultResult out;
  out.detected = TableTimes::seen(now, schedule_.first_detected);
  schedule_.times.tell(now, out);
  out.quiet = context_.config.fat_tree.reconfigure != Reconfigure::never && schedule_.times.over(now);
  std::map<std::pair<int, int>, bool> last;
  for (const FatTreeSchedule::Change& c : schedule_.changes) last[{c.leaf.x, c.leaf.y}] = c.dead;
  out.restored = std::none_of(last.begin(), last.end(), [](const auto& leaf) { return leaf.second; });
  return out;
}

std::unique_ptr<Simulation> make_fat_tree_engine(const Config& config) {
  if (fat_tree_of(config).wire(config).ports > 64) return make_engine<FatTreePolicy<128>, FatTreeTopology>(config);
  return make_engine<FatTreePolicy<64>, FatTreeTopology>(config);
}

}  // namespace odonata::network
