// SPDX-License-Identifier: Apache-2.0
// Verilator gives what has no value yet a 0, a chip whatever it likes. Every unit at its smallest size, its registers
// and memories started with random values: out of reset it is the golden unit all the same, and without a reset it is
// not (docs/verification.md).
#include <gtest/gtest.h>

#include <algorithm>

#include "tb/torus/campaign.h"
#include "tb/units.h"

namespace odonata::cosim {
namespace {

constexpr int kStarts = 4;

class RandomStart : public testing::TestWithParam<std::string> {
 protected:
  struct Cycle {
    bool rst_n;
    std::vector<uint64_t> in, out;
  };
  void open(const std::string& name) {
    for (const SmallUnit& unit : every_small_unit())
      if (unit.name == name) bench_ = unit.open();
    bench_->play(5'000, [this](bool rst_n, const uint64_t* in, const uint64_t* out) {
      cycles_.push_back({rst_n, {in, in + bench_->pins().input_words()}, {out, out + bench_->pins().output_words()}});
    });
    ASSERT_FALSE(cycles_.front().rst_n) << "it starts with a reset";
  }
  /// The pins of an RTL unit; see random_start().
  std::vector<std::vector<uint64_t>> run(int plant, bool reset, size_t cycles) const {
    const auto device = bench_->rtl(RtlVariant::random, plant);
    std::vector<std::vector<uint64_t>> out;
    for (size_t i = 0; i < cycles; ++i) {
      out.emplace_back(static_cast<size_t>(bench_->pins().output_words()));
      device->step(cycles_[i].rst_n || !reset, cycles_[i].in.data(), out.back().data());
    }
    return out;
  }
  /// The first cycle of so many in which a unit shows something else than the golden one, or their number.
  size_t differs(int plant, size_t cycles) const {
    const auto out = run(plant, true, cycles);
    for (size_t i = 0; i < out.size(); ++i)
      if (out[i] != cycles_[i].out) return i;
    return cycles;
  }
  std::unique_ptr<WordBench> bench_;
  std::vector<Cycle> cycles_;
};

TEST_P(RandomStart, OutOfResetTheUnitIsTheGoldenOne) {
  open(GetParam());
  for (int start = 0; start <= kStarts; ++start)
    EXPECT_EQ(differs(random_start(start), cycles_.size()), cycles_.size()) << "start " << start;
}

/// The control: the starts differ, and what differs is seen at the pins.
TEST_P(RandomStart, WithoutResetItIsNot) {
  open(GetParam());
  const size_t cycles = 200;
  const auto one = run(random_start(1), false, cycles);
  EXPECT_EQ(run(random_start(1), false, cycles), one);
  int other = 0;  // a unit of a few flip-flops starts alike now and then
  for (int start = 2; start <= 64 && other == 0; ++start) other += run(random_start(start), false, cycles) != one;
  EXPECT_GE(other, 1);
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const SmallUnit& unit : every_small_unit()) out.push_back(unit.name);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Units, RandomStart, testing::ValuesIn(names()), [](const auto& info) { return info.param; });

/// Registers that no reset clears, planted: in a unit that starts with zeros nobody sees them until a second reset
/// comes.
TEST_F(RandomStart, ARegisterWithoutResetIsSeen) {
  open("torus_route");
  const auto plants = torus_plants();
  const auto plant =
      std::find_if(plants.begin(), plants.end(), [](const Plant& p) { return p.name == "answer-outlives-reset"; });
  ASSERT_NE(plant, plants.end());
  const auto is_reset = [](const Cycle& c) { return !c.rst_n; };
  const auto out_of_reset = std::find_if_not(cycles_.begin(), cycles_.end(), is_reset);
  const auto second = static_cast<size_t>(std::find_if(out_of_reset, cycles_.end(), is_reset) - cycles_.begin());
  EXPECT_EQ(differs(random_start(0, plant->number), second), second);
  int seen = 0;
  for (int start = 1; start <= kStarts; ++start) seen += differs(random_start(start, plant->number), second) < second;
  EXPECT_GE(seen, 1);
}

}  // namespace
}  // namespace odonata::cosim
