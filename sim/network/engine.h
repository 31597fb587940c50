// SPDX-License-Identifier: Apache-2.0
// The network: its domains, the windows in which they advance, the mail between them, and the checks over all of them
// (docs/network.md §4).
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

#include "sim/network/cold.h"
#include "sim/network/balance.h"
#include "sim/network/dependency_cycle.h"
#include "sim/network/domain.h"
#include "sim/network/link_windows.h"
#include "sim/network/parameters.h"
#include "sim/network/rank_mail.h"
#include "sim/network/simulation.h"
#include "sim/network/state_file.h"
#include "sim/network/worker_pool.h"

namespace odonata::network {

template <class Policy, class Source, bool kPackets>
class Engine final : public Simulation {
 public:
  ODONATA_COLD Engine(const Config& config, Wiring wiring, Source source)
      : config_(config),
        wiring_(std::move(wiring)),
        source_(std::move(source)),
        share_(config.exchange, wiring_.domains),
        faults_(make_feed(config_, share_)),
        loop_(make_loop_plan(config_, wiring_)),
        context_{config_,
                 wiring_,
                 static_cast<uint32_t>(config.warmup),
                 static_cast<uint32_t>(config.warmup + config.sample),
                 &board_,
                 faults_.get(),
                 loop_.get()},
        window_(wiring_.is_cut() || wiring_.lookahead() == 0 ? kWholeWindow
                                                             : static_cast<uint64_t>(wiring_.lookahead())),
        step_(find_step()),
        link_counts_(config_.interval, wiring_),
        post_(own_wiring(share_), share_),
        mail_(share_.exchange() == nullptr ? nullptr : std::make_unique<RankMail>(post_, share_)),
        pool_(std::min(config.threads, static_cast<int>(share_.own().size()))),
        scratch_(static_cast<size_t>(config.threads)) {
    if constexpr (requires { Policy::kBoard; }) {
      for (auto& half : board_.cells) half.resize(wiring_.wire.size());
    }
    make_domains();
    // A device in the loop is where its domain is.
    balances_ = mail_ && config_.balance != 0 && wiring_.domains > share_.ranks() &&
                !any(share_.exchange(), !config_.taps.empty() || config_.faults.tap != nullptr ||
                                            config_.requests.device || config_.hardware);
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
  void save(std::ostream& to) const override;
  void load(std::istream& from) override;

 private:
  using DomainType = Domain<Policy, Source, kPackets>;
  static constexpr bool kOwnFaults = requires { Policy::kOwnFaults; };
  static constexpr uint64_t kWholeWindow =
      100;  // cycles, of a network that has no domains of its own: however it is cut

  /// Totals of the whole run at a cycle; differences make the timeline.
  struct Totals {
    uint64_t cycle = 0, delivered_flits = 0, delivered = 0, lost = 0, latency_sum = 0, fd = 0, fr = 0;
  };
  /// Sums over the domains that only result() needs.
  struct Tally {
    uint64_t injected_flits = 0, gone_flits = 0, sums = 0, misdelivered = 0, injected = 0, poison = 0;
    uint64_t age = 0;                    ///< latencies and ages of the packets of the sample
    uint64_t offered = 0, accepted = 0;  ///< flits
    uint64_t bad_channels = 0, cpu_ns = 0;
  };
  /// What lies inside the network: packets count where their tail is.
  struct Inside {
    uint64_t flits = 0, packets = 0, sum = 0;
    uint64_t poison = 0;  ///< poisoned tails, which are no flits
    uint64_t age = 0;     ///< of the packets of the sample, cycles since their creation
  };

  /// The fault planes of a dragonfly; a policy with kOwnFaults has no need of them.
  static std::unique_ptr<FaultFeed> make_feed(const Config& config, const Share& share) {
    if constexpr (requires { Policy::kOwnFaults; }) return nullptr;
    return config.faults.events.empty()
               ? nullptr
               : std::make_unique<FaultFeed>(config, share.exchange() == nullptr ? nullptr : &share);
  }
  /// The wiring without the domains of others; programs are placed, and shown at the end, by all of it.
  const Wiring& own_wiring(const Share& share) {
    if (share.exchange() != nullptr && !loop_) wiring_.keep(share.own());
    return wiring_;
  }
  uint64_t sample_last() const { return config_.warmup + config_.sample; }
  uint64_t limit() const { return now_ < sample_last() ? sample_last() : sample_last() + config_.drain; }
  bool over() const {
    return !deadlock_.empty() || programs_over() || (now_ >= sample_last() && (now_ >= limit() || drained()));
  }
  bool drained() const;
  bool programs_over() const {
    const auto goes_on = [](const auto& d) { return d->nics()->ranks_left() != 0; };
    const auto gave_up = [](const auto& d) { return d->nics()->gave_up(); };
    return loop_ && (stuck_ || !any(share_.exchange(), std::any_of(domains_.begin(), domains_.end(), goes_on)) ||
                     (config_.programs.resend != 0 &&
                      any(share_.exchange(), std::any_of(domains_.begin(), domains_.end(), gave_up))));
  }
  Totals totals() const;
  void watch();
  DependencyGraph dependencies() const;
  static std::string describe_wait(const DomainType& domain, int router, int port, int vc,
                                   const typename DomainType::Wait& wait);
  std::vector<Stalled> stalled() const;
  Inside inside() const;
  bool slots_kept() const;
  bool channels_kept() const {
    return std::all_of(domains_.begin(), domains_.end(), [](const auto& d) { return d->channels_kept(); });
  }
  void add_domain(Result& out, Tally& tally, const DomainType& domain) const;
  void sum_over_ranks(Result& out, Tally& tally, Inside& inside) const;
  void make_domains();
  void cut_anew(const Share& share);
  void run_domain(size_t number, const Window& window, size_t thread, const DomainType* next);
  void run_window(uint64_t first, uint64_t last);
  void run_in_steps(uint64_t first, uint64_t last);
  void trade(uint64_t last);
  void balance();
  void move_domains(const Share& next);
  /// A port over all routers that leads into another one: the port at the other end.
  uint32_t peer_of(size_t port) const {
    return wiring_.wire[port].peer * static_cast<uint32_t>(wiring_.ports) + wiring_.wire[port].peer_port;
  }
  size_t domain_ports() const { return static_cast<size_t>(wiring_.routers) * static_cast<size_t>(wiring_.ports); }
  /// Every port of the domains that are here: see(domain, port of the domain, wire).
  template <class See>
  void for_each_port(See see) const {
    for (const auto& d : domains_) {
      const size_t first = static_cast<size_t>(d->number()) * domain_ports();
      for (size_t port = 0; port != domain_ports(); ++port) see(*d, port, wiring_.wire[first + port]);
    }
  }
  void show_deliveries();
  /// A domain of this rank; null: it is another's.
  const DomainType* find(int number) const {
    const auto at = std::lower_bound(share_.own().begin(), share_.own().end(), number);
    return at == share_.own().end() || *at != number ? nullptr
                                                     : domains_[static_cast<size_t>(at - share_.own().begin())].get();
  }
  uint64_t largest(uint64_t n) const {
    if (share_.exchange() != nullptr) share_.exchange()->largest({&n, 1});
    return n;
  }
  template <size_t kCount>
  void sum(std::array<uint64_t, kCount>& numbers) const {
    if (share_.exchange() != nullptr) share_.exchange()->sum(numbers);
  }
  /// What `write` notes of every domain, on every rank, domain by domain: read(what was noted).
  template <class Write, class Read>
  void gather_domains(Write write, Read read) const;
  ChannelUse channel_use(int port_class) const;
  std::vector<float> sent_by_router() const;
  LoopResult programs() const;
  /// Flits of the sample that left through a port over all routers; 0 when the router is another rank's.
  uint32_t carried(size_t port) const {
    const size_t ports = static_cast<size_t>(wiring_.routers) * wiring_.ports;
    const DomainType* const domain = find(static_cast<int>(port / ports));
    return domain == nullptr ? 0 : domain->carried(static_cast<int>(port % ports));
  }
  uint32_t name_of(int router) const { return static_cast<uint32_t>(wiring_.name(router)); }
  /// Cycles after which domains hear of each other: what is sent in a cycle arrives after those of the link and one
  /// more.
  uint64_t find_step() const {
    const auto lookahead = static_cast<uint64_t>(wiring_.lookahead());
    return wiring_.is_cut() && lookahead != 0 ? std::min(window_, lookahead + 1) : window_;
  }
  /// Messages that were sent in the last step and not collected yet.
  size_t uncollected() const { return (steps_ + 1) & 1; }
  /// The domain that sends what arrives at the end of a link.
  uint32_t sender(uint32_t end) const { return post_.ends()[post_.ends()[end].peer].domain; }
  /// The state in one list for both directions: what all domains share, and a domain with the mail that waits for it.
  template <class Visit>
  void visit_common(Visit& visit) {
    visit(now_), visit(steps_), visit(seen_hops_), visit(last_progress_), visit(timeline_);
    link_counts_.visit_state(visit);
    for (auto& half : board_.cells) visit_sized(visit, half, "the oracle's board");
    if constexpr (Visit::kReads) check_common();
  }
  void check_common() const;
  void check_state() const;
  bool sums_kept() const;
  bool links_kept() const;
  template <class Visit>
  static void visit_mail(Visit& visit, Post::Arrivals& mail) {
    visit(mail.counts), visit(mail.flits), visit(mail.credits);
  }
  template <class Visit>
  void visit_domain(Visit& visit, DomainType& domain) {
    domain.visit_state(visit);
    Post::Arrivals mail;
    if constexpr (!Visit::kReads) mail = post_.arrivals(uncollected(), static_cast<uint32_t>(domain.number()));
    visit_mail(visit, mail);
    if constexpr (Visit::kReads) post_.put(uncollected(), static_cast<uint32_t>(domain.number()), mail);
  }

  Config config_;
  Wiring wiring_;
  Source source_;
  Board board_;
  Share share_;
  std::unique_ptr<FaultFeed> faults_;
  LoopPlanPointer loop_;
  Context context_;
  uint64_t window_;  // cycles after which the engine looks at all domains
  uint64_t step_;    // at most as long
  LinkCounts link_counts_;
  Post post_;
  std::unique_ptr<RankMail> mail_;                    // with other ranks
  std::vector<std::unique_ptr<DomainType>> domains_;  // of this rank
  WorkerPool pool_;
  std::vector<Scratch> scratch_;  // by thread
  double seconds_ = 0, cpu_seconds_ = 0;
  uint64_t cycles_here_ = 0;  // simulated since construction, which the seconds belong to
  uint64_t now_ = 0, seen_hops_ = 0, last_progress_ = 0;
  uint64_t steps_ = 0;  // after which domains heard of each other: in a window one, in a network that is cut several
  std::string deadlock_;
  bool stuck_ = false;  // programs wait for what never comes
  std::function<void(const Delivery&)> on_delivery_;
  std::vector<Totals> timeline_;  // at the end of every entry
  bool balances_ = false;         // domains may still move to other ranks
  uint64_t windows_here_ = 0;     // since construction
  std::vector<uint64_t> cost_;    // ns of processor time, by domain that is here
  uint32_t moved_ = 0;            // domains
  double imbalance_[2] = {};      // of the ranks, before and after, by what was measured
};

template <class Policy, class Source, bool kPackets>
bool Engine<Policy, Source, kPackets>::advance() {
  if (over()) return false;
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t cpu = std::clock();
  const uint64_t first = now_, last = std::min((now_ / window_ + 1) * window_, limit());
  if (faults_) faults_->advance(static_cast<uint32_t>(first), static_cast<uint32_t>(last));
  step_ < window_ ? run_in_steps(first, last) : run_window(first, last);
  now_ = last;
  if (on_delivery_) show_deliveries();
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
  if (config_.interval != 0 && (entry >= config_.interval || (ended && entry != 0))) {
    timeline_.push_back(totals());
    if (last > config_.warmup && now_ - entry < sample_last()) {
      link_counts_.take(
          std::min(now_, sample_last()), [this](uint32_t port) { return carried(port); }, share_.exchange());
    }
  }
  if (balances_ && !ended) {
    ++windows_here_;
    if (windows_here_ == config_.balance / 2) std::fill(cost_.begin(), cost_.end(), 0);
    if (windows_here_ == config_.balance) balance();
  }
  return !ended;
}

template <class Policy, class Source, bool kPackets>
void Engine<Policy, Source, kPackets>::run_domain(size_t number, const Window& window, size_t thread,
                                                  const DomainType* next) {
  const uint64_t start = balances_ ? thread_nanoseconds() : 0;
  domains_[number]->run(window, scratch_[thread], next);
  if (balances_) cost_[number] += thread_nanoseconds() - start;
}

/// Whoever is ready takes the next domain.
template <class Policy, class Source, bool kPackets>
void Engine<Policy, Source, kPackets>::run_window(uint64_t first, uint64_t last) {
  const Window window{static_cast<uint32_t>(first), static_cast<uint32_t>(last), steps_ & 1};
  pool_.run(static_cast<int>(domains_.size()), [&](const WorkerPool::Task& t) {
    run_domain(static_cast<size_t>(t.number), window, static_cast<size_t>(t.thread),
               t.next == WorkerPool::kNone ? nullptr : domains_[t.next].get());
  });
  if (mail_) trade(last);
  ++steps_;
}

/// Every thread has domains of its own, which stay in its cache, and waits for the others after every step.
template <class Policy, class Source, bool kPackets>
void Engine<Policy, Source, kPackets>::run_in_steps(uint64_t first, uint64_t last) {
  const auto window = [&](uint64_t number) {
    const uint64_t from = first + number * step_;
    return Window{static_cast<uint32_t>(from), static_cast<uint32_t>(std::min(from + step_, last)),
                  (steps_ + number) & 1};
  };
  const uint64_t count = (last - first + step_ - 1) / step_;
  const auto threads = static_cast<size_t>(pool_.threads());
  pool_.run_steps(
      static_cast<int>(count),
      [&](int number, int thread) {
        const Window now = window(static_cast<uint64_t>(number));
        const size_t begin = domains_.size() * static_cast<size_t>(thread) / threads,
                     end = domains_.size() * (static_cast<size_t>(thread) + 1) / threads;
        for (size_t d = begin; d != end; ++d) run_domain(d, now, static_cast<size_t>(thread), nullptr);
      },
      [&](int number) {
        if (mail_) mail_->trade(post_, window(static_cast<uint64_t>(number)).half);
      });
  steps_ += count;
}

template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Engine<Policy, Source, kPackets>::make_domains() {
  domains_.clear();
  domains_.resize(share_.own().size());
  cost_.assign(domains_.size(), 0);
  pool_.run(static_cast<int>(domains_.size()), [this](const WorkerPool::Task& t) {
    domains_[t.number] = std::make_unique<DomainType>(context_, share_.own()[t.number], source_, post_);
  });
}

/// The network in the domains of a share that a checkpoint asks for.
template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Engine<Policy, Source, kPackets>::cut_anew(const Share& share) {
  Config other = config_;
  other.domains = static_cast<int>(share.owners().size());
  Wiring wiring = other.topology->wire(other);
  if (!kServesPieces<Policy> || wiring.domains != other.domains)
    throw Error("checkpoint: the state of another program");
  share_ = share;
  config_.domains = other.domains;
  wiring_ = std::move(wiring);
  step_ = find_step();
  link_counts_ = LinkCounts(config_.interval, wiring_);
  post_ = Post(own_wiring(share_), share_);
  if (mail_) mail_->lay(post_, share_);
  make_domains();
  if (on_delivery_) on_delivery(std::move(on_delivery_));
}

/// Once, by what the last half of the windows so far has cost: at first the network is empty.
template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Engine<Policy, Source, kPackets>::balance() {
  const auto start = std::chrono::steady_clock::now();
  std::vector<uint64_t> cost;
  size_t next = 0;
  const auto write = [&](StateWriter& to, const DomainType&) { to(cost_[next++]); };
  gather_domains(write, [&cost](int, StateReader& from) { from(cost.emplace_back()); });
  balances_ = false;
  const std::vector<int> owner = network::balance(cost, share_.owners(), share_.ranks());
  imbalance_[0] = imbalance(cost, share_.owners(), share_.ranks());
  imbalance_[1] = imbalance(cost, owner, share_.ranks());
  for (size_t d = 0; d != owner.size(); ++d) moved_ += owner[d] != share_.owners()[d];
  if (moved_ != 0) move_domains(Share(share_, owner));
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The domains go to their new owners as they would into a checkpoint, one a rank at a time, so that little of them is
/// there twice. The fault planes begin anew, as after a resume.
template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Engine<Policy, Source, kPackets>::move_domains(const Share& next) {
  Exchange& exchange = *share_.exchange();
  std::map<int, Post::Arrivals> mail;
  for (const auto& d : domains_) mail[d->number()] = post_.arrivals(uncollected(), static_cast<uint32_t>(d->number()));
  if (!loop_) wiring_ = config_.topology->wire(config_);
  post_ = Post(own_wiring(next), next);
  mail_->lay(post_, next);
  std::vector<std::vector<int>> leaving(static_cast<size_t>(share_.ranks()));
  for (int d = 0; d < wiring_.domains; ++d) {
    if (share_.rank_of(d) != next.rank_of(d)) leaving[static_cast<size_t>(share_.rank_of(d))].push_back(d);
  }
  size_t rounds = 0;
  for (const auto& list : leaving) rounds = std::max(rounds, list.size());
  std::map<int, std::unique_ptr<DomainType>> kept;
  for (auto& d : domains_) kept[d->number()] = std::move(d);
  const size_t own = static_cast<size_t>(exchange.own());
  std::vector<Exchange::Bytes> to(leaving.size()), from(leaving.size());
  for (size_t round = 0; round != rounds; ++round) {
    std::set<int> peers;
    for (size_t r = 0; r != leaving.size(); ++r) {
      if (round >= leaving[r].size()) continue;
      const int target = next.rank_of(leaving[r][round]);
      if (r == own) peers.insert(target);
      if (target == exchange.own()) peers.insert(static_cast<int>(r));
    }
    for (auto& bytes : to) bytes.clear();
    if (round < leaving[own].size()) {
      const int number = leaving[own][round];
      StateWriter state;
      kept[number]->visit_state(state);
      visit_mail(state, mail[number]);
      kept.erase(number);
      mail.erase(number);
      const auto* bytes = reinterpret_cast<const std::byte*>(state.bytes().data());
      to[static_cast<size_t>(next.rank_of(number))].assign(bytes, bytes + state.bytes().size());
    }
    exchange.swap(std::vector<int>(peers.begin(), peers.end()), to, from);
    for (const int peer : peers) {
      const auto r = static_cast<size_t>(peer);
      if (round >= leaving[r].size() || next.rank_of(leaving[r][round]) != exchange.own()) continue;
      const int number = leaving[r][round];
      StateReader state(std::string(reinterpret_cast<const char*>(from[r].data()), from[r].size()));
      auto& domain = kept[number] = std::make_unique<DomainType>(context_, number, source_, post_);
      domain->visit_state(state);
      visit_mail(state, mail[number]);
      state.finish();
      if (on_delivery_) domain->record_deliveries();
    }
  }
  share_ = next;
  domains_.clear();
  for (auto& [number, domain] : kept) {
    domain->find_ends(post_);
    post_.put(uncollected(), static_cast<uint32_t>(number), mail[number]);
    domains_.push_back(std::move(domain));
  }
  cost_.assign(domains_.size(), 0);
  faults_ = make_feed(config_, share_);
  context_.faults = faults_.get();
}

/// The window's end with other ranks: the mail, and the oracle's board when its domains have written it (Board).
template <class Policy, class Source, bool kPackets>
void Engine<Policy, Source, kPackets>::trade(uint64_t last) {
  mail_->trade(post_, steps_ & 1);
  if constexpr (requires { Policy::kBoard; }) {
    if (last % window_ != 0) return;
    std::vector<uint16_t>& cells = board_.cells[(last / window_ - 1) & 1];
    const size_t size = static_cast<size_t>(wiring_.routers) * static_cast<size_t>(wiring_.ports);
    const auto write = [&](StateWriter& to, const DomainType& d) {
      const auto first = cells.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(d.number()) * size);
      to(std::vector<uint16_t>(first, first + static_cast<std::ptrdiff_t>(size)));
    };
    gather_domains(write, [&](int domain, StateReader& from) {
      std::vector<uint16_t> block;
      from(block);
      std::copy(block.begin(), block.end(),
                cells.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(domain) * size));
    });
  }
}

template <class Policy, class Source, bool kPackets>
template <class Write, class Read>
ODONATA_COLD void Engine<Policy, Source, kPackets>::gather_domains(Write write, Read read) const {
  std::vector<std::string> notes(static_cast<size_t>(wiring_.domains));
  StateWriter own;
  for (const auto& d : domains_) {
    StateWriter note;
    write(note, *d);
    own(static_cast<uint64_t>(d->number()));
    own(std::vector<char>(note.bytes().begin(), note.bytes().end()));
  }
  const auto* bytes = reinterpret_cast<const std::byte*>(own.bytes().data());
  Exchange::Bytes all(bytes, bytes + own.bytes().size());
  for (const Exchange::Bytes& part :
       share_.exchange() == nullptr ? std::vector<Exchange::Bytes>{all} : share_.exchange()->gather(all)) {
    StateReader from(std::string(reinterpret_cast<const char*>(part.data()), part.size()));
    while (!from.at_end()) {
      uint64_t number = 0;
      std::vector<char> note;
      from(number), from(note);
      notes.at(number).assign(note.begin(), note.end());
    }
  }
  for (int d = 0; d < wiring_.domains; ++d) {
    StateReader from(std::move(notes[static_cast<size_t>(d)]));
    read(d, from);
  }
}

template <class Policy, class Source, bool kPackets>
void Engine<Policy, Source, kPackets>::show_deliveries() {
  std::vector<Delivery> all;
  const auto keep = [&all](const Delivery& delivery) { all.push_back(delivery); };
  if (!mail_) {
    for (auto& d : domains_)
      d->take_deliveries(kServesPieces<Policy> ? std::function<void(const Delivery&)>(keep) : on_delivery_);
  } else {
    const auto write = [](StateWriter& to, DomainType& d) {
      std::vector<Delivery> list;
      d.take_deliveries([&list](const Delivery& delivery) { list.push_back(delivery); });
      to(list);
    };
    gather_domains(write, [&all](int, StateReader& from) {
      std::vector<Delivery> list;
      from(list);
      all.insert(all.end(), list.begin(), list.end());
    });
  }
  // However the network is cut: a node takes one flit a cycle.
  const auto earlier = [](const Delivery& a, const Delivery& b) {
    return std::tie(a.cycle, a.flit.dest) < std::tie(b.cycle, b.flit.dest);
  };
  if constexpr (kServesPieces<Policy>) std::sort(all.begin(), all.end(), earlier);
  for (const Delivery& delivery : all) on_delivery_(delivery);
}

/// Every rank packs and writes its own pieces, as many at a time as it has threads to pack them.
template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Engine<Policy, Source, kPackets>::save(std::ostream& to) const {
  auto& self = const_cast<Engine&>(*this);  // visit_domain() serves both directions
  CheckpointWriter file(to, describe_text(config_), static_cast<uint64_t>(wiring_.domains) + 1, share_.exchange());
  std::vector<Piece> shared;
  if (share_.first()) {
    StateWriter common;
    self.visit_common(common);
    shared.push_back(pack_piece(0, common));
  }
  file.add(shared);
  const auto step = static_cast<size_t>(config_.threads);
  for (size_t first = 0; first < static_cast<size_t>(share_.most()); first += step) {
    std::vector<Piece> pieces(std::min(step, domains_.size() - std::min(first, domains_.size())));
    self.pool_.run(static_cast<int>(pieces.size()), [&](const WorkerPool::Task& t) {
      const size_t i = static_cast<size_t>(t.number);
      StateWriter state;
      self.visit_domain(state, *self.domains_[first + i]);
      pieces[i] = pack_piece(static_cast<uint64_t>(domains_[first + i]->number()) + 1, state);
    });
    file.add(pieces);
  }
  file.finish();
}

/// Every rank reads what is its own, whoever wrote it. Nothing is taken before all of that is known to be whole.
template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Engine<Policy, Source, kPackets>::load(std::istream& from) {
  CheckpointReader file(from, describe_text(config_));
  const auto domains = static_cast<int>(file.pieces() - 1);
  const Share share = domains == wiring_.domains ? share_ : Share(config_.exchange, domains);
  const auto piece_of = [](int domain) { return static_cast<uint64_t>(domain) + 1; };
  file.check(0);
  for (const int d : share.own()) file.check(piece_of(d));
  if (domains != wiring_.domains) cut_anew(share);
  StateReader common = file.read(0);
  visit_common(common);
  common.finish();
  post_.clear(uncollected());
  for (auto& d : domains_) {
    StateReader state = file.read(piece_of(d->number()));
    visit_domain(state, *d);
    state.finish();
  }
  check_state();
}

template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Engine<Policy, Source, kPackets>::check_common() const {
  expect_state(now_ < GeometricGap::kNever && seen_hops_ < ~uint64_t{0} / 2 && last_progress_ <= now_,
               "the present cycle");
  uint64_t last = 0;
  for (const Totals& t : timeline_) {
    expect_state(config_.interval != 0 && t.cycle > last && t.cycle <= now_, "the timeline");
    last = t.cycle;
  }
}

/// Of a state that was read, with all its domains and mail: what the parts say together. What is wrong is refused here,
/// because nothing is checked while the engine runs.
template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Engine<Policy, Source, kPackets>::check_state() const {
  const Addresses addresses(source_.addresses());
  for (const auto& d : domains_) d->check_state(addresses, static_cast<uint32_t>(now_), uncollected());
  expect_state(links_kept(), "two flits on a link at once");
  expect_state(slots_kept(), "slots and credits behind an output");
  expect_state(sums_kept(), "packets, or sums over them");
}

/// What entered the network has left it or is in it.
template <class Policy, class Source, bool kPackets>
ODONATA_COLD bool Engine<Policy, Source, kPackets>::sums_kept() const {
  const Inside in = inside();
  std::array<uint64_t, 5> left{uint64_t{0} - in.flits, uint64_t{0} - in.packets, uint64_t{0} - in.sum,
                               uint64_t{0} - in.poison, 0};
  for (const auto& d : domains_) {
    const Statistics& s = d->statistics();
    left[0] += s.injected_flits - s.delivered_flits - s.lost_flits;
    left[1] += s.injected - s.delivered - s.lost;
    left[2] += s.injected_sum - s.delivered_sum - s.lost_sum;
    left[3] += s.poison_made - s.poison_gone;
    left[4] += s.misdelivered;
  }
  sum(left);
  return left == decltype(left){};
}

/// On a link between domains no flit is as late as one that is still to be sent.
template <class Policy, class Source, bool kPackets>
ODONATA_COLD bool Engine<Policy, Source, kPackets>::links_kept() const {
  std::vector<uint32_t> last(post_.ends().size());  // by the sender's end
  const auto of = [this](uint32_t end) { return find(static_cast<int>(post_.ends()[end].domain)); };
  for (uint32_t end = 0; end != post_.own_ends(); ++end)
    last[post_.ends()[end].peer] = of(end)->last_due(end - of(end)->first_end(), uncollected());
  if (mail_) mail_->add(1, last);
  bool kept = true;
  for (uint32_t end = 0; end != post_.own_ends(); ++end)
    kept = kept && last[end] <= of(end)->last_sent(end - of(end)->first_end());
  return !any(share_.exchange(), !kept);
}

template <class Policy, class Source, bool kPackets>
bool Engine<Policy, Source, kPackets>::drained() const {
  std::array<uint64_t, 3> n{};  // injected, finished, whether some wait
  for (const auto& d : domains_) {
    n[0] += d->statistics().sample_injected;
    n[1] += d->statistics().sample_finished;
    if (d->sample_waits()) {
      n[2] = 1;
      break;
    }
  }
  sum(n);
  return n[2] == 0 && n[0] == n[1];
}

template <class Policy, class Source, bool kPackets>
ODONATA_COLD typename Engine<Policy, Source, kPackets>::Totals Engine<Policy, Source, kPackets>::totals() const {
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
  std::array<uint64_t, 4> n{out.delivered_flits, out.delivered, out.lost, out.latency_sum};
  sum(n);
  std::tie(out.delivered_flits, out.delivered, out.lost, out.latency_sum) = std::tie(n[0], n[1], n[2], n[3]);
  if (faults_) std::tie(out.fd, out.fr) = faults_->messages(static_cast<uint32_t>(now_));
  return out;
}

/// Stops the run when nothing has moved for long and packets wait for each other.
template <class Policy, class Source, bool kPackets>
void Engine<Policy, Source, kPackets>::watch() {
  std::array<uint64_t, 1> hops{};
  for (const auto& d : domains_) hops[0] += d->statistics().flit_hops;
  sum(hops);
  if (hops[0] != seen_hops_) last_progress_ = now_;
  seen_hops_ = hops[0];
  if (config_.watchdog == 0 || now_ - last_progress_ < config_.watchdog) return;
  last_progress_ = now_;
  const DependencyGraph graph = dependencies();
  deadlock_ = graph.describe_cycle();
  if (deadlock_.empty() && !graph.empty()) deadlock_ = "packets wait, but not in a circle\n";
  if (loop_ && deadlock_.empty()) {  // messages were lost, or their node is cut off for good
    const auto will_act = [this](const auto& d) { return d->nics()->will_act(static_cast<uint32_t>(now_)); };
    const auto comes = [this](const TimedFault& f) { return f.cycle >= now_; };
    stuck_ = !any(share_.exchange(), std::any_of(domains_.begin(), domains_.end(), will_act)) &&
             std::none_of(config_.faults.events.begin(), config_.faults.events.end(), comes);
  }
}

template <class Policy, class Source, bool kPackets>
ODONATA_COLD DependencyGraph Engine<Policy, Source, kPackets>::dependencies() const {
  DependencyGraph graph;
  const auto key = [this](uint64_t router, int port, int vc) {
    return (router * static_cast<uint64_t>(wiring_.ports) + static_cast<uint64_t>(port)) * 64 +
           static_cast<uint64_t>(vc);
  };
  const auto write = [&](StateWriter& to, const DomainType& d) {
    for (int r = 0; r < wiring_.routers; ++r) {
      for (int port = 0; port < wiring_.ports; ++port) {
        for (int v = 0; v < d.vcs(); ++v) {
          const auto wait = d.waits_for(r, port, v);
          if (!wait.blocked) continue;
          const std::string text = describe_wait(d, r, port, v, wait);
          to(key(name_of(d.number() * wiring_.routers + r), port, v)),
              to(key(name_of(static_cast<int>(wait.router)), wait.port, wait.vc));
          to(std::vector<char>(text.begin(), text.end()));
        }
      }
    }
  };
  gather_domains(write, [&graph](int, StateReader& from) {
    while (!from.at_end()) {
      uint64_t waits = 0, awaited = 0;
      std::vector<char> text;
      from(waits), from(awaited), from(text);
      graph.add(waits, awaited, std::string(text.begin(), text.end()));
    }
  });
  return graph;
}

template <class Policy, class Source, bool kPackets>
std::string Engine<Policy, Source, kPackets>::describe_wait(const DomainType& domain, int router, int port, int vc,
                                                            const typename DomainType::Wait& wait) {
  if constexpr (requires { domain.policy().describe_wait(router, port, vc, wait.dest, wait.out_port); }) {
    return domain.policy().describe_wait(router, port, vc, wait.dest, wait.out_port);
  } else {
    return "domain " + std::to_string(domain.number()) + " router " + std::to_string(router) + " input port " +
           std::to_string(port) + " VC " + std::to_string(vc) + " waits for output port " +
           std::to_string(wait.out_port) + " VC " + std::to_string(wait.vc);
  }
}

template <class Policy, class Source, bool kPackets>
ODONATA_COLD std::vector<Stalled> Engine<Policy, Source, kPackets>::stalled() const {
  std::vector<Stalled> out;
  const auto write = [this](StateWriter& to, const DomainType& d) {
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

template <class Policy, class Source, bool kPackets>
ODONATA_COLD typename Engine<Policy, Source, kPackets>::Inside Engine<Policy, Source, kPackets>::inside() const {
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

/// Behind every output: free slots + taken slots + credits under way = buffer.
template <class Policy, class Source, bool kPackets>
ODONATA_COLD bool Engine<Policy, Source, kPackets>::slots_kept() const {
  constexpr size_t kVcs = Policy::kMaxVcs;
  std::vector<uint32_t> inside(domains_.size() * domain_ports() * kVcs);  // of own outputs to the own domain
  std::vector<uint32_t> between(post_.ends().size() * kVcs);              // by end of the post
  const auto count = [&](const DomainType& d, size_t domain, size_t port, int vc,
                         uint32_t slots) {  // behind an output of this domain
    const size_t own = port - static_cast<size_t>(d.number()) * domain_ports();
    const bool leaves = wiring_.wire[port].kind == LinkKind::between;
    (leaves ? between[post_.end_of(static_cast<uint32_t>(port)) * kVcs + vc]
            : inside[(domain * domain_ports() + own) * kVcs + vc]) += slots;
  };
  for (size_t i = 0; i != domains_.size(); ++i) {
    const DomainType& d = *domains_[i];
    d.for_each_output_vc([&](size_t port, int vc, uint32_t credits) { count(d, i, port, vc, credits); });
    d.for_each_credit([&](size_t port, int vc) { count(d, i, port, vc, 1); });
    d.for_each_flit([&](const Flit& flit, size_t port) {
      if (wiring_.wire[port].kind == LinkKind::node || flit.uncredited()) return;
      if (wiring_.wire[port].kind == LinkKind::inside) return count(d, i, peer_of(port), flit.vc, 1);
      ++between[post_.ends()[post_.end_of(static_cast<uint32_t>(port))].peer * kVcs + flit.vc];
    });
  }
  for (uint32_t end = 0; end != post_.own_ends(); ++end) {
    for (const FlitMessage& m : post_.flits(uncollected(), end, sender(end)))
      ++between[post_.ends()[end].peer * kVcs + m.flit.vc];
    for (const CreditMessage& m : post_.credits(uncollected(), end, sender(end))) ++between[end * kVcs + m.vc];
  }
  if (mail_) mail_->add(kVcs, between);
  bool kept = true;
  size_t at = 0;
  for_each_port([&](const DomainType&, size_t, const PortWire& wire) {
    for (int v = 0; wire.kind == LinkKind::inside && v < config_.router.vcs; ++v)
      kept &= inside[at * kVcs + v] == wire.buffer;
    ++at;
  });
  for (uint32_t end = 0; end != post_.own_ends(); ++end) {
    for (int v = 0; v < config_.router.vcs; ++v)
      kept &= between[end * kVcs + v] == wiring_.wire[post_.ends()[end].port].buffer;
  }
  return !any(share_.exchange(), !kept);
}

template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Engine<Policy, Source, kPackets>::add_domain(Result& out, Tally& tally,
                                                               const DomainType& domain) const {
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
  if constexpr (requires { domain.policy().decisions(); }) {
    for (int i = 0; i < 8; ++i) out.decisions[i] += domain.policy().decisions()[i];
  }
  if constexpr (requires { domain.policy().drops(); }) {
    for (size_t i = 0; i < out.drops.size(); ++i) out.drops[i] += domain.policy().drops()[i];
  }
  if constexpr (requires { domain.policy().compared(); }) out.compared += domain.policy().compared();
  out.memory_bytes += domain.bytes();
}

/// Result::sent
template <class Policy, class Source, bool kPackets>
std::vector<float> Engine<Policy, Source, kPackets>::sent_by_router() const {
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
  std::vector<float> out;
  for (size_t r = 0; r != flits.size(); ++r)
    out.push_back(nodes[r] == 0 || cycles == 0 ? -1.0F : static_cast<float>(flits[r] / (nodes[r] * cycles)));
  return out;
}

template <class Policy, class Source, bool kPackets>
ODONATA_COLD ChannelUse Engine<Policy, Source, kPackets>::channel_use(int port_class) const {
  ChannelUse use{config_.links[static_cast<size_t>(port_class)].name};
  uint64_t sum = 0, channels = 0, most = 0;
  for_each_port([&](const DomainType& d, size_t port, const PortWire& wire) {
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

template <class Policy, class Source, bool kPackets>
ODONATA_COLD Result Engine<Policy, Source, kPackets>::result() const {
  Result out;
  Tally tally;
  for (const auto& d : domains_) add_domain(out, tally, *d);
  tally.cpu_ns = static_cast<uint64_t>(cpu_seconds_ * 1e9);
  out.memory_bytes += post_.bytes() + (mail_ ? mail_->memory() : 0);
  Inside inside = this->inside();
  sum_over_ranks(out, tally, inside);
  if constexpr (requires { Policy::kFaults; }) {
    if (faults_) out.faults = faults_->result(static_cast<uint32_t>(now_));
    if constexpr (requires { domains_[0]->policy().fault_result(0u); })
      out.faults = domains_[0]->policy().fault_result(static_cast<uint32_t>(now_));
    const auto tables_ok = [](const auto& d) { return d->policy().tables_ok(); };
    out.faults.tables_ok =
        out.faults.quiet && !any(share_.exchange(), !std::all_of(domains_.begin(), domains_.end(), tables_ok));
  }
  out.in_flight = inside.packets;
  out.in_flight_flits = inside.flits + inside.poison;
  const uint64_t not_lost = out.latency.samples() + out.unfinished;
  out.mean_with_unfinished =
      static_cast<double>(tally.age + inside.age) / static_cast<double>(std::max<uint64_t>(not_lost, 1));
  const bool slots_kept = this->slots_kept();  // every rank has to ask
  out.conservation_ok = tally.misdelivered == 0 && tally.injected_flits == tally.gone_flits + inside.flits &&
                        tally.sums == inside.sum && tally.injected == out.delivered + out.lost + out.in_flight &&
                        tally.poison == inside.poison && slots_kept && tally.bad_channels == 0;
  const double sampled = static_cast<double>(std::min(now_, sample_last()) - std::min(now_, config_.warmup));
  const double node_cycles = sampled * wiring_.nodes;
  out.offered = node_cycles == 0 ? 0 : static_cast<double>(tally.offered) / node_cycles;
  out.accepted = node_cycles == 0 ? 0 : static_cast<double>(tally.accepted) / node_cycles;
  for (size_t c = 1; c < config_.links.size(); ++c) out.channels.push_back(channel_use(static_cast<int>(c)));
  out.sent = sent_by_router();
  const auto use_of_zero = [&](StateWriter& to, const DomainType& d) {
    std::vector<float> use;
    for (int port = 0; d.number() == 0 && !wiring_.is_cut() && port < wiring_.routers * wiring_.ports; ++port) {
      if (wiring_.wire[static_cast<size_t>(port)].kind == LinkKind::between && sampled != 0)
        use.push_back(static_cast<float>(d.carried(port) / sampled));
    }
    to(use);
  };
  gather_domains(use_of_zero, [&out](int domain, StateReader& from) {
    if (domain == 0) from(out.domain_zero);
  });
  out.cycles = now_;
  out.saturated = out.latency.mean() > 500 || out.unfinished != 0;
  out.deadlock = deadlock_;
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

/// What came of the programs on all ranks of the run.
template <class Policy, class Source, bool kPackets>
ODONATA_COLD LoopResult Engine<Policy, Source, kPackets>::programs() const {
  std::vector<const Nics*> nics;
  if (!mail_) {
    for (const auto& d : domains_) nics.push_back(d->nics());
    return loop_result(*loop_, nics);
  }
  std::vector<std::unique_ptr<Nics>> all;
  const auto write = [](StateWriter& to, const DomainType& d) { to(d.nics()->save()); };
  gather_domains(write, [&](int domain, StateReader& from) {
    std::vector<char> state;
    from(state);
    all.push_back(std::make_unique<Nics>(*loop_, domain));
    all.back()->load(state);
    nics.push_back(all.back().get());
  });
  return loop_result(*loop_, nics);
}

/// What add_domain() and inside() have summed over the domains of this rank.
template <class Policy, class Source, bool kPackets>
ODONATA_COLD void Engine<Policy, Source, kPackets>::sum_over_ranks(Result& out, Tally& tally, Inside& inside) const {
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

}  // namespace odonata::network
