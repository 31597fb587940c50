// SPDX-License-Identifier: Apache-2.0
#include "models/fault/worst_case.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace odonata::fault {

namespace {

/// The terms of docs/fault.md §7.3.
struct Terms {
  Terms(const Dragonfly& d, const Timing& t, bool restores)
      : a(d.a()),
        h(d.h()),
        hop(t.ring_hop),
        last(static_cast<int64_t>(d.num_ports() - 1) * hop),
        last_local(static_cast<int64_t>(d.first_global() - 1) * hop),
        poll((t.stations - 1) / t.poll_width),
        service(t.pipelined ? 4 : 3 + std::max((t.stations - 1) * hop, last + 2 + (restores ? 1 : 0))),
        local(t.local_latency),
        global(t.global_latency),
        banks(t.banks),
        timing(t) {
    fewest_ports = h;
    for (int r = 0; r < d.num_routers(); ++r) {
      int64_t cabled = 0;
      for (int i = 0; i < h; ++i) cabled += d.group_of_port(d.router(r).gid, d.router(r).bid * h + i) >= 0;
      fewest_ports = std::min(fewest_ports, cabled);
    }
  }
  int64_t step_of_b(int bid) const { return (timing.base_b + bid) / banks; }
  int64_t step_of_g(int gid) const { return (timing.base_g + gid) / banks; }
  /// From a look that hits to the arrival behind a local or global port.
  int64_t to_mate() const { return 3 + last_local + local; }
  int64_t across() const { return 3 + last + global; }
  /// Lemma 1: the longest wait behind `services` other ports, in `rounds` rounds of the poll; a port that is served is no empty look.
  int64_t wait(int64_t services, int64_t rounds = 1) const {
    const int64_t empty = services == 0 ? rounds * poll : std::max<int64_t>(0, rounds * timing.stations - services) / timing.poll_width;
    return services * service + empty;
  }
  /// From the last look to the last write that it causes.
  int64_t write() const { return 2 + last; }

  int64_t a, h, hop, last, last_local;
  int64_t poll;     ///< F: looks of one round that find nothing
  int64_t service;  ///< D: from a look that hits to the next possible look
  int64_t local, global, banks;
  int64_t fewest_ports;  ///< cabled global ports of a router
  Timing timing;
};

/// The most global ports of a router that lead to global neighbours of the two routers of a dead local link, other than these two themselves: so much
/// news comes to it early.
int64_t most_early(const Dragonfly& d) {
  int64_t most = 0;
  std::vector<std::array<int64_t, 2>> counts(static_cast<size_t>(d.num_routers()));  // of the two routers of a group that have the most
  for (int group = 0; group < d.g(); ++group) {
    std::fill(counts.begin(), counts.end(), std::array<int64_t, 2>{});
    for (int bid = 0; bid < d.a(); ++bid) {
      const RouterId dead{group, bid};
      std::map<int, int64_t> early;
      for (int out = d.first_global(); out < d.num_ports(); ++out) {
        const Dragonfly::Peer neighbour = d.peer(dead, out);
        for (int on = d.first_global(); neighbour.connected && on < d.num_ports(); ++on) {
          const Dragonfly::Peer told = d.peer(neighbour.router, on);
          if (told.connected && on != neighbour.port) ++early[d.router_index(told.router)];
        }
      }
      for (const auto& [router, count] : early) {
        auto& [first, second] = counts[static_cast<size_t>(router)];
        second = std::max(second, std::min(first, count));
        first = std::max(first, count);
      }
    }
    for (const auto& [first, second] : counts) most = std::max(most, first + second);
  }
  return most;
}

/// The last write of a travel, with `messages` more than one a step.
int64_t travel_write(const Terms& t, int64_t last_step, int64_t messages) { return 1 + t.last + 2 * last_step + 1 + messages; }

/// All mates of a router learn from it what they tell each other, from the arrival at the first mate to the last look at any of them (lemma 2).
int64_t mates_tell_mates(const Terms& t, int64_t others) { return t.wait(t.a - 1 + others, 2) + t.to_mate(); }

int64_t global_link(const Dragonfly& d, const Terms& t) {
  const int64_t told = 3 + t.last_local + 2 * t.step_of_g(d.g() - 1) + t.local;  // the row of the other group, at the mates
  const int64_t neighbour = told + mates_tell_mates(t, 0) + t.across();
  return std::max(neighbour + t.poll + t.service + t.write(), travel_write(t, t.step_of_g(d.g() - 1), 0));
}

int64_t local_link(const Dragonfly& d, const Terms& t) {
  const int64_t source_speakers = 2 * t.h / t.fewest_ports;  // routers of a group all of whose global ports are partial
  const int64_t first = 3 + t.last + 2 * t.step_of_b(d.a() - 1) + t.global;
  // Global neighbours pass it on over their other global ports at once: that is the first news that can come in between.
  const int64_t early = 2 * (3 + d.first_global() * t.hop + t.global) + 2 * t.step_of_b(0);
  const auto between = [&](int64_t until, int64_t messages) { return early > until ? 0 : messages * t.service; };
  const int64_t at_mates = first + t.poll + between(first + t.poll, t.h - 1) + t.to_mate();
  const int64_t alone = at_mates + mates_tell_mates(t, 0);
  const int64_t mates_done = early > alone ? alone : at_mates + mates_tell_mates(t, most_early(d));
  const int64_t news = mates_done + t.across();
  // A router that speaks has the news of its other ports and of the others that speak in front of it; one that does not is at the end of the chain.
  const int64_t told = news + t.wait(t.h + source_speakers - 2);
  const int64_t last_news = std::max(told, at_mates + mates_tell_mates(t, t.h + source_speakers));
  const int64_t last_look = std::max(last_news + t.to_mate() + t.wait(source_speakers - 1), told + t.service);
  // The mates of the two routers get h + 1 messages from each of them, the last one at the end of the travels.
  const int64_t travel = travel_write(t, t.step_of_g(d.g() - 1), t.banks > 1 ? t.h + 1 : 0);
  const int64_t own_group = travel + 1 + t.local + t.poll * (t.h + 1) + 2 * (t.h + 1) * t.service;
  return std::max({last_look, own_group, travel}) + t.write();
}

/// Every stage of the longest chain counts everything that a router can get.
int64_t coarse(const Terms& t, int64_t messages, int64_t stages, int64_t extra_messages) {
  const int64_t travel = std::max(travel_write(t, t.timing.steps(), extra_messages), t.service) + 3;
  const int64_t stage = std::max(t.to_mate(), t.across()) + messages * (t.service + t.poll);
  return travel + stages * stage + t.write();
}

}  // namespace

WorstCase worst_case(const Dragonfly& d, const Parameters& p, FaultClass fault_class) {
  WorstCase out;
  const Timing& timing = p.timing;
  if (timing.load > 0) {
    out.why = "route compute may take the table RAM for any number of cycles: the wait has no bound";
    return out;
  }
  if (timing.ideal || p.link.enabled || p.recovery == Recovery::port_level) {
    out.why = "the bound is about real service times, whole wires and recovery per entry";
    return out;
  }
  const Terms t(d, timing, fault_class == FaultClass::router);
  if (fault_class == FaultClass::node) {
    out.tight = true;
    out.cycles = travel_write(t, (d.p() - 1) / timing.banks, 0);
    return out;
  }
  constexpr int64_t kStages = 7;
  const bool regular = t.a >= 4 && t.fewest_ports >= 3;
  if (!regular) {
    const int64_t rows = d.a() + d.g(), changes = fault_class == FaultClass::router ? 8 : 4;
    out.cycles = coarse(t, (t.a - 1 + t.h) * changes * rows, kStages, changes * rows);
    out.why = "a router with fewer than 3 global ports, or a group of fewer than 4 routers, passes news on that others keep";
    return out;
  }
  if (fault_class == FaultClass::router) {
    out.cycles = coarse(t, std::max((t.h + 1) * (t.a - 2), 5 * t.a + 4 * t.h), kStages, t.h + 1);
    out.why = "FDs and the FRs that take them back overlap: every stage counts all messages of a router";
    return out;
  }
  out.tight = true;
  out.cycles = fault_class == FaultClass::global ? global_link(d, t) : local_link(d, t);
  return out;
}

}  // namespace odonata::fault
