// SPDX-License-Identifier: Apache-2.0
// How a network advances: windows, steps, deliveries, the watchdog.
#include "sim/network/engine.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <tuple>

#include "sim/network/balance.h"
#include "sim/network/domain_state.h"
#include "sim/network/topology.h"

namespace odonata::network {

Engine::Engine(const Config& config, Wiring wiring, DomainKind kind)
    : config_(config),
      wiring_(std::move(wiring)),
      kind_(std::move(kind)),
      share_(config.exchange, wiring_.domains),
      faults_(make_feed(share_)),
      loop_(make_loop_plan(config_, wiring_)),
      context_{config_,
               wiring_,
               static_cast<uint32_t>(config.warmup),
               static_cast<uint32_t>(config.warmup + config.sample),
               &board_,
               faults_.get(),
               loop_.get()},
      window_(wiring_.is_cut() || wiring_.lookahead() == 0 ? kWholeWindow : static_cast<uint64_t>(wiring_.lookahead())),
      step_(find_step()),
      link_counts_(config_.interval, wiring_, config_.topology->windows_of_local_links()),
      post_(own_wiring(share_), share_),
      mail_(share_.exchange() == nullptr ? nullptr : std::make_unique<RankMail>(post_, share_)),
      pool_(std::min(config.threads, static_cast<int>(share_.own().size()))),
      scratch_(static_cast<size_t>(config.threads)) {
  if (kind_.board) {
    for (auto& half : board_.cells) half.resize(wiring_.wire.size());
  }
  make_domains();
  balances_ = can_balance();
}

/// Asked of all ranks together. A device in the loop is where its domain is.
bool Engine::can_balance() const {
  return mail_ && config_.balance != 0 && wiring_.domains > share_.ranks() &&
         !any(share_.exchange(),
              !config_.taps.empty() || config_.faults.tap != nullptr || config_.requests.device || config_.hardware);
}

std::unique_ptr<FaultFeed> Engine::make_feed(const Share& share) const {
  if (kind_.own_faults || config_.faults.events.empty()) return nullptr;
  return std::make_unique<FaultFeed>(config_, share.exchange() == nullptr ? nullptr : &share);
}

void Engine::make_domains() {
  domains_.clear();
  domains_.resize(share_.own().size());
  cost_.assign(domains_.size(), 0);
  pool_.run(static_cast<int>(domains_.size()), [this](const WorkerPool::Task& t) {
    domains_[t.number] = kind_.make(context_, share_.own()[t.number], post_);
  });
}

bool Engine::advance() {
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
  if (kind_.checked) {
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
          std::min(now_, sample_last()), ended || now_ >= sample_last(),
          [this](uint32_t port) { return carried(port); }, share_.exchange());
    }
  }
  if (balances_ && !ended) {
    ++windows_here_;
    if (windows_here_ == config_.balance / 2) std::fill(cost_.begin(), cost_.end(), 0);
    if (windows_here_ == config_.balance) balance();
  }
  return !ended;
}

void Engine::run_domain(size_t number, const Window& window, size_t thread, const AnyDomain* next) {
  const uint64_t start = balances_ ? thread_nanoseconds() : 0;
  domains_[number]->run(window, scratch_[thread], next);
  if (balances_) cost_[number] += thread_nanoseconds() - start;
}

/// Whoever is ready takes the next domain.
void Engine::run_window(uint64_t first, uint64_t last) {
  const Window window{static_cast<uint32_t>(first), static_cast<uint32_t>(last), steps_ & 1};
  pool_.run(static_cast<int>(domains_.size()), [&](const WorkerPool::Task& t) {
    run_domain(static_cast<size_t>(t.number), window, static_cast<size_t>(t.thread),
               t.next == WorkerPool::kNone ? nullptr : domains_[t.next].get());
  });
  if (mail_) trade(last);
  ++steps_;
}

/// Every thread has domains of its own, which stay in its cache, and waits for the others after every step.
void Engine::run_in_steps(uint64_t first, uint64_t last) {
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

/// The window's end with other ranks: the mail, and the oracle's board when its domains have written it (Board).
void Engine::trade(uint64_t last) {
  mail_->trade(post_, steps_ & 1);
  if (kind_.board) {
    if (last % window_ != 0) return;
    std::vector<uint16_t>& cells = board_.cells[(last / window_ - 1) & 1];
    const size_t size = static_cast<size_t>(wiring_.routers) * static_cast<size_t>(wiring_.ports);
    const auto write = [&](StateWriter& to, const AnyDomain& d) {
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

/// Once, by what the last half of the windows so far has cost: at first the network is empty.
void Engine::balance() {
  const auto start = std::chrono::steady_clock::now();
  std::vector<uint64_t> cost;
  size_t next = 0;
  const auto write = [&](StateWriter& to, const AnyDomain&) { to(cost_[next++]); };
  gather_domains(write, [&cost](int, StateReader& from) { from(cost.emplace_back()); });
  balances_ = false;
  const std::vector<int> owner = network::balance(cost, share_.owners(), share_.ranks());
  imbalance_[0] = imbalance(cost, share_.owners(), share_.ranks());
  imbalance_[1] = imbalance(cost, owner, share_.ranks());
  for (size_t d = 0; d != owner.size(); ++d) moved_ += owner[d] != share_.owners()[d];
  if (moved_ != 0) move_domains(Share(share_, owner));
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void Engine::gather_domains(const std::function<void(StateWriter&, AnyDomain&)>& write,
                            const std::function<void(int, StateReader&)>& read) const {
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

void Engine::show_deliveries() {
  std::vector<Delivery> all;
  const auto keep = [&all](const Delivery& delivery) { all.push_back(delivery); };
  if (!mail_) {
    for (auto& d : domains_)
      d->take_deliveries(kind_.pieces ? std::function<void(const Delivery&)>(keep) : on_delivery_);
  } else {
    const auto write = [](StateWriter& to, AnyDomain& d) {
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
  if (kind_.pieces) std::sort(all.begin(), all.end(), earlier);
  for (const Delivery& delivery : all) on_delivery_(delivery);
}

bool Engine::drained() const {
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

Engine::Totals Engine::totals() const {
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

/// Stops the run when nothing has moved for long and packets wait for each other, or when packets move and none
/// arrives. A program may be that slow, and fails when it does not end. Where the run ends anyway a circle is enough in
/// which nothing has moved since all has arrived that was on links, unless faults are at work.
void Engine::watch() {
  std::array<uint64_t, 3> n{};
  for (const auto& d : domains_) {
    const Statistics& s = d->statistics();
    n[0] += s.flit_hops, n[1] += s.delivered + s.lost, n[2] += s.injected;
  }
  sum(n);
  const auto [hops, gone, injected] = n;
  if (hops != seen_hops_) last_progress_ = now_;
  if (gone != seen_gone_ || gone == injected) last_gone_ = now_;
  seen_hops_ = hops, seen_gone_ = gone;
  // What is on a link moves, too, and arrives before anything is said.
  const uint64_t still = now_ - last_progress_, arrival = static_cast<uint64_t>(wiring_.wire.longest()) + window_;
  constexpr uint64_t kSwitch = 8;  // cycles between two links at most where nothing waits: route compute, allocation
  const uint64_t longest = static_cast<uint64_t>(config_.topology->longest_way()) *
                               (static_cast<uint64_t>(wiring_.wire.longest()) + kSwitch) +
                           window_;
  const bool for_long = still >= std::max(config_.watchdog, arrival);
  const bool at_end = now_ == sample_last() + drain() && still >= arrival && !faults_at_work();
  const bool walks = !loop_ && still < arrival && now_ - last_gone_ >= std::max(config_.watchdog, longest);
  if (config_.watchdog == 0 || !(for_long || at_end || walks)) return;
  const DependencyGraph graph = dependencies();
  deadlock_ = graph.describe_cycle();
  if (walks)  // and so not `for_long`
    deadlock_ =
        "packets move, but since cycle " + std::to_string(last_gone_) + " none has arrived or been lost\n" + deadlock_;
  if (!for_long) return;
  last_progress_ = now_;
  if (deadlock_.empty() && !graph.empty()) deadlock_ = "packets wait, but not in a circle\n";
  if (loop_ && deadlock_.empty()) {  // messages were lost, or their node is cut off for good
    const auto will_act = [this](const auto& d) { return d->nics()->will_act(static_cast<uint32_t>(now_)); };
    const auto comes = [this](const TimedFault& f) { return f.cycle >= now_; };
    stuck_ = !any(share_.exchange(), std::any_of(domains_.begin(), domains_.end(), will_act)) &&
             std::none_of(config_.faults.events.begin(), config_.faults.events.end(), comes);
  }
}

/// Whether tables change still. Asked of all ranks together.
bool Engine::faults_at_work() const {
  if (kind_.own_faults) return !domains_[0]->fault_result(static_cast<uint32_t>(now_)).quiet;
  return faults_ && !faults_->quiet(static_cast<uint32_t>(now_));
}

DependencyGraph Engine::dependencies() const {
  DependencyGraph graph;
  const auto key = [this](uint64_t router, int port, int vc) {
    return (router * static_cast<uint64_t>(wiring_.ports) + static_cast<uint64_t>(port)) * 64 +
           static_cast<uint64_t>(vc);
  };
  const auto write = [&](StateWriter& to, const AnyDomain& d) {
    for (int r = 0; r < wiring_.routers; ++r) {
      for (int port = 0; port < wiring_.ports; ++port) {
        for (int v = 0; v < d.vcs(); ++v) {
          const auto wait = d.waits_for(r, port, v);
          if (!wait.blocked) continue;
          const std::string text = d.describe_wait(r, port, v, wait);
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

}  // namespace odonata::network
