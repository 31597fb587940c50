// SPDX-License-Identifier: Apache-2.0
// The model of many ranks against the engine itself over an exchange with injected latencies: its messages, its bytes,
// its order of events.
#include <gtest/gtest.h>

#include <cstdio>

#include "sim/network/domain_state.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/dragonfly.h"
#include "tb/network/exchange_model.h"
#include "tb/network/thread_ranks.h"

namespace odonata::network {
namespace {

/// Of rank 0, which has the most groups: us of a window, bytes that it sends in one.
struct Measured {
  double window = 0, bytes = 0;
  int peers = 0, groups = 0;
};

/// Of what takes longest between two meetings: domains that a thread of the rank has to run one after the other.
int rounds(int groups, int threads) { return (groups + threads - 1) / threads; }

Measured measure(int ranks, int threads, const ExchangeCosts& costs, double domain) {
  constexpr int kFill = 5, kWindows = 5;
  Config c = on_dragonfly(Dragonfly::named("paper"));
  c.routing = "min";
  c.load = 0.5;
  c.balance = 0;
  Measured out;
  for (const std::string& error : ThreadRanks(ranks).run([&](Exchange& exchange) {
         const auto groups = static_cast<int>(Share(&exchange, 73).own().size());
         TimedExchange timed(exchange, costs, domain * rounds(groups, threads));
         Config own = c;
         own.exchange = &timed;
         const auto simulation = make_simulation(own);
         const auto run = [&](int windows) {
           for (int w = 0; w < windows; ++w) {
             simulation->advance();
             any(&timed, false);  // asks for Ctrl-C
           }
           return timed.clock();
         };
         const double before = run(kFill);
         const auto bytes = static_cast<double>(simulation->result().exchange_bytes);
         const double start = timed.clock(), after = run(kWindows);
         if (exchange.own() != 0) {
           simulation->result();
           return;
         }
         EXPECT_GT(before, 0);
         out = {(after - start) / kWindows,
                (static_cast<double>(simulation->result().exchange_bytes) - bytes) / kWindows, timed.peers(), groups};
       })) {
    EXPECT_EQ(error, "");
  }
  return out;
}

TEST(ExchangeModel, AgreesWithTheEngineOverInjectedLatencies) {
  if (kCheck)
    GTEST_SKIP()
        << "an engine that checks its invariants exchanges more: the slots behind its outputs, in every window";
  const double domain = 670;  // us of a window, measured on one core (the note)
  struct Case {
    int ranks, threads;
    double message;
  };
  for (const auto& [ranks, threads, message] :
       {Case{2, 1, 1}, {8, 1, 1}, {73, 1, 1}, {73, 1, 20}, {3, 25, 20}}) {  // the last two: a slow network
    const ExchangeCosts costs{.message = message,
                              .hop = message,
                              .wire_bytes = 1500.0 * threads};  // the threads of a rank have the wires of as many
    const Measured m = measure(ranks, threads, costs, domain);
    EXPECT_EQ(m.peers, ranks - 1);
    // 24 bytes a flit that crosses; a packet takes one global link but to its own group
    const double nodes = 72.0 * m.groups,
                 bytes = 24 * nodes * 0.5 * (1 - m.groups / 73.0) * 100 + 4 * m.groups * (73.0 - m.groups);
    EXPECT_NEAR(m.bytes / bytes, 1, 0.05) << ranks;
    const double model = window_microseconds(costs, ranks, m.peers, domain * rounds(m.groups, threads), m.bytes);
    EXPECT_NEAR(m.window / model, 1, 0.03) << ranks << " ranks: model " << model << ", simulated " << m.window;
    std::printf(
        "%2d ranks of %2d threads, %4.0f us a message: bytes %8.0f (formula %8.0f), us a window %8.1f, model %8.1f\n",
        ranks, threads, message, m.bytes, bytes, m.window, model);
  }
}

}  // namespace
}  // namespace odonata::network
