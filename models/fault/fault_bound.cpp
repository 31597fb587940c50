// SPDX-License-Identifier: Apache-2.0
#include "models/fault/fault_bound.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace odonata::fault {

namespace {

constexpr int kTravel = 1 << 20;                   // a look
constexpr int64_t kNoWrite = -(int64_t{1} << 40);  // of a message that changes no mark

class Bound {
 public:
  Bound(const Dragonfly& d, const Parameters& p, const Fault& fault)
      : d_(d), p_(p), t_(p.timing), graph_(message_graph(d, p.mode, p.policy, fault)), flows_(server()) {}

  FaultBound make() {
    travels();
    for (size_t i = 0; i < graph_.messages.size(); ++i) add_flow(i);
    for (size_t i = 0; i < graph_.messages.size(); ++i) add_causes(i);
    add_order();
    add_relays();
    FaultBound out;
    out.cycles = std::max(last_write_, flows_.solve());
    for (size_t i = 0; i < graph_.messages.size(); ++i) out.messages.push_back(flows_.span(static_cast<int>(i)));
    out.graph = std::move(graph_);
    return out;
  }

 private:
  bool restores() const {
    return std::any_of(graph_.messages.begin(), graph_.messages.end(), [](const auto& m) { return m.restores; });
  }
  ServerTimes server() const {
    const int64_t hop = t_.ring_hop, around = (t_.stations - 1) * hop;
    const int64_t service = t_.pipelined ? 4 : longest_service(d_, t_, restores());
    const int64_t least = 3 + std::max(around, (d_.num_ports() - 1) * hop + 1);
    return {service, t_.stations, t_.poll_width, t_.stations - (d_.a() - 1) - d_.h(), t_.pipelined ? 0 : least - 2, 0};
  }
  int latency(int port) const { return d_.is_local_port(port) ? t_.local_latency : t_.global_latency; }
  bool detours(const GraphMessage& m) const { return m.message_class == MessageClass::d; }
  int step(int row) const {
    const EntryId id = entry_of_row(d_, row);
    const int base = id.zone == Zone::node ? 0 : id.zone == Zone::group_local ? t_.base_b : t_.base_g;
    return (base + id.index) / t_.banks;
  }

  /// The travels: when each message of them is there, to the cycle, and when the router is free.
  void travels() {
    arrival_.assign(graph_.messages.size(), -1);
    std::map<std::pair<int, int>, std::vector<size_t>> said;  // router, port
    for (size_t i = 0; i < graph_.messages.size(); ++i) {
      const GraphMessage& m = graph_.messages[i];
      if (m.causes.empty()) said[{m.from, m.out}].push_back(i);
    }
    for (auto& [from, messages] : said) {
      const auto when = [&](size_t i) {
        const GraphMessage& m = graph_.messages[i];
        return std::tuple(step(m.row), m.row, m.message_class);
      };
      std::sort(messages.begin(), messages.end(), [&](size_t x, size_t y) { return when(x) < when(y); });
      int64_t later = 0;  // than with a message a step
      for (size_t k = 0; k < messages.size(); ++k) {
        const GraphMessage& m = graph_.messages[messages[k]];
        if (k > 0 && step(m.row) == step(graph_.messages[messages[k - 1]].row)) ++later;
        arrival_[messages[k]] = 3 + from.second * t_.ring_hop + 2 * step(m.row) + later + latency(from.second);
      }
      later_[from.first] = std::max(later_[from.first], later);
    }
    const int64_t n = static_cast<int64_t>(d_.num_ports() - 1) * t_.ring_hop;
    for (const GraphEvent& e : graph_.events) {
      const int64_t walk = 2 * t_.steps();
      last_write_ = std::max(last_write_, n + 2 + 2 * last_step(e) + later_[e.router]);
      const int64_t around = 1 + (t_.stations - 1) * static_cast<int64_t>(t_.ring_hop);
      const int64_t end = n + walk + later_[e.router];  // the last busy cycle of a unit
      free_[e.router] = {std::max(end, t_.pipelined ? 0 : around) + 2,
                         t_.pipelined ? walk : std::max(n + walk, around) + 2};
    }
  }
  /// The last step of a travel that can change a mark.
  int last_step(const GraphEvent& e) const {
    int last = 0;
    for (int row = 0; row < num_rows(d_); ++row) {
      const RowConfig c = row_config(d_, d_.router(e.router), entry_of_row(d_, row), p_.mode, p_.policy);
      const PortMap all = c.node.a | c.node.b | c.local.a | c.local.b | c.global.a | c.global.b;
      if (all >> e.port & 1) last = std::max(last, step(row));
    }
    return last;
  }

  int role(int router) {
    const auto at = roles_.find(router);
    if (at != roles_.end()) return at->second;
    const auto free = free_.find(router);
    return roles_[router] = free == free_.end() ? flows_.role() : flows_.role(free->second.first, free->second.second);
  }
  void add_flow(size_t number) {
    const GraphMessage& m = graph_.messages[number];
    auto& fifo = fifos_[{m.to, m.in}];
    if (fifo == 0) fifo = 1 + flows_.fifo_at(role(m.to), m.in);
    flows_.at_place(role(m.to), fifo - 1, d_.is_local_port(m.in) ? d_.router(m.from).bid : d_.a() + m.in);
    const int f = flows_.flow(role(m.to), fifo - 1, static_cast<int>(number));
    flows_.effect(f, m.last_writer < 0 ? kNoWrite : 2 + static_cast<int64_t>(m.last_writer) * t_.ring_hop);
    by_fifo_[{m.from, m.out, m.row, m.restores}] |= detours(m) ? 1 : 2;
    // A travel says several things a look; the classes of one thing leave together.
    flows_.one_a_look(role(m.to), fifo - 1);
    flows_.look(f, m.causes.empty() ? kTravel : 2 * m.row + (m.restores ? 1 : 0), m.causes.size() > 0 && detours(m));
  }
  void add_causes(size_t i) {
    const GraphMessage& m = graph_.messages[i];
    const int flow = static_cast<int>(i);
    if (m.causes.empty()) {
      flows_.comes(flow, arrival_[i], arrival_[i]);
      return;
    }
    flows_.leaves(flow, m.first_of_causes ? FlowBound::When::first : FlowBound::When::all);
    const int64_t way = 3 + static_cast<int64_t>(m.out) * t_.ring_hop + latency(m.out);
    const bool second = !detours(m) && by_fifo_[{m.from, m.out, m.row, m.restores}] == 3;
    for (int cause : m.causes) {
      const int64_t from = way + (graph_.messages[static_cast<size_t>(cause)].restores ? 1 : 0);
      if (m.first_of_causes)
        flows_.follows_first(flow, cause, from, from + (second ? 1 : 0), others(m.causes, cause));
      else
        flows_.follows(flow, cause, from, from + (second ? 1 : 0));
    }
    for (int other : m.before) {
      std::vector<int> instead = others(m.before, other);
      instead.insert(instead.begin(), FlowBound::kNoFlow);
      flows_.precedes(flow, other, way + (second ? 1 : 0), instead);
    }
  }

  static std::vector<int> others(std::vector<int> all, int but) {
    std::erase(all, but);
    return all;
  }
  /// Messages that always leave a port in the same order.
  void add_order() {
    std::map<std::pair<int, int>, std::vector<size_t>> said;  // router, port
    for (size_t i = 0; i < graph_.messages.size(); ++i)
      said[{graph_.messages[i].from, graph_.messages[i].out}].push_back(i);
    for (const auto& [from, messages] : said) {
      for (size_t x : messages) {
        for (size_t y : messages) {
          if (x != y && leaves_before(x, y)) flows_.in_order(static_cast<int>(x), static_cast<int>(y));
        }
      }
    }
  }
  /// Of two messages of a port: whether the first one always leaves earlier. It does when its trigger is not later than
  /// that of the other; with the same trigger they are about one entry, and class D is first.
  bool leaves_before(size_t i, size_t k) const {
    const GraphMessage &x = graph_.messages[i], &y = graph_.messages[k];
    if (x.causes.empty() || y.causes.empty())
      return x.causes.empty() && (!y.causes.empty() || arrival_[i] < arrival_[k]);
    if (!x.restores && y.restores) return fall_before_rise(x, y);
    if (x.first_of_causes != y.first_of_causes) return false;
    if (x.row == y.row && !(detours(x) && !detours(y))) return false;
    const auto not_later = [&](int cause, int other) { return cause == other || comes_before(cause, other); };
    const auto& each = x.first_of_causes ? y.causes : x.causes;
    const auto& any = x.first_of_causes ? x.causes : y.causes;
    return std::all_of(each.begin(), each.end(), [&](int e) {
      return std::any_of(any.begin(), any.end(),
                         [&](int a) { return x.first_of_causes ? not_later(a, e) : not_later(e, a); });
    });
  }
  /// What falls has left before any of `before` is served.
  static bool fall_before_rise(const GraphMessage& x, const GraphMessage& y) {
    if (x.row == y.row && x.message_class == y.message_class) return true;
    return y.first_of_causes && std::all_of(y.causes.begin(), y.causes.end(), [&](int c) {
             return std::find(x.before.begin(), x.before.end(), c) != x.before.end();
           });
  }
  bool comes_before(int x, int y) const {
    const auto &a = graph_.messages[static_cast<size_t>(x)], &b = graph_.messages[static_cast<size_t>(y)];
    return a.from == b.from && a.out == b.out && leaves_before(static_cast<size_t>(x), static_cast<size_t>(y));
  }

  /// Lemma 2. What mates tell each other about an entry is of a kind of its own: class D, FDs or FRs, together with
  /// what the attached router says; or class S.
  void add_relays() {
    std::map<std::tuple<int, int, int, bool>, Telling> kinds;  // group, row, class, FR
    const auto kind_of = [&](const GraphMessage& m) -> Telling& {
      auto& k = kinds[{d_.router(m.to).gid, m.to_row, static_cast<int>(m.message_class), m.restores}];
      if (k.number == 0) k.number = static_cast<int>(kinds.size());
      return k;
    };
    const auto& messages = graph_.messages;
    for (const GraphMessage& m : messages) {
      if (d_.is_local_port(m.in) && !detours(m)) kind_of(m).senders.insert(m.from);
    }
    for (size_t i = 0; i < messages.size(); ++i) {
      const GraphMessage& m = messages[i];
      const int flow = static_cast<int>(i);
      if (!d_.is_local_port(m.in) || entry_of_row(d_, m.row).zone != Zone::global) continue;
      if (detours(m)) {
        if (m.causes.size() != 1) continue;
        const auto first = static_cast<size_t>(m.causes.front());
        if (!d_.is_local_port(messages[first].in)) continue;
        const int kind = kind_of(m).number;
        flows_.of_kind(m.causes.front(), kind);
        relay(flow, kind, m.causes.front(), d_.a() - 2);
      } else if (!m.restores) {
        const Telling& kind = kind_of(m);
        flows_.of_kind(flow, kind.number);
        for (int cause : m.causes) relay(flow, kind.number, cause, static_cast<int64_t>(kind.senders.size()) - 1);
      }
    }
  }
  void relay(int flow, int kind, int first, int64_t alike) {
    const GraphMessage& m = graph_.messages[static_cast<size_t>(flow)];
    const bool restores = graph_.messages[static_cast<size_t>(first)].restores;
    const int64_t hop = t_.ring_hop, more = 3 + (restores ? 1 : 0) + t_.local_latency;
    // From a mate to all others: the ports differ.
    const int64_t least = more + d_.first_local() * hop,
                  most = more + (d_.first_global() - 1) * hop + (detours(m) ? 0 : 1);
    flows_.mates_tell(flow, kind, {first, alike, least, most});
  }
  struct Telling {
    int number = 0;
    std::set<int> senders;
  };
  const Dragonfly& d_;
  const Parameters& p_;
  const Timing& t_;
  MessageGraph graph_;
  FlowBound flows_;
  int64_t last_write_ = 0;
  std::vector<int64_t> arrival_;  ///< of messages of a travel
  std::map<int, int64_t> later_;  ///< by router: further cycles of its travel
  std::map<int, std::pair<int64_t, int64_t>>
      free_;  ///< by router: when it serves messages, and the first effect of one
  std::map<int, int> roles_;
  std::map<std::pair<int, int>, int> fifos_;
  std::map<std::tuple<int, int, int, bool>, int> by_fifo_;  ///< classes: 1 D, 2 S
};

}  // namespace

int64_t longest_service(const Dragonfly& d, const Timing& t, bool restores) {
  const int64_t hop = t.ring_hop, last = static_cast<int64_t>(d.num_ports() - 1) * hop,
                last_local = static_cast<int64_t>(d.first_global() - 1) * hop;
  // Only what leaves through a local port can be two messages.
  return 3 + std::max((t.stations - 1) * hop, std::max(last + 1, last_local + 2) + (restores ? 1 : 0));
}

FaultBound fault_bound(const Dragonfly& d, const Parameters& parameters, const Fault& fault) {
  return Bound(d, parameters, fault).make();
}

}  // namespace odonata::fault
