// SPDX-License-Identifier: Apache-2.0
// The clocked golden units against the untimed functions, edge by edge (docs/vtftr.md §9).
#include "models/vtftr/units.h"

#include <gtest/gtest.h>

#include <deque>

#include "models/common/random.h"
#include "models/vtftr/golden_device.h"

namespace odonata::vtftr {
namespace {

TEST(LeafUnit, AnswersAfterThreeEdgesARequestAnEdge) {
  const UnitSize size{5, 3, 4, 2};
  LeafUnit unit(size);
  Random random(1);
  std::deque<LeafInputs> asked(2);
  for (int edge = 0; edge < 20'000; ++edge) {
    LeafInputs in;
    in.own_x = static_cast<uint8_t>(random.below(5));
    in.own_y = static_cast<uint8_t>(random.below(3));
    in.port_class = static_cast<uint8_t>(random.below(3));
    in.safe = random.chance(0.5);
    in.req_valid = random.chance(0.8);
    in.req_dest = fat_tree_address(static_cast<int>(random.below(6)), static_cast<int>(random.below(4)),
                                   static_cast<int>(random.below(5)));
    in.req_vc = random.chance(0.5);
    in.fr = LineMap{random.below(32), 0};
    in.fc = LineMap{random.below(8), 0};
    in.cf = random.chance(0.5);
    in.row_down = static_cast<uint32_t>(random.below(4));
    in.column_down = static_cast<uint32_t>(random.below(4));
    unit.step(in);
    asked.push_back(in);
    const LeafInputs& a = asked.front();
    ASSERT_EQ(unit.out().resp_valid, a.req_valid);
    if (a.req_valid) {
      const LeafDecision d = decide_leaf({a.own_x, a.own_y, 5, 3, 4, a.safe}, {a.fr, a.fc, a.cf},
                                         {address_x(a.req_dest), address_y(a.req_dest), address_node(a.req_dest),
                                          static_cast<From>(a.port_class), a.req_vc});
      const uint32_t down = d.dimension == kColumn ? a.column_down : a.row_down;
      const int wanted = address_node(a.req_dest) % 2, rail = (down >> wanted & 1) == 0 ? wanted : 1 - wanted;
      const LeafKind kind = d.dimension >= 0 && down == 3 ? LeafKind::no_rail : d.kind;
      EXPECT_EQ(unit.out().resp_kind, static_cast<int>(kind));
      EXPECT_EQ(unit.out().resp_vc, d.vc);
      const int port = dropped(kind)             ? kNoPort
                       : kind == LeafKind::eject ? address_node(a.req_dest)
                                                 : 4 + 2 * d.dimension + rail;
      EXPECT_EQ(unit.out().resp_port, port);
    } else {
      EXPECT_EQ(unit.out().resp_port, 0);
    }
    asked.pop_front();
  }
}

TEST(RootUnit, FourEdgesAndFiveAbove32Ports) {
  for (const auto& [n, latency] : {std::pair{4, 4}, std::pair{32, 4}, std::pair{33, 5}, std::pair{72, 5}}) {
    RootUnit unit({n, n, 1, 1}, true);
    EXPECT_EQ(unit.latency(), latency);
    RootInputs in;
    in.reset = true;
    unit.step(in);
    in.reset = false;
    in.req_valid = true;
    in.req_leaf = 1;
    unit.step(in);
    in.req_valid = false;
    for (int edge = 2; edge < latency; ++edge) {
      EXPECT_FALSE(unit.out().resp_valid);
      unit.step(in);
    }
    EXPECT_FALSE(unit.out().resp_valid);
    unit.step(in);
    EXPECT_TRUE(unit.out().resp_valid);
    EXPECT_EQ(unit.out().resp_port, 1);
  }
}

/// A row that waits for the table when the reset comes is not written.
TEST(RootUnit, AResetForgetsTheRowThatWaits) {
  for (const bool reset : {false, true}) {
    RootUnit unit({4, 4, 1, 1}, false);
    RootInputs in;
    in.upd_valid = true;
    in.upd_row = 1;
    in.upd_data = alternatives(4, 1, {});
    unit.step(in);
    in.upd_valid = false;
    in.reset = reset;
    unit.step(in);
    in.reset = false;
    in.req_valid = true;
    in.req_leaf = 1;
    in.dead = LineMap::bit(1);
    for (int edge = 0; edge < unit.latency(); ++edge) unit.step(in);
    EXPECT_TRUE(unit.out().resp_valid);
    EXPECT_EQ(unit.out().resp_kind, static_cast<int>(reset ? RootKind::masked : RootKind::misroute));
  }
}

// docs/vtftr.md §2.3: the table form answers as the mask form does.
TEST(RootUnit, TableAndMaskFormAnswerAlike) {
  const UnitSize size{6, 6, 1, 1};
  RootUnit table(size, false), masked(size, true);
  Random random(2);
  const LineMap mask{0b010010, 0};
  RootInputs in;
  in.reset = true;
  table.step(in);
  masked.step(in);
  in.reset = false;
  for (int t = 0; t < 6; ++t) {
    in.upd_valid = true;
    in.upd_row = static_cast<uint8_t>(t);
    in.upd_data = alternatives(6, t, mask);
    table.step(in);
    masked.step(in);
  }
  in.upd_valid = false;
  in.mask = mask;
  table.step(in);
  masked.step(in);
  int misroutes = 0;
  for (int edge = 0; edge < 20'000; ++edge) {
    in.dim = random.chance(0.5);
    in.own = static_cast<uint8_t>(random.below(6));
    in.in_port = static_cast<uint8_t>(random.below(6));
    in.safe = random.chance(0.5);
    in.exclude = random.chance(0.5);
    in.req_valid = random.chance(0.8);
    in.req_leaf = static_cast<uint16_t>(random.below(6) << 7 | random.below(6));
    in.req_vc = random.chance(0.3);
    in.dead = LineMap{random.below(64), 0};
    table.step(in);
    masked.step(in);
    RootOutputs a = table.out(), b = masked.out();
    a.upd_ready = b.upd_ready = 1;
    ASSERT_EQ(a, b);
    misroutes += a.resp_valid && a.resp_kind == static_cast<int>(RootKind::misroute);
  }
  EXPECT_GT(misroutes, 100);
}

TEST(UpdateUnit, AWalkWritesEveryRowOnceAscending) {
  UpdateUnit unit({5, 3, 1, 1});
  UpdateInputs in;
  in.role = 0;
  in.row_ready = true;
  in.reset = true;
  unit.step(in);
  in.reset = false;
  while (unit.out().busy) unit.step(in);
  in.msg_valid = true;
  in.msg = pack({UpdateOp::fail, 3, 1, true, true, false, 1});
  unit.step(in);  // sampled
  in.msg_valid = false;
  EXPECT_FALSE(unit.out().busy);
  unit.step(in);  // taken
  EXPECT_TRUE(unit.out().fwd_valid);
  EXPECT_EQ(LineMap(unit.out().columns), LineMap::bit(3));
  for (int t = 0; t < 5; ++t) {
    EXPECT_TRUE(unit.out().row_valid);
    EXPECT_EQ(unit.out().row, t);
    EXPECT_EQ(LineMap(unit.out().row_data), alternatives(5, t, LineMap::bit(3)));
    unit.step(in);
  }
  EXPECT_FALSE(unit.out().busy) << "n + 2 edges in all";
}

// A switch that comes back has forgotten the epoch: it takes the first message, whatever its number, and from then on
// counts.
TEST(UpdateUnit, AfterAResetTheFirstMessageCounts) {
  for (int epoch = 0; epoch < 8; ++epoch) {
    UpdateUnit unit({4, 4, 1, 1});
    UpdateInputs in;
    in.role = 2;
    in.reset = true;
    unit.step(in);
    in.reset = false;
    in.msg_valid = true;
    in.msg = pack({UpdateOp::fail, 3, 0, true, true, false, epoch});
    unit.step(in);
    unit.step(in);  // the first copy is taken, the second one sampled
    in.msg_valid = false;
    EXPECT_TRUE(unit.out().fwd_valid) << epoch;
    EXPECT_EQ(LineMap(unit.out().columns), LineMap::bit(3));
    unit.step(in);
    EXPECT_TRUE(unit.out().old) << epoch;
  }
}

TEST(UpdateUnit, ALeafKeepsWhatIsOfItsOwnRowAndColumn) {
  UpdateUnit unit({5, 5, 1, 1});
  UpdateInputs in;
  in.role = 2;
  in.own_x = 3;
  in.own_y = 1;
  in.msg_valid = true;
  int epoch = 0;
  for (const LeafId at : {LeafId{4, 1}, LeafId{3, 2}, LeafId{1, 3}}) {
    in.msg = pack({UpdateOp::fail, at.x, at.y, true, true, false, ++epoch});
    unit.step(in);
  }
  in.msg_valid = false;
  unit.step(in);
  EXPECT_EQ(LineMap(unit.out().columns), LineMap::bit(4));
  EXPECT_EQ(LineMap(unit.out().rows), LineMap::bit(2));
}

TEST(UpdateUnit, AMessageAboutNoLeafIsMalformed) {
  for (const auto& [op, x, y] :
       {std::tuple{UpdateOp::reserved, 1, 1}, {UpdateOp::fail, 5, 1}, {UpdateOp::fail, 1, 3}}) {
    UpdateUnit unit({5, 3, 1, 1});
    UpdateInputs in;
    in.role = 2;
    in.msg_valid = true;
    in.msg = pack({op, x, y, true, true, false, 1});
    unit.step(in);
    in.msg_valid = false;
    unit.step(in);
    EXPECT_TRUE(unit.out().malformed) << x << ' ' << y;
    EXPECT_FALSE(unit.out().fwd_valid) << x << ' ' << y;
  }
}

TEST(DetectUnit, AResetTakesTheReportBack) {
  DetectUnit unit(4);
  DetectInputs in;
  in.link_up = LineMap{0b1011, 0};
  for (int edge = 0; edge < 5; ++edge) unit.step(in);
  EXPECT_TRUE(unit.out().report_valid);
  in.reset = true;
  unit.step(in);
  EXPECT_FALSE(unit.out().report_valid);
}

TEST(DetectUnit, AChangeIsDebouncedAndReportedOnce) {
  DetectUnit unit(4);
  DetectInputs in;
  in.detect = 16;
  in.link_up = LineMap::first(4);
  in.reset = true;
  unit.step(in);
  in.reset = false;
  for (int i = 0; i < 40; ++i) unit.step(in);
  EXPECT_EQ(unit.out().report_valid, 0);
  in.link_up = LineMap{0b1011, 0};
  unit.step(in);  // sampled
  for (int i = 0; i < 16; ++i) {
    unit.step(in);
    EXPECT_FALSE(LineMap(unit.out().dead).any()) << i;
  }
  unit.step(in);
  EXPECT_EQ(LineMap(unit.out().dead), LineMap::bit(2));
  unit.step(in);
  EXPECT_EQ(unit.out().report_valid, 1);
  EXPECT_EQ(unit.out().report_leaf, 2);
  EXPECT_EQ(unit.out().report_up, 0);
  in.report_ready = true;
  for (int i = 0; i < 40; ++i) {
    unit.step(in);
    EXPECT_EQ(unit.out().report_valid, 0);
  }
}

// What a difference in lockstep says of each unit.
using Lines = std::vector<std::string>;

TEST(LeafUnit, TellsWhatItAnsweredAndByWhichRule) {
  LeafUnit unit({5, 3, 4, 2});
  EXPECT_EQ(reasons(unit), Lines{"No answer is in the output registers."});
  LeafInputs in;
  in.own_x = 1;
  in.own_y = 2;
  in.port_class = 1;
  in.req_valid = true;
  in.req_dest = fat_tree_address(4, 2, 3);
  in.fr = LineMap{0b11000, 0};
  in.row_down = 2;
  for (int edge = 0; edge < 3; ++edge) unit.step(in);
  EXPECT_EQ(reasons(unit), (Lines{"Leaf (1,2), a packet from a row root on channel 0 for (4,2), node 3",
                                  "FR: 3, 4; FC: none; mode paper; uplinks that are down, row: 1, column: none",
                                  "The first rule that fits: " +
                                      std::string(to_string(static_cast<LeafKind>(unit.out().resp_kind)))}));
  in.cf = in.safe = true;
  for (int edge = 0; edge < 3; ++edge) unit.step(in);
  EXPECT_EQ(reasons(unit)[1], "FR: 3, 4; FC: none; cf; mode safe; uplinks that are down, row: 1, column: none");
  in.req_dest = fat_tree_address(1, 2, 0);  // port 0 is an answer, too
  for (int edge = 0; edge < 3; ++edge) unit.step(in);
  EXPECT_EQ(reasons(unit).back(), "The first rule that fits: eject");
}

TEST(RootUnit, TellsWhatItDecidedAndFromWhat) {
  RootUnit unit({4, 4, 1, 1}, true);
  EXPECT_EQ(reasons(unit), Lines{"No answer is in the output registers."});
  RootInputs in;
  in.own = 3;
  in.in_port = 2;
  in.req_valid = true;
  in.req_leaf = 3 << 7 | 1;
  in.dead = LineMap{0b1001, 0};
  for (int edge = 0; edge < 4; ++edge) unit.step(in);
  const Lines lines = reasons(unit);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "Row root 3, a packet from leaf 2 on channel 0 for (1,3)");
  EXPECT_EQ(lines[1].substr(0, lines[1].find(';')), "Dead links: 0, 3");
  EXPECT_TRUE(lines[1].ends_with("; mode paper")) << lines[1];
  EXPECT_EQ(lines[2].substr(0, lines[2].find("; LFSR")), "Decided: direct; candidates: 1");
  in.dim = in.safe = true;
  for (int edge = 0; edge < 4; ++edge) unit.step(in);
  EXPECT_EQ(reasons(unit)[0], "Column root 3, a packet from leaf 2 on channel 0 for (1,3)");
  EXPECT_TRUE(reasons(unit)[1].ends_with("; mode safe"));
}

TEST(UpdateUnit, TellsWhatItKnowsAndWhatBecameOfAMessage) {
  UpdateUnit unit({4, 4, 1, 1});
  UpdateInputs in;
  in.reset = true;
  unit.step(in);
  in.reset = false;
  in.row_ready = true;
  while (unit.out().busy) unit.step(in);
  const auto send = [&](int x, bool cf, int epoch) {
    in.msg_valid = true;
    in.msg = pack({UpdateOp::fail, x, 2, true, true, cf, epoch});
    unit.step(in);
    in.msg_valid = false;
    unit.step(in);
    return reasons(unit);
  };
  const std::string known = "Columns with a fault: 1; rows: none; cf; epoch of the last message taken: 3";
  EXPECT_EQ(send(1, true, 3), (Lines{known, "A message was taken at this edge and goes on to the other ports.",
                                     "The walk is at target 0; its alternatives: 2, 3"}));
  while (unit.out().busy) unit.step(in);
  EXPECT_EQ(send(1, true, 3), (Lines{known, "A message was dropped at this edge: its epoch is not newer."}));
  EXPECT_EQ(send(9, true, 4), (Lines{known, "A message was dropped at this edge: its op, x or y is none."}));
  unit.step(in);
  EXPECT_EQ(reasons(unit), Lines{known});
  in.row_ready = false;  // the walk stands
  in.msg_valid = true;
  in.msg = pack({UpdateOp::fail, 2, 2, true, true, false, 4});
  for (int edge = 0; edge < 40 && unit.out().msg_ready; ++edge) unit.step(in);
  EXPECT_EQ(reasons(unit).back(), "The FIFO is full.");
}

TEST(DetectUnit, TellsWhichLinksAreDownAndWhatItReports) {
  DetectUnit unit(4);
  DetectInputs in;
  in.link_up = LineMap::first(4);
  in.reset = true;
  unit.step(in);
  in.reset = false;
  for (int edge = 0; edge < 5; ++edge) unit.step(in);
  EXPECT_EQ(reasons(unit), (Lines{"Links that have been down long enough: none", "No report is waiting."}));
  in.link_up = LineMap{0b1011, 0};
  for (int edge = 0; edge < 5; ++edge) unit.step(in);
  EXPECT_EQ(reasons(unit), (Lines{"Links that have been down long enough: 2", "Report: link 2 has failed"}));
  in.link_up = LineMap::first(4);
  in.report_ready = true;
  unit.step(in);
  in.report_ready = false;
  for (int edge = 0; edge < 5; ++edge) unit.step(in);
  EXPECT_EQ(reasons(unit)[1], "Report: link 2 has come back");
}

}  // namespace
}  // namespace odonata::vtftr
