// SPDX-License-Identifier: Apache-2.0
#include "models/route_compute/dependency.h"

#include <algorithm>

#include "models/route_compute/units.h"

namespace odonata::route_compute {

using table::Zone;

PortMap valid_options(const UnitConfig& config, const Decoded& decoded, const Entries& entries) {
  const Dragonfly& d = config.dragonfly();
  if (!decoded.rta) return (entries.a & config.all_ports()) | (entries.b & unit_f(config, decoded));
  const GroupMap min = unit_a1(config, entries.a), any = min | unit_a2(config, entries.b, min);
  PortMap out = 0;
  for (int r = 0; r < d.a(); ++r) {
    const uint64_t ports = any.field(r * d.h(), d.h());
    if (ports == 0) continue;
    out |= r == config.own().bid ? ports << d.first_global() : config.ports_c(r);
  }
  return out;
}

namespace {

/// A packet on its way to the destination at hand. Node ports count as port 0.
struct State {
  int router = 0;
  int in_port = 0;
  int vc = 0;
  bool in_source_group = true;  ///< it has not crossed a global link
};

class Exploration {
 public:
  Exploration(NetworkTables& network, const DependencyOptions& options)
      : network_(network),
        d_(network.dragonfly()),
        options_(options),
        graph_(d_.num_routers() * d_.num_ports() * kNumVcs),
        known_(static_cast<size_t>(d_.num_routers()) * d_.num_ports() * kNumVcs),
        seen_(static_cast<size_t>(d_.num_routers()) * d_.num_ports() * kNumVcs * 2),
        ports_(seen_.size() / kNumVcs) {
    for (int r = 0; r < d_.num_routers(); ++r) {
      for (int port = 0; port < d_.num_ports(); ++port) peers_.push_back(d_.peer(d_.router(r), port));
    }
  }

  DependencyReport run() {
    std::vector<RouterId> destinations = options_.destinations;
    if (destinations.empty()) {
      for (int r = 0; r < d_.num_routers(); ++r) destinations.push_back(d_.router(r));
    }
    for (RouterId to : destinations) follow_all(to);
    report_.dependencies = graph_.dependencies();
    for (int channel : graph_.find_cycle()) report_.cycle.push_back(channel_of(channel));
    return report_;
  }

 private:
  static constexpr size_t kShownProblems = 8;

  /// Breadth first, a level a link, so that the length of the longest path is known.
  void follow_all(RouterId to) {
    to_ = {to.gid, to.bid, 0};
    std::fill(ports_.begin(), ports_.end(), Options{});
    std::vector<State> level, next;
    for (int r = 0; r < d_.num_routers(); ++r) level.push_back({r, 0, 0, true});
    for (int links = 0; !level.empty(); ++links) {
      report_.max_links = std::max(report_.max_links, links);
      if (links > options_.link_limit)
        return problem(level.front(), "is reached by a path of " + std::to_string(links) + " links");
      ++stamp_;
      next.clear();
      for (const State& state : level) expand(state, next);
      report_.states += static_cast<int64_t>(level.size());
      level.swap(next);
    }
  }

  void expand(const State& at, std::vector<State>& next) {
    const PortMap options = options_at(at);
    if (options == 0) problem(at, "has no option");
    for (PortMap left = options; left != 0; left &= left - 1) take(at, std::countr_zero(left), next);
  }

  void take(const State& at, int port, std::vector<State>& next) {
    const RouterId own = d_.router(at.router);
    const PortClass in_class = d_.port_class(at.in_port), out_class = d_.port_class(port);
    if (out_class == PortClass::node) {
      if (own != to_.router() || port != to_.nid) problem(at, "sends to the wrong " + port_name(d_, own, port));
      return;
    }
    const Dragonfly::Peer& there = peer(at.router, port);
    if (!there.connected || network_.failed(own, port))
      return problem(at, "sends to the dead " + port_name(d_, own, port));
    const int vc = options_.vc_rule(in_class, out_class, at.vc);
    if (vc < 0 || vc >= kNumVcs)
      return problem(at, "needs virtual channel " + std::to_string(vc) + " at " + port_name(d_, own, port));
    const bool global = out_class == PortClass::global;
    // The source address is known to the tables only as "own group or not"; a packet may therefore leave a foreign
    // group only to its end.
    if (global && !at.in_source_group && there.router.gid != to_.gid)
      problem(at, "sends to a third group by " + port_name(d_, own, port));
    report_.max_vc = std::max(report_.max_vc, vc);
    if (in_class != PortClass::node) depend(at, port, vc);
    visit({d_.router_index(there.router), there.port, vc, at.in_source_group && !global}, next);
  }

  /// The same dependency is met for many destinations: a bit a (port, VC) keeps most of them from the graph.
  void depend(const State& at, int port, int vc) {
    const int holds = channel_into(at);
    uint64_t& known = known_[holds][vc];
    if (known >> port & 1) return;
    known |= 1ull << port;
    graph_.add(holds, (at.router * d_.num_ports() + port) * kNumVcs + vc);
  }

  void visit(const State& state, std::vector<State>& next) {
    int& seen = seen_[place(state) * kNumVcs + state.vc];
    if (seen == stamp_) return;
    seen = stamp_;
    next.push_back(state);
  }

  /// The valid options depend neither on the VC nor on the path.
  PortMap options_at(const State& at) {
    Options& known = ports_[place(at)];
    if (!known.valid) known = {true, look_up(at)};
    return known.ports;
  }

  PortMap look_up(const State& at) {
    const RouterId own = d_.router(at.router);
    const UnitConfig& config = network_.config(own, at.in_port);
    const int other_group = own.gid == 0 ? 1 : 0;
    const Decoded decoded = decode(config, {to_, at.in_source_group ? own.gid : other_group, at.vc});
    return valid_options(config, decoded, network_.entries(own, at.in_port, decoded));
  }

  size_t place(const State& s) const {
    return (static_cast<size_t>(s.router) * d_.num_ports() + s.in_port) * 2 + (s.in_source_group ? 1 : 0);
  }
  const Dragonfly::Peer& peer(int router, int port) const {
    return peers_[static_cast<size_t>(router) * d_.num_ports() + port];
  }
  Channel channel_of(int number) const {
    const int link = number / kNumVcs;
    return {d_.router(link / d_.num_ports()), link % d_.num_ports(), number % kNumVcs};
  }
  int channel_into(const State& at) const {
    const Dragonfly::Peer& from = peer(at.router, at.in_port);
    return (d_.router_index(from.router) * d_.num_ports() + from.port) * kNumVcs + at.vc;
  }

  void problem(const State& at, const std::string& what) {
    ++report_.num_problems;
    if (report_.problems.size() == kShownProblems) return;
    const RouterId own = d_.router(at.router);
    report_.problems.push_back("group " + std::to_string(own.gid) + ", router " + std::to_string(own.bid) + ", " +
                               port_name(d_, own, at.in_port) + ", VC " + std::to_string(at.vc) +
                               ", destination group " + std::to_string(to_.gid) + ", router " +
                               std::to_string(to_.bid) + ": a packet " +
                               (at.in_source_group ? "in its source group " : "from another group ") + what);
  }

  struct Options {
    bool valid = false;
    PortMap ports = 0;
  };
  NetworkTables& network_;
  const Dragonfly d_;
  const DependencyOptions& options_;
  std::vector<Dragonfly::Peer> peers_;
  ChannelGraph graph_;
  std::vector<std::array<PortMap, kNumVcs>> known_;  // a channel: which (VC, output port) it is known to wait for
  std::vector<int> seen_;                            // the last level in which a state was reached
  std::vector<Options> ports_;                       // valid options for the destination at hand
  int stamp_ = 0;
  Address to_;
  DependencyReport report_;
};

}  // namespace

DependencyReport explore_dependencies(NetworkTables& network, const DependencyOptions& options) {
  return Exploration(network, options).run();
}

std::vector<std::string> in_words(const Dragonfly& d, const DependencyReport& report) {
  std::vector<std::string> out;
  const std::string counts = std::to_string(report.dependencies) + " dependencies, virtual channels up to " +
                             std::to_string(report.max_vc) + ", paths of at most " + std::to_string(report.max_links) +
                             " links";
  out.push_back(report.acyclic() ? "acyclic: " + counts
                                 : "a cycle of " + std::to_string(report.cycle.size()) +
                                       " channels, each waits for the next (" + counts + "):");
  for (const Channel& c : report.cycle) {
    out.push_back("  group " + std::to_string(c.router.gid) + ", router " + std::to_string(c.router.bid) + ", " +
                  port_name(d, c.router, c.port) + ", VC " + std::to_string(c.vc));
  }
  if (report.num_problems > 0) out.push_back(std::to_string(report.num_problems) + " problems, among them:");
  for (const std::string& text : report.problems) out.push_back("  " + text);
  return out;
}

}  // namespace odonata::route_compute
