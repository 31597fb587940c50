// SPDX-License-Identifier: Apache-2.0
#include "models/vtftr/manager.h"

#include <algorithm>

#include "models/common/error.h"

namespace odonata::vtftr {

uint32_t pack(const UpdateMessage& m) {
  return static_cast<uint32_t>(m.op) << 20 | static_cast<uint32_t>(m.x) << 13 | static_cast<uint32_t>(m.y) << 6 |
         static_cast<uint32_t>(m.column_masked) << 5 | static_cast<uint32_t>(m.row_masked) << 4 | static_cast<uint32_t>(m.column_first) << 3 |
         static_cast<uint32_t>(m.epoch);
}

UpdateMessage unpack(uint32_t bits) {
  const auto field = [bits](int low, int width) { return static_cast<int>(bits >> low & ((1u << width) - 1)); };
  return {static_cast<UpdateOp>(field(20, 2)), field(13, 7), field(6, 7), field(5, 1) != 0, field(4, 1) != 0, field(3, 1) != 0, field(0, 3)};
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

int64_t ReconfigurationTimes::roots_done() const {
  int64_t last = 0;
  for (const auto& lines : line)
    for (const int64_t t : lines) last = std::max(last, t);
  return last;
}

int64_t ReconfigurationTimes::leaves_done() const { return leaf.empty() ? 0 : std::max<int64_t>(0, *std::max_element(leaf.begin(), leaf.end())); }

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

ReconfigurationTimes by_manager(const FatTree& tree, const FaultSet& dead, LeafId leaf, const ManagerTiming& timing, int64_t waits) {
  const Flood hops = flood(tree, dead, manager_leaf(tree, dead));
  ReconfigurationTimes t;
  t.detected = timing.detect;
  // A root's way to the manager is as long as the manager's way to it; either root of the leaf may be cut off.
  const int row = hops.line[kRow][static_cast<size_t>(leaf.y)], column = hops.line[kColumn][static_cast<size_t>(leaf.x)];
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

ReconfigurationTimes by_neighbours(const FatTree& tree, const FaultSet& dead, LeafId leaf, const ManagerTiming& timing) {
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
    t.line[dimension][static_cast<size_t>(line)] = timing.detect + 2 * timing.hop + timing.root_update(tree.size(dimension));
  };
  for (int x = 0; x < tree.columns(); ++x) tell({x, leaf.y}, kColumn, x);
  for (int y = 0; y < tree.rows(); ++y) tell({leaf.x, y}, kRow, y);
  return t;
}

}  // namespace odonata::vtftr
