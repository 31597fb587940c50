// SPDX-License-Identifier: Apache-2.0
// The port unit: golden and RTL in lockstep at every size, coverage, planted bugs, cycle counts of docs/fault.md §5.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tb/fault/lockstep_bench.h"
#include "tb/fault/port_block.h"

namespace odonata::cosim {
namespace {

using namespace fault;

using PortBench = FaultBench<FaultPortBlock, PortUnit, PortStimulus>;

TEST(FaultPort, RtlEqualsGoldenAtEverySize) {
  for (const char* size : {"tiny", "paper", "full"}) {
    const Dragonfly d = Dragonfly::named(size);
    const auto rtl = make_rtl<FaultPortBlock>(d);
    const RunResult r = PortBench::run(*rtl, size[0] == 't' ? 1'000'000 : 300'000, 11, d);
    EXPECT_GT(r.compared, 1000u) << size;
    EXPECT_TRUE(r.passed()) << size << " " << words(r);
  }
}

/// What a reason says of the row at work is what its marks are: of D and S what the row has, and what has been told.
TEST(FaultPort, DescribesTheMarksOfTheRowAtWork) {
  const Dragonfly d = Dragonfly::named("tiny");
  PortStimulus stimulus(d, 3);
  PortUnit unit(d);
  PortInputs in;
  PortOutputs out;
  std::array<int, 2> untold{};  // rows of which the last update has not been said yet, of D and of S
  for (int cycle = 0; cycle < 100'000 && stimulus.next(out, in); ++cycle) {
    unit.step(in, out);
    const Marks& m = unit.marks(unit.row());
    const auto text = [](Level level) { return std::string(to_string(level)); };
    ASSERT_EQ(unit.describe().at(2), "row: level D " + text(m.level[0]) + ", S " + text(m.level[1]) + ", told D " +
                                         text(m.told[0]) + ", S " + text(m.told[1]));
    for (size_t c = 0; c < 2; ++c) untold[c] += m.level[c] != m.told[c] && m.level[0] != m.level[1];
  }
  EXPECT_GT(untold[0], 0);
  EXPECT_GT(untold[1], 0);
}

/// The commands of all episodes after one reset, at one global port: counters go on. What names an entry that is not
/// there is left out.
class OneEpisode final : public Stimulus<PortInputs, PortOutputs> {
 public:
  OneEpisode(const Dragonfly& d, uint64_t seed) : d_(d), all_(d, seed) {}
  bool next(const PortOutputs& last, PortInputs& in) override {
    if (!all_.next(last, in)) return false;
    in.reset = in.reset && !started_;
    started_ |= !in.reset;
    in.own_gid = in.own_bid = 1;
    in.own_port = static_cast<uint8_t>(d_.first_global());
    in.port_class = static_cast<uint8_t>(PortClass::global);
    in.safe = true;
    in.port_level = false;
    if ((cycles_++ >> 18 & 1) != 0) {  // now nothing stands in the way
      in.out_ready = true;
      in.route_read = false;
    }
    const Message m = decode_message(in.cmd_message);
    if (in.cmd_kind >= 2 && (m.gid >= d_.g() || m.bid >= d_.a() || m.nid >= d_.p())) in.cmd_valid = false;
    return true;
  }

 private:
  Dragonfly d_;
  PortStimulus all_;
  bool started_ = false;
  uint64_t cycles_ = 0;
};

/// Until every counter of 16 bits has wrapped.
RunResult lockstep_until_counters_wrap(const Dragonfly& d, FaultPortDevice& device, uint64_t seed) {
  OneEpisode stimulus(d, seed);
  PortUnit reference(d);
  RunOptions options;
  options.max_cycles = 18'000'000;
  std::array<uint16_t, 4> last{};
  std::array<bool, 4> wrapped{};
  options.progress = [&](uint64_t, uint64_t) {
    return !std::all_of(wrapped.begin(), wrapped.end(), [](bool w) { return w; });
  };
  RunResult r = run_lockstep<FaultPortBlock>(
      stimulus, reference, device, options, [&](const PortInputs&, const PortOutputs& out) {
        const std::array<uint16_t, 4> now{out.fd_count, out.fr_count, out.wait_ram, out.wait_queue};
        for (size_t i = 0; i < now.size(); ++i) wrapped[i] = wrapped[i] || now[i] < last[i];
        last = now;
      });
  for (size_t i = 0; i < wrapped.size(); ++i)
    EXPECT_TRUE(wrapped[i] || r.mismatch) << "counter " << i << " at " << last[i];
  return r;
}

TEST(FaultPort, CountersWrapAsTheGoldenOnesDo) {
  const Dragonfly d = Dragonfly::named("tiny");
  const RunResult r = lockstep_until_counters_wrap(d, *make_rtl<FaultPortBlock>(d), 16);
  EXPECT_FALSE(r.mismatch) << words(r);
}

/// No row, no port and no bit of an address is left out at any size.
TEST(FaultPort, EveryRowAndPortIsWalkedAtEverySize) {
  for (const char* size : {"tiny", "paper", "full"}) {
    const Dragonfly d = Dragonfly::named(size);
    const auto rtl = make_rtl<FaultPortBlock>(d);
    PortStimulus stimulus(d, 15);
    stimulus.walk();
    PortUnit reference(d);
    PortReach reach(d);
    RunOptions options;
    options.max_cycles = size[0] == 'f' ? 2'600'000 : 300'000;
    const RunResult r =
        run_lockstep<FaultPortBlock>(stimulus, reference, *rtl, options,
                                     [&](const PortInputs&, const PortOutputs& out) { reach.sample(out, reference); });
    EXPECT_TRUE(r.passed()) << size << " " << words(r);
    EXPECT_EQ(reach.missing(), "") << size;
  }
}

/// Four banks and a command queue: commands may come while the unit works.
RunResult lockstep_beyond(const Dragonfly& d, FaultPortDevice& device, uint64_t cycles, uint64_t seed) {
  PortStimulus stimulus(d, seed, kBeyondCommandDepth);
  PortUnit reference(d, kBeyondBanks, kBeyondCommandDepth);
  return run_lockstep<FaultPortBlock>(stimulus, reference, device, {.max_cycles = cycles});
}

TEST(FaultPort, RtlBeyondThePaperEqualsGolden) {
  const Dragonfly d = Dragonfly::named("tiny");
  const auto rtl = make_rtl<FaultPortBlock>(beyond_parameters(d), RtlVariant::debug);
  const RunResult r = lockstep_beyond(d, *rtl, 1'000'000, 21);
  EXPECT_GT(r.compared, 1000u);
  EXPECT_TRUE(r.passed()) << words(r);
}

TEST(FaultPort, CoverageIsComplete) {
  const Dragonfly d = Dragonfly::named("tiny");
  PortCoverage coverage(d);
  PortUnit device(d);
  const RunResult r = PortBench::watched(
      device, 18'000'000, 12, d,
      [&](const PortInputs& in, const PortOutputs& out, const PortUnit& u) { coverage.sample(in, out, u); });
  EXPECT_TRUE(r.passed());
  expect_complete(coverage.coverage());
}

TEST(FaultPort, EveryPlantedBugIsCaught) {
  const Dragonfly d = Dragonfly::named("tiny");
  const auto clean = make_rtl<FaultPortBlock>(d, RtlVariant::debug);
  EXPECT_TRUE(PortBench::run(*clean, 100'000, 13).passed()) << "without a plant nothing may differ";
  EXPECT_GE(std::size(planted_fault::kPlants), 25u);
  expect_caught(25, TriedBy::port, [&d](const Plant& plant) {
    const auto rtl = make_rtl<FaultPortBlock>(d, RtlVariant::debug, plant.number),
               beyond = make_rtl<FaultPortBlock>(beyond_parameters(d), RtlVariant::debug, plant.number);
    const bool only_beyond = plant.name.starts_with("beyond-");
    return only_beyond                            ? lockstep_beyond(d, *beyond, 5'000'000, 13)
           : plant.name.ends_with("-count-stops") ? lockstep_until_counters_wrap(d, *rtl, 16)
                                                  : PortBench::run(*rtl, 1'000'000, 13);
  });
}

/// One unit, one command, counted.
class Counted {
 public:
  explicit Counted(const Dragonfly& d, int port, Mode mode = Mode::paper)
      : d_(d), device_(make_rtl<FaultPortBlock>(d)) {
    const RouterId own{0, 1};
    base_.own_bid = 1;
    base_.own_port = static_cast<uint8_t>(port);
    base_.port_class = static_cast<uint8_t>(d.port_class(port));
    base_.safe = mode == Mode::safe;
    base_.out_ready = 1;
    PortInputs in = base_;
    in.reset = 1;
    device_->step(in, out_);
    for (int row = 0; row < num_rows(d); ++row) {
      const Options o = row_config(d, own, entry_of_row(d, row), mode).at(d, port);
      in = base_;
      in.cfg_valid = 1;
      in.cfg_row = static_cast<uint16_t>(row);
      in.cfg_has_a = o.a != 0;
      in.cfg_a = static_cast<uint8_t>(o.a != 0 ? std::countr_zero(o.a) : 0);
      in.cfg_b = o.b;
      device_->step(in, out_);
    }
    device_->step(base_, out_);
    EXPECT_EQ(out_.cfg_ack, 1);
  }
  /// Cycles for which busy is 1.
  int run(CommandKind kind, int fp, const Message& m, double load = 0, double ready = 1) {
    Random random(5);
    PortInputs in = base_;
    in.cmd_valid = 1;
    in.cmd_kind = static_cast<uint8_t>(kind);
    in.cmd_port = static_cast<uint8_t>(fp);
    in.cmd_message = encode_message(m);
    messages = 0;
    int busy = 0;
    for (int cycle = 0; cycle < 100000 && (cycle == 0 || out_.busy || out_.msg_valid); ++cycle) {
      in.route_read = random.chance(load);
      in.out_ready = random.chance(ready);
      messages += out_.msg_valid && last_ready_;
      device_->step(in, out_);
      last_ready_ = in.out_ready;
      busy += out_.busy;
      in = base_;
    }
    return busy;
  }
  int messages = 0;

 private:
  Dragonfly d_;
  std::unique_ptr<FaultPortDevice> device_;
  PortInputs base_;
  PortOutputs out_;
  bool last_ready_ = true;
};

TEST(FaultPort, CycleCountsOfTheSpecification) {
  const Dragonfly d = Dragonfly::named("full");
  ASSERT_EQ(num_rows(d), 560);
  Counted unit(d, d.local_port(1, 0));
  const Message fd{Kind::diagnosis, MessageClass::d, 1, 200, 0, 0};
  EXPECT_EQ(unit.run(CommandKind::link_down, d.global_port(0), fd), 2 * 560);
  EXPECT_EQ(unit.run(CommandKind::link_up, d.global_port(0), fd), 3 * 560);
  EXPECT_EQ(unit.run(CommandKind::diagnosis, d.local_port(1, 12), fd), 2);
  EXPECT_EQ(unit.run(CommandKind::recovery, d.local_port(1, 12), {Kind::recovery, MessageClass::d, 1, 200, 0, 0}), 3);
}

/// Route reads win; a travel gets the RAM cycles that they leave: every read, and every write of a row that lists Fp,
/// waits 1 / (1 - load).
TEST(FaultPort, DiagnosisSlowsUnderLoad) {
  const Dragonfly d = Dragonfly::named("full");
  const int port = d.local_port(1, 0), fp = d.global_port(0);
  int written = 0;
  for (int row = 0; row < num_rows(d); ++row) {
    const Options o = row_config(d, {0, 1}, entry_of_row(d, row), Mode::paper).at(d, port);
    written += ((o.a | o.b) >> fp & 1) != 0;
  }
  for (double load : {0.0, 0.5, 0.9}) {
    Counted unit(d, port);
    const int cycles = unit.run(CommandKind::link_down, fp, {}, load);
    RecordProperty("load_" + std::to_string(static_cast<int>(100 * load)), cycles);
    const double want = (560 + written) / (1 - load) + (560 - written);
    EXPECT_NEAR(cycles, want, 0.06 * want * (load > 0)) << load;
  }
}

/// A full queue stalls the unit; every message comes out.
TEST(FaultPort, NothingIsLostWhenTheQueueIsFull) {
  const Dragonfly d = Dragonfly::named("full");
  Counted fast(d, d.local_port(1, 0)), slow(d, d.local_port(1, 0));
  const int quick = fast.run(CommandKind::link_down, d.local_port(1, 2), {});
  const int stalled = slow.run(CommandKind::link_down, d.local_port(1, 2), {}, 0, 0.05);
  EXPECT_GT(fast.messages, 10);
  EXPECT_EQ(slow.messages, fast.messages);
  EXPECT_GT(stalled, quick);
}

TEST(FaultPort, HasOneBankAtLeastAndNoMoreThanItsWordsHave) {
  const Dragonfly d = Dragonfly::parse("2,4,2,8");
  for (const int banks : {0, kMaxBanks + 1}) EXPECT_THROW(PortUnit(d, banks), Error) << banks;
  for (const int banks : {1, kMaxBanks}) EXPECT_NO_THROW(PortUnit(d, banks)) << banks;
}

}  // namespace
}  // namespace odonata::cosim
