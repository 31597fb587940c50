// SPDX-License-Identifier: Apache-2.0
#include "models/fault/verify.h"

#include <algorithm>

#include "models/route_compute/decide.h"
#include "models/route_compute/path.h"

namespace odonata::fault {

namespace {

constexpr int8_t kOpen = 127;
constexpr size_t kMaxWords = 5;

std::string name(RouterId r) { return "G" + std::to_string(r.gid) + ".s" + std::to_string(r.bid); }

}  // namespace

Verifier::Verifier(const Dragonfly& d, Mode mode, const table::ConfigurationPolicy& policy) : d_(d), mode_(mode) {
  rows_.reserve(static_cast<size_t>(d.num_routers()) * num_rows(d));
  for (int r = 0; r < d.num_routers(); ++r) {
    for (int row = 0; row < num_rows(d); ++row)
      rows_.push_back(row_config(d, d.router(r), entry_of_row(d, row), mode, policy));
    for (int port = 0; port < d.num_ports(); ++port) {
      const Dragonfly::Peer other = d.peer(d.router(r), port);
      peers_.push_back(other.connected ? End{d.router_index(other.router), other.port} : End{});
    }
  }
  memo_.assign(static_cast<size_t>(d.num_routers()) * d.num_ports() * 8, -1);
  lossy_.assign(memo_.size(), 0);
  const size_t channels = static_cast<size_t>(d.num_routers()) * d.num_ports() * 4;
  next_.resize(channels);
  seen_edge_.resize(channels * 4);
}

VerifyReport Verifier::check(const FaultPlaneNetwork& network, int stride) {
  network_ = &network;
  report_ = {};
  for (auto& edges : next_) edges.clear();
  std::fill(seen_edge_.begin(), seen_edge_.end(), 0);
  report_.condition = condition_holds();
  find_parts();
  for (int t = 0; t < d_.num_routers(); t += stride) {
    if (!network.alive(t)) continue;
    to_ = d_.router(t);
    for (int s = 0; s < d_.num_routers(); ++s) {
      if (s != t && network.alive(s)) start(s);
    }
    for (int i : touched_) {
      memo_[i] = -1;
      lossy_[i] = 0;
    }
    touched_.clear();
  }
  look_for_cycle();
  network_ = nullptr;
  return report_;
}

Options Verifier::options(const State& s) const {
  const RouterId own = d_.router(s.router);
  const EntryId id = to_.gid != own.gid ? EntryId{Zone::global, to_.gid} : EntryId{Zone::group_local, to_.bid};
  const int row = row_of_entry(d_, id);
  const RowConfig& config = rows_[static_cast<size_t>(s.router) * num_rows(d_) + row];
  const PortClass at = d_.port_class(s.port);
  return effective(config, at, config.at(d_, s.port), network_->marks(s.router, row, s.port), s.transit, s.vc);
}

void Verifier::start(int source) {
  ++report_.pairs;
  const State s{source, 0, 0, false};
  const Options o = options(s);
  if ((o.a | o.b) == 0) {
    ++report_.lost_pairs;
    ++(part_[source] == part_[d_.router_index(to_)] ? report_.refused_pairs : report_.unreachable_pairs);
    if (mode_ == Mode::safe && report_.condition && promised(source)) {
      ++report_.broken_promises;
      path_.assign(1, s);
      complain("no way although a path is live");
      path_.clear();
    }
    return;
  }
  const int hops = visit(s);
  report_.lossy_pairs += lossy_[index_of(s)];
  report_.max_hops = std::max(report_.max_hops, hops);
  if (hops > route_compute::kMaxHops) {
    ++report_.long_paths;
    walk_longest(s);
    complain("a path of " + std::to_string(hops) + " hops");
    path_.clear();
  }
}

/// Puts the longest way from a state, which has been visited, into path_.
void Verifier::walk_longest(State s) {
  path_.assign(1, s);
  while (!(d_.router(s.router) == to_) && path_.size() < 16) {
    const Options o = options(s);
    State longest = s;
    int most = -1;
    for (PortMap left = o.a | o.b; left != 0; left &= left - 1) {
      const int out = std::countr_zero(left);
      if (!network_->link_up(s.router, out)) continue;
      const State next = next_state(s, out);
      if (next.vc >= route_compute::kNumVcs || memo_[index_of(next)] <= most) continue;
      most = memo_[index_of(next)];
      longest = next;
    }
    if (most < 0) return;
    s = longest;
    path_.push_back(s);
  }
}

Verifier::State Verifier::next_state(const State& s, int out) const {
  const End& end = peer(s.router, out);
  const bool transit = s.transit || d_.port_class(out) == PortClass::global;
  return {end.router, end.port, vc_rule_(d_.port_class(s.port), d_.port_class(out), s.vc), transit};
}

/// Longest way from a state to the destination; every option is followed. Virtual channels rise, so it ends.
int Verifier::visit(const State& s) {
  const int index = index_of(s);
  if (memo_[index] == kOpen) {
    ++report_.loops;
    lossy_[index] = 1;
    complain("then " + name(d_.router(s.router)) + " (port " + std::to_string(s.port) + ") again: a loop");
    return 0;
  }
  if (memo_[index] >= 0) return memo_[index];
  memo_[index] = kOpen;
  touched_.push_back(index);
  path_.push_back(s);
  int longest = 0;
  if (!(d_.router(s.router) == to_)) {
    ++report_.states;
    const Options o = options(s);
    if ((o.a | o.b) == 0) {
      ++report_.dead_ends;
      lossy_[index] = 1;
      complain("dead end");
    }
    for (PortMap left = o.a | o.b; left != 0; left &= left - 1)
      lossy_[index] |= !follow(s, std::countr_zero(left), longest);
  }
  path_.pop_back();
  memo_[index] = static_cast<int8_t>(longest);
  return longest;
}

bool Verifier::follow(const State& s, int out, int& longest) {
  const int vc = vc_rule_(d_.port_class(s.port), d_.port_class(out), s.vc);
  if (!network_->link_up(s.router, out)) {
    ++report_.stale_options;
    complain("then out of port " + std::to_string(out) + ", whose link is dead");
    return false;
  }
  if (vc >= route_compute::kNumVcs) {
    ++report_.vc_overflows;
    complain("then out of port " + std::to_string(out) + " on virtual channel 4");
    return false;
  }
  report_.max_vc = std::max(report_.max_vc, vc);
  add_edge(s, out, vc);
  const State next = next_state(s, out);
  longest = std::max(longest, 1 + visit(next));
  return lossy_[index_of(next)] == 0;
}

void Verifier::complain(const std::string& what) {
  if (report_.words.size() >= kMaxWords) return;
  std::string text = "to " + name(to_) + ": ";
  for (const State& s : path_) {
    text += (&s == path_.data() ? "from " : " -> ") + name(d_.router(s.router)) + " (port " + std::to_string(s.port) +
            ", VC " + std::to_string(s.vc) + ")";
  }
  report_.words.push_back(text + ": " + what);
}

// Channels are numbered (receiving router, its input port, VC).
void Verifier::add_edge(const State& s, int out, int vc) {
  if (s.port < d_.p()) return;
  const size_t from = (static_cast<size_t>(s.router) * d_.num_ports() + s.port) * 4 + s.vc;
  uint64_t& word = seen_edge_[from * 4 + vc];
  if (word >> out & 1) return;
  word |= 1ull << out;
  const End& end = peer(s.router, out);
  next_[from].push_back((end.router * d_.num_ports() + end.port) * 4 + vc);
}

/// Which live routers are joined by live links at all.
void Verifier::find_parts() {
  part_.assign(static_cast<size_t>(d_.num_routers()), -1);
  for (int first = 0; first < d_.num_routers(); ++first) {
    if (part_[first] >= 0 || !network_->alive(first)) continue;
    std::vector<int> todo{first};
    part_[first] = first;
    while (!todo.empty()) {
      const int r = todo.back();
      todo.pop_back();
      for (int port = d_.p(); port < d_.num_ports(); ++port) {
        if (!network_->link_up(r, port)) continue;
        const int next = peer(r, port).router;
        if (part_[next] >= 0) continue;
        part_[next] = first;
        todo.push_back(next);
      }
    }
  }
}

/// Kahn's algorithm; only if something is left the cycle is looked for and put into words.
void Verifier::look_for_cycle() {
  std::vector<int> incoming(next_.size(), 0), ready;
  for (const auto& edges : next_) {
    for (int to : edges) ++incoming[to];
  }
  for (size_t c = 0; c < next_.size(); ++c) {
    if (incoming[c] == 0) ready.push_back(static_cast<int>(c));
  }
  size_t done = 0;
  while (!ready.empty()) {
    const int c = ready.back();
    ready.pop_back();
    ++done;
    for (int to : next_[c]) {
      if (--incoming[to] == 0) ready.push_back(to);
    }
  }
  report_.cyclic = done != next_.size();
  if (!report_.cyclic) return;
  ChannelGraph graph(static_cast<int>(next_.size()));
  for (size_t c = 0; c < next_.size(); ++c) {
    for (int to : next_[c]) graph.add(static_cast<int>(c), to);
  }
  std::string text = "the channel dependency graph has a cycle:";
  for (int c : graph.find_cycle()) {
    text += " [into " + name(d_.router(c / 4 / d_.num_ports())) + " port " + std::to_string(c / 4 % d_.num_ports()) +
            " VC " + std::to_string(c % 4) + "]";
  }
  report_.words.push_back(text);
}

/// Whether `bid` can be reached from r in at most `hops` (0..2) live local hops.
bool Verifier::near(RouterId r, int bid, int hops) const {
  if (r.bid == bid) return true;
  if (hops == 0) return false;
  const auto up = [&](int x, int y) { return network_->link_up(d_.router_index({r.gid, x}), d_.local_port(x, y)); };
  if (up(r.bid, bid)) return true;
  for (int s = 0; hops == 2 && s < d_.a(); ++s) {
    if (s != r.bid && s != bid && up(r.bid, s) && up(s, bid)) return true;
  }
  return false;
}

bool Verifier::condition_holds() const {
  for (int r = 0; r < d_.num_routers(); ++r) {
    const RouterId own = d_.router(r);
    for (int b = own.bid + 1; b < d_.a() && network_->alive(r); ++b) {
      if (network_->alive(d_.router_index({own.gid, b})) && !near(own, b, 2)) return false;
    }
  }
  return true;
}

/// Whether a live path of the shapes L-L, LG-LL, LG-L-GLL or LG-LL-GL leads from the source to the destination.
bool Verifier::promised(int source) const {
  const RouterId from = d_.router(source);
  if (from.gid == to_.gid) return near(from, to_.bid, 2);
  const auto link = [&](RouterId r, int group) {  // the router at the other end of a live link to `group`, or bid -1
    const int j = d_.port_to_group(r.gid, group);
    if (!network_->link_up(d_.router_index({r.gid, j / d_.h()}), d_.global_port(j % d_.h())))
      return RouterId{group, -1};
    return RouterId{group, d_.attached_router(group, r.gid)};
  };
  for (int group = 0; group < d_.g(); ++group) {
    if (group == from.gid) continue;
    const RouterId in = link(from, group);
    if (in.bid < 0 || !near(from, d_.attached_router(from.gid, group), 1)) continue;
    if (group == to_.gid) {
      if (near(in, to_.bid, 2)) return true;
      continue;
    }
    const RouterId last = link(in, to_.gid);
    if (last.bid < 0) continue;
    const int egress = d_.attached_router(group, to_.gid);
    if ((near(in, egress, 1) && near(last, to_.bid, 2)) || (near(in, egress, 2) && near(last, to_.bid, 1))) return true;
  }
  return false;
}

}  // namespace odonata::fault
