// SPDX-License-Identifier: Apache-2.0
// What of a run must not depend on who computes which part of the network: on ranks, threads, and where a network is
// cut.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

#include "sim/network/closed_loop.h"
#include "sim/network/simulation.h"
#include "tb/network/thread_ranks.h"

namespace odonata::network {

/// Everything of a run that must not depend on ranks and threads, as text.
struct Seen {
  std::string result;
  std::vector<std::string> deliveries;
};

inline std::string words(const Result& r) {
  std::ostringstream out;
  out << r.digest << ' ' << r.cycles << ' ' << r.flit_hops << ' ' << r.created << ' ' << r.delivered << ' ' << r.lost
      << ' ' << r.unroutable << ' ' << r.lost_in_routers << ' ' << r.cut << ' ' << r.waiting << ' ' << r.in_flight
      << ' ' << r.in_flight_flits << ' ' << r.unfinished << ' ' << r.offered << ' ' << r.accepted << ' '
      << r.latency.mean() << ' ' << r.latency.max() << ' ' << r.mean_with_unfinished << ' ' << r.conservation_ok << ' '
      << r.saturated << ' ' << r.faults.quiet << r.faults.tables_ok << r.faults.restored << r.faults.closed_form << ' '
      << r.faults.fd_total << ' ' << r.faults.fr_total << '\n';
  for (const double share : {0.01, 0.25, 0.5, 0.9, 0.99, 0.999}) out << r.latency.percentile(share) << ' ';
  for (const int64_t cycle : {r.faults.detected, r.faults.local_done, r.faults.last_fd, r.faults.diagnosis_done,
                              r.faults.last_write, r.faults.recovery_done, r.faults.recovery_write}) {
    out << cycle << ' ';
  }
  for (const uint64_t n : r.hops) out << n << ' ';
  for (const uint64_t n : r.decisions) out << n << ' ';
  for (const ChannelUse& c : r.channels) out << c.name << ' ' << c.mean << ' ' << c.max << ' ';
  for (const double use : r.domain_zero) out << use << ' ';
  for (const double flits : r.sent) out << flits << ' ';
  for (const uint32_t flits : r.taken) out << flits << ' ';
  for (const Interval& i : r.timeline)
    out << '\n'
        << i.first << ' ' << i.last << ' ' << i.delivered_flits << ' ' << i.delivered << ' ' << i.lost << ' ' << i.fd
        << ' ' << i.fr << ' ' << i.latency;
  if (const LoopResult* const p = r.programs.get(); p != nullptr) {
    out << '\n'
        << p->time_cycles << ' ' << p->messages << ' ' << p->received << ' ' << p->bytes << ' ' << p->packets << ' '
        << p->control_packets << ' ' << p->resent << ' ' << p->acknowledgements << ' ' << p->duplicates << ' '
        << p->given_up << ' ' << p->nic << ' ' << p->creation << ' ' << p->unfinished_ranks << ' ' << p->waits << ' '
        << p->gave_up;
    for (const RankResult& rank : p->ranks)
      out << '\n' << rank.node << ' ' << rank.finished << ' ' << rank.communication << ' ' << rank.calculation;
    for (const JobResult& job : p->jobs) {
      out << '\n' << job.name << ' ' << job.first_rank << ' ' << job.ranks << ' ' << job.time_cycles;
      for (const PhaseResult& f : job.phases) {
        out << '\n'
            << f.name << ' ' << f.messages << ' ' << f.bytes << ' ' << f.packets << ' ' << f.nic << ' ' << f.creation
            << ' ' << f.first << ' ' << f.last;
      }
    }
  }
  for (const uint64_t n : r.drops) out << n << ' ';
  for (const auto& [from, to] : r.link_windows.links) out << from << '-' << to << ' ';
  for (const LinkWindows::Window& w : r.link_windows.windows) {
    out << '\n' << w.first << ' ' << w.last;
    for (const float load : w.load) out << ' ' << load;
  }
  out << '\n' << r.compared << '\n' << r.deadlock;
  for (const Stalled& s : r.stalled) out << s.router << ' ' << int{s.port} << ' ' << int{s.vc} << ' ' << s.dest << '\n';
  return out.str();
}

inline Seen run(Config c, Exchange* exchange = nullptr) {
  c.exchange = exchange;
  Seen out;
  const auto simulation = make_simulation(c);
  simulation->on_delivery([&out](const Delivery& d) {
    std::ostringstream line;
    line << d.flit.source << ' ' << d.flit.dest << ' ' << d.flit.born << ' ' << d.cycle << ' ' << d.flit.hops;
    out.deliveries.push_back(line.str());
  });
  const Result result = simulate(*simulation);
  EXPECT_EQ(result.ranks, exchange == nullptr ? 1 : exchange->ranks());
  EXPECT_TRUE(result.conservation_ok);
  out.result = words(result);
  return out;
}

/// The run alone, and with these numbers of ranks.
inline void expect_same(const Config& c, std::initializer_list<int> ranks, const std::string& what) {
  const Seen alone = run(c);
  EXPECT_GT(alone.deliveries.size(), 100u) << what;
  for (const int count : ranks) {
    for (const int threads : {1, 2}) {
      if (threads == 2 && count != 3) continue;
      ThreadRanks shared(count);
      const auto errors = shared.run([&](Exchange& exchange) {
        Config own = c;
        own.threads = threads;
        const Seen seen = run(own, &exchange);
        EXPECT_EQ(seen.result, alone.result) << what << ", rank " << exchange.own() << " of " << count;
        EXPECT_TRUE(seen.deliveries == alone.deliveries) << what << ", rank " << exchange.own() << " of " << count;
      });
      for (const std::string& error : errors) EXPECT_EQ(error, "") << what;
    }
  }
}

}  // namespace odonata::network
