// SPDX-License-Identifier: Apache-2.0
#include "models/vtftr/dependency.h"

#include <algorithm>

#include "models/common/channel_graph.h"

namespace odonata::vtftr {

namespace {

/// What may become of a packet from a state on.
struct Fate {
  bool seen = false, open = false;  ///< open: its successors are being looked at
  bool may_drop = false, may_not_end = false;
  int routings = 0;  ///< at most, of ways that end
};

class Explorer {
 public:
  explicit Explorer(const Exploration& what)
      : what_(what),
        tree_(what.tree),
        graph_(tree_.num_leaves() * 8),
        held_(static_cast<size_t>(tree_.num_leaves()) * 8) {}

  ExplorationReport run() {
    ExplorationReport report;
    for (int to = 0; to < tree_.num_leaves(); ++to) {
      to_ = id(to);
      if (what_.dead.test(to_.x, to_.y)) continue;
      fate_.assign(static_cast<size_t>(tree_.num_leaves()) * 6, {});
      for (int from = 0; from < tree_.num_leaves(); ++from) {
        const LeafId at = id(from);
        if (from == to || what_.dead.test(at.x, at.y)) continue;
        const Fate& fate = visit(from, From::node, 0);
        ++report.pairs;
        report.lost_pairs += fate.may_drop || fate.may_not_end;
        report.endless_pairs += fate.may_not_end;
        report.max_routings = std::max(report.max_routings, fate.routings);
      }
    }
    report.channels = std::count(held_.begin(), held_.end(), true);
    report.dependencies = graph_.dependencies();
    for (int channel : graph_.find_cycle()) report.cycle.push_back(channel_of(channel));
    return report;
  }

 private:
  LeafId id(int leaf) const { return {leaf % tree_.columns(), leaf / tree_.columns()}; }
  int channel(int dimension, bool down, int leaf, int vc) const { return ((leaf * 2 + dimension) * 2 + down) * 2 + vc; }
  TreeChannel channel_of(int c) const { return {c >> 2 & 1, (c >> 1 & 1) != 0, id(c >> 3), c & 1}; }

  /// The state's fate. A way back into an open state has no end; a state inside such a circle is looked at again from
  /// every source, because its fate is only known when the circle's first state is.
  const Fate& visit(int leaf, From from, int vc) {
    Fate& fate = fate_[static_cast<size_t>((leaf * 3 + static_cast<int>(from)) * 2 + vc)];
    if (fate.seen) return fate;
    fate.seen = fate.open = true;
    for_each_decision(leaf, from, vc, [&](const LeafDecision& d) { follow(leaf, from, vc, d, fate); });
    fate.open = false;
    return fate;
  }

  void follow(int leaf, From from, int vc, const LeafDecision& d, Fate& fate) {
    if (d.kind == LeafKind::eject) return;
    if (dropped(d.kind)) {
      fate.may_drop = true;
      return;
    }
    const int out_vc = what_.one_vc ? 0 : d.vc;
    const int up = channel(d.dimension, false, leaf, out_vc);
    held_[static_cast<size_t>(up)] = true;
    if (from != From::node) graph_.add(channel(from == From::row ? kRow : kColumn, true, leaf, vc), up);
    const LeafId at = id(leaf);
    const bool row = d.dimension == kRow;
    LineMap ports;
    for_each_choice(at, d, [&](const RootChoice& choice) {
      ports = ports | choice.ports;
      fate.may_drop |= dropped(choice.kind);
    });
    ports.for_each([&](int port) {
      const int next = row ? tree_.leaf(port, at.y) : tree_.leaf(at.x, port);
      const int down = channel(d.dimension, true, next, out_vc);
      held_[static_cast<size_t>(down)] = true;
      graph_.add(up, down);
      const Fate& then = visit(next, row ? From::row : From::column, out_vc);
      fate.may_drop |= then.may_drop;
      fate.may_not_end |= then.may_not_end || then.open;
      fate.routings = std::max(fate.routings, then.routings + 1);
    });
  }

  template <class Visit>
  void for_each_decision(int leaf, From from, int vc, Visit visit) const {
    const LeafId at = id(leaf);
    const LeafConfig own{at.x, at.y, tree_.columns(), tree_.rows(), tree_.p(), what_.mode.safe};
    const LeafRequest q{to_.x, to_.y, 0, from, vc};
    if (what_.any_content) {
      const LineMap all = LineMap::first(FatTree::kMaxLine);
      const LeafDecision free = decide_leaf(own, {}, q), blocked = decide_leaf(own, {all, all, true}, q);
      visit(free);
      if (blocked != free) visit(blocked);
      return;
    }
    std::vector<LeafDecision> known;
    for (const Knowledge& k : what_.tables) {
      const LeafDecision d = decide_leaf(own, k.leaf(at.x, at.y), q);
      if (std::find(known.begin(), known.end(), d) != known.end()) continue;
      known.push_back(d);
      visit(d);
    }
  }

  template <class Visit>
  void for_each_choice(LeafId at, const LeafDecision& d, Visit visit) const {
    const bool row = d.dimension == kRow;
    const int own = row ? at.y : at.x;
    const RootConfig config{d.dimension, own, tree_.columns(), tree_.rows(), what_.mode};
    const LineMap& dead = dead_links(what_.dead, d.dimension, own);
    const RootRequest q{to_.x, to_.y, row ? at.x : at.y, what_.one_vc ? 0 : d.vc};
    if (what_.any_content) return visit(choose_root(config, {dead, {}}, q));  // a superset of the choice under any mask
    for (const Knowledge& k : what_.tables) visit(choose_root(config, {dead, k.mask(d.dimension)}, q));
  }

  const Exploration& what_;
  const FatTree& tree_;
  ChannelGraph graph_;
  std::vector<bool> held_;
  LeafId to_;
  std::vector<Fate> fate_;
};

}  // namespace

ExplorationReport explore(const Exploration& what) { return Explorer(what).run(); }

std::string to_string(const TreeChannel& c) {
  return std::string(c.dimension == kRow ? "x" : "y") + (c.down ? "-down(" : "-up(") + std::to_string(c.leaf.x) + "," +
         std::to_string(c.leaf.y) + ") vc " + std::to_string(c.vc);
}

}  // namespace odonata::vtftr
