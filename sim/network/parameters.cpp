// SPDX-License-Identifier: Apache-2.0
#include "sim/network/parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "models/arb_request/explain.h"
#include "models/common/error.h"
#include "models/common/frame.h"
#include "models/common/split.h"
#include "models/congestion/credit_monitor.h"
#include "models/workload/program.h"
#include "sim/network/closed_loop.h"
#include "sim/network/routing.h"
#include "sim/network/topology.h"

namespace odonata::network {

namespace {

using Group = ParameterGroup;

constexpr double kMostCycles = 1e9;

/// The links of a class, or null. `in_packets`: how the buffers of the class are counted.
LinkClass* find_link(Setup& s, std::string_view name) {
  for (LinkClass& l : s.config->links) {
    if (l.name == name) return &l;
  }
  return nullptr;
}
int* buffer_of(Setup& s, std::string_view name) {
  LinkClass* l = find_link(s, name);
  return l != nullptr && l->in_packets ? &l->buffer : nullptr;
}
int* latency_of(Setup& s, std::string_view name) {
  LinkClass* l = find_link(s, name);
  return l != nullptr ? &l->latency : nullptr;
}
/// All buffers that are counted in flits have one depth.
int* depth_of(Setup& s) {
  for (LinkClass& l : s.config->links) {
    if (!l.in_packets) return &l.buffer;
  }
  return nullptr;
}

#define ODONATA_AT(EXPRESSION) [](Setup& s) { return &(EXPRESSION); }
#define ODONATA_WORD(MEMBER, ...)                                               \
  Word {                                                                        \
    {__VA_ARGS__}, [](const Config& c) { return static_cast<int>(c.MEMBER); },  \
        [](Config& c, int v) { c.MEMBER = static_cast<decltype(c.MEMBER)>(v); } \
  }

std::vector<Parameter> make_table() {
  std::vector<Parameter> t;
  const auto add = [&t](Group group, std::string name, Member member, double low, double high, std::string unit,
                        std::string text, bool zero_is_default = false, bool of_state = true) {
    t.push_back({std::move(name), group, std::move(member), low, high, std::move(unit), std::move(text),
                 zero_is_default, of_state});
  };
  using U = uint64_t* (*)(Setup&);
  using I = int* (*)(Setup&);
  using D = double* (*)(Setup&);
  using B = bool* (*)(Setup&);
  using S = std::string* (*)(Setup&);
  using L = std::vector<std::string>* (*)(Setup&);
  using N = std::vector<int>* (*)(Setup&);

  add(Group::network, "size", S(ODONATA_AT(s.size)), 0, 0, "tiny|paper|full",
      "dragonfly: tiny (2,4,2,8), paper (6,12,6,73) or full (16,32,16,512)");
  add(Group::network, "dragonfly", S(ODONATA_AT(s.dragonfly)), 0, 0, "P,A,H,G",
      "nodes a router, routers a group, global ports a router, groups");
  add(Group::network, "arrangement", S(ODONATA_AT(s.arrangement)), 0, 0, "direct|absolute",
      "global cabling; default: absolute when g = a*h+1, else direct");
  add(Group::network, "topology", S(ODONATA_AT(s.topology)), 0, 0, "KIND:SIZE|FILE",
      "any network by its kind, or one of the user (docs/graph.md)");
  add(Group::network, "mesh", S(ODONATA_AT(s.mesh)), 0, 0, "KxK..", "the same as topology mesh:KxK..");
  add(Group::network, "torus", S(ODONATA_AT(s.torus)), 0, 0, "KXxKY", "the same as topology torus:KXxKY");
  add(Group::network, "fat-tree", S(ODONATA_AT(s.fat_tree)), 0, 0, "N,M,P,U", "the same as topology fat_tree:NxMxPxU");

  add(Group::traffic, "traffic", S(ODONATA_AT(s.config->traffic)), 0, 0, "NAME",
      "a pattern of the network (docs/network.md, docs/mesh.md), or trace:FILE");
  add(Group::traffic, "load", D(ODONATA_AT(s.config->load)), 0, 1, "flits a node and cycle", "offered load");
  add(Group::traffic, "packet", N(ODONATA_AT(s.config->router.lengths)), 1, 64, "flits", "length of a packet");
  add(Group::traffic, "packet-mix", N(ODONATA_AT(s.config->router.lengths)), 1, 64, "flits, flits, ..",
      "lengths of packets, each equally likely, in the place of packet");
  add(Group::traffic, "seed", U(ODONATA_AT(s.config->seed)), 0, 0, "",
      "seed of every random draw; the same seed gives the same result");

  add(Group::programs, "workload", S(ODONATA_AT(s.config->programs.workload)), 0, 0, "MOTIF:..|FILE",
      "programs (docs/workloads.md), ';' between several: a motif as lu:px=4,py=4, or a file; --traffic and --load are "
      "then of the other nodes, --cycles bounds the run");
  add(Group::programs, "mapping", S(ODONATA_AT(s.config->programs.mapping)), 0, 0, "NAME",
      "ranks to nodes: linear, random, group (a router's ranks side by side, groups in turn) or file:FILE (a node's "
      "number a line)");
  add(Group::programs, "eager-limit", U(ODONATA_AT(s.config->programs.eager_limit)), 0, 0, "bytes",
      "larger messages go by rendezvous");
  add(Group::programs, "flit-bytes", I(ODONATA_AT(s.config->programs.flit_bytes)), 1, 65'536, "bytes",
      "of a message, in a flit");
  add(Group::programs, "nic-rate", D(ODONATA_AT(s.config->programs.nic_rate)), 0.0001, 1, "flits a cycle",
      "of data that a network interface sends at most");
  add(Group::programs, "resend", U(ODONATA_AT(s.config->programs.resend)), 0, 1'000'000'000, "cycles",
      "every message is acknowledged; what is not, so long after its last packet has entered, is sent again, with "
      "twice the time; 0: never");
  add(Group::programs, "resend-tries", I(ODONATA_AT(s.config->programs.resend_tries)), 1, 64, "",
      "how often it is sent at most; then the run ends");
  add(Group::programs, "clock", D(ODONATA_AT(s.config->programs.clock)), 0.001, 1000, "GHz",
      "cycles of a calculation's ns");
  add(Group::programs, "jitter", U(ODONATA_AT(s.config->programs.jitter)), 0, 1e9, "ns",
      "every iteration of every rank starts so much later at most");
  add(Group::programs, "straggler", S(ODONATA_AT(s.config->programs.straggler)), 0, 0, "RANK:NS,..",
      "these ranks start every iteration so much later");

  add(Group::router, "routing", S(ODONATA_AT(s.config->routing)), 0, 0, "NAME", "routing algorithm");
  add(Group::router, "route-compute", ODONATA_WORD(route_compute, "ideal", "pipeline", "arrival"), 0, 0, "",
      "routes at once; or with the cycles of the hardware pipeline (doar), asked at the head of a VC or at arrival");
  add(Group::router, "allow-cycles", B(ODONATA_AT(s.config->allow_cycles)), 0, 0, "",
      "also run tables of a topology FILE whose channels can wait for each other in a circle");
  add(Group::router, "bias", I(ODONATA_AT(s.config->bias)), -100'000, 100'000, "packets times links",
      "T of ugal and par: how much more a minimal path may cost; default: that of the routing");
  add(Group::router, "vcs", I(ODONATA_AT(s.config->router.vcs)), 0, 16, "",
      "virtual channels of a link; 0: as many as the routing needs, on a mesh 3", true);
  add(Group::router, "phases", I(ODONATA_AT(s.config->router.phases)), 0, 4, "",
      "switch phases a cycle (speedup); 0: as the network has it", true);
  add(Group::router, "fifo", I(ODONATA_AT(s.config->router.output_fifo)), 0, 1e6, "flits",
      "an output FIFO; 0: bounded by the credits only");
  add(Group::router, "turn-cycles", I(ODONATA_AT(s.config->router.turn_cycles)), 0, 256, "cycles",
      "every virtual channel has the first choice in its turn for so long; 0: no turns (dragonfly)");
  add(Group::router, "switching", ODONATA_WORD(router.switching, "cut-through", "wormhole"), 0, 0, "",
      "when a packet's head may move");

  add(Group::links, "depth", I([](Setup& s) { return depth_of(s); }), 1, 32'768, "flits",
      "a virtual channel's buffer, where buffers are not in packets");
  add(Group::links, "node-buffer", I([](Setup& s) { return buffer_of(s, "node"); }), 1, 32'768, "packets",
      "a VC of a node port");
  add(Group::links, "local-buffer", I([](Setup& s) { return buffer_of(s, "local"); }), 1, 32'768, "packets",
      "a VC of a local port");
  add(Group::links, "global-buffer", I([](Setup& s) { return buffer_of(s, "global"); }), 1, 32'768, "packets",
      "a VC of a global port");
  add(Group::links, "local-latency", I([](Setup& s) { return latency_of(s, "local"); }), 0, 255, "cycles",
      "a local link; 0: as the network has it", true);
  add(Group::links, "global-latency", I([](Setup& s) { return latency_of(s, "global"); }), 1, 1023, "cycles",
      "a global link");

  add(Group::congestion_plane, "interval", I(ODONATA_AT(s.config->plane.interval)), 1, 255, "cycles",
      "between two broadcasts of congestion bits");
  add(Group::congestion_plane, "pcs", I(ODONATA_AT(s.config->plane.pcs)), 1, 255, "cycles",
      "latency of the physical coding sublayer");
  add(Group::congestion_plane, "local-threshold", I(ODONATA_AT(s.config->plane.local_threshold)), 0, 32'000, "packets",
      "above which a local port is congested");
  add(Group::congestion_plane, "global-threshold", I(ODONATA_AT(s.config->plane.global_threshold)), 0, 32'000,
      "packets", "above which a global port is congested");
  add(Group::congestion_plane, "local-busy", I(ODONATA_AT(s.config->plane.local_busy_threshold)), 0, 32'000, "packets",
      "doar_stable: above which a local port takes no detour");
  add(Group::congestion_plane, "global-busy", I(ODONATA_AT(s.config->plane.global_busy_threshold)), 0, 32'000,
      "packets", "doar_stable: above which a global port takes no detour");
  add(Group::congestion_plane, "local-window", I(ODONATA_AT(s.config->plane.local_window)), 0, congestion::kMaxWindow,
      "cycles", "history window of local ports; 0: there and back on the link, at most 512", true);
  add(Group::congestion_plane, "global-window", I(ODONATA_AT(s.config->plane.global_window)), 0, congestion::kMaxWindow,
      "cycles", "history window of global ports; 0: there and back on the link, at most 512", true);
  add(Group::congestion_plane, "no-local-window", ODONATA_WORD(plane.local_window_enable, "true", "false"), 0, 0, "",
      "do not take the history window off at local ports");
  add(Group::congestion_plane, "no-global-window", ODONATA_WORD(plane.global_window_enable, "true", "false"), 0, 0, "",
      "do not take the history window off at global ports");

  add(Group::faults, "fail", L(ODONATA_AT(s.fail)), 0, 0, "FAULT",
      "global:Gx-Gy, local:Gx.sa-sb, router:Gx.sa, node:Gx.sa.nk; fat-tree leaf:X,Y; torus node:X,Y, link:X,Y,x+; "
      "random-KIND:N (links, routers, leaves, nodes); @CYCLE may follow",
      false, false);
  add(Group::faults, "fail-at", U(ODONATA_AT(s.fail_at)), 0, kMostCycles, "cycle",
      "of the faults that name none; 0: the first of the sample, on a torus from the start", true, false);
  add(Group::faults, "repair", L(ODONATA_AT(s.repair)), 0, 0, "FAULT", "as fail, or all", false, false);
  add(Group::faults, "repair-at", U(ODONATA_AT(s.repair_at)), 0, kMostCycles, "cycle", "of the repairs that name none",
      true, false);
  add(Group::faults, "mode", ODONATA_WORD(faults.mode, "paper", "safe"), 0, 0, "",
      "reading of Algorithm 2; fat-tree: as printed, or with the rules that keep it free of deadlock");
  add(Group::fault_planes, "recovery", ODONATA_WORD(faults.recovery, "per_entry", "port_level"), 0, 0, "",
      "reading of Algorithm 3");
  add(Group::fault_planes, "hardware", S(ODONATA_AT(s.config->faults.hardware)), 0, 0, "WORD",
      "the routers' fault planes: full (64 stations, 560 rows), native (as the dragonfly has) or STATIONS,ROWS");
  add(Group::fault_planes, "poll-width", I(ODONATA_AT(s.config->faults.poll_width)), 1, 64, "",
      "input queues looked at in a cycle");
  add(Group::fault_planes, "ring-hop", I(ODONATA_AT(s.config->faults.ring_hop)), 0, 64, "cycles",
      "from one port to the next on the command ring");
  add(Group::fault_planes, "banks", I(ODONATA_AT(s.config->faults.banks)), 1, 8, "",
      "entries a step of a travel: 1, 2, 4 or 8 (beyond the paper)");
  add(Group::fault_planes, "pipelined", B(ODONATA_AT(s.config->faults.pipelined)), 0, 0, "",
      "the scheduler fetches the next command while the units work (beyond the paper)");
  add(Group::faults, "live-traffic", B(ODONATA_AT(s.config->faults.live_traffic)), 0, 0, "",
      "no packet is created for a node whose link or router is dead (torus: or marked) in that cycle; else it travels "
      "and is lost");

  add(Group::fault_regions, "rule", ODONATA_WORD(faults.rule, "any", "dim"), 0, 0, "",
      "torus: a healthy node is disabled with two blocked ports, or with one in each dimension");

  add(Group::fat_tree, "reconfigure", ODONATA_WORD(fat_tree.reconfigure, "manager", "broadcast", "at-once", "never"), 0,
      0, "",
      "how tables come to know of a fault: in the manager's cycles, switch by switch without one, in its very cycle, "
      "not at all");
  add(Group::fat_tree, "pick", ODONATA_WORD(fat_tree.pick, "by-mode", "exclude", "bounce"), 0, 0, "",
      "may a misroute go back to where it came from; by-mode: paper bounce, safe exclude");
  add(Group::fat_tree, "turn-leaf", ODONATA_WORD(fat_tree.common_turn_leaf, "next", "common"), 0, 0, "",
      "ft_a: where a detour turns, at the next column and row of its fault or at one leaf for all");
  add(Group::fat_tree, "detect", I(ODONATA_AT(s.config->fat_tree.detect)), 0, 255, "ns", "a root's detector");
  add(Group::fat_tree, "service", I(ODONATA_AT(s.config->fat_tree.service)), 0, 1e6, "ns",
      "the manager's work on a fault");
  add(Group::fat_tree, "ns-per-cycle", D(ODONATA_AT(s.config->fat_tree.ns_per_cycle)), 0.001, 1000, "ns",
      "of latencies in ns");
  add(Group::fat_tree, "fixed-ns", D(ODONATA_AT(s.config->fat_tree.fixed_ns)), 0, 1e6, "ns",
      "what a latency in ns has beside its cycles");

  add(Group::tables, "neighbours", ODONATA_WORD(tables.neighbours, "spread", "lowest"), 0, 0, "",
      "which neighbours table B lists when there are more than eight");
  add(Group::tables, "minimal-router", ODONATA_WORD(tables.minimal_router, "examples", "printed"), 0, 0, "",
      "printed: the router attached to the target group has no detours for it; examples: it has (DOAR Fig. 9)");

  add(Group::requests, "vc-reuse", ODONATA_WORD(requests.reuse, "own", "empty", "tail"), 0, 0, "",
      "a virtual channel takes the next packet when it is empty, or once the tail is in it; own: dbra and d2ra empty, "
      "others tail");
  add(Group::requests, "escape", ODONATA_WORD(requests.equal_escape, "last", "equal"), 0, 0, "",
      "duato, dyxy, footprint: the escape channel is a last resort, or drawn like any other channel");
  add(Group::requests, "selection", ODONATA_WORD(requests.selection, "round-robin", "random", "most-credits"), 0, 0, "",
      "among outputs that the algorithm treats alike");

  add(Group::run, "warmup", U(ODONATA_AT(s.config->warmup)), 0, kMostCycles, "cycles", "before the sample");
  add(Group::run, "cycles", U(ODONATA_AT(s.config->sample)), 1, kMostCycles, "cycles", "of the sample");
  add(Group::run, "drain", U(ODONATA_AT(s.config->drain)), 0, 1e8, "cycles",
      "at most so many more for the packets of the sample");
  add(Group::run, "watchdog", U(ODONATA_AT(s.config->watchdog)), 0, 0, "cycles",
      "stop when nothing has moved for so many, or no packet has arrived for this and as long as the longest way "
      "takes at most; 0: never");
  add(Group::run, "timeline", U(ODONATA_AT(s.config->interval)), 0, 0, "cycles",
      "throughput and latency of every so many into the JSON file; 0: none");
  add(Group::run, "balance", U(ODONATA_AT(s.config->balance)), 0, 0, "windows",
      "after so many the ranks share out the domains anew, by what they have cost; 0: never", false, false);
  add(Group::run, "threads", I(ODONATA_AT(s.config->threads)), 1, 1024, "", "the result does not depend on them", false,
      false);
  return t;
}

#undef ODONATA_WORD
#undef ODONATA_AT

[[noreturn]] void refuse(const Parameter& p, const std::string& text, const std::string& why) {
  throw Error(fmt::format("--{}: '{}' {}", p.name, text, why));
}

template <class T>
T number(const Parameter& p, const std::string& text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, value);
  const bool any = p.low == 0 && p.high == 0;
  const bool good = error == std::errc{} && next == end &&
                    (any || (static_cast<double>(value) >= p.low && static_cast<double>(value) <= p.high));
  if (!good) refuse(p, text, "is not a number " + p.range());
  return value;
}

/// Names of faults with ';' or ',' between; "node:3,5" is one of them: a name is "all", or has a colon.
std::vector<std::string> fault_names(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string_view list : split(text, ';')) {
    bool first = true;
    for (const std::string_view part : split(list, ',')) {
      if (first || part.find(':') != std::string::npos || part.starts_with("all")) {
        out.emplace_back(part);
      } else {
        out.back().append(",").append(part);
      }
      first = false;
    }
  }
  return out;
}

int word(const Parameter& p, const Word& w, const std::string& text) {
  const auto found = std::find(w.choices.begin(), w.choices.end(), text);
  if (found == w.choices.end()) refuse(p, text, fmt::format("is unknown, expected {}", fmt::join(w.choices, ", ")));
  return static_cast<int>(found - w.choices.begin());
}

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

/// The numbers of a list; `packet` is one of them.
std::vector<int> numbers(const Parameter& p, const std::string& text) {
  if (p.name == "packet") return {number<int>(p, text)};
  std::vector<int> out;
  for (const std::string_view one : split(text, ',')) out.push_back(number<int>(p, std::string(one)));
  return out;
}

/// Whether the network has what the group is about.
bool has(const Config& c, Group group) {
  switch (group) {
    case Group::congestion_plane:
    case Group::faults:
    case Group::fault_planes:
    case Group::fault_regions:
    case Group::fat_tree:
    case Group::tables:
    case Group::requests:
      return c.topology->has(group);
    default:
      return true;
  }
}

void set(const Parameter& p, Setup& s, const std::string& text) {
  check_value(p, text);
  const auto lacks = [&] {
    throw Error(fmt::format("--{}: {} has no such parameter", p.name, s.config->topology->name()));
  };
  if (p.group != Group::network && !has(*s.config, p.group)) lacks();
  const auto at = [&](auto member) {
    auto* value = member(s);
    if (value == nullptr) lacks();
    return value;
  };
  if (p.zero_is_default && text == "0") return;
  std::visit(Overloaded{
                 [&](uint64_t* (*m)(Setup&)) { *at(m) = number<uint64_t>(p, text); },
                 [&](int* (*m)(Setup&)) { *at(m) = number<int>(p, text); },
                 [&](double* (*m)(Setup&)) { *at(m) = number<double>(p, text); },
                 [&](bool* (*m)(Setup&)) { *at(m) = text == "true"; },
                 [&](std::string* (*m)(Setup&)) { *at(m) = text; },
                 [&](std::vector<std::string>* (*m)(Setup&)) { *at(m) = fault_names(text); },
                 [&](std::vector<int>* (*m)(Setup&)) { *at(m) = numbers(p, text); },
                 [&](const Word& w) { w.set(*s.config, word(p, w, text)); },
             },
             p.member);
}

std::shared_ptr<const Topology> make_network(const Setup& s, const Settings& settings, const MakeTopology& make) {
  const std::pair<const char*, std::string> kinds[] = {
      {"--topology", s.topology},
      {"--mesh", s.mesh.empty() ? "" : "mesh:" + s.mesh},
      {"--torus", s.torus.empty() ? "" : "torus:" + s.torus},
      {"--fat-tree", s.fat_tree.empty() ? "" : "fat_tree:" + s.fat_tree}};
  std::string option, kind;
  for (const auto& [name, text] : kinds) {
    if (text.empty()) continue;
    if (!kind.empty()) throw Error(fmt::format("{} and {}: expected one of them", option, name));
    option = name;
    kind = text;
  }
  if (settings.count("size") != 0 && settings.count("dragonfly") != 0)
    throw Error("--size and --dragonfly: expected one of them");
  const bool named = !kind.empty();
  const std::string cabling = s.arrangement.empty() ? "" : "/" + s.arrangement;
  auto made = make(named ? kind : "dragonfly:" + (s.dragonfly.empty() ? s.size : s.dragonfly) + cabling);
  for (const char* name : {"size", "dragonfly", "arrangement"}) {
    if (named && settings.count(name) != 0)
      throw Error(fmt::format("--{}: {} has no such parameter", name, made->name()));
  }
  return made;
}

/// Adds "name" or "name@cycle"; "all" stands for everything that fails. Cycles: those of the names, else `cycle`, which
/// 0 leaves out: such a fault stands from the start, where the topology has that.
void add_faults(Config& c, const std::vector<std::string>& names, bool repair, uint64_t cycle, Random& random) {
  const std::vector<TimedFault> before = c.faults.events;
  std::vector<fault::Fault> taken;
  const Parameter& at_cycle = *find_parameter(repair ? "repair-at" : "fail-at");
  for (const std::string& text : names) {
    const std::string option = (repair ? "--repair " : "--fail ") + text;
    const size_t at = text.find('@');
    const std::string name = text.substr(0, at);
    uint64_t when = cycle;
    if (at != std::string::npos) {
      Parameter of_name = at_cycle;
      of_name.name = option.substr(2);
      when = number<uint64_t>(of_name, text.substr(at + 1));
    }
    const bool stands = when == 0 && !repair && c.topology->faults_stand();
    if (when == 0 && !stands)
      throw Error(option + (repair && at == std::string::npos
                                ? ": no cycle, expected --repair-at or NAME@CYCLE"
                                : ": in cycle 0, expected cycle 1 or later" +
                                      std::string(repair ? "" : " (--fail-at or NAME@CYCLE)")));
    if (repair && name == "all") {
      if (before.empty())
        throw Error(option + (c.faults.standing.empty()
                                  ? ": nothing fails"
                                  : ": what has failed from the start stays, expected NAME@CYCLE"));
      for (const TimedFault& f : before) c.faults.events.push_back({f.fault, true, when});
      continue;
    }
    if (repair && name.starts_with("random-"))
      throw Error(option + ": what failed is repaired, expected all or names given to --fail");
    for (const fault::Fault& f : c.topology->parse_faults(name, random, taken)) {
      if (stands) {
        c.faults.standing.push_back(f);
      } else {
        c.faults.events.push_back({f, repair, when});
      }
      taken.push_back(f);
    }
  }
}

/// What fails from the start, and what fails or is repaired at run time, by name.
std::string fault_words(const Config& c, bool repair) {
  std::vector<std::string> out;
  for (const fault::Fault& f : c.faults.standing)
    if (!repair) out.push_back(c.topology->fault_name(f));
  for (const TimedFault& f : c.faults.events)
    if (f.repair == repair) out.push_back(fmt::format("{}@{}", c.topology->fault_name(f.fault), f.cycle));
  return fmt::format("{}", fmt::join(out, " "));
}

std::string trace_words(const traffic::PacketTrace& trace) {
  const std::string bytes = traffic::encode(trace);  // the CRC at their end would make that of all of them a constant
  return fmt::format("{} packets, CRC {:08x}", trace.packets.size(),
                     crc32(std::string_view(bytes).substr(0, bytes.size() - sizeof(uint32_t))));
}

}  // namespace

const char* title_of(Group group) {
  constexpr const char* kTitles[kParameterGroups] = {
      "Network",       "Traffic",  "Programs", "Router",   "Links", "Congestion plane", "Faults", "Fault planes",
      "Fault regions", "Fat-tree", "Tables",   "Requests", "Run"};
  return kTitles[static_cast<int>(group)];
}

bool Parameter::is_flag() const {
  const Word* w = std::get_if<Word>(&member);
  return std::holds_alternative<bool* (*)(Setup&)>(member) || (w != nullptr && w->choices[0] == "true");
}

bool Parameter::is_number() const {
  return std::holds_alternative<uint64_t* (*)(Setup&)>(member) || std::holds_alternative<int* (*)(Setup&)>(member);
}

std::string Parameter::range() const {
  if (const Word* w = std::get_if<Word>(&member)) return fmt::format("{}", fmt::join(w->choices, "|"));
  if (is_flag()) return "true|false";
  const bool numbers = std::holds_alternative<std::vector<int>* (*)(Setup&)>(member);
  if (!is_number() && !is_fraction() && !numbers) return unit;
  return low == 0 && high == 0 ? "0 or more" : fmt::format("{}..{}", low, high);
}

const std::vector<Parameter>& parameters() {
  static const std::vector<Parameter> table = make_table();
  return table;
}

const Parameter* find_parameter(std::string_view name) {
  const auto& all = parameters();
  const auto found = std::find_if(all.begin(), all.end(), [name](const Parameter& p) { return p.name == name; });
  return found == all.end() ? nullptr : &*found;
}

void check_value(const Parameter& p, const std::string& text) {
  std::visit(Overloaded{
                 [&](uint64_t* (*)(Setup&)) { number<uint64_t>(p, text); },
                 [&](int* (*)(Setup&)) { number<int>(p, text); },
                 [&](double* (*)(Setup&)) { number<double>(p, text); },
                 [&](bool* (*)(Setup&)) {
                   if (text != "true" && text != "false") refuse(p, text, "is unknown, expected true, false");
                 },
                 [&](std::string* (*)(Setup&)) {
                   const std::vector<std::string_view> choices = split(p.unit, '|');
                   if (choices.size() > 1 && p.unit.find(':') == std::string::npos)
                     word(p, {{choices.begin(), choices.end()}, nullptr, nullptr}, text);
                 },
                 [](std::vector<std::string>* (*)(Setup&)) {},
                 [&](std::vector<int>* (*)(Setup&)) { numbers(p, text); },
                 [&](const Word& w) { word(p, w, text); },
             },
             p.member);
}

std::optional<std::string> value_of(const Parameter& p, const Setup& setup) {
  if (p.group != Group::network && !has(*setup.config, p.group)) return std::nullopt;
  auto& s = const_cast<Setup&>(setup);  // members give a pointer for both directions
  const auto text = [&](auto member) -> std::optional<std::string> {
    const auto* value = member(s);
    if (value == nullptr) return std::nullopt;
    return fmt::format("{}", *value);
  };
  return std::visit(
      Overloaded{
          [&](const Word& w) -> std::optional<std::string> { return w.choices[static_cast<size_t>(w.get(*s.config))]; },
          [&](std::vector<std::string>* (*m)(Setup&)) -> std::optional<std::string> {
            return fmt::format("{}", fmt::join(*m(s), ","));
          },
          [&](std::vector<int>* (*m)(Setup&)) -> std::optional<std::string> {
            return fmt::format("{}", fmt::join(*m(s), ","));
          },
          [&](auto member) -> std::optional<std::string> { return text(member); },
      },
      p.member);
}

Setup make_setup(const Settings& settings, const MakeTopology& make) {
  for (const auto& [name, text] : settings) {
    if (find_parameter(name) == nullptr) throw Error(fmt::format("--{}: there is no such parameter", name));
  }
  Setup s;
  const auto apply = [&](bool network) {
    for (const Parameter& p : parameters()) {
      const auto given = settings.find(p.name);
      if (given != settings.end() && (p.group == Group::network) == network) set(p, s, given->second);
    }
  };
  apply(true);
  s.config.emplace(make_network(s, settings, make));
  s.config->load = 0.4;
  apply(false);
  return s;
}

Config finish(Setup s, const Settings& settings) {
  Config& c = *s.config;
  const auto given = [&settings](const char* name) {
    const auto found = settings.find(name);
    return found != settings.end() && found->second != "0";
  };
  for (LinkClass& l : c.links) {
    if (!l.in_packets && settings.count("depth") != 0) l.buffer = *depth_of(s);
    const int there_and_back = std::min(2 * l.latency, congestion::kMaxWindow);
    if (l.name == "local" && !given("local-window")) c.plane.local_window = there_and_back;
    if (l.name == "global" && !given("global-window")) c.plane.global_window = there_and_back;
  }
  Random random(c.seed);
  add_faults(c, s.fail, false, s.fail_at != 0 || c.topology->faults_stand() ? s.fail_at : c.warmup, random);
  add_faults(c, s.repair, true, s.repair_at, random);
  if (const Routing* routing = named_routing(c); routing != nullptr && settings.count("bias") == 0)
    c.bias = routing->bias.value_or(0);
  return std::move(c);
}

namespace {

bool has_cycle(const std::string& fault) { return fault.find('@') != std::string::npos; }

/// Whether a parameter says how faults are met.
bool is_of_faults(const Parameter& p) {
  const bool of_tree = p.group == Group::fat_tree && !p.name.starts_with("ns-") && p.name != "fixed-ns";
  return of_tree || p.group == Group::fault_planes || p.group == Group::fault_regions || p.name == "live-traffic" ||
         p.name == "mode";
}

bool is_of_trace(const Parameter& p) {
  return p.name == "load" || p.name.starts_with("packet") || p.name == "warmup" || p.name == "cycles";
}

std::string no_bias(const Config& c) {
  const auto biased = routing_names(c.topology->kind(), [](const Routing& r) { return r.bias.has_value(); });
  return fmt::format("{} weighs no paths, {}", c.routing,
                     biased.empty() ? fmt::format("and no routing of a {} does", c.topology->kind())
                                    : fmt::format("expected one of {}", fmt::join(biased, ", ")));
}

/// Why a run makes no use of a parameter that its network has; empty: it does.
std::string why_unused(const Config& c, const Parameter& p, bool fails) {
  const Reconfigure tables = c.fat_tree.reconfigure;
  const Routing* routing = named_routing(c);
  if (p.group == Group::programs && p.name != "workload" && c.programs.workload.empty())
    return "of programs, expected --workload";
  if (p.name == "allow-cycles" && c.topology->kind() != "graph") return "of the tables of a graph, expected --topology";
  if (p.name == "resend-tries" && c.programs.resend == 0) return "nothing is sent again, expected --resend";
  if (p.name == "bias" && routing != nullptr && !routing->bias) return no_bias(c);
  if (c.trace && is_of_trace(p)) return "traffic from a trace has its own packets and cycles";
  if (routing != nullptr && routing->ignores != nullptr && routing->ignores(p))
    return fmt::format("routing {} does not look at it", c.routing);
  if (!fails && is_of_faults(p)) return "nothing fails, expected --fail";
  if (p.name == "service" && (tables == Reconfigure::at_once || tables == Reconfigure::never))
    return "no manager is asked with --reconfigure at-once or never";
  if (p.name == "detect" && tables == Reconfigure::at_once) return "nobody waits for it with --reconfigure at-once";
  if (c.workload && p.name == "drain") return "--cycles bounds a run of programs";
  if (c.workload && p.name == "traffic" && c.load == 0) return "all traffic is of programs, expected --load";
  if (c.workload && p.name == "packet-mix" && c.load == 0)
    return "packets of programs have the longest length, expected --packet";
  if ((p.name == "local-window" && !c.plane.local_window_enable) ||
      (p.name == "global-window" && !c.plane.global_window_enable))
    return "--no-" + p.name + " takes no history off";
  if (c.workload && p.name == "load" && c.load != 0 && !c.has_open_traffic())
    return "every node has a rank of the programs, nothing else is sent";
  return "";
}

}  // namespace

void check_unused(const Config& c, const Settings& settings, bool fails) {
  fails |= !c.faults.events.empty() || !c.faults.standing.empty();
  for (const Parameter& p : parameters()) {
    if (settings.count(p.name) == 0) continue;
    if (const std::string why = why_unused(c, p, fails); !why.empty())
      throw Error(fmt::format("--{}: {}", p.name, why));
  }
  for (const std::string option : {"fail", "repair"}) {
    if (settings.count(option + "-at") == 0) continue;
    const std::vector<std::string> names =
        settings.count(option) == 0 ? std::vector<std::string>() : fault_names(settings.at(option));
    if (std::all_of(names.begin(), names.end(), has_cycle))
      throw Error(fmt::format("--{0}-at: {1}, expected --{0} with a name without @CYCLE", option,
                              names.empty() ? "nothing is to " + option : "every name has its cycle"));
  }
}

std::string describe_text(const Config& config) {
  std::string out = "topology=" + config.topology->identity(config) + "\n";
  Setup s;
  s.config = config;
  for (const Parameter& p : parameters()) {
    if (p.group == Group::network || !p.of_state || p.name == "packet") continue;
    const auto value = p.name == "traffic" && config.trace ? "trace, " + trace_words(*config.trace) : value_of(p, s);
    if (value) out += p.name + "=" + *value + "\n";
  }
  if (config.workload) out += fmt::format("workload=programs {:016x}\n", hash_of(*config.workload));
  for (const uint32_t node : config.programs.placed) out += fmt::format("mapping=node {}\n", node);
  out += "fail=" + fault_words(config, false) + "\nrepair=" + fault_words(config, true) + "\n";
  // What a tap watches are tables that faults can change: another state than without, unless there are faults.
  if (!config.taps.empty() && config.faults.events.empty()) out += "device=rtl, or --record\n";
  return out;
}

Difference first_difference(const std::string& left, const std::string& right) {
  const auto programs = [](const std::string& text) {
    constexpr std::string_view kKey = "\nworkload=";
    const size_t at = ("\n" + text).find(kKey);
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at).substr(kKey.size() - 1);
  };
  if (programs(left) != programs(right)) return {"workload", programs(left), programs(right)};
  std::istringstream a(left), b(right);
  for (std::string x, y;;) {
    const bool more_a = static_cast<bool>(std::getline(a, x)), more_b = static_cast<bool>(std::getline(b, y));
    if (!more_a && !more_b) return {};
    if (more_a && more_b && x == y) continue;
    const auto name = [](const std::string& line) { return line.substr(0, line.find('=')); };
    const auto value = [](const std::string& line) {
      return line.find('=') == std::string::npos ? "" : line.substr(line.find('=') + 1);
    };
    if (!more_a) return {name(y), "", value(y)};
    if (!more_b || name(x) != name(y)) return {name(x), value(x), ""};
    return {name(x), value(x), value(y)};
  }
}

std::string parameters_markdown() {
  const Setup defaults = make_setup({});
  std::string out;
  for (int g = 0; g < kParameterGroups; ++g) {
    out += fmt::format("{}**{}**\n\n| option | values | default | unit | meaning |\n| --- | --- | --- | --- | --- |\n",
                       g == 0 ? "" : "\n", title_of(static_cast<Group>(g)));
    for (const Parameter& p : parameters()) {
      if (static_cast<int>(p.group) != g) continue;
      std::string range = p.range();
      for (size_t at = 0; (at = range.find('|', at)) != std::string::npos; at += 2) range.insert(at, "\\");
      const bool number = p.is_number() || p.is_fraction() || p.name.starts_with("packet");
      out += fmt::format("| `--{}` | {} | {} | {} | {} |\n", p.name, p.is_flag() ? "" : range,
                         p.is_flag() ? "" : value_of(p, defaults).value_or(""), number ? p.unit : "", p.text);
    }
  }
  return out;
}

}  // namespace odonata::network
