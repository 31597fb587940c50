// SPDX-License-Identifier: Apache-2.0
// The network: its domains, the windows in which they advance, the mail between them, and the checks over all of them (docs/network.md §4).
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <tuple>
#include <vector>

#include "sim/network/dependency_cycle.h"
#include "sim/network/domain.h"
#include "sim/network/parameters.h"
#include "sim/network/simulation.h"
#include "sim/network/state_file.h"
#include "sim/network/worker_pool.h"

namespace odonata::network {

template <class Policy, class Source, bool kPackets>
class Engine final : public Simulation {
 public:
  Engine(const Config& config, Wiring wiring, Source source)
      : config_(config),
        wiring_(std::move(wiring)),
        source_(std::move(source)),
        faults_(make_feed(config)),
        loop_(make_loop_plan(config_, wiring_)),
        context_{config_,       wiring_,    static_cast<uint32_t>(config.warmup), static_cast<uint32_t>(config.warmup + config.sample), &board_,
                 faults_.get(), loop_.get()},
        window_(wiring_.lookahead() != 0 ? static_cast<uint64_t>(wiring_.lookahead()) : kAloneWindow),
        post_(wiring_),
        domains_(static_cast<size_t>(wiring_.domains)),
        pool_(std::min(config.threads, wiring_.domains)),
        scratch_(static_cast<size_t>(config.threads)) {
    if constexpr (requires { Policy::kBoard; }) {
      for (auto& half : board_.cells) half.resize(wiring_.wire.size());
    }
    pool_.run(wiring_.domains,
              [this](const WorkerPool::Task& t) { domains_[t.number] = std::make_unique<DomainType>(context_, t.number, source_, post_); });
  }

  void on_delivery(std::function<void(const Delivery&)> see) override {
    on_delivery_ = std::move(see);
    for (auto& d : domains_) d->record_deliveries();
  }
  bool advance() override;
  uint64_t now() const override { return now_; }
  std::pair<uint64_t, uint64_t> delivered() const override {
    const Totals t = totals();
    return {t.delivered, t.latency_sum};
  }
  Result result() const override;
  void save(std::ostream& to) const override {
    StateWriter writer(to, describe_text(config_));
    const_cast<Engine*>(this)->visit_state(writer);  // one list of the state for both directions
    writer.finish();
  }
  void load(std::istream& from) override {
    StateReader reader(from, describe_text(config_));
    visit_state(reader);
    reader.finish();
  }

 private:
  using DomainType = Domain<Policy, Source, kPackets>;
  static constexpr bool kOwnFaults = requires { Policy::kOwnFaults; };
  static constexpr uint64_t kAloneWindow = 100;  // a network of one domain has no lookahead to keep

  /// Totals of the whole run at a cycle; differences make the timeline.
  struct Totals {
    uint64_t cycle = 0, delivered_flits = 0, delivered = 0, lost = 0, latency_sum = 0, fd = 0, fr = 0;
  };
  /// What lies inside the network: packets count where their tail is.
  struct Inside {
    uint64_t flits = 0, packets = 0, sum = 0;
    uint64_t poison = 0;  ///< poisoned tails, which are no flits
    uint64_t age = 0;     ///< of the packets of the sample, cycles since their creation
  };

  /// The fault planes of a dragonfly; a policy with kOwnFaults has no need of them.
  static std::unique_ptr<FaultFeed> make_feed(const Config& config) {
    if constexpr (requires { Policy::kOwnFaults; }) return nullptr;
    return config.faults.events.empty() ? nullptr : std::make_unique<FaultFeed>(config);
  }
  uint64_t sample_last() const { return config_.warmup + config_.sample; }
  uint64_t limit() const { return now_ < sample_last() ? sample_last() : sample_last() + config_.drain; }
  bool over() const { return !deadlock_.empty() || programs_over() || (now_ >= sample_last() && (now_ >= limit() || drained())); }
  bool drained() const;
  bool programs_over() const {
    return loop_ && (stuck_ || std::all_of(domains_.begin(), domains_.end(), [](const auto& d) { return d->nics()->ranks_left() == 0; }));
  }
  Totals totals() const;
  void watch();
  DependencyGraph dependencies() const;
  static std::string describe_wait(const DomainType& domain, int router, int port, int vc, const typename DomainType::Wait& wait);
  std::vector<Stalled> stalled() const;
  Inside inside() const;
  bool slots_kept() const;
  bool channels_kept() const {
    return std::all_of(domains_.begin(), domains_.end(), [](const auto& d) { return d->channels_kept(); });
  }
  void add_domain(Result& out, const DomainType& domain) const;
  ChannelUse channel_use(int port_class) const;
  uint32_t router_of(const DomainType& domain, int router) const { return static_cast<uint32_t>(domain.number() * wiring_.routers + router); }
  /// Messages that were sent in the last window and not collected yet.
  size_t uncollected() const { return (windows_ + 1) & 1; }
  /// The domain that sends what arrives at the end of a link.
  uint32_t sender(uint32_t end) const { return post_.ends()[post_.ends()[end].peer].domain; }
  template <class Visit>
  void visit_state(Visit& visit) {
    visit(now_), visit(windows_), visit(seen_hops_), visit(last_progress_), visit(timeline_);
    for (auto& half : board_.cells) visit(half);
    post_.visit_state(visit);
    for (auto& d : domains_) d->visit_state(visit);
  }

  Config config_;
  Wiring wiring_;
  Source source_;
  Board board_;
  std::unique_ptr<FaultFeed> faults_;
  LoopPlanPointer loop_;
  Context context_;
  uint64_t window_;
  Post post_;
  std::vector<std::unique_ptr<DomainType>> domains_;
  WorkerPool pool_;
  std::vector<Scratch> scratch_;  // by thread
  double seconds_ = 0, cpu_seconds_ = 0;
  uint64_t cycles_here_ = 0;  // simulated since construction, which the seconds belong to
  uint64_t now_ = 0, windows_ = 0, seen_hops_ = 0, last_progress_ = 0;
  std::string deadlock_;
  bool stuck_ = false;  // programs wait for what never comes
  std::function<void(const Delivery&)> on_delivery_;
  std::vector<Totals> timeline_;  // at the end of every entry
};

template <class Policy, class Source, bool kPackets>
bool Engine<Policy, Source, kPackets>::advance() {
  if (over()) return false;
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t cpu = std::clock();
  const uint64_t first = now_, last = std::min((now_ / window_ + 1) * window_, limit());
  if (faults_) faults_->advance(static_cast<uint32_t>(first), static_cast<uint32_t>(last));
  pool_.run(wiring_.domains, [&](const WorkerPool::Task& t) {
    const DomainType* const next = t.next == WorkerPool::kNone ? nullptr : domains_[t.next].get();
    domains_[t.number]->run({static_cast<uint32_t>(first), static_cast<uint32_t>(last), windows_ & 1}, scratch_[t.thread], next);
  });
  ++windows_;
  now_ = last;
  if (on_delivery_) {
    for (auto& d : domains_) d->take_deliveries(on_delivery_);
  }
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  cpu_seconds_ += static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  cycles_here_ += last - first;
  if constexpr (DomainType::kChecked) {
    invariant(slots_kept(), "slots and credits behind an output do not add up to its buffer");
    invariant(channels_kept(), "a virtual channel is held by no packet, or a packet waits for flits from a dead link");
  }
  watch();
  const bool ended = over();
  const uint64_t entry = now_ - (timeline_.empty() ? 0 : timeline_.back().cycle);
  if (config_.interval != 0 && (entry >= config_.interval || (ended && entry != 0))) timeline_.push_back(totals());
  return !ended;
}

template <class Policy, class Source, bool kPackets>
bool Engine<Policy, Source, kPackets>::drained() const {
  uint64_t injected = 0, finished = 0;
  for (const auto& d : domains_) {
    injected += d->statistics().sample_injected;
    finished += d->statistics().sample_finished;
    if (d->sample_waits()) return false;
  }
  return injected == finished;
}

template <class Policy, class Source, bool kPackets>
typename Engine<Policy, Source, kPackets>::Totals Engine<Policy, Source, kPackets>::totals() const {
  Totals out;
  out.cycle = now_;
  for (const auto& d : domains_) {
    const Statistics& s = d->statistics();
    out.delivered_flits += s.delivered_flits;
    out.delivered += s.delivered;
    out.lost += s.lost;
    out.latency_sum += s.latency_sum;
    out.latency_sum += now_ * s.program_packets;  // cycles that they have spent inside up to now
  }
  if (faults_) std::tie(out.fd, out.fr) = faults_->messages(static_cast<uint32_t>(now_));
  return out;
}

/// Stops the run when nothing has moved for long and packets wait for each other.
template <class Policy, class Source, bool kPackets>
void Engine<Policy, Source, kPackets>::watch() {
  uint64_t hops = 0;
  for (const auto& d : domains_) hops += d->statistics().flit_hops;
  if (hops != seen_hops_) last_progress_ = now_;
  seen_hops_ = hops;
  if (config_.watchdog == 0 || now_ - last_progress_ < config_.watchdog) return;
  last_progress_ = now_;
  const DependencyGraph graph = dependencies();
  deadlock_ = graph.describe_cycle();
  if (deadlock_.empty() && !graph.empty()) deadlock_ = "packets wait, but not in a circle\n";
  if (loop_ && deadlock_.empty()) {  // messages were lost, or their node is cut off for good
    const auto will_act = [this](const auto& d) { return d->nics()->will_act(static_cast<uint32_t>(now_)); };
    const auto comes = [this](const TimedFault& f) { return f.cycle >= now_; };
    stuck_ =
        std::none_of(domains_.begin(), domains_.end(), will_act) && std::none_of(config_.faults.events.begin(), config_.faults.events.end(), comes);
  }
}

template <class Policy, class Source, bool kPackets>
DependencyGraph Engine<Policy, Source, kPackets>::dependencies() const {
  DependencyGraph graph;
  const auto key = [this](uint64_t router, int port, int vc) {
    return (router * static_cast<uint64_t>(wiring_.ports) + static_cast<uint64_t>(port)) * 64 + static_cast<uint64_t>(vc);
  };
  for (const auto& d : domains_) {
    for (int r = 0; r < wiring_.routers; ++r) {
      for (int port = 0; port < wiring_.ports; ++port) {
        for (int v = 0; v < d->vcs(); ++v) {
          const auto wait = d->waits_for(r, port, v);
          if (!wait.blocked) continue;
          const std::string text = describe_wait(*d, r, port, v, wait);
          graph.add(key(router_of(*d, r), port, v), key(wait.router, wait.port, wait.vc), text);
        }
      }
    }
  }
  return graph;
}

template <class Policy, class Source, bool kPackets>
std::string Engine<Policy, Source, kPackets>::describe_wait(const DomainType& domain, int router, int port, int vc,
                                                            const typename DomainType::Wait& wait) {
  if constexpr (requires { domain.policy().describe_wait(router, port, vc, wait.dest, wait.out_port); }) {
    return domain.policy().describe_wait(router, port, vc, wait.dest, wait.out_port);
  } else {
    return "domain " + std::to_string(domain.number()) + " router " + std::to_string(router) + " input port " + std::to_string(port) + " VC " +
           std::to_string(vc) + " waits for output port " + std::to_string(wait.out_port) + " VC " + std::to_string(wait.vc);
  }
}

template <class Policy, class Source, bool kPackets>
std::vector<Stalled> Engine<Policy, Source, kPackets>::stalled() const {
  std::vector<Stalled> out;
  for (const auto& d : domains_) {
    d->for_each_flit([&](const Flit& flit, size_t index) {
      if (!flit.head() || wiring_.wire[index].kind == LinkKind::node) return;
      const size_t ports = static_cast<size_t>(wiring_.ports);
      out.push_back({static_cast<uint32_t>(index / ports), static_cast<uint8_t>(index % ports), flit.vc, flit.dest});
    });
  }
  return out;
}

template <class Policy, class Source, bool kPackets>
typename Engine<Policy, Source, kPackets>::Inside Engine<Policy, Source, kPackets>::inside() const {
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
  for (uint32_t end = 0; end != post_.ends().size(); ++end) {
    for (const FlitMessage& m : post_.flits(uncollected(), end, sender(end))) add(m.flit, 0);
  }
  return out;
}

/// Behind every output: free slots + taken slots + credits under way = buffer.
template <class Policy, class Source, bool kPackets>
bool Engine<Policy, Source, kPackets>::slots_kept() const {
  constexpr size_t kVcs = Policy::kMaxVcs;
  std::vector<uint32_t> slots(wiring_.wire.size() * kVcs);
  const auto peer = [this](size_t port) { return static_cast<size_t>(wiring_.wire[port].peer) * wiring_.ports + wiring_.wire[port].peer_port; };
  for (const auto& d : domains_) {
    d->for_each_output_vc([&](size_t port, int vc, uint32_t credits) { slots[port * kVcs + vc] += credits; });
    d->for_each_credit([&](size_t port, int vc) { ++slots[port * kVcs + vc]; });
    d->for_each_flit([&](const Flit& flit, size_t port) {
      if (wiring_.wire[port].kind != LinkKind::node && !flit.uncredited()) ++slots[peer(port) * kVcs + flit.vc];
    });
  }
  for (uint32_t end = 0; end != post_.ends().size(); ++end) {
    const size_t port = post_.ends()[end].port;
    for (const FlitMessage& m : post_.flits(uncollected(), end, sender(end))) ++slots[peer(port) * kVcs + m.flit.vc];
    for (const CreditMessage& m : post_.credits(uncollected(), end, sender(end))) ++slots[port * kVcs + m.vc];
  }
  for (size_t port = 0; port < wiring_.wire.size(); ++port) {
    const PortWire& wire = wiring_.wire[port];
    if (wire.kind != LinkKind::inside && wire.kind != LinkKind::between) continue;
    for (int v = 0; v < config_.router.vcs; ++v) {
      if (slots[port * kVcs + v] != wire.buffer) return false;
    }
  }
  return true;
}

template <class Policy, class Source, bool kPackets>
void Engine<Policy, Source, kPackets>::add_domain(Result& out, const DomainType& domain) const {
  const Statistics& s = domain.statistics();
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
  out.mean_with_unfinished += static_cast<double>(s.latency.sum() + waiting.age);
  out.unfinished += s.sample_injected + waiting.sampled - s.sample_finished;
  out.offered += static_cast<double>(s.sample_flits + waiting.sampled_flits);
  out.accepted += static_cast<double>(s.accepted_flits);
  out.digest += s.digest;
  out.flit_hops += s.flit_hops;
  if constexpr (requires { domain.policy().decisions(); }) {
    for (int i = 0; i < 8; ++i) out.decisions[i] += domain.policy().decisions()[i];
  }
  if constexpr (requires { domain.policy().drops(); }) {
    for (size_t i = 0; i < out.drops.size(); ++i) out.drops[i] += domain.policy().drops()[i];
  }
  if constexpr (requires { domain.policy().compared(); }) out.compared += domain.policy().compared();
  out.memory_bytes += domain.bytes();
}

template <class Policy, class Source, bool kPackets>
ChannelUse Engine<Policy, Source, kPackets>::channel_use(int port_class) const {
  ChannelUse use{config_.links[static_cast<size_t>(port_class)].name};
  uint64_t sum = 0, channels = 0, most = 0;
  for (size_t port = 0; port < wiring_.wire.size(); ++port) {
    const PortWire& wire = wiring_.wire[port];
    if (wire.port_class != port_class || wire.kind == LinkKind::none) continue;
    const size_t ports = static_cast<size_t>(wiring_.routers) * wiring_.ports;
    const uint64_t carried = domains_[port / ports]->carried(static_cast<int>(port % ports));
    ++channels;
    sum += carried;
    most = std::max(most, carried);
  }
  const double cycles = static_cast<double>(std::min(now_, sample_last()) - std::min(now_, config_.warmup));
  if (channels == 0 || cycles == 0) return use;
  use.mean = static_cast<double>(sum) / static_cast<double>(channels) / cycles;
  use.max = static_cast<double>(most) / cycles;
  return use;
}

template <class Policy, class Source, bool kPackets>
Result Engine<Policy, Source, kPackets>::result() const {
  Result out;
  uint64_t injected_flits = 0, gone_flits = 0, sums = 0, misdelivered = 0, injected = 0, poison = 0;
  for (const auto& d : domains_) {
    add_domain(out, *d);
    const Statistics& s = d->statistics();
    injected_flits += s.injected_flits;
    gone_flits += s.delivered_flits + s.lost_flits;
    sums += s.injected_sum - s.delivered_sum - s.lost_sum;
    misdelivered += s.misdelivered;
    injected += s.injected;
    poison += s.poison_made - s.poison_gone;
  }
  if constexpr (requires { Policy::kFaults; }) {
    if (faults_) out.faults = faults_->result(static_cast<uint32_t>(now_));
    if constexpr (requires { domains_[0]->policy().fault_result(0u); }) out.faults = domains_[0]->policy().fault_result(static_cast<uint32_t>(now_));
    out.faults.tables_ok = out.faults.quiet && std::all_of(domains_.begin(), domains_.end(), [](const auto& d) { return d->policy().tables_ok(); });
  }
  const Inside inside = this->inside();
  out.in_flight = inside.packets;
  out.in_flight_flits = inside.flits + inside.poison;
  const uint64_t not_lost = out.latency.samples() + out.unfinished;
  out.mean_with_unfinished = (out.mean_with_unfinished + static_cast<double>(inside.age)) / static_cast<double>(std::max<uint64_t>(not_lost, 1));
  out.conservation_ok = misdelivered == 0 && injected_flits == gone_flits + inside.flits && sums == inside.sum &&
                        injected == out.delivered + out.lost + out.in_flight && poison == inside.poison && slots_kept() && channels_kept();
  const double sampled = static_cast<double>(std::min(now_, sample_last()) - std::min(now_, config_.warmup));
  const double node_cycles = sampled * wiring_.nodes;
  out.offered = node_cycles == 0 ? 0 : out.offered / node_cycles;
  out.accepted = node_cycles == 0 ? 0 : out.accepted / node_cycles;
  for (size_t c = 1; c < config_.links.size(); ++c) out.channels.push_back(channel_use(static_cast<int>(c)));
  for (int port = 0; port < wiring_.routers * wiring_.ports; ++port) {
    const PortWire& wire = wiring_.wire[static_cast<size_t>(port)];
    if (wire.kind == LinkKind::between && sampled != 0) {
      out.domain_zero.push_back(static_cast<float>(domains_[0]->carried(port) / sampled));
    }
  }
  out.cycles = now_;
  out.saturated = out.latency.mean() > 500 || out.unfinished != 0;
  out.deadlock = deadlock_;
  if (loop_) {
    std::vector<const Nics*> nics;
    for (const auto& d : domains_) nics.push_back(d->nics());
    out.programs = std::make_shared<const LoopResult>(loop_result(*loop_, nics));
  }
  if (!deadlock_.empty()) out.stalled = stalled();
  for (size_t i = 0; i < timeline_.size(); ++i) {
    const Totals a = i == 0 ? Totals{} : timeline_[i - 1], b = timeline_[i];
    const uint64_t packets = b.delivered - a.delivered;
    out.timeline.push_back({a.cycle, b.cycle, b.delivered_flits - a.delivered_flits, packets, b.lost - a.lost, b.fd - a.fd, b.fr - a.fr,
                            packets == 0 ? 0 : static_cast<double>(b.latency_sum - a.latency_sum) / static_cast<double>(packets)});
  }
  out.seconds = seconds_;
  out.cpu_seconds = cpu_seconds_;
  out.timed_cycles = cycles_here_;
  out.memory_bytes += post_.bytes();
  return out;
}

}  // namespace odonata::network
