// SPDX-License-Identifier: Apache-2.0
#include "models/arb_request/deadlock.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "models/common/error.h"
#include "models/common/random.h"

namespace odonata::arb_request {
namespace {

SearchOptions options(Rule rule, int slots, int packets, Selection selection = Selection::kAny) {
  SearchOptions o;
  o.rule = rule;
  o.slots = slots;
  o.packets = packets;
  o.selection = selection;
  return o;
}

// An independent search: configurations as sorted sets of (router, dimension, direction, destination), steps from the
// definitions (eq. 5-13) on coordinates. Two dimensions, no packing, no tables, arrived packets stay until ejected.
struct Naive {
  using Item = std::array<int, 6>;  // x, y, dimension, direction, destination x, y
  using State = std::multiset<Item>;
  int k, slots, packets;
  Rule rule;
  bool strict;
  std::set<State> seen;
  int64_t deadlocks = 0;

  int credit(const State& s, int x, int y, int d, int a) const {
    int n = slots;
    for (const Item& i : s) n -= i[0] == x && i[1] == y && i[2] == d && i[3] == a;
    return n;
  }
  std::vector<Item> next(const State& s, int x, int y, int dx, int dy) const {
    const int delta[2] = {dx - x, dy - y};
    const int z = (delta[0] != 0) + (delta[1] != 0);
    std::vector<Item> high, low;
    for (int d = 0; d < 2; ++d) {
      if (delta[d] == 0) continue;
      const int a = delta[d] > 0 ? 1 : -1;
      const Item item{x + (d == 0 ? a : 0), y + (d == 1 ? a : 0), d, a, dx, dy};
      const int m = credit(s, item[0], item[1], d, a);
      const bool lowest = d == 0 || delta[0] == 0;
      if (rule == Rule::kMixedDor) {
        if (m >= 1) high.push_back(item);
      } else if (m >= (rule == Rule::kD2raLowered ? std::max(1, z - 1) : z) && (rule != Rule::kDor || lowest)) {
        high.push_back(item);
      } else if (lowest && m >= 1 && rule != Rule::kDbra) {
        low.push_back(item);
      }
    }
    if (!strict || high.empty()) high.insert(high.end(), low.begin(), low.end());
    return high;
  }
  void run() {
    std::vector<State> todo{State{}};
    seen.insert(State{});
    const auto reach = [&](State s, const Item& i) {
      s.insert(i);
      if (seen.insert(s).second) todo.push_back(s);
    };
    while (!todo.empty()) {
      const State s = todo.back();
      todo.pop_back();
      bool moves = s.empty();
      for (const Item& i : s) {
        State rest = s;
        rest.erase(rest.find(i));
        if (i[0] == i[4] && i[1] == i[5]) {
          moves = true;
          if (seen.insert(rest).second) todo.push_back(rest);
          continue;
        }
        for (const Item& to : next(s, i[0], i[1], i[4], i[5])) moves = true, reach(rest, to);
      }
      deadlocks += !moves;
      if (static_cast<int>(s.size()) == packets) continue;
      for (int from = 0; from < k * k; ++from)
        for (int to = 0; to < k * k; ++to)
          if (from != to)
            for (const Item& i : next(s, from % k, from / k, to % k, to / k)) reach(s, i);
    }
  }
};

TEST(Deadlock, SearchAgreesWithTheNaiveOneStateByState) {
  const Mesh mesh = Mesh::parse("2x2");
  for (const Rule rule : {Rule::kDor, Rule::kDbra, Rule::kD2ra, Rule::kMixedDor, Rule::kD2raLowered}) {
    for (const bool strict : {false, true}) {
      for (const auto& [slots, packets] : std::vector<std::pair<int, int>>{{1, 4}, {2, 3}}) {
        Naive naive{2, slots, packets, rule, strict, {}, 0};
        naive.run();
        SearchOptions o = options(rule, slots, packets, strict ? Selection::kStrict : Selection::kAny);
        o.keep_arrived = true;
        const SearchResult r = search(mesh, o);
        EXPECT_EQ(r.states, naive.seen.size()) << name_of(rule) << " slots " << slots << " strict " << strict;
        EXPECT_EQ(r.deadlocks, naive.deadlocks) << name_of(rule) << " slots " << slots << " strict " << strict;
        EXPECT_GT(r.states, 100u);
      }
    }
  }
}

TEST(Deadlock, SearchAgreesWithTheNaiveOneOnA3x3Mesh) {
  Naive naive{3, 1, 2, Rule::kD2ra, true, {}, 0};
  naive.run();
  EXPECT_EQ(search(Mesh::parse("3x3"), options(Rule::kD2ra, 1, 2, Selection::kStrict)).states, naive.seen.size());
}

struct Network {
  const char* mesh;
  int slots, packets;
};

TEST(Deadlock, D2raIsFreeOfDeadlockOnSmallNetworks) {
  uint64_t states = 0;
  for (const Network& n : std::vector<Network>{{"2x2", 1, 8},
                                               {"2x2", 2, 16},
                                               {"2x2", 3, 24},
                                               {"3x3", 1, 5},
                                               {"3x3", 2, 4},
                                               {"3x3", 3, 4},
                                               {"2x2x2", 1, 5},
                                               {"2x2x2", 2, 4},
                                               {"2x2x2", 3, 4}}) {
    const SearchResult r = search(Mesh::parse(n.mesh), options(Rule::kD2ra, n.slots, n.packets));
    EXPECT_EQ(r.end, SearchEnd::kComplete);
    EXPECT_EQ(r.deadlocks, 0u) << n.mesh;
    states += r.states;
  }
  EXPECT_GT(states, 1'000'000u);
}

TEST(Deadlock, D2raIsFreeUnderTheStrictSelectionToo) {
  for (const Network& n :
       std::vector<Network>{{"2x2", 1, 8}, {"2x2", 2, 5}, {"3x3", 1, 3}, {"2x2x2", 1, 3}, {"2x2x2", 2, 3}}) {
    const SearchResult r = search(Mesh::parse(n.mesh), options(Rule::kD2ra, n.slots, n.packets, Selection::kStrict));
    EXPECT_EQ(r.deadlocks, 0u) << n.mesh;
    EXPECT_GT(r.states, 1000u);
  }
}

TEST(Deadlock, D2raIsFreeForAnyNumberOfPackets) {
  for (const char* mesh : {"2x2", "3x3", "2x2x2", "4x4", "8x8", "3x3x3", "4x4x4", "2x3x4", "2x2x2x2", "3x3x3x3"})
    for (int slots = 1; slots <= 4; ++slots)
      for (const Rule rule : {Rule::kD2ra, Rule::kDor}) {
        const UnboundedResult r = check_unbounded(Mesh::parse(mesh), rule, slots);
        EXPECT_TRUE(r.deadlock_free) << mesh << " " << name_of(rule) << " slots " << slots;
        EXPECT_GT(r.kinds, 0);
      }
}

TEST(Deadlock, DbraIsFreeButStarvesWithFewerSlotsThanDimensions) {
  const Mesh mesh = Mesh::parse("2x2x2");
  for (int slots = 1; slots <= 4; ++slots) {
    EXPECT_TRUE(check_unbounded(mesh, Rule::kDbra, slots).deadlock_free);
    EXPECT_EQ(never_injected(mesh, Rule::kDbra, slots).empty(), slots >= 3);
    EXPECT_EQ(never_injected(mesh, Rule::kD2ra, slots), "");
  }
  EXPECT_EQ(never_injected(mesh, Rule::kDbra, 2), "a packet from (0,0,0) to (1,1,1) needs 3 free slots, a queue has 2");
}

/// A found deadlock must be one by the plain definition, and be told as a cycle.
void expect_cycle(const Mesh& mesh, Rule rule, int slots, const std::vector<Packet>& example) {
  ASSERT_FALSE(example.empty());
  EXPECT_TRUE(is_deadlocked(mesh, rule, slots, example));
  const std::vector<std::string> words = describe_cycle(mesh, rule, slots, example);
  ASSERT_GE(words.size(), 4u);
  EXPECT_NE(words.back().find("and so back to"), std::string::npos) << words.back();
  EXPECT_NE(words.front().find("waits for"), std::string::npos) << words.front();
}

// Fig. 5: ascending and descending dimension order in one network with one slot a queue.
TEST(WorkedExample, Figure5MixedDimensionOrdersDeadlock) {
  const Mesh mesh = Mesh::parse("2x2");
  const SearchResult r = search(mesh, options(Rule::kMixedDor, 1, 4, Selection::kStrict));
  EXPECT_EQ(r.deadlocks, 2u) << "clockwise and counter-clockwise";
  EXPECT_EQ(r.example.size(), 4u);
  expect_cycle(mesh, Rule::kMixedDor, 1, r.example);
  EXPECT_EQ(describe_cycle(mesh, Rule::kMixedDor, 1, r.example).back().find("... and so back to queue"), 0u);
  // Each order alone is free.
  EXPECT_EQ(search(mesh, options(Rule::kDor, 1, 8)).deadlocks, 0u);
}

/// In ascending or in descending order, but never by a dimension between.
TEST(Deadlock, MixedDimensionOrdersBeginAtEitherEnd) {
  const Mesh mesh = Mesh::parse("2x2x2");
  std::vector<int> dimensions;
  for (const Hop& h : mesh.hops(0, mesh.routers() - 1, Rule::kMixedDor)) dimensions.push_back(h.dimension);
  EXPECT_EQ(dimensions, (std::vector<int>{0, 2}));
}

TEST(Deadlock, APacketThatHasArrivedIsNotStuck) {
  const Mesh mesh = Mesh::parse("3x3");
  for (int queue = 0; queue < mesh.queues(); ++queue) {
    const int at = mesh.queue_router(queue);
    if (at < 0) continue;
    EXPECT_FALSE(is_deadlocked(mesh, Rule::kDor, 1, {{queue, at}})) << queue;
  }
  EXPECT_FALSE(is_deadlocked(mesh, Rule::kDor, 1, {})) << "nobody is there";
}

TEST(Deadlock, D2raWithALoweredThresholdDeadlocks) {
  for (const Network& n : std::vector<Network>{{"2x2", 1, 4}, {"2x2", 2, 8}, {"2x2x2", 1, 4}, {"3x3", 1, 4}}) {
    const Mesh mesh = Mesh::parse(n.mesh);
    SearchOptions o = options(Rule::kD2raLowered, n.slots, n.packets, Selection::kAny);
    const SearchResult any = search(mesh, o);
    EXPECT_GT(any.deadlocks, 0u) << n.mesh;
    expect_cycle(mesh, Rule::kD2raLowered, n.slots, any.example);
    if (n.slots > 1) continue;
    o.selection = Selection::kStrict;
    o.stop_at_first = true;
    const SearchResult strict = search(mesh, o);
    EXPECT_EQ(strict.end, SearchEnd::kFirstDeadlock) << n.mesh;
    expect_cycle(mesh, Rule::kD2raLowered, n.slots, strict.example);
  }
}

// The explicit search and the exact check must say the same wherever the search can hold enough packets.
TEST(Deadlock, BothChecksAgree) {
  const Mesh mesh = Mesh::parse("2x2");
  for (const Rule rule : {Rule::kDor, Rule::kDbra, Rule::kD2ra, Rule::kMixedDor, Rule::kD2raLowered}) {
    for (int slots = 1; slots <= 3; ++slots) {
      const UnboundedResult exact = check_unbounded(mesh, rule, slots);
      const SearchResult found = search(mesh, options(rule, slots, 8 * slots));
      ASSERT_EQ(found.end, SearchEnd::kComplete);
      EXPECT_EQ(exact.deadlock_free, found.deadlocks == 0) << name_of(rule) << " slots " << slots;
      if (!exact.deadlock_free) expect_cycle(mesh, rule, slots, exact.example);
    }
  }
}

// On random meshes and rules, every example of the exact check is a deadlock that can be built by injections alone.
TEST(Deadlock, ExamplesOfTheExactCheckCanBeInjected) {
  int built = 0;
  for (const char* name : {"2x2", "3x3", "2x2x2", "2x3x4", "2x2x2x2"}) {
    const Mesh mesh = Mesh::parse(name);
    for (const Rule rule : {Rule::kMixedDor, Rule::kD2raLowered})
      for (int slots = 1; slots <= 4; ++slots) {
        const UnboundedResult r = check_unbounded(mesh, rule, slots);
        ASSERT_FALSE(r.deadlock_free);
        expect_cycle(mesh, rule, slots, r.example);
        std::vector<int> credit(mesh.queues(), slots);
        for (const Packet& p : r.example) {
          const int from =
              mesh.neighbour(mesh.queue_router(p.queue), mesh.queue_dimension(p.queue), !mesh.queue_minus(p.queue));
          bool allowed = false;
          for (const Hop& h : mesh.hops(from, p.dest, rule)) allowed |= h.queue == p.queue && credit[h.queue] >= h.need;
          EXPECT_TRUE(allowed) << name;
          --credit[p.queue];
          ++built;
        }
      }
  }
  EXPECT_GT(built, 100);
}

constexpr const char* kLemmaMeshes[] = {"2x2", "3x3", "4x4", "8x8", "2x2x2", "4x4x4", "2x3x4", "3x3x3x3"};

TEST(Deadlock, Lemma1HoldsAtEveryBoundary) {
  for (const char* mesh : kLemmaMeshes) EXPECT_GT(check_lemma_1(Mesh::parse(mesh)), 0) << mesh;
}

// D2RA §3.1, Fig. 1: nodes A = <3,2>, B = <1,4> and C = <2,2> of a 4-ary 2-mesh, coordinates from 1.
TEST(WorkedExample, Figure1) {
  const Mesh mesh = Mesh::parse("4x4");
  const auto router = [](int x, int y) { return (x - 1) + 4 * (y - 1); };
  EXPECT_EQ(mesh.neighbour(router(3, 2), 0, true), router(2, 2)) << "C is A's neighbour in x-";
  EXPECT_EQ(mesh.neighbour(router(1, 4), 1, false), -1) << "B is a boundary node in y+";
  EXPECT_EQ(mesh.neighbour(router(1, 4), 0, true), -1) << "and in x-";
}

/// Calls visit(router, destination, hop) for every hop that a rule allows.
void for_each_hop(const Mesh& mesh, Rule rule, const std::function<void(int, int, const Hop&)>& visit) {
  for (int from = 0; from < mesh.routers(); ++from) {
    for (int to = 0; to < mesh.routers(); ++to) {
      for (const Hop& hop : mesh.hops(from, to, rule)) visit(from, to, hop);
    }
  }
}
std::vector<int> remaining(const Mesh& mesh, int from, int to) {
  std::vector<int> dimensions;
  for (int i = 0; i < mesh.dimensions(); ++i) {
    if (mesh.coordinate(from, i) != mesh.coordinate(to, i)) dimensions.push_back(i);
  }
  return dimensions;
}
bool at_boundary(const Mesh& mesh, const Hop& hop) { return mesh.neighbour(hop.router, hop.dimension, hop.minus) < 0; }

// D2RA §5.2. Lemma 2: with one dimension left there is one hop, and it needs one slot: who cannot move has a full queue
// in front. Lemma 3: who took the last slot (1) by the bubble rule has only this direction left; (3) has no lower
// dimension left; (2) at the boundary not this one either. Lemma 4, Fig. 9: in the highest dimension it is at home
// then.
TEST(Deadlock, LemmasTwoToFourHoldForEveryHop) {
  for (const char* name : kLemmaMeshes) {
    const Mesh mesh = Mesh::parse(name);
    int64_t last_slots = 0;
    for_each_hop(mesh, Rule::kD2ra, [&](int from, int to, const Hop& hop) {
      const size_t left = remaining(mesh, from, to).size();
      if (left == 1) {
        EXPECT_EQ(mesh.hops(from, to, Rule::kD2ra).size(), 1u);
        EXPECT_EQ(hop.need, 1);
      }
      if (hop.need_high == 1) {
        EXPECT_EQ(left, 1u);
      }
      if (hop.need != 1) return;
      ++last_slots;
      const std::vector<int> behind = remaining(mesh, hop.router, to);
      const int lowest = behind.empty() ? mesh.dimensions() : behind.front();
      EXPECT_GE(lowest, hop.dimension + (at_boundary(mesh, hop) ? 1 : 0));
      if (at_boundary(mesh, hop) && hop.dimension == mesh.dimensions() - 1) {
        EXPECT_EQ(hop.router, to);
      }
    });
    EXPECT_GT(last_slots, 0) << name;
  }
}

// D2RA §4, Fig. 6: under DBRA a boundary queue always keeps a slot, since who takes the last one is at home; under D2RA
// one that only turns there can take it.
TEST(WorkedExample, Figure6AtEveryBoundary) {
  for (const char* name : kLemmaMeshes) {
    const Mesh mesh = Mesh::parse(name);
    const auto last_slots = [&](Rule rule, bool at_home) {
      int64_t hops = 0;
      for_each_hop(mesh, rule, [&](int, int to, const Hop& hop) {
        hops += hop.need == 1 && at_boundary(mesh, hop) && (hop.router == to) == at_home;
      });
      return hops;
    };
    EXPECT_GT(last_slots(Rule::kDbra, true), 0) << name;
    EXPECT_EQ(last_slots(Rule::kDbra, false), 0) << name;
    EXPECT_GT(last_slots(Rule::kD2ra, false), 0) << name;
  }
}

TEST(Deadlock, LimitsAreKept) {
  SearchOptions o = options(Rule::kD2ra, 2, 6);
  o.memory_limit = 32 << 20;
  int told = 0;
  o.progress = [&](const SearchProgress& p) {
    told += p.states > 0;
    return true;
  };
  const SearchResult r = search(Mesh::parse("3x3"), o);
  EXPECT_EQ(r.end, SearchEnd::kMemoryLimit);
  EXPECT_LE(r.memory, o.memory_limit);
  o.memory_limit = 1ull << 30;
  o.time_limit_s = 0.3;
  EXPECT_EQ(search(Mesh::parse("3x3"), o).end, SearchEnd::kTimeLimit);
}

TEST(Deadlock, ASearchTellsItsProgressAtMostTenTimesASecondAndIsInterrupted) {
  SearchOptions o = options(Rule::kD2ra, 2, 6);
  o.time_limit_s = 30;
  std::vector<double> told;
  o.progress = [&](const SearchProgress& p) {
    told.push_back(p.seconds);
    return told.size() < 3;
  };
  EXPECT_EQ(search(Mesh::parse("3x3"), o).end, SearchEnd::kInterrupted);
  ASSERT_EQ(told.size(), 3u);
  for (size_t i = 0; i < told.size(); ++i) EXPECT_GE(told[i] - (i == 0 ? 0 : told[i - 1]), 0.0999) << i;
}

TEST(Deadlock, TheLargestMeshesAndSettingsAreTaken) {
  EXPECT_EQ(Mesh::parse("2x2x2x2x2x2x2x2").dimensions(), 8);
  EXPECT_EQ(Mesh::parse("255x2").routers(), 510);
  EXPECT_EQ(Mesh::parse("128x128x4").routers(), 65'536);
  EXPECT_EQ(check_unbounded(Mesh::parse("2x2"), Rule::kDor, 15).deadlock_free, true);
  EXPECT_EQ(search(Mesh::parse("2x2"), options(Rule::kDor, 15, 1)).end, SearchEnd::kComplete);
  for (const Rule rule : {Rule::kDor, Rule::kD2ra}) {
    SearchOptions most = options(rule, 1, 32);
    most.keep_arrived = rule == Rule::kDor, most.time_limit_s = 0.05;
    EXPECT_NO_THROW(search(Mesh::parse("2x2"), most)) << name_of(rule) << ": as many packets as there may be";
  }
}

TEST(Deadlock, BadInputIsRefused) {
  for (const char* text :
       {"", "x", "3x", "x3", "3x3x", "1x3", "256x2", "3,3", "-3x3", "2x2x2x2x2x2x2x2x2", "255x255x2", "99999x2"})
    EXPECT_THROW(Mesh::parse(text), Error) << text;
  EXPECT_THROW(Mesh(std::vector<int>{}), Error);
  const Mesh mesh = Mesh::parse("3x3");
  EXPECT_THROW(search(mesh, options(Rule::kD2ra, 0, 4)), Error);
  EXPECT_THROW(search(mesh, options(Rule::kD2ra, 16, 4)), Error);
  EXPECT_THROW(search(mesh, options(Rule::kD2ra, 2, 0)), Error);
  EXPECT_THROW(search(mesh, options(Rule::kD2ra, 2, 33)), Error);
  EXPECT_THROW(search(Mesh::parse("8x8"), options(Rule::kD2ra, 2, 20)), Error) << "more than 128 bits";
  EXPECT_THROW(search(Mesh::parse("32x32"), options(Rule::kDor, 2, 1)), Error) << "more than 65,535 kinds of packets";
  EXPECT_THROW(rule_from_name("duato"), Error);
  EXPECT_THROW(check_unbounded(mesh, Rule::kD2ra, 0), Error);
  EXPECT_THROW(is_deadlocked(mesh, Rule::kD2ra, 1, {{0, 1}, {0, 1}}), Error);
}

}  // namespace
}  // namespace odonata::arb_request
