// SPDX-License-Identifier: Apache-2.0
// `odonata route`: one packet, every decision on its way, and why.
#include <fmt/format.h>

#include <bit>
#include <memory>
#include <regex>

#include "models/common/error.h"
#include "models/route_compute/path.h"
#include "sim/commands.h"
#include "sim/common/options.h"
#include "sim/common/output.h"
#include "sim/common/program.h"
#include "sim/route/link_list.h"
#include "sim/route/why.h"
#include "sim/torus/torus_result.h"
#include "sim/vtftr/vtftr_result.h"

namespace odonata::cli {

using route_compute::Congestion;
using route_compute::DecisionRecord;
using route_compute::GlobalRequests;
using route_compute::Hop;
using route_compute::NetworkTables;
using route_compute::Outcome;
using route_compute::Path;
using route_compute::port_name;

namespace {

struct RouteOptions {
  DragonflyOptions dragonfly;
  std::string from, to, json, policy = "examples";
  std::vector<std::string> congested, failed;
  uint64_t seed = 1;
  bool brief = false;
  FatTreeOptions fat_tree;
};

/// One packet with everything that decided its way.
class RouteRun {
 public:
  explicit RouteRun(const RouteOptions& options)
      : options_(options),
        d_(options.dragonfly.make()),
        from_(parse_address(d_, "--from", options.from)),
        to_(parse_address(d_, "--to", options.to)),
        congested_(parse_ports(d_, "--congested", options.congested, options.seed)),
        failed_(parse_links(d_, "--failed", options.failed, options.seed)),
        maps_(d_),
        network_(d_, policy(options.policy)) {
    for (const RouterPort& at : congested_) maps_.mark(at);
    for (const RouterPort& at : failed_) {
      network_.fail_link(at.router, at.port);
      const Dragonfly::Peer other = d_.peer(at.router, at.port);
      maps_.mark(at);  // a failed port reads as congested
      maps_.mark({other.router, other.port});
    }
    path_ = follow(
        network_, from_, to_, [this](RouterId router) { return maps_.seen_by(router); }, options.seed);
    why_ = why_path(network_, path_, from_, to_);
  }

  bool delivered() const { return path_.outcome == Outcome::delivered; }
  void print() const;
  Json json();

 private:
  static table::ConfigurationPolicy policy(const std::string& name) {
    table::ConfigurationPolicy out;
    if (name == "printed") out.minimal_router = table::MinimalRouterPolicy::printed;
    return out;
  }
  void print_hops() const;
  Json hop_json(const Hop& hop);
  Json winner_json(const Hop& hop) const;
  Json candidates_json(const DecisionRecord& r) const;
  Json report() const;
  std::string output_name(const Hop& hop) const;

  RouteOptions options_;
  Dragonfly d_;
  Address from_, to_;
  std::vector<RouterPort> congested_, failed_;
  CongestionMaps maps_;
  mutable NetworkTables network_;
  Path path_;
  std::vector<std::string> why_;
};

Json address_json(const Address& a) { return {{"gid", a.gid}, {"bid", a.bid}, {"nid", a.nid}}; }
Json router_json(RouterId r) { return {{"gid", r.gid}, {"bid", r.bid}}; }
std::string address_name(const Address& a) { return fmt::format("g{}.r{}.n{}", a.gid, a.bid, a.nid); }

std::string RouteRun::output_name(const Hop& hop) const {
  const int port = hop.record.decision.port;
  return port == kNoPort ? "-" : port_name(d_, hop.router, port);
}

void RouteRun::print_hops() const {
  Table table({"hop", "router", "in", "vc in", "zone", "unit", "class", "out", "vc out"});
  constexpr const char* kZones[] = {"N", "B", "G", "invalid"};
  for (size_t i = 0; i < path_.hops.size(); ++i) {
    const Hop& hop = path_.hops[i];
    const DecisionRecord& r = hop.record;
    table.add({std::to_string(i), router_name(hop.router), port_name(d_, hop.router, hop.in_port),
               std::to_string(hop.vc_in), kZones[static_cast<int>(r.decoded.zone)], r.decoded.rta ? "RTA" : "RTB",
               to_string(r.decision.hop_class), output_name(hop), std::to_string(r.decision.vc)});
  }
  fmt::print("{}\n", table.text());
}

void RouteRun::print() const {
  fmt::print("{}: {} to {}, seed {}, {}, {}\n\n", d_.name(), address_name(from_), address_name(to_), options_.seed,
             counted(congested_.size(), "congested port"), counted(failed_.size(), "failed link"));
  print_hops();
  for (const std::string& sentence : why_) fmt::print("{}\n", sentence);
  if (options_.brief) return;
  for (const Hop& hop : path_.hops) {
    fmt::print("\n{}, {}:\n", router_name(hop.router), port_name(d_, hop.router, hop.in_port));
    for (const std::string& line : in_words(network_.config(hop.router, hop.in_port), hop.record))
      fmt::print("  {}\n", line);
  }
}

Json group_ports_json(const GroupMap& map) {
  Json out = Json::array();
  for (int j = 0; j < 512; ++j) {
    if (map.test(j)) out.push_back(j);
  }
  return out;
}

Json ports_json(PortMap map) {
  Json out = Json::array();
  for (; map != 0; map &= map - 1) out.push_back(std::countr_zero(map));
  return out;
}

/// Class by class: options (valid) and free ones. RTA: group-wide global ports; RTB: physical ports.
Json RouteRun::candidates_json(const DecisionRecord& r) const {
  Json out = Json::object();
  if (!r.decoded.rta) {
    out["LE"] = {{"options", ports_json(r.local_options_a)}, {"free", ports_json(r.local_free.s1)}};
    out["LF"] = {{"options", ports_json(r.local_options_b)}, {"free", ports_json(r.local_free.s2)}};
    return out;
  }
  constexpr GroupMap GlobalRequests::*kClasses[] = {&GlobalRequests::ga, &GlobalRequests::gb, &GlobalRequests::gc,
                                                    &GlobalRequests::gd};
  constexpr const char* kNames[] = {"GA", "GB", "GC", "GD"};
  for (int c = 0; c < 4; ++c) {
    out[kNames[c]] = {{"options", group_ports_json(r.global_options.*kClasses[c])},
                      {"free", group_ports_json(r.global_free.*kClasses[c])}};
  }
  return out;
}

Json RouteRun::winner_json(const Hop& hop) const {
  const route_compute::Decision& won = hop.record.decision;
  if (won.port == kNoPort) return nullptr;
  Json out = {
      {"port", won.port}, {"class", to_string(d_.port_class(won.port))}, {"name", output_name(hop)}, {"vc", won.vc}};
  if (hop.record.decoded.rta) out["router"] = won.router;
  const Dragonfly::Peer peer = d_.peer(hop.router, won.port);
  if (peer.connected) out["to"] = {{"gid", peer.router.gid}, {"bid", peer.router.bid}, {"port", peer.port}};
  return out;
}

Json RouteRun::hop_json(const Hop& hop) {
  constexpr const char* kZones[] = {"N", "B", "G", "invalid"};
  const route_compute::UnitConfig& config = network_.config(hop.router, hop.in_port);
  return {{"router", router_json(hop.router)},
          {"in_port",
           {{"port", hop.in_port},
            {"class", to_string(d_.port_class(hop.in_port))},
            {"name", port_name(d_, hop.router, hop.in_port)}}},
          {"vc_in", hop.vc_in},
          {"zone", kZones[static_cast<int>(hop.record.decoded.zone)]},
          {"unit", hop.record.decoded.rta ? "RTA" : "RTB"},
          {"hop_class", to_string(hop.record.decision.hop_class)},
          {"candidates", candidates_json(hop.record)},
          {"winner", winner_json(hop)},
          {"why", why_hop(config, hop)},
          {"sentences", in_words(config, hop.record)}};
}

Json RouteRun::report() const {
  return Json::array({{{"type", "path"},
                       {"title", fmt::format("Path example: {} to {}", address_name(from_), address_name(to_))},
                       {"text",
                        "One packet through the whole network, decision by decision. Solid: the path taken; dashed: "
                        "the minimal path."}}});
}

Json RouteRun::json() {
  Json out = result_head("route", d_);
  out["from"] = address_json(from_);
  out["to"] = address_json(to_);
  out["seed"] = options_.seed;
  out["policy"] = options_.policy;
  out["congested"] = options_.congested;
  out["failed"] = options_.failed;
  out["congested_ports"] = congested_.size();
  out["failed_links"] = failed_.size();
  out["outcome"] = to_string(path_.outcome);
  out["shape"] = path_.shape(d_);
  out["links"] = path_.links();
  out["minimal"] = is_minimal(d_, path_, from_, to_);
  out["minimal_shape"] = minimal_shape(d_, from_, to_);
  out["minimal_path"] = Json::array();
  for (RouterId r : minimal_routers(d_, from_, to_)) out["minimal_path"].push_back(router_json(r));
  out["why"] = why_;
  out["hops"] = Json::array();
  for (const Hop& hop : path_.hops) out["hops"].push_back(hop_json(hop));
  out["report"] = report();
  return out;
}

void run_route(const RouteOptions& options) {
  const JsonFile file(options.json);
  RouteRun run(options);
  file.write(run.json());
  run.print();
  if (!run.delivered()) finish_with(kFailed);
}

/// 0,01,00 is 0,1,0.
std::string without_zeros(const std::string& address) {
  static const std::regex kZeros("(^|,)0+([0-9])");
  return std::regex_replace(address, kZeros, "$1$2");
}

constexpr const char* kExamples =
    "  odonata route --size tiny --from 0,1,0 --to 5,2,1\n"
    "  odonata route --size full --from 0,1,2 --to 17,30,5 --congested global:G0-G17\n"
    "  odonata route --size full --from 0,1,2 --to 17,30,5 --congested random:0.3 --seed 7 --json out/route.json\n"
    "  odonata route --size tiny --from 0,1,0 --to 5,2,1 --failed local:G0.s1-s2 --congested g0.r1.global\n"
    "  odonata route --torus 10x10 --fail node:4,4 --from 2,4 --to 6,4 --routing torus_safe6\n"
    "  odonata route --config sim/scenarios/route.toml\n"
    "  odonata route --fat-tree 4,4,2,2 --from 0,0,0 --to 2,2,0 --fail leaf:2,0 --fail leaf:0,2 --all-paths\n"
    "Exit code 0: delivered, or (torus) no way round the walls; 1: dropped or lost; 2: bad input.\n\n";

}  // namespace

void add_route_command(CLI::App& app) {
  Command command = add_command(app, "route", "Explain one packet's way: every decision, its candidates, and why",
                                std::string(kExamples) + kLinkListHelp);
  auto options = std::make_shared<RouteOptions>();
  add_dragonfly_options(command, options->dragonfly);
  command
      .add_option("--from", options->from, "source node: group, router, node; torus: X,Y; fat-tree: column, row, node")
      .type_name("G,B,N")
      .required();
  command.add_option("--to", options->to, "destination node").type_name("G,B,N").required();
  command.add_option("--congested", options->congested, "congested output ports").type_name("LIST");
  command.add_option("--failed", options->failed, "failed links; only the two routers at their ends know")
      .type_name("LIST");
  add_choice(
      command, "--policy", options->policy, {"examples", "printed"},
      "table B of the router attached to the target group: as the paper's examples need it, or as its text is printed");
  add_seed(command, options->seed);
  command.add_flag("--brief", options->brief, "leave out the candidate lists");
  command
      .add_option(
          "--fail", options->fat_tree.fail,
          "torus: node:X,Y or link:X,Y,x+; fat-tree: dead leaf switches leaf:X,Y; several options, or ';' between")
      .type_name("FAULT");
  add_fat_tree_route_options(command, options->fat_tree);
  add_json(command, options->json);
  auto torus = std::make_shared<TorusOptions>();
  Option of_torus = add_torus_route_options(command, *torus);
  for (const char* name :
       {"--size", "--dragonfly", "--arrangement", "--congested", "--failed", "--policy", "--brief", "--fat-tree"})
    of_torus.excludes(command.get_option(name));
  command.callback([options, torus] {
    if (without_zeros(options->from) == without_zeros(options->to))
      throw Error(fmt::format("--to: '{}' is the node that --from names, expected another one", options->to));
    if (torus->given()) {
      torus->fail = options->fat_tree.fail;
      return run_torus_route(*torus, options->from, options->to, options->json);
    }
    if (options->fat_tree.given())
      return run_fat_tree_route(options->fat_tree, options->from, options->to, options->seed, options->json);
    if (!options->fat_tree.fail.empty())
      throw Error("--fail: needs --torus or --fat-tree; links of a dragonfly: --failed");
    run_route(*options);
  });
}

}  // namespace odonata::cli
