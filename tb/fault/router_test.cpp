// SPDX-License-Identifier: Apache-2.0
// The fault plane of a router: golden and RTL in lockstep, as in the paper and with what is beyond it; coverage;
// planted bugs; a whole network of them that agrees with the network model; t1 and t2 measured from the structure.
#include <gtest/gtest.h>

#include "tb/fault/lockstep_bench.h"
#include "tb/fault/router_block.h"

namespace odonata::cosim {
namespace {

using namespace fault;

RunResult lockstep(RouterVariant variant, FaultRouterDevice& device, uint64_t cycles, uint64_t seed,
                   RouterCoverage* coverage = nullptr) {
  const Dragonfly d = Dragonfly::named("tiny");
  RouterStimulus stimulus(d, seed);
  RouterUnit reference(d, router_config(d, variant));
  return run_lockstep<FaultRouterBlock>(stimulus, reference, device, {.max_cycles = cycles},
                                        [&](const RouterInputs& in, const RouterOutputs& out) {
                                          if (coverage != nullptr) coverage->sample(in, out, reference);
                                        });
}

/// A router of parts asks for each of them: a scheduler, and a unit for every port.
TEST(FaultRouter, IsMadeOfThePartsThatAreGiven) {
  const Dragonfly d = Dragonfly::named("tiny");
  const FaultRouterConfig config = router_config(d, RouterVariant::plain);
  int schedulers = 0;
  std::vector<int> ports;
  RouterUnit::Parts parts;
  parts.scheduler = [&] {
    ++schedulers;
    return std::make_unique<SchedulerUnit>(d, config.scheduler);
  };
  parts.port = [&](int port) {
    ports.push_back(port);
    return std::make_unique<PortUnit>(d, config.banks, config.command_depth());
  };
  const RouterUnit router(d, config, parts);
  EXPECT_EQ(schedulers, 1);
  EXPECT_EQ(ports, (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(FaultRouter, RtlEqualsGolden) {
  const Dragonfly d = Dragonfly::named("tiny");
  for (RouterVariant variant :
       {RouterVariant::plain, RouterVariant::planted, RouterVariant::beyond, RouterVariant::pipelined}) {
    const auto rtl = make_fault_router_rtl(d, variant);
    const RunResult r = lockstep(variant, *rtl, 200'000, 31);
    EXPECT_TRUE(r.passed()) << static_cast<int>(variant) << " " << words(r);
    EXPECT_GT(r.compared, 3000u);
  }
}

TEST(FaultRouter, CoverageIsComplete) {
  const Dragonfly d = Dragonfly::named("tiny");
  for (RouterVariant variant : {RouterVariant::planted, RouterVariant::beyond}) {
    RouterCoverage coverage(d, router_config(d, variant));
    RouterUnit device(d, router_config(d, variant));
    EXPECT_TRUE(lockstep(variant, device, 1'600'000, 32, &coverage).passed());
    expect_complete(coverage.coverage());
  }
}

TEST(FaultRouter, EveryPlantedBugIsCaught) {
  const Dragonfly d = Dragonfly::named("tiny");
  const auto beyond = [](const Plant& plant) { return plant.name.starts_with("beyond-"); };
  const auto ours = [&](const Plant& plant) { return tried_by(plant) == TriedBy::router || beyond(plant); };
  expect_caught(20, ours, [&](const Plant& plant) {
    const RouterVariant variant = beyond(plant) ? RouterVariant::beyond : RouterVariant::planted;
    return lockstep(variant, *make_fault_router_rtl(d, variant, plant.number), 800'000, 33);
  });
}

TEST(FaultPlants, EachIsTriedByATest) {
  for (const Plant& plant : planted_fault::kPlants)
    EXPECT_NE(tried_by(plant), TriedBy::nobody) << plant.name << " in " << plant.file;
}

/// Two routers of group 0 at paper size that have lost everything but the link between them, which comes up: both have
/// their whole table to tell.
class Pair {
 public:
  explicit Pair(int input_depth) : d_(Dragonfly::named("paper")) {
    FaultRouterConfig config;
    config.input_depth = input_depth;
    for (int k = 0; k < 2; ++k) {
      ends_[k].router = std::make_unique<RouterUnit>(d_, config);
      ends_[k].base.own_bid = static_cast<uint8_t>(k);
      ends_[k].link = d_.local_port(k, 1 - k);
      load(ends_[k]);
    }
  }
  /// Cycles until both are at rest; -1: a hundred thousand were not enough.
  int settle(PortMap map0, PortMap map1) {
    ends_[0].base.link_up = map0;
    ends_[1].base.link_up = map1;
    for (int quiet = 0, cycle = 0; cycle < 100'000; ++cycle) {
      step();
      const auto idle = [](const End& e) { return e.out.busy == 0 && !e.out.working && e.out.out_valid == 0; };
      quiet = idle(ends_[0]) && idle(ends_[1]) ? quiet + 1 : 0;
      if (quiet == 200) return cycle;
    }
    return -1;
  }
  PortMap only_link(int k) const { return 1ull << ends_[k].link; }
  /// FDs and FRs that have crossed the link.
  int crossed() const { return crossed_; }

 private:
  struct End {
    std::unique_ptr<RouterUnit> router;
    RouterInputs base;
    RouterOutputs out;
    int link = 0;
    bool takes = false;  ///< the link takes the head of the output queue in this cycle
  };
  void load(End& e) {
    RouterInputs in = e.base;
    in.reset = 1;
    e.router->step(in, e.out);
    const RouterId own = d_.router(e.base.own_bid);
    for (int row = 0; row < num_rows(d_); ++row) {
      const RowConfig config = row_config(d_, own, entry_of_row(d_, row), Mode::safe);
      for (int port = 0; port < d_.num_ports(); ++port)
        e.router->step(configuration_write(e.base, port, row, config.at(d_, port)), e.out);
    }
  }
  /// A wire without latency that takes nothing for which there is no room; other ports' messages are gone.
  void step() {
    RouterInputs in[2];
    for (int k = 0; k < 2; ++k) {
      End &e = ends_[k], &peer = ends_[1 - k];
      in[k] = e.base;
      const bool comes = peer.takes && (peer.out.out_valid >> peer.link & 1);
      in[k].in_valid = comes ? 1ull << e.link : 0;
      in[k].in_message[static_cast<size_t>(e.link)] = peer.out.out_message[static_cast<size_t>(peer.link)];
      crossed_ += comes && (e.base.link_up >> e.link & 1);
    }
    for (int k = 0; k < 2; ++k) {
      End &e = ends_[k], &peer = ends_[1 - k];
      const bool up = e.base.link_up >> e.link & 1, room = (peer.out.in_ready >> peer.link & 1) && !e.takes;
      e.takes = !up || room;
      if (!e.takes) in[k].out_ready &= ~(1ull << e.link);
    }
    for (int k = 0; k < 2; ++k) ends_[k].router->step(in[k], ends_[k].out);
  }
  Dragonfly d_;
  End ends_[2];
  int crossed_ = 0;
};

/// With too small input FIFOs each unit waits for the other side's FIFO, and each scheduler for its unit. Two messages
/// a row are enough.
TEST(FaultRouter, TwoEndsThatTellTheirWholeTablesNeedDeepInputFifos) {
  for (const int depth : {64, input_depth(Dragonfly::named("paper"))}) {
    Pair pair(depth);
    ASSERT_GT(pair.settle(0, 0), 0) << "everything fails while nobody listens";
    const int end = pair.settle(pair.only_link(0), pair.only_link(1));
    if (depth == 64) {
      EXPECT_EQ(end, -1) << "this has stopped for good";
      EXPECT_LT(pair.crossed(), 2 * (64 + 8));
    } else {
      EXPECT_GT(end, 0);
      EXPECT_GT(pair.crossed(), 2 * (64 + 8));
    }
  }
}

}  // namespace
}  // namespace odonata::cosim
