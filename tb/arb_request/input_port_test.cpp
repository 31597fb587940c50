// SPDX-License-Identifier: Apache-2.0
#include "models/arb_request/input_port.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "models/arb_request/mesh.h"
#include "models/common/error.h"
#include "models/common/random.h"

namespace odonata::arb_request {
namespace {

Lanes lanes(std::initializer_list<int> values) {
  Lanes v = 0;
  int i = 0;
  for (int value : values) set_lane(v, i++, static_cast<uint8_t>(value));
  return v;
}

constexpr Lanes kFull = ~Lanes{0};

/// A port with quiet pins that has seen `warm` idle edges, so that the window stands anywhere.
struct Bench {
  InputPort port;
  PortInputs pins;
  explicit Bench(PortSize size, int warm = 1) : port(size) {
    pins.credit_plus = pins.credit_minus = kFull;
    for (int i = 0; i < warm; ++i) port.step(pins);
  }
  void step(bool in_valid = false, Lanes dest = 0, bool grant = false) {
    pins.in_valid = in_valid;
    pins.in_dest = dest;
    pins.grant = grant;
    port.step(pins);
  }
};

// docs/arb_request.md §5: taken -> request 1..ceil(V/S), grant one edge later; every value occurs.
TEST(InputPort, LatencyUnderARotatingSubset) {
  for (int v = 1; v <= kMaxQueues; ++v) {
    for (int s = 1; s <= v; ++s) {
      const int bound = (v + s - 1) / s;
      std::map<int, int> seen;
      for (int warm = 1; warm <= 2 * v + 1; ++warm) {
        Bench b({2, 8, 8, v, s}, warm);
        b.step(true, lanes({3, 1}));  // edge t
        int latency = 0;
        while (!b.port.out().request.valid && latency <= bound) b.step(), ++latency;
        ASSERT_GE(latency, 1);
        ASSERT_LE(latency, bound) << "V " << v << " S " << s;
        ++seen[latency];
        b.step(false, 0, true);
        EXPECT_TRUE(b.port.out().credit);
        EXPECT_EQ(b.port.occupied(), 0u);
      }
      if (v % s == 0) {
        EXPECT_EQ(static_cast<int>(seen.size()), bound) << "V " << v << " S " << s;
      }
      if (bound > 1) {
        EXPECT_TRUE(seen.count(1) && seen.count(bound)) << "V " << v << " S " << s;
      }
    }
  }
}

TEST(InputPort, ALonePacketAsksAgainWhenTheWindowComesBack) {
  for (int v = 1; v <= kMaxQueues; ++v) {
    for (int s = 1; s <= v; ++s) {
      Bench b({2, 8, 8, v, s});
      b.step(true, lanes({3, 1}));
      int last = -1;
      for (int cycle = 0; cycle < 200; ++cycle) {
        b.step();
        if (!b.port.out().request.valid) continue;
        if (last >= 0) {
          EXPECT_EQ(cycle - last, std::max(2, (v + s - 1) / s)) << "V " << v << " S " << s;
        }
        last = cycle;
      }
      EXPECT_GT(last, 150);
    }
  }
}

TEST(InputPort, OnePacketACycleWhenSeveralWait) {
  for (const auto& [v, s] : std::vector<std::pair<int, int>>{{4, 2}, {4, 4}, {8, 2}, {16, 3}}) {
    Bench b({2, 8, 8, v, s});
    int granted = 0, taken = 0;
    for (int cycle = 0; cycle < 1000; ++cycle) {
      taken += b.port.out().in_ready;
      b.step(true, lanes({3, 1}), true);
      granted += b.port.out().credit;
    }
    EXPECT_GT(granted, 980) << "V " << v << " S " << s;
    EXPECT_LE(taken - granted, v);
  }
}

// m sub-queues that always ask and are never granted: each asks again within max(2, m + ceil((V-m)/S)) cycles.
TEST(InputPort, EverySubQueueAsksInItsTurn) {
  Random random(11);
  for (int v = 1; v <= kMaxQueues; ++v) {
    for (int s = 1; s <= v; ++s) {
      const int m = 1 + static_cast<int>(random.below(v));
      Bench b({2, 8, 8, v, s});
      for (int i = 0; i < m; ++i) b.step(true, lanes({3, 1}));
      std::vector<int> last(v, -1);
      const int bound = std::max(2, m + (v - m + s - 1) / s);
      for (int cycle = 0; cycle < 300; ++cycle) {
        b.step();
        const PortRequest& r = b.port.out().request;
        if (!r.valid) continue;
        if (last[r.queue] >= 0) {
          ASSERT_LE(cycle - last[r.queue], bound) << "V " << v << " S " << s << " m " << m;
        }
        last[r.queue] = cycle;
      }
      for (int q = 0; q < m; ++q) EXPECT_GE(last[q], 299 - bound) << "V " << v << " S " << s << " m " << m;
    }
  }
}

// A head that is never granted does not keep the others of its queue from asking.
TEST(InputPort, NoHeadOfLineBlocking) {
  for (int v = 2; v <= kMaxQueues; ++v) {
    for (int s = 1; s <= v; ++s) {
      Bench b({2, 8, 8, v, s});
      for (int i = 0; i < v; ++i) b.step(true, i == v / 2 ? lanes({0, 0}) : lanes({3, 1}));
      bool ejected = false;
      for (int cycle = 0; cycle < 4 * v + 8 && !ejected; ++cycle) {
        const bool grant = b.port.out().request.eject;
        b.step(false, 0, grant);
        ejected = b.port.out().credit;
      }
      EXPECT_TRUE(ejected) << "V " << v << " S " << s;
    }
  }
}

TEST(InputPort, TheRequestCarriesWhatTheGrantNeeds) {
  Bench b({3, 8, 8, 1, 1});
  b.pins.credit_plus = lanes({1, 3, 0});
  b.step(true, lanes({1, 1, 1}));
  b.step();
  PortRequest r = b.port.out().request;
  EXPECT_EQ(r, (PortRequest{true, 0, false, 1, false, true, 3}));
  b.pins.credit_plus = lanes({1, 2, 0});
  b.step();  // not looked at while its request is visible
  EXPECT_FALSE(b.port.out().request.valid);
  b.step();
  r = b.port.out().request;
  EXPECT_EQ(r, (PortRequest{true, 0, false, 0, false, false, 1}));
  b.pins.at = lanes({1, 1, 1});
  b.step(), b.step();
  EXPECT_EQ(b.port.out().request, (PortRequest{true, 0, true, 0, false, false, 0}));
}

TEST(InputPort, ThePolicyOfThePinsChooses) {
  Bench b({2, 8, 8, 1, 1});
  b.pins.scheme = Scheme::kDbra;
  b.pins.policy = Policy::kMostCredits;
  b.pins.credit_plus = lanes({3, 9});
  b.step(true, lanes({1, 1}));
  for (int turn = 0; turn < 6; ++turn) {
    b.step();
    EXPECT_EQ(b.port.out().request.dimension, 1) << turn;
    b.step();  // not looked at while its request is visible
  }
}

TEST(InputPort, FullMeansNotReadyAndNothingIsLost) {
  Bench b({2, 8, 8, 3, 1});
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(b.port.out().in_ready);
    b.step(true, lanes({i + 1, 0}));
  }
  EXPECT_FALSE(b.port.out().in_ready);
  b.step(true, lanes({9, 9}));
  for (int q = 0; q < 3; ++q) EXPECT_EQ(b.port.dest(q), lanes({q + 1, 0}));
}

TEST(InputPort, ResetInMidFlight) {
  Random random(5);
  const PortSize size{3, 8, 8, 5, 2};
  InputPort port(size);
  PortInputs pins;
  for (int i = 0; i < 500; ++i) {
    pins.in_valid = random.chance(0.7);
    pins.in_dest = lanes({static_cast<int>(random.below(4)), 1, 2});
    pins.credit_plus = kFull;
    pins.grant = random.chance(0.3);
    port.step(pins);
  }
  pins.reset_n = false;
  port.step(pins);
  const InputPort fresh(size);
  EXPECT_EQ(port.out(), fresh.out());
  EXPECT_EQ(port.occupied(), 0u);
  EXPECT_EQ(port.window(), 0);
}

TEST(InputPort, BadSizesAreRefused) {
  EXPECT_THROW(InputPort({0, 8, 8, 4, 2}), Error);
  EXPECT_THROW(InputPort({9, 8, 8, 4, 2}), Error);
  EXPECT_THROW(InputPort({3, 0, 8, 4, 2}), Error);
  EXPECT_THROW(InputPort({3, 8, 9, 4, 2}), Error);
  EXPECT_THROW(InputPort({3, 8, 8, 17, 2}), Error);
  EXPECT_THROW(InputPort({3, 8, 8, 4, 5}), Error);
  EXPECT_THROW(InputPort({3, 8, 8, 4, 0}), Error);
  EXPECT_THROW(SwitchOutput(0, 4, false), Error);
  for (const int slots : {0, 256}) EXPECT_THROW(SwitchOutput(3, slots, false), Error) << slots;
}

TEST(SwitchOutput, ChecksTheNeedAndServesInTurn) {
  SwitchOutput out(3, 2, false);
  const uint8_t need[3] = {2, 1, 1};
  EXPECT_EQ(out.grant(0b111, need), 0);
  out.step(0, false);
  EXPECT_EQ(out.credit(), 1);
  EXPECT_EQ(out.grant(0b111, need), 1);
  EXPECT_EQ(out.grant(0b001, need), -1);
  out.step(1, false);
  EXPECT_EQ(out.grant(0b110, need), -1);
  out.step(-1, true);
  EXPECT_EQ(out.grant(0b110, need), 2);
  out.step(-1, true);
  EXPECT_THROW(out.step(-1, true), Error);
  SwitchOutput empty(2, 1, false);
  empty.step(0, false);
  EXPECT_THROW(empty.step(1, false), Error) << "a grant without a credit";
}

TEST(SwitchOutput, EjectionIgnoresCredits) {
  SwitchOutput out(2, 1, true);
  const uint8_t need[2] = {0, 0};
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(out.grant(0b11, need), i % 2);
    out.step(i % 2, false);
  }
}

// A whole small mesh of these units under heavy load: every grant satisfies the flow control of the moment, the load
// that is offered drains, and packets arrive where they were sent.
class SmallNetwork {
 public:
  SmallNetwork(const Mesh& mesh, Scheme scheme, Policy policy, int slots, int subset, uint64_t seed)
      : mesh_(mesh), ports_(2 * mesh.dimensions() + 1), random_(seed), scheme_(scheme), policy_(policy) {
    const PortSize size{mesh.dimensions(), 8, 8, slots, subset};
    for (int r = 0; r < mesh.routers(); ++r) {
      for (int p = 0; p < ports_; ++p) {
        in_.emplace_back(size);
        out_.emplace_back(ports_, slots, p == ports_ - 1);
      }
    }
    pins_.resize(in_.size());
  }
  void cycle(bool offer) {
    for (size_t i = 0; i < in_.size(); ++i) set_quiet(i);
    for (int r = 0; r < mesh_.routers(); ++r) switch_router(r);
    if (offer) inject();
    for (size_t i = 0; i < in_.size(); ++i) in_[i].step(pins_[i]);
    return_credits();
  }
  int64_t sent = 0, arrived = 0, low_grants = 0;

 private:
  // Port index 2*dimension+minus holds packets that moved in this direction; the last one is injection / ejection.
  int index(int router, int port) const { return router * ports_ + port; }

  void set_quiet(size_t i) {
    const int r = static_cast<int>(i) / ports_;
    PortInputs& p = pins_[i];
    p = PortInputs{};
    p.at = mesh_.lanes(r);
    p.scheme = scheme_;
    p.policy = policy_;
    for (int d = 0; d < mesh_.dimensions(); ++d) {
      set_lane(p.credit_plus, d, static_cast<uint8_t>(out_[index(r, 2 * d)].credit()));
      set_lane(p.credit_minus, d, static_cast<uint8_t>(out_[index(r, 2 * d + 1)].credit()));
    }
  }
  void switch_router(int r) {
    for (int o = 0; o < ports_; ++o) {
      uint32_t ask = 0;
      uint8_t need[32] = {};
      for (int p = 0; p < ports_; ++p) {
        const PortRequest& q = in_[index(r, p)].out().request;
        const int wanted = q.eject ? ports_ - 1 : 2 * q.dimension + q.minus;
        if (q.valid && wanted == o) ask |= 1u << p, need[p] = q.need;
      }
      const int winner = out_[index(r, o)].grant(ask, need);
      if (winner >= 0) move(r, winner, o);
      granted_.emplace_back(index(r, o), winner);
    }
  }
  void move(int r, int p, int o) {
    const PortRequest& q = in_[index(r, p)].out().request;
    pins_[index(r, p)].grant = true;
    const Lanes dest = in_[index(r, p)].dest(q.queue);
    if (q.eject) {
      ASSERT_EQ(dest, mesh_.lanes(r));
      ++arrived;
      return;
    }
    ASSERT_GE(out_[index(r, o)].credit(), q.need);
    low_grants += !q.high;
    const int to = mesh_.neighbour(r, q.dimension, q.minus);
    ASSERT_GE(to, 0) << "left the mesh";
    PortInputs& next = pins_[index(to, o)];
    ASSERT_TRUE(in_[index(to, o)].out().in_ready) << "credits promised a slot";
    ASSERT_FALSE(next.in_valid);
    next.in_valid = true;
    next.in_dest = dest;
  }
  void inject() {
    for (int r = 0; r < mesh_.routers(); ++r) {
      const int i = index(r, ports_ - 1);
      if (!in_[i].out().in_ready) continue;
      pins_[i].in_valid = true;
      pins_[i].in_dest = mesh_.lanes(static_cast<int>(random_.below(mesh_.routers())));
      ++sent;
    }
  }
  void return_credits() {
    for (const auto& [output, winner] : granted_) {
      const int r = output / ports_, o = output % ports_;
      bool back = false;
      if (o != ports_ - 1) {
        const int to = mesh_.neighbour(r, o / 2, o & 1);
        back = to >= 0 && in_[index(to, o)].out().credit;
      }
      out_[output].step(winner, back);
    }
    granted_.clear();
  }

  const Mesh& mesh_;
  int ports_;
  Random random_;
  Scheme scheme_;
  Policy policy_;
  std::vector<InputPort> in_;
  std::vector<SwitchOutput> out_;
  std::vector<PortInputs> pins_;
  std::vector<std::pair<int, int>> granted_;
};

TEST(Network, DeliversEverythingUnderOverload) {
  for (const char* name : {"2x2", "3x3", "2x2x2", "4x4"}) {
    const Mesh mesh = Mesh::parse(name);
    for (const Scheme scheme : {Scheme::kDor, Scheme::kDbra, Scheme::kD2ra}) {
      for (const Policy policy : {Policy::kRoundRobin, Policy::kRandom, Policy::kMostCredits}) {
        const int slots = scheme == Scheme::kDbra ? mesh.dimensions() : 1;  // DBRA starves with fewer
        SmallNetwork net(mesh, scheme, policy, slots, slots, 7);
        for (int i = 0; i < 1000; ++i) net.cycle(true);
        for (int i = 0; i < 600 && net.arrived < net.sent; ++i) net.cycle(false);
        EXPECT_EQ(net.arrived, net.sent) << name;
        EXPECT_GT(net.sent, 300);
        if (scheme == Scheme::kD2ra) {
          EXPECT_GT(net.low_grants, 0);
        }
      }
    }
  }
}

TEST(Network, D2raUnderARotatingSubset) {
  const Mesh mesh = Mesh::parse("4x4");
  std::map<int, int64_t> delivered;
  for (int subset : {1, 2, 4}) {
    SmallNetwork net(mesh, Scheme::kD2ra, Policy::kRoundRobin, 4, subset, 9);
    for (int i = 0; i < 2000; ++i) net.cycle(true);
    delivered[subset] = net.arrived;
    for (int i = 0; i < 600 && net.arrived < net.sent; ++i) net.cycle(false);
    EXPECT_EQ(net.arrived, net.sent);
  }
  // The paper: the throughput remains stable although only a subset is examined.
  EXPECT_GT(delivered[2], delivered[4] * 8 / 10);
  EXPECT_GT(delivered[1], delivered[4] * 7 / 10) << delivered[1] << " of " << delivered[4];
}

}  // namespace
}  // namespace odonata::arb_request
