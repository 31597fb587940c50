// SPDX-License-Identifier: Apache-2.0
// Checkpoints, domains that move to another rank, and what must hold of a state that was read.
#include <map>
#include <set>

#include "models/common/error.h"
#include "sim/network/engine.h"
#include "sim/network/parameters.h"
#include "sim/network/topology.h"
#include "sim/network/traffic_source.h"

namespace odonata::network {

/// Every rank packs and writes its own pieces, as many at a time as the rank with the most threads can pack: all add
/// their pieces together.
void Engine::save(std::ostream& to) const {
  auto& self = const_cast<Engine&>(*this);  // visit_domain() serves both directions
  CheckpointWriter file(to, describe_text(config_), static_cast<uint64_t>(wiring_.domains) + 1, share_.exchange());
  std::vector<Piece> shared;
  if (share_.first()) {
    StateWriter common;
    self.visit_common(common);
    shared.push_back(pack_piece(0, common));
  }
  file.add(shared);
  const auto step = static_cast<size_t>(largest(static_cast<uint64_t>(config_.threads)));
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
void Engine::load(std::istream& from) {
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
  expect_state(!any(share_.exchange(), largest(now_) != now_), "the present cycle, another one than that of a rank");
  post_.clear(uncollected());
  for (auto& d : domains_) {
    StateReader state = file.read(piece_of(d->number()));
    visit_domain(state, *d);
    state.finish();
  }
  check_state();
}

/// The network in the domains of a share that a checkpoint asks for.
void Engine::cut_anew(const Share& share) {
  Config other = config_;
  other.domains = static_cast<int>(share.owners().size());
  Wiring wiring = other.topology->wire(other);
  if (!kind_.pieces || wiring.domains != other.domains) throw Error("checkpoint: the state of another program");
  share_ = share;
  config_.domains = other.domains;
  wiring_ = std::move(wiring);
  step_ = find_step();
  link_counts_ = LinkCounts(config_.interval, wiring_, config_.topology->windows_of_local_links());
  post_ = Post(own_wiring(share_), share_);
  if (mail_) mail_->lay(post_, share_);
  make_domains();
  balances_ = can_balance();
  if (on_delivery_) on_delivery(std::move(on_delivery_));
}

/// The domains go to their new owners as they would into a checkpoint, one a rank at a time, so that little of them is
/// there twice. The fault planes begin anew, as after a resume.
void Engine::move_domains(const Share& next) {
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
  std::map<int, std::unique_ptr<AnyDomain>> kept;
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
      auto& domain = kept[number] = kind_.make(context_, number, post_);
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
  faults_ = make_feed(share_);
  context_.faults = faults_.get();
}

void Engine::check_common() const {
  expect_state(now_ < GeometricGap::kNever && seen_hops_ < ~uint64_t{0} / 2 && last_progress_ <= now_ &&
                   seen_gone_ < ~uint64_t{0} / 2 && last_gone_ <= now_,
               "the present cycle");
  uint64_t last = 0;
  for (const Totals& t : timeline_) {
    expect_state(config_.interval != 0 && t.cycle > last && t.cycle <= now_, "the timeline");
    last = t.cycle;
  }
}

/// Of a state that was read, with all its domains and mail: what the parts say together. What is wrong is refused here,
/// because nothing is checked while the engine runs.
void Engine::check_state() const {
  const Addresses addresses(*kind_.addresses);
  for (const auto& d : domains_) d->check_state(addresses, static_cast<uint32_t>(now_), uncollected());
  expect_state(links_kept(), "two flits on a link at once");
  expect_state(slots_kept(), "slots and credits behind an output");
  expect_state(sums_kept(), "packets, or sums over them");
}

/// What entered the network has left it or is in it.
bool Engine::sums_kept() const {
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
bool Engine::links_kept() const {
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

/// Behind every output: free slots + taken slots + credits under way = buffer.
bool Engine::slots_kept() const {
  const auto vcs = static_cast<size_t>(kind_.max_vcs);
  std::vector<uint32_t> inside(domains_.size() * domain_ports() * vcs);  // of own outputs to the own domain
  std::vector<uint32_t> between(post_.ends().size() * vcs);              // by end of the post
  const auto count = [&](const AnyDomain& d, size_t domain, size_t port, int vc,
                         uint32_t slots) {  // behind an output of this domain
    const size_t own = port - static_cast<size_t>(d.number()) * domain_ports();
    const bool leaves = wiring_.wire[port].kind == LinkKind::between;
    (leaves ? between[post_.end_of(static_cast<uint32_t>(port)) * vcs + vc]
            : inside[(domain * domain_ports() + own) * vcs + vc]) += slots;
  };
  for (size_t i = 0; i != domains_.size(); ++i) {
    const AnyDomain& d = *domains_[i];
    d.for_each_output_vc([&](size_t port, int vc, uint32_t credits) { count(d, i, port, vc, credits); });
    d.for_each_credit([&](size_t port, int vc) { count(d, i, port, vc, 1); });
    d.for_each_flit([&](const Flit& flit, size_t port) {
      if (wiring_.wire[port].kind == LinkKind::node || flit.uncredited()) return;
      if (wiring_.wire[port].kind == LinkKind::inside) return count(d, i, peer_of(port), flit.vc, 1);
      ++between[post_.ends()[post_.end_of(static_cast<uint32_t>(port))].peer * vcs + flit.vc];
    });
  }
  for (uint32_t end = 0; end != post_.own_ends(); ++end) {
    for (const FlitMessage& m : post_.flits(uncollected(), end, sender(end)))
      ++between[post_.ends()[end].peer * vcs + m.flit.vc];
    for (const CreditMessage& m : post_.credits(uncollected(), end, sender(end))) ++between[end * vcs + m.vc];
  }
  if (mail_) mail_->add(vcs, between);
  bool kept = true;
  size_t at = 0;
  for_each_port([&](const AnyDomain&, size_t, const PortWire& wire) {
    for (int v = 0; wire.kind == LinkKind::inside && v < config_.router.vcs; ++v)
      kept &= inside[at * vcs + v] == wire.buffer;
    ++at;
  });
  for (uint32_t end = 0; end != post_.own_ends(); ++end) {
    for (int v = 0; v < config_.router.vcs; ++v)
      kept &= between[end * vcs + v] == wiring_.wire[post_.ends()[end].port].buffer;
  }
  return !any(share_.exchange(), !kept);
}

}  // namespace odonata::network
