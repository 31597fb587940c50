// SPDX-License-Identifier: Apache-2.0
// Negative controls: what the engine's own checks have to find when a bug is planted - in a policy, in a table, in the
// order of virtual channels.
#include <gtest/gtest.h>

#include "sim/network/conservation.h"
#include "sim/network/make_engine.h"
#include "sim/network/policies/doar_live.h"
#include "sim/network/topologies/mesh.h"
#include "tb/common/error_text.h"
#include "tb/network/configs.h"

namespace odonata::network {
namespace {

Config tiny(const char* traffic, double load) {
  Config c = run_on_tiny("doar", traffic, load, 500, 2000);
  c.router.vcs = route_compute::kNumVcs;
  return c;
}

void fail_link(Config& c, uint64_t cycle) {
  Random random(1);
  for (const fault::Fault& f : fault::parse_faults(dragonfly_of(c), "global:G0-G2", random))
    c.faults.events.push_back({f, false, cycle});
}

template <class Policy>
Result run(const Config& c) {
  const Wiring wiring = c.topology->wire(c);
  Engine engine(c, wiring, domain_kind<Policy, DragonflySource, false>(DragonflyTopology::source(c, wiring)));
  return simulate(engine);
}

/// After the fault one packet leaves a router with another packet's time of creation.
template <bool kBug>
class Exchanging : public DoarLive {
 public:
  Exchanging(const Context& context, int domain) : DoarLive(context, domain), domain_(domain) {}
  Route route(Flit& flit, const Place& at) {
    if (kBug && domain_ == 0 && !done_ && some_link_down()) {
      done_ = true;
      ++flit.born;
    }
    return DoarLive::route(flit, at);
  }

 private:
  bool some_link_down() const {
    for (int output = 0; output < context_.wiring.routers * context_.wiring.ports; ++output) {
      if (!port_up(output)) return true;
    }
    return false;
  }
  int domain_;
  bool done_ = false;
};

TEST(NetworkNegative, ConservationWithFaultsFindsAnExchangedPacket) {
  Config c = tiny("ur", 0.3);
  fail_link(c, 700);
  const Result good = run<Exchanging<false>>(c);
  EXPECT_TRUE(good.conservation_ok);
  EXPECT_GT(good.lost, 0u);
  EXPECT_FALSE(run<Exchanging<true>>(c).conservation_ok);
}

/// A routing of somebody else that answers what no router of a mesh of 3x3 (ports 0..4) with two channels has.
template <bool kAsk>
class WrongOutput {
 public:
  static inline Route answer;
  static constexpr int kVcs = 2, kMaxVcs = 8;
  static constexpr bool kAsks = kAsk, kMonitors = false;

  WrongOutput(const Context&, int) {}
  void begin_cycle(uint32_t) {}
  Route route(const Flit&, const Place&) const { return answer; }
  template <class Outputs>
  Ask ask(const Flit&, const Place&, const Outputs&) const {
    return {answer.port, answer.vc};
  }
  void granted(const Flit&, int, int, int, int) {}
  void idle(int, int, int) {}
  uint64_t possible(int, uint32_t) const { return 0x1F; }
  template <class Visit>
  void visit_state(Visit&&) {}
  size_t bytes() const { return 0; }
};

template <class Policy>
std::string wrong_output(int length, uint8_t port, uint8_t vc) {
  Config c = run_of(on_mesh(arb_request::Mesh::parse("3x3")), "dor", "uniform", 1, 0, 200);
  c.router.vcs = 2;
  c.router.lengths = {length};
  Policy::answer = {port, vc};
  return error_text([&] { simulate(*make_engine<Policy, MeshTopology>(c)); });
}

TEST(NetworkNegative, ARoutingAnswersWithOutputsOfTheRouter) {
  const auto expect = [](const std::string& told, const char* output) {
    EXPECT_EQ(told.rfind("routing 'dor' at router ", 0), 0u) << told;
    EXPECT_NE(told.find(std::string(output) + ", expected 0..4 and 0..1"), std::string::npos) << told;
  };
  for (const int length : {1, 5}) {
    expect(wrong_output<WrongOutput<false>>(length, 5, 0), "port 5, virtual channel 0");
    expect(wrong_output<WrongOutput<false>>(length, 4, 2), "port 4, virtual channel 2");
    expect(wrong_output<WrongOutput<true>>(length, 5, 1), "port 5, virtual channel 1");
    expect(wrong_output<WrongOutput<true>>(length, 254, 0), "port 254, virtual channel 0");
    expect(wrong_output<WrongOutput<true>>(length, 0, 2), "port 0, virtual channel 2");
    for (uint8_t port = 0; port < 4; ++port) {  // at an edge of the mesh there is no link
      const std::string nowhere = "port " + std::to_string(port) + " leads nowhere";
      for (const std::string& told :
           {wrong_output<WrongOutput<false>>(length, port, 1), wrong_output<WrongOutput<true>>(length, port, 1)}) {
        EXPECT_EQ(told.rfind("routing 'dor' at router ", 0), 0u) << told;
        EXPECT_NE(told.find(nowhere), std::string::npos) << told;
      }
    }
    for (const std::string& told :
         {wrong_output<WrongOutput<false>>(length, 4, 1), wrong_output<WrongOutput<false>>(length, Route::kDrop, 9),
          wrong_output<WrongOutput<true>>(length, 4, 1), wrong_output<WrongOutput<true>>(length, Ask::kNothing, 9)})
      EXPECT_EQ(told, "");
  }
}

/// A run in which all agree; then one sum at a time is wrong by one.
TEST(NetworkNegative, ConservationHoldsEverySum) {
  Tally sums;
  sums.injected = 20, sums.injected_flits = 75, sums.gone_flits = 60, sums.sums = 0xABCD, sums.poison = 2;
  Inside in;
  in.packets = 4, in.flits = 15, in.sum = 0xABCD, in.poison = 2;
  constexpr uint64_t kDelivered = 13, kLost = 3;
  ASSERT_TRUE(conserved(sums, in, kDelivered, kLost, true));
  EXPECT_FALSE(conserved(sums, in, kDelivered, kLost, false));
  EXPECT_FALSE(conserved(sums, in, kDelivered + 1, kLost, true));
  EXPECT_FALSE(conserved(sums, in, kDelivered, kLost + 1, true));
  for (uint64_t Tally::*sum : {&Tally::injected, &Tally::injected_flits, &Tally::gone_flits, &Tally::sums,
                               &Tally::misdelivered, &Tally::poison, &Tally::bad_channels}) {
    Tally wrong = sums;
    ++(wrong.*sum);
    EXPECT_FALSE(conserved(wrong, in, kDelivered, kLost, true));
  }
  for (uint64_t Inside::*sum : {&Inside::packets, &Inside::flits, &Inside::sum, &Inside::poison}) {
    Inside wrong = in;
    ++(wrong.*sum);
    EXPECT_FALSE(conserved(sums, wrong, kDelivered, kLost, true));
  }
}

/// All tables of group 0 after the fault, with or without a planted change.
TEST(NetworkNegative, AWrongTableEntryIsFound) {
  Config c = tiny("ur", 0.3);
  fail_link(c, 100);
  const Wiring wiring = c.topology->wire(c);
  FaultFeed feed(c);
  const Context context{c, wiring, 0, 1, nullptr, &feed};
  DoarLive policy(context, 0);
  feed.advance(0, 20'000);
  policy.begin_window();
  EXPECT_FALSE(policy.tables_ok());  // the planes have written, the tables have not heard of it
  int events = 0;
  for (uint32_t cycle = 0; cycle < 20'000; ++cycle) {
    while (policy.next_event(cycle) != nullptr) ++events;
  }
  EXPECT_GT(events, 10);
  EXPECT_TRUE(policy.tables_ok());
  const int row = dragonfly_of(c).p() + dragonfly_of(c).a() - 1;  // zone B, router 3: not changed by this fault
  route_compute::Entries words = policy.entries(0, 2, row, false);
  words.b ^= 1u << 3;
  policy.set_entries(0, 2, row, words);
  EXPECT_FALSE(policy.tables_ok());
}

/// DOAR without the rise of virtual channels: every packet stays on VC 0.
class NoRise : public Doar {
 public:
  static bool order_kept(const Channel&, const Channel&) { return true; }
  using Doar::Doar;
  Route route(const Flit& flit, const Place& at) {
    Route out = Doar::route(flit, {at.router, at.port, 0, at.input});
    out.vc = 0;
    return out;
  }
};

TEST(NetworkNegative, WithoutTheRiseOfVirtualChannelsTheWatchdogShowsACircle) {
  Config c = tiny("adv+1", 1.0);
  c.link("local").buffer = c.link("global").buffer = 2;
  c.link("local").latency = c.link("global").latency = 1;
  c.watchdog = 500;
  c.sample = 50'000;
  const Result r = run<NoRise>(c);
  EXPECT_NE(r.deadlock.find("waits for output port"), std::string::npos) << r.deadlock;
  EXPECT_EQ(r.deadlock.find("not in a circle"), std::string::npos) << r.deadlock;
  EXPECT_TRUE(r.conservation_ok);
  EXPECT_EQ(run<Doar>(c).deadlock, "");
}

}  // namespace
}  // namespace odonata::network
