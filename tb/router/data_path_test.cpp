// SPDX-License-Identifier: Apache-2.0
// The data path of a router (docs/router.md §2): the golden model against the oracle and the SystemC module, the cycle
// table, and planted bugs.
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "hw/router/data_path.h"
#include "models/router/golden_device.h"
#include "tb/harness/lockstep.h"
#include "tb/router/coverage.h"
#include "tb/router/oracle.h"
#include "tb/router/router_data_block.h"
#include "tb/router/stimulus.h"

namespace odonata::cosim {
namespace {

using router::DataConfig;
using router::DataInputs;
using router::DataOutputs;
using router::DataPath;
using router::GoldenData;

DataConfig shallow(const char* size = "tiny") {
  DataConfig c(Dragonfly::named(size));
  c.node_depth = c.local_depth = 8;
  c.global_depth = 16;
  c.output_fifo = 4;
  return c;
}

/// Runs a device beside the golden data path under changing demands.
RunResult compare(const DataConfig& config, RtlDevice<RouterDataBlock>& device, uint64_t cycles, uint64_t seed,
                  DataCoverage* coverage = nullptr) {
  DataTraffic stimulus(config, {}, true, seed);
  GoldenData golden(config);
  RunOptions options;
  options.max_cycles = cycles;
  return run_lockstep<RouterDataBlock>(stimulus, golden, device, options,
                                       [&](const DataInputs& in, const DataOutputs&) {
                                         if (coverage != nullptr) coverage->sample(in, golden.unit());
                                       });
}

std::string text(const RunResult& r) {
  if (!r.mismatch) return "compared " + std::to_string(r.compared);
  std::string out = "cycle " + std::to_string(r.mismatch->cycle) + ": " + r.mismatch->differences.front().probe + "\n";
  for (const std::string& line : r.mismatch->reasons) out += line + "\n";
  return out;
}

TEST(RouterData, ItsReasonsTellWhatMovedAndWhatIsLeft) {
  const DataPath path(shallow());
  const std::vector<std::string> lines = reasons(path);
  ASSERT_EQ(lines.size(), static_cast<size_t>(path.config().num_ports()));
  EXPECT_EQ(lines[6], "Input port 6: left: 0 flits (empty), 0 flits (empty), 0 flits (empty), 0 flits (empty)");
}

TEST(RouterData, GoldenEqualsOracle) {
  const struct {
    DataConfig config;
    uint64_t cycles;
  } runs[] = {{shallow(), 60'000},
              {DataConfig(Dragonfly::named("tiny")), 40'000},
              {DataConfig(Dragonfly::named("paper")), 4'000},
              {DataConfig(Dragonfly::named("full")), 600}};
  uint64_t seed = 1;
  for (const auto& run : runs) {
    DataOracle oracle(run.config);
    const RunResult r = compare(run.config, oracle, run.cycles, seed++);
    EXPECT_TRUE(r.passed()) << run.config.num_ports() << " ports, " << text(r);
    EXPECT_GT(r.compared, run.cycles / 3);
  }
}

TEST(RouterData, SystemcEqualsGoldenAndEveryBinIsSeen) {
  DataCoverage coverage(shallow());
  router::DataPathDevice device(shallow());
  const RunResult r = compare(shallow(), device, 400'000, 11, &coverage);
  EXPECT_TRUE(r.passed()) << text(r);
  EXPECT_EQ(coverage.coverage().percent(), 100.0) << coverage.coverage().to_text();
  EXPECT_EQ(coverage.coverage().errors(), "");
}

TEST(RouterData, SystemcEqualsGoldenAtHardwareDepths) {
  for (const char* size : {"tiny", "paper"}) {
    const DataConfig config(Dragonfly::named(size));
    router::DataPathDevice device(config);
    const RunResult r = compare(config, device, size[0] == 't' ? 30'000 : 4'000, 5);
    EXPECT_TRUE(r.passed()) << size << ", " << text(r);
  }
}

/// Packets that are cut in every cycle of their lives.
TEST(RouterData, LevelsAgreeWhateverIsCut) {
  for (const DataConfig& config : {shallow(), DataConfig(Dragonfly::named("tiny"))}) {
    CutScenes scenes(config), again(config);
    RunOptions options;
    options.max_cycles = scenes.cycles();
    GoldenData golden(config);
    DataOracle oracle(config);
    router::DataPathDevice device(config);
    uint64_t cuts = 0, poisoned = 0;
    std::map<std::array<int, 2>, int> asked;  // port, edges ago: VC
    const RunResult r =
        run_lockstep<RouterDataBlock>(scenes, golden, oracle, options, [&](const DataInputs&, const DataOutputs&) {
          for (const DataPath::Cut& cut : golden.unit().cuts()) {
            ++cuts, poisoned += cut.poisoned;
            if (cut.age > 0) EXPECT_EQ((asked[{cut.port, cut.age - 1}]), cut.vc);  // an edge more by now
          }
          for (int port = 0; port < config.num_ports(); ++port)
            for (int age = 0; age < 4; ++age) asked[{port, age}] = golden.unit().asking(port, age);
        });
    EXPECT_TRUE(r.passed()) << text(r);
    EXPECT_EQ(r.cycles, scenes.cycles());
    EXPECT_GT(cuts, 2'000u);
    EXPECT_GT(poisoned, 150u);
    GoldenData other(config);
    EXPECT_TRUE(run_lockstep<RouterDataBlock>(again, other, device, options).passed());
  }
}

/// Packets of up to 64 flits are cut, in buffers that hold fewer: when they fill one, and when most of them has gone.
TEST(RouterData, LevelsAgreeWhereLongPacketsAreCut) {
  int longest = 0, filled = 0;
  for (const DataConfig& config : {shallow(), DataConfig(Dragonfly::named("tiny"))}) {
    for (const DataDemand& demand : longest_packets_cut()) {
      const auto compare_with = [&](RtlDevice<RouterDataBlock>& device, uint64_t cycles) {
        DataTraffic stimulus(config, demand, false, 31);
        GoldenData golden(config);
        RunOptions options;
        options.max_cycles = cycles;
        const RunResult r =
            run_lockstep<RouterDataBlock>(stimulus, golden, device, options, [&](const DataInputs&, const auto&) {
              for (const DataPath::Cut& cut : golden.unit().cuts()) filled += cut.lost == config.depth(cut.port);
              for (int k = 0; k < config.num_ports(); ++k) {
                for (int v = 0; v < router::kNumVcs; ++v) longest = std::max(longest, golden.unit().come(k, v));
              }
            });
        EXPECT_TRUE(r.passed()) << text(r);
      };
      DataOracle oracle(config);
      compare_with(oracle, 10'000);
      router::DataPathDevice device(config);
      compare_with(device, 10'000);
    }
  }
  EXPECT_EQ(longest, 63);
  EXPECT_GT(filled, 20);
}

/// Turns: in every phase they decide something now and then, so all levels have to have the same ones.
TEST(RouterData, LevelsAgreeWithTurns) {
  for (const int cycles : {1, 5}) {
    DataConfig config = shallow();
    config.turn_cycles = cycles;
    DataOracle oracle(config);
    const RunResult r = compare(config, oracle, 40'000, 21);
    EXPECT_TRUE(r.passed()) << cycles << ", " << text(r);
    router::DataPathDevice device(config);
    const RunResult s = compare(config, device, 20'000, 22);
    EXPECT_TRUE(s.passed()) << cycles << ", " << text(s);
    DataConfig without = config;
    without.turn_cycles = 0;
    DataOracle other(without);
    EXPECT_FALSE(compare(config, other, 40'000, 21).passed()) << cycles << ": turns decide nothing";
  }
}

/// Words of a packet of one flit.
uint64_t flit(int vc, bool head = true, bool tail = true, int last = 0) {
  return static_cast<uint64_t>(vc) | (head ? 4u : 0u) | (tail ? 8u : 0u) | static_cast<uint64_t>(last) << 5 |
         0xABCDull << 32;
}

/// A data path that is driven by hand.
struct ByHand {
  explicit ByHand(const DataConfig& c = {}) : config(c), path(c) {
    DataInputs reset;
    reset.reset = true;
    path.step(reset);
  }
  void arrive(int port, uint64_t word) {
    in.in_valid |= 1ull << port;
    in.in_flit[static_cast<size_t>(port * config.words)] = word;
  }
  /// An edge and its cycle; afterwards nothing is driven.
  const DataOutputs& edge() {
    path.step(in);
    in = {};
    return path.out();
  }
  void edges(int n) {
    for (int i = 0; i < n; ++i) edge();
  }
  void answer(int port, int out_port, int out_vc) {
    in.ans_port[port] = static_cast<uint8_t>(out_port);
    in.ans_vc[port] = static_cast<uint8_t>(out_vc);
  }
  DataConfig config;
  router::DataPath path;
  DataInputs in;
};

/// docs/router.md §2.5: written by edge n, granted in n+4, on the link in n+5.
TEST(RouterDataCycles, NothingInTheWay) {
  ByHand r;
  r.arrive(2, flit(1));
  for (int cycle = 0; cycle < 4; ++cycle) {
    EXPECT_EQ(r.edge().grant[4], 0) << cycle;
  }
  r.answer(2, 5, 3);
  const DataOutputs& granted = r.edge();
  EXPECT_EQ(granted.grant[4], 0x800 | 1 << 8 | 5 << 2 | 3);
  EXPECT_EQ(granted.credit[4 * 2 + 1], 1);
  EXPECT_EQ(granted.sent[4 * 5 + 3], 1);
  EXPECT_EQ(granted.departed, 1u << 5);
  EXPECT_EQ(granted.out_valid, 0u);
  EXPECT_EQ(r.path.credits(5, 3), 255);
  const DataOutputs& sent = r.edge();
  EXPECT_EQ(sent.out_valid, 1u << 5);
  EXPECT_EQ(sent.out_flit[10], (flit(1) & ~3ull) | 3);
  EXPECT_EQ(sent.departed, 0u);
}

/// A message takes the slot: the flit waits in the FIFO, and was announced once.
TEST(RouterDataCycles, AMessageGoesFirst) {
  ByHand r;
  r.arrive(0, flit(0));
  r.edges(4);
  r.answer(0, 2, 0);
  EXPECT_EQ(r.edge().departed, 4u);
  for (int i = 0; i < 3; ++i) {
    r.in.slot_taken = 4;
    const DataOutputs& out = r.edge();
    EXPECT_EQ(out.out_valid, 0u);
    EXPECT_EQ(out.departed, 0u);
  }
  EXPECT_EQ(r.edge().out_valid, 4u);
}

/// Six packets without an option wait in one VC: two a cycle are dropped, and their slots are free at once.
TEST(RouterDataDrops, AtMostTwoACycle) {
  ByHand r;
  for (int i = 0; i < 10; ++i) {
    if (i < 6) r.arrive(3, flit(2));
    if (i == 0) r.arrive(2, flit(2));  // to port 5, so that an ordinary grant is beside them
    r.answer(3, 63, 0);
    r.answer(2, 5, 0);
    const DataOutputs& out = r.edge();
    EXPECT_EQ(out.credit[4 * 3 + 2], i >= 4 ? 1 : 0) << "one a cycle is answered, one a cycle is dropped; cycle " << i;
    EXPECT_EQ(out.grant[6], i >= 4 ? 0xC00 | 2 << 8 : 0);
  }
  EXPECT_EQ(r.path.flits(3, 2), 0);
  // Behind a packet that cannot move they pile up.
  ByHand s;
  for (int i = 0; i < 20; ++i) {
    s.in.packet_last = 63;  // more than a local VC has credits
    if (i < 6) s.arrive(3, flit(2));
    s.answer(3, i == 4 ? 2 : 63, 0);
    EXPECT_EQ(s.edge().credit[4 * 3 + 2], 0);
  }
  int dropped[4];
  for (int& d : dropped) d = s.edge().credit[4 * 3 + 2];
  EXPECT_EQ(dropped[0], 2) << "the packet in front and one behind it";
  EXPECT_EQ(dropped[1], 2);
  EXPECT_EQ(dropped[2], 2);
  EXPECT_EQ(dropped[3], 0);
}

/// A dropped flit takes its input's turn, as a grant does.
TEST(RouterDataDrops, TakeTheTurn) {
  ByHand r;
  r.arrive(3, flit(0));
  r.edge();
  r.arrive(3, flit(1));
  r.edge();
  r.arrive(3, flit(0));
  r.edge();
  r.edge();
  r.answer(3, 63, 0);
  EXPECT_EQ(r.edge().grant[6], 0xC00);
  EXPECT_TRUE(reasons(r.path)[3].starts_with("Input port 3: phase 0 VC 0 dropped; left: ")) << reasons(r.path)[3];
  r.answer(3, 4, 0);
  EXPECT_EQ(r.edge().grant[6], 0x800 | 1 << 8 | 4 << 2);
  EXPECT_TRUE(reasons(r.path)[3].starts_with("Input port 3: phase 0 VC 1 to port 4 VC 0; left: "))
      << reasons(r.path)[3];
}

/// Death: buffers give all their credits back at once, answers that are under way are forgotten, what was granted goes
/// on.
TEST(RouterDataDeath, GivesEverythingBack) {
  ByHand r;
  for (int i = 0; i < 7; ++i) {
    r.in.slot_taken = 1ull << 5;
    r.arrive(2, flit(1));
    r.answer(2, 5, 0);
    r.edge();
  }
  const int waiting = r.path.flits(2, 1);
  EXPECT_EQ(waiting, 4) << "three have been granted";
  EXPECT_EQ(r.path.fifo(5), 3);
  r.arrive(2, flit(1));
  r.in.alive = false;
  const DataOutputs& out = r.edge();
  EXPECT_EQ(out.credit[4 * 2 + 1], waiting + 1);
  EXPECT_EQ(out.out_valid, 1u << 5);
  EXPECT_EQ(r.path.credits(5, 0), 253) << "credits are kept";
  for (int i = 0; i < 8; ++i) EXPECT_EQ(r.edge().grant[4], 0);
  EXPECT_EQ(r.path.fifo(5), 0);
}

/// A packet of several flits holds its output VC from head to tail; the head waits for credits for the whole packet,
/// the others for one.
TEST(RouterDataPackets, HoldTheirChannel) {
  DataConfig c;
  c.global_depth = 4;
  ByHand r(c);
  const auto drive = [&](int i) {
    r.in.packet_last = 2;
    if (i < 3) r.arrive(2, flit(0, i == 0, i == 2, 2));
    if (i < 3) r.arrive(3, flit(0, i == 0, i == 2, 2));
    r.answer(2, 5, 1);
    r.answer(3, 5, 1);
  };
  int from2 = 0, from3 = 0;
  for (int i = 0; i < 12; ++i) {
    drive(i);
    const DataOutputs& out = r.edge();
    for (int phase = 0; phase < 2; ++phase) {
      from2 += out.grant[4 + phase] != 0;
      from3 += out.grant[6 + phase] != 0;
    }
    EXPECT_TRUE(from3 == 0 || from2 == 3) << i;
  }
  EXPECT_EQ(from2, 3);
  EXPECT_EQ(from3, 0) << "one credit is left, three are needed";
  r.in.credit[4 * 5 + 1] = 2;
  r.in.packet_last = 2;
  EXPECT_NE(r.edge().grant[6], 0) << "usable in the cycle of the edge that counts it";
}

// Packets that a fault cuts in two (docs/router.md §2.9).

constexpr uint64_t kTail = 0x18;  // poisoned

/// A packet of `last` + 1 flits arrives at port 2, VC 1, its way is port 5, VC 3; edges so far: as many as flits.
void begin_packet(ByHand& r, int flits, int last) {
  for (int i = 0; i < flits; ++i) {
    r.arrive(2, flit(1, i == 0, i == last, last));
    r.in.packet_last = static_cast<uint8_t>(last);
    r.edge();
  }
}
/// An edge with the answer; the link of port 2 is down in its cycle, or not.
const DataOutputs& answered(ByHand& r, bool down, int port = 5) {
  r.answer(2, port, 3);
  r.in.packet_last = 3;
  r.in.link_down = down ? 4 : 0;
  return r.edge();
}

/// What waits as a whole is lost as a whole: unanswered, answered, or with its answer at this very edge.
TEST(RouterDataCuts, APacketThatHasNotBegunIsForgotten) {
  for (const int edges : {0, 1, 2, 3, 4, 6}) {
    ByHand r;
    const auto edge = [&](int n) -> const DataOutputs& {
      if (n < 3) r.arrive(2, flit(1, n == 0, false, 3));
      r.in.packet_last = 63;  // more than a local port has credits
      r.answer(2, 3, 0);
      r.in.link_down = n == edges ? 4 : 0;
      return r.edge();
    };
    for (int n = 0; n < edges; ++n) EXPECT_EQ(edge(n).credit[4 * 2 + 1], 0);
    EXPECT_EQ(edge(edges).credit[4 * 2 + 1], std::min(edges + 1, 3)) << edges;
    EXPECT_EQ(r.path.flits(2, 1), 0);
    EXPECT_EQ(r.path.answered(2, 1), 0);
    EXPECT_FALSE(r.path.poisoned(2, 1));
    for (int i = 0; i < 8; ++i) EXPECT_EQ(answered(r, false).grant[4], 0) << "its answer means nothing";
    // The next packet has an answer of its own.
    r.arrive(2, flit(1));
    r.edge();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(answered(r, false).grant[4], 0);
    EXPECT_EQ(answered(r, false).grant[4], 0x800 | 1 << 8 | 5 << 2 | 3);
  }
}

/// A poisoned tail follows what has gone on: in the cycle after the cut, without a slot of the buffer, and the channel
/// is free again.
TEST(RouterDataCuts, APoisonedTailFollows) {
  ByHand r;
  begin_packet(r, 3, 3);
  r.edge();
  const DataOutputs& cut = answered(r, true);
  EXPECT_NE(cut.grant[4], 0);
  EXPECT_NE(cut.grant[5], 0) << "head and one more have gone";
  EXPECT_EQ(cut.credit[4 * 2 + 1], 3) << "two have gone, one is lost";
  EXPECT_TRUE(r.path.held(5, 3));
  EXPECT_TRUE(r.path.poisoned(2, 1));
  r.in.packet_last = 3;
  const DataOutputs& tail = r.edge();
  EXPECT_EQ(tail.grant[4], 0x800 | 1 << 8 | 5 << 2 | 3);
  EXPECT_EQ(tail.credit[4 * 2 + 1], 0) << "a slot of its own";
  EXPECT_EQ(tail.sent[4 * 5 + 3], 1);
  EXPECT_FALSE(r.path.held(5, 3));
  EXPECT_EQ(r.path.credits(5, 3), 253);
  r.edge();
  const DataOutputs& last = r.edge();
  EXPECT_EQ(last.out_flit[10], kTail | 3);
  EXPECT_EQ(last.out_flit[11], 0u);
}

/// Its slot is one more: the buffer behind a tail that cannot move takes as many flits as ever, and their answers.
TEST(RouterDataCuts, ABufferFillsBehindAPoisonedTail) {
  DataConfig c;
  c.global_depth = 4;
  ByHand r(c);
  begin_packet(r, 3, 7);
  r.edge();
  r.answer(2, 5, 3);
  r.in.packet_last = 1;
  r.in.link_down = 4;
  r.edge();
  ASSERT_TRUE(r.path.poisoned(2, 1));
  for (int i = 0; i < 40; ++i) {
    if (i < c.local_depth) r.arrive(2, flit(1));
    r.answer(2, 5, 3);
    r.in.packet_last = 63;
    r.edge();
    if (i == 0) {
      EXPECT_FALSE(r.path.poisoned(2, 1)) << "a tail needs one credit";
    }
  }
  EXPECT_EQ(r.path.flits(2, 1), c.local_depth);
  // The same with a tail that has no credit.
  ByHand s(c);
  for (int i = 0; i < 3; ++i) {
    s.arrive(3, flit(0, true, true));
    s.edge();
  }
  begin_packet(s, 3, 7);
  for (int i = 0; i < 8; ++i) {
    s.answer(3, 5, 3);
    s.answer(2, 5, 3);
    s.edge();
  }
  ASSERT_EQ(s.path.credits(5, 3), 0);
  s.in.link_down = 4;
  s.edge();
  ASSERT_TRUE(s.path.poisoned(2, 1));
  for (int i = 0; i < 40; ++i) {
    if (i < c.local_depth) s.arrive(2, flit(1));
    s.answer(2, 5, 3);
    s.edge();
  }
  EXPECT_TRUE(s.path.poisoned(2, 1));
  EXPECT_EQ(s.path.flits(2, 1), c.local_depth);
  EXPECT_EQ(s.path.answered(2, 1), c.local_depth);
  s.in.credit[4 * 5 + 3] = 1;
  EXPECT_EQ(s.edge().credit[4 * 2 + 1], 0);
  EXPECT_FALSE(s.path.poisoned(2, 1));
  EXPECT_EQ(s.path.flits(2, 1), c.local_depth);
}

/// Without an option nobody downstream waits for a tail.
TEST(RouterDataCuts, WithoutAnOptionNothingFollows) {
  ByHand r;
  begin_packet(r, 3, 3);
  r.edge();
  EXPECT_EQ(answered(r, true, 63).credit[4 * 2 + 1], 3);
  EXPECT_FALSE(r.path.poisoned(2, 1));
  EXPECT_EQ(r.path.answered(2, 1), 0);
  EXPECT_FALSE(r.path.begun(2, 1));
  r.arrive(2, flit(1));
  r.edges(4);
  EXPECT_NE(answered(r, false).grant[4], 0);
}

/// A packet whose tail has come, also at this edge, is whole.
TEST(RouterDataCuts, AWholePacketIsNotCut) {
  ByHand r;
  r.arrive(2, flit(1, true, false, 1));
  r.edge();
  r.arrive(2, flit(1, false, true));
  r.in.link_down = 4;
  EXPECT_EQ(r.edge().credit[4 * 2 + 1], 0);
  EXPECT_EQ(r.path.flits(2, 1), 2);
}

/// What comes after a cut, after a death or of a packet whose head was cut is discarded up to the next head, and its
/// slots are free.
TEST(RouterDataCuts, TheRestIsDiscarded) {
  for (const int how : {0, 1, 2}) {
    ByHand r;
    r.arrive(2, flit(1, true, false, 3));
    if (how == 0) r.in.in_cut = 4;
    if (how == 1) r.in.link_down = 4;
    r.edge();
    r.in.alive = how != 2;
    r.edge();
    for (const bool tail : {false, false, true}) {
      r.arrive(2, flit(1, false, tail));
      EXPECT_EQ(r.edge().credit[4 * 2 + 1], 1) << how;
    }
    EXPECT_EQ(r.path.flits(2, 1), 0) << how;
    r.arrive(2, flit(1));
    EXPECT_EQ(r.edge().credit[4 * 2 + 1], 0) << how;
    EXPECT_EQ(r.path.flits(2, 1), 1) << how;
  }
}

/// A packet that was cut on its way is shorter than its head says.
TEST(RouterDataCuts, APoisonedTailEndsAPacketHereToo) {
  ByHand r;
  r.arrive(2, flit(1, true, false, 7));
  r.edge();
  r.arrive(2, kTail | 1);
  r.edge();
  r.arrive(2, flit(1));
  r.edge();
  r.edge();
  for (int i = 0; i < 4; ++i) answered(r, false);
  EXPECT_EQ(r.path.flits(2, 1), 0);
  EXPECT_FALSE(r.path.held(5, 3));
  EXPECT_EQ(r.path.fifo(5), 0);
}

// Planted bugs of the SystemC module.

/// A credit counts double.
class DoubleCredit : public router::DataPathModule {
 public:
  using DataPathModule::DataPathModule;

 protected:
  void take_credits(const DataInputs& in) override {
    DataPathModule::take_credits(in);
    if (in.credit[4 * 3] != 0) ++outputs()[3].credits[0];
  }
};
/// A head needs one credit only.
class HastyHead : public router::DataPathModule {
 public:
  using DataPathModule::DataPathModule;

 protected:
  bool is_open(const Output& out, const Flit& flit) const override {
    if (static_cast<int>(out.fifo.size()) >= 4 || (flit.head && out.held[flit.packet->out_vc])) return false;
    return out.node || out.credits[flit.packet->out_vc] >= 1;
  }
};
/// The pointer of an output skips an input.
class SkippingOutput : public router::DataPathModule {
 public:
  using DataPathModule::DataPathModule;

 protected:
  int next_input(int granted) const override { return (granted + 2) % ports(); }
};
/// Channels stay held when the router dies.
class HeldForEver : public router::DataPathModule {
 public:
  using DataPathModule::DataPathModule;

 protected:
  void die() override {
    std::vector<std::array<bool, 4>> held;
    for (const Output& out : outputs()) held.push_back(out.held);
    DataPathModule::die();
    for (size_t k = 0; k < held.size(); ++k) outputs()[k].held = held[k];
  }
};

/// No tail follows a packet that has been cut.
class NoTail : public router::DataPathModule {
 public:
  using DataPathModule::DataPathModule;

 protected:
  void cut(Input& in, int vc) override {
    DataPathModule::cut(in, vc);
    if (!in.buffer[vc].empty() && in.buffer[vc].back().poisoned) in.buffer[vc].pop_back();
  }
};
/// A poisoned tail gives a slot back that nobody had.
class TailWithASlot : public router::DataPathModule {
 public:
  using DataPathModule::DataPathModule;

 protected:
  void cut(Input& in, int vc) override {
    DataPathModule::cut(in, vc);
    if (!in.buffer[vc].empty()) in.buffer[vc].back().poisoned = false;
  }
};
/// The flits that have been cut off keep their slots.
class LostSlots : public router::DataPathModule {
 public:
  using DataPathModule::DataPathModule;

 protected:
  void cut(Input& in, int vc) override {
    const int before = in.freed[vc];
    DataPathModule::cut(in, vc);
    in.freed[vc] = before;
  }
};

template <class Module>
void expect_caught(const char* what) {
  router::BasicDataPathDevice<Module> device(shallow());
  const RunResult r = compare(shallow(), device, 100'000, 3);
  ASSERT_TRUE(r.mismatch.has_value()) << what;
  EXPECT_FALSE(r.mismatch->reasons.empty()) << what;
}

TEST(RouterData, PlantedBugsOfTheSystemcModuleAreCaught) {
  expect_caught<DoubleCredit>("double credit");
  expect_caught<HastyHead>("hasty head");
  expect_caught<SkippingOutput>("skipping output");
  expect_caught<HeldForEver>("held for ever");
  expect_caught<NoTail>("no tail");
  expect_caught<TailWithASlot>("tail with a slot");
  expect_caught<LostSlots>("lost slots");
}

}  // namespace
}  // namespace odonata::cosim
