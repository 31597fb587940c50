// SPDX-License-Identifier: Apache-2.0
// What came out, summed over domains and ranks.
#include <algorithm>
#include <tuple>

#include "sim/network/engine.h"

namespace odonata::network {

Result Engine::result() const {
  Result out;
  Tally tally;
  for (const auto& d : domains_) add_domain(out, tally, *d);
  tally.cpu_ns = static_cast<uint64_t>(cpu_seconds_ * 1e9);
  out.memory_bytes += post_.bytes() + (mail_ ? mail_->memory() : 0);
  Inside inside = this->inside();
  sum_over_ranks(out, tally, inside);
  if (kind_.faults) {
    if (faults_) out.faults = faults_->result(static_cast<uint32_t>(now_));
    if (kind_.own_faults) out.faults = domains_[0]->fault_result(static_cast<uint32_t>(now_));
    const auto tables_ok = [](const auto& d) { return d->tables_ok(); };
    out.faults.tables_ok =
        out.faults.quiet && !any(share_.exchange(), !std::all_of(domains_.begin(), domains_.end(), tables_ok));
  }
  out.in_flight = inside.packets;
  out.in_flight_flits = inside.flits + inside.poison;
  const uint64_t not_lost = out.latency.samples() + out.unfinished;
  out.mean_with_unfinished =
      static_cast<double>(tally.age + inside.age) / static_cast<double>(std::max<uint64_t>(not_lost, 1));
  const bool slots_kept = this->slots_kept();  // every rank has to ask
  out.conservation_ok = conserved(tally, inside, out.delivered, out.lost, slots_kept);
  const double sampled = static_cast<double>(std::min(now_, sample_last()) - std::min(now_, config_.warmup));
  out.nodes = wiring_.nodes;
  const double node_cycles = sampled * wiring_.nodes;
  out.offered = node_cycles == 0 ? 0 : static_cast<double>(tally.offered) / node_cycles;
  out.accepted = node_cycles == 0 ? 0 : static_cast<double>(tally.accepted) / node_cycles;
  for (size_t c = 1; c < config_.links.size(); ++c) out.channels.push_back(channel_use(static_cast<int>(c)));
  out.sent = sent_by_router();
  out.taken = taken_by_router();
  const auto use_of_zero = [&](StateWriter& to, const AnyDomain& d) {
    std::vector<double> use;
    for (int port = 0; d.number() == 0 && !wiring_.is_cut() && port < wiring_.routers * wiring_.ports; ++port) {
      if (wiring_.wire[static_cast<size_t>(port)].kind == LinkKind::between && sampled != 0)
        use.push_back(d.carried(port) / sampled);
    }
    to(use);
  };
  gather_domains(use_of_zero, [&out](int domain, StateReader& from) {
    if (domain == 0) from(out.domain_zero);
  });
  out.cycles = now_;
  out.deadlock = deadlock_;
  // A run of programs ends with them, whatever open packets are under way then.
  out.saturated = out.latency.mean() > 500 || (out.unfinished != 0 && !loop_) || !out.deadlock.empty();
  if (loop_) out.programs = std::make_shared<const LoopResult>(programs());
  if (!deadlock_.empty()) out.stalled = stalled();
  for (size_t i = 0; i < timeline_.size(); ++i) {
    const Totals a = i == 0 ? Totals{} : timeline_[i - 1], b = timeline_[i];
    const uint64_t packets = b.delivered - a.delivered;
    out.timeline.push_back(
        {a.cycle, b.cycle, b.delivered_flits - a.delivered_flits, packets, b.lost - a.lost, b.fd - a.fd, b.fr - a.fr,
         packets == 0 ? 0 : static_cast<double>(b.latency_sum - a.latency_sum) / static_cast<double>(packets)});
  }
  out.link_windows = link_counts_.result(config_.warmup);
  out.seconds = seconds_;
  out.cpu_seconds = static_cast<double>(tally.cpu_ns) * 1e-9;
  out.timed_cycles = cycles_here_;
  if (mail_) {
    out.ranks = share_.exchange()->ranks();
    out.exchange_bytes = mail_->bytes();
    out.exchange_seconds = mail_->seconds();
    out.packing_seconds = mail_->packing_seconds();
    out.moved_domains = moved_;
    std::copy(std::begin(imbalance_), std::end(imbalance_), out.imbalance.begin());
  }
  return out;
}

void Engine::add_domain(Result& out, Tally& tally, const AnyDomain& domain) const {
  const Statistics& s = domain.statistics();
  tally.injected_flits += s.injected_flits;
  tally.gone_flits += s.delivered_flits + s.lost_flits;
  tally.sums += s.injected_sum - s.delivered_sum - s.lost_sum;
  tally.misdelivered += s.misdelivered;
  tally.injected += s.injected;
  tally.poison += s.poison_made - s.poison_gone;
  if (!domain.channels_kept()) ++tally.bad_channels;
  const auto waiting = domain.waiting(static_cast<uint32_t>(now_));
  out.latency.merge(s.latency);
  for (size_t i = 0; i < s.hops.size(); ++i) out.hops[i] += s.hops[i];
  out.created += s.injected + waiting.packets;
  out.waiting += waiting.packets;
  out.delivered += s.delivered;
  out.lost += s.lost;
  out.unroutable += s.unroutable;
  out.lost_in_routers += s.lost_in_routers;
  out.cut += s.poison_made;
  tally.age += s.latency.sum() + waiting.age;
  out.unfinished += s.sample_injected + waiting.sampled - s.sample_finished;
  tally.offered += s.sample_flits + waiting.sampled_flits;
  tally.accepted += s.accepted_flits;
  out.digest += s.digest;
  out.flit_hops += s.flit_hops;
  domain.add_counts(out);
  out.memory_bytes += domain.bytes();
}

/// What add_domain() and inside() have summed over the domains of this rank.
void Engine::sum_over_ranks(Result& out, Tally& tally, Inside& inside) const {
  if (share_.exchange() == nullptr) return;
  RankSums sums;
  for (uint64_t* n :
       {&tally.injected_flits, &tally.gone_flits,    &tally.sums,      &tally.misdelivered, &tally.injected,
        &tally.poison,         &tally.age,           &tally.offered,   &tally.accepted,     &tally.bad_channels,
        &tally.cpu_ns,         &inside.flits,        &inside.packets,  &inside.sum,         &inside.poison,
        &inside.age,           &out.created,         &out.waiting,     &out.delivered,      &out.lost,
        &out.unroutable,       &out.lost_in_routers, &out.cut,         &out.unfinished,     &out.digest,
        &out.flit_hops,        &out.compared,        &out.memory_bytes}) {
    sums(*n);
  }
  sums(out.hops), sums(out.decisions), sums(out.drops);
  out.latency.visit_ranks(sums);
  sums.run(*share_.exchange());
}

Inside Engine::inside() const {
  Inside out;
  const auto add = [&](const Flit& flit, auto) {
    if (flit.poisoned()) return void(++out.poison);
    ++out.flits;
    out.packets += flit.tail();
    if (flit.tail() && context_.in_sample(flit.born)) out.age += now_ - flit.born;
    out.sum += hash_of(flit);
  };
  for (const auto& d : domains_) {
    d->for_each_flit(add);
    out.packets += d->unsent_packets();
  }
  for (uint32_t end = 0; end != post_.own_ends(); ++end) {
    for (const FlitMessage& m : post_.flits(uncollected(), end, sender(end))) add(m.flit, 0);
  }
  return out;
}

ChannelUse Engine::channel_use(int port_class) const {
  ChannelUse use{config_.links[static_cast<size_t>(port_class)].name};
  uint64_t sum = 0, channels = 0, most = 0;
  for_each_port([&](const AnyDomain& d, size_t port, const PortWire& wire) {
    if (wire.port_class != port_class || wire.kind == LinkKind::none) return;
    const uint32_t flits = d.carried(static_cast<int>(port));
    ++channels;
    sum += flits;
    most = std::max<uint64_t>(most, flits);
  });
  std::array<uint64_t, 2> all{sum, channels};
  this->sum(all);
  std::tie(sum, channels) = std::tie(all[0], all[1]);
  most = largest(most);
  const double cycles = static_cast<double>(std::min(now_, sample_last()) - std::min(now_, config_.warmup));
  if (channels == 0 || cycles == 0) return use;
  use.mean = static_cast<double>(sum) / static_cast<double>(channels) / cycles;
  use.max = static_cast<double>(most) / cycles;
  return use;
}

/// Result::sent
std::vector<double> Engine::sent_by_router() const {
  std::vector<uint32_t> flits(static_cast<size_t>(wiring_.network_routers())), nodes(flits.size());
  for (const auto& d : domains_) {
    d->for_each_node([&](size_t port, uint32_t sent) {
      const uint32_t router = name_of(static_cast<int>(port / static_cast<size_t>(wiring_.ports)));
      flits[router] += sent;
      ++nodes[router];
    });
  }
  if (share_.exchange() != nullptr) {
    RankSums sums;
    sums(flits), sums(nodes);
    sums.run(*share_.exchange());
  }
  const double cycles = static_cast<double>(std::min(now_, sample_last()) - std::min(now_, config_.warmup));
  std::vector<double> out;
  for (size_t r = 0; r != flits.size(); ++r)
    out.push_back(nodes[r] == 0 || cycles == 0 ? -1.0 : flits[r] / (nodes[r] * cycles));
  return out;
}

/// Result::taken
std::vector<uint32_t> Engine::taken_by_router() const {
  std::vector<uint32_t> flits(static_cast<size_t>(wiring_.network_routers()));
  for_each_port([&](const AnyDomain& d, size_t port, const PortWire& wire) {
    const size_t router =
        (static_cast<size_t>(d.number()) * domain_ports() + port) / static_cast<size_t>(wiring_.ports);
    if (wire.kind == LinkKind::node) flits[name_of(static_cast<int>(router))] += d.carried(static_cast<int>(port));
  });
  if (share_.exchange() != nullptr) {
    RankSums sums;
    sums(flits);
    sums.run(*share_.exchange());
  }
  return flits;
}

/// What came of the programs on all ranks of the run.
LoopResult Engine::programs() const {
  std::vector<const Nics*> nics;
  if (!mail_) {
    for (const auto& d : domains_) nics.push_back(d->nics());
    return loop_result(*loop_, nics);
  }
  std::vector<std::unique_ptr<Nics>> all;
  const auto write = [](StateWriter& to, const AnyDomain& d) { to(d.nics()->save()); };
  gather_domains(write, [&](int domain, StateReader& from) {
    std::vector<char> state;
    from(state);
    all.push_back(std::make_unique<Nics>(*loop_, domain));
    all.back()->load(state);
    nics.push_back(all.back().get());
  });
  return loop_result(*loop_, nics);
}

std::vector<Stalled> Engine::stalled() const {
  std::vector<Stalled> out;
  const auto write = [this](StateWriter& to, const AnyDomain& d) {
    std::vector<Stalled> list;
    d.for_each_flit([&](const Flit& flit, size_t index) {
      if (!flit.head() || wiring_.wire[index].kind == LinkKind::node) return;
      const size_t ports = static_cast<size_t>(wiring_.ports);
      list.push_back(
          {name_of(static_cast<int>(index / ports)), static_cast<uint8_t>(index % ports), flit.vc, flit.dest});
    });
    to(list);
  };
  gather_domains(write, [&out](int, StateReader& from) {
    std::vector<Stalled> list;
    from(list);
    out.insert(out.end(), list.begin(), list.end());
  });
  if (wiring_.is_cut())
    std::stable_sort(out.begin(), out.end(), [](const Stalled& a, const Stalled& b) { return a.router < b.router; });
  return out;
}

}  // namespace odonata::network
