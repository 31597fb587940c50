// SPDX-License-Identifier: Apache-2.0
#include "models/vtftr/tree_route.h"

#include <algorithm>

#include "models/common/channel_graph.h"

namespace odonata::vtftr {

namespace {

/// A leaf's question with what every rule looks at (tree_rules.h), and the steps.
class Leaf {
 public:
  Leaf(const TreeKnowledge& known, const TreeFaults& seen, const TreeAsk& q)
      : known_(known), seen_(seen), tree_(seen.tree()), q_(q), at_(tree_.point(q.leaf)), dest_(tree_.point(q.dest)) {}

  bool differs(int d) const { return at_[static_cast<size_t>(d)] != dest_[static_cast<size_t>(d)]; }
  bool own(int d) const {
    return known_.attached(q_.leaf, d) && first_rail(d, [](int) { return true; }) >= 0;
  }
  bool dest(int d) const { return known_.attached(q_.dest, d); }
  bool next(int d) const { return known_.attached(next_leaf(d), d); }
  bool corner(int d) const { return known_.attached(next_leaf(d), kRow) && known_.attached(next_leaf(d), kColumn); }
  bool full(int d) const { return known_.full(d); }

  /// What a rule says, over a rail.
  TreeStep step(const TreeRule& rule) const {
    if (rule.dimension < 0) return {.reason = rule.reason};
    return rule.around ? around(rule.dimension, rule.vc) : to(rule.dimension, rule.vc);
  }

 private:
  /// The leaf at the destination's coordinate of a dimension.
  int next_leaf(int d) const {
    FatTree::Point p = at_;
    p[static_cast<size_t>(d)] = dest_[static_cast<size_t>(d)];
    return tree_.leaf(p);
  }
  /// To the destination's coordinate, over a rail that leads there; if none is known to, over any.
  TreeStep to(int d, int vc) const {
    const int line = tree_.line(q_.leaf, d), target = dest_[static_cast<size_t>(d)];
    return over(d, vc, false, [&](int rail) { return !known_.faults().down(d, line, rail).test(target); });
  }
  /// To any other leaf of the line, over a rail with an unmasked one.
  TreeStep around(int d, int vc) const {
    const int line = tree_.line(q_.leaf, d);
    const LineMap others = LineMap::first(tree_.size(d)) & ~known_.mask(d) &
                           ~LineMap::bit(dest_[static_cast<size_t>(d)]) & ~LineMap::bit(at_[static_cast<size_t>(d)]);
    return over(d, vc, true, [&](int rail) { return (others & ~known_.faults().down(d, line, rail)).any(); });
  }
  /// The first rail from the wanted one on whose link is up and that is good; -1: none.
  template <class Good>
  int first_rail(int d, Good good) const {
    const int line = tree_.line(q_.leaf, d);
    for (int i = 0; i < tree_.u(); ++i) {
      const int rail = (q_.rail + i) % tree_.u();
      if (!seen_.down(d, line, rail).test(at_[static_cast<size_t>(d)]) && good(rail)) return rail;
    }
    return -1;
  }
  template <class Good>
  TreeStep over(int d, int vc, bool around, Good good) const {
    int rail = first_rail(d, good);
    if (rail < 0) rail = first_rail(d, [](int) { return true; });
    if (rail < 0) return {.reason = DropReason::no_port};
    return {d, vc, rail, around, DropReason::none};
  }

  const TreeKnowledge& known_;
  const TreeFaults& seen_;
  const FatTree& tree_;
  const TreeAsk& q_;
  FatTree::Point at_, dest_;
};

}  // namespace

TreeStep decide_leaf_2d(const TreeKnowledge& known, const TreeFaults& seen, const TreeAsk& q) {
  if (q.leaf == q.dest) return {};
  const Leaf l(known, seen, q);
  return l.step(half_dead_rule(l, q.from, q.vc));
}

TreeStep decide_leaf_kd(const TreeKnowledge& known, const TreeFaults& seen, const TreeAsk& q, int last_vc) {
  if (q.leaf == q.dest) return {};
  if (!known.reachable(q.dest)) return {.reason = DropReason::dead};
  const Leaf l(known, seen, q);
  return l.step(dimensions_rule(l, seen.tree().dimensions(), q.from, q.vc, last_vc));
}

RootChoice choose_tree_root(const FatTree& tree, const LineMap& mask, const LineMap& down, const TreeRootAsk& q,
                            int last_vc) {
  using enum RootKind;
  const int d = q.root.dimension, target = tree.point(q.dest)[static_cast<size_t>(d)];
  if (!q.around) {
    if (!down.test(target)) return {direct, LineMap::bit(target)};
    if (tree.line(q.dest, d) == q.root.line) return {dead, {}};
  }
  if (q.vc == last_vc) return {no_turn_left, {}};
  const LineMap live = LineMap::first(tree.size(d)) & ~down & ~LineMap::bit(target) & ~LineMap::bit(q.in),
                unmasked = live & ~mask;
  if (unmasked.any()) return {misroute, unmasked};
  if (live.any()) return {masked, live};
  if (!down.test(q.in)) return {bounce, LineMap::bit(q.in)};
  return {none, {}};
}

// ---- all ways

namespace {

DropReason reason_of(RootKind kind) {
  return kind == RootKind::dead           ? DropReason::dead
         : kind == RootKind::no_turn_left ? DropReason::virtual_channel
                                          : DropReason::no_port;
}

/// The root that a step leads to.
FatTree::Root root_of(const FatTree& tree, int leaf, const TreeStep& s) {
  return {s.dimension, tree.line(leaf, s.dimension), s.rail};
}

RootChoice root_choice(const TreeScene& scene, const TreeKnowledge& known, int leaf, int dest, const TreeStep& s) {
  const FatTree& tree = scene.dead.tree();
  const FatTree::Root root = root_of(tree, leaf, s);
  const TreeRootAsk q{root, dest, tree.point(leaf)[static_cast<size_t>(s.dimension)], s.vc, s.around};
  return choose_tree_root(tree, known.mask(s.dimension), scene.dead.down(root.dimension, root.line, root.rail), q,
                          scene.vcs - 1);
}

class Ways {
 public:
  Ways(const TreeScene& scene, int to, int rail) : scene_(scene), to_(to), rail_(rail) {}
  void visit(int leaf, int from, int vc, double probability) {
    const TreeKnowledge& known = scene_.tables.front();
    const TreeStep s = decide_leaf(known, scene_.dead, {leaf, to_, from, vc, rail_}, scene_.vcs - 1);
    if (s.dimension < 0) return end(leaf == to_ ? Outcome::delivered : Outcome::dropped, s.reason, probability);
    const RootChoice choice = root_choice(scene_, known, leaf, to_, s);
    if (dropped(choice.kind)) return end(Outcome::dropped, reason_of(choice.kind), probability);
    const int line = scene_.dead.tree().line(leaf, s.dimension);
    choice.ports.for_each([&](int port) {
      const int next = scene_.dead.tree().leaf_of_line(s.dimension, line, port);
      hops_.push_back({s.dimension, next, s.vc, s.rail, s.around, choice.kind});
      visit(next, s.dimension, s.vc, probability / choice.ports.count());
      hops_.pop_back();
    });
  }
  std::vector<TreePath> found;

 private:
  void end(Outcome outcome, DropReason reason, double probability) {
    found.push_back({hops_, outcome, reason, probability});
  }
  const TreeScene& scene_;
  int to_, rail_;
  std::vector<TreeHop> hops_;
};

/// What may become of a packet from a state on.
struct Fate {
  bool seen = false, may_drop = false;
  int routings = 0;
};

class Explorer {
 public:
  Explorer(const TreeScene& scene, bool merge_vcs)
      : scene_(scene),
        tree_(scene.dead.tree()),
        k_(tree_.dimensions()),
        rails_(scene.dead.uneven() || std::any_of(scene.tables.begin(), scene.tables.end(),
                                                  [](const auto& t) { return t.faults().uneven(); })
                   ? tree_.u()
                   : 1),
        merge_(merge_vcs),
        channels_(tree_.num_leaves() * k_ * 2 * scene.vcs * rails_),
        graph_(channels_),
        held_(static_cast<size_t>(channels_)) {}

  TreeReport run() {
    TreeReport report;
    std::vector<uint8_t> lost(static_cast<size_t>(tree_.num_leaves()));
    for (to_ = 0; to_ < tree_.num_leaves(); ++to_) {
      if (scene_.dead.leaf_dead(to_)) continue;
      std::fill(lost.begin(), lost.end(), 0);
      for (rail_ = 0; rail_ < rails_; ++rail_) {
        fate_.assign(static_cast<size_t>(tree_.num_leaves() * (k_ + 1) * scene_.vcs), {});
        for (int from = 0; from < tree_.num_leaves(); ++from) {
          if (from == to_ || scene_.dead.leaf_dead(from)) continue;
          const Fate& fate = visit(from, kFromNode, 0, -1);
          report.max_routings = std::max(report.max_routings, fate.routings);
          lost[static_cast<size_t>(from)] |= static_cast<uint8_t>(fate.may_drop);
        }
      }
      for (int from = 0; from < tree_.num_leaves(); ++from) {
        report.pairs += from != to_ && !scene_.dead.leaf_dead(from);
        report.lost_pairs += lost[static_cast<size_t>(from)];
        if (lost[static_cast<size_t>(from)] && report.lost_from < 0) report.lost_from = from, report.lost_to = to_;
      }
    }
    report.channels = std::count(held_.begin(), held_.end(), true);
    report.dependencies = graph_.dependencies();
    for (const int c : graph_.find_cycle()) report.cycle.push_back(name_of(c));
    return report;
  }

 private:
  int channel(int leaf, int dimension, bool down, int vc, int rail) const {
    return (((leaf * k_ + dimension) * 2 + down) * scene_.vcs + (merge_ ? 0 : vc)) * rails_ + (rails_ == 1 ? 0 : rail);
  }
  std::string name_of(int c) const {
    const int rail = c % rails_, vc = c / rails_ % scene_.vcs, down = c / rails_ / scene_.vcs % 2,
              d = c / rails_ / scene_.vcs / 2 % k_;
    return dimension_name(d) + (down ? " down" : " up") + leaf_name(tree_, c / rails_ / scene_.vcs / 2 / k_) + " vc " +
           std::to_string(vc) + (rails_ == 1 ? "" : " rail " + std::to_string(rail));
  }

  /// The state's fate. States end: every step takes a channel of a higher rank. `held`: the channel on which the packet
  /// came here.
  const Fate& visit(int leaf, int from, int vc, int held) {
    Fate& fate = fate_[static_cast<size_t>((leaf * (k_ + 1) + from + 1) * scene_.vcs + vc)];
    std::vector<TreeStep> known;
    for (const TreeKnowledge& k : scene_.tables) {
      const TreeStep s = decide_leaf(k, scene_.dead, {leaf, to_, from, vc, rail_}, scene_.vcs - 1);
      if (std::find(known.begin(), known.end(), s) != known.end()) continue;
      known.push_back(s);
      if (s.dimension >= 0) {  // by the rail that it came on, so for every visit
        const int up = channel(leaf, s.dimension, false, s.vc, s.rail);
        held_[static_cast<size_t>(up)] = true;
        if (held >= 0) graph_.add(held, up);
      }
      if (!fate.seen) follow(leaf, s, fate);
    }
    fate.seen = true;
    return fate;
  }

  void follow(int leaf, const TreeStep& s, Fate& fate) {
    if (s.dimension < 0) {
      fate.may_drop |= leaf != to_;
      return;
    }
    LineMap ports;
    for (const TreeKnowledge& k : scene_.tables) {
      const RootChoice choice = root_choice(scene_, k, leaf, to_, s);
      ports = ports | choice.ports;
      fate.may_drop |= dropped(choice.kind);
    }
    const int up = channel(leaf, s.dimension, false, s.vc, s.rail), line = tree_.line(leaf, s.dimension);
    ports.for_each([&](int port) {
      const int next = tree_.leaf_of_line(s.dimension, line, port),
                down = channel(next, s.dimension, true, s.vc, s.rail);
      held_[static_cast<size_t>(down)] = true;
      graph_.add(up, down);
      const Fate then = visit(next, s.dimension, s.vc, down);
      fate.may_drop |= then.may_drop;
      fate.routings = std::max(fate.routings, then.routings + 1);
    });
  }

  const TreeScene& scene_;
  const FatTree& tree_;
  const int k_, rails_;
  const bool merge_;
  const int channels_;
  ChannelGraph graph_;
  std::vector<bool> held_;
  int to_ = 0, rail_ = 0;
  std::vector<Fate> fate_;
};

}  // namespace

std::vector<TreePath> all_tree_paths(const TreeScene& scene, int from, int to, int rail) {
  Ways ways(scene, to, rail);
  ways.visit(from, kFromNode, 0, 1.0);
  std::stable_sort(ways.found.begin(), ways.found.end(),
                   [](const TreePath& a, const TreePath& b) { return a.probability > b.probability; });
  return ways.found;
}

TreeReport explore_tree(const TreeScene& scene, bool merge_vcs) { return Explorer(scene, merge_vcs).run(); }

}  // namespace odonata::vtftr
