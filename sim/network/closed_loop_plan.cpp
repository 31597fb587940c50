// SPDX-License-Identifier: Apache-2.0
// Programs: numbers of packets, who waits for whom, places, stragglers.
#include "sim/network/closed_loop_plan.h"

#include <charconv>
#include <set>
#include <tuple>

#include "models/common/error.h"
#include "models/common/split.h"
#include "sim/network/topology.h"

namespace odonata::network {

using workload::Job;
using workload::Op;
using workload::OpKind;

void DeleteLoopPlan::operator()(const LoopPlan* plan) const { delete plan; }

LoopPlanPointer make_loop_plan(const Config& config, const Wiring& wiring) {
  return LoopPlanPointer(config.workload ? new LoopPlan(config, wiring) : nullptr);
}

LoopPlan::LoopPlan(const Config& config, const Wiring& w)
    : wiring(w),
      jobs(*config.workload),
      eager_limit_(config.programs.eager_limit),
      flit_bytes_(static_cast<uint64_t>(config.programs.flit_bytes)),
      packet_flits_(static_cast<uint64_t>(config.router.packet_flits())),
      jitter_(0),
      seed_(config.seed),
      resend_(config.programs.resend),
      tries_(static_cast<uint32_t>(config.programs.resend_tries)),
      pace_(static_cast<uint64_t>(std::llround(static_cast<double>(1 << kPaceBits) / config.programs.nic_rate))),
      clock_(config.programs.clock) {
  jitter_ = cycles(config.programs.jitter);
  for (uint32_t j = 0; j < jobs.jobs.size(); ++j) {
    const Job& job = jobs.jobs[j];
    const auto base = static_cast<uint32_t>(ranks.size()), phase_base = static_cast<uint32_t>(phases.size());
    if (job.ranks.empty()) throw Error("workload " + job.name + ": no rank");
    workload::Partners partners;
    try {
      workload::totals(job);
      partners = workload::match(job);
      workload::check_order(job, partners, eager_limit_);
    } catch (const Error& e) {
      throw Error("workload " + job.name + ": " + e.what());
    }
    phases.insert(phases.end(), job.phases.begin(), job.phases.end());
    for (uint32_t r = 0; r < job.ranks.size(); ++r) {
      RankPlan rank;
      rank.program = &job.ranks[r];
      rank.job = j;
      rank.base = base;
      rank.iterations = job.iterations;
      rank.phase_base = phase_base;
      rank.partner = std::move(partners[r]);
      number_packets(rank);
      list_dependents(rank);
      ranks.push_back(std::move(rank));
    }
  }
  place(config);
  set_stragglers(config.programs.straggler);
}

/// The packets of a rank have numbers in the order of its program: those of a send (header first), two control packets
/// of a receive by rendezvous; and behind them the acknowledgements of what comes from the partner, when there are any
/// (`number_of`).
void LoopPlan::number_packets(RankPlan& rank) const {
  uint64_t next = 0;
  for (const Op& op : rank.program->ops) {
    rank.first_id.push_back(static_cast<uint32_t>(next));
    const uint64_t packets =
        op.kind == OpKind::send && op.amount / flit_bytes_ < Nics::kMark ? cut(op.amount).packets : 0;
    if (op.kind == OpKind::send) next += (packets == 0 ? uint64_t{Nics::kMark} : packets) + (rendezvous(op) ? 1 : 0);
    if (op.kind == OpKind::recv && rendezvous(op)) next += 2;
    if (resends() && op.kind != OpKind::calc) next += rendezvous(op) ? 2 : op.kind == OpKind::recv ? 1 : 0;
    if (next * rank.iterations >= Nics::kMark) throw Error("workload: a rank sends more than 2147483647 packets");
  }
  rank.first_id.push_back(static_cast<uint32_t>(next));
}

void LoopPlan::list_dependents(RankPlan& rank) {
  const workload::Rank& program = *rank.program;
  rank.heads.assign(program.ops.size() + 1, 0);
  for (const workload::Need& need : program.needs) ++rank.heads[need.op + 1];
  for (size_t i = 1; i < rank.heads.size(); ++i) rank.heads[i] += rank.heads[i - 1];
  rank.dependents.resize(program.needs.size());
  std::vector<uint32_t> next(rank.heads.begin(), rank.heads.end() - 1);
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const Op& op = program.ops[i];
    for (uint32_t k = op.first_need; k != op.first_need + op.needs; ++k)
      rank.dependents[next[program.needs[k].op]++] = 2 * i + program.needs[k].started;
  }
}

/// Which node a rank is on.
void LoopPlan::place(const Config& config) {
  const std::string& how = config.programs.mapping;
  const auto nodes = static_cast<size_t>(wiring.nodes);
  if (ranks.size() > nodes) {
    throw Error("workload: " + std::to_string(ranks.size()) + " ranks, " + config.topology->name() + " has " +
                std::to_string(nodes) + " nodes");
  }
  std::vector<uint32_t> order(nodes);
  for (uint32_t i = 0; i < nodes; ++i) order[i] = i;
  if (how == "random") {
    Random random(mix_seed(seed_, 0x6D617073));
    for (size_t i = nodes; i > 1; --i) std::swap(order[i - 1], order[random.below(static_cast<uint32_t>(i))]);
  } else if (how == "group") {  // the ranks of a router side by side, routers group after group in turn
    if (wiring.domains == 1 || wiring.is_cut())
      throw Error("--mapping group: " + config.topology->name() + " has no groups");
    using Place = std::tuple<size_t, size_t, size_t, uint32_t>;  // router of its group, group, port, node
    std::vector<Place> places;
    const auto ports = static_cast<size_t>(wiring.ports), routers = static_cast<size_t>(wiring.routers);
    for (size_t i = 0; i < wiring.wire.size(); ++i) {
      if (wiring.wire[i].kind == LinkKind::node)
        places.emplace_back(i / ports % routers, i / ports / routers, i % ports, wiring.wire[i].peer);
    }
    std::sort(places.begin(), places.end());
    for (size_t i = 0; i < nodes; ++i) order[i] = std::get<3>(places[i]);
  } else if (!config.programs.placed.empty()) {
    order = config.programs.placed;
    if (order.size() != ranks.size())
      throw Error("--mapping " + how + ": " + std::to_string(order.size()) + " nodes for " +
                  std::to_string(ranks.size()) + " ranks");
  } else if (how != "linear") {
    throw Error("--mapping: '" + how + "' is unknown, expected linear, random, group, file:FILE");
  }
  const std::vector<uint32_t> addresses = wiring.addresses();
  rank_of_node_.assign(nodes, kNone);
  rank_of_address_.assign(*std::max_element(addresses.begin(), addresses.end()) + 1, kNone);
  for (uint32_t r = 0; r < ranks.size(); ++r) {
    const uint32_t node = order[r];
    if (node >= nodes)
      throw Error("--mapping " + how + ": node " + std::to_string(node) + " of " + std::to_string(nodes));
    if (rank_of_node_[node] != kNone)
      throw Error("--mapping " + how + ": node " + std::to_string(node) + " for two ranks");
    rank_of_node_[node] = r;
    rank_of_address_[addresses[node]] = r;
    ranks[r].node = node;
    ranks[r].address = addresses[node];
  }
}

/// "RANK:NS,RANK:NS"; nothing, and nothing behind the last comma, are no straggler.
void LoopPlan::set_stragglers(const std::string& text) {
  std::set<uint64_t> given;
  std::vector<std::string_view> list = split(text, ',');
  if (list.back().empty()) list.pop_back();
  for (const std::string_view one : list) {
    const size_t colon = one.find(':');
    const auto number = [one](std::string_view word) {
      uint64_t value = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error != std::errc() || end != word.data() + word.size() || value > kNever)
        throw Error("--straggler: '" + std::string(one) + "', expected RANK:NS");
      return value;
    };
    const uint64_t rank = number(one.substr(0, colon)),
                   ns = number(colon == std::string_view::npos ? "" : one.substr(colon + 1));
    if (rank >= ranks.size())
      throw Error("--straggler: rank " + std::to_string(rank) + " of " + std::to_string(ranks.size()));
    if (!given.insert(rank).second) throw Error("--straggler: rank " + std::to_string(rank) + " is given twice");
    ranks[rank].straggles = static_cast<uint32_t>(std::min<uint64_t>(cycles(ns), kNever));
  }
}

uint64_t hash_of(const workload::Workload& workload) {
  uint64_t out = 0;
  const auto add = [&out](uint64_t value) { out = mix_seed(out, value); };
  for (const Job& job : workload.jobs) {
    add(job.iterations);
    for (const workload::Rank& r : job.ranks) {
      add(r.ops.size());
      for (const Op& o : r.ops) {
        add(o.amount);
        add(uint64_t{o.peer} << 32 | o.tag);
        add(static_cast<uint64_t>(o.kind) << 32 | static_cast<uint64_t>(o.phase) << 16 | o.cpu);
        for (uint32_t k = o.first_need; k != o.first_need + o.needs; ++k)
          add(2 * uint64_t{r.needs[k].op} + r.needs[k].started);
      }
    }
  }
  return out;
}

}  // namespace odonata::network
