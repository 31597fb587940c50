// SPDX-License-Identifier: Apache-2.0
#include "models/fault/message_graph.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

namespace odonata::fault {

namespace {

constexpr int kNever = -1, kEvent = -2;  // what lets an option fall or rise, when it is not a message
constexpr int kClasses = 2;

/// What an option of an entry can do: fall once, and rise once after that.
struct OptionNews {
  int falls = kNever, rises = kNever;
};

class Graph {
 public:
  Graph(const Dragonfly& d, Mode mode, const table::ConfigurationPolicy& policy, const Fault& fault)
      : d_(d), mode_(mode), policy_(policy), dead_(fault.is_router ? d.router_index(fault.router) : -1) {
    if (fault.is_router) {
      for (int port = d.first_local(); port < d.num_ports(); ++port) add_far_end(fault.router, port);
    } else {
      out_.events.push_back({d.router_index(fault.router), fault.port});
      if (fault.port >= d.p()) add_far_end(fault.router, fault.port);
    }
  }

  MessageGraph make() {
    for (const GraphEvent& e : out_.events) {
      for (int row = 0; row < num_rows(d_); ++row) option_falls(e.router, row, e.port, kEvent);
    }
    while (!work_.empty()) {
      const auto [router, row] = work_.back();
      work_.pop_back();
      entry_falls(router, row);
    }
    for (bool more = true; more;) {
      more = false;
      for (size_t i = 0; i < out_.messages.size(); ++i) more |= rises_again(i);
    }
    for (size_t i = 0; i < out_.messages.size(); ++i) order(i);
    return std::move(out_);
  }

 private:
  using Key = std::pair<int, int>;  // router, row

  void add_far_end(RouterId router, int port) {
    const Dragonfly::Peer peer = d_.peer(router, port);
    if (peer.connected) out_.events.push_back({d_.router_index(peer.router), peer.port});
  }
  const RowConfig& config(int router, int row) {
    auto& config = configs_[{router, row}];
    if (config == nullptr)
      config = std::make_unique<RowConfig>(row_config(d_, d_.router(router), entry_of_row(d_, row), mode_, policy_));
    return *config;
  }
  std::vector<OptionNews>& news(int router, int row) {
    auto& options = news_[{router, row}];
    options.resize(static_cast<size_t>(d_.num_ports()));
    return options;
  }
  OptionNews& option(int router, int row, int port) { return news(router, row)[static_cast<size_t>(port)]; }

  bool lists(int router, int row, int port) {
    const RowConfig& c = config(router, row);
    return ((c.node.a | c.node.b | c.local.a | c.local.b | c.global.a | c.global.b) >> port & 1) != 0;
  }
  void option_falls(int router, int row, int port, int why) {
    if (!lists(router, row, port)) return;
    int& falls = option(router, row, port).falls;
    if (falls != kNever) throw std::logic_error("message graph: an option falls for two reasons");
    falls = why;
    work_.emplace_back(router, row);
  }

  /// The options of which one has to serve for a class to be full at a port.
  std::array<PortMap, kClasses> needed(int router, int row, int port) {
    const RowConfig& c = config(router, row);
    const Options o = c.at(d_, port);
    if (c.id.zone == Zone::node) return {0, 0};
    if (c.id.zone == Zone::group_local) return {o.a, 0};
    if (d_.is_local_port(port)) return {o.a | (o.b & c.local_ports), o.a | (o.b & c.global_ports)};
    return {o.a | o.b, 0};
  }
  bool way_round(int row, int port) const {
    return mode_ == Mode::safe && d_.a() > 2 && entry_of_row(d_, row).zone == Zone::group_local &&
           d_.port_class(port) == PortClass::global;
  }
  bool alive(int router, int port) const {
    if (router == dead_) return false;
    return std::none_of(out_.events.begin(), out_.events.end(),
                        [&](const GraphEvent& e) { return e.router == router && e.port == port; });
  }

  void entry_falls(int router, int row) {
    for (int port = d_.first_local(); port < d_.num_ports(); ++port) {
      const auto sets = needed(router, row, port);
      for (int c = 0; c < kClasses; ++c) {
        if (sets[c] == 0 || sent_.contains({router, row, port, c, false})) continue;
        std::vector<int> causes;
        if (all_fall(router, row, sets[c], causes)) send(router, row, port, c, false, causes);
      }
    }
  }
  bool all_fall(int router, int row, PortMap set, std::vector<int>& causes) {
    for (; set != 0; set &= set - 1) {
      const int why = option(router, row, std::countr_zero(set)).falls;
      if (why == kNever) return false;
      if (why != kEvent) causes.push_back(why);
    }
    return true;
  }

  /// Whether what an FD has taken away comes back, and nobody has said so yet.
  bool rises_again(size_t number) {
    const GraphMessage m = out_.messages[number];
    const int c = static_cast<int>(m.message_class);
    if (m.restores || sent_.contains({m.from, m.row, m.out, c, true})) return false;
    std::vector<int> causes;
    if (way_round(m.row, m.out)) {
      // The router is withdrawn when the last way round is gone.
      if (!all_fall(m.from, m.row, config(m.from, m.row).at(d_, m.out).b, causes)) return false;
    } else {
      causes = rising(m);
      if (causes.empty()) return false;
    }
    send(m.from, m.row, m.out, c, true, causes);
    return true;
  }
  std::vector<int> rising(const GraphMessage& m) {
    std::vector<int> out;
    PortMap set = needed(m.from, m.row, m.out)[static_cast<size_t>(m.message_class)];
    for (; set != 0; set &= set - 1) {
      const int rises = option(m.from, m.row, std::countr_zero(set)).rises;
      if (rises != kNever) out.push_back(rises);
    }
    return out;
  }
  /// What rises is known when all messages are.
  void order(size_t number) {
    GraphMessage& m = out_.messages[number];
    if (way_round(m.row, m.out)) return;
    (m.restores ? m.causes : m.before) = rising(m);
    m.first_of_causes = m.restores;
  }

  void send(int router, int row, int port, int c, bool restores, const std::vector<int>& causes) {
    sent_[{router, row, port, c, restores}] = true;
    const Dragonfly::Peer peer = d_.peer(d_.router(router), port);
    if (!peer.connected || !alive(router, port)) return;
    GraphMessage m;
    m.from = router;
    m.out = port;
    m.to = d_.router_index(peer.router);
    m.in = peer.port;
    m.row = row;
    const EntryId id = entry_of_row(d_, row);
    const int gid = d_.router(router).gid;
    m.to_row = id.zone == Zone::group_local && peer.router.gid != gid ? row_of_entry(d_, {Zone::global, gid}) : row;
    m.message_class = static_cast<MessageClass>(c);
    m.restores = restores;
    m.causes = causes;
    const bool own_group = d_.is_local_port(port) && id.zone == Zone::group_local;
    m.scope = !d_.is_local_port(port) || own_group ? Scope::all : c == 0 ? Scope::d : Scope::s;
    m.last_writer = last_writer(m);
    const int number = static_cast<int>(out_.messages.size());
    out_.messages.push_back(m);
    if (m.scope == Scope::s) return;
    if (!restores)
      option_falls(m.to, m.to_row, m.in, number);
    else
      option(m.to, m.to_row, m.in).rises = number;
  }
  int last_writer(const GraphMessage& m) {
    const RowConfig& c = config(m.to, m.to_row);
    for (int port = d_.num_ports() - 1; port >= 0; --port) {
      Marks marks;
      if (set_option(d_, d_.port_class(port), c.at(d_, port), m.in, Level::lost, m.scope, marks)) return port;
    }
    return -1;
  }

  const Dragonfly& d_;
  Mode mode_;
  const table::ConfigurationPolicy& policy_;
  int dead_;
  MessageGraph out_;
  std::map<Key, std::unique_ptr<RowConfig>> configs_;
  std::map<Key, std::vector<OptionNews>> news_;
  std::map<std::array<int, 5>, bool> sent_;  // router, row, port, class, FR
  std::vector<Key> work_;
};

}  // namespace

MessageGraph message_graph(const Dragonfly& d, Mode mode, const table::ConfigurationPolicy& policy,
                           const Fault& fault) {
  return Graph(d, mode, policy, fault).make();
}

}  // namespace odonata::fault
