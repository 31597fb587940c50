// SPDX-License-Identifier: Apache-2.0
// `odonata mesh-sweep`: latency or throughput of several algorithms on meshes, over patterns, loads and virtual channels: the figures of D2RA §6.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <memory>

#include "models/common/error.h"
#include "models/traffic/mesh_pattern.h"
#include "sim/commands.h"
#include "sim/common/program.h"
#include "sim/network/net_command.h"

namespace odonata::cli {

namespace {

using network::Result;

struct SweepOptions {
  std::string mesh = "4x4x4", vcs = "3", routing = "dbra,d2ra", traffic = "all", loads = "0.1,0.3,0.5", reuse = "own", measure = "latency", mix, json;
  uint64_t depth = 8, packet = 5, warmup = 3000, cycles = 10'000, drain = 10'000, seed = 1;
};

std::vector<std::string> words(const std::string& option, const std::string& text) {
  std::vector<std::string> out;
  for (size_t from = 0; from <= text.size();) {
    const size_t to = std::min(text.find(',', from), text.size());
    if (to == from) throw Error(option + " '" + text + "': an empty word");
    out.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return out;
}

std::vector<double> loads_of(const std::string& text) {
  std::vector<double> out;
  for (const std::string& word : words("--loads", text)) {
    char* end = nullptr;
    out.push_back(std::strtod(word.c_str(), &end));
    if (*end != '\0' || !(out.back() > 0 && out.back() <= 1)) throw Error("--loads: '" + word + "' is not a number above 0, at most 1");
  }
  return out;
}

/// One run.
struct Point {
  std::string mesh, vcs, traffic, routing;
  double load = 0, latency = 0, accepted = 0;
  bool saturated = false;
};

Point run_point(const SweepOptions& o, const std::string& mesh, const std::string& vcs, const std::string& traffic, const std::string& routing,
                double load) {
  NetOptions net;
  net.mesh.mesh = mesh;
  net.mesh.mix = o.mix;
  net.mesh.depth = o.depth;
  net.mesh.reuse = o.reuse;
  net.packet = o.packet;
  net.vcs = parse_number("--vcs", vcs, 1, 8);
  net.routing = routing;
  net.traffic = traffic;
  net.load = load;
  net.warmup = o.warmup;
  net.cycles = o.cycles;
  net.drain = o.drain;
  net.seed = o.seed;
  const Result r = network::simulate(net.make());
  if (!r.deadlock.empty() || !r.conservation_ok)
    throw Error(fmt::format("{} on {}, {} at {}: deadlock or lost packets", routing, mesh, traffic, load));
  return {mesh, vcs, traffic, routing, load, r.latency.mean(), r.accepted, r.saturated};
}

/// The points of one mesh, number of virtual channels and pattern: [load][routing].
using Curves = std::vector<std::vector<Point>>;

std::string change(double from, double to) { return fmt::format("{:+.1f} %", 100 * (to - from) / from); }

/// A line a load; with two algorithms the change of the second against the first.
void print_latencies(const Curves& curves, const std::vector<std::string>& routings) {
  std::vector<std::string> header{"load"};
  header.insert(header.end(), routings.begin(), routings.end());
  if (routings.size() == 2) header.push_back("change");
  Table table(header);
  double best = 0, at = 0;
  for (const std::vector<Point>& line : curves) {
    std::vector<std::string> row{fmt::format("{:.3f}", line[0].load)};
    for (const Point& p : line) row.push_back(fmt::format("{:.1f}{}", p.latency, p.saturated ? "*" : ""));
    if (line.size() == 2) {
      row.push_back(change(line[0].latency, line[1].latency));
      const double gain = 1 - line[1].latency / line[0].latency;
      if (gain > best) best = gain, at = line[0].load;
    }
    table.add(row);
  }
  fmt::print("\n{}, mesh {}, {} VCs\n{}", curves[0][0].traffic, curves[0][0].mesh, curves[0][0].vcs, table.text());
  if (routings.size() == 2) fmt::print("largest reduction {:.0f} % at load {:.3f}\n", 100 * best, at);
}

/// Most flits a node and cycle that an algorithm accepted at any load.
std::vector<double> peaks(const Curves& curves) {
  std::vector<double> out(curves[0].size());
  for (const std::vector<Point>& line : curves) {
    for (size_t i = 0; i < line.size(); ++i) out[i] = std::max(out[i], line[i].accepted);
  }
  return out;
}

/// A line a pattern, for one mesh and number of virtual channels.
void print_throughputs(const std::vector<Curves>& patterns, const std::vector<std::string>& routings) {
  std::vector<std::string> header{"traffic"};
  header.insert(header.end(), routings.begin(), routings.end());
  if (routings.size() == 2) header.push_back("change");
  Table table(header);
  double sum = 0;
  for (const Curves& curves : patterns) {
    const std::vector<double> most = peaks(curves);
    std::vector<std::string> row{curves[0][0].traffic};
    for (double t : most) row.push_back(fmt::format("{:.3f}", t));
    if (most.size() == 2) row.push_back(change(most[0], most[1])), sum += most[1] / most[0] - 1;
    table.add(row);
  }
  const Point& first = patterns[0][0][0];
  fmt::print("\nmesh {}, {} VCs: highest accepted load\n{}", first.mesh, first.vcs, table.text());
  if (routings.size() == 2) fmt::print("mean change {:+.1f} %\n", 100 * sum / static_cast<double>(patterns.size()));
}

Json to_json(const Curves& curves) {
  Json out = Json::array();
  for (const std::vector<Point>& line : curves) {
    for (const Point& p : line) {
      out.push_back({{"mesh", p.mesh},
                     {"vcs", p.vcs},
                     {"traffic", p.traffic},
                     {"routing", p.routing},
                     {"load", p.load},
                     {"latency", p.latency},
                     {"accepted", p.accepted},
                     {"saturated", p.saturated}});
    }
  }
  return out;
}

/// Latencies: beyond the load at which every algorithm is saturated nothing is run.
Curves run_curves(const SweepOptions& o, const std::string& mesh, const std::string& vcs, const std::string& traffic) {
  Curves out;
  for (double load : loads_of(o.loads)) {
    std::vector<Point> line;
    for (const std::string& routing : words("--routing", o.routing)) line.push_back(run_point(o, mesh, vcs, traffic, routing, load));
    const bool over = std::all_of(line.begin(), line.end(), [](const Point& p) { return p.saturated; });
    out.push_back(std::move(line));
    if (over && o.measure == "latency") break;
  }
  return out;
}

void run_sweep(const SweepOptions& o) {
  const JsonFile file(o.json);
  const std::vector<std::string> routings = words("--routing", o.routing);
  const std::vector<std::string> traffics = o.traffic == "all" ? traffic::MeshPattern::names() : words("--traffic", o.traffic);
  Json points = Json::array();
  for (const std::string& mesh : words("--mesh", o.mesh)) {
    for (const std::string& vcs : words("--vcs", o.vcs)) {
      std::vector<Curves> patterns;
      for (const std::string& traffic : traffics) {
        patterns.push_back(run_curves(o, mesh, vcs, traffic));
        if (o.measure == "latency") print_latencies(patterns.back(), routings);
        std::fflush(stdout);
        for (const Json& point : to_json(patterns.back())) points.push_back(point);
      }
      if (o.measure == "throughput") print_throughputs(patterns, routings);
    }
  }
  Json out = {{"command", "mesh-sweep"}, {"command_line", command_line()}, {"measure", o.measure}};
  out["points"] = points;
  file.write(out);
  if (o.measure == "latency") fmt::print("\n*: saturated (packets of the sample unfinished, or mean above 500 cycles)\n");
}

constexpr const char* kExamples =
    "  odonata mesh-sweep --config sim/scenarios/mesh_fig11.toml      latency of D2RA against DBRA, 4x4x4\n"
    "  odonata mesh-sweep --config sim/scenarios/mesh_fig13.toml      throughput of D2RA over Duato, 2, 4 and 8 VCs\n"
    "  odonata mesh-sweep --mesh 8x8 --routing dor,duato,d2ra --traffic transpose,tornado --loads 0.1,0.2,0.3,0.4\n"
    "docs/mesh.md; results beside the paper's: docs/results/mesh.md.\n";

}  // namespace

void add_mesh_sweep_command(CLI::App& app) {
  CLI::App* command = add_command(app, "mesh-sweep", "Latency or throughput of routing algorithms on meshes", kExamples);
  auto o = std::make_shared<SweepOptions>();
  command->add_option("--mesh", o->mesh, "meshes, such as 4x4,8x8")->capture_default_str();
  command->add_option("--vcs", o->vcs, "numbers of virtual channels, such as 2,4,8")->capture_default_str();
  command->add_option("--routing", o->routing, "algorithms; with two of them the second is compared with the first")->capture_default_str();
  command->add_option("--traffic", o->traffic, "patterns, or all")->capture_default_str();
  command->add_option("--loads", o->loads, "flits a node and cycle, rising")->capture_default_str();
  add_choice(*command, "--measure", o->measure, {"latency", "throughput"}, "what the tables show");
  add_number(*command, "--depth", o->depth, "flits of a virtual channel's buffer", 1, 1024);
  add_number(*command, "--packet", o->packet, "flits of a packet", 1, 64);
  command->add_option("--packet-mix", o->mix, "lengths of packets, each equally likely, such as 1,5,8");
  add_choice(*command, "--vc-reuse", o->reuse, {"own", "empty", "tail"}, "when a virtual channel takes the next packet: docs/mesh.md §2");
  add_number(*command, "--warmup", o->warmup, "cycles before the sample");
  add_number(*command, "--cycles", o->cycles, "cycles of the sample", 1);
  add_number(*command, "--drain", o->drain, "at most so many cycles more");
  add_seed(*command, o->seed);
  add_json(*command, o->json);
  command->callback([o] { run_sweep(*o); });
}

}  // namespace odonata::cli
