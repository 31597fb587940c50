// SPDX-License-Identifier: Apache-2.0
// Every mesh policy against a slow oracle that is written from docs/mesh.md in coordinates and counters, on random
// states of a router's outputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "sim/network/policies/mesh_escape.h"
#include "sim/network/policies/mesh_requests.h"

namespace odonata::network {
namespace {

using arb_request::Mesh;

constexpr int kDepth = 8;

/// One virtual channel behind an output.
struct Channel {
  int credits = kDepth;
  bool held = false;
  uint32_t dest = ~0u;  // of the last packet that entered
  bool idle() const { return credits == kDepth && !held; }
};

/// The outputs of one router, as an engine would show them.
struct Router {
  std::vector<std::vector<Channel>> out;
  int credits(int port, int vc) const { return out[static_cast<size_t>(port)][static_cast<size_t>(vc)].credits; }
  bool held(int port, int vc) const { return out[static_cast<size_t>(port)][static_cast<size_t>(vc)].held; }
  uint32_t open(int port, int least) const {
    uint32_t bits = 0;
    for (int v = 0; v < static_cast<int>(out[static_cast<size_t>(port)].size()); ++v)
      bits |= (!held(port, v) && credits(port, v) >= least ? 1u : 0u) << v;
    return bits;
  }
};

using Option = std::tuple<int, int, int>;  // port, vc, 1: the escape channel
using Options = std::set<Option>;

/// What a packet at `at` for `dest` may ask for. `vc`: -1 in the injection queue.
class Oracle {
 public:
  Oracle(const Mesh& mesh, MeshRouting routing, VcReuse reuse, bool equal_escape, const Router& router)
      : mesh_(mesh), routing_(routing), router_(router), equal_escape_(equal_escape) {
    const bool slots = info(routing).slots;
    queues_ = reuse == VcReuse::tail || (reuse == VcReuse::own && !slots);
  }

  Options options(int at, int dest, int vc) const {
    if (at == dest) return {{2 * mesh_.dimensions(), 0, 0}};
    return info(routing_).escape ? escape(at, dest, vc) : requests(at, dest);
  }

 private:
  std::vector<int> dimensions_left(int at, int dest) const {
    std::vector<int> out;
    for (int d = 0; d < mesh_.dimensions(); ++d) {
      if (mesh_.coordinate(at, d) != mesh_.coordinate(dest, d)) out.push_back(d);
    }
    return out;
  }
  int port(int at, int dest, int d) const {
    return 2 * d + (mesh_.coordinate(dest, d) < mesh_.coordinate(at, d) ? 1 : 0);
  }
  const std::vector<Channel>& vcs(int port) const { return router_.out[static_cast<size_t>(port)]; }
  int idle(int port, int first) const {
    return static_cast<int>(
        std::count_if(vcs(port).begin() + first, vcs(port).end(), [](const Channel& c) { return c.idle(); }));
  }
  int footprints(int port, int first, uint32_t dest) const {
    return static_cast<int>(std::count_if(vcs(port).begin() + first, vcs(port).end(),
                                          [&](const Channel& c) { return !c.idle() && c.dest == dest; }));
  }
  int free_flits(int port) const {
    int sum = 0;
    for (const Channel& c : vcs(port)) sum += c.credits;
    return sum;
  }
  bool open(const Channel& c) const { return queues_ ? !c.held && c.credits > 0 : c.idle(); }
  bool any_open(int p, int first) const {
    return std::any_of(vcs(p).begin() + first, vcs(p).end(), [this](const Channel& c) { return open(c); });
  }

  /// The ports with the greatest value.
  template <class Value>
  static std::vector<int> best(const std::vector<int>& ports, Value value) {
    std::vector<int> out;
    for (int p : ports) {
      if (std::all_of(ports.begin(), ports.end(), [&](int q) { return value(p) >= value(q); })) out.push_back(p);
    }
    return out;
  }
  std::vector<int> preferred(const std::vector<int>& ports, uint32_t dest, int first) const {
    if (routing_ == MeshRouting::dyxy || routing_ == MeshRouting::dyxy_d2ra)
      return best(ports, [&](int p) { return free_flits(p); });
    if (routing_ == MeshRouting::footprint || routing_ == MeshRouting::footprint_d2ra) {
      return best(ports, [&](int p) { return std::pair(idle(p, first), footprints(p, first, dest)); });
    }
    return ports;
  }

  Options requests(int at, int dest) const {
    const std::vector<int> left = dimensions_left(at, dest);
    const int z = static_cast<int>(left.size());
    std::vector<int> high, low;
    for (int d : left) {
      const int p = port(at, dest, d);
      const auto slots = std::count_if(vcs(p).begin(), vcs(p).end(), [this](const Channel& c) { return open(c); });
      switch (routing_) {
        case MeshRouting::dor:
          if (d == left.front() && slots >= 1) high.push_back(p);
          break;
        case MeshRouting::dbra:
          if (slots >= z) high.push_back(p);
          break;
        case MeshRouting::dbra_lowered:
          if (slots >= std::max(1, z - 1)) high.push_back(p);
          break;
        case MeshRouting::mixed_dor:
          if ((d == left.front() || d == left.back()) && slots >= 1) high.push_back(p);
          break;
        default:
          if (slots >= z) high.push_back(p);
          if (slots < z && slots >= 1 && d == left.front()) low.push_back(p);
      }
    }
    Options out;
    for (int p : preferred(high.empty() ? low : high, static_cast<uint32_t>(dest), 0)) add_first(out, p, 0, 0);
    return out;
  }

  /// The first idle VC, else the first with room.
  void add_first(Options& out, int p, int first, int priority) const {
    const auto begin = vcs(p).begin() + first;
    auto found = std::find_if(begin, vcs(p).end(), [](const Channel& c) { return c.idle(); });
    if (found == vcs(p).end()) found = std::find_if(begin, vcs(p).end(), [this](const Channel& c) { return open(c); });
    if (found != vcs(p).end()) out.insert({p, static_cast<int>(found - vcs(p).begin()), priority});
  }
  Options escape(int at, int dest, int vc) const {
    std::vector<int> ports;
    for (int d : dimensions_left(at, dest)) ports.push_back(port(at, dest, d));
    Options out;
    if (vc != 0) {
      for (int p : preferred(ports, static_cast<uint32_t>(dest), 1)) {
        if (routing_ == MeshRouting::footprint) {
          add_footprint(out, p, static_cast<uint32_t>(dest));
        } else {
          add_first(out, p, 1, 0);
        }
      }
      // DyXY and Footprint choose the output first: with a tie any may be drawn, and it may be one without room.
    }
    const bool room = open(vcs(ports.front()).front());
    if (room && (equal_escape_ || out.empty() || may_miss(ports, dest, vc))) out.insert({ports.front(), 0, 1});
    return out;
  }
  bool may_miss(const std::vector<int>& ports, int dest, int vc) const {
    if (vc == 0 || routing_ == MeshRouting::duato) return false;
    const std::vector<int> chosen = preferred(ports, static_cast<uint32_t>(dest), 1);
    return std::any_of(chosen.begin(), chosen.end(), [&](int p) { return !any_open(p, 1); });
  }
  void add_footprint(Options& out, int p, uint32_t dest) const {
    const auto begin = vcs(p).begin() + 1;
    if (2 * idle(p, 0) < static_cast<int>(vcs(p).size()) && idle(p, 1) == 0) {
      const auto found = std::find_if(begin, vcs(p).end(), [&](const Channel& c) { return open(c) && c.dest == dest; });
      if (found != vcs(p).end()) {
        out.insert({p, static_cast<int>(found - vcs(p).begin()), 0});
        return;
      }
    }
    add_first(out, p, 1, 0);
  }

  const Mesh& mesh_;
  MeshRouting routing_;
  const Router& router_;
  bool queues_ = false, equal_escape_;
};

/// Brings the outputs of a router into a random state, telling the policy what an engine would tell it.
template <class Policy>
void shake(Policy& policy, Router& router, const Mesh& mesh, int at, bool crowded, Random& random) {
  const int ports = 2 * mesh.dimensions() + 1;
  for (int p = 0; p + 1 < ports; ++p) {
    for (size_t v = 0; v < router.out[static_cast<size_t>(p)].size(); ++v) {
      Channel& c = router.out[static_cast<size_t>(p)][v];
      if (random.chance(crowded ? 0.9 : 0.4) && !c.held && c.credits > 0) {
        Flit flit;
        c.dest = random.below(static_cast<uint32_t>(mesh.routers()));
        flit.dest = c.dest;
        policy.granted(flit, at, 0, p, static_cast<int>(v));
        c.credits -= 1 + static_cast<int>(random.below(static_cast<uint32_t>(c.credits)));
        c.held = random.chance(0.5);
      } else if (random.chance(crowded ? 0.1 : 0.5) && !c.idle()) {
        c.held = false;
        c.credits = random.chance(0.5) ? kDepth : std::min(kDepth - 1, c.credits + 1);
        if (c.idle()) policy.idle(at, p, static_cast<int>(v));
      }
    }
  }
}

template <class Policy>
void compare(MeshRouting routing, const char* name, int vcs, VcReuse reuse = VcReuse::own, bool equal_escape = false) {
  const Mesh mesh = Mesh::parse(name);
  MeshSetup setup{mesh, routing};
  setup.vcs = vcs;
  setup.reuse = reuse;
  setup.equal_escape = equal_escape;
  Random random(17);
  Policy policy(setup);
  const int at = mesh.routers() / 2 + 1, node = 2 * mesh.dimensions();
  Router router{std::vector(static_cast<size_t>(node) + 1, std::vector<Channel>(static_cast<size_t>(vcs)))};
  int asked = 0, nothing = 0, early_escapes = 0;
  for (int state = 0; state < 300; ++state) {
    shake(policy, router, mesh, at, state % 60 > 40, random);
    for (int dest = 0; dest < mesh.routers(); ++dest) {
      const int vc = static_cast<int>(random.below(static_cast<uint32_t>(vcs)));
      const bool injected = random.chance(0.3);
      Flit flit;
      flit.dest = static_cast<uint32_t>(dest);
      const Options expected = Oracle(mesh, routing, reuse, equal_escape, router).options(at, dest, injected ? -1 : vc);
      const Ask got = policy.ask(flit, {at, injected ? node : 0, vc}, router);
      if (expected.empty()) {
        ASSERT_EQ(got.port, Ask::kNothing) << info(routing).name << " to " << dest;
        ++nothing;
        continue;
      }
      // DyXY and Footprint may draw an output without room and then have no escape either.
      if (got.port == Ask::kNothing && (routing == MeshRouting::dyxy || routing == MeshRouting::footprint)) continue;
      ASSERT_TRUE(expected.contains({got.port, got.vc, 0}) || expected.contains({got.port, got.vc, 1}))
          << info(routing).name << " to " << dest << " asks for " << int{got.port} << "." << int{got.vc};
      ++asked;
      if (expected.size() > 1 && expected.contains({got.port, got.vc, 1})) ++early_escapes;
    }
  }
  EXPECT_GT(asked, 1000);
  EXPECT_GT(nothing, 0);
  if (equal_escape) {
    EXPECT_GT(early_escapes, 100);
  }
  if (routing == MeshRouting::duato && !equal_escape) {
    EXPECT_EQ(early_escapes, 0);
  }
}

class Requests : public testing::TestWithParam<MeshRouting> {};
TEST_P(Requests, AgreeWithTheOracle) {
  compare<MeshRequests>(GetParam(), "4x4", 2);
  compare<MeshRequests>(GetParam(), "4x4x4", 3);
  compare<MeshRequests>(GetParam(), "2x3x2x2", 4);
  compare<MeshRequests>(GetParam(), "5x3", 8);
  for (VcReuse reuse : {VcReuse::empty, VcReuse::tail}) compare<MeshRequests>(GetParam(), "4x4x4", 3, reuse);
}
INSTANTIATE_TEST_SUITE_P(Mesh, Requests,
                         testing::Values(MeshRouting::dor, MeshRouting::dbra, MeshRouting::d2ra, MeshRouting::dyxy_d2ra,
                                         MeshRouting::footprint_d2ra, MeshRouting::dbra_lowered,
                                         MeshRouting::mixed_dor),
                         [](const auto& p) { return std::string(network::info(p.param).name); });

class Escape : public testing::TestWithParam<MeshRouting> {};
TEST_P(Escape, AgreesWithTheOracle) {
  compare<MeshEscape>(GetParam(), "4x4", 2);
  compare<MeshEscape>(GetParam(), "4x4x4", 3);
  compare<MeshEscape>(GetParam(), "2x3x2x2", 4);
  compare<MeshEscape>(GetParam(), "5x3", 8);
  for (VcReuse reuse : {VcReuse::empty, VcReuse::tail}) compare<MeshEscape>(GetParam(), "4x4x4", 3, reuse);
  compare<MeshEscape>(GetParam(), "4x4x4", 3, VcReuse::own, true);
}
INSTANTIATE_TEST_SUITE_P(Mesh, Escape, testing::Values(MeshRouting::duato, MeshRouting::dyxy, MeshRouting::footprint),
                         [](const auto& p) { return std::string(network::info(p.param).name); });

/// Round-robin goes on to the next dimension after a grant; no dimension of an idle router is left out.
TEST(MeshChoice, EveryMinimalOutputIsUsed) {
  const Mesh mesh = Mesh::parse("4x4x4");
  for (const MeshRouting routing :
       {MeshRouting::dbra, MeshRouting::d2ra, MeshRouting::dyxy_d2ra, MeshRouting::footprint_d2ra}) {
    MeshSetup setup{mesh, routing};
    MeshRequests policy(setup);
    const Router router{std::vector(7, std::vector<Channel>(3))};
    Flit flit;
    flit.dest = 63;
    std::map<int, int> used;
    for (int i = 0; i < 300; ++i) {
      const Ask ask = policy.ask(flit, {0, 6, 0}, router);
      ++used[ask.port];
      policy.granted(flit, 0, 6, ask.port, ask.vc);
      policy.idle(0, ask.port, ask.vc);
    }
    ASSERT_EQ(used.size(), 3u) << info(routing).name;
    for (const auto& [port, n] : used) EXPECT_NEAR(n, 100, 35) << info(routing).name << " port " << port;
  }
}

/// A device that is the golden model but for one bit, from a given answer on.
class BentLogic final : public arb_request::LogicDevice {
 public:
  explicit BentLogic(int good) : golden_({2, 8, 8, 3, 3}), left_(2 * good + 4) {}
  void step(const arb_request::LogicInputs& in, arb_request::LogicOutputs& out) override {
    golden_.step(in, out);
    if (--left_ < 0 && out.valid) out.high ^= 1;
  }

 private:
  arb_request::GoldenLogic golden_;
  int left_;
};

TEST(LogicLockstep, TheFirstDifferenceStops) {
  const Mesh mesh = Mesh::parse("4x4");
  LogicLockstep device(std::make_unique<BentLogic>(10), 5, mesh);
  const arb_request::Query query{mesh.lanes(5), mesh.lanes(15), 0x0303, 0x0303};
  const arb_request::Requests golden = evaluate(query, arb_request::Scheme::kD2ra);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(device.decide(query, arb_request::Scheme::kD2ra, golden), golden);
  EXPECT_EQ(device.compared(), 10u);
  EXPECT_THROW(device.decide(query, arb_request::Scheme::kD2ra, golden), DeviceMismatch);
}

/// docs/mesh.md §2: with cut-through a head needs room for its packet, with wormhole for a flit. Of two channels in
/// which packets wait the first has two slots free, the second four.
TEST(MeshChoice, WithCutThroughAHeadAsksForRoomForItsPacket) {
  const Mesh mesh = Mesh::parse("4x4");
  const auto asked = [](auto policy, int first, int length) {
    Router router{std::vector(5, std::vector<Channel>(static_cast<size_t>(first) + 2))};
    for (int v = 0; v < first + 2; ++v) {
      Flit other;
      other.dest = 9;
      policy.granted(other, 0, 4, 0, v);
      router.out[0][static_cast<size_t>(v)].credits = v == first ? 2 : v == first + 1 ? 4 : 0;
    }
    Flit flit;
    flit.dest = 3;  // along x
    flit.length = static_cast<uint8_t>(length);
    const Ask ask = policy.ask(flit, {0, 4, 0}, router);
    return ask.port == Ask::kNothing ? -1 : static_cast<int>(ask.vc) - first;
  };
  for (const bool cut_through : {false, true}) {
    for (const auto& [length, channel] : {std::pair{1, 0}, {2, 0}, {3, 1}, {4, 1}, {5, -1}}) {
      const int expected = cut_through ? channel : 0;
      MeshSetup setup{mesh, MeshRouting::dor};
      setup.cut_through = cut_through;
      setup.vcs = 2;
      EXPECT_EQ(asked(MeshRequests(setup), 0, length), expected) << "dor " << length;
      setup.routing = MeshRouting::duato;
      setup.vcs = 3;
      EXPECT_EQ(asked(MeshEscape(setup), 1, length), expected) << "duato " << length;
    }
  }
}

}  // namespace
}  // namespace odonata::network
