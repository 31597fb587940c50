// SPDX-License-Identifier: Apache-2.0
// What came of programs, summed over domains.
#include <limits>

#include "sim/network/closed_loop_state.h"

namespace odonata::network {

using loop::Host;
using loop::PhaseSums;
using loop::Transfer;
using workload::Job;

namespace {

void add(PhaseSums& to, const PhaseSums& from) {
  to.messages += from.messages, to.received += from.received, to.bytes += from.bytes, to.packets += from.packets;
  to.arrivals += from.arrivals;
  to.created += from.created, to.entered += from.entered, to.arrived += from.arrived;
  to.first = std::min(to.first, from.first);
  to.ended = std::max(to.ended, from.ended);
}

double mean(const PhaseSums& s, uint64_t since) {
  if (s.packets == 0 || s.arrivals != s.packets) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(static_cast<int64_t>(s.arrived - since)) / static_cast<double>(s.packets);
}

PhaseResult phase_result(const std::string& name, const PhaseSums& s) {
  const bool happened = s.first != kNever;
  return {name,
          s.messages,
          s.bytes,
          s.packets,
          mean(s, s.entered),
          mean(s, s.created),
          happened ? static_cast<int64_t>(s.first) : -1,
          static_cast<int64_t>(s.ended) - 1};
}

}  // namespace

/// Sums over domains.
struct LoopSums {
  explicit LoopSums(const LoopPlan& p) : plan(p), phases(p.phases.size()), hosts(p.ranks.size()) {}
  void add_domain(const Nics& nics);
  RankResult rank_result(const Job& job, uint32_t r, uint32_t number);
  JobResult job_result(const Job& job);

  const LoopPlan& plan;
  LoopResult out;
  PhaseSums all;
  std::vector<PhaseSums> phases;   // of all jobs
  std::vector<const Host*> hosts;  // by rank
};

void LoopSums::add_domain(const Nics& nics) {
  const Nics::State& s = *nics.state_;
  out.time_cycles = std::max<uint64_t>(out.time_cycles, s.time);
  out.control_packets += s.control_packets;
  out.resent += s.resent, out.acknowledgements += s.acknowledgements, out.duplicates += s.duplicates;
  out.given_up += s.gave_up;
  for (const Host& h : s.hosts) {
    if (h.rank != LoopPlan::kNone) hosts[h.rank] = &h;
  }
  for (size_t i = 0; i < phases.size(); ++i) add(phases[i], s.phases[i]);
}

/// Rank r of a job, `number` among all; what the first unfinished one waits for and what was given up go to `out`.
RankResult LoopSums::rank_result(const Job& job, uint32_t r, uint32_t number) {
  RankResult rank;
  rank.node = plan.ranks[number].node;
  const Host* h = hosts[number];
  if (h == nullptr) return rank;
  rank.calculation = h->busy;
  if (h->finished != kNever) {
    rank.finished = h->finished;
    rank.communication = h->finished - h->busy;
  } else {
    ++out.unfinished_ranks;
    for (uint32_t i = 0; i < h->status.size() && out.waits.empty(); ++i) {
      if (h->status[i] == Nics::State::kStarted)
        out.waits = describe(job, r, i) + ", iteration " + std::to_string(h->iteration);
    }
  }
  if (out.gave_up.empty() && !h->given_up.empty()) {
    const Transfer& t = h->given_up.front();
    const auto peer = static_cast<uint32_t>(plan.ranks[number].base + job.ranks[r].ops[t.op].peer);
    out.gave_up = describe(job, r, t.op) + ", iteration " + std::to_string(t.iteration) + ": node " +
                  std::to_string(plan.ranks[peer].node) + " has not answered node " + std::to_string(rank.node) +
                  " in " + std::to_string(t.sent) + " tries";
  }
  return rank;
}

JobResult LoopSums::job_result(const Job& job) {
  JobResult j{job.name, job.note, static_cast<uint32_t>(out.ranks.size()), static_cast<uint32_t>(job.ranks.size()),
              0,        {}};
  for (uint32_t r = 0; r < j.ranks; ++r) {
    const RankResult rank = rank_result(job, r, j.first_rank + r);
    j.time_cycles = j.time_cycles < 0 || rank.finished < 0 ? -1 : std::max(j.time_cycles, rank.finished);
    out.ranks.push_back(rank);
  }
  for (const std::string& name : job.phases) {
    const PhaseSums& s = phases[j.phases.size() + plan.ranks[j.first_rank].phase_base];
    j.phases.push_back(phase_result(name, s));
    out.messages += s.messages, out.received += s.received, out.bytes += s.bytes, out.packets += s.packets;
    add(all, s);
  }
  return j;
}

LoopResult loop_result(const LoopPlan& plan, const std::vector<const Nics*>& domains) {
  LoopSums sums(plan);
  for (const Nics* nics : domains) sums.add_domain(*nics);
  for (const Job& job : plan.jobs.jobs) sums.out.jobs.push_back(sums.job_result(job));
  sums.out.nic = mean(sums.all, sums.all.entered);
  sums.out.creation = mean(sums.all, sums.all.created);
  return std::move(sums.out);
}

}  // namespace odonata::network
