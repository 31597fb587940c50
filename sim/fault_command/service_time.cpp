// SPDX-License-Identifier: Apache-2.0
#include "sim/fault_command/service_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "hw/fault/block_device.h"
#include "sim/commands.h"
#include "sim/common/options.h"
#include "sim/common/program.h"
#include "sim/fault_command/router_options.h"
#include "tb/fault/port_block.h"
#include "tb/fault/router_block.h"
#include "tb/fault/scheduler_block.h"

namespace odonata::cli {

using namespace fault;

namespace {

/// A router that serves for ever, or never.
struct NoEnd : Error {
  using Error::Error;
};

/// A router at its pins, configured as router 0 of group 0.
class Bench {
 public:
  Bench(CycleDevice<RouterInputs, RouterOutputs>& router, const Dragonfly& d) : router_(router), d_(d) {
    in_.reset = 1;
    step();
    in_.reset = 0;
    configure();
  }
  /// Lets a change of the pins happen at the next edge; returns the cycles from that edge to the next possible look,
  /// and the busy cycles of the units.
  std::pair<int64_t, int64_t> serve() {
    step();
    in_.in_valid = 0;
    int64_t cycle = 0, first = -1, last = -1;
    bool served = out_.serve;
    while (!served || out_.working || out_.serve) {
      if (cycle > 1'000'000) throw NoEnd("a command of the router does not end");
      served |= out_.serve != 0;
      note(cycle, first, last);
      step();
      ++cycle;
    }
    return {cycle, last - first + 1};
  }
  void wait(int cycles) {
    for (int i = 0; i < cycles; ++i) step();
  }
  RouterInputs& pins() { return in_; }

 private:
  void step() { router_.step(in_, out_); }
  /// Busy cycles of unit 0.
  void note(int64_t cycle, int64_t& first, int64_t& last) const {
    if (!(out_.busy & 1)) return;
    if (first < 0) first = cycle;
    last = cycle;
  }
  void configure() {
    for (int row = 0; row < num_rows(d_); ++row) {
      const RowConfig config = row_config(d_, {0, 0}, entry_of_row(d_, row), Mode::safe);
      for (int port = 0; port < d_.num_ports(); ++port) {
        router_.step(configuration_write(in_, port, row, config.at(d_, port)), out_);
        step();
      }
    }
  }
  CycleDevice<RouterInputs, RouterOutputs>& router_;
  const Dragonfly& d_;
  RouterInputs in_;
  RouterOutputs out_;
};

}  // namespace

ServiceTimes measure_service_times(CycleDevice<RouterInputs, RouterOutputs>& router, const Dragonfly& d, int stations) {
  Bench bench(router, d);
  ServiceTimes t;
  const int port = d.global_port(0);
  bench.pins().link_up &= ~(1ull << port);
  std::tie(t.link_down, t.work_down) = bench.serve();
  bench.wait(2 * stations);
  bench.pins().link_up = ~0ull;
  std::tie(t.link_up, t.work_up) = bench.serve();
  const Message fd{Kind::diagnosis, MessageClass::d, 1, static_cast<uint16_t>(d.g() - 1), 0, 0};
  int64_t sum = 0;
  t.message_least = INT64_MAX;
  for (int phase = -1; phase < stations;
       ++phase) {  // the first one only brings the pointer to where every later one starts
    bench.wait(2 * stations + phase);
    bench.pins().in_valid = 1ull << port;
    bench.pins().in_message[port] = encode_message(fd);
    const auto [cycles, work] = bench.serve();
    if (phase < 0) continue;
    t.work_message = work;
    t.message_least = std::min(t.message_least, cycles);
    t.message_most = std::max(t.message_most, cycles);
    sum += cycles;
  }
  t.message_mean = static_cast<double>(sum) / stations;
  return t;
}

namespace {

struct TimingOptions {
  DragonflyOptions dragonfly;
  RouterOptions router;
  std::string json;
};

using Router = CycleDevice<RouterInputs, RouterOutputs>;

struct RtlRouter {
  std::unique_ptr<Router> router;
  std::string what;  ///< which of its parts are RTL; empty: none
};

/// What `make` makes, or nothing when there is no RTL of this size.
template <class Make>
auto if_built(const Make& make) -> decltype(make()) {
  try {
    return make();
  } catch (const Error&) {
    return nullptr;
  }
}

/// The RTL of a router: the whole router where it is built, else Verilated port units, and the scheduler where it is
/// built, around the golden ring.
RtlRouter make_rtl(const Dragonfly& d, const FaultRouterConfig& config) {
  const SchedulerConfig built = cosim::scheduler_config(d);
  if (config.banks != 1 || config.scheduler.ring_hop != 1) return {};
  const bool as_built = built.poll_width == config.scheduler.poll_width && built.stations == config.scheduler.stations;
  if (as_built && config.scheduler.stations == d.num_ports()) {
    if (auto router = if_built([&] { return cosim::make_fault_router_rtl(d); }))
      return {std::move(router), "the router"};
  }
  if (!if_built([&] { return cosim::make_rtl<cosim::FaultPortBlock>(d); })) return {};
  RouterUnit::Parts parts;
  parts.port = [&](int) { return cosim::make_rtl<cosim::FaultPortBlock>(d); };
  const bool scheduler = as_built && if_built([&] { return cosim::make_rtl<cosim::FaultSchedulerBlock>(d); });
  if (scheduler) parts.scheduler = [&] { return cosim::make_rtl<cosim::FaultSchedulerBlock>(d); };
  return {std::make_unique<RouterUnit>(d, config, parts),
          scheduler ? "port units and scheduler" : "port units; the scheduler is the golden one"};
}

void run_timing(const TimingOptions& options) {
  const JsonFile file(options.json);
  const Dragonfly d = options.dragonfly.make();
  const Timing timing =
      make_timing(options.router, d, d.num_ports() < 32 ? "native" : "full");  // as the RTL of this size
  if (timing.entries != num_rows(d)) {
    throw Error(fmt::format("--hardware {}: a router at its pins has the {} rows of {}, expected native or STATIONS,{}",
                            options.router.hardware, num_rows(d), d.name(), num_rows(d)));
  }
  const FaultRouterConfig config = FaultRouterConfig::of(timing);
  const int stations = timing.stations;
  std::vector<std::pair<std::string, ServiceTimes>> levels;
  std::vector<std::string> problems;
  const auto measure = [&](const std::string& name, Router& router) {
    try {
      levels.emplace_back(name, measure_service_times(router, d, stations));
    } catch (const NoEnd& error) {
      problems.push_back(name + ": " + error.what());
    }
  };
  RouterUnit golden(d, config);
  levels.emplace_back("golden", measure_service_times(golden, d, stations));
  measure("systemc", *make_router_systemc(d, config));
  const RtlRouter rtl = make_rtl(d, config);
  if (rtl.router) measure("rtl", *rtl.router);
  fmt::print("fault plane of one router, {}, {} ports\nrouter: {}\n\n", d.name(), d.num_ports(), to_string(timing));
  std::vector<std::string> header{"cycles", "paper (560 entries)", "specification"};
  for (const auto& [name, t] : levels) header.push_back(name);
  std::vector<std::vector<std::string>> rows_of_table;
  const auto add = [&](const std::string& name, const std::string& paper, const std::string& spec, const auto& value) {
    std::vector<std::string> row{name, paper, spec};
    for (const auto& [level, t] : levels) row.push_back(value(t));
    rows_of_table.push_back(row);
  };
  using T = const ServiceTimes&;
  // The unit of the port itself tells in one more cycle that its link is up.
  const int64_t link_down = timing.service(d.num_ports(), 2 * timing.steps()),
                link_up = std::max(timing.service(d.num_ports(), 3 * timing.steps()),
                                   timing.service(d.global_port(0) + 1, 3 * timing.steps() + 1));
  // Units of few rows also wait for the places of their messages: there this is the least.
  const bool exact = timing.steps() + timing.ring_hop > 2 * d.num_ports();
  const auto specified = [exact](int64_t cycles) { return (exact ? "" : ">= ") + std::to_string(cycles); };
  const double message = timing.mean_poll() - 1 + static_cast<double>(timing.service(d.num_ports(), 2));
  add("t_ld: link down", "about 1300", specified(link_down), [](T t) { return std::to_string(t.link_down); });
  add("t_gd: FD, mean over the poll", "about 100", fmt::format("{:.1f}", message),
      [](T t) { return fmt::format("{:.1f}", t.message_mean); });
  add("t_gd: FD, least and most", "-", "-", [](T t) { return fmt::format("{}..{}", t.message_least, t.message_most); });
  add("t_r: link up", "about 2000", specified(link_up), [](T t) { return std::to_string(t.link_up); });
  add("of these at a port unit: link down", "2 et_num = 1120", std::to_string(2 * timing.steps()),
      [](T t) { return std::to_string(t.work_down); });
  add("FD", "2", "2", [](T t) { return std::to_string(t.work_message); });
  add("link up", "3 et_num = 1680", std::to_string(3 * timing.steps()), [](T t) { return std::to_string(t.work_up); });
  Table table(header);
  for (const auto& row : rows_of_table) table.add(row);
  fmt::print("{}\n{}", table.text(), rtl.what.empty() ? "" : "RTL: " + rtl.what + "\n");
  Json out = result_head("fault-timing", d);
  out["router"] = to_json(timing);
  for (const auto& [name, t] : levels) {
    const bool longer = t.link_down > link_down || t.link_up > link_up;
    if (t.link_down < link_down || t.link_up < link_up || (exact && longer) ||
        std::abs(t.message_mean - message) > 1e-9)
      problems.push_back(name + ": not the cycles of the specification");
    if (!(t == levels.front().second)) problems.push_back(name + ": not the cycles of golden");
    out["levels"][name] = {{"t_ld", t.link_down},
                           {"t_gd_mean", t.message_mean},
                           {"t_gd_least", t.message_least},
                           {"t_gd_most", t.message_most},
                           {"t_r", t.link_up},
                           {"unit_link_down", t.work_down},
                           {"unit_fd", t.work_message},
                           {"unit_link_up", t.work_up}};
  }
  out["specification"] = {{"t_ld", link_down}, {"t_gd_mean", message}, {"t_r", link_up}, {"exact", exact}};
  out["paper"] = {{"t_ld", 1300}, {"t_gd", 100}, {"t_r", 2000}};
  out["rtl_parts"] = rtl.what;
  out["verdict"] = problems.empty() ? "pass" : "fail";
  if (!problems.empty()) out["problems"] = problems;
  out["headline"] = fmt::format("t_ld {}, t_gd {:.1f}, t_r {} cycles", levels.front().second.link_down,
                                levels.front().second.message_mean, levels.front().second.link_up);
  out["report"] = Json::array({{{"type", "table"},
                                {"title", "Service times of a router's fault plane"},
                                {"text", "Router: " + to_string(timing)},
                                {"header", header},
                                {"rows", rows_of_table}}});
  file.write(out);
  for (const std::string& problem : problems) fmt::print("{}\n", problem);
  if (!problems.empty()) finish_with(kFailed);
}

}  // namespace

void add_fault_timing_command(CLI::App& app) {
  auto options = std::make_shared<TimingOptions>();
  Command command =
      add_command(app, "fault-timing", "t_ld, t_gd, t_r of one router, measured in golden model, SystemC and RTL",
                  "  odonata fault-timing --size full\n  odonata fault-timing --size full --poll-width 4     the poll "
                  "of the RTL scheduler at this size\n");
  add_dragonfly_options(command, options->dragonfly);
  add_structure_options(command, options->router, "as the RTL of the size");
  add_json(command, options->json);
  command.callback([options] { run_timing(*options); });
}

}  // namespace odonata::cli
