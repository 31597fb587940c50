// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/net_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <memory>

#include "models/common/error.h"
#include "models/route_compute/decide.h"
#include "sim/commands.h"
#include "sim/common/program.h"
#include "sim/net_command/net_pages.h"
#include "sim/rtl_in_loop/port_watch.h"
#include "sim/network/logic_lockstep.h"
#include "sim/network/routing.h"
#include "sim/report/report.h"

namespace odonata::cli {

using network::Config;
using network::Result;

namespace {

/// "dragonfly: doar|min|..; mesh: .."
std::string routing_names() {
  std::string out;
  for (const network::TopologyKind& k : network::known_topologies()) {
    out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", k.name, fmt::join(network::routing_names(k.name), "|"));
  }
  return out;
}

/// Adds "name" or "name@cycle"; "all" stands for everything that fails. Cycles: those of the names, else `cycle`, which 0 leaves out.
void add_faults(Config& c, const std::vector<std::string>& names, bool repair, uint64_t cycle, Random& random) {
  const std::vector<network::TimedFault> before = c.faults.events;
  std::vector<fault::Fault> taken;
  for (const std::string& text : names) {
    const std::string option = repair ? "--repair " + text : "--fail " + text;
    const size_t at = text.find('@');
    const std::string name = text.substr(0, at);
    const uint64_t when = at == std::string::npos ? cycle : parse_number(option, text.substr(at + 1), 1, 1'000'000'000);
    if (when == 0) throw Error(option + ": no cycle, expected " + (repair ? "--repair-at or NAME@CYCLE" : "--fail-at or NAME@CYCLE"));
    if (repair && name == "all") {
      for (const network::TimedFault& f : before) c.faults.events.push_back({f.fault, true, when});
      continue;
    }
    for (const fault::Fault& f : c.topology->parse_faults(name, random, taken)) {
      c.faults.events.push_back({f, repair, when});
      taken.push_back(f);
    }
  }
}

/// Traffic "trace:FILE": the whole trace is the sample.
void apply_trace(Config& c) {
  const auto trace = std::make_shared<traffic::PacketTrace>(traffic::decode(read_text(c.traffic.substr(6))));
  c.warmup = 0;
  c.sample = std::max(1u, trace->cycles());
  c.router.lengths = {1};
  for (const traffic::TracePacket& p : trace->packets) c.router.lengths = {std::max<int>(c.router.packet_flits(), p.flits)};
  c.trace = trace;
}

}  // namespace

Config NetOptions::make() const {
  Config c(topology.make(dragonfly));
  if (!routing.empty()) c.routing = routing;
  c.route_compute = route_compute == "pipeline"  ? network::RouteCompute::pipeline
                    : route_compute == "arrival" ? network::RouteCompute::arrival
                                                 : network::RouteCompute::ideal;
  if (traffic != "ur") c.traffic = traffic;
  c.allow_cycles = allow_cycles;
  c.load = load;
  c.seed = seed;
  c.warmup = warmup;
  c.sample = cycles;
  c.drain = drain;
  c.threads = static_cast<int>(threads);
  c.watchdog = watchdog;
  c.interval = timeline;
  network::RouterParameters& r = c.router;
  if (vcs != 0) r.vcs = static_cast<int>(vcs);
  if (phases != 0) r.phases = static_cast<int>(phases);
  r.output_fifo = static_cast<int>(fifo);
  r.lengths = mix.empty() ? std::vector<int>{static_cast<int>(packet)} : parse_numbers("--packet-mix", mix, 1, 64);
  if (!switching.empty()) r.switching = switching == "wormhole" ? network::Switching::wormhole : network::Switching::cut_through;
  set_links(c);
  congestion::PlaneConfig& p = c.plane;
  p.interval = static_cast<int>(interval);
  p.pcs = static_cast<int>(pcs);
  p.local_threshold = static_cast<int>(local_threshold);
  p.global_threshold = static_cast<int>(global_threshold);
  p.local_window = static_cast<int>(local_window != 0 ? local_window : 2 * (local_latency != 0 ? local_latency : 10));
  p.global_window = static_cast<int>(global_window != 0 ? global_window : 2 * global_latency);
  p.local_window_enable = !no_local_window;
  p.global_window_enable = !no_global_window;
  c.tables.neighbours = neighbours == "lowest" ? table::NeighbourPolicy::lowest : table::NeighbourPolicy::spread;
  c.tables.minimal_router = minimal_router == "printed" ? table::MinimalRouterPolicy::printed : table::MinimalRouterPolicy::examples;
  requests.apply(c);
  if (traffic.starts_with("trace:")) apply_trace(c);
  c.faults.mode = fault::parse_mode(mode);
  c.faults.recovery = fault::parse_recovery(recovery);
  c.faults.pipelined = pipelined;
  c.faults.live_traffic = live_traffic;
  Random random(seed);
  add_faults(c, fail, false, fail_at != 0 ? fail_at : warmup, random);
  add_faults(c, repair, true, repair_at, random);
  c.bias = bias ? *bias : network::default_bias(c);
  return c;
}

/// Buffers and latencies by the names of the topology's port classes.
void NetOptions::set_links(Config& c) const {
  for (network::LinkClass& l : c.links) {
    const uint64_t packets = l.name == "node" ? node_buffer : l.name == "local" ? local_buffer : global_buffer;
    l.buffer = static_cast<int>(l.in_packets ? packets : depth);
    if (l.name == "local" && local_latency != 0) l.latency = static_cast<int>(local_latency);
    if (l.name == "global") l.latency = static_cast<int>(global_latency);
  }
}

void add_net_options(CLI::App& command, NetOptions& o) {
  add_topology_options(command, o.topology);
  add_dragonfly_options(command, o.dragonfly);
  command.add_option("--routing", o.routing, "routing algorithm; " + routing_names() + "; default doar, on a mesh d2ra")->type_name("NAME");
  add_choice(command, "--route-compute", o.route_compute, {"ideal", "pipeline", "arrival"},
             "routes at once; or with the cycles of the hardware pipeline (doar), asked at the head of a VC or at arrival");
  command.add_flag("--allow-cycles", o.allow_cycles, "also run tables of a --topology FILE whose channels can wait for each other in a circle");
  command.add_option("--bias", o.bias, "T of ugal and par: how much more (packets times links) a minimal path may cost; default 0, of par_ph 10");
  command.add_option("--traffic", o.traffic, "traffic: ur, adv+I, rp, a mixture r_mixed_ua:F, n_mixed_ur:F (share F; docs/network.md) or trace:FILE")
      ->type_name("NAME")
      ->capture_default_str();
  add_fraction(command, "--load", o.load, "flits a node and cycle");
  add_seed(command, o.seed);
  add_number(command, "--warmup", o.warmup, "cycles before the sample", 0, 1'000'000'000);
  add_number(command, "--cycles", o.cycles, "cycles of the sample", 1, 1'000'000'000);
  add_number(command, "--drain", o.drain, "at most so many cycles more for the packets of the sample", 0, 100'000'000);
  add_number(command, "--threads", o.threads, "threads; the result does not depend on them", 1, 1024);
  add_number(command, "--watchdog", o.watchdog, "stop when nothing has moved for so many cycles; 0: never");
  add_number(command, "--timeline", o.timeline, "throughput and latency of every so many cycles into the JSON file; 0: none");
  add_number(command, "--vcs", o.vcs, "virtual channels of a link; 0: as many as the routing needs", 0, 16);
  add_number(command, "--phases", o.phases, "switch phases a cycle (speedup); 0: 2, on a mesh 1", 0, 4);
  add_number(command, "--fifo", o.fifo, "flits of an output FIFO; 0: bounded by the credits only", 0, 1'000'000);
  add_number(command, "--packet", o.packet, "flits of a packet", 1, 64);
  command.add_option("--packet-mix", o.mix, "lengths of packets, each equally likely, such as 1,5,8; else --packet")->type_name("N,N..");
  command.add_option("--switching", o.switching, "when a packet's head may move: cut-through or wormhole; default cut-through, on a mesh wormhole")
      ->check(CLI::IsMember({"cut-through", "wormhole"}))
      ->type_name("NAME");
  add_number(command, "--depth", o.depth, "flits of a virtual channel's buffer, where buffers are not in packets", 1, 32'768);
  add_number(command, "--node-buffer", o.node_buffer, "packets a VC of a node port", 1, 32'768);
  add_number(command, "--local-buffer", o.local_buffer, "packets a VC of a local port", 1, 32'768);
  add_number(command, "--global-buffer", o.global_buffer, "packets a VC of a global port", 1, 32'768);
  add_number(command, "--local-latency", o.local_latency, "cycles of a local link; 0: 10, on a mesh 1", 0, 255);
  add_number(command, "--global-latency", o.global_latency, "cycles of a global link", 1, 1023);
  add_number(command, "--interval", o.interval, "cycles between two broadcasts of congestion bits", 1, 255);
  add_number(command, "--pcs", o.pcs, "latency of the physical coding sublayer in cycles", 1, 255);
  add_number(command, "--local-threshold", o.local_threshold, "packets above which a local port is congested", 0, 32'000);
  add_number(command, "--global-threshold", o.global_threshold, "packets above which a global port is congested", 0, 32'000);
  add_number(command, "--local-window", o.local_window, "history window of local ports; 0: there and back on the link", 0, 512);
  add_number(command, "--global-window", o.global_window, "history window of global ports; 0: there and back on the link", 0, 512);
  command.add_flag("--no-local-window", o.no_local_window, "do not take the history window off at local ports");
  command.add_flag("--no-global-window", o.no_global_window, "do not take the history window off at global ports");
  command
      .add_option(
          "--fail", o.fail,
          "fault at run time: global:Gx-Gy, local:Gx.sa-Gx.sb, router:Gx.sa, node:Gx.sa.nk, random-links:N, random-routers:N; @CYCLE may follow")
      ->type_name("FAULT");
  add_number(command, "--fail-at", o.fail_at, "cycle of the faults that name none; 0: the first of the sample", 0, 1'000'000'000);
  command.add_option("--repair", o.repair, "as --fail, or all")->type_name("FAULT");
  add_number(command, "--repair-at", o.repair_at, "cycle of the repairs that name none", 0, 1'000'000'000);
  add_choice(command, "--mode", o.mode, {"paper", "safe"}, "fault planes: reading of Algorithm 2");
  add_choice(command, "--recovery", o.recovery, {"per_entry", "port_level"}, "fault planes: reading of Algorithm 3");
  command.add_flag("--pipelined", o.pipelined, "fault planes: the scheduler fetches the next command while the units work (beyond the paper)");
  command.add_flag("--live-traffic", o.live_traffic,
                   "no packet is created for a node whose link or router is dead in that cycle; else it travels and is lost");
  add_choice(command, "--neighbours", o.neighbours, {"spread", "lowest"}, "which neighbours table B lists when there are more than eight");
  add_request_options(command, o.requests);
  add_choice(command, "--minimal-router", o.minimal_router, {"printed", "examples"},
             "printed: the router attached to the target group has no detours for it; examples: it has (DOAR Fig. 9)");
}

namespace {

Json fault_json(const network::FaultResult& f) {
  return {{"phases",
           {{"detected", f.detected},
            {"local_done", f.local_done},
            {"diagnosis_done", f.diagnosis_done},
            {"last_write", f.last_write},
            {"recovery_done", f.recovery_done}}},
          {"quiet", f.quiet},
          {"restored", f.restored},
          {"tables_ok", f.tables_ok},
          {"closed_form", f.closed_form}};
}

}  // namespace

Json to_json(const Config& config, const Result& r) {
  Json out;
  out["routing"] = config.routing;
  out["traffic"] = config.traffic;
  out["load"] = config.load;
  out["seed"] = config.seed;
  out["offered"] = r.offered;
  out["accepted"] = r.accepted;
  out["latency"] = {{"mean", r.latency.mean()}, {"p50", r.latency.percentile(0.5)},          {"p99", r.latency.percentile(0.99)},
                    {"max", r.latency.max()},   {"with_unfinished", r.mean_with_unfinished}, {"packets", r.latency.samples()}};
  size_t last = r.hops.size();
  while (last > 1 && r.hops[last - 1] == 0) --last;
  out["hops"] = Json::array();
  const double packets = static_cast<double>(std::max<uint64_t>(r.latency.samples(), 1));
  for (size_t i = 0; i < last; ++i) out["hops"].push_back(static_cast<double>(r.hops[i]) / packets);
  out["decisions"] = Json::object();
  for (int i = 0; i < 8; ++i) out["decisions"][route_compute::to_string(static_cast<route_compute::HopClass>(i))] = r.decisions[i];
  for (const network::ChannelUse& c : r.channels) out["channels"][c.name] = {{"mean", c.mean}, {"max", c.max}};
  out["channels"]["group0"] = r.domain_zero;
  out["saturated"] = r.saturated;
  out["unfinished"] = r.unfinished;
  out["created"] = r.created;
  out["delivered"] = r.delivered;
  out["lost"] = r.lost;
  out["unroutable"] = r.unroutable;
  out["lost_in_routers"] = r.lost_in_routers;
  out["cut"] = r.cut;
  out["fd_total"] = r.faults.fd_total;
  out["fr_total"] = r.faults.fr_total;
  if (!config.faults.events.empty()) out["faults"] = fault_json(r.faults);
  out["waiting"] = r.waiting;
  out["in_flight"] = r.in_flight;
  out["in_flight_flits"] = r.in_flight_flits;
  out["conservation_ok"] = r.conservation_ok;
  out["digest"] = fmt::format("{:016x}", r.digest);
  out["interrupted"] = r.interrupted;
  out["deadlock"] = r.deadlock;
  if (config.requests.device || !config.taps.empty() || config.faults.tap != nullptr) out["compared"] = r.compared;
  out["cycles"] = r.cycles;
  out["flit_hops"] = r.flit_hops;
  out["timeline"] = Json::array();
  for (const network::Interval& i : r.timeline) {
    const double node_cycles = static_cast<double>(i.last - i.first) * config.topology->nodes();
    out["timeline"].push_back({{"first", i.first},
                               {"last", i.last},
                               {"throughput", static_cast<double>(i.delivered_flits) / node_cycles},
                               {"latency", i.latency},
                               {"lost", i.lost},
                               {"fd", i.fd},
                               {"fr", i.fr}});
  }
  out["seconds"] = r.seconds;
  out["cpu_seconds"] = r.cpu_seconds;
  out["cycles_per_s"] = r.cycles_per_second();
  out["flit_hops_per_s"] = r.cycles_per_second() * static_cast<double>(r.flit_hops) / static_cast<double>(std::max<uint64_t>(r.cycles, 1));
  out["memory_bytes"] = r.memory_bytes;
  return out;
}

namespace {

volatile std::sig_atomic_t g_interrupted = 0;

/// While it lives, Ctrl-C asks the run to stop at the next window.
class InterruptGuard {
 public:
  InterruptGuard() : before_(std::signal(SIGINT, [](int) { g_interrupted = 1; })) {}
  ~InterruptGuard() { std::signal(SIGINT, before_); }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  void (*before_)(int);
};

struct RunOptions {
  NetOptions net;
  std::string json, page, trace, checkpoint, resume, record, block = "route_compute";
  uint64_t checkpoint_every = 0;
};

void save_checkpoint(const network::Simulation& simulation, const std::string& path) {
  const std::string temporary = path + ".part";
  std::ofstream file(temporary, std::ios::binary);
  if (!file) throw Error("--checkpoint " + path + ": cannot be written");
  simulation.save(file);
  file.close();
  if (!file || std::rename(temporary.c_str(), path.c_str()) != 0) throw Error("--checkpoint " + path + ": cannot be written");
}

void add_fault_rows(Table& table, const Config& config, const Result& r) {
  const network::FaultResult& f = r.faults;
  const auto cycle = [](int64_t at) { return at < 0 ? std::string("-") : std::to_string(at); };
  table.add({"of these unroutable / in dead routers", fmt::format("{} / {}", r.unroutable, r.lost_in_routers)});
  if (config.router.packet_flits() > 1) table.add({"cut in two", std::to_string(r.cut)});
  table.add({"FDs / FRs", fmt::format("{} / {}", f.fd_total, f.fr_total)});
  table.add({"detected, local travel, last FD", fmt::format("{}, {}, {}", cycle(f.detected), cycle(f.local_done), cycle(f.diagnosis_done))});
  table.add({"recovery, last table write", fmt::format("{}, {}", cycle(f.recovery_done), cycle(f.last_write))});
  const bool good = f.tables_ok && f.closed_form.empty();
  table.add({"tables", !f.quiet ? "still changing" : !good ? "WRONG: " + f.closed_form : f.restored ? "as configured" : "as the closed form"});
}

void print(const Config& config, const Result& r) {
  fmt::print("{}, {}, {} at load {}, seed {}: {} cycles\n\n", config.topology->name(), config.routing, config.traffic, config.load, config.seed,
             r.cycles);
  Table table({"quantity", "value"});
  table.add({"accepted (flits a node and cycle)", fmt::format("{:.4f}", r.accepted)});
  table.add({"latency mean", fmt::format("{:.2f}", r.latency.mean())});
  table.add({"latency p50 / p99 / max", fmt::format("{} / {} / {}", r.latency.percentile(0.5), r.latency.percentile(0.99), r.latency.max())});
  for (size_t i = 0; i < r.hops.size(); ++i) {
    if (r.hops[i] != 0)
      table.add(
          {fmt::format("{} hops", i), fmt::format("{:.2f} %", 100.0 * static_cast<double>(r.hops[i]) / static_cast<double>(r.latency.samples()))});
  }
  for (const network::ChannelUse& c : r.channels) table.add({c.name + " channels mean / max", fmt::format("{:.3f} / {:.3f}", c.mean, c.max)});
  if (config.requests.device) table.add({"decisions of the device, all equal to golden", std::to_string(r.compared)});
  table.add({"lost", std::to_string(r.lost)});
  if (!config.faults.events.empty()) add_fault_rows(table, config, r);
  table.add({"saturated", r.saturated ? "yes" : "no"});
  table.add({"conservation", r.conservation_ok ? "ok" : "VIOLATED"});
  table.add({"cycles a second", fmt::format("{:.0f}", r.cycles_per_second())});
  fmt::print("{}\n", table.text());
  if (!r.deadlock.empty()) fmt::print("Deadlock; packets wait for each other:\n{}", r.deadlock);
  if (r.interrupted) fmt::print("Interrupted: the numbers are those up to cycle {}.\n", r.cycles);
}

void run_net(const RunOptions& o) {
  const JsonFile file(o.json);
  const OutputFile page(o.page), trace(o.trace);
  if (trace.wanted() && o.net.timeline == 0) throw Error("--trace shows the timeline: it needs --timeline CYCLES");
  const OutputFile record(o.record);
  Config config = o.net.make();
  PortWatch watch({o.net.requests.device, o.net.requests.at, o.net.requests.plant, o.record, o.block}, config);
  const auto simulation = network::make_simulation(config);
  if (!o.resume.empty()) {
    std::ifstream from(o.resume, std::ios::binary);
    if (!from) throw Error("--resume " + o.resume + ": cannot be read");
    simulation->load(from);
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
      if (o.checkpoint_every != 0 && now - saved >= o.checkpoint_every) {
        save_checkpoint(*simulation, o.checkpoint);
        saved = now;
      }
      return g_interrupted == 0 && !watch.failed();
    });
  }
  watch.finish();
  if (watch.watches()) result.compared = watch.compared();
  if (result.interrupted && !o.checkpoint.empty()) save_checkpoint(*simulation, o.checkpoint);
  Json out = network_head(config);
  out.update(to_json(config, result));
  add_net_report(out);
  file.write(out);
  if (page.wanted()) page.write(report_page("odonata net", {out}));
  if (trace.wanted()) trace.write(timeline_trace(out));
  print(config, result);
  const bool tables_bad = result.faults.quiet && !result.faults.tables_ok;
  const bool agreed = watch.print();
  if (!result.conservation_ok || !result.deadlock.empty() || tables_bad || !agreed) finish_with(kFailed);
}

constexpr const char* kExamples =
    "  odonata net --size paper --routing doar --traffic ur --load 0.5 --warmup 3000 --cycles 2000\n"
    "  odonata net --size paper --routing min --traffic adv+1 --load 0.1 --threads 2 --json out/net.json\n"
    "  odonata net --size tiny --load 0.3 --packet 5 --switching wormhole --cycles 100000\n"
    "  odonata net --size paper --checkpoint out/net.state --checkpoint-every 10000; odonata net --size paper --resume out/net.state\n"
    "  odonata net --mesh 4x4x4 --routing d2ra --vcs 3 --depth 8 --packet 5 --traffic tornado --load 0.5\n"
    "  odonata net --mesh 8x8 --routing d2ra --packet 5 --load 0.3 --device rtl --at 3,4\n"
    "  odonata net --size paper --load 0.4 --warmup 5000 --cycles 20000 --timeline 100 --fail random-links:50 --repair all --repair-at 15000\n"
    "  odonata net --size tiny --load 0.4 --packet 5 --switching wormhole --cycles 20000 --fail random-links:4@2000 --repair all --repair-at 9000\n"
    "  odonata net --size paper --load 0.4 --warmup 0 --cycles 10000 --timeline 100 --page out/net.html --trace out/net.trace.json\n"
    "  odonata net --size tiny --load 0.4 --cycles 20000 --device rtl --at 1.2           (all ports; or --at 1.2.0 --record out/port.trace)\n"
    "  odonata net --size tiny --load 0.4 --cycles 20000 --fail global:G0-G2@2000 --repair all --repair-at 8000 --device rtl --block fault --at 0.1\n"
    "  odonata net --size paper --load 0.3 --cycles 3000 --fail global:G0-G1@100 --repair all --repair-at 1500 --device rtl --block fault --at 0.0\n"
    "Exit code 0: done, nothing was lost or duplicated; 1: a conservation check failed or a deadlock was found; 2: bad input.\n"
    "What every number means: docs/network.md.\n";

}  // namespace

void add_net_command(CLI::App& app) {
  CLI::App* command = add_command(app, "net", "Run a whole network, flit by flit, with the golden models deciding", kExamples);
  auto options = std::make_shared<RunOptions>();
  add_net_options(*command, options->net);
  add_json(*command, options->json);
  command->add_option("--page", options->page, "write a self-contained page: hops, and with --timeline throughput, latency and losses over time")
      ->type_name("FILE.html");
  command->add_option("--trace", options->trace, "write the --timeline as a trace for Perfetto or chrome://tracing")->type_name("FILE.json");
  command->add_option("--checkpoint", options->checkpoint, "write the whole state to FILE, at Ctrl-C and every --checkpoint-every cycles")
      ->type_name("FILE");
  add_number(*command, "--checkpoint-every", options->checkpoint_every, "cycles between two checkpoints; 0: only at Ctrl-C");
  command->add_option("--record", options->record, "all pins of port --at G.R.P (of the fault plane: --at G.R), for odonata cosim --trace-in")
      ->type_name("FILE");
  command->add_option("--block", options->block, "what --device rtl watches on a dragonfly: the ports' route compute, or the router's fault plane")
      ->check(CLI::IsMember({"route_compute", "fault"}));
  command->add_option("--resume", options->resume, "go on from a checkpoint of the same configuration")->type_name("FILE");
  command->callback([options] {
    try {
      run_net(*options);
    } catch (const network::DeviceMismatch& e) {
      fmt::print("{}", e.what());
      finish_with(kFailed);
    }
  });
}

}  // namespace odonata::cli
