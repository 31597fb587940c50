// SPDX-License-Identifier: Apache-2.0
// Programs on the engine (docs/workloads.md §2, §6): times derived by hand, bounds, conservation, threads, checkpoints,
// faults.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <sstream>

#include "models/common/error.h"
#include "models/common/random.h"
#include "models/workload/goal.h"
#include "models/workload/motif.h"
#include "sim/network/closed_loop.h"
#include "sim/network/routing.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/dragonfly.h"
#include "sim/network/topology.h"
#include "tb/common/error_text.h"
#include "tb/network/resumed.h"
#include "tb/network/thread_ranks.h"
#include "tb/network/timed_faults.h"

namespace odonata::network {
namespace {

using workload::Job;

constexpr uint64_t kEager = ~uint64_t{0} >> 1, kRendezvous = 0;
constexpr uint64_t kFlit = 32;  // bytes

/// Runs of whole programs on a network that is silent otherwise.
Config on(const std::string& topology, const std::vector<Job>& jobs) {
  Config c(make_topology(topology));
  c.load = 0;
  c.warmup = 0;
  c.sample = 50'000'000;
  workload::Workload all;
  all.jobs = jobs;
  c.workload = std::make_shared<const workload::Workload>(std::move(all));
  return c;
}
Config on(const std::string& topology, const std::string& motif) { return on(topology, {workload::make_motif(motif)}); }

/// A run that comes to its end with everything that was sent received.
LoopResult complete(const Config& c) {
  const Result r = simulate(c);
  EXPECT_TRUE(r.conservation_ok);
  EXPECT_EQ(r.deadlock, "");
  EXPECT_EQ(r.lost, 0u);
  LoopResult p = *r.programs;
  EXPECT_EQ(p.unfinished_ranks, 0u) << p.waits;
  EXPECT_EQ(p.messages, p.received);
  uint64_t messages = 0, bytes = 0;
  for (const Job& job : c.workload->jobs) {
    messages += workload::totals(job).all.messages;
    bytes += workload::totals(job).all.bytes;
  }
  EXPECT_EQ(p.messages, messages);
  EXPECT_EQ(p.bytes, bytes);
  if (c.load == 0) {
    EXPECT_EQ(r.delivered, p.packets + p.control_packets);
  }
  return p;
}

/// The same with acknowledgements, the last of which may be under way.
LoopResult complete_with_acknowledgements(const Config& c) {
  const Result r = simulate(c);
  EXPECT_TRUE(r.conservation_ok);
  EXPECT_EQ(r.programs->unfinished_ranks, 0u) << r.programs->waits;
  EXPECT_EQ(r.programs->messages, r.programs->received);
  return *r.programs;
}

/// docs/network.md §2: zero-load latency over links of these latencies.
uint64_t zero_load(const std::vector<int>& links) {
  uint64_t out = 1;
  for (const int latency : links) out += 2 + static_cast<uint64_t>(latency);
  return out;
}

uint64_t mesh_hop(const Config& c) { return zero_load({c.links.at(1).latency}); }

Job one_message(uint64_t bytes) {
  const std::string b = std::to_string(bytes) + "b";
  return workload::read_goal("num_ranks 2 rank 0 { send " + b + " to 1 } rank 1 { recv " + b + " from 0 }");
}

TEST(ClosedLoop, OneMessageTakesItsFlitsAndTheLatency) {
  struct Way {
    uint32_t node;
    std::vector<int> links;
  };
  const Config dragonfly = on("dragonfly:tiny", {one_message(1)});
  const int local = dragonfly.link("local").latency, global = dragonfly.link("global").latency;
  const Dragonfly& d = dragonfly_of(dragonfly);
  std::vector<Way> ways{{1, {}}, {static_cast<uint32_t>(d.p()), {local}}};
  const int attached = d.attached_router(1, 0);
  ways.push_back({static_cast<uint32_t>((d.a() + attached) * d.p()),
                  d.attached_router(0, 1) == 0 ? std::vector<int>{global} : std::vector<int>{local, global}});
  for (const Way& way : ways) {
    for (const uint64_t flits : {1, 2, 7, 300}) {
      for (const uint64_t limit : {kEager, kRendezvous}) {
        Config c = on("dragonfly:tiny", {one_message(flits * kFlit)});
        c.routing = "min";
        c.programs.placed = {0, way.node};
        c.programs.mapping = "file:places";
        c.programs.eager_limit = limit;
        const LoopResult p = complete(c);
        const uint64_t latency = zero_load(way.links);
        const auto receiver = static_cast<uint64_t>(p.ranks[1].finished),
                   sender = static_cast<uint64_t>(p.ranks[0].finished);
        EXPECT_EQ(p.packets, flits);
        EXPECT_DOUBLE_EQ(p.nic, static_cast<double>(latency));
        EXPECT_EQ(receiver, (limit == kEager ? 0 : 2 * latency) + flits - 1 + latency);
        EXPECT_EQ(sender, limit == kEager ? flits : receiver + latency);
        EXPECT_EQ(p.control_packets, limit == kEager ? 0u : 3u);
        EXPECT_DOUBLE_EQ(p.creation, static_cast<double>(latency) + static_cast<double>(flits - 1) / 2 +
                                         (limit == kEager ? 0 : 2 * static_cast<double>(latency)));
      }
    }
  }
}

TEST(ClosedLoop, AMessageOfLongPacketsTakesAsLong) {
  for (const auto switching : {Switching::cut_through, Switching::wormhole}) {
    for (const uint64_t flits : {1, 3, 4, 5, 41}) {
      Config c = on("mesh:3x3", {one_message(flits * kFlit - 5)});
      c.router.lengths = {4};
      c.router.switching = switching;
      for (LinkClass& l : c.links) l.buffer = 16;
      c.routing = "dor";
      c.programs.eager_limit = kEager;
      const LoopResult p = complete(c);
      EXPECT_EQ(p.packets, (flits + 3) / 4);
      EXPECT_EQ(p.time_cycles, flits - 1 + mesh_hop(c)) << flits;
    }
  }
}

TEST(ClosedLoop, APacedNicSendsEvenly) {
  for (const int packet : {1, 4}) {
    Config c = on("mesh:2x2", {one_message(40 * kFlit)});
    c.router.lengths = {packet};
    c.routing = "dor";
    c.programs.eager_limit = kEager;
    c.programs.nic_rate = 0.25;
    const auto flits = static_cast<uint64_t>(packet);
    EXPECT_EQ(complete(c).time_cycles, 4 * (40 - flits) + flits - 1 + mesh_hop(c))
        << "the last packet starts after all others at a quarter of the rate";
  }
}

/// Between two messages the pace goes on: a last packet that is shorter takes less time.
TEST(ClosedLoop, APacedNicCountsTheFlitsOfAShortPacket) {
  const std::string b = std::to_string(5 * kFlit) + "b";
  Config c = on("mesh:2x2", {workload::read_goal("num_ranks 2 rank 0 { send " + b + " to 1 tag 1 send " + b +
                                                 " to 1 tag 2 } rank 1 { recv " + b + " from 0 tag 1 recv " + b +
                                                 " from 0 tag 2 }")});
  c.router.lengths = {4};
  c.routing = "dor";
  c.programs.eager_limit = kEager;
  c.programs.nic_rate = 0.25;
  EXPECT_EQ(complete(c).time_cycles, 4u * (4 + 1 + 4) + mesh_hop(c)) << "packets of 4, 1, 4 and 1 flits";
}

/// Control packets go before data, also when the next data is not due yet; windows of another length change nothing.
TEST(ClosedLoop, APacedNicSendsControlAtOnce) {
  for (const int threads : {1, 2, 4}) {
    for (uint64_t wait = 1; wait <= 8; ++wait) {
      Config c =
          on("mesh:2x2",
             {workload::read_goal("num_ranks 3 rank 0 { send 2048b to 1 recv 2080b from 2 } rank 1 { recv 2048b from "
                                  "0 } rank 2 { a: calc " +
                                  std::to_string(wait) + " b: send 2080b to 0 b requires a }")});
      c.routing = "dor";
      c.threads = threads;
      c.programs.eager_limit = 2048;
      c.programs.nic_rate = 0.125;
      const uint64_t hop = mesh_hop(c);
      const LoopResult p = complete(c);
      EXPECT_EQ(p.ranks[0].finished, static_cast<int64_t>(wait + 2 * hop + 8 * 64 + hop)) << threads << " " << wait;
      EXPECT_EQ(p.ranks[2].finished, static_cast<int64_t>(wait + 2 * hop + 8 * 64 + 2 * hop)) << threads << " " << wait;
    }
  }
}

TEST(ClosedLoop, LuOnTwoByTwoRanks) {
  // From the far side of the grid: block k leaves rank 0 after k (2 s + c) + c and takes s, then s for the other
  // neighbour; the last rank has both s later. There and back alike.
  for (const uint64_t blocks : {1, 2, 9}) {
    for (const uint64_t compute : {1, 40}) {
      for (const uint64_t iterations : {1, 3}) {
        Config c = on("mesh:2x2", "lu:px=2,py=2,nx=320,ny=320,nzblock=1,nz=" + std::to_string(blocks) +
                                      ",compute=" + std::to_string(compute) + ",it=" + std::to_string(iterations));
        c.routing = "dor";
        c.programs.eager_limit = kEager;
        const uint64_t s = 320 / kFlit, hop = mesh_hop(c);
        const uint64_t sweep = (blocks - 1) * (2 * s + compute) + 3 * compute + 3 * s - 2 + 2 * hop;
        const LoopResult p = complete(c);
        EXPECT_EQ(p.time_cycles, 2 * iterations * sweep)
            << blocks << " blocks, " << compute << " ns, " << iterations << " iterations";
        for (const RankResult& r : p.ranks) {
          EXPECT_EQ(r.calculation, 2 * iterations * blocks * compute);
          EXPECT_EQ(r.communication + r.calculation, static_cast<uint64_t>(r.finished));
        }
      }
    }
  }
}

TEST(ClosedLoop, LuOnThreeByTwoRanks) {
  // As above, up to the inner rank of the second row: its two blocks come at the same time over its one link, so that
  // the second is there s cycles later than over a link of its own; then one calculation, one message, one calculation.
  for (const uint64_t blocks : {1, 2, 9}) {
    for (const uint64_t compute : {1, 40}) {
      Config c = on("mesh:3x2", "lu:px=3,py=2,nx=320,ny=320,nzblock=1,it=1,nz=" + std::to_string(blocks) +
                                    ",compute=" + std::to_string(compute));
      c.routing = "dor";
      c.programs.eager_limit = kEager;
      const uint64_t s = 320 / kFlit, hop = mesh_hop(c);
      const uint64_t both_there = 2 * compute + 3 * s - 2 + 2 * hop + s;
      const uint64_t sweep = (blocks - 1) * (2 * s + compute) + both_there + compute + (s - 1 + hop) + compute;
      EXPECT_EQ(complete(c).time_cycles, 2 * sweep) << blocks << " blocks, " << compute << " ns";
    }
  }
}

TEST(ClosedLoop, LuIsNeverFasterThanItsBounds) {
  for (const uint64_t limit : {kEager, kRendezvous}) {
    Config c = on("dragonfly:tiny", "lu:px=4,py=3,nx=960,ny=960,nzblock=1,nz=12,compute=5,it=1");
    c.programs.eager_limit = limit;
    const uint64_t s = 30, blocks = 12, c_ns = 5, hop = zero_load({});
    const LoopResult p = complete(c);
    EXPECT_GE(p.time_cycles, 2 * ((4 + 3 - 2) * (s - 1 + hop + c_ns) + (blocks - 1) * (s + c_ns)));
    EXPECT_GE(p.time_cycles, 2 * blocks * 2 * s) << "two sends of an inner rank share its link";
  }
}

TEST(ClosedLoop, AllreducesOfFourNeighbours) {
  const uint64_t s = 64;
  const auto time = [&](const std::string& algorithm, const std::vector<uint32_t>& placed) {
    Config c = on("mesh:2x2", "dl:it=1,ranks=4,bytes=" + std::to_string(s * kFlit) + ",algorithm=" + algorithm);
    c.routing = "dor";
    c.programs.eager_limit = kEager;
    c.programs.mapping = "file:places";
    c.programs.placed = placed;
    return complete(c).time_cycles;
  };
  const uint64_t hop = mesh_hop(on("mesh:2x2", "dl:ranks=4"));
  EXPECT_EQ(time("ring", {0, 1, 3, 2}), 2 * 3 * (s / 4 - 1 + hop)) << "six steps of a quarter to a neighbour";
  EXPECT_EQ(time("halving", {0, 1, 2, 3}), 2 * (s / 2 - 1 + hop) + 2 * (s / 4 - 1 + hop));
  EXPECT_EQ(time("tree", {0, 1, 2, 3}), 2 * 2 * (s - 1 + hop))
      << "two levels; the child without children has long been served";
}

TEST(ClosedLoop, TwoChildrenShareTheLinkOfTheirParent) {
  const uint64_t s = 50;
  Config c = on("mesh:2x2", "dl:it=1,ranks=3,bytes=" + std::to_string(s * kFlit));
  c.routing = "dor";
  c.programs.eager_limit = kEager;
  EXPECT_EQ(complete(c).time_cycles, 2 * (2 * s - 1 + mesh_hop(c)));
}

TEST(ClosedLoop, AlltoallAndStencilsKeepTheirBounds) {
  const uint64_t s = 20;
  Config c = on("mesh:4x2", "fft3d:n=8,ranks=8,rows=8,it=1,barrier=0");
  c.routing = "dor";
  c.programs.eager_limit = kEager;
  const LoopResult p = complete(c);
  const uint64_t f = 8 * (8 * 8 / 8);
  EXPECT_GE(p.time_cycles, 2 * (7 * mesh_hop(c) + f) + f)
      << "seven steps, each waits, there and back; three calculations";
  Config halo = on("mesh:3x3", "halo3d:grid=3x3x1,it=4,bytes=" + std::to_string(s * kFlit));
  halo.routing = "dor";
  halo.programs.eager_limit = kEager;
  EXPECT_GE(complete(halo).time_cycles, 4 * 2 * std::max(2 * s, s - 1 + mesh_hop(halo)));
  Config stencil = on("mesh:3x3", "stencil:grid=3x3,bytes=" + std::to_string(s * kFlit));
  stencil.routing = "dor";
  EXPECT_GE(complete(stencil).time_cycles, 4 * s) << "four messages over the link of the inner rank";
}

TEST(ClosedLoop, GlobalLinksCarryWhatCrossesGroups) {
  Config c = on("dragonfly:tiny", "fft3d:n=16,ranks=64,rows=8,it=1,barrier=0");
  c.routing = "min";  // one global link a flit
  c.programs.eager_limit = kEager;
  const Dragonfly& d = dragonfly_of(c);
  const auto group = [&d](uint32_t rank) { return static_cast<int>(rank) / (d.a() * d.p()); };
  uint64_t crossing = 0;
  std::vector<uint64_t> leaving(static_cast<size_t>(d.g()));
  const Job& job = c.workload->jobs[0];
  for (uint32_t r = 0; r < job.ranks.size(); ++r) {
    for (const workload::Op& o : job.ranks[r].ops) {
      if (o.kind != workload::OpKind::send || group(r) == group(o.peer)) continue;
      crossing += (o.amount + kFlit - 1) / kFlit;
      leaving[static_cast<size_t>(group(r))] += (o.amount + kFlit - 1) / kFlit;
    }
  }
  const Wiring wiring = c.topology->wire(c);
  uint64_t links = 0;
  for (int i = 0; i < wiring.domains * wiring.routers * wiring.ports; ++i)
    links += wiring.at(i / wiring.ports, i % wiring.ports).kind == LinkKind::between ? 1 : 0;
  const Result r = simulate(c);
  ASSERT_EQ(r.programs->unfinished_ranks, 0u);
  EXPECT_GT(crossing, 0u);
  EXPECT_NEAR(r.channel("global").mean * static_cast<double>(links * r.cycles), static_cast<double>(crossing), 0.5);
  const uint64_t most = *std::max_element(leaving.begin(), leaving.end()),
                 links_of_a_group = links / static_cast<uint64_t>(d.g());
  EXPECT_GE(r.programs->time_cycles, most / links_of_a_group) << "the group that has most to send has so many links";
}

TEST(ClosedLoop, HaloOfTwoRanksIsExact) {
  for (const uint64_t limit : {kEager, kRendezvous}) {
    const uint64_t s = 33, it = 5;
    Config c = on("mesh:2x2", "halo3d:grid=2x1x1,it=" + std::to_string(it) + ",bytes=" + std::to_string(s * kFlit));
    c.routing = "dor";
    c.programs.eager_limit = limit;
    const uint64_t hop = mesh_hop(c);
    const LoopResult p = complete(c);
    // By rendezvous the last "done" ends an iteration; the answer waits for no data, because control goes first.
    EXPECT_EQ(p.time_cycles, it * (s - 1 + hop + (limit == kEager ? 0 : 3 * hop)));
    EXPECT_EQ(p.ranks[0].communication, p.time_cycles);
  }
}

TEST(ClosedLoop, AProcessorCalculatesOneThingAtATime) {
  const auto time = [](const std::string& goal) {
    return complete(on("mesh:2x2", {workload::read_goal(goal)})).time_cycles;
  };
  EXPECT_EQ(time("num_ranks 1 rank 0 { calc 70 calc 30 }"), 100u);
  EXPECT_EQ(time("num_ranks 1 rank 0 { calc 70 cpu 3 calc 30 }"), 70u);
  EXPECT_EQ(time("num_ranks 1 rank 0 { a: calc 70 b: calc 30 cpu 1 c: calc 5 cpu 1 c requires a b irequires a }"), 75u);
  EXPECT_EQ(time("num_ranks 1 rank 0 { calc 0 }"), 0u);
  EXPECT_EQ(time("num_ranks 1 rank 0 { }"), 0u);
}

/// Calculations that wait for a processor get it in the order in which they could have begun.
TEST(ClosedLoop, CalculationsWaitInTurn) {
  const Job job =
      workload::read_goal("num_ranks 1 rank 0 { calc 100 b: calc 200 calc 300 d: calc 1000 cpu 1 d requires b }");
  EXPECT_EQ(complete(on("mesh:2x2", {job})).time_cycles, 100u + 200 + 1000);
}

/// A processor that is free takes the next calculation of its own, whatever waits for another one before it; cycles in
/// which both calculate count once.
TEST(ClosedLoop, AProcessorTakesItsOwnCalculations) {
  const auto rank = [](const std::string& goal) {
    return complete(on("mesh:2x2", {workload::read_goal("num_ranks 1 rank 0 { " + goal + " }")})).ranks[0];
  };
  const RankResult two = rank("calc 100 calc 50 cpu 1 calc 300 calc 200 cpu 1");
  EXPECT_EQ(two.finished, 100 + 300);
  EXPECT_EQ(two.calculation, 400u);
  EXPECT_EQ(two.communication, 0u);
  const RankResult apart = rank("calc 70 cpu 3 calc 30");
  EXPECT_EQ(apart.calculation, 70u);
  EXPECT_EQ(apart.communication, 0u);
}

/// Up to so much, and so much as well.
TEST(ClosedLoop, AJitterOfOneIsNoneOrOne) {
  std::string text = "num_ranks 16";
  for (int r = 0; r < 16; ++r) text += " rank " + std::to_string(r) + " { calc 100 }";
  Config c = on("mesh:4x4", {workload::read_goal(text)});
  c.programs.jitter = 1;
  int late = 0;
  for (const RankResult& r : complete(c).ranks) {
    EXPECT_GE(r.finished, 100);
    EXPECT_LE(r.finished, 101);
    late += r.finished == 101;
  }
  EXPECT_GT(late, 0);
  EXPECT_LT(late, 16);
}

/// Jitter is in ns, a cycle each at 1 GHz, a hundred at 100; a straggler is late beside it, not in its place.
TEST(ClosedLoop, JitterGoesByTheClockAndBesideStragglers) {
  std::string text = "num_ranks 16";
  for (int r = 0; r < 16; ++r) text += " rank " + std::to_string(r) + " { calc 1 }";
  Config c = on("mesh:4x4", {workload::read_goal(text)});
  c.programs.clock = 100;
  c.programs.jitter = 1;
  std::vector<int64_t> before;
  for (const RankResult& r : complete(c).ranks) before.push_back(r.finished);
  const auto [first, last] = std::minmax_element(before.begin(), before.end());
  EXPECT_GE(*first, 100);
  EXPECT_LT(*first, 100 + 30);
  EXPECT_GT(*last, 100 + 70);
  EXPECT_LE(*last, 100 + 100);
  const auto latest = static_cast<size_t>(last - before.begin());
  c.programs.straggler = std::to_string(latest) + ":3";
  const LoopResult late = complete(c);
  for (size_t r = 0; r < before.size(); ++r)
    EXPECT_EQ(late.ranks[r].finished, before[r] + (r == latest ? 300 : 0)) << r;
}

/// docs/network.md §6: equal digests are equal runs. A packet that comes a cycle earlier and another one that comes a
/// cycle later do not make up for each other.
TEST(ClosedLoop, EveryRunHasItsOwnDigest) {
  std::map<uint64_t, std::string> seen;
  for (int a = 0; a < 16; ++a) {
    for (int b = 0; b < 16; ++b) {
      const std::string program = "num_ranks 4 rank 0 { c: calc " + std::to_string(a) +
                                  " s: send 8b to 1 s requires c } rank 1 { recv 8b from 0 } rank 2 { c: calc " +
                                  std::to_string(b) + " s: send 8b to 3 s requires c } rank 3 { recv 8b from 2 }";
      const auto [other, fresh] =
          seen.emplace(simulate(on("mesh:2x2", {workload::read_goal(program)})).digest, program);
      EXPECT_TRUE(fresh) << program << "\nhas the digest of\n" << other->second;
    }
  }
  EXPECT_EQ(seen.size(), 256u);
}

/// The same where numbers of packets and destinations are such that their bits fall together: the first message of 769
/// is late, or the last.
TEST(ClosedLoop, ADigestKnowsWhichPacketWasLate) {
  const auto digest = [](const char* first, const char* last) {
    std::string program = "num_ranks 4 rank 0 { c: calc 5000 a: send 8b to 1 " + std::string(first);
    for (int i = 0; i < 767; ++i) program += " send 8b to 3";
    program +=
        " z: send 8b to 2 " + std::string(last) + " } rank 1 { recv 8b from 0 } rank 2 { recv 8b from 0 } rank 3 {";
    for (int i = 0; i < 767; ++i) program += " recv 8b from 0";
    return simulate(on("mesh:2x2", {workload::read_goal(program + " }")})).digest;
  };
  EXPECT_NE(digest("a requires c", ""), digest("", "z requires c"));
}

TEST(ClosedLoop, ClockJitterAndStragglers) {
  Config c = on("mesh:2x2", {workload::read_goal("num_ranks 2 rank 0 { calc 100 } rank 1 { calc 7 }")});
  c.programs.clock = 2.5;
  EXPECT_EQ(complete(c).time_cycles, 250u);
  for (const auto& [clock, cycles] : {std::pair{1.1, 110u}, {1.3, 130u}, {0.7, 70u}, {0.07, 7u}, {1.111, 112u}}) {
    c.programs.clock = clock;
    EXPECT_EQ(complete(c).time_cycles, cycles) << clock << ": what is no whole cycle is rounded up, and nothing else";
  }
  c.programs.clock = 1;
  c.programs.straggler = "1:1000";
  const LoopResult late = complete(c);
  EXPECT_EQ(late.ranks[0].finished, 100);
  EXPECT_EQ(late.ranks[1].finished, 1007);
  EXPECT_EQ(late.ranks[1].communication, 0u);
  Config again = on("mesh:2x2", "dl:ranks=4,bytes=64,compute=0,it=3");
  again.programs.straggler = "1:500";
  EXPECT_EQ(complete(again).ranks[1].calculation, 1500u) << "it is late in every iteration, and works then";
  Config lu = on("mesh:2x2", "lu:px=2,py=2,nx=320,ny=320,nz=50,it=4");
  const uint64_t calm = complete(lu).time_cycles;
  lu.programs.jitter = 500;
  const uint64_t shaken = complete(lu).time_cycles;
  EXPECT_GT(shaken, calm);
  EXPECT_LE(shaken, calm + 4 * 4 * 500) << "all ranks one after the other as late as can be";
  EXPECT_EQ(complete(lu).time_cycles, shaken);
  lu.seed = 2;
  EXPECT_NE(complete(lu).time_cycles, shaken);
}

TEST(ClosedLoop, AMessageToItselfNeedsNoNetwork) {
  for (const uint64_t limit : {kEager, kRendezvous}) {
    Config c =
        on("mesh:2x2",
           {workload::read_goal(
               "num_ranks 1 rank 0 { a: send 999b to 0 b: recv 999b from 0 c: calc 5 c requires b c requires a }")});
    c.programs.eager_limit = limit;
    const LoopResult p = complete(c);
    EXPECT_EQ(p.time_cycles, 5u);
    EXPECT_EQ(p.packets + p.control_packets, 0u);
  }
}

/// A message to itself that is there before its receive starts needs no answer either.
TEST(ClosedLoop, AMessageToItselfCanWaitForItsReceive) {
  for (const uint64_t limit : {kEager, kRendezvous}) {
    Config c = on("mesh:2x2", {workload::read_goal("num_ranks 1 rank 0 { a: send 999b to 0 c: calc 5 b: recv 999b "
                                                   "from 0 d: calc 5 b requires c d requires b }")});
    c.programs.eager_limit = limit;
    const LoopResult p = complete(c);
    EXPECT_EQ(p.time_cycles, 10u);
    EXPECT_EQ(p.packets + p.control_packets, 0u);
  }
}

/// A rank with nothing to do ends in cycle 0, which is no reason why its job should have no end.
TEST(ClosedLoop, ARankWithNothingToDoEndsAtOnce) {
  Config c = on("mesh:2x2",
                {workload::read_goal("num_ranks 3 rank 0 { } rank 1 { send 32b to 2 } rank 2 { recv 32b from 1 }")});
  c.routing = "dor";
  const LoopResult p = complete(c);
  EXPECT_EQ(p.ranks[0].finished, 0);
  EXPECT_GT(p.ranks[2].finished, 0);
  EXPECT_EQ(p.jobs.at(0).time_cycles, p.ranks[2].finished);
}

/// A phase begins with the first of its operations that starts and ends with the last one that ends, whatever group
/// their ranks are in; one without operations has neither.
TEST(ClosedLoop, APhaseLastsFromItsFirstStartToItsLastEnd) {
  Job job = workload::read_goal(
      "num_ranks 2 rank 0 { c: calc 10 a: send 32b to 1 a requires c } rank 1 { a: recv 32b from 0 }");
  job.phases = {"calculation", "message", "nothing"};
  job.ranks[0].ops[1].phase = job.ranks[1].ops[0].phase = 1;
  Config c = on("dragonfly:tiny", {job});
  c.programs.placed = {0, static_cast<uint32_t>(dragonfly_of(c).a() * dragonfly_of(c).p())};
  c.programs.mapping = "file:places";
  const LoopResult p = complete(c);
  const std::vector<PhaseResult>& phases = p.jobs.at(0).phases;
  ASSERT_EQ(phases.size(), 3u);
  EXPECT_EQ(phases[0].first, 0);
  EXPECT_EQ(phases[0].last, 10);
  EXPECT_EQ(phases[1].first, 0) << "the receive; the send starts later";
  EXPECT_EQ(phases[1].last, p.ranks[1].finished);
  EXPECT_EQ(phases[1].packets, 1u);
  EXPECT_EQ(phases[2].first, -1);
  EXPECT_EQ(phases[2].last, -1);
  // What a rank tells itself is there at once.
  const LoopResult alone =
      complete(on("dragonfly:tiny", {workload::read_goal("num_ranks 1 rank 0 { send 8b to 0 recv 8b from 0 }")}));
  EXPECT_EQ(alone.jobs.at(0).phases.at(0).first, 0);
  EXPECT_EQ(alone.jobs.at(0).phases.at(0).last, 0);
}

/// Nodes without a rank have traffic of their own; what waits in their queues is counted beside the programs.
TEST(ClosedLoop, WhatWaitsAtNodesWithoutARankIsCounted) {
  Config c = on("mesh:4x4", {one_message(2000 * kFlit)});
  c.routing = "dor";
  c.load = 1;
  c.sample = 1000;
  c.drain = 0;
  const Result r = simulate(c);
  EXPECT_GT(r.waiting, 14u * 100);
  EXPECT_GT(r.unfinished, 14u * 100);
  EXPECT_TRUE(r.conservation_ok);
}

/// docs/network.md §6: the end of programs cuts open traffic off, which is no saturation.
TEST(ClosedLoop, OpenTrafficThatTheEndCutsOffIsNotSaturated) {
  Config c = on("mesh:4x4", {one_message(500 * kFlit)});
  c.routing = "dor";
  c.programs.eager_limit = kEager;
  c.load = 0.3;
  const Result r = simulate(c);
  EXPECT_EQ(r.programs->unfinished_ranks, 0u);
  EXPECT_GT(r.unfinished, 0u);
  EXPECT_LT(r.latency.mean(), 500);
  EXPECT_FALSE(r.saturated);
}

/// Control packets that wait are packets that exist: 200 messages are announced at once, and no receive is ready yet.
TEST(ClosedLoop, ControlPacketsThatWaitAreCounted) {
  std::string program = "num_ranks 2 rank 0 {";
  for (int i = 0; i < 200; ++i) program += " send 64b to 1 tag " + std::to_string(i);
  program += " } rank 1 { z: calc 5000";
  for (int i = 0; i < 200; ++i) {
    const std::string n = std::to_string(i);
    program += " r" + n + ": recv 64b from 0 tag " + n + " r" + n + " requires z";
  }
  Config c = on("mesh:2x2", {workload::read_goal(program + " }")});
  c.routing = "dor";
  c.programs.eager_limit = kRendezvous;
  c.sample = 100;
  c.drain = 0;
  const Result r = simulate(c);
  EXPECT_EQ(r.created, 200u);
  EXPECT_GT(r.waiting, 90u);
  EXPECT_EQ(r.created, r.waiting + r.in_flight + r.delivered);
  EXPECT_TRUE(r.conservation_ok);
}

TEST(ClosedLoop, EarlyMessagesOfLaterIterationsAreKeptApart) {
  // An eager sender runs ahead over all iterations of a receiver that sleeps.
  Job job = workload::read_goal(
      "num_ranks 2 rank 0 { a: send 640b to 1 b: send 32b to 1 b requires a } rank 1 { z: calc 5000 a: recv 640b from "
      "0 b: recv 32b from 0 a "
      "requires z b requires a }");
  job.iterations = 6;
  Config c = on("mesh:2x2", {job});
  c.routing = "dor";
  const LoopResult p = complete(c);
  EXPECT_EQ(p.ranks[0].finished, 6 * 21);
  EXPECT_EQ(p.ranks[1].finished, 6 * 5000);
}

/// A bit of everything, for what has to hold everywhere.
std::vector<Job> mixture() {
  std::vector<Job> out;
  for (const char* text :
       {"random:ranks=6,rounds=12,bytes=700", "halo3d26:grid=2x2x1,n=20,it=2", "dl:ranks=5,bytes=3000,it=2"})
    out.push_back(workload::make_motif(text));
  return out;
}

TEST(ClosedLoop, EveryTopologyAndRouting) {
  for (const Routing& r : known_routings()) {
    std::string topology;
    if (r.topology == "dragonfly") topology = "dragonfly:tiny";
    if (r.topology == "mesh") topology = "mesh:4x4";
    if (r.topology == "torus") topology = r.name == "torus_boxes" ? "torus:3x3x3" : "torus:4x4";
    if (r.topology == "fat_tree") topology = "fat_tree:4x2x4x2";
    if (topology.empty()) continue;
    SCOPED_TRACE(r.topology + " " + r.name);
    Config c = on(topology, mixture());
    c.routing = r.name;
    c.programs.mapping = "random";
    c.programs.eager_limit = 1000;
    EXPECT_EQ(error_text([&] { complete(c); }), "");
  }
}

TEST(ClosedLoop, NothingDependsOnThreads) {
  for (const int flits : {1, 4}) {
    for (const char* mapping : {"linear", "random", "group"}) {
      Config c = on("dragonfly:tiny", {workload::make_motif("lulesh:grid=4x4x2,sweep=8x4,kba=5,halo=5000,it=2"),
                                       workload::make_motif("random:ranks=20,rounds=20")});
      c.routing = "doar";
      c.router.lengths = {flits};
      c.programs.mapping = mapping;
      c.programs.eager_limit = 1000;
      c.load = 0.2;  // of the nodes without a rank
      const Result one = simulate(c);
      c.threads = 2;
      const Result two = simulate(c);
      EXPECT_EQ(one.digest, two.digest);
      EXPECT_EQ(one.programs->time_cycles, two.programs->time_cycles);
      EXPECT_EQ(one.programs->nic, two.programs->nic);
      EXPECT_EQ(one.programs->jobs[1].time_cycles, two.programs->jobs[1].time_cycles);
      EXPECT_EQ(one.programs->unfinished_ranks, 0u);
      EXPECT_TRUE(one.conservation_ok && two.conservation_ok);
      EXPECT_GT(one.latency.samples(), 0u) << "the others are measured as ever";
      c.seed = 2;
      EXPECT_NE(simulate(c).digest, one.digest);
    }
  }
}

TEST(ClosedLoop, AJobIsSlowerBesideOthers) {
  const Job job = workload::make_motif("halo3d26:grid=4x2x2,n=40,it=3");
  const auto time = [&](const std::vector<Job>& jobs, double load) {
    Config c = on("dragonfly:tiny", jobs);
    c.routing = "min";
    c.load = load;
    c.traffic = "adv+1";
    c.programs.mapping = "random";
    return complete(c).jobs[0].time_cycles;
  };
  const int64_t alone = time({job}, 0);
  EXPECT_GT(time({job, workload::make_motif("random:ranks=48,rounds=300,bytes=3000")}, 0), alone);
  EXPECT_GT(time({job}, 0.5), alone);
}

TEST(ClosedLoop, GoesOnFromACheckpoint) {
  for (const int flits : {1, 3}) {
    Config c = on("dragonfly:tiny", "lulesh:grid=4x4x4,sweep=8x8,kba=4,halo=13000,it=2");
    c.router.lengths = {flits};
    c.routing = "doar";
    c.interval = 500;
    c.programs.jitter = 100;
    const Result whole = simulate(c);
    ASSERT_EQ(whole.programs->unfinished_ranks, 0u);
    const auto first = make_simulation(c);
    while (first->now() < whole.cycles / 2) first->advance();
    std::stringstream state;
    first->save(state);
    const auto second = make_simulation(c);
    second->load(state);
    const Result rest = simulate(*second);
    EXPECT_EQ(rest.digest, whole.digest);
    EXPECT_EQ(rest.cycles, whole.cycles);
    EXPECT_EQ(rest.programs->time_cycles, whole.programs->time_cycles);
    EXPECT_EQ(rest.programs->nic, whole.programs->nic);
    EXPECT_EQ(rest.programs->creation, whole.programs->creation);
    for (size_t r = 0; r < rest.programs->ranks.size(); ++r)
      EXPECT_EQ(rest.programs->ranks[r].communication, whole.programs->ranks[r].communication);
    Config other = c;
    other.workload = on("dragonfly:tiny", "lulesh:grid=4x4x4,sweep=8x8,kba=5,halo=13000,it=2").workload;
    state.clear();
    state.seekg(0);
    EXPECT_THROW(make_simulation(other)->load(state), Error) << "the programs are part of the configuration";
  }
}

TEST(ClosedLoop, TimelineAndMeanAgree) {
  Config c = on("dragonfly:tiny", "random:ranks=64,rounds=40,bytes=500");
  c.interval = 100;
  const Result r = simulate(c);
  double sum = 0, packets = 0;
  for (const Interval& i : r.timeline) {
    sum += i.latency * static_cast<double>(i.delivered);
    packets += static_cast<double>(i.delivered);
  }
  EXPECT_EQ(packets, static_cast<double>(r.programs->packets + r.programs->control_packets));
  EXPECT_NEAR(sum / packets, r.programs->nic, 1e-6);
}

TEST(ClosedLoop, FaultsDuringTheRun) {
  for (const int flits : {1, 4}) {
    Config c = on("dragonfly:tiny", "random:ranks=64,rounds=400,bytes=900");
    c.routing = "doar";
    c.router.lengths = {flits};
    add_faults(c, {"global:G0-G1", "local:G2.s0-G2.s1", "global:G3-G5"}, 2000, 6000);
    const Result r = simulate(c);
    EXPECT_TRUE(r.conservation_ok);
    EXPECT_EQ(r.deadlock, "");
    const LoopResult& p = *r.programs;
    EXPECT_EQ(p.unfinished_ranks == 0, r.lost == 0) << "who waits for a lost packet waits for ever";
    if (r.lost != 0) {
      EXPECT_FALSE(p.waits.empty());
      EXPECT_TRUE(std::isnan(p.nic));
      EXPECT_LT(r.cycles, c.sample) << "the watchdog has ended the run";
    }
    c.threads = 2;
    EXPECT_EQ(simulate(c).digest, r.digest);
  }
}

/// Calculations that wait for their processor are part of a state.
TEST(ClosedLoop, GoesOnWhileCalculationsWait) {
  const Config c = on("dragonfly:2,4,2,8",
                      {workload::read_goal("num_ranks 1 rank 0 { calc 100 cpu 1 calc 200 cpu 1 calc 300 cpu 1 }")});
  LoopResult whole = complete(c);
  EXPECT_EQ(whole.time_cycles, 600u);
  for (const uint64_t cycle : {100, 200, 300, 400, 500}) {
    const LoopResult p = *resumed(c, cycle).programs;
    EXPECT_EQ(p.unfinished_ranks, 0u) << cycle << ": " << p.waits;
    EXPECT_EQ(p.time_cycles, 600u) << cycle;
    EXPECT_EQ(p.ranks[0].calculation, 600u) << cycle;
  }
}

/// What a run with resends must agree in, whatever computes it.
std::string resend_words(const Result& r) {
  const LoopResult& p = *r.programs;
  std::ostringstream out;
  out << r.digest << ' ' << r.cycles << ' ' << r.lost << ' ' << p.time_cycles << ' ' << p.resent << ' '
      << p.acknowledgements << ' ' << p.duplicates << ' ' << p.given_up << ' ' << p.gave_up << ' ' << p.nic << ' '
      << p.creation;
  for (const RankResult& rank : p.ranks) out << ' ' << rank.finished;
  return out.str();
}

/// The run on one thread: also on two, on two ranks, and from a checkpoint in cycle `cut`.
Result alike(const Config& c, uint64_t cut) {
  const Result whole = simulate(c);
  const std::string words = resend_words(whole);
  Config threaded = c;
  threaded.threads = 2;
  EXPECT_EQ(resend_words(simulate(threaded)), words);
  std::mutex mutex;
  const auto errors = ThreadRanks(2).run([&](Exchange& exchange) {
    Config share = c;
    share.exchange = &exchange;
    const std::string own = resend_words(simulate(share));
    const std::lock_guard lock(mutex);
    EXPECT_EQ(own, words) << "rank " << exchange.own();
  });
  EXPECT_EQ(errors, std::vector<std::string>(2));
  EXPECT_EQ(resend_words(resumed(c, cut)), words);
  return whole;
}

/// What has arrived ahead of its iteration is part of a state: while a straggler keeps the others waiting, a run goes
/// on as it would have from every moment.
TEST(Resend, ARunGoesOnWithWhatHasComeAhead) {
  Config c = on("dragonfly:2,4,2,8", "random:ranks=8,rounds=1,bytes=16,it=12");
  c.programs.mapping = "random";
  c.programs.resend = 110;
  c.programs.straggler = "3:2500";
  const Result whole = simulate(c);
  const std::string words = resend_words(whole);
  EXPECT_GT(whole.programs->duplicates, 0u);
  for (uint64_t cycle = 200; cycle < whole.cycles; cycle += 100)
    EXPECT_EQ(resend_words(resumed(c, cycle)), words) << cycle;
}

/// All that the programs send, as transfers that are acknowledged.
uint64_t transfers(const Config& c) {
  uint64_t out = 0;
  for (const Job& job : c.workload->jobs) {
    for (uint32_t r = 0; r < job.ranks.size(); ++r) {
      for (const workload::Op& o : job.ranks[r].ops)
        out += o.kind == workload::OpKind::send && o.peer != r
                   ? job.iterations * (o.amount > c.programs.eager_limit ? 4 : 1)
                   : 0;
    }
  }
  return out;
}

/// A message of an iteration is lost; that of the next one, or of the one after, is there before the slow receiver asks
/// for the first. A receive takes the message of its own iteration.
TEST(Resend, ALostMessageIsOvertakenByThoseOfLaterIterations) {
  Config c = on("dragonfly:2,4,2,8", "random:ranks=8,rounds=1,bytes=16,it=10");
  c.programs.resend = 900;
  c.programs.straggler = "3:1500";
  const Result whole = simulate(c);
  add_faults(c, {"node:G0.s0.n0"}, 50, 200);
  const Result r = simulate(c);
  EXPECT_GT(r.lost, 0u);
  EXPECT_GT(r.programs->resent, 0u);
  EXPECT_EQ(r.programs->unfinished_ranks, 0u) << r.programs->waits;
  EXPECT_EQ(r.programs->time_cycles, whole.programs->time_cycles) << "the slow rank has its time";
}

TEST(Resend, NothingIsLostAndNothingSentAgain) {
  for (const uint64_t limit : {kEager, uint64_t{1000}, kRendezvous}) {
    for (const int flits : {1, 3}) {
      Config c = on("dragonfly:tiny", mixture());
      c.router.lengths = {flits};
      c.programs.eager_limit = limit;
      c.programs.resend = 100'000;
      const Result r = simulate(c);
      const LoopResult& p = *r.programs;
      EXPECT_EQ(p.unfinished_ranks, 0u);
      EXPECT_EQ(p.messages, p.received);
      EXPECT_EQ(p.resent + p.duplicates + p.given_up, 0u);
      EXPECT_LE(p.acknowledgements, transfers(c));
      EXPECT_GE(p.acknowledgements + 64, transfers(c)) << "the last ones of the ranks do not matter any more";
      EXPECT_EQ(r.delivered + r.in_flight, p.packets + p.control_packets + p.acknowledgements);
      EXPECT_TRUE(std::isfinite(p.nic));
    }
  }
}

TEST(Resend, ATimeOutBelowTheRoundTripDuplicatesAndDeliversOnce) {
  for (const uint64_t limit : {kEager, uint64_t{1000}, kRendezvous}) {
    for (const int flits : {1, 3}) {
      Config c = on("dragonfly:tiny", mixture());
      c.router.lengths = {flits};
      c.routing = "doar";
      c.programs.eager_limit = limit;
      c.programs.resend = 20;
      c.programs.resend_tries = 20;
      const Result r = alike(c, 500);
      const LoopResult& p = *r.programs;
      EXPECT_EQ(p.unfinished_ranks, 0u) << p.waits;
      EXPECT_EQ(p.messages, p.received);
      EXPECT_GT(p.duplicates, 0u);
      EXPECT_GE(p.resent, p.duplicates);
      EXPECT_EQ(p.given_up, 0u);
      EXPECT_TRUE(r.conservation_ok);
    }
  }
}

/// A message over one global link, between the routers at its ends.
Config over_a_global_link(uint64_t flits) {
  Config c = on("dragonfly:tiny", {one_message(flits * kFlit)});
  const Dragonfly& d = dragonfly_of(c);
  c.routing = "doar";
  c.programs.eager_limit = kEager;
  c.programs.placed = {static_cast<uint32_t>(d.attached_router(0, 1) * d.p()),
                       static_cast<uint32_t>((d.a() + d.attached_router(1, 0)) * d.p())};
  c.programs.mapping = "file:places";
  c.programs.resend = 8000;
  return c;
}

TEST(Resend, ALostPacketComesALaterTimeOut) {
  // One flit is on the global link when it fails; it comes back before the time-out, so the second one takes the same
  // way.
  Config c = over_a_global_link(1);
  const uint64_t latency = zero_load({c.link("global").latency});
  EXPECT_EQ(complete_with_acknowledgements(c).time_cycles, latency);
  add_faults(c, {"global:G0-G1"}, 10, 3000);
  c.interval = 1000;
  const Result r = alike(c, 1000);
  for (const Interval& i : r.timeline) {
    EXPECT_LE(i.latency, 2 * latency) << "its own and that of an acknowledgement, nothing of the lost one";
  }
  EXPECT_EQ(r.lost, 1u);
  EXPECT_EQ(r.programs->resent, 1u);
  EXPECT_EQ(r.programs->duplicates, 0u);
  EXPECT_EQ(r.programs->ranks[1].finished, static_cast<int64_t>(8000 + latency));
  EXPECT_DOUBLE_EQ(r.programs->nic, static_cast<double>(8000 + latency)) << "from its first entry";
}

TEST(Resend, ALostAcknowledgementIsMadeAgain) {
  Config c = over_a_global_link(1);
  workload::Workload both;
  both.jobs = {workload::read_goal(
      "num_ranks 2 rank 0 { a: send 32b to 1 } rank 1 { a: recv 32b from 0 c: calc 60000 c requires a }")};
  c.workload = std::make_shared<const workload::Workload>(std::move(both));
  c.programs.resend_tries = 2;
  const uint64_t latency = zero_load({c.link("global").latency});
  add_faults(c, {"global:G0-G1"}, latency + latency / 2, 3000);
  const Result r = simulate(c);
  EXPECT_EQ(r.lost, 1u);
  EXPECT_EQ(r.programs->resent, 1u);
  EXPECT_EQ(r.programs->duplicates, 1u);
  EXPECT_EQ(r.programs->acknowledgements, 2u);
  EXPECT_EQ(r.programs->given_up, 0u) << r.programs->gave_up;
  EXPECT_EQ(r.programs->ranks[1].finished, static_cast<int64_t>(latency + 60'000));
}

/// Of a message that comes again whole only the last packet is acknowledged again.
TEST(Resend, AMessageThatComesAgainIsAcknowledgedOnce) {
  const uint64_t flits = 5;
  Config c = over_a_global_link(flits);
  workload::Workload both;
  both.jobs = {workload::read_goal(
      "num_ranks 2 rank 0 { a: send 160b to 1 } rank 1 { a: recv 160b from 0 c: calc 60000 c requires a }")};
  c.workload = std::make_shared<const workload::Workload>(std::move(both));
  const uint64_t latency = zero_load({c.link("global").latency}), whole = latency + flits - 1;
  add_faults(c, {"global:G0-G1"}, whole + latency / 2, 3000);
  const Result r = simulate(c);
  EXPECT_EQ(r.lost, 1u);
  EXPECT_EQ(r.programs->resent, flits);
  EXPECT_EQ(r.programs->duplicates, flits);
  EXPECT_EQ(r.programs->acknowledgements, 2u);
  EXPECT_EQ(r.programs->given_up, 0u) << r.programs->gave_up;
}

/// The link of a node fails while a packet of its rank enters: the rest never does, for the rank it has been sent, and
/// it is sent again.
TEST(Resend, APacketThatIsCutWhileItEntersComesAgain) {
  constexpr int kFlits = 8;
  Config c = over_a_global_link(kFlits);
  c.router.lengths = {kFlits};
  c.interval = 1000;
  const int64_t alone = static_cast<int64_t>(complete_with_acknowledgements(c).ranks[1].finished);
  const Dragonfly& d = dragonfly_of(c);
  add_faults(c, {"node:G0.s" + std::to_string(d.attached_router(0, 1)) + ".n0"}, 4, 2000);
  const Result r = alike(c, 1000);
  const LoopResult& p = *r.programs;
  EXPECT_EQ(p.unfinished_ranks, 0u) << p.waits;
  EXPECT_EQ(r.lost, 1u);
  EXPECT_EQ(p.resent, 1u);
  EXPECT_EQ(p.ranks[0].finished, 4) << "when the link failed";
  EXPECT_GT(p.ranks[1].finished, alone + 8000 - kFlits);
  for (const Interval& i : r.timeline) {
    EXPECT_LE(i.latency, 2 * alone) << "its own and that of an acknowledgement, nothing of the lost one";
  }
  EXPECT_TRUE(r.conservation_ok);
}

TEST(Resend, AMessageIsWholeOnlyWithItsLastLostPacket) {
  // The first packets arrive; of the rest some are lost. All come again, and those that are there do not stand in for
  // those that are not.
  const uint64_t flits = 300, fails = 150;
  Config c = over_a_global_link(flits);
  const uint64_t latency = zero_load({c.link("global").latency}), arrived = fails - latency - 5;
  add_faults(c, {"global:G0-G1"}, fails, 3000);
  const Result r = alike(c, 8300);
  const LoopResult& p = *r.programs;
  ASSERT_GT(r.lost, 0u);
  EXPECT_EQ(p.resent, flits);
  EXPECT_LE(p.duplicates, flits - r.lost) << "the run ends with the message";
  EXPECT_GE(p.duplicates, arrived);
  const uint64_t again = flits - 1 + c.programs.resend;
  EXPECT_GE(p.ranks[1].finished, static_cast<int64_t>(again + arrived + r.lost - 1 + latency));
  EXPECT_LE(p.ranks[1].finished, static_cast<int64_t>(again + flits - 1 + latency));
}

TEST(Resend, LuAcrossALinkThatFails) {
  for (const int flits : {1, 4}) {
    Config c = on("dragonfly:tiny", "lu:px=8,py=8,nx=960,ny=960,nzblock=1,nz=20,compute=5,it=1");
    c.routing = "doar";
    c.router.lengths = {flits};
    c.programs.mapping = "random";
    add_faults(c, {"global:G0-G1", "local:G2.s0-G2.s1", "global:G3-G5"}, 1500, 0);
    const Result lost = simulate(c);
    ASSERT_NE(lost.lost, 0u);
    EXPECT_NE(lost.programs->unfinished_ranks, 0u);
    c.programs.resend = 4000;
    const Result r = alike(c, 2000);
    const LoopResult& p = *r.programs;
    EXPECT_NE(r.lost, 0u);
    EXPECT_EQ(p.unfinished_ranks, 0u) << p.waits;
    EXPECT_EQ(p.messages, p.received);
    EXPECT_GT(p.resent, 0u);
    EXPECT_TRUE(std::isfinite(p.nic) && std::isfinite(p.creation));
    EXPECT_TRUE(r.conservation_ok);
  }
}

TEST(Resend, ARouterThatDiesAndComesBack) {
  for (const int flits : {1, 4}) {
    for (const uint64_t limit : {kEager, kRendezvous}) {
      Config c = on("dragonfly:tiny", "random:ranks=64,rounds=20,bytes=900");
      c.routing = "doar";
      c.router.lengths = {flits};
      c.programs.eager_limit = limit;
      c.programs.resend = 3000;
      add_faults(c, {"router:G2.s1"}, 1500, 8000);
      const Result r = alike(c, 2500);
      const LoopResult& p = *r.programs;
      EXPECT_NE(r.lost, 0u);
      EXPECT_EQ(p.unfinished_ranks, 0u) << p.waits;
      EXPECT_EQ(p.messages, p.received);
      EXPECT_GT(p.resent, 0u);
      EXPECT_EQ(p.given_up, 0u);
      EXPECT_TRUE(r.conservation_ok);
    }
  }
}

/// A network interface that keeps its pace is not stuck, however long nothing moves.
TEST(ClosedLoop, APaceSlowerThanTheWatchdogIsNoDeadlock) {
  Config c = on("mesh:4x4", "random:ranks=2,rounds=1,bytes=256");
  c.programs.nic_rate = 0.0002;  // a flit in 5,000 cycles
  c.watchdog = 500;
  EXPECT_GT(complete(c).time_cycles, 5'000u);
}

TEST(Resend, ARouterThatStaysDeadEndsTheRun) {
  Config c = on("dragonfly:tiny", "random:ranks=64,rounds=20,bytes=900");
  c.routing = "doar";
  c.programs.resend = 500;
  c.programs.resend_tries = 4;
  add_faults(c, {"router:G2.s1"}, 1500, 0);
  const Result r = alike(c, 2500);
  const LoopResult& p = *r.programs;
  EXPECT_NE(p.unfinished_ranks, 0u);
  EXPECT_GT(p.given_up, 0u);
  EXPECT_NE(p.gave_up.find("has not answered node"), std::string::npos) << p.gave_up;
  EXPECT_NE(p.gave_up.find("in 4 tries"), std::string::npos) << p.gave_up;
  EXPECT_GT(r.cycles, 1500u + (1 + 2 + 4 + 8) * 500);
  EXPECT_LT(r.cycles, 40'000u) << "long before the watchdog of a silent network";
  EXPECT_TRUE(r.conservation_ok);
}

/// Of two jobs: the nodes are those of the job whose message did not come through.
TEST(Resend, TheNodesThatGaveUpAreThoseOfTheirJob) {
  Config c = on("dragonfly:tiny", {one_message(kFlit), one_message(kFlit)});
  const Dragonfly& d = dragonfly_of(c);
  c.routing = "doar";
  const auto dead = static_cast<uint32_t>(d.node_index({2, 1, 0}));
  c.programs.placed = {0, 1, 5, dead};
  c.programs.mapping = "file:places";
  c.programs.resend = 500;
  c.programs.resend_tries = 2;
  add_faults(c, {"router:G2.s1"}, 1, 0);
  const LoopResult p = *simulate(c).programs;
  EXPECT_EQ(p.given_up, 1u);
  EXPECT_NE(p.gave_up.find("node " + std::to_string(dead) + " has not answered node 5 in 2 tries"), std::string::npos)
      << p.gave_up;
}

/// A checkpoint goes on with the programs that it was made of only: whatever differs in them is seen.
TEST(ClosedLoop, TheHashOfAWorkloadSeesEveryField) {
  const auto of = [](const std::string& goal, uint32_t iterations = 1) {
    workload::Workload w;
    w.jobs = {workload::read_goal(goal)};
    w.jobs[0].iterations = iterations;
    return hash_of(w);
  };
  const std::string head = "num_ranks 3 rank 1 { recv 8b from 0 } rank 2 { } rank 0 { ";
  const uint64_t one = of(head + "a: send 8b to 1 b: calc 5 b requires a }");
  EXPECT_EQ(of(head + "x: send 8b to 1 y: calc 5 y requires x }"), one);
  for (const char* other :
       {"a: send 8b to 1 b: calc 5 }", "a: send 8b to 1 b: calc 5 b irequires a }",
        "a: send 8b to 1 b: calc 6 b requires a }", "a: send 9b to 1 b: calc 5 b requires a }",
        "a: send 8b to 2 b: calc 5 b requires a }", "a: send 8b to 1 tag 1 b: calc 5 b requires a }",
        "a: send 8b to 1 b: calc 5 cpu 1 b requires a }", "a: recv 8b from 1 b: calc 5 b requires a }",
        "a: send 8b to 1 b: calc 5 a requires b }"})
    EXPECT_NE(of(head + other), one) << other;
  EXPECT_NE(of(head + "a: send 8b to 1 b: calc 5 b requires a }", 2), one);
}

/// Results go by phases, so those of an operation count, too.
TEST(ClosedLoop, TheHashOfAWorkloadSeesThePhaseOfAnOperation) {
  workload::Workload w;
  w.jobs = {workload::read_goal("num_ranks 1 rank 0 { a: calc 5 b: calc 5 b requires a }")};
  w.jobs[0].phases = {"first", "second"};
  std::vector<uint64_t> hashes{hash_of(w)};
  for (const size_t op : {0u, 1u}) {
    workload::Workload other = w;
    other.jobs[0].ranks[0].ops[op].phase = 1;
    hashes.push_back(hash_of(other));
  }
  std::sort(hashes.begin(), hashes.end());
  EXPECT_EQ(std::adjacent_find(hashes.begin(), hashes.end()), hashes.end());
}

TEST(ClosedLoop, PlacesOfRanks) {
  const auto nodes = [](const std::string& mapping, std::vector<uint32_t> placed = {}) {
    Config c = on("dragonfly:tiny", "dl:ranks=6,it=1,bytes=32");
    c.programs.mapping = mapping;
    c.programs.placed = std::move(placed);
    std::vector<uint32_t> out;
    for (const RankResult& r : complete(c).ranks) out.push_back(r.node);
    return out;
  };
  const uint32_t group = static_cast<uint32_t>(Dragonfly::named("tiny").a() * Dragonfly::named("tiny").p());
  EXPECT_EQ(nodes("linear"), (std::vector<uint32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(nodes("group"), (std::vector<uint32_t>{0, 1, group, group + 1, 2 * group, 2 * group + 1}));
  EXPECT_EQ(nodes("file:x", {5, 9, 3, 7, 0, 60}), (std::vector<uint32_t>{5, 9, 3, 7, 0, 60}));
  EXPECT_EQ(nodes("random"), nodes("random"));
  EXPECT_NE(nodes("random"), nodes("linear"));
}

TEST(ClosedLoop, RefusesWhatDoesNotFit) {
  const auto why = [](const Config& c) { return error_text([&] { make_simulation(c); }); };
  EXPECT_EQ(why(on("mesh:2x2", "dl:ranks=5")), "workload: 5 ranks, mesh 2x2 has 4 nodes");
  Config c = on("mesh:2x2", "dl:ranks=4");
  c.programs.mapping = "group";
  EXPECT_EQ(why(c), "--mapping group: mesh 2x2 has no groups");
  c.programs.mapping = "nearest";
  EXPECT_EQ(why(c), "--mapping: 'nearest' is unknown, expected linear, random, group, file:FILE");
  c.programs.mapping = "file:places";
  c.programs.placed = {0, 1, 2};
  EXPECT_EQ(why(c), "--mapping file:places: 3 nodes for 4 ranks");
  c.programs.placed = {0, 1, 2, 3, 3};
  EXPECT_EQ(why(c), "--mapping file:places: 5 nodes for 4 ranks");
  c.programs.placed = {0, 1, 2, 4};
  EXPECT_EQ(why(c), "--mapping file:places: node 4 of 4");
  c.programs.placed = {0, 1, 2, 1};
  EXPECT_EQ(why(c), "--mapping file:places: node 1 for two ranks");
  c.programs.placed = {0, 1, 2, 3};
  c.programs.straggler = "9:5";
  EXPECT_EQ(why(c), "--straggler: rank 9 of 4");
  c.programs.straggler = "1:5,2:5,1:0";
  EXPECT_EQ(why(c), "--straggler: rank 1 is given twice");
  for (const char* text : {"1", "1:4294967295"}) {
    c.programs.straggler = text;
    EXPECT_EQ(why(c), "--straggler: '" + c.programs.straggler + "', expected RANK:NS");
  }
  c.programs.straggler = "1:4294967294";
  EXPECT_EQ(why(c), "") << "the last cycle that can be counted";
  Job nobody;
  nobody.name = "nobody";
  EXPECT_EQ(why(on("mesh:2x2", {nobody})), "workload nobody: no rank");
  Job often = one_message(1);
  often.iterations = (1u << 31) - 1;
  EXPECT_EQ(why(on("mesh:2x2", {often})), "");
  ++often.iterations;
  EXPECT_EQ(why(on("mesh:2x2", {often})), "workload: a rank sends more than 2147483647 packets");
  EXPECT_EQ(why(on("mesh:2x2", "stencil:grid=2,bytes=700000000000")),
            "workload: a rank sends more than 2147483647 packets");
  Config circle =
      on("mesh:2x2", {workload::read_goal("num_ranks 2 rank 0 { a: send 9b to 1 b: recv 9b from 1 b requires a } rank "
                                          "1 { a: send 9b to 0 b: recv 9b from 0 b requires a }")});
  EXPECT_EQ(why(circle), "");
  circle.programs.eager_limit = 0;
  EXPECT_NE(why(circle).find("operations wait for each other in a circle: rank "), std::string::npos);
}

}  // namespace
}  // namespace odonata::network
