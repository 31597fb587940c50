// SPDX-License-Identifier: Apache-2.0
// Checkpoints whose checksums are right: good states go on exactly, wrong ones are refused with the part that is wrong,
// and whatever is taken, the engine runs with (docs/network_ranks.md §5).
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "models/common/calendar.h"
#include "models/common/error.h"
#include "tb/network/damaged_state.h"

namespace odonata::network {
namespace {

constexpr const char* kRefused = "checkpoint: the state of another program: ";

/// Why a file is refused; empty: it is not.
std::string reason(Simulation& simulation, const std::string& file) {
  std::istringstream from(file);
  try {
    simulation.load(from);
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

TEST(Checkpoint, GoodStatesOfAllRunsGoOnExactly) {
  for (const SavedRun& run : saved_runs()) {
    const auto whole = make_simulation(run.config), again = make_simulation(run.config);
    EXPECT_EQ(reason(*again, StatePacker(run, states_of(run))(states_of(run))), "") << run.name;
    while (whole->now() < run.cycle + 500 && whole->advance()) {
    }
    while (again->now() < whole->now() && again->advance()) {
    }
    const Result a = whole->result(), b = again->result();
    EXPECT_EQ(a.digest, b.digest) << run.name;
    EXPECT_EQ(a.flit_hops, b.flit_hops) << run.name;
    EXPECT_EQ(a.lost, b.lost) << run.name;
    EXPECT_TRUE(b.conservation_ok) << run.name;
    EXPECT_GT(b.delivered, 20u) << run.name;
  }
}

/// Some of the numbers of a state are changed, one at a time.
TEST(Checkpoint, WrongStatesBehindRightChecksumsAreRefusedWithThePartThatIsWrong) {
  std::map<std::string, int> reasons;
  size_t taken = 0, all = 0;
  for (const SavedRun& run : saved_runs()) {
    const std::vector<std::string> good = states_of(run);
    const StatePacker pack(run, good);
    size_t bytes = 0;
    for (const std::string& s : good) bytes += s.size();
    auto simulation = make_simulation(run.config);
    const size_t step = bytes / 1200 | 1;
    size_t next = 0, before = 0;
    for (size_t piece = 0; piece != good.size(); before += good[piece].size(), ++piece) {
      for (; next < before + good[piece].size(); next += step, ++all) {
        std::vector<std::string> states = good;
        char& byte = states[piece][next - before];
        byte = static_cast<char>(next % 3 == 0 ? byte + 1 : next % 3 == 1 ? ~byte : byte ^ 0x40);
        const std::string why = reason(*simulation, pack(states));
        if (!why.empty()) {
          EXPECT_TRUE(why.starts_with(kRefused) && why.find('\n') == std::string::npos) << run.name << ": " << why;
          ++reasons[why.substr(std::string_view(kRefused).size())];
          continue;
        }
        ++taken;
        const uint64_t end = simulation->now() + 100;
        while (simulation->now() < end && simulation->advance()) {
        }
        simulation = make_simulation(run.config);
      }
    }
  }
  for (const auto& [why, count] : reasons) std::printf("%6d %s\n", count, why.c_str());
  std::printf("%zu of %zu taken\n", taken, all);
  EXPECT_LT(taken, all / 2);
}

}  // namespace
}  // namespace odonata::network
