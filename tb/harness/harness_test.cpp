// SPDX-License-Identifier: Apache-2.0
// The harness on a toy block: every checker has to catch what it is for.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "models/common/error.h"
#include "models/common/frame.h"
#include "tb/harness/campaign.h"
#include "tb/harness/shrink.h"
#include "tb/harness/trace_file.h"

namespace odonata::cosim {
namespace {

// The toy: an accumulator that adds its input and shows the sum two cycles later; `set` loads it.
struct ToyInputs {
  bool valid = false;
  bool set = false;
  uint32_t value = 0;
};
struct ToyOutputs {
  uint64_t sum = 0;
  uint64_t valid = 0;
  bool operator==(const ToyOutputs&) const = default;
};

class Toy final : public CycleDevice<ToyInputs, ToyOutputs> {
 public:
  explicit Toy(uint64_t wrong_at = ~0ull, int delay = 2) : wrong_at_(wrong_at), line_(delay) {}
  void step(const ToyInputs& in, ToyOutputs& out) override {
    if (in.set) sum_ = in.value;
    if (in.valid) sum_ += in.value + (sum_ == wrong_at_ ? 1 : 0);
    out = line_.front();
    line_.pop_front();
    line_.push_back({in.valid ? sum_ : 0, in.valid ? 1u : 0u});
  }
  std::vector<std::string> describe() const override { return {"the sum is " + std::to_string(sum_)}; }
  uint64_t sum() const { return sum_; }

 private:
  uint64_t wrong_at_, sum_ = 0;
  std::deque<ToyOutputs> line_;
};

template <ProbeKind kKind>
struct ToyBlock {
  using Inputs = ToyInputs;
  using Outputs = ToyOutputs;
  using Reference = Toy;
  static constexpr std::string_view kName = "toy";
  static std::span<const Probe<Outputs>> probes() {
    static constexpr Probe<Outputs> kProbes[] = {{"sum", "stage 2", kKind, [](const Outputs& o) { return o.sum; },
                                                  [](const Outputs& o) { return o.valid != 0; }}};
    return kProbes;
  }
  static std::span<const Field<Inputs>> fields() {
    static constexpr Field<Inputs> kFields[] = {
        {"valid", 1, [](const Inputs& i) { return to_hex(i.valid); },
         [](Inputs& i, const std::string& hex) {
           uint64_t v = 0;
           const bool ok = from_hex(hex, 1, v);
           i.valid = v != 0;
           return ok;
         }},
        {"value", 32, [](const Inputs& i) { return to_hex(i.value); },
         [](Inputs& i, const std::string& hex) {
           uint64_t v = 0;
           const bool ok = from_hex(hex, 32, v);
           i.value = static_cast<uint32_t>(v);
           return ok;
         }},
    };
    return kFields;
  }
  static Inputs idle(const Inputs&) { return {}; }
  static bool transaction(const Outputs& out) { return out.valid != 0; }
  static std::vector<Inputs> preload(const Toy& reference) {
    return {{false, true, static_cast<uint32_t>(reference.sum())}};
  }
};
using ExactToy = ToyBlock<ProbeKind::cycle_exact>;

std::vector<ToyInputs> counting(int cycles) {
  std::vector<ToyInputs> in;
  for (int i = 0; i < cycles; ++i) in.push_back({i % 3 != 0, false, static_cast<uint32_t>(i % 7)});
  return in;
}

/// A sum that occurs in the run: where a device can be made wrong.
uint64_t sum_after(const std::vector<ToyInputs>& cycles, size_t n) {
  Toy toy;
  ToyOutputs out;
  for (size_t i = 0; i < n; ++i) toy.step(cycles[i], out);
  return toy.sum();
}

template <class Block>
RunResult run(const std::vector<ToyInputs>& cycles, Toy device, const RunOptions& options = {}) {
  Recorded<ToyInputs, ToyOutputs> stimulus(cycles);
  Toy reference;
  return run_lockstep<Block>(stimulus, reference, device, options);
}

/// A value that only one side has is told in the first cycle after the skew, whichever side it is.
template <ProbeKind kKind>
void expect_lonely_values_are_told_in_time() {
  constexpr uint64_t kSkew = 3, kAt = 10;
  const ToyOutputs value{7, 1}, nothing{};
  for (const bool device : {false, true}) {
    Comparator<ToyOutputs> comparator(ToyBlock<kKind>::probes(), kSkew);
    for (uint64_t cycle = kAt; cycle <= kAt + kSkew; ++cycle) {
      const ToyOutputs& now = cycle == kAt ? value : nothing;
      EXPECT_TRUE(comparator.equal(cycle, device ? nothing : now, device ? now : nothing)) << cycle;
      EXPECT_TRUE(comparator.owes());
    }
    EXPECT_FALSE(comparator.equal(kAt + kSkew + 1, nothing, nothing));
    ASSERT_EQ(comparator.differences().size(), 1u);
    EXPECT_EQ(comparator.differences()[0].note,
              device ? "came, never expected since cycle 10" : "expected, never came since cycle 10");
    EXPECT_EQ(comparator.differences()[0].got, device ? 7u : 0u);
    EXPECT_EQ(comparator.differences()[0].expected, device ? 0u : 7u);
  }
}

TEST(Comparator, LonelyValuesAreToldInTheFirstCycleAfterTheSkew) {
  expect_lonely_values_are_told_in_time<ProbeKind::ordered>();
  expect_lonely_values_are_told_in_time<ProbeKind::set_valued>();
}

TEST(Lockstep, EqualDevicesPassAndAreCounted) {
  const RunResult r = run<ExactToy>(counting(300), Toy());
  EXPECT_TRUE(r.passed());
  EXPECT_EQ(r.cycles, 300u);
  EXPECT_EQ(r.compared, 198u);  // 200 values, two of them still in the delay line at the end
}

TEST(Lockstep, ComparedNothingIsNoPass) {
  const RunResult r = run<ExactToy>(std::vector<ToyInputs>(50), Toy());
  EXPECT_FALSE(r.mismatch);
  EXPECT_EQ(r.compared, 0u);
  EXPECT_FALSE(r.passed());
}

TEST(Lockstep, FirstMismatchStopsWithReasons) {
  const RunResult r = run<ExactToy>(counting(300), Toy(sum_after(counting(300), 150)));
  ASSERT_TRUE(r.mismatch);
  EXPECT_EQ(r.mismatch->differences.at(0).probe, "sum");
  EXPECT_EQ(r.mismatch->differences.at(0).got, r.mismatch->differences.at(0).expected + 1);
  EXPECT_NE(r.mismatch->reasons.at(0).find("the sum is"), std::string::npos);
}

TEST(Lockstep, CycleExactProbeCatchesALateDevice) { EXPECT_TRUE(run<ExactToy>(counting(30), Toy(~0ull, 3)).mismatch); }

TEST(Lockstep, OrderedProbeAllowsSkewButNoWrongOrderAndNoLoss) {
  using Ordered = ToyBlock<ProbeKind::ordered>;
  const auto cycles = counting(30);
  EXPECT_TRUE(run<Ordered>(cycles, Toy(sum_after(cycles, 15))).mismatch);
  RunOptions tight;
  tight.skew = 2;
  EXPECT_TRUE(run<Ordered>(cycles, Toy(~0ull, 6), tight).mismatch);
}

TEST(Lockstep, ALateDeviceIsDrainedAtTheEnd) {
  using Ordered = ToyBlock<ProbeKind::ordered>;
  // The last value is offered in the last cycle: a device that is later than the reference still holds it when the
  // stimulus ends.
  const auto cycles = counting(30);
  ASSERT_TRUE(cycles.back().valid);
  RunOptions options;
  options.skew = 10;
  for (int delay : {2, 3, 5, 12}) {
    const RunResult r = run<Ordered>(cycles, Toy(~0ull, delay), options);
    EXPECT_TRUE(r.passed()) << delay;
    EXPECT_EQ(r.cycles, 30u);
  }
  EXPECT_TRUE(run<Ordered>(cycles, Toy(~0ull, 13), options).mismatch) << "later than the skew";
  options.max_transactions = 7;
  EXPECT_TRUE(run<Ordered>(cycles, Toy(~0ull, 5), options).passed()) << "a run that ends by its limit";
}

// Loses everything after so many values.
class Losing final : public CycleDevice<ToyInputs, ToyOutputs> {
 public:
  explicit Losing(int keeps) : left_(keeps) {}
  void step(const ToyInputs& in, ToyOutputs& out) override {
    inner_.step(in, out);
    if (out.valid != 0 && left_-- <= 0) out = {};
  }

 private:
  Toy inner_{~0ull, 4};
  int left_;
};

TEST(Lockstep, WhatNeverComesIsAMismatchAfterTheSkew) {
  const auto cycles = counting(30);
  const auto result = [&](int keeps) {
    Recorded<ToyInputs, ToyOutputs> stimulus(cycles);
    Toy reference;
    Losing device(keeps);
    return run_lockstep<ToyBlock<ProbeKind::ordered>>(stimulus, reference, device);
  };
  EXPECT_TRUE(result(20).passed());
  EXPECT_TRUE(result(19).mismatch);
  EXPECT_TRUE(result(0).mismatch);
}

// A device that answers pairs of values in exchanged order.
class Swapping final : public CycleDevice<ToyInputs, ToyOutputs> {
 public:
  void step(const ToyInputs& in, ToyOutputs& out) override {
    ToyOutputs o;
    inner_.step(in, o);
    held_.push_back(o);
    out = {};
    if (held_.size() < 4) return;
    const bool swap = turn_++ % 2 == 0;
    out = held_[swap ? 1 : 0];
    if (swap) std::swap(held_[0], held_[1]);
    held_.pop_front();
  }

 private:
  Toy inner_;
  std::deque<ToyOutputs> held_;
  int turn_ = 0;
};

TEST(Lockstep, SetValuedProbeIgnoresOrderOrderedDoesNot) {
  auto cycles = counting(60);
  cycles.resize(80);
  Toy reference1, reference2;
  Swapping device1, device2;
  Recorded<ToyInputs, ToyOutputs> stimulus1(cycles), stimulus2(cycles);
  EXPECT_TRUE((run_lockstep<ToyBlock<ProbeKind::set_valued>>(stimulus1, reference1, device1).passed()));
  EXPECT_TRUE((run_lockstep<ToyBlock<ProbeKind::ordered>>(stimulus2, reference2, device2).mismatch));
}

TEST(Lockstep, SetValuedProbeCatchesAWrongValue) {
  auto cycles = counting(60);
  cycles.resize(200);
  EXPECT_TRUE(run<ToyBlock<ProbeKind::set_valued>>(cycles, Toy(sum_after(cycles, 15))).mismatch);
}

TEST(Lockstep, ProgressCanStopARun) {
  RunOptions options;
  options.progress = [](uint64_t, uint64_t) { return false; };
  const RunResult r = run<ExactToy>(counting(200000), Toy(), options);
  EXPECT_TRUE(r.interrupted);
  EXPECT_FALSE(r.passed());
}

TEST(Lockstep, AReferenceThatRunsAheadChangesNothing) {
  using Ordered = ToyBlock<ProbeKind::ordered>;
  const auto cycles = counting(300);
  const auto expect_same = [](const RunResult& one, const RunResult& two) {
    EXPECT_EQ(one.cycles, two.cycles);
    EXPECT_EQ(one.compared, two.compared);
    ASSERT_EQ(one.mismatch.has_value(), two.mismatch.has_value());
    if (!one.mismatch) return;
    EXPECT_EQ(one.mismatch->cycle, two.mismatch->cycle);
    EXPECT_EQ(one.mismatch->differences.at(0).probe, two.mismatch->differences.at(0).probe);
    EXPECT_EQ(one.mismatch->differences.at(0).expected, two.mismatch->differences.at(0).expected);
    EXPECT_EQ(one.mismatch->differences.at(0).got, two.mismatch->differences.at(0).got);
  };
  for (size_t ahead : {0u, 2u, 7u, 32u, 299u, 300u, 1000u}) {
    SCOPED_TRACE(ahead);
    RunOptions in_turn, far;
    far.ahead = ahead;
    expect_same(run<ExactToy>(cycles, Toy(), in_turn), run<ExactToy>(cycles, Toy(), far));
    expect_same(run<Ordered>(cycles, Toy(~0ull, 9), in_turn), run<Ordered>(cycles, Toy(~0ull, 9), far));
    for (size_t at : {1u, 2u, 31u, 32u, 33u, 150u, 299u}) {
      const Toy wrong(sum_after(cycles, at));
      expect_same(run<ExactToy>(cycles, wrong, in_turn), run<ExactToy>(cycles, wrong, far));
    }
    in_turn.max_cycles = far.max_cycles = 40;
    expect_same(run<ExactToy>(cycles, Toy(), in_turn), run<ExactToy>(cycles, Toy(), far));
    in_turn.max_transactions = far.max_transactions = 13;
    expect_same(run<ExactToy>(cycles, Toy(), in_turn), run<ExactToy>(cycles, Toy(), far));
  }
}

TEST(Lockstep, ProgressIsAskedEvery65536CyclesAheadOrNot) {
  for (size_t ahead : {1u, 32u, 1000u}) {
    int asked = 0;
    RunOptions options;
    options.ahead = ahead;
    options.progress = [&](uint64_t cycle, uint64_t) {
      ++asked;
      EXPECT_LT(cycle & 0xFFFF, ahead);
      return true;
    };
    EXPECT_TRUE(run<ExactToy>(counting(200'000), Toy(), options).passed());
    EXPECT_EQ(asked, 3) << ahead;
  }
}

TEST(Shrink, ReasonsOfACycleAreThoseOfARunInTurn) {
  const auto cycles = counting(300);
  Bench<ExactToy> bench;
  bench.stimulus = [&] { return std::make_unique<Recorded<ToyInputs, ToyOutputs>>(cycles); };
  bench.reference = [] { return std::make_unique<Toy>(); };
  for (size_t at : {1u, 31u, 32u, 150u}) {
    const Toy wrong(sum_after(cycles, at));
    const RunResult in_turn = run<ExactToy>(cycles, wrong);
    const RunResult ahead = run<ExactToy>(cycles, wrong, {.ahead = 32});
    ASSERT_TRUE(in_turn.mismatch && ahead.mismatch);
    EXPECT_FALSE(in_turn.mismatch->reasons.empty());
    EXPECT_TRUE(ahead.mismatch->reasons.empty());
    EXPECT_EQ(reasons_at(bench, ahead.mismatch->cycle), in_turn.mismatch->reasons);
  }
}

TEST(Shrink, LongRunBecomesTheFewCyclesThatMatter) {
  const auto cycles = counting(100000);
  const uint64_t wrong_at = sum_after(cycles, 90000);
  Bench<ExactToy> bench;
  bench.stimulus = [&] { return std::make_unique<Recorded<ToyInputs, ToyOutputs>>(cycles); };
  bench.reference = [] { return std::make_unique<Toy>(); };
  bench.device = [&] { return std::make_unique<Toy>(wrong_at); };
  Recorded<ToyInputs, ToyOutputs> stimulus(cycles);
  Toy reference, device(wrong_at);
  const RunResult r = run_lockstep<ExactToy>(stimulus, reference, device);
  ASSERT_TRUE(r.mismatch);
  const Shrunk<ExactToy> s = shrink(bench, *r.mismatch);
  ASSERT_FALSE(s.cycles.empty());
  EXPECT_LT(s.cycles.size(), 70u);
  EXPECT_EQ(s.preload, 1u);
  EXPECT_TRUE(replay(bench, s.cycles).mismatch);
}

TEST(TraceFile, RoundTrip) {
  const auto cycles = counting(20);
  const std::string text = write_trace<ExactToy>({{"seed", "7"}}, cycles);
  const auto back = read_trace<ExactToy>("t", text);
  ASSERT_EQ(back.size(), cycles.size());
  for (size_t i = 0; i < back.size(); ++i) {
    EXPECT_EQ(back[i].valid, cycles[i].valid);
    EXPECT_EQ(back[i].value, cycles[i].value);
  }
  EXPECT_EQ(parse_trace_header("t", text).meta.at("seed"), "7");
}

std::string error_of(const std::string& text) {
  try {
    read_trace<ExactToy>("t", text);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(TraceFile, DamageIsNamedWithItsLine) {
  const std::string text = write_trace<ExactToy>({}, counting(5));
  EXPECT_EQ(error_of(text), "");
  EXPECT_NE(error_of("hello\n").find("t:1: this is no trace"), std::string::npos);
  for (size_t cut = 0; cut < text.size(); ++cut) EXPECT_NE(error_of(text.substr(0, cut)), "") << cut;
  for (size_t at = 0; at < text.size(); ++at) {
    std::string damaged = text;
    for (int bit = 0; bit < 8; ++bit) {
      damaged[at] = static_cast<char>(text[at] ^ (1 << bit));
      EXPECT_NE(error_of(damaged), "") << at << " bit " << bit;
    }
  }
  EXPECT_NE(error_of(write_trace<ExactToy>({}, {})).find("holds no cycle"), std::string::npos);
}

TEST(TraceFile, ValueTooWideIsNamedWithItsField) {
  const std::string text = format_trace({"toy", {}}, "valid:1 value:32", {{"2", "0"}});
  EXPECT_NE(error_of(text).find("t:4: field valid = '2'"), std::string::npos) << error_of(text);
}

TEST(TraceFile, Crc32KnownValue) { EXPECT_EQ(crc32("123456789"), 0xCBF43926u); }

// An FST is a row of blocks: kind, length with its own 8 bytes, content. Cut off anywhere it is refused.
TEST(Waveform, IsWholeOrRefused) {
  const auto block = [](char kind, size_t content) {
    std::string out(1, kind);
    for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>((content + 8) >> shift);
    return out + std::string(content, 'x');
  };
  const std::string path = testing::TempDir() + "waveform." + std::to_string(::getpid()) + ".fst",
                    header = block(0, 321), changes = block(8, 700), geometry = block(3, 20), hierarchy = block(6, 300);
  const auto refusal = [&path](const std::string& bytes) -> std::string {
    write_file(path, bytes);
    try {
      detail::expect_whole_waveform(path, "t.fst");
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  const std::string whole = header + changes + geometry + hierarchy;
  EXPECT_EQ(refusal(whole), "");
  EXPECT_EQ(refusal(header + changes + changes + geometry + block(4, 9)), "");
  for (size_t cut = 0; cut < whole.size(); ++cut) EXPECT_NE(refusal(whole.substr(0, cut)), "") << cut;
  EXPECT_EQ(refusal(header + changes + hierarchy), "output 't.fst' cannot be written: the waveform lacks a block");
  EXPECT_EQ(refusal(header + geometry + hierarchy), "output 't.fst' cannot be written: the waveform lacks a block");
  EXPECT_EQ(refusal(header + changes + geometry), "output 't.fst' cannot be written: the waveform lacks a block");
  std::string unfinished = whole;  // its length was never written
  unfinished.replace(header.size() + 1, 8, 8, '\0');
  EXPECT_EQ(refusal(unfinished), "output 't.fst' cannot be written: the waveform has a block without an end");
  EXPECT_EQ(refusal("$date\n$end\n"), "") << "a VCD";
  std::filesystem::remove(path);
  EXPECT_THROW(detail::expect_whole_waveform(path, "t.fst"), Error);
}

TEST(TraceFile, UnwritablePathLeavesNothing) { EXPECT_THROW(write_file("/nonexistent/x", "y"), Error); }

}  // namespace
}  // namespace odonata::cosim
