// SPDX-License-Identifier: Apache-2.0
#include "sim/network/policies/common/tree_policy.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "models/common/error.h"
#include "sim/network/make_engine.h"

namespace odonata::network {

using namespace vtftr;

bool beyond_the_paper(const Config& config) {
  const FatTreeTopology& topology = fat_tree_of(config);
  return topology.tree().dimensions() != 2 ||
         std::any_of(config.faults.events.begin(), config.faults.events.end(),
                     [&](const TimedFault& f) { return topology.tree_fault(f.fault).kind != TreeFault::Kind::leaf; });
}

void check_paper(const Config& config) {
  if (beyond_the_paper(config)) {
    throw Error("routing '" + config.routing +
                "': two dimensions, and leaf switches that fail; more have vtftr and vtftr_k (docs/vtftr.md §8)");
  }
}

void check_hardware_faults(const Config& config) {
  const FatTreeTopology& topology = fat_tree_of(config);
  const FatTree& tree = topology.tree();
  const std::string what = "routing '" + config.routing + "' as its hardware times it: ";
  if (tree.dimensions() != 2) throw Error(what + "two dimensions (docs/vtftr.md §9)");
  std::map<std::pair<int, int>, int> dead;  // roots of a line
  for (const TimedFault& f : config.faults.events) {
    const TreeFault fault = topology.tree_fault(f.fault);
    if (fault.kind == TreeFault::Kind::leaf) continue;
    const std::string name = vtftr::to_string(tree, fault);
    if (fault.kind == TreeFault::Kind::link) throw Error(what + "leaves and roots fail, no single link as " + name);
    if (f.repair) throw Error(what + "no message tells a root that comes back, as " + name + ", what it has missed");
    if (++dead[{fault.dimension, fault.line}] == tree.u()) throw Error(what + name + " is the last root of its line");
  }
}

void check_beyond(const Config& config) {
  const std::string what = " with dead roots and links, in three dimensions, and of vtftr_adaptive (docs/vtftr.md §8)";
  if (config.faults.mode != fault::Mode::safe) throw Error("--mode paper: mode safe only" + what);
  if (config.fat_tree.pick == Pick::bounce) throw Error("--pick bounce: a misroute does not go back" + what);
  if (config.fat_tree.reconfigure == Reconfigure::broadcast)
    throw Error("--reconfigure broadcast: manager, at-once or never" + what);
}

// ---- what happens and when

TreePolicy::TreePolicy(const Context& context, int domain)
    : context_(context),
      topology_(fat_tree_of(context.config)),
      tree_(topology_.tree()),
      names_(context.wiring.routers_of(domain)),
      routers_(static_cast<int>(names_.size())),
      leaves_(static_cast<int>(std::lower_bound(names_.begin(), names_.end(), tree_.num_leaves()) - names_.begin())),
      ports_(context.wiring.ports),
      last_vc_(context.config.router.vcs - 1),
      avoids_(context.config.routing == "vtftr_adaptive"),
      half_(std::max(1, context.config.link("local").buffer / context.config.router.packet_flits() / 2)),
      links_(static_cast<size_t>(routers_) * static_cast<size_t>(ports_)),
      alive_(static_cast<size_t>(routers_), 1),
      version_(static_cast<size_t>(routers_)),
      told_(static_cast<size_t>(topology_.routers())),
      waiting_(links_.size()) {
  for (int r = leaves_; r < routers_; ++r) {
    const FatTreeTopology::Switch s = topology_.at(name(r));
    roots_.push_back({s.dimension, s.line, s.rail});
    const auto first = static_cast<uint64_t>((name(r) - tree_.num_leaves()) * ports_);
    for (uint64_t i = first; i < first + static_cast<uint64_t>(ports_); ++i)
      lfsr_.push_back(FatTreeTopology::first_lfsr(context.config.seed, i));
  }
  build_changes();
  build_updates();
  keep_own_events();
  std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
    return a.event.cycle != b.event.cycle ? a.event.cycle < b.event.cycle : a.event.kind < b.event.kind;
  });
}

/// What happens at routers of the domain, with their numbers there; what is detected, all roots know.
void TreePolicy::keep_own_events() {
  std::vector<Event> own;
  for (Event& e : events_) {
    if (e.kind != Event::Kind::detected) {
      const auto found = std::lower_bound(names_.begin(), names_.end(), static_cast<int>(e.event.router));
      if (found == names_.end() || *found != e.event.router) continue;
      e.event.router = static_cast<uint16_t>(found - names_.begin());
    }
    own.push_back(e);
  }
  events_ = std::move(own);
}

void TreePolicy::build_changes() {
  for (const TimedFault& f : context_.config.faults.events)
    changes_.push_back({static_cast<uint32_t>(f.cycle), topology_.tree_fault(f.fault), !f.repair});
  std::stable_sort(changes_.begin(), changes_.end(),
                   [](const Change& a, const Change& b) { return a.cycle < b.cycle; });
  TreeFaults now(tree_);
  seen_.push_back(now);
  for (const Change& c : changes_) {
    now.set(c.fault, c.dead);
    seen_.push_back(now);
  }
  for (const Change& c : changes_) add_engine_events(c);
}

/// Detection, and the manager's messages: one change after the other.
void TreePolicy::build_updates() {
  const FatTreeParameters& p = context_.config.fat_tree;
  const auto cycles = [&p](int64_t ns) {
    return static_cast<uint32_t>(std::ceil(static_cast<double>(ns) / p.ns_per_cycle));
  };
  ManagerTiming timing;
  timing.detect = p.detect;
  timing.service = p.service;
  const bool at_once = p.reconfigure == Reconfigure::at_once;
  int64_t free = 0;  // ns: the manager has served all before
  TreeFaults told(tree_);
  known_.emplace_back(told);
  for (size_t i = 0; i < changes_.size(); ++i) {
    const Change& c = changes_[i];
    const auto add = [&](Event::Kind kind, uint32_t cycle, int router, size_t number) {
      FaultEvent e;
      e.cycle = cycle;
      e.kind = FaultEvent::Kind::entry;
      e.router = static_cast<uint16_t>(router);
      events_.push_back({e, kind, static_cast<uint16_t>(number)});
    };
    const uint32_t detected = c.cycle + (at_once ? 0 : cycles(p.detect));
    if (i == 0) first_detected_ = detected;
    add(Event::Kind::detected, detected, 0, i + 1);
    const auto now = static_cast<int64_t>(static_cast<double>(c.cycle) * p.ns_per_cycle);
    TreeTimes t;
    if (p.reconfigure != Reconfigure::never) {
      const int64_t reported = tree_times(seen_[i + 1], c.fault, timing).reported;
      t = tree_times(seen_[i + 1], c.fault, timing, std::max<int64_t>(0, free - (now + reported)));
    }
    const bool heard = t.served != 0;  // an end of it has a way to the manager
    if (heard) told.set(c.fault, c.dead);
    known_.emplace_back(told);
    if (!heard) continue;
    free = now + t.served;
    times_.serve(c.dead, c.cycle + (at_once ? 0 : cycles(t.served)));
    last_told_ = static_cast<uint16_t>(i + 1);
    for (int r = 0; r < topology_.routers(); ++r) {
      const int64_t when = t.at[static_cast<size_t>(r)];
      told_[static_cast<size_t>(r)] = when != kNever;
      if (when == kNever) continue;
      add(Event::Kind::update, c.cycle + (at_once ? 0 : cycles(when)), r, i + 1);
      times_.write(c.dead, events_.back().event.cycle);
    }
  }
}

/// How many changes have happened by then: what is true in that cycle.
uint16_t TreePolicy::changes_by(uint32_t cycle) const {
  return static_cast<uint16_t>(
      std::count_if(changes_.begin(), changes_.end(), [cycle](const Change& c) { return c.cycle <= cycle; }));
}

/// Both ends of a link between a leaf and a root.
void TreePolicy::add_links(const Change& c, int leaf, int dimension, int rail) {
  const std::pair<int, int> ends[] = {{leaf, tree_.uplink(dimension, rail)},
                                      {topology_.root_router(dimension, tree_.line(leaf, dimension), rail),
                                       tree_.point(leaf)[static_cast<size_t>(dimension)]}};
  for (const auto& [router, port] : ends) {
    FaultEvent e;
    e.cycle = c.cycle;
    e.up = !c.dead;
    e.router = static_cast<uint16_t>(router);
    e.port = static_cast<uint8_t>(port);
    events_.push_back({e, Event::Kind::engine, changes_by(c.cycle)});
  }
}

void TreePolicy::add_engine_events(const Change& c) {
  const TreeFault& f = c.fault;
  if (f.kind == TreeFault::Kind::link) return add_links(c, f.leaf, f.dimension, f.rail);
  FaultEvent e;
  e.cycle = c.cycle;
  e.kind = FaultEvent::Kind::router;
  e.up = !c.dead;
  e.router = static_cast<uint16_t>(
      f.kind == TreeFault::Kind::leaf ? f.leaf : topology_.root_router(f.dimension, f.line, f.rail));
  events_.push_back({e});
  if (f.kind == TreeFault::Kind::root) {
    for (int i = 0; i < tree_.size(f.dimension); ++i)
      add_links(c, tree_.leaf_of_line(f.dimension, f.line, i), f.dimension, f.rail);
    return;
  }
  e.kind = FaultEvent::Kind::link;
  for (int node = 0; node < tree_.p(); ++node) {
    e.port = static_cast<uint8_t>(node);
    events_.push_back({e});
  }
  for (int d = 0; d < tree_.dimensions(); ++d)
    for (int rail = 0; rail < tree_.u(); ++rail) add_links(c, f.leaf, d, rail);
}

const FaultEvent* TreePolicy::next_event(uint32_t cycle) {
  if (next_ == events_.size() || events_[next_].event.cycle != cycle) return nullptr;
  const Event& e = events_[next_++];
  switch (e.kind) {
    case Event::Kind::detected:
      detections_ = e.number;
      break;
    case Event::Kind::update:
      if (alive(e.event.router)) version_[e.event.router] = std::max(version_[e.event.router], e.number);
      break;
    case Event::Kind::engine: {
      if (e.event.kind == FaultEvent::Kind::router) {
        alive_[e.event.router] = e.event.up;
        if (!e.event.up) version_[e.event.router] = 0;  // what is dead forgets
        break;
      }
      const auto index = static_cast<size_t>(e.event.router * ports_ + e.event.port);
      const bool leaf = e.event.router < leaves_;
      bool up = e.event.up;
      if (!leaf || e.event.port >= tree_.p()) {  // up again only when leaf, root and link are
        const TreeFaults& now = seen_[e.number];
        const FatTree::LeafPort at = tree_.leaf_port(e.event.port);
        const FatTree::Root root = leaf ? FatTree::Root{} : roots_[static_cast<size_t>(e.event.router - leaves_)];
        up = leaf ? now.up(name(e.event.router), at.dimension, at.rail)
                  : !now.down(root.dimension, root.line, root.rail).test(e.event.port);
      }
      links_[index].set(up, e.event.cycle);
      break;
    }
  }
  return &e.event;
}

bool TreePolicy::delivers(int output, uint32_t cycle) const {
  bool up = true;
  for (const Change& c : changes_) {
    if (c.cycle > cycle) break;
    if (c.fault.kind == TreeFault::Kind::leaf && c.fault.leaf == name(output / ports_)) up = !c.dead;
  }
  return up;
}

// ---- decisions

Route TreePolicy::route_leaf(Flit& flit, const Place& at) {
  const int node = static_cast<int>(flit.dest), dest = node / tree_.p();
  const int leaf = name(at.router);
  if (dest == leaf) return {static_cast<uint8_t>(node % tree_.p()), 0};
  const bool from_node = at.port < tree_.p();
  const int from = from_node ? kFromNode : tree_.leaf_port(at.port).dimension;
  const TreeStep s =
      decide_leaf(known(at.router), seen(), {leaf, dest, from, from_node ? 0 : at.vc, tree_.rail(node)}, last_vc_);
  if (s.dimension < 0) return drop(s.reason);
  flit.state = s.around;
  return {static_cast<uint8_t>(tree_.uplink(s.dimension, s.rail)), static_cast<uint8_t>(s.vc)};
}

/// Ports behind which less than half of a virtual channel waits.
LineMap TreePolicy::quiet(const LineMap& ports, const Place& at) const {
  LineMap out;
  ports.for_each([&](int port) {
    if (waiting_[static_cast<size_t>(at.router * ports_ + port)] < half_) out.set(port);
  });
  return out;
}

Route TreePolicy::route_root(Flit& flit, const Place& at) {
  const auto number = static_cast<size_t>(at.router - leaves_);
  const FatTree::Root& root = roots_[number];
  uint16_t& state = lfsr_[number * static_cast<size_t>(ports_) + static_cast<size_t>(at.port)];
  const uint16_t lfsr = state;
  state = lfsr_next(state);
  const TreeRootAsk q{root, static_cast<int>(flit.dest) / tree_.p(), at.port, at.vc, flit.state != 0};
  const RootChoice choice = choose_tree_root(tree_, known(at.router).mask(root.dimension),
                                             seen().down(root.dimension, root.line, root.rail), q, last_vc_);
  if (dropped(choice.kind))
    return drop(choice.kind == RootKind::dead           ? DropReason::dead
                : choice.kind == RootKind::no_turn_left ? DropReason::virtual_channel
                                                        : DropReason::no_port);
  LineMap ports = choice.ports;
  if (avoids_ && choice.kind == RootKind::misroute) {
    const LineMap free = quiet(ports, at);
    if (free.any()) ports = free;
  }
  return {static_cast<uint8_t>(pick(ports, lfsr)), static_cast<uint8_t>(at.vc)};
}

// ---- what is seen from outside

bool TreePolicy::order_kept(const Channel& in, const Channel& out) const {
  if (in.port_class == 0 || out.port_class == 0) return true;
  const FatTreeTopology::Switch s = topology_.at(in.router);
  const auto rank = [&](const Channel& c, bool down) {
    const int dimension = s.leaf ? tree_.leaf_port(c.port).dimension : s.dimension;
    return 2 * (c.vc * tree_.dimensions() + dimension) + down;
  };
  return s.leaf ? rank(in, true) < rank(out, false) : rank(in, false) < rank(out, true);
}

std::string TreePolicy::describe_wait(int router, int port, int vc, uint32_t dest, int out_port) const {
  const auto channel = [&](int p) {
    if (router >= leaves_) {
      const FatTree::Root& root = roots_[static_cast<size_t>(router - leaves_)];
      return dimension_name(root.dimension) + " link of leaf " +
             leaf_name(tree_, tree_.leaf_of_line(root.dimension, root.line, p));
    }
    const FatTree::LeafPort at = tree_.leaf_port(p);
    return at.node >= 0 ? "node port " + std::to_string(p)
                        : dimension_name(at.dimension) + " link of leaf " + leaf_name(tree_, name(router));
  };
  return "a packet to " + leaf_name(tree_, static_cast<int>(dest) / tree_.p()) + " in VC " + std::to_string(vc) +
         " of the " + channel(port) + " waits for the " + channel(out_port);
}

/// A switch that the manager cannot reach any more keeps what it knows.
bool TreePolicy::tables_ok() const {
  for (int r = 0; r < routers_; ++r)
    if (alive(r) && told_[static_cast<size_t>(name(r))] && version_[static_cast<size_t>(r)] != last_told_) return false;
  return true;
}

FaultResult TreePolicy::fault_result(uint32_t now) const {
  FaultResult out;
  out.detected = TableTimes::seen(now, first_detected_);
  times_.tell(now, out);
  out.quiet = context_.config.fat_tree.reconfigure != Reconfigure::never && times_.over(now);
  out.restored = seen_.back() == TreeFaults(tree_);
  return out;
}

std::unique_ptr<Simulation> make_tree_engine(const Config& config) {
  return make_engine<TreePolicy, FatTreeTopology, PacketLengths::any>(config);
}

}  // namespace odonata::network
