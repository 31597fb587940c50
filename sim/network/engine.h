// SPDX-License-Identifier: Apache-2.0
// The network: its domains, the windows in which they advance, the mail between them, and the checks over all of them
// (docs/network.md §4).
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/network/any_domain.h"
#include "sim/network/conservation.h"
#include "sim/network/dependency_cycle.h"
#include "sim/network/fault_feed.h"
#include "sim/network/link_windows.h"
#include "sim/network/rank_mail.h"
#include "sim/network/simulation.h"
#include "sim/network/state_file.h"
#include "sim/network/worker_pool.h"

namespace odonata::network {

/// The domains of this rank, window by window, and what is looked at between them. Routing, sources and packets are
/// behind `kind`, which makes the domains.
class Engine final : public Simulation {
 public:
  Engine(const Config& config, Wiring wiring, DomainKind kind);
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
  static constexpr uint64_t kWholeWindow =
      100;  // cycles, of a network that has no domains of its own: however it is cut

  /// Totals of the whole run at a cycle; differences make the timeline.
  struct Totals {
    uint64_t cycle = 0, delivered_flits = 0, delivered = 0, lost = 0, latency_sum = 0, fd = 0, fr = 0;
  };

  /// The fault planes of a dragonfly; a policy with kOwnFaults has no need of them.
  std::unique_ptr<FaultFeed> make_feed(const Share& share) const;
  /// The wiring without the domains of others; programs are placed, and shown at the end, by all of it.
  const Wiring& own_wiring(const Share& share) {
    if (share.exchange() != nullptr && !loop_) wiring_.keep(share.own());
    return wiring_;
  }
  uint64_t sample_last() const { return config_.warmup + config_.sample; }
  /// Of programs none: the sample bounds them.
  uint64_t drain() const { return loop_ ? 0 : config_.drain; }
  uint64_t limit() const { return now_ < sample_last() ? sample_last() : sample_last() + drain(); }
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
  bool faults_at_work() const;
  DependencyGraph dependencies() const;
  std::vector<Stalled> stalled() const;
  Inside inside() const;
  bool slots_kept() const;
  bool channels_kept() const {
    return std::all_of(domains_.begin(), domains_.end(), [](const auto& d) { return d->channels_kept(); });
  }
  void add_domain(Result& out, Tally& tally, const AnyDomain& domain) const;
  void sum_over_ranks(Result& out, Tally& tally, Inside& inside) const;
  void make_domains();
  bool can_balance() const;
  void cut_anew(const Share& share);
  void run_domain(size_t number, const Window& window, size_t thread, const AnyDomain* next);
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
  const AnyDomain* find(int number) const {
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
  /// What `write` notes of every domain, on every rank, domain by domain: read(domain, what was noted).
  void gather_domains(const std::function<void(StateWriter&, AnyDomain&)>& write,
                      const std::function<void(int, StateReader&)>& read) const;
  ChannelUse channel_use(int port_class) const;
  std::vector<double> sent_by_router() const;
  std::vector<uint32_t> taken_by_router() const;
  LoopResult programs() const;
  /// Flits of the sample that left through a port over all routers; 0 when the router is another rank's.
  uint32_t carried(size_t port) const {
    const size_t ports = static_cast<size_t>(wiring_.routers) * wiring_.ports;
    const AnyDomain* const domain = find(static_cast<int>(port / ports));
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
    visit(now_), visit(steps_), visit(seen_hops_), visit(last_progress_), visit(seen_gone_), visit(last_gone_),
        visit(timeline_);
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
  void visit_domain(Visit& visit, AnyDomain& domain) {
    domain.visit_state(visit);
    Post::Arrivals mail;
    if constexpr (!Visit::kReads) mail = post_.arrivals(uncollected(), static_cast<uint32_t>(domain.number()));
    visit_mail(visit, mail);
    if constexpr (Visit::kReads) post_.put(uncollected(), static_cast<uint32_t>(domain.number()), mail);
  }

  Config config_;
  Wiring wiring_;
  DomainKind kind_;
  Board board_;
  Share share_;
  std::unique_ptr<FaultFeed> faults_;
  LoopPlanPointer loop_;
  Context context_;
  uint64_t window_;  // cycles after which the engine looks at all domains
  uint64_t step_;    // at most as long
  LinkCounts link_counts_;
  Post post_;
  std::unique_ptr<RankMail> mail_;                   // with other ranks
  std::vector<std::unique_ptr<AnyDomain>> domains_;  // of this rank
  WorkerPool pool_;
  std::vector<Scratch> scratch_;  // by thread
  double seconds_ = 0, cpu_seconds_ = 0;
  uint64_t cycles_here_ = 0;  // simulated since construction, which the seconds belong to
  uint64_t now_ = 0, seen_hops_ = 0, last_progress_ = 0;
  uint64_t seen_gone_ = 0, last_gone_ = 0;  // packets delivered or lost, when there were more or none was inside
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

}  // namespace odonata::network
