// SPDX-License-Identifier: Apache-2.0
#include "models/vtftr/manager.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "models/common/error.h"

namespace odonata::vtftr {

uint32_t pack(const UpdateMessage& m) {
  return static_cast<uint32_t>(m.op) << 20 | static_cast<uint32_t>(m.x) << 13 | static_cast<uint32_t>(m.y) << 6 |
         static_cast<uint32_t>(m.column_masked) << 5 | static_cast<uint32_t>(m.row_masked) << 4 |
         static_cast<uint32_t>(m.column_first) << 3 | static_cast<uint32_t>(m.epoch);
}

UpdateMessage unpack(uint32_t bits) {
  const auto field = [bits](int low, int width) { return static_cast<int>(bits >> low & ((1u << width) - 1)); };
  return {static_cast<UpdateOp>(field(20, 2)),
          field(13, 7),
          field(6, 7),
          field(5, 1) != 0,
          field(4, 1) != 0,
          field(3, 1) != 0,
          field(0, 3)};
}

UpdateMessage Manager::serve(LeafId leaf, bool dead) {
  known_.set(leaf, dead);
  const Knowledge now(known_);
  epoch_ = (epoch_ + 1) & 7;
  return {dead ? UpdateOp::fail : UpdateOp::repair,
          leaf.x,
          leaf.y,
          now.mask(kRow).test(leaf.x),
          now.mask(kColumn).test(leaf.y),
          now.column_first(),
          epoch_};
}

std::vector<UpdateMessage> Manager::again(LeafId back) {
  std::vector<UpdateMessage> out;
  for (int y = 0; y < known_.rows(); ++y)
    for (int x = 0; x < known_.columns(); ++x)
      if ((x == back.x || y == back.y) && known_.test(x, y)) out.push_back(serve({x, y}, true));
  return out;
}

int64_t ReconfigurationTimes::roots_done() const {
  int64_t last = kNever;
  for (const auto& lines : line)
    for (const int64_t t : lines) last = std::max(last, t);
  return last;
}

int64_t ReconfigurationTimes::leaves_done() const {
  return leaf.empty() ? kNever : *std::max_element(leaf.begin(), leaf.end());
}

Flood flood(const FatTree& tree, const FaultSet& dead, LeafId from) {
  Flood out;
  out.leaf.assign(static_cast<size_t>(tree.num_leaves()), -1);
  out.line[kRow].assign(static_cast<size_t>(tree.rows()), -1);
  out.line[kColumn].assign(static_cast<size_t>(tree.columns()), -1);
  if (dead.test(from.x, from.y)) return out;
  std::vector<LeafId> now{from};
  out.leaf[static_cast<size_t>(tree.leaf(from.x, from.y))] = 0;
  for (int hops = 0; !now.empty(); hops += 2) {  // a root and a leaf
    std::vector<LeafId> next;
    const auto reach = [&](LeafId at) {
      int& leaf = out.leaf[static_cast<size_t>(tree.leaf(at.x, at.y))];
      if (leaf >= 0 || dead.test(at.x, at.y)) return;
      leaf = hops + 2;
      next.push_back(at);
    };
    for (const LeafId at : now) {
      int &row = out.line[kRow][static_cast<size_t>(at.y)], &column = out.line[kColumn][static_cast<size_t>(at.x)];
      if (row < 0) {
        row = hops + 1;
        for (int x = 0; x < tree.columns(); ++x) reach({x, at.y});
      }
      if (column < 0) {
        column = hops + 1;
        for (int y = 0; y < tree.rows(); ++y) reach({at.x, y});
      }
    }
    now = std::move(next);
  }
  return out;
}

LeafId manager_leaf(const FatTree& tree, const FaultSet& dead) {
  for (int y = 0; y < tree.rows(); ++y)
    for (int x = 0; x < tree.columns(); ++x)
      if (!dead.test(x, y)) return {x, y};
  throw Error("fat-tree: no leaf switch is left alive");
}

ReconfigurationTimes by_manager(const FatTree& tree, const FaultSet& dead, LeafId leaf, const ManagerTiming& timing,
                                int64_t waits) {
  const Flood hops = flood(tree, dead, manager_leaf(tree, dead));
  ReconfigurationTimes t;
  t.detected = timing.detect;
  // A root's way to the manager is as long as the manager's way to it; either root of the leaf may be cut off.
  const int row = hops.line[kRow][static_cast<size_t>(leaf.y)],
            column = hops.line[kColumn][static_cast<size_t>(leaf.x)];
  t.report_hops = row < 0 ? column : column < 0 ? row : std::min(row, column);
  t.leaf.assign(hops.leaf.size(), kNever);
  for (int d : {kRow, kColumn}) t.line[d].assign(hops.line[d].size(), kNever);
  if (t.report_hops < 0) return t;  // nobody is left to tell
  t.reported = t.detected + timing.hop * t.report_hops + timing.nic;
  t.served = t.reported + waits + timing.service;
  const auto arrives = [&](int h) { return t.served + timing.nic + timing.hop * h; };
  for (size_t i = 0; i < t.leaf.size(); ++i) {
    if (hops.leaf[i] < 0) continue;
    t.leaf_hops = std::max(t.leaf_hops, hops.leaf[i]);
    t.leaf[i] = arrives(hops.leaf[i]) + timing.leaf_update;
  }
  for (int d : {kRow, kColumn}) {
    for (size_t i = 0; i < t.line[d].size(); ++i) {
      if (hops.line[d][i] < 0) continue;
      t.root_hops = std::max(t.root_hops, hops.line[d][i]);
      t.line[d][i] = arrives(hops.line[d][i]) + timing.root_update(tree.size(d));
    }
  }
  return t;
}

namespace {

/// The changes, and what follows from them in time.
class Story {
 public:
  Story(const FatTree& tree, std::span<const LeafChange> changes, const ManagerTiming& timing)
      : tree_(tree), changes_(changes), timing_(timing), times_(changes.size()) {}

  std::vector<ReconfigurationTimes> tell() {
    report();
    serve();
    return std::move(times_);
  }

 private:
  /// What is dead when a clock edge samples it: changes of the same time come after it.
  FaultSet dead_before(int64_t ns) const {
    FaultSet dead(tree_);
    for (const LeafChange& c : changes_)
      if (c.ns < ns) dead.set(c.leaf, c.dead);
    return dead;
  }

  /// The roots of a line report one leaf an edge, of several the lowest first.
  void report() {
    std::vector<size_t> order(changes_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (const int d : {kRow, kColumn}) {
      std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        const auto place = [d](const LeafChange& c) { return d == kRow ? c.leaf.x : c.leaf.y; };
        return changes_[a].ns != changes_[b].ns ? changes_[a].ns < changes_[b].ns
                                                : place(changes_[a]) < place(changes_[b]);
      });
      std::vector<int64_t> free(static_cast<size_t>(d == kRow ? tree_.rows() : tree_.columns()));
      for (const size_t i : order) {
        const LeafChange& c = changes_[i];
        int64_t& line = free[static_cast<size_t>(d == kRow ? c.leaf.y : c.leaf.x)];
        const int64_t sent = std::max(c.ns + timing_.detect, line);
        line = sent + 1;
        const FaultSet dead = dead_before(sent + 2);
        const int hops =
            flood(tree_, dead, manager_leaf(tree_, dead)).line[d][static_cast<size_t>(d == kRow ? c.leaf.y : c.leaf.x)];
        if (hops < 0) continue;
        ReconfigurationTimes& t = times_[i];
        const int64_t reported = sent - c.ns + timing_.hop * hops + timing_.nic;
        if (t.reported == 0 || reported < t.reported) t.reported = reported, t.report_hops = hops;
      }
    }
  }

  /// One report after the other, in the order in which they come, of those that come at once the one about the lowest
  /// leaf first; the message starts at the live leaf of the lowest
  /// number, as the manager knows it.
  void serve() {
    std::vector<size_t> order;
    for (size_t i = 0; i < times_.size(); ++i) {
      ReconfigurationTimes& t = times_[i];
      t.detected = timing_.detect;
      static_cast<Reach&>(t) = nobody();
      if (t.reported != 0) order.push_back(i);
    }
    const auto arrives = [&](size_t i) { return changes_[i].ns + times_[i].reported; };
    const auto leaf = [&](size_t i) { return tree_.leaf(changes_[i].leaf.x, changes_[i].leaf.y); };
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return std::pair(arrives(a), leaf(a)) < std::pair(arrives(b), leaf(b));
    });
    Manager manager(tree_);
    int64_t free = 0, sent = -timing_.gap;
    for (const size_t i : order) {
      if (manager.known().test(changes_[i].leaf.x, changes_[i].leaf.y) == changes_[i].dead) {
        times_[i].reported = 0;  // a leaf comes back of which the manager has not heard that it was dead
        continue;
      }
      free = std::max(free, arrives(i)) + timing_.service;
      times_[i].served = free - changes_[i].ns;
      manager.serve(changes_[i].leaf, changes_[i].dead);
      sent = std::max(sent + timing_.gap, free + timing_.nic);
      std::tie(times_[i].root_hops, times_[i].leaf_hops) = send(manager.known(), sent, changes_[i].ns, times_[i]);
      if (changes_[i].dead) continue;
      times_[i].again.assign(manager.again(changes_[i].leaf).size(), nobody());
      for (Reach& reach : times_[i].again) {
        sent += timing_.gap;
        send(manager.known(), sent, changes_[i].ns, reach);
      }
    }
  }

  Reach nobody() const {
    Reach out;
    out.leaf.assign(static_cast<size_t>(tree_.num_leaves()), kNever);
    out.line[kRow].assign(static_cast<size_t>(tree_.rows()), kNever);
    out.line[kColumn].assign(static_cast<size_t>(tree_.columns()), kNever);
    return out;
  }

  /// A message leaves at `sent`, or later when no leaf acknowledges it. The most hops to a root and to a leaf.
  std::pair<int, int> send(const FaultSet& known, int64_t& sent, int64_t start, Reach& out) const {
    const LeafId lowest = manager_leaf(tree_, known);
    int from = tree_.leaf(lowest.x, lowest.y);
    for (int tries = 0;
         tries < tree_.num_leaves() && dead_before(sent).test(from % tree_.columns(), from / tree_.columns());
         ++tries) {
      sent += timing_.retry;
      from = (from + 1) % tree_.num_leaves();
    }
    return spread(out, start, from, sent);
  }

  /// The first copy that comes to a switch counts. A leaf gets one that is passed on to it while it lives, and passes
  /// it on if it still does when its tables hold.
  std::pair<int, int> spread(Reach& t, int64_t start, int from, int64_t now) const {
    std::vector<LeafId> at{{from % tree_.columns(), from / tree_.columns()}};
    std::pair<int, int> most;
    for (int hops = 0; !at.empty(); hops += 2) {
      std::vector<LeafId> next;
      const int64_t holds = now + timing_.hop * hops + timing_.leaf_update;
      const FaultSet dead = dead_before(holds), not_yet = dead_before(hops == 0 ? now : holds - timing_.hop + 1);
      const auto reach = [&](LeafId to) {
        if (t.leaf[static_cast<size_t>(tree_.leaf(to.x, to.y))] == kNever) next.push_back(to);
      };
      for (const LeafId to : at) {
        int64_t& leaf = t.leaf[static_cast<size_t>(tree_.leaf(to.x, to.y))];
        if (leaf != kNever || dead.test(to.x, to.y) || not_yet.test(to.x, to.y)) continue;
        leaf = holds - start;
        most.second = hops;
        for (const int d : {kRow, kColumn}) {
          int64_t& line = t.line[d][static_cast<size_t>(d == kRow ? to.y : to.x)];
          if (line != kNever) continue;
          line = now + timing_.hop * (hops + 1) + timing_.root_update(tree_.size(d)) - start;
          most.first = hops + 1;
          for (int k = 0; k < tree_.size(d); ++k) reach(d == kRow ? LeafId{k, to.y} : LeafId{to.x, k});
        }
      }
      at = std::move(next);
    }
    return most;
  }

  const FatTree& tree_;
  std::span<const LeafChange> changes_;
  const ManagerTiming& timing_;
  std::vector<ReconfigurationTimes> times_;
};

}  // namespace

std::vector<ReconfigurationTimes> by_manager_in_time(const FatTree& tree, std::span<const LeafChange> changes,
                                                     const ManagerTiming& timing) {
  return Story(tree, changes, timing).tell();
}

ReconfigurationTimes by_neighbours(const FatTree& tree, const FaultSet& dead, LeafId leaf,
                                   const ManagerTiming& timing) {
  ReconfigurationTimes t;
  t.detected = t.reported = t.served = timing.detect;
  t.root_hops = 2;
  t.leaf_hops = 1;
  t.leaf.assign(static_cast<size_t>(tree.num_leaves()), kNever);
  t.line[kRow].assign(static_cast<size_t>(tree.rows()), kNever);
  t.line[kColumn].assign(static_cast<size_t>(tree.columns()), kNever);
  const auto tell = [&](LeafId at, int dimension, int line) {
    if (dead.test(at.x, at.y)) return;
    t.leaf[static_cast<size_t>(tree.leaf(at.x, at.y))] = timing.detect + timing.hop + timing.leaf_update;
    t.line[dimension][static_cast<size_t>(line)] =
        timing.detect + 2 * timing.hop + timing.root_update(tree.size(dimension));
  };
  for (int x = 0; x < tree.columns(); ++x) tell({x, leaf.y}, kColumn, x);
  for (int y = 0; y < tree.rows(); ++y) tell({leaf.x, y}, kRow, y);
  return t;
}

}  // namespace odonata::vtftr
