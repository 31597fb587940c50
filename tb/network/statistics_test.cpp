// SPDX-License-Identifier: Apache-2.0
// Every number of a result is made again from what was seen of the packets: from each delivery, and from each grant of
// a switch. Another code path: a list that is sorted and counted here, no histogram, no sum over domains. All
// comparisons are exact.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "models/arb_request/mesh.h"
#include "sim/network/packet_watch.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/dragonfly.h"
#include "sim/network/topologies/mesh.h"
#include "sim/network/wiring.h"
#include "tb/network/configs.h"
#include "tb/network/resumed.h"
#include "tb/network/timed_faults.h"

namespace odonata::network {
namespace {

/// What is seen of one packet: when it was made, when its tail arrived, its length and the links of its way.
struct Seen {
  uint64_t born, cycle;
  int flits, hops;
  uint64_t latency() const { return cycle - born - 1; }  // the cycle of creation does not count
};

/// Grants and flits, counted by the cycle in which they happen.
struct Counter : PacketWatch {
  std::map<std::pair<uint32_t, int>, std::vector<uint64_t>> grants;  // of an output port
  std::vector<uint64_t> flits;                                       // that arrived at their nodes
  std::vector<std::pair<uint64_t, uint64_t>> arrivals;  // packets of one flit: cycle of the last grant, latency
  uint64_t lost_packets = 0, now = 0;

  void granted(const Flit&, uint32_t cycle, uint32_t router, int, int, int out_port, int, int) override {
    grants[{router, out_port}].push_back(cycle);
    now = cycle;
  }
  void delivered(const Flit& flit, uint32_t cycle) override {
    flits.push_back(cycle);
    arrivals.push_back({now, cycle - flit.born - 1});
  }
  void lost(const Flit& flit, uint32_t) override { lost_packets += flit.tail(); }
};

struct Witnessed {
  Config config;
  Result result;
  std::vector<Seen> seen;
};

Witnessed run(const Config& config) {
  Witnessed out{config, {}, {}};
  const auto simulation = make_simulation(config);
  simulation->on_delivery([&](const Delivery& d) {
    out.seen.push_back({d.flit.born, d.cycle, d.flit.length, d.flit.hops});
  });
  out.result = simulate(*simulation);
  return out;
}

/// The sample is the cycles warmup .. warmup + sample - 1.
bool inside(const Config& c, uint64_t cycle) { return cycle >= c.warmup && cycle < c.warmup + c.sample; }

/// Of the packets made in the sample: latencies in order.
std::vector<uint64_t> latencies(const Witnessed& r) {
  std::vector<uint64_t> out;
  for (const Seen& s : r.seen) {
    if (inside(r.config, s.born)) out.push_back(s.latency());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// The least value that at least `share` of all do not exceed.
uint64_t percentile(const std::vector<uint64_t>& sorted, double share) {
  size_t i = 0;
  while (static_cast<double>(i + 1) < share * static_cast<double>(sorted.size())) ++i;
  return sorted[i];
}

void expect_latencies(const Witnessed& r) {
  const std::vector<uint64_t> sorted = latencies(r);
  ASSERT_GT(sorted.size(), 1000u) << "nothing to compare";
  uint64_t sum = 0;
  for (const uint64_t l : sorted) sum += l;
  const LatencyHistogram& h = r.result.latency;
  EXPECT_EQ(h.samples(), sorted.size());
  EXPECT_EQ(h.sum(), sum);
  EXPECT_EQ(h.mean(), static_cast<double>(sum) / static_cast<double>(sorted.size()));
  EXPECT_EQ(h.max(), sorted.back());
  ASSERT_LT(sorted.back(), 8192u) << "the histogram is exact only below";
  for (const double share : {0.0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0})
    EXPECT_EQ(h.percentile(share), percentile(sorted, share)) << share;
}

void expect_hops(const Witnessed& r) {
  std::array<uint64_t, kMaxHops + 1> hops{};
  for (const Seen& s : r.seen) {
    if (inside(r.config, s.born)) ++hops[static_cast<size_t>(s.hops)];
  }
  EXPECT_EQ(r.result.hops, hops);
}

/// An entry of the timeline: packets whose last grant, to the node, was in one of its cycles.
void expect_timeline(const Witnessed& r, const Counter& counter) {
  ASSERT_GT(r.result.timeline.size(), 5u);
  uint64_t next = 0;
  for (const Interval& i : r.result.timeline) {
    EXPECT_EQ(i.first, next);
    next = i.last;
    uint64_t count = 0, sum = 0;
    for (const auto& [granted, latency] : counter.arrivals) {
      if (granted >= i.first && granted < i.last) ++count, sum += latency;
    }
    EXPECT_EQ(i.delivered, count) << i.first;
    EXPECT_EQ(i.delivered_flits, count) << i.first;
    if (count != 0) {
      EXPECT_EQ(i.latency, static_cast<double>(sum) / static_cast<double>(count)) << i.first;
    }
  }
  EXPECT_EQ(next, r.result.cycles);
}

Config dragonfly(double load) { return run_on_tiny("doar", "ur", load, 700, 1501); }

TEST(Statistics, EqualTheNumbersMadeFromEveryDelivery) {
  for (const double load : {0.1, 0.6}) {
    const Witnessed r = run(dragonfly(load));
    const Config& c = r.config;
    expect_latencies(r);
    expect_hops(r);
    uint64_t accepted = 0, born = 0;
    for (const Seen& s : r.seen) accepted += inside(c, s.cycle), born += inside(c, s.born);
    const double node_cycles = 1501.0 * 64;
    EXPECT_EQ(r.result.accepted, static_cast<double>(accepted) / node_cycles);
    ASSERT_EQ(r.result.unfinished, 0u) << "drained: every packet of the sample was seen";
    EXPECT_EQ(r.result.offered, static_cast<double>(born) / node_cycles);
    EXPECT_EQ(r.result.delivered, r.seen.size());
    EXPECT_EQ(r.result.mean_with_unfinished, r.result.latency.mean());
  }
}

/// The control: with its edges moved by one cycle the sample has other packets, so the comparison above does look at
/// the edges.
TEST(Statistics, SeeTheEdgesOfTheSample) {
  Witnessed r = run(dragonfly(0.6));
  const uint64_t samples = r.result.latency.samples();
  ASSERT_EQ(latencies(r).size(), samples);
  ++r.config.warmup;
  EXPECT_NE(latencies(r).size(), samples);
  --r.config.warmup, ++r.config.sample;
  EXPECT_NE(latencies(r).size(), samples);
}

TEST(Statistics, ATimelineAddsUp) {
  Counter counter;
  Config c = dragonfly(0.4);
  c.route_compute = RouteCompute::arrival;
  c.watch = &counter;
  c.interval = 100;
  expect_timeline(run(c), counter);
}

/// Every entry but the last, which the end of the run cuts off.
TEST(Statistics, AnEntryOfATimelineIsNoShorterThanItsInterval) {
  Config c = dragonfly(0.1);
  c.interval = 500;
  const std::vector<Interval> timeline = simulate(c).timeline;
  ASSERT_GT(timeline.size(), 3u);
  for (size_t i = 0; i + 1 < timeline.size(); ++i)
    EXPECT_GE(timeline[i].last - timeline[i].first, c.interval) << timeline[i].first;
}

/// Packets of several flits, on a mesh with one domain and on a dragonfly with many.
TEST(Statistics, EqualTheNumbersMadeFromEveryDeliveryOfLongPackets) {
  Config mesh = on_mesh(arb_request::Mesh::parse("5x4"));
  mesh.routing = "dor";
  mesh.traffic = "uniform";
  Config fly = on_dragonfly(Dragonfly::named("tiny"));
  fly.routing = "min";
  fly.traffic = "ur";
  for (Config c : {mesh, fly}) {
    c.load = 0.3;
    c.warmup = 501;
    c.sample = 3000;
    c.router.lengths = {1, 4};
    const Witnessed r = run(c);
    expect_latencies(r);
    expect_hops(r);
    uint64_t flits = 0;
    for (const Seen& s : r.seen) flits += inside(c, s.born) ? static_cast<uint64_t>(s.flits) : 0;
    ASSERT_EQ(r.result.unfinished, 0u);
    EXPECT_EQ(r.result.offered, static_cast<double>(flits) / (3000.0 * c.topology->nodes()));
  }
}

/// What waits at the end was offered, too, with all its flits.
TEST(Statistics, WaitingPacketsWereOfferedWithAllTheirFlits) {
  Config c = run_on_tiny("min", "adv+1", 1, 500, 2000);
  c.drain = 100;
  c.router.lengths = {5};
  const Result r = simulate(c);
  EXPECT_TRUE(r.saturated);
  EXPECT_GT(r.unfinished, 1000u);
  EXPECT_LT(r.accepted, 0.5);
  EXPECT_NEAR(r.offered, 1, 0.02);
}

/// Another witness: every grant of every switch. Shares of channels by class, flits accepted, flit-hops.
TEST(Statistics, EqualTheNumbersMadeFromEveryGrant) {
  for (const char* traffic : {"ur", "adv+1"}) {
    Counter counter;
    Config c = dragonfly(0.4);
    c.route_compute = RouteCompute::arrival;
    c.traffic = traffic;
    c.watch = &counter;
    const Witnessed r = run(c);
    expect_latencies(r);
    const Wiring wiring = c.topology->wire(c);
    uint64_t all = 0, accepted = 0;
    std::map<std::string, std::pair<uint64_t, uint64_t>> sum_and_most;
    std::map<std::string, uint64_t> channels;
    for (uint32_t router = 0; router < static_cast<uint32_t>(wiring.routers * wiring.domains); ++router) {
      for (int port = 0; port < wiring.ports; ++port) {
        const PortWire& wire = wiring.at(static_cast<int>(router), port);
        const std::vector<uint64_t>& cycles = counter.grants[{router, port}];
        all += cycles.size();
        if (wire.kind == LinkKind::none) continue;
        const auto carried = static_cast<uint64_t>(
            std::count_if(cycles.begin(), cycles.end(), [&](uint64_t at) { return inside(c, at); }));
        const std::string& name = c.links[static_cast<size_t>(wire.port_class)].name;
        ++channels[name];
        sum_and_most[name].first += carried;
        sum_and_most[name].second = std::max(sum_and_most[name].second, carried);
      }
    }
    for (const uint64_t cycle : counter.flits) accepted += inside(c, cycle);
    EXPECT_EQ(r.result.flit_hops, all);
    EXPECT_EQ(r.result.accepted, static_cast<double>(accepted) / (1501.0 * wiring.nodes));
    for (const char* name : {"local", "global"}) {
      const auto [sum, most] = sum_and_most[name];
      ASSERT_GT(sum, 0u);
      EXPECT_EQ(r.result.channel(name).mean, static_cast<double>(sum) / static_cast<double>(channels[name]) / 1501.0)
          << name;
      EXPECT_EQ(r.result.channel(name).max, static_cast<double>(most) / 1501.0) << name;
    }
    // DOAR §3.1: what nodes get is what links carry, divided by the links of a way; but for what is on its way when the
    // sample begins and ends.
    double links = 0, carried = 0;
    uint64_t packets = 0;
    for (size_t i = 0; i < r.result.hops.size(); ++i) {
      links += static_cast<double>(i * r.result.hops[i]);
      packets += r.result.hops[i];
    }
    for (const auto& [name, number] : channels) {
      if (name == "local" || name == "global") carried += static_cast<double>(number) * r.result.channel(name).mean;
    }
    EXPECT_NEAR(carried / (r.result.accepted * wiring.nodes * links / static_cast<double>(packets)), 1, 0.02)
        << traffic;
  }
}

/// What faults take is neither delivered nor unfinished.
TEST(Statistics, LostPacketsAreCountedApart) {
  Counter counter;
  Config c = dragonfly(0.4);
  c.route_compute = RouteCompute::arrival;
  c.watch = &counter;
  add_faults(c, {"global:G0-G2"}, 1000, 0);
  const Witnessed r = run(c);
  expect_latencies(r);
  expect_hops(r);
  EXPECT_GT(r.result.lost, 0u);
  EXPECT_EQ(r.result.lost, counter.lost_packets);
  EXPECT_EQ(r.result.delivered, r.seen.size());
  EXPECT_EQ(r.result.created, r.seen.size() + counter.lost_packets + r.result.waiting + r.result.in_flight);
}

/// Cut-through with buffers of one packet: the next packet leaves when the credits of the whole packet before it are
/// back. Wormhole with one flit of buffer: a flit a round trip. Both on a line of two routers, where the interval
/// between packets is a sum of the stages (docs/network.md §2).
uint64_t interval_between(Switching switching, int buffer, int flits) {
  Config c = on_mesh(arb_request::Mesh::parse("2x2"));
  c.routing = "dor";
  c.router.switching = switching;
  c.router.lengths = {flits};
  c.router.vcs = 1;
  c.link("local").buffer = buffer;
  auto trace = std::make_shared<traffic::PacketTrace>();
  trace->nodes = 4;
  for (uint32_t cycle = 0; cycle < 20; ++cycle) trace->packets.push_back({cycle, 0, 1, static_cast<uint8_t>(flits)});
  c.trace = trace;
  c.warmup = 0;
  c.sample = 100;
  const Witnessed r = run(c);
  EXPECT_EQ(r.seen.size(), 20u);
  if (r.seen.size() != 20) return 0;
  const uint64_t step = r.seen[11].cycle - r.seen[10].cycle;
  for (size_t i = 3; i < 20; ++i) EXPECT_EQ(r.seen[i].cycle - r.seen[i - 1].cycle, step) << i;
  return step;
}

TEST(Statistics, OneBufferIsUsedOnceARoundTrip) {
  const uint64_t trip = interval_between(Switching::cut_through, 1, 1);
  EXPECT_EQ(interval_between(Switching::wormhole, 1, 1), trip) << "packets of one flit: the two are the same";
  for (const int flits : {2, 3, 5}) {
    EXPECT_EQ(interval_between(Switching::cut_through, flits, flits), trip + static_cast<uint64_t>(flits - 1)) << flits;
    EXPECT_EQ(interval_between(Switching::wormhole, 1, flits), trip * static_cast<uint64_t>(flits)) << flits;
    EXPECT_EQ(interval_between(Switching::cut_through, 8 * flits, flits), static_cast<uint64_t>(flits))
        << "buffers for the round trip: no gap";
  }
}

/// The smallest latency that so large a share does not exceed; of halves and quarters, where the share meets a sample
/// exactly.
TEST(Statistics, APercentileIsReachedByTheSampleThatCompletesItsShare) {
  LatencyHistogram upper, both;
  for (uint32_t latency = 1; latency <= 4; ++latency) both.add(latency);
  for (uint32_t latency = 5; latency <= 8; ++latency) upper.add(latency);
  both.merge(upper);
  for (const auto& [share, latency] : {std::pair{0.125, 1u}, {0.25, 2u}, {0.5, 4u}, {0.51, 5u}, {0.75, 6u}, {1.0, 8u}})
    EXPECT_EQ(both.percentile(share), latency) << share;
}

/// Above 8,191 cycles in steps of 64, of whatever domain.
TEST(Statistics, LongLatenciesAreCountedInSteps) {
  LatencyHistogram one, other;
  one.add(8191), one.add(8192 + 63), one.add(10'000);
  other.add(8192 + 64), other.add(20'000);
  one.merge(other);
  EXPECT_EQ(one.samples(), 5u);
  EXPECT_EQ(one.percentile(0.2), 8191u);
  EXPECT_EQ(one.percentile(0.4), 8192u);
  EXPECT_EQ(one.percentile(0.6), 8192u + 64);
  EXPECT_EQ(one.percentile(0.8), 10'000u - (10'000 - 8192) % 64);
  EXPECT_EQ(one.percentile(1), 20'000u - (20'000 - 8192) % 64);
  EXPECT_EQ(one.max(), 20'000u);
}

/// Above 532,479 cycles in steps of less than a hundredth, up to the longest there are; none is lost.
TEST(Statistics, VeryLongLatenciesHaveTheirOwnSteps) {
  for (const uint32_t latency : {532'415u, 532'479u, 532'480u, 536'575u, 536'576u, 700'399u, 1'052'245u, 1u << 20,
                                 (1u << 31) - 1, 1u << 31, ~0u - 1, ~0u}) {
    LatencyHistogram h;
    h.add(1);
    h.add(latency);
    const uint32_t step = latency < 532'480 ? 64 : std::bit_floor(latency) / 128;
    EXPECT_EQ(h.percentile(1), latency - (latency < 532'480 ? (latency - 8192) % step : latency % step)) << latency;
    EXPECT_EQ(h.percentile(0.5), 1u);
    EXPECT_EQ(h.max(), latency);
  }
}

/// The mean with the unfinished packets by their age, in the network and in source queues alike: of a trace all packets
/// are known.
TEST(Statistics, UnfinishedPacketsCountByTheirAge) {
  Config c = on_mesh(arb_request::Mesh::parse("4x4"));
  c.routing = "dor";
  auto trace = std::make_shared<traffic::PacketTrace>();
  trace->nodes = 16;
  for (uint32_t cycle = 0; cycle < 300; ++cycle) {
    for (uint32_t node = 1; node < 16; ++node) trace->packets.push_back({cycle, node, 0, 1});
  }
  c.trace = trace;
  c.warmup = 150;  // some of the packets before it wait to the end and do not count
  c.sample = 100;
  c.drain = 0;
  const Witnessed r = run(c);
  ASSERT_GT(r.result.unfinished, 1000u);
  ASSERT_GT(r.result.waiting, 0u);
  ASSERT_GT(r.result.in_flight, 0u);
  uint64_t sum = 0, count = 0, created = 0;
  for (const traffic::TracePacket& p : trace->packets) {  // as if none had come
    created += p.cycle < r.result.cycles;
    if (!inside(c, p.cycle)) continue;
    ++count;
    sum += r.result.cycles - p.cycle;
  }
  for (const Seen& s : r.seen) {
    if (inside(c, s.born)) sum = sum - (r.result.cycles - s.born) + s.latency();
  }
  EXPECT_EQ(r.result.created, created);
  EXPECT_EQ(r.result.latency.samples() + r.result.unfinished, count);
  EXPECT_DOUBLE_EQ(r.result.mean_with_unfinished, static_cast<double>(sum) / static_cast<double>(count));
}

/// Windows of the links: the last one ends with the sample, and together they are what the links carried in it.
TEST(Statistics, WindowsOfTheLinksAreTheSample) {
  for (const uint64_t interval : {100, 300}) {
    Config c = dragonfly(0.4);
    c.interval = interval;
    const Result r = simulate(c);
    const LinkWindows& w = r.link_windows;
    ASSERT_FALSE(w.windows.empty());
    EXPECT_EQ(w.windows.front().first, c.warmup);
    EXPECT_EQ(w.windows.back().last, c.warmup + c.sample);
    double flits = 0;
    for (size_t i = 0; i < w.windows.size(); ++i) {
      if (i != 0) {
        EXPECT_EQ(w.windows[i].first, w.windows[i - 1].last);
      }
      for (const float load : w.windows[i].load)
        flits += static_cast<double>(load) * static_cast<double>(w.windows[i].last - w.windows[i].first);
    }
    EXPECT_NEAR(flits, r.channel("global").mean * static_cast<double>(w.links.size()) * static_cast<double>(c.sample),
                0.5);
  }
}

/// A long run joins two windows and two: they are those of a run with intervals twice as long, to the end of the
/// sample, which the last one reaches even if it is shorter.
TEST(Statistics, WindowsOfALongRunAreJoined) {
  for (const uint64_t more : {0, 100, 300}) {
    Config c = dragonfly(0.2);
    c.warmup = 0;
    c.sample = 100 * 2 * LinkCounts::kMost - 200 + more;
    c.interval = 100;
    const LinkWindows joined = simulate(c).link_windows;
    c.interval = more == 300 ? 400 : 200;
    const LinkWindows twice = simulate(c).link_windows;
    EXPECT_EQ(joined.windows.size(), twice.windows.size());
    EXPECT_LE(joined.windows.size(), LinkCounts::kMost);
    EXPECT_EQ(joined.windows.back().last, c.sample) << more;
    for (size_t i = 0; i < std::min(joined.windows.size(), twice.windows.size()); ++i) {
      EXPECT_EQ(joined.windows[i].first, twice.windows[i].first) << i;
      EXPECT_EQ(joined.windows[i].last, twice.windows[i].last) << i;
      EXPECT_EQ(joined.windows[i].load, twice.windows[i].load) << i;
    }
  }
}

/// A checkpoint with as many windows as there may be is a good one; so is one in the midst of two that become one.
TEST(Statistics, ARunWithAllWindowsGoesOnFromACheckpoint) {
  Config c = dragonfly(0.05);
  c.warmup = 0;
  c.sample = 8000;
  c.interval = 100;
  const LinkWindows whole = simulate(c).link_windows;
  const auto first = make_simulation(c);
  while (first->result().link_windows.windows.size() != LinkCounts::kMost) ASSERT_TRUE(first->advance());
  for (const uint64_t later : {0, 300, 500}) {
    const LinkWindows rest = resumed(c, first->now() + later).link_windows;
    ASSERT_EQ(rest.windows.size(), whole.windows.size()) << later;
    for (size_t i = 0; i < whole.windows.size(); ++i) {
      EXPECT_EQ(rest.windows[i].last, whole.windows[i].last) << later << ": " << i;
      EXPECT_EQ(rest.windows[i].load, whole.windows[i].load) << later << ": " << i;
    }
  }
}

/// A page joins windows until their loads are few enough; a load weighs as much as its window is long.
TEST(Statistics, WindowsOfAPageAreFewEnough) {
  LinkWindows w;
  w.links = {{0, 1}, {1, 0}};
  w.windows = {{0, 100, {0.5F, 0.0F}},
               {100, 200, {0.25F, 1.0F}},
               {200, 300, {0.0F, 0.5F}},
               {300, 400, {1.0F, 0.5F}},
               {400, 500, {0.75F, 0.25F}}};
  const auto seen = [&w](size_t most) {
    std::vector<std::tuple<uint64_t, uint64_t, std::vector<float>>> out;
    for (const LinkWindows::Window& i : w.no_more_than(most)) out.emplace_back(i.first, i.last, i.load);
    return out;
  };
  using Windows = decltype(seen(0));
  EXPECT_EQ(seen(10).size(), 5U);
  const Windows three = {{0, 200, {0.375F, 0.5F}}, {200, 400, {0.5F, 0.5F}}, {400, 500, {0.75F, 0.25F}}};
  EXPECT_EQ(seen(9), three);
  EXPECT_EQ(seen(6), three);
  EXPECT_EQ(seen(5), (Windows{{0, 400, {0.4375F, 0.5F}}, {400, 500, {0.75F, 0.25F}}}));
  const Windows one = {{0, 500, {0.5F, 0.45F}}};
  EXPECT_EQ(seen(3), one);
  EXPECT_EQ(seen(0), one);
}

}  // namespace
}  // namespace odonata::network
