// SPDX-License-Identifier: Apache-2.0
// `odonata arb-timing`: cycles from a packet at the front of its sub-queue to its request and to its grant, under a
// rotating subset, measured at the pins of every level.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "hw/arb_request/input_port_device.h"
#include "models/common/error.h"
#include "sim/arb/arb_command.h"
#include "sim/arb/port_observer.h"
#include "sim/common/options.h"
#include "sim/common/output.h"
#include "sim/common/program.h"
#include "tb/arb_request/rtl_sizes.h"

namespace odonata::cli {

namespace {

using arb_request::PortDevice;
using arb_request::PortSize;

struct TimingOptions {
  uint64_t dims = 3, queues = 8, packets = 2000, seed = 1;
  double load = 0.7;
  std::string json;
};

/// The levels that exist at this size.
std::vector<std::pair<std::string, std::unique_ptr<PortDevice>>> levels(const PortSize& size) {
  std::vector<std::pair<std::string, std::unique_ptr<PortDevice>>> all;
  all.emplace_back("golden", std::make_unique<arb_request::GoldenPort>(size));
  all.emplace_back("systemc", std::make_unique<arb_request::InputPortDevice>(size));
  for (const cosim::ArbRtlSize& built : cosim::arb_rtl_sizes()) {
    const PortSize& b = built.size;
    if (b.dimensions == size.dimensions && b.queues == size.queues && b.subset == size.subset)
      all.emplace_back("rtl", cosim::make_rtl<cosim::ArbPortBlock>(cosim::rtl_parameters(b)));
  }
  return all;
}

std::string range(uint64_t least, uint64_t most) {
  return least == most ? std::to_string(least) : fmt::format("{}..{}", least, most);
}
std::string text(const PacketCycles& s) { return fmt::format("{} (mean {:.2f})", range(s.least, s.most), s.mean()); }
Json json_of(const PacketCycles& s) {
  return {{"min", s.least}, {"mean", s.mean()}, {"max", s.most}, {"packets", s.count}};
}

/// One row: one size of the subset on all levels.
struct Row {
  int subset = 0;
  uint64_t bound = 0;  // ceil(V / S)
  std::string level_names;
  PortTimes alone, loaded;
  std::string differs;  // levels other than golden that do not do the same

  bool levels_agree() const { return differs.empty(); }
  bool as_specified() const {
    return levels_agree() && alone.request.least == 1 && alone.request.most == bound && alone.grant.least == 2 &&
           alone.grant.most == bound + 1;
  }
};

Row measure(const TimingOptions& o, int subset) {
  PortSize size;
  size.dimensions = static_cast<int>(o.dims);
  size.queues = static_cast<int>(o.queues);
  size.subset = subset;
  size.coordinate_bits = o.dims == 4 ? 4 : 8;
  Row row;
  row.subset = subset;
  row.bound = static_cast<uint64_t>((size.queues + subset - 1) / subset);
  for (const auto& [name, device] : levels(size)) {
    const PortTimes alone = PortObserver(*device, size, o.seed).alone(o.packets);
    const PortTimes loaded = PortObserver(*device, size, o.seed).under_load(o.packets, o.load);
    if (row.level_names.empty()) {
      row.alone = alone;
      row.loaded = loaded;
    }
    if (alone != row.alone || loaded != row.loaded) {
      const std::string_view broken = !alone.broken.empty() ? alone.broken : loaded.broken;
      row.differs += (row.differs.empty() ? "" : ", ") + name + (broken.empty() ? "" : fmt::format(" ({})", broken));
    }
    row.level_names += (row.level_names.empty() ? "" : " ") + name;
  }
  return row;
}

double throughput(const PortTimes& m) { return static_cast<double>(m.grant.count) / static_cast<double>(m.cycles); }

std::vector<std::string> problems(const std::vector<Row>& rows) {
  std::vector<std::string> out;
  for (const Row& r : rows) {
    if (!r.levels_agree())
      out.push_back(fmt::format("subset {}: {} does not do what golden does", r.subset, r.differs));
  }
  return out;
}

Json result_json(const TimingOptions& o, const std::vector<Row>& rows, bool good) {
  Json out = result_head("arb-timing");
  out.update({{"dims", o.dims}, {"queues", o.queues}, {"load", o.load}, {"seed", o.seed}});
  out["rows"] = Json::array();
  Json cells = Json::array();
  for (const Row& r : rows) {
    out["rows"].push_back({{"subset", r.subset},
                           {"levels", r.level_names},
                           {"levels_agree", r.levels_agree()},
                           {"specification", {{"request", {1, r.bound}}, {"grant", {2, r.bound + 1}}}},
                           {"alone", {{"request", json_of(r.alone.request)}, {"grant", json_of(r.alone.grant)}}},
                           {"loaded",
                            {{"request", json_of(r.loaded.request)},
                             {"grant", json_of(r.loaded.grant)},
                             {"grants_per_cycle", throughput(r.loaded)}}},
                           {"verdict", r.as_specified() ? "pass" : "fail"}});
    cells.push_back({std::to_string(r.subset), r.level_names, range(1, r.bound), text(r.alone.request),
                     text(r.alone.grant), text(r.loaded.grant), r.as_specified() ? "pass" : "FAIL"});
  }
  out["verdict"] = good ? "pass" : "fail";
  if (const auto found = problems(rows); !found.empty()) out["problems"] = found;
  out["headline"] = fmt::format("a packet asks within ceil(V/S) cycles: {}", good ? "holds" : "does not hold");
  out["report"] =
      Json::array({{{"type", "table"},
                    {"title", "Cycles from the front of a sub-queue to request and grant"},
                    {"text", fmt::format("{} sub-queues, full credits, load {}", o.queues, o.load)},
                    {"header", {"subset", "levels", "specified", "request", "grant", "grant under load", "verdict"}},
                    {"rows", cells}}});
  return out;
}

void run_timing(const TimingOptions& o) {
  const JsonFile json(o.json);
  std::vector<Row> rows;
  for (int subset = 1; subset <= static_cast<int>(o.queues); ++subset) rows.push_back(measure(o, subset));
  const bool good = std::all_of(rows.begin(), rows.end(), [](const Row& r) { return r.as_specified(); });
  json.write(result_json(o, rows, good));
  fmt::print("Cycles from the edge that takes a packet, {} sub-queues, {} packets, seed {}\n\n", o.queues, o.packets,
             o.seed);
  Table table({"subset", "specified request", "request, alone", "grant, alone", fmt::format("request, load {}", o.load),
               fmt::format("grant, load {}", o.load), "grants/cycle", "levels", "verdict"});
  for (const Row& r : rows)
    table.add({std::to_string(r.subset), range(1, r.bound), text(r.alone.request), text(r.alone.grant),
               text(r.loaded.request), text(r.loaded.grant), fmt::format("{:.3f}", throughput(r.loaded)), r.level_names,
               r.as_specified() ? "pass" : "FAIL"});
  fmt::print("{}\n", table.text());
  for (const std::string& problem : problems(rows)) fmt::print("{}\n", problem);
  fmt::print("Verdict: {}\n", good ? "pass" : "fail");
  if (!good) finish_with(kFailed);
}

constexpr const char* kExamples =
    "  odonata arb-timing --queues 8                 subsets of 1 to 8 of eight sub-queues, golden and SystemC\n"
    "  odonata arb-timing --dims 3 --queues 4        as the RTL is built: all three levels at subset 2\n"
    "Full credits, every request granted at once: what is left is the rotating subset. Exit code 1: a level leaves the "
    "specification\n"
    "(request after 1..ceil(V/S) cycles, grant one later), or two levels differ.\n";

}  // namespace

void add_timing_command(CLI::App& app) {
  Command command =
      add_command(app, "arb-timing",
                  "Cycles to request and grant of a mesh router's input port, under a rotating subset", kExamples);
  auto o = std::make_shared<TimingOptions>();
  add_number(command, "--dims", o->dims, "dimensions of the mesh", 1, arb_request::kMaxDimensions);
  add_number(command, "--queues", o->queues, "sub-queues of the input port", 1, arb_request::kMaxQueues);
  add_fraction(command, "--load", o->load, "packets offered a cycle, for the columns under load", 0.01, 1);
  add_number(command, "--packets", o->packets, "packets of each measurement", 100, 10'000'000);
  add_seed(command, o->seed);
  add_json(command, o->json);
  command.callback([o] { run_timing(*o); });
}

}  // namespace odonata::cli
