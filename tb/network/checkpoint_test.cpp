// SPDX-License-Identifier: Apache-2.0
// Checkpoints whose checksums are right: good states go on exactly, wrong ones are refused with the part that is wrong,
// and whatever is taken, the engine runs with (docs/network_ranks.md §5).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "models/workload/goal.h"
#include "sim/network/topologies/dragonfly.h"
#include "sim/network/traffic_source.h"
#include "tb/common/error_text.h"
#include "tb/network/configs.h"
#include "tb/network/damaged_state.h"
#include "tb/network/resumed.h"
#include "tb/network/timed_faults.h"

namespace odonata::network {
namespace {

constexpr const char* kRefused = "checkpoint: the state of another program: ";

/// Why a file is refused; empty: it is not.
std::string reason(Simulation& simulation, const std::string& file) {
  std::istringstream from(file);
  return error_text([&] { simulation.load(from); });
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

/// Whatever a run saves is taken: also while flits are on links that fail and come back.
TEST(Checkpoint, StatesOfEveryMomentAreTaken) {
  constexpr uint64_t kEnd = 420, kStep = 7;
  size_t states = 0;
  for (SavedRun& run : saved_runs()) {
    std::vector<TimedFault>& events = run.config.faults.events;
    const bool come_back = run.config.topology->name().find("torus") == std::string::npos &&
                           std::none_of(events.begin(), events.end(), [](const TimedFault& f) { return f.repair; });
    for (size_t i = 0, n = events.size(); come_back && i != n; ++i) {
      if (!events[i].fault.is_router) events.push_back({events[i].fault, true, events[i].cycle + 5});
    }
    const auto simulation = make_simulation(run.config);
    while (simulation->now() < kEnd) {
      const uint64_t next = simulation->now() + kStep;
      while (simulation->now() < next && simulation->advance()) {
      }
      std::stringstream file;
      simulation->save(file);
      EXPECT_EQ(reason(*make_simulation(run.config), file.str()), "") << run.name << ", cycle " << simulation->now();
      ++states;
    }
  }
  EXPECT_GT(states, 500u);
}

/// With the hardware's timing the channels of a port ask for a route in turn; whose turn it is belongs to a state.
TEST(Checkpoint, RoutesAreAskedForInTheSameTurn) {
  for (const RouteCompute timing : {RouteCompute::pipeline, RouteCompute::arrival}) {
    Config c = on_dragonfly(Dragonfly::named("tiny"));
    c.routing = "doar";
    c.traffic = "adv+1";
    c.load = 0.7;
    c.warmup = 300;
    c.sample = 700;
    c.drain = 0;
    c.route_compute = timing;
    const Result whole = simulate(c);
    for (uint64_t cycle = 100; cycle < whole.cycles; cycle += 100)
      EXPECT_EQ(resumed(c, cycle).digest, whole.digest) << cycle;
  }
}

/// A router or leaf that dies, is dead and comes back: a run goes on as it would have from every moment of that.
TEST(Checkpoint, RunsGoOnAroundADeathAndAReturn) {
  const auto config = [](const char* topology, const char* routing, const char* fault, const char* other) {
    Config c{make_topology(topology)};
    c.routing = routing;
    c.load = 0.3;
    c.warmup = 200;
    c.sample = 5000;
    c.drain = 1000;
    Random random(1);
    for (const auto& [name, down, up] : {std::tuple{fault, 400u, 3400u}, std::tuple{other, 900u, 3900u}}) {
      for (const fault::Fault& f : c.topology->parse_faults(name, random, {}))
        c.faults.events.push_back({f, false, down}), c.faults.events.push_back({f, true, up});
    }
    return c;
  };
  std::vector<Config> runs{config("dragonfly:2,4,2,8", "doar", "router:G1.s1", "router:G1.s2"),
                           config("dragonfly:2,4,2,8", "doar_stable", "router:G1.s1", "local:G1.s0-G1.s2"),
                           config("fat_tree:4x4x2x2", "vtftr", "leaf:1,1", "leaf:2,3"),
                           config("fat_tree:4x4x2x2", "vtftr", "leaf:1,1", "root:row,3,0"),
                           config("fat_tree:4x4x2x2", "vtftr_adaptive", "leaf:1,1", "leaf:2,3"),
                           config("fat_tree:3x2x2x2x2", "vtftr_k", "leaf:1,1,1", "leaf:2,0,1"),
                           config("fat_tree:4x4x2x2", "ft_a", "leaf:1,1", "leaf:2,3")};
  runs.push_back(runs[0]), runs.back().route_compute = RouteCompute::arrival;
  runs.push_back(runs[2]), runs.back().faults.live_traffic = true;
  for (const size_t i : {0, 2, 4}) {  // that stay dead
    runs.push_back(runs[i]);
    std::erase_if(runs.back().faults.events, [](const TimedFault& e) { return e.repair; });
  }
  for (const Config& c : runs) {
    const Result whole = simulate(c);
    EXPECT_GT(whole.lost, 0u) << c.routing;
    for (uint64_t cycle = 300; cycle < 5000; cycle += 250) {
      const Result rest = resumed(c, cycle);
      EXPECT_EQ(rest.digest, whole.digest) << c.topology->name() << ' ' << c.routing << ' ' << cycle;
      EXPECT_EQ(rest.lost, whole.lost) << c.routing << ' ' << cycle;
      EXPECT_EQ(rest.faults.quiet, whole.faults.quiet) << c.routing << ' ' << cycle;
      EXPECT_EQ(rest.faults.tables_ok, whole.faults.tables_ok) << c.routing << ' ' << cycle;
      EXPECT_EQ(rest.created, whole.created) << c.routing << ' ' << cycle;
    }
  }
}

/// Parts of a state that are found to be wrong below; each is a check that nothing else makes.
constexpr const char* kParts[] = {"a channel that no link has",
                                  "a congestion plane",
                                  "a credit in the mail",
                                  "a credit under way",
                                  "a histogram of latencies",
                                  "a list of a program",
                                  "a node",
                                  "a packet that is arriving",
                                  "a ring of flits",
                                  "a send queue",
                                  "an event of a program",
                                  "an input port",
                                  "an output port",
                                  "bits of what is due",
                                  "blocks of flits",
                                  "channels that packets hold",
                                  "choices of input ports",
                                  "counts of mail",
                                  "counts of waiting events",
                                  "credits for monitors",
                                  "credits of outputs",
                                  "cycles of waiting events",
                                  "free channels behind outputs",
                                  "free slots behind outputs",
                                  "input ports",
                                  "links that bring a flit",
                                  "mail kept for later",
                                  "nodes",
                                  "nodes that send",
                                  "nodes without room",
                                  "numbers of words in a table",
                                  "operations of a rank",
                                  "output ports",
                                  "packets of messages that are arriving",
                                  "packets, or sums over them",
                                  "ports with a packet",
                                  "queues of outputs",
                                  "slots and credits behind an output",
                                  "the address of a packet",
                                  "the channel of a flit",
                                  "the cycle in which a link is free",
                                  "the cycle in which a packet was created",
                                  "the cycle of a domain",
                                  "the cycle of a waiting event",
                                  "the cycle of mail",
                                  "the length of a list",
                                  "the length of a packet",
                                  "the next packet of a node",
                                  "the number of a packet",
                                  "the order of flits before a link",
                                  "the order of flits on a link",
                                  "the packet that a node sends",
                                  "the port of a flit",
                                  "the present cycle",
                                  "the route of a packet",
                                  "the timeline",
                                  "units of input ports",
                                  "what has to be acknowledged",
                                  "what routers know",
                                  "whether a link is up",
                                  "windows of the links' load"};

/// A few bytes that say that there are ten million more are not believed.
TEST(Checkpoint, WhatIsReadTakesNoMoreMemoryThanTheFileAllows) {
  const SavedRun run = saved_runs().front();
  const std::vector<std::string> good = states_of(run);
  std::vector<std::string> states = good;
  states[1].resize(10'000'000);
  const std::string file = StatePacker(run, good)(states);
  EXPECT_LT(file.size(), 20'000u);
  EXPECT_EQ(reason(*make_simulation(run.config), file),
            "checkpoint: damaged: the piece of domain 0 is longer than what is packed of it can say");
}

/// A run that is watched keeps tables that faults can change, others need not: said in words of the user.
TEST(Checkpoint, ARunThatIsWatchedAndOneThatIsNotAreToldApart) {
  Config plain = on_dragonfly(Dragonfly::parse("1,2,1,3"));
  Config watched = plain, other = plain;
  watched.taps = {{0, 0, nullptr}};
  other.seed = 7;
  const auto state = [](const Config& c) {
    std::ostringstream to;
    make_simulation(c)->save(to);
    return to.str();
  };
  EXPECT_EQ(reason(*make_simulation(watched), state(watched)), "");
  EXPECT_EQ(reason(*make_simulation(watched), state(plain)),
            "checkpoint: made without --device, this run has 'rtl, or --record'");
  EXPECT_EQ(reason(*make_simulation(plain), state(watched)),
            "checkpoint: made with another --device: 'rtl, or --record', this run has none");
  EXPECT_EQ(reason(*make_simulation(other), state(plain)),
            "checkpoint: made with another --seed: '1', this run has '7'");
}

/// Pieces in each other's place, of another cycle or left out.
TEST(Checkpoint, PiecesThatDoNotBelongTogetherAreRefused) {
  for (const SavedRun& run : saved_runs()) {
    const std::vector<std::string> good = states_of(run);
    const StatePacker pack(run, good);
    SavedRun later = run;
    later.cycle += 60;
    const std::vector<std::string> other = states_of(later);
    const auto simulation = make_simulation(run.config);
    const auto expect_refused = [&](const std::vector<std::string>& states, const char* what) {
      EXPECT_TRUE(reason(*simulation, pack(states)).starts_with(kRefused)) << run.name << ", " << what;
    };
    for (size_t piece = 0; piece != good.size(); ++piece) {
      std::vector<std::string> states = good;
      states[piece] = other[piece];
      expect_refused(states, "a piece of another cycle");
      states[piece] = good[piece].substr(0, good[piece].size() / 2);
      expect_refused(states, "half of a piece");
      states[piece] = good[(piece + 1) % good.size()];
      expect_refused(states, "another piece");
    }
  }
}

/// Numbers of the piece that all domains share, by their places in it.
TEST(Checkpoint, WhatAllDomainsShareIsRefusedByItself) {
  enum : size_t { kNow, kSteps, kSeenHops, kLastProgress, kSeenGone, kLastGone, kEntries, kTimeline };
  constexpr size_t kEntry = 7;  // numbers of an entry of the timeline, its cycle first
  constexpr uint64_t kHalf = ~uint64_t{0} / 2;
  const auto at = [](std::string& piece, size_t number) {
    return std::span(reinterpret_cast<unsigned char*>(piece.data()) + number * sizeof(uint64_t), sizeof(uint64_t));
  };
  const auto get = [&](std::string& piece, size_t number) {
    uint64_t out = 0;
    std::memcpy(&out, at(piece, number).data(), sizeof out);
    return out;
  };
  const auto set = [&](std::string& piece, size_t number, uint64_t value) {
    std::memcpy(at(piece, number).data(), &value, sizeof value);
  };
  const std::vector<SavedRun> runs = saved_runs();
  SavedRun with = *std::find_if(runs.begin(), runs.end(), [](const SavedRun& r) { return r.config.interval != 0; });
  SavedRun without = with;
  without.config.interval = 0;
  const std::vector<std::string> good = states_of(with), plain = states_of(without);
  const StatePacker pack(with, good), pack_plain(without, plain);
  const auto simulation = make_simulation(with.config), other = make_simulation(without.config);
  std::string piece = good[0], none = plain[0];
  ASSERT_EQ(get(piece, kNow), get(none, kNow));
  const uint64_t now = get(piece, kNow), entries = get(piece, kEntries);
  ASSERT_GT(entries, 2u);
  ASSERT_EQ(get(none, kEntries), 0u);
  const auto refusal = [&](size_t number, uint64_t value) {
    std::vector<std::string> states = good;
    set(states[0], number, value);
    return reason(*simulation, pack(states));
  };
  const std::string cycle = kRefused + std::string("the present cycle"),
                    timeline = kRefused + std::string("the timeline");
  for (const uint64_t never : {uint64_t{GeometricGap::kNever}, uint64_t{GeometricGap::kNever} + 1})
    EXPECT_EQ(refusal(kNow, never), cycle);
  for (const size_t number : {kSeenHops, kSeenGone}) {
    EXPECT_EQ(refusal(number, kHalf - 1), "");
    EXPECT_EQ(refusal(number, kHalf), cycle);
    EXPECT_EQ(refusal(number, kHalf + 1), cycle);
  }
  for (const size_t number : {kLastProgress, kLastGone}) {
    EXPECT_EQ(refusal(number, now), "");
    EXPECT_EQ(refusal(number, now + 1), cycle);
  }
  const size_t second = kTimeline + kEntry, last = kTimeline + (entries - 1) * kEntry;
  EXPECT_EQ(refusal(last, now), "");
  EXPECT_EQ(refusal(last, now + 1), timeline);
  EXPECT_EQ(refusal(kTimeline, 0), timeline);
  EXPECT_EQ(refusal(second, get(piece, kTimeline)), timeline) << "two entries of a cycle";
  EXPECT_EQ(refusal(second, get(piece, kTimeline) - 1), timeline) << "one that is later than the next";
  // A run that keeps no timeline has none.
  std::vector<std::string> states = plain;
  set(states[0], kEntries, 1);
  states[0].insert(kTimeline * sizeof(uint64_t), good[0], kTimeline * sizeof(uint64_t), kEntry * sizeof(uint64_t));
  EXPECT_EQ(reason(*other, pack_plain(states)), timeline);
}

/// A piece is as long as what it holds.
TEST(Checkpoint, APieceThatGoesOnBehindItsEndIsRefused) {
  const SavedRun run = saved_runs().front();
  const std::vector<std::string> good = states_of(run);
  const StatePacker pack(run, good);
  for (size_t piece = 0; piece != good.size(); ++piece) {
    std::vector<std::string> states = good;
    states[piece].push_back(0);
    EXPECT_EQ(reason(*make_simulation(run.config), pack(states)), kRefused + std::string("the length of a piece"))
        << piece;
  }
}

/// More domains than the network can be cut into.
TEST(Checkpoint, AFileOfMoreDomainsThanThereAreRoutersIsRefused) {
  const std::vector<SavedRun> runs = saved_runs();
  const SavedRun& run = *std::find_if(runs.begin(), runs.end(), [](const SavedRun& r) {
    return r.config.topology->name().find("mesh") != std::string::npos;
  });
  const std::vector<std::string> good = states_of(run);
  std::vector<std::string> states(1 + 20, good[1]);
  states[0] = good[0];
  EXPECT_EQ(reason(*make_simulation(run.config), StatePacker(run, states)(states)),
            "checkpoint: the state of another program");
}

/// What the directory says of pieces: that there is one, and how much is packed in it at most.
TEST(Checkpoint, ADirectoryThatCannotBeIsRefused) {
  const auto refusal = [](const std::vector<Piece>& pieces) {
    std::stringstream file;
    CheckpointWriter writer(file, "a run", 2);
    writer.add(pieces);
    writer.finish();
    return error_text([&] { CheckpointReader(file, "a run"); });
  };
  const std::string packed(10, 'x');
  const Piece common{0, 0, packed}, domain{1, 10'999, packed};
  EXPECT_EQ(refusal({common, domain}), "");
  EXPECT_EQ(refusal({domain}), "checkpoint: damaged: the common piece is missing");
  EXPECT_EQ(refusal({common}), "checkpoint: damaged: the piece of domain 0 is missing");
  EXPECT_EQ(refusal({common, {1, 11'000, packed}}),
            "checkpoint: damaged: the piece of domain 0 is longer than what is packed of it can say");
}

/// A packet that has its route may not take one behind which its way has no channels, nor to another node: every byte
/// of a domain of a rival of DOAR, and what is taken loses nothing.
TEST(Checkpoint, PacketsWithARouteComeHome) {
  const std::vector<SavedRun> runs = saved_runs();
  const auto run = std::find_if(runs.begin(), runs.end(), [](const SavedRun& r) {
    return r.config.routing == "tpr" && r.config.router.packet_flits() == 1;
  });
  ASSERT_NE(run, runs.end());
  const std::vector<std::string> good = states_of(*run);
  const StatePacker pack(*run, good);
  std::map<std::string, int> reasons;
  auto simulation = make_simulation(run->config);
  for (size_t at = 0; at < good[1].size(); ++at) {
    std::vector<std::string> states = good;
    states[1][at] = static_cast<char>(states[1][at] ^ (at % 2 == 0 ? 2 : 0xFF));  // channels; intermediate routers
    const std::string why = reason(*simulation, pack(states));
    ++reasons[why];
    if (!why.empty()) continue;
    const uint64_t end = simulation->now() + 30;
    while (simulation->now() < end && simulation->advance()) {
    }
    EXPECT_TRUE(simulation->result().conservation_ok) << "byte " << at;
    simulation = make_simulation(run->config);
  }
  for (const char* part : {"the way of a packet", "the route of a packet"})
    EXPECT_GT(reasons[kRefused + std::string(part)], 0) << part;
}

/// Some of the bytes of a state are changed, one at a time. Many are numbers that any run could have: those of random
/// processes, of statistics, of flits that have left.
TEST(Checkpoint, WrongStatesBehindRightChecksumsAreRefusedWithThePartThatIsWrong) {
  std::map<std::string, int> reasons;
  size_t taken = 0, all = 0;
  for (const SavedRun& run : saved_runs()) {
    const std::vector<std::string> good = states_of(run);
    const StatePacker pack(run, good);
    size_t bytes = 0;
    for (const std::string& s : good) bytes += s.size();
    auto simulation = make_simulation(run.config);
    const size_t step = bytes / run.changes | 1;
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
        const uint64_t end = simulation->now() + 50;
        while (simulation->now() < end && simulation->advance()) {
        }
        simulation = make_simulation(run.config);
      }
    }
  }
  for (const char* part : kParts) EXPECT_GT(reasons[part], 0) << "nothing was wrong with " << part;
  EXPECT_LT(taken, all);
}

/// A checkpoint goes on with the places of its ranks and the repairs to come: a run with others is told which.
TEST(Checkpoint, BelongsToItsPlacesAndItsRepairs) {
  const auto refusal = [](const Config& saved, const Config& loaded) {
    const auto first = make_simulation(saved);
    first->advance();
    std::stringstream file;
    first->save(file);
    EXPECT_EQ(reason(*make_simulation(saved), file.str()), "");
    return reason(*make_simulation(loaded), file.str());
  };
  const auto placed = [](std::vector<uint32_t> nodes) {
    Config c{make_topology("mesh:4x4")};
    c.routing = "dor";
    c.load = 0;
    c.warmup = 0;
    c.sample = 10'000;
    workload::Workload all;
    all.jobs = {workload::read_goal("num_ranks 2 rank 0 { send 32000b to 1 } rank 1 { recv 32000b from 0 }")};
    c.workload = std::make_shared<const workload::Workload>(std::move(all));
    c.programs.mapping = "file:places";
    c.programs.placed = std::move(nodes);
    return c;
  };
  EXPECT_NE(refusal(placed({0, 5}), placed({0, 6})).find("another --mapping"), std::string::npos)
      << refusal(placed({0, 5}), placed({0, 6}));
  const auto repaired = [](uint64_t cycle) {
    Config c = run_on_tiny("doar", "ur", 0.1, 300, 4000);
    add_faults(c, {"global:G0-G2"}, 500, cycle);
    return c;
  };
  EXPECT_NE(refusal(repaired(3000), repaired(3001)).find("another --repair"), std::string::npos)
      << refusal(repaired(3000), repaired(3001));
}

/// docs/network_ranks.md §5: a checkpoint goes on with the packets of its trace only, as many and as different as they
/// may be.
TEST(Checkpoint, BelongsToItsTrace) {
  const auto with_packet = [](const traffic::TracePacket& last) {
    Config c = on_dragonfly(Dragonfly::named("tiny"));
    c.trace =
        std::make_shared<traffic::PacketTrace>(traffic::PacketTrace{64, "", {{0, 0, 9, 2}, {400, 1, 9, 1}, last}});
    c.warmup = 0;
    c.sample = 1000;
    return c;
  };
  const auto first = make_simulation(with_packet({900, 2, 9, 1}));
  first->advance();
  std::stringstream file;
  first->save(file);
  EXPECT_EQ(reason(*make_simulation(with_packet({900, 2, 9, 1})), file.str()), "");
  for (const traffic::TracePacket& other :
       std::vector<traffic::TracePacket>{{901, 2, 9, 1}, {900, 3, 9, 1}, {900, 2, 10, 1}, {900, 2, 9, 2}}) {
    const std::string refusal = reason(*make_simulation(with_packet(other)), file.str());
    EXPECT_NE(refusal.find("another --traffic"), std::string::npos) << refusal;
  }
}

}  // namespace
}  // namespace odonata::network
