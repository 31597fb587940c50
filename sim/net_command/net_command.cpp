// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/net_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>
#include <string_view>

#include "models/common/error.h"
#include "models/route_compute/decide.h"
#include "models/vtftr/knowledge.h"
#include "models/vtftr/path.h"
#include "sim/commands.h"
#include "sim/common/interrupt.h"
#include "sim/common/options.h"
#include "sim/common/program.h"
#include "sim/fault_command/router_options.h"
#include "sim/net_command/join.h"
#include "sim/net_command/net_options.h"
#include "sim/net_command/net_pages.h"
#include "sim/rtl_in_loop/port_watch.h"
#include "sim/network/closed_loop.h"
#include "sim/network/fault_feed.h"
#include "sim/network/logic_lockstep.h"
#include "sim/network/topologies/dragonfly.h"
#include "sim/network/topologies/fat_tree.h"
#include "sim/network/topologies/torus.h"
#include "sim/report/report.h"
#include "sim/vtftr/vtftr_result.h"
#include "tb/harness/device_library.h"

namespace odonata::cli {

using network::Config;
using network::Result;

namespace {

/// A cycle of a result; null: it did not come.
Json cycle_or_null(int64_t c) { return c < 0 ? Json() : Json(c); }

Json fault_json(const network::FaultResult& f) {
  return {{"phases",
           {{"detected", cycle_or_null(f.detected)},
            {"local_done", cycle_or_null(f.local_done)},
            {"last_fd", cycle_or_null(f.last_fd)},
            {"diagnosis_done", cycle_or_null(f.diagnosis_done)},
            {"last_write", cycle_or_null(f.last_write)},
            {"recovery_done", cycle_or_null(f.recovery_done)},
            {"recovery_write", cycle_or_null(f.recovery_write)}}},
          {"quiet", f.quiet},
          {"restored", f.restored},
          {"tables_ok", f.tables_ok},
          {"closed_form", f.closed_form}};
}

/// Whether a unit decides beside the golden one in a router.
bool has_device(const Config& config) { return config.requests.device || config.hardware; }
bool compared_nothing(const Config& config, const Result& r) { return has_device(config) && r.compared == 0; }

bool has_fault_planes(const Config& config) {
  return config.topology->kind() == "dragonfly" && !config.faults.events.empty();
}

int router_of(const Config& config, const fault::Fault& f) {
  return config.topology->kind() == "dragonfly" ? network::dragonfly_of(config).router_index(f.router) : f.router.bid;
}

/// Routers that fail as a whole.
std::set<int> failing_routers(const Config& config) {
  std::set<int> out;
  for (const fault::Fault& f : config.faults.standing)
    if (f.is_router) out.insert(router_of(config, f));
  for (const network::TimedFault& f : config.faults.events)
    if (f.fault.is_router) out.insert(router_of(config, f.fault));
  return out;
}

/// Of the routers that have nodes and do not fail the one whose nodes send the least; -1: nothing was measured.
int slowest_router(const Result& r, const std::set<int>& failing) {
  int slowest = -1;
  for (int router = 0; router < static_cast<int>(r.sent.size()); ++router) {
    const double sent = r.sent[static_cast<size_t>(router)];
    if (sent >= 0 && !failing.contains(router) && (slowest < 0 || sent < r.sent[static_cast<size_t>(slowest)]))
      slowest = router;
  }
  return slowest;
}

/// Whether the run came to its sample.
bool was_sampled(const Config& config, const Result& r) { return r.cycles > config.warmup; }

/// A number, or nothing where it means nothing.
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); }

/// A number of a distribution, or nothing where nothing was measured: no packet has no latency, not one of 0.
template <class T>
Json measured(const network::LatencyHistogram& latency, T value) {
  return latency.samples() == 0 ? Json() : Json(value);
}

/// Of a latency in cycles, on a fat-tree.
double nanoseconds(const Config& config, double cycles) {
  return config.fat_tree.fixed_ns + config.fat_tree.ns_per_cycle * cycles;
}

/// Drops by reason, latencies in ns, what is accepted of a node whose leaf does not fail, and which of these leaves
/// sends the least.
void add_fat_tree(Json& out, const Config& config, const Result& r) {
  for (size_t i = 1; i <= static_cast<size_t>(vtftr::DropReason::no_port); ++i)
    out["drops"][std::string(vtftr::to_string(static_cast<vtftr::DropReason>(i)))] = r.drops[i];
  const auto ns = [&](double cycles) { return measured(r.latency, nanoseconds(config, cycles)); };
  out["latency_ns"] = {{"mean", ns(r.latency.mean())},
                       {"p50", ns(r.latency.percentile(0.5))},
                       {"p99", ns(r.latency.percentile(0.99))},
                       {"max", ns(r.latency.max())}};
  const FatTree& tree = network::fat_tree_of(config).tree();
  const std::set<int> failing = failing_routers(config);
  // Roots have higher numbers. What failing leaves took while they lived does not count.
  double nodes = config.topology->nodes(), taken = r.accepted * nodes;
  const double cycles = static_cast<double>(std::min(r.cycles, config.warmup + config.sample)) -
                        static_cast<double>(std::min(r.cycles, config.warmup));
  for (auto leaf = failing.begin(); leaf != failing.lower_bound(tree.num_leaves()); ++leaf) {
    nodes -= tree.p();
    if (cycles != 0) taken -= r.taken[static_cast<size_t>(*leaf)] / cycles;
  }
  out["accepted_healthy"] = was_sampled(config, r) ? Json(taken / nodes) : Json();
  const int slowest = slowest_router(r, failing);
  if (slowest < 0 || config.load == 0) return;
  const FatTree::Point at = tree.point(slowest);
  out["slowest_leaf"] = {{"at", std::vector<int>(at.begin(), at.begin() + tree.dimensions())},
                         {"sent", r.sent[static_cast<size_t>(slowest)]}};
}

Json phase_json(const network::PhaseResult& p) {
  return {{"name", p.name},
          {"messages", p.messages},
          {"bytes", p.bytes},
          {"packets", p.packets},
          {"latency", {{"nic", finite(p.nic)}, {"creation", finite(p.creation)}}},
          {"first", cycle_or_null(p.first)},
          {"last", cycle_or_null(p.last)}};
}

/// What came of programs; the latency of packets that no program sends stays beside theirs.
void add_programs(Json& out, const Config& config, const network::LoopResult& p) {
  out["time_cycles"] = p.unfinished_ranks == 0 ? Json(p.time_cycles) : Json();
  out["messages"] = p.messages;
  out["received"] = p.received;
  out["bytes"] = p.bytes;
  out["packets"] = p.packets;
  out["control_packets"] = p.control_packets;
  out["resent"] = p.resent;
  out["acknowledgements"] = p.acknowledgements;
  out["duplicates"] = p.duplicates;
  if (p.given_up != 0) out["gave_up"] = p.gave_up;
  out["latency"]["nic"]["mean"] = finite(p.nic);
  out["latency"]["creation"]["mean"] = finite(p.creation);
  if (!config.has_open_traffic()) {
    out["latency"]["mean"] = finite(p.nic);
    if (out.contains("latency_ns") && std::isfinite(p.nic)) out["latency_ns"]["mean"] = nanoseconds(config, p.nic);
  }
  out["unfinished_ranks"] = p.unfinished_ranks;
  if (p.unfinished_ranks != 0) out["waits"] = p.waits;
  out["jobs"] = Json::array();
  for (const network::JobResult& j : p.jobs) {
    Json job = {{"name", j.name},
                {"note", j.note},
                {"first_rank", j.first_rank},
                {"ranks", j.ranks},
                {"time_cycles", cycle_or_null(j.time_cycles)},
                {"phases", Json::array()}};
    for (const network::PhaseResult& phase : j.phases) job["phases"].push_back(phase_json(phase));
    out["jobs"].push_back(job);
  }
  out["ranks"] = Json::array();
  for (const network::RankResult& r : p.ranks) {
    out["ranks"].push_back({{"node", r.node},
                            {"finished", cycle_or_null(r.finished)},
                            {"communication", r.finished < 0 ? Json() : Json(r.communication)},
                            {"calculation", r.calculation}});
  }
}

/// What a fault means for the links: {name, cycle, repair, from, to}; without `to` it is the router `from`, with the
/// same `to` one of its nodes.
Json fault_of_links(const Config& config, const network::Wiring& wiring, const network::TimedFault& f) {
  const int router = router_of(config, f.fault);
  Json event = {
      {"name", config.topology->fault_name(f.fault)}, {"cycle", f.cycle}, {"repair", f.repair}, {"from", router}};
  if (!f.fault.is_router) {
    const network::PortWire& wire = wiring.at(router, f.fault.port);
    const bool node = wire.kind == network::LinkKind::node;
    event["to"] = node ? static_cast<uint32_t>(router) : wire.peer;
  }
  return event;
}

/// Links over time: a load is one character of base64's alphabet a link, in 63rds of a flit a cycle.
Json windows_json(const Config& config, const network::LinkWindows& w) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr size_t kMostLoads = 1'000'000;  // of a page
  Config whole = config;  // a checkpoint cuts the network into domains; routers have their own numbers here
  whole.domains = 1;
  const network::Wiring wiring = config.topology->wire(whole);
  Json links = Json::array(), windows = Json::array(), faults = Json::array();
  for (const auto& [from, to] : w.links) links.push_back({from, to});
  for (const network::LinkWindows::Window& window : w.no_more_than(kMostLoads)) {
    std::string load;
    for (float share : window.load) load += kDigits[static_cast<size_t>(std::lround(63 * std::min(share, 1.0F)))];
    windows.push_back({{"first", window.first}, {"last", window.last}, {"load", load}});
  }
  for (const fault::Fault& f : config.faults.standing) faults.push_back(fault_of_links(config, wiring, {f, false, 0}));
  std::vector<network::TimedFault> events = config.faults.events;
  std::stable_sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.cycle < b.cycle; });
  for (const network::TimedFault& f : events) faults.push_back(fault_of_links(config, wiring, f));
  Json out = {{"links", links}, {"windows", windows}, {"faults", faults}};
  if (Json routers = router_places(config, wiring); !routers.is_null()) out.update(routers);
  return out;
}

/// Faults and repairs that the end of the run came before.
int64_t late_faults(const Config& config, const Result& r) {
  return std::count_if(config.faults.events.begin(), config.faults.events.end(),
                       [&r](const network::TimedFault& f) { return f.cycle >= r.cycles; });
}

}  // namespace

Json to_json(const Config& config, const Result& r) {
  Json out;
  out["routing"] = config.routing;
  out["traffic"] = config.traffic;
  out["load"] = config.trace ? Json() : Json(config.load);
  out["seed"] = config.seed;
  const bool sampled = was_sampled(config, r);
  out["offered"] = sampled ? Json(r.offered) : Json();
  out["accepted"] = sampled ? Json(r.accepted) : Json();
  out["latency"] = {{"mean", measured(r.latency, r.latency.mean())},
                    {"p50", measured(r.latency, r.latency.percentile(0.5))},
                    {"p99", measured(r.latency, r.latency.percentile(0.99))},
                    {"max", measured(r.latency, r.latency.max())},
                    {"with_unfinished",
                     r.unfinished == 0 ? measured(r.latency, r.mean_with_unfinished) : Json(r.mean_with_unfinished)},
                    {"packets", r.latency.samples()}};
  size_t last = r.hops.size();
  while (last > 0 && r.hops[last - 1] == 0) --last;
  out["hops"] = Json::array();
  const auto packets = static_cast<double>(r.latency.samples());
  for (size_t i = 0; i < last; ++i) out["hops"].push_back(static_cast<double>(r.hops[i]) / packets);
  out["decisions"] = Json::object();
  for (int i = 0; i < 8; ++i)
    out["decisions"][route_compute::to_string(static_cast<route_compute::HopClass>(i))] = r.decisions[i];
  for (const network::ChannelUse& c : r.channels)
    out["channels"][c.name] = {{"mean", sampled ? Json(c.mean) : Json()}, {"max", sampled ? Json(c.max) : Json()}};
  out["channels"]["group0"] = r.domain_zero;
  out["saturated"] = r.saturated;
  out["unfinished"] = r.unfinished;
  out["created"] = r.created;
  out["delivered"] = r.delivered;
  out["lost"] = r.lost;
  out["unroutable"] = r.unroutable;
  out["lost_in_routers"] = r.lost_in_routers;
  if (config.topology->kind() == "fat_tree") add_fat_tree(out, config, r);
  if (const int slowest = slowest_router(r, failing_routers(config)); slowest >= 0 && !r.programs)
    out["slowest_router"] = {{"number", slowest}, {"sent", r.sent[static_cast<size_t>(slowest)]}};
  out["cut"] = r.cut;
  out["fd_total"] = r.faults.fd_total;
  out["fr_total"] = r.faults.fr_total;
  if (!config.faults.events.empty()) {
    out["faults"] = fault_json(r.faults);
    out["faults"]["late"] = late_faults(config, r);
    if (has_fault_planes(config)) out["faults"]["router"] = to_json(network::fault_timing(config));
  }
  out["waiting"] = r.waiting;
  out["in_flight"] = r.in_flight;
  out["in_flight_flits"] = r.in_flight_flits;
  out["conservation_ok"] = r.conservation_ok;
  out["digest"] = fmt::format("{:016x}", r.digest);
  out["interrupted"] = r.interrupted;
  out["deadlock"] = r.deadlock;
  if (has_device(config)) out["compared"] = r.compared;
  out["cycles"] = r.cycles;
  out["flit_hops"] = r.flit_hops;
  out["timeline"] = Json::array();
  for (const network::Interval& i : r.timeline) {
    const double node_cycles = static_cast<double>(i.last - i.first) * r.nodes;
    out["timeline"].push_back({{"first", i.first},
                               {"last", i.last},
                               {"throughput", static_cast<double>(i.delivered_flits) / node_cycles},
                               {"latency", i.delivered == 0 ? Json() : Json(i.latency)},
                               {"packets", i.delivered},
                               {"lost", i.lost},
                               {"fd", i.fd},
                               {"fr", i.fr}});
  }
  out["ranks"] = r.ranks;
  if (r.ranks > 1) {
    out["exchange"] = {{"ranks", r.ranks},
                       {"bytes", r.exchange_bytes},
                       {"seconds", r.exchange_seconds},
                       {"packing_seconds", r.packing_seconds},
                       {"moved_domains", r.moved_domains},
                       {"imbalance", r.imbalance[0] == 0 ? Json() : Json(r.imbalance)}};
  }
  if (r.programs) add_programs(out, config, *r.programs);  // their ranks take the place of the processes'
  if (!r.link_windows.windows.empty()) out["link_windows"] = windows_json(config, r.link_windows);
  out["seconds"] = r.seconds;
  out["cpu_seconds"] = r.cpu_seconds;
  out["cycles_per_s"] = r.cycles_per_second();
  out["flit_hops_per_s"] =
      r.cycles_per_second() * static_cast<double>(r.flit_hops) / static_cast<double>(std::max<uint64_t>(r.cycles, 1));
  out["memory_bytes"] = r.memory_bytes;
  return out;
}

namespace {

constexpr int kSavedDomains = 16;  // so many ranks can load a checkpoint of a network without domains of its own

struct RunOptions {
  NetOptions net;
  std::string json, page, trace, checkpoint, resume, record, block = "route_compute";
  uint64_t checkpoint_every = 0;
  bool list_parameters = false;
};

void add_fault_rows(Table& table, const Config& config, const Result& r) {
  const network::FaultResult& f = r.faults;
  const auto cycle = [](int64_t at) { return at < 0 ? std::string("-") : std::to_string(at); };
  table.add({"of these unroutable / in dead routers", fmt::format("{} / {}", r.unroutable, r.lost_in_routers)});
  if (config.router.packet_flits() > 1) table.add({"cut in two", std::to_string(r.cut)});
  table.add({"FDs / FRs", fmt::format("{} / {}", f.fd_total, f.fr_total)});
  table.add({"detected, local travel, last FD",
             fmt::format("{}, {}, {}", cycle(f.detected), cycle(f.local_done), cycle(f.last_fd))});
  table.add({"diagnosis done, last table write", fmt::format("{}, {}", cycle(f.diagnosis_done), cycle(f.last_write))});
  table.add(
      {"recovery done, last table write", fmt::format("{}, {}", cycle(f.recovery_done), cycle(f.recovery_write))});
  const bool good = f.tables_ok && f.closed_form.empty();
  if (config.fat_tree.reconfigure == network::Reconfigure::never)
    return table.add({"tables", "as they were (--reconfigure never)"});
  table.add({"tables", !f.quiet     ? "still changing"
                       : !good      ? "WRONG" + (f.closed_form.empty() ? "" : ": " + f.closed_form)
                       : f.restored ? "as configured"
                                    : "as the closed form"});
}

void add_program_rows(Table& table, const network::LoopResult& p) {
  table.add({"time, cycles", p.unfinished_ranks == 0 ? std::to_string(p.time_cycles) : "-"});
  if (p.unfinished_ranks != 0)
    table.add(
        {"ranks not at their end", fmt::format("{}; first: {}", p.unfinished_ranks, p.waits.empty() ? "-" : p.waits)});
  table.add({"messages sent / received", fmt::format("{} / {}", p.messages, p.received)});
  table.add({"bytes", std::to_string(p.bytes)});
  table.add({"packets + control packets", fmt::format("{} + {}", p.packets, p.control_packets)});
  if (p.acknowledgements != 0 || p.resent != 0)
    table.add({"sent again / acknowledgements / duplicates",
               fmt::format("{} / {} / {}", p.resent, p.acknowledgements, p.duplicates)});
  if (p.given_up != 0) table.add({"given up", fmt::format("{}; first: {}", p.given_up, p.gave_up)});
  const bool arrived = std::isfinite(p.nic);
  table.add({"latency from NIC / from creation",
             arrived ? fmt::format("{:.2f} / {:.2f}", p.nic, p.creation) : "not measured"});
  uint64_t communication = 0, finished = 0;
  for (const network::RankResult& rank : p.ranks) communication += rank.communication, finished += rank.finished >= 0;
  table.add({"communication time of a rank, mean",
             finished == 0
                 ? "-"
                 : fmt::format("{:.1f}", static_cast<double>(communication) / static_cast<double>(finished))});
  for (const network::JobResult& j : p.jobs) {
    if (p.jobs.size() > 1)
      table.add({fmt::format("{}: time, cycles", j.name), j.time_cycles < 0 ? "-" : std::to_string(j.time_cycles)});
  }
}

void add_latency_rows(Table& table, const Config& config, const Result& r) {
  if (r.latency.samples() == 0) return table.add({"latency", "not measured"});
  table.add({"latency mean", fmt::format("{:.2f}", r.latency.mean())});
  if (config.topology->kind() == "fat_tree")
    table.add({"latency mean, ns",
               fmt::format("{:.1f}", config.fat_tree.fixed_ns + config.fat_tree.ns_per_cycle * r.latency.mean())});
  table.add({"latency p50 / p99 / max",
             fmt::format("{} / {} / {}", r.latency.percentile(0.5), r.latency.percentile(0.99), r.latency.max())});
  for (size_t i = 0; i < r.hops.size(); ++i) {
    if (r.hops[i] != 0)
      table.add(
          {fmt::format("{} hops{}", i, i == network::kMaxHops ? " or more" : ""),
           fmt::format("{:.2f} %", 100.0 * static_cast<double>(r.hops[i]) / static_cast<double>(r.latency.samples()))});
  }
}

void print(const Config& config, const Result& r) {
  const std::string traffic =
      r.programs ? config.programs.workload + ", mapping " + config.programs.mapping : config.traffic;
  const std::string load =
      config.trace || (r.programs && config.load == 0)
          ? ""
          : fmt::format(" {} load {}", r.programs ? "beside " + config.traffic + " at" : "at", config.load);
  fmt::print("{}, {}, {}{}, seed {}: {} cycles\n", config.topology->name(), config.routing, traffic, load, config.seed,
             r.cycles);
  if (has_fault_planes(config)) fmt::print("fault planes: {}\n", to_string(network::fault_timing(config)));
  fmt::print("\n");
  Table table({"quantity", "value"});
  if (r.programs) add_program_rows(table, *r.programs);
  table.add({"accepted (flits a node and cycle)",
             was_sampled(config, r) ? fmt::format("{:.4f}", r.accepted) : "not measured"});
  if (!r.programs || r.latency.samples() != 0) add_latency_rows(table, config, r);
  for (const network::ChannelUse& c : r.channels)
    table.add({c.name + " channels mean / max",
               was_sampled(config, r) ? fmt::format("{:.3f} / {:.3f}", c.mean, c.max) : "not measured"});
  if (has_device(config)) table.add({"decisions of the device, all equal to golden", std::to_string(r.compared)});
  table.add({"lost", std::to_string(r.lost)});
  if (!config.faults.events.empty()) add_fault_rows(table, config, r);
  table.add({"saturated", r.saturated ? "yes" : "no"});
  table.add({"conservation", r.conservation_ok ? "ok" : "VIOLATED"});
  if (r.ranks > 1) table.add({"ranks", std::to_string(r.ranks)});
  table.add({"cycles a second", fmt::format("{:.0f}", r.cycles_per_second())});
  fmt::print("{}\n", table.text());
  if (!r.deadlock.empty()) fmt::print("Deadlock, nothing arrives any more:\n{}", r.deadlock);
  if (!r.interrupted && !r.programs && r.latency.samples() == 0)
    fmt::print("No packet of the sample was delivered: nothing was measured.\n");
  if (r.interrupted) fmt::print("Interrupted: the numbers are those up to cycle {}.\n", r.cycles);
}

/// Of several ranks only the first one writes.
RunOptions without_outputs(RunOptions o) {
  o.json = o.page = o.trace = o.record = o.checkpoint = "";
  return o;
}

/// One line on stderr when faults of leaf switches leave no row and no column of a fat-tree without one. Repairs do not
/// count.
void warn_of_covering_faults(const Config& config) {
  if (config.topology->kind() != "fat_tree" || !config.routing.starts_with("vtftr")) return;
  const FatTree& tree = network::fat_tree_of(config).tree();
  if (tree.dimensions() != 2) return;
  vtftr::FaultSet ever(tree);
  for (const network::TimedFault& f : config.faults.events)
    if (f.fault.is_router && f.fault.router.bid < tree.num_leaves())
      ever.set({f.fault.router.bid % tree.columns(), f.fault.router.bid / tree.columns()});
  const bool safe = config.faults.mode == fault::Mode::safe;
  const bool exclude =
      config.fat_tree.pick == network::Pick::by_mode ? safe : config.fat_tree.pick == network::Pick::exclude;
  warn_of_covering(tree, ever, {.safe = safe, .exclude = exclude});
}

/// A line about faults and repairs that the end of the run came before: nothing is shown of them.
std::string tell_late_faults(const Config& config, const Result& r) {
  const int64_t late = r.interrupted ? 0 : late_faults(config, r);
  return late == 0 ? ""
                   : fmt::format("{} of {} faults and repairs did not come: the run ended in cycle {}.\n", late,
                                 config.faults.events.size(), r.cycles);
}

/// What the ranks do together has to be asked of all of them.
void check_equal_files(network::Exchange& ranks, const RunOptions& given) {
  const auto asked = [](const std::string& file) { return file.empty() ? "no" : "yes"; };
  check_equal(ranks, "settings",
              fmt::format("checkpoint={}\ncheckpoint-every={}\nresume={}\nrecord={}\n", asked(given.checkpoint),
                          given.checkpoint_every, asked(given.resume), asked(given.record)));
}

void run_net(const RunOptions& given) {
  if (!given.net.rtl.device_lib.empty()) cosim::guard_device_libraries(kDeviceSeconds);
  const std::unique_ptr<network::Exchange> ranks = given.list_parameters ? nullptr : join_command();
  const RunOptions o = ranks && ranks->own() != 0 ? without_outputs(given) : given;
  if (o.list_parameters) return fmt::print("{}", network::parameters_markdown());
  if (ranks) check_equal_files(*ranks, given);
  if (given.checkpoint_every != 0 && given.checkpoint.empty())
    throw Error("--checkpoint-every: no file, expected --checkpoint FILE");
  const JsonFile file(o.json);
  const OutputFile page(o.page), trace(o.trace);
  if (!given.trace.empty() && o.net.given.count("timeline") == 0)
    throw Error("--trace shows the timeline: it needs --timeline CYCLES");
  const OutputFile record(o.record), checkpoint(o.checkpoint);
  if (ranks && checkpoint.wanted() && !checkpoint.regular())
    throw Error("--checkpoint " + o.checkpoint + ": expected a regular file, since several ranks write it");
  const auto save = [&](const network::Simulation& s) {
    if (!given.checkpoint.empty()) write_together(checkpoint, ranks.get(), [&s](std::ostream& to) { s.save(to); });
  };
  Config config = o.net.make();
  config.exchange = ranks.get();
  if (!given.checkpoint.empty()) config.domains = kSavedDomains;
  if (const auto hardware = o.net.given.find("hardware");
      o.block == "fault" && hardware != o.net.given.end() && hardware->second != "native")
    throw Error("--hardware " + hardware->second +
                ": the RTL of --block fault is built for the dragonfly, expected native");
  PortWatch watch({o.net.rtl.device, o.net.rtl.at, o.net.rtl.plant, given.record, o.block, o.net.rtl.device_lib},
                  config);
  const auto simulation = network::make_simulation(config);
  warn_of_covering_faults(config);
  if (!o.resume.empty()) {
    std::ifstream from(o.resume, std::ios::binary);
    if (!from) throw Error("--resume " + o.resume + ": cannot be read: " + std::strerror(errno));
    try {
      simulation->load(from);
    } catch (const Error& e) {
      throw Error("--resume " + o.resume + ": " + e.what());
    }
  }
  const InterruptGuard guard;
  const Stopwatch clock;
  const uint64_t start = simulation->now();
  uint64_t saved = start;
  Result result;
  {
    Progress progress("network", config.warmup + config.sample);
    result = network::simulate(*simulation, [&](uint64_t now) {
      progress.at(now, fmt::format("{:.0f} cycles/s", static_cast<double>(now - start) / clock.seconds()));
      if (given.checkpoint_every != 0 && now - saved >= o.checkpoint_every) {
        save(*simulation);
        saved = now;
      }
      return !any(ranks.get(), interrupted() || watch.failed_here());
    });
  }
  watch.finish();
  result.interrupted = result.interrupted && !watch.failed();
  if (watch.watches()) result.compared = watch.compared();
  if (result.interrupted) save(*simulation);
  Json out = net_head(config);
  out.update(to_json(config, result));
  if (watch.watches()) out["compared"] = result.compared;
  const bool tables_bad = result.faults.quiet && !result.faults.tables_ok;
  const std::string late = tell_late_faults(config, result);
  add_net_report(out, !tables_bad && late.empty() && watch.good() && !compared_nothing(config, result));
  file.write(out);
  if (page.wanted()) page.write(report_page("odonata net", {out}));
  if (trace.wanted()) trace.write(timeline_trace(out));
  print(config, result);
  fmt::print("{}", late);
  watch.print();
  if (compared_nothing(config, result)) fmt::print("\nNothing was compared: this is no pass.\n");
  if (result.interrupted && !watch.failed()) finish_with(kInterrupted);
  if (out["verdict"] != "pass") finish_with(kFailed);
}

constexpr const char* kExamples =
    "  odonata net --size paper --routing doar --traffic ur --load 0.5 --warmup 3000 --cycles 2000\n"
    "  odonata net --size paper --routing min --traffic adv+1 --load 0.1 --threads 2 --json out/net.json\n"
    "  odonata net --size tiny --load 0.3 --packet 5 --switching wormhole --cycles 100000\n"
    "  odonata net --size paper --checkpoint out/net.state --checkpoint-every 10000; odonata net --size paper --resume "
    "out/net.state\n"
    "  odonata net --mesh 4x4x4 --routing d2ra --vcs 3 --depth 8 --packet 5 --traffic tornado --load 0.5\n"
    "  odonata net --mesh 8x8 --routing d2ra --packet 5 --load 0.3 --device rtl --at 3,4\n"
    "  odonata net --torus 4x4 --load 0.2 --fail node:1,1 --device rtl --at 2,1       (fat-tree: --at leaf:1,1 or "
    "row:0,1)\n"
    "  odonata net --torus 10x10 --routing torus_safe6 --load 0.2 --fail node:4,4 --fail \"link:7,2,x+@40000\"  (from "
    "the start; at run time)\n"
    "  odonata net --size paper --load 0.4 --warmup 5000 --cycles 20000 --timeline 100 --fail random-links:50 --repair "
    "all --repair-at 15000\n"
    "  odonata net --size tiny --load 0.4 --packet 5 --switching wormhole --cycles 20000 --fail random-links:4@2000 "
    "--repair all --repair-at 9000\n"
    "  odonata net --size paper --load 0.4 --warmup 0 --cycles 10000 --timeline 100 --page out/net.html --trace "
    "out/net.trace.json\n"
    "  odonata net --size tiny --load 0.4 --cycles 20000 --device rtl --at 1.2           (all ports; or --at 1.2.0 "
    "--record out/port.trace)\n"
    "  mpirun -n 4 odonata net --size tiny --load 0.4 --cycles 2000 --device rtl --at all  (the RTL of every router, "
    "over four processes)\n"
    "  odonata net --size tiny --load 0.4 --cycles 20000 --fail global:G0-G2@2000 --repair all --repair-at 8000 "
    "--device rtl --block fault --at 0.1\n"
    "  odonata net --size paper --load 0.3 --cycles 3000 --fail global:G0-G1@100 --repair all --repair-at 1500 "
    "--device rtl --block fault --at 0.0\n"
    "  mpirun -n 4 odonata net --size full --load 0.3                                    (one network over four "
    "processes: docs/cluster.md)\n"
    "Exit code 0: done, nothing was lost or duplicated; 1: a conservation check failed or a deadlock was found; 2: bad "
    "input.\n"
    "What every number means: docs/network.md.\n";

}  // namespace

void add_net_command(CLI::App& app) {
  Command command =
      add_command(app, "net", "Run a whole network, flit by flit, with the golden models deciding", kExamples);
  auto options = std::make_shared<RunOptions>();
  add_net_options(command, options->net);
  add_json(command, options->json);
  command.add_flag("--list-parameters", options->list_parameters,
                   "print the parameters as a table in Markdown and stop");
  command
      .add_option("--page", options->page,
                  "write a self-contained page: hops, and with --timeline throughput, latency and losses over time")
      .type_name("FILE.html");
  command.add_option("--trace", options->trace, "write the --timeline as a trace for Perfetto or chrome://tracing")
      .type_name("FILE.json");
  command
      .add_option("--checkpoint", options->checkpoint,
                  "write the whole state to FILE, at Ctrl-C and every --checkpoint-every cycles")
      .type_name("FILE");
  add_number(command, "--checkpoint-every", options->checkpoint_every,
             "cycles between two checkpoints; 0: only at Ctrl-C");
  command
      .add_option("--record", options->record,
                  "all pins of port --at G.R.P (of the fault plane: --at G.R), for odonata cosim --trace-in")
      .type_name("FILE");
  add_choice(command, "--block", options->block, {"route_compute", "fault"},
             "what --device rtl watches on a dragonfly: the ports' route compute, or the router's fault plane");
  command.add_option("--resume", options->resume, "go on from a checkpoint of the same configuration")
      .type_name("FILE");
  command.callback([options, command] {
    if (options->list_parameters)
      command.refuse_others({"--list-parameters", "--config"}, "--list-parameters lists them and does nothing else");
    try {
      run_net(*options);
    } catch (const network::DeviceMismatch& e) {
      fmt::print("{}", e.what());
      finish_with(kFailed);
    }
  });
}

}  // namespace odonata::cli
