// SPDX-License-Identifier: Apache-2.0
// The stimulus against the golden unit alone: coverage, handshake, determinism, and that real streams are real.
#include "tb/common/error_text.h"
#include "tb/route_compute/stimulus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <set>

#include "tb/route_compute/coverage.h"
#include "tb/route_compute/operations.h"

namespace odonata::cosim {
namespace {

using route_compute::Unit;
using route_compute::UnitInputs;
using route_compute::UnitOutputs;
namespace reg = route_compute::reg;
using Played = Recorded<UnitInputs, UnitOutputs>;

/// Runs `stimulus` for at most `cycles` and calls `each(inputs, unit)` after every one.
template <class Stim, class Each>
uint64_t drive(Stim& stimulus, Unit& unit, uint64_t cycles, Each&& each) {
  uint64_t n = 0;
  UnitInputs in;
  while (n < cycles && stimulus.next(unit.out(), in)) {
    unit.step(in);
    each(in, unit);
    ++n;
  }
  return n;
}

uint64_t hash_inputs(uint64_t hash, const UnitInputs& in) {
  const uint64_t flags = in.reset | in.req_valid << 1 | in.cfg_valid << 2 | in.cfg_write << 3;
  for (const uint64_t word :
       {flags, static_cast<uint64_t>(in.req_dest), static_cast<uint64_t>(in.req_src_gid),
        static_cast<uint64_t>(in.req_vc), static_cast<uint64_t>(in.cfg_addr), in.cfg_wdata, in.congestion.local}) {
    hash = mix_seed(hash, word);
  }
  for (const uint64_t word : in.congestion.global.word) hash = mix_seed(hash, word);
  return hash;
}

template <class Stim>
uint64_t stream_hash(Stim stimulus, const Dragonfly& d, uint64_t cycles) {
  Unit unit(d);
  uint64_t hash = 0;
  drive(stimulus, unit, cycles, [&](const UnitInputs& in, const Unit&) { hash = hash_inputs(hash, in); });
  return hash;
}

/// The rules of the configuration pins, and that no RAM word is read before it was written.
class PinMonitor {
 public:
  explicit PinMonitor(const Dragonfly& d) : d_(d), written_a_(table::size_a(d)), written_b_(table::size_b(d)) {}

  /// Before the step: `in` meets the unit's present outputs.
  void sample(const UnitInputs& in, const Unit& unit) {
    const UnitOutputs& out = unit.out();
    acknowledged_ += out.cfg_ack;
    check_range(in);
    if (in.reset) {
      held_ = false;
      acknowledged_ = taken_ = 0;
      return;
    }
    if (held_) {
      EXPECT_TRUE(in.cfg_valid) << "an offered operation was withdrawn";
      EXPECT_EQ(in.cfg_write, operation_.cfg_write);
      EXPECT_EQ(in.cfg_addr, operation_.cfg_addr);
      EXPECT_EQ(in.cfg_wdata, operation_.cfg_wdata);
    }
    held_ = in.cfg_valid && !out.cfg_ready;
    operation_ = in;
    if (in.cfg_valid && out.cfg_ready) take(in);
    if (in.req_valid) {
      EXPECT_TRUE(complete()) << "a request before the tables are complete";
    }
  }
  uint64_t outstanding() const { return taken_ - acknowledged_; }
  uint64_t taken() const { return all_taken_; }

 private:
  void check_range(const UnitInputs& in) const {
    EXPECT_EQ(in.congestion.local & ~low_mask(d_.num_ports()), 0u);
    EXPECT_FALSE((in.congestion.global & ~GroupMap::low(d_.group_ports())).any());
    EXPECT_LT(in.req_dest, 1u << 18);
    EXPECT_LT(in.req_src_gid, 512);
    EXPECT_LT(in.req_vc, 4);
    EXPECT_LT(in.cfg_addr, 4096);
  }
  void take(const UnitInputs& in) {
    ++taken_;
    ++all_taken_;
    const size_t offset = in.cfg_addr & 1023;
    std::vector<bool>* const table = in.cfg_addr < 1024 ? &written_a_ : in.cfg_addr < 2048 ? &written_b_ : nullptr;
    if (table == nullptr || offset >= table->size() || (*table)[offset]) return;
    EXPECT_TRUE(in.cfg_write) << "a read of a word that was never written";
    (*table)[offset] = true;
    ++words_;
  }
  bool complete() const { return words_ == written_a_.size() + written_b_.size(); }

  Dragonfly d_;
  std::vector<bool> written_a_, written_b_;
  size_t words_ = 0;
  bool held_ = false;
  UnitInputs operation_;
  uint64_t taken_ = 0, acknowledged_ = 0, all_taken_ = 0;
};

template <class Stim>
uint64_t run_monitored(Stim stimulus, const Dragonfly& d, uint64_t cycles) {
  Unit unit(d);
  PinMonitor monitor(d);
  UnitInputs in;
  for (uint64_t n = 0; n < cycles && stimulus.next(unit.out(), in); ++n) {
    monitor.sample(in, unit);
    unit.step(in);
  }
  EXPECT_LE(monitor.outstanding(), 3u);
  return monitor.taken();
}

class StimulusAtSize : public testing::TestWithParam<const char*> {
 protected:
  const Dragonfly d = Dragonfly::named(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Sizes, StimulusAtSize, testing::Values("tiny", "paper", "full"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(StimulusAtSize, DirectedCornerAndTrafficReachEveryBin) {
  RouteComputeCoverage coverage(d);
  Unit unit(d);
  const auto sample = [&](const UnitInputs& in, const Unit& u) { coverage.sample(in, u); };
  Played directed(all_directed_tests(d));
  drive(directed, unit, ~0ull, sample);
  CornerStimulus corner(d, {.seed = 1, .cycles = 200'000});
  drive(corner, unit, ~0ull, sample);
  TrafficOptions options;
  options.cycles = 100'000;
  TrafficStimulus traffic(d, options);
  drive(traffic, unit, ~0ull, sample);
  EXPECT_EQ(coverage.coverage().percent(), 100) << coverage.coverage().to_text(50);
  EXPECT_EQ(coverage.coverage().errors(), "");
}

TEST_P(StimulusAtSize, EveryDirectedTestStartsFromResetAndEnds) {
  for (const DirectedTest& test : directed_tests()) {
    const std::vector<UnitInputs> cycles = test.make(d);
    ASSERT_FALSE(cycles.empty());
    EXPECT_TRUE(cycles.front().reset) << test.name;
    EXPECT_LT(cycles.size(), 60'000u) << test.name;
    EXPECT_GT(run_monitored(Played(cycles), d, ~0ull), 0u) << test.name;
  }
}

TEST_P(StimulusAtSize, SameSeedSameStream) {
  for (const char* pattern : {"ur", "adv+1", "rp"}) {
    TrafficOptions options;
    options.pattern = pattern;
    const uint64_t hash = stream_hash(TrafficStimulus(d, options), d, 30'000);
    EXPECT_EQ(hash, stream_hash(TrafficStimulus(d, options), d, 30'000));
    options.seed = 2;
    EXPECT_NE(hash, stream_hash(TrafficStimulus(d, options), d, 30'000));
  }
  EXPECT_EQ(stream_hash(CornerStimulus(d, {.seed = 5}), d, 30'000),
            stream_hash(CornerStimulus(d, {.seed = 5}), d, 30'000));
  EXPECT_NE(stream_hash(CornerStimulus(d, {.seed = 5}), d, 30'000),
            stream_hash(CornerStimulus(d, {.seed = 6}), d, 30'000));
}

TEST_P(StimulusAtSize, HandshakeIsKept) {
  for (const double load : {0.1, 0.8, 1.0}) {
    TrafficOptions options;
    options.load = load;
    options.table_write_rate = 0.02;
    options.failure_rate = 0.001;
    options.reset_rate = 0.0005;
    EXPECT_GT(run_monitored(TrafficStimulus(d, options), d, 60'000), 1000u);
  }
  EXPECT_GT(run_monitored(CornerStimulus(d, {.seed = 3}), d, 100'000), 10'000u);
}

/// Real packets meet real tables: on a fault-free configuration every packet finds a way and no packet runs out of
/// virtual channels.
TEST_P(StimulusAtSize, RealStreamsAreRoutable) {
  const int ports[] = {0, d.p() - 1, d.first_local(), d.first_global() - 1, d.first_global(), d.num_ports() - 1};
  for (const char* pattern : {"ur", "adv+1", "rp"}) {
    for (const RouterId router : {RouterId{2, 0}, RouterId{d.g() - 2, d.a() - 1}}) {
      for (const int port : ports) {
        if (d.port_class(port) != PortClass::node && !d.peer(router, port).connected) continue;
        TrafficOptions options;
        options.pattern = pattern;
        options.router = router;
        options.port = port;
        options.table_write_rate = options.failure_rate = options.reset_rate = 0;
        options.transactions = 3000;
        TrafficStimulus stimulus(d, options);
        Unit unit(d);
        uint64_t responses = 0, unroutable = 0;
        drive(stimulus, unit, 1'000'000, [&](const UnitInputs&, const Unit& u) {
          responses += u.out().resp_valid;
          unroutable += u.out().resp_valid && u.out().resp_hop_class == 0;
        });
        EXPECT_EQ(responses, 3000u);
        EXPECT_EQ(unroutable, 0u) << stimulus.describe();
      }
    }
  }
}

TEST_P(StimulusAtSize, ARunSeesManyRoutersAllClassesAndBothArrangements) {
  TrafficOptions options;
  options.assignment_cycles = 4 * static_cast<uint64_t>(table::size_a(d) + table::size_b(d));
  TrafficStimulus stimulus(d, options);
  Unit unit(d);
  std::set<std::pair<int, int>> routers, units;
  drive(stimulus, unit, 300 * options.assignment_cycles, [&](const UnitInputs&, const Unit& u) {
    if (!u.out().resp_valid) return;
    const route_compute::UnitConfig& config = u.registers().config();
    routers.insert({config.own().gid, config.own().bid});
    units.insert({static_cast<int>(config.port_class()), config.absolute()});
  });
  EXPECT_GT(stimulus.assignments(), 20u);
  EXPECT_GT(routers.size(), 12u);
  EXPECT_EQ(units.size(), 6u);
}

TEST_P(StimulusAtSize, RequestsFollowTheLoad) {
  for (const double load : {0.0, 0.25, 0.8, 1.0}) {
    TrafficOptions options;
    options.router = RouterId{1, 1};
    options.port = 0;
    options.load = load;
    options.table_write_rate = options.failure_rate = options.reset_rate = options.read_rate = options.refused_rate = 0;
    TrafficStimulus stimulus(d, options);
    Unit unit(d);
    const uint64_t configuration = static_cast<uint64_t>(table::size_a(d) + table::size_b(d) + d.a() + 10);
    drive(stimulus, unit, configuration, [](const UnitInputs&, const Unit&) {});
    uint64_t requests = 0;
    drive(stimulus, unit, 40'000, [&](const UnitInputs& in, const Unit&) { requests += in.req_valid; });
    EXPECT_NEAR(static_cast<double>(requests) / 40'000, load, 0.01);
  }
}

/// A failed port is congested at once; a little later no decision names it any more, until it is repaired.
TEST_P(StimulusAtSize, FailuresShowInMapsAndTables) {
  TrafficOptions options;
  options.router = RouterId{1, 1};
  options.port = 0;
  options.load = 0.05;  // no queue is long: what stays congested has failed
  options.table_write_rate = options.reset_rate = 0;
  options.failure_rate = 0.002;
  TrafficStimulus stimulus(d, options);
  Unit unit(d);
  std::vector<int> congested_for(d.num_ports());
  std::set<int> failed, repaired;
  uint64_t checked = 0;
  drive(stimulus, unit, 400'000, [&](const UnitInputs& in, const Unit& u) {
    for (int port = 0; port < d.num_ports(); ++port) {
      const bool congested = (in.congestion.local >> port & 1) != 0;
      if (!congested && congested_for[port] >= 1000) repaired.insert(port);
      congested_for[port] = congested ? congested_for[port] + 1 : 0;
      if (congested_for[port] != 1000) continue;
      failed.insert(port);
    }
    if (!u.out().resp_valid || u.out().resp_port == kNoPort) return;
    checked += std::any_of(congested_for.begin(), congested_for.end(), [](int cycles) { return cycles >= 1000; });
    EXPECT_LT(congested_for[u.out().resp_port], 1000) << "port " << int{u.out().resp_port} << " failed long ago";
  });
  EXPECT_GE(failed.size(), 3u);
  EXPECT_GE(repaired.size(), 3u);
  EXPECT_GT(checked, 1000u);
}

TEST(TrafficStimulus, LimitsEndTheStream) {
  const Dragonfly d = Dragonfly::named("tiny");
  TrafficOptions options;
  options.cycles = 1234;
  TrafficStimulus by_cycles(d, options);
  Unit unit(d);
  EXPECT_EQ(drive(by_cycles, unit, ~0ull, [](const UnitInputs&, const Unit&) {}), 1234u);
  options.cycles = 0;
  options.transactions = 777;
  TrafficStimulus by_responses(d, options);
  unit = Unit(d);
  uint64_t responses = 0;
  drive(by_responses, unit, ~0ull, [&](const UnitInputs&, const Unit& u) { responses += u.out().resp_valid; });
  EXPECT_EQ(responses, 777u);
}

TEST(TrafficStimulus, BadOptionsAreRefused) {
  const Dragonfly d = Dragonfly::named("tiny");
  const auto refused = [&d](const std::function<void(TrafficOptions&)>& change, const std::string& text) {
    TrafficOptions options;
    change(options);
    EXPECT_EQ(error_text([&] { TrafficStimulus stimulus(d, options); }), text);
  };
  refused([](TrafficOptions& o) { o.pattern = "nonsense"; },
          "traffic pattern 'nonsense' is unknown, expected ur, rp or adv+I with I in 1..7");
  refused([](TrafficOptions& o) { o.load = 1.5; }, "traffic: load = 1.5 is out of range, expected 0..1");
  refused([](TrafficOptions& o) { o.reset_rate = -1; }, "traffic: reset_rate = -1 is out of range, expected 0..1");
  refused(
      [](TrafficOptions& o) {
        o.router = RouterId{8, 0};
      },
      "traffic: there is no router 0 in group 8 of dfly(2,4,2,8) direct");
  refused([](TrafficOptions& o) { o.port = 7; }, "traffic: port 7 is out of range, expected 0..6");
  refused(
      [](TrafficOptions& o) {
        o.router = RouterId{1, 0};
        o.port = 6;
      },
      "traffic: port 6 has no link, so no packet arrives there");
}

TEST(RefusedOperations, AreRefusedAndOfEveryKind) {
  for (const char* size : {"tiny", "paper", "full"}) {
    const Dragonfly d = Dragonfly::named(size);
    Random random(1);
    for (const PortClass port_class : {PortClass::node, PortClass::local, PortClass::global}) {
      route_compute::Registers registers(d);
      registers.write(route_compute::Target::port, reg::kPort / 8, static_cast<uint64_t>(port_class));
      for (int kind = 0; kind < kRefusals; ++kind) {
        for (int n = 0; n < 50; ++n) {
          const ConfigOperation op = refused_operation(d, kind, port_class, random);
          EXPECT_EQ(registers.target(op.write, op.address / 8, op.data), route_compute::Target::refused)
              << size << " kind " << kind;
        }
      }
      for (int n = 0; n < 1000; ++n) {
        const ConfigOperation op = random_read(d, random);
        EXPECT_NE(registers.target(op.write, op.address / 8, op.data), route_compute::Target::refused);
      }
    }
  }
}

TEST(RandomEntries, AreValid) {
  for (const char* size : {"tiny", "paper", "full"}) {
    const Dragonfly d = Dragonfly::named(size);
    Random random(1);
    for (int n = 0; n < 5000; ++n) {
      const uint64_t entry = random_default_entry(d, random), a = random_global_a(d, random),
                     b = random_global_b(d, random);
      EXPECT_TRUE(table::valid_default_entry(d, entry));
      EXPECT_TRUE(table::valid_default_entry(d, without_an_option(entry, random)));
      EXPECT_TRUE(table::valid_global_a(d, a) && table::valid_global_a(d, global_a_without_an_option(a, random)));
      EXPECT_TRUE(table::valid_global_b(d, b) && table::valid_global_b(d, global_b_without_an_option(b, random)));
      EXPECT_TRUE(table::valid_c(d, random_entry_c(d, random)));
    }
  }
}

TEST(RouteComputeCoverage, TrafficAloneIsNotEnoughAndSaysWhatIsMissing) {
  const Dragonfly d = Dragonfly::named("tiny");
  RouteComputeCoverage coverage(d);
  Unit unit(d);
  TrafficOptions options;
  options.cycles = 5000;
  TrafficStimulus traffic(d, options);
  drive(traffic, unit, ~0ull, [&](const UnitInputs& in, const Unit& u) { coverage.sample(in, u); });
  EXPECT_LT(coverage.coverage().percent(), 90);
  EXPECT_EQ(coverage.coverage().to_json()["unreached"].size(), coverage.coverage().unreached().size());
  EXPECT_EQ(coverage.coverage().errors(), "");
}

TEST(RouteComputeCoverage, StrideLooksAtFewerResponses) {
  const Dragonfly d = Dragonfly::named("tiny");
  RouteComputeCoverage all(d), some(d, 8);
  Unit unit(d);
  CornerStimulus corner(d, {.cycles = 20'000});
  drive(corner, unit, ~0ull, [&](const UnitInputs& in, const Unit& u) {
    all.sample(in, u);
    some.sample(in, u);
  });
  const auto hits = [](const RouteComputeCoverage& c, const std::string& group) {
    const nlohmann::json json = c.coverage().to_json();
    for (const auto& g : json["groups"]) {
      if (g["name"] == group) return g["hits"].get<double>();
    }
    return 0.0;
  };
  EXPECT_NEAR(hits(all, "decision") / hits(some, "decision"), 8, 0.01);
  EXPECT_EQ(hits(all, "operation"), hits(some, "operation"));
}

TEST(Coverage, NamesCountsAndPercent) {
  Coverage c;
  EXPECT_EQ(c.percent(), 0);
  const int cross = c.declare("colour", {{"hue", {"red", "blue"}}, number_axis("level", 3, 1)});
  const int single = c.declare("other", {{"only", {"one"}}});
  EXPECT_EQ(c.num_bins(), 7);
  EXPECT_EQ(c.name(cross + 4), "colour: hue=blue level=2");
  EXPECT_EQ(c.name(single), "other: only=one");
  for (int bin = 0; bin < 6; ++bin) c.hit(bin);
  EXPECT_LT(c.percent(), 100);
  EXPECT_EQ(c.unreached(), std::vector<int>{single});
  EXPECT_NE(c.to_text().find("not reached  other: only=one"), std::string::npos);
  EXPECT_EQ(c.to_json()["unreached"][0], "other: only=one");
  c.hit(single);
  EXPECT_EQ(c.percent(), 100);
  EXPECT_EQ(c.count(single), 1u);
  c.clear();
  EXPECT_EQ(c.unreached().size(), 7u);
}

TEST(Coverage, AHitUnreachableBinIsAnError) {
  Coverage c;
  c.declare("parity", {number_axis("n", 4)},
            [](std::span<const int> v) { return v[0] % 2 ? std::string("odd never comes") : ""; });
  c.hit(0);
  c.hit(2);
  EXPECT_EQ(c.percent(), 100);
  EXPECT_EQ(c.errors(), "");
  EXPECT_EQ(c.to_json()["unreachable"], 2);
  EXPECT_EQ(c.to_json()["justifications"][0]["text"], "odd never comes");
  EXPECT_EQ(c.to_json()["justifications"][0]["bins"], 2);
  c.hit(3);
  c.hit(3);
  EXPECT_EQ(c.contradicted(), std::vector<int>{3});
  EXPECT_EQ(c.errors(), "coverage: 'parity: n=3' was hit 2 times, but is declared unreachable: odd never comes\n");
  EXPECT_NE(c.to_text().find("declared unreachable"), std::string::npos);
  EXPECT_EQ(c.to_json()["contradicted"][0]["hits"], 2);
  EXPECT_EQ(c.percent(), 100);  // the percentage is of the reachable bins; the error stands beside it
}

TEST(Coverage, MergeAdds) {
  const auto make = [] {
    Coverage c;
    c.declare("n", {number_axis("n", 3)});
    return c;
  };
  Coverage one = make(), two = make(), other;
  one.hit(0);
  two.hit(0);
  two.hit(2);
  one.merge(two);
  EXPECT_EQ(one.count(0), 2u);
  EXPECT_EQ(one.unreached(), std::vector<int>{1});
  EXPECT_THROW(one.merge(other), std::logic_error);
}

// ---- Maps out of the congestion plane ----

TEST(PlaneMaps, AreWhatTheStimulusDrivesWhateverTheUnitDoes) {
  const Dragonfly d = Dragonfly::named("tiny");
  TrafficOptions options;
  options.seed = 5;
  options.router = RouterId{0, 2};
  options.port = 3;
  options.failure_rate = 0;
  options.maps = MapSource::plane;
  TrafficStimulus stimulus(d, options);
  PlaneMaps plane(d, options.load, mix_seed(options.seed, 0x706C));
  Unit unit(d);
  std::set<uint64_t> local, global;
  uint64_t congested = 0, free = 0;
  drive(stimulus, unit, 30'000, [&](const UnitInputs& in, const Unit&) {
    plane.step();
    const route_compute::Congestion map = plane.map(2, 3);
    ASSERT_EQ(in.congestion.local, map.local);
    ASSERT_EQ(in.congestion.global, map.global);
    local.insert(map.local);
    global.insert(map.global.word[0]);
    congested += map.global.any();
    free += map.local == 0;
  });
  EXPECT_GT(local.size(), 10u);
  EXPECT_GT(global.size(), 10u);
  EXPECT_GT(congested, 1000u);
  EXPECT_GT(free, 100u);
}

TEST(PlaneMaps, CarryFailuresToTheOwnAndToTheOtherRouters) {
  const Dragonfly d = Dragonfly::named("tiny");
  PlaneMaps plane(d, 0, 1);  // no load: nothing else is congested
  for (int i = 0; i < 200; ++i) plane.step();
  EXPECT_EQ(plane.map(1, 0).local, 0u);
  EXPECT_FALSE(plane.map(1, 0).global.any());
  GroupMap others;
  others.set(3 * d.h() + 1);  // second global port of router 3
  plane.set_failed(1, PortMap{1} << d.first_local(), others);
  for (int i = 0; i < 3; ++i) plane.step();
  EXPECT_EQ(plane.map(1, 0).local, PortMap{1} << d.first_local());
  EXPECT_FALSE(plane.map(1, 0).global.any()) << "still on its way";
  for (int i = 0; i < 200; ++i) plane.step();
  for (int port = 0; port < d.num_ports(); ++port) EXPECT_TRUE(plane.map(1, port).global.test(3 * d.h() + 1)) << port;
  plane.set_failed(1, 0, {});
  for (int i = 0; i < 200; ++i) plane.step();
  EXPECT_EQ(plane.map(1, 0).local, 0u);
  EXPECT_FALSE(plane.map(1, 0).global.any());
}

}  // namespace
}  // namespace odonata::cosim
