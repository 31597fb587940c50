// SPDX-License-Identifier: Apache-2.0
// The decisions of leaf and root are the rules of docs/vtftr.md §2.2 and §2.3, number by number, for every question
// that a small tree allows: also those that no packet asks while all switches keep to the rules.
#include <gtest/gtest.h>

#include <set>

#include "models/vtftr/decide.h"

namespace odonata::vtftr {
namespace {

constexpr int kColumns = 3, kRows = 2, kNodes = 2;

using Numbers = std::set<int>;

/// The numbers of the bits of `code`, and the same as a map.
Numbers numbers(int code, int size) {
  Numbers out;
  for (int i = 0; i < size; ++i) {
    if (code >> i & 1) out.insert(i);
  }
  return out;
}
LineMap map_of(const Numbers& numbers) {
  LineMap out;
  for (int i : numbers) out = out | LineMap::bit(i);
  return out;
}

/// Which rule of §2.2 fits first.
int leaf_rule(const LeafConfig& own, const Numbers& fr, const Numbers& fc, const LeafRequest& q) {
  if (q.x >= kColumns || q.y >= kRows || q.node >= kNodes) return 0;
  if (q.x == own.x) return q.y == own.y ? 1 : 2;
  if (q.from != From::node) return q.from == From::row ? 3 : 4;
  return q.y == own.y ? 5 : !fr.count(q.x) ? 6 : !fc.count(q.y) ? 7 : 8;
}

void expect_leaf(const LeafConfig& own, const Numbers& fr, const Numbers& fc, bool cf, const LeafRequest& q) {
  using enum LeafKind;
  const int rule = leaf_rule(own, fr, fc, q);
  const LeafKind kinds[] = {
      bad_address, eject, direct, row_to_column, turn, direct, xy, yx, cf ? both_column : both_row};
  const int outputs[] = {-1, -1, kColumn, kColumn, kRow, kRow, kRow, kColumn, cf ? kColumn : kRow};
  const int kept = q.from == From::node ? 0 : q.vc, channels[] = {0, 0, kept, q.vc, 1, 0, 0, 0, 0};
  const LeafDecision d = decide_leaf(own, {map_of(fr), map_of(fc), cf}, q);
  const bool undoes = (rule == 2 && q.from == From::column) || (rule == 3 && q.y == own.y),
             again = rule == 4 && q.vc == 1;
  if (own.safe && (undoes || again)) {
    ASSERT_EQ(d.kind, undoes ? loop : second_turn) << "rule " << rule;
    ASSERT_EQ(d.dimension, -1);
    return;
  }
  ASSERT_EQ(d.kind, kinds[rule]) << "rule " << rule;
  ASSERT_EQ(d.dimension, outputs[rule]) << "rule " << rule;
  if (d.dimension >= 0) {
    ASSERT_EQ(d.vc, channels[rule]) << "rule " << rule;
  }
}

TEST(VtftrRules, OfALeaf) {
  for (int code = 0; code < (1 << (kColumns + kRows + 2)); ++code) {
    const Numbers fr = numbers(code, kColumns), fc = numbers(code >> kColumns, kRows);
    const bool cf = code >> (kColumns + kRows) & 1, safe = code >> (kColumns + kRows + 1) & 1;
    for (int leaf = 0; leaf < kColumns * kRows; ++leaf) {
      const LeafConfig own{leaf % kColumns, leaf / kColumns, kColumns, kRows, kNodes, safe};
      for (int to = 0; to < (kColumns + 1) * (kRows + 1) * (kNodes + 1); ++to) {
        const int x = to % (kColumns + 1), y = to / (kColumns + 1) % (kRows + 1),
                  node = to / (kColumns + 1) / (kRows + 1);
        for (const From from : {From::node, From::row, From::column}) {
          for (const int vc : {0, 1}) expect_leaf(own, fr, fc, cf, {x, y, node, from, vc});
        }
      }
    }
  }
}

void expect_root(const RootConfig& own, const Numbers& down, const Numbers& faulty, const RootRequest& q) {
  using enum RootKind;
  const RootChoice c = choose_root(own, {map_of(down), map_of(faulty)}, q);
  const auto expect = [&](RootKind kind, const Numbers& ports) {
    ASSERT_EQ(c.kind, kind);
    ASSERT_TRUE(c.ports == map_of(ports)) << "kind " << static_cast<int>(kind);
  };
  if (q.x >= kColumns || q.y >= kRows) return expect(bad_address, {});
  const bool row = own.dimension == kRow;
  const int t = row ? q.x : q.y, other = row ? q.y : q.x;
  if (!down.count(t)) return expect(direct, {t});
  if (own.mode.safe && other == own.own) return expect(dead, {});
  if (own.mode.safe && q.vc == 1) return expect(no_turn_left, {});
  Numbers live, unmasked;
  for (int i = 0; i < own.size(); ++i) {
    if (i == t || down.count(i) || (own.mode.exclude && i == q.in)) continue;
    live.insert(i);
    if (!faulty.count(i)) unmasked.insert(i);
  }
  if (!unmasked.empty()) return expect(misroute, unmasked);
  if (!live.empty()) return expect(masked, live);
  return down.count(q.in) ? expect(none, {}) : expect(bounce, {q.in});
}

TEST(VtftrRules, OfARoot) {
  for (const int dimension : {kRow, kColumn}) {
    const int size = dimension == kRow ? kColumns : kRows, lines = dimension == kRow ? kRows : kColumns;
    for (int code = 0; code < (1 << (2 * size + 2)); ++code) {
      const Numbers dead = numbers(code, size), masked = numbers(code >> size, size);
      const Mode mode{(code >> (2 * size) & 1) != 0, (code >> (2 * size + 1) & 1) != 0};
      for (int line = 0; line < lines; ++line) {
        const RootConfig own{dimension, line, kColumns, kRows, mode};
        for (int to = 0; to < (kColumns + 1) * (kRows + 1); ++to) {
          for (int in = 0; in < size; ++in) {
            for (const int vc : {0, 1})
              expect_root(own, dead, masked, {to % (kColumns + 1), to / (kColumns + 1), in, vc});
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace odonata::vtftr
