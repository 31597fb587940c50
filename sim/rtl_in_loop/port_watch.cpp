// SPDX-License-Identifier: Apache-2.0
#include "sim/rtl_in_loop/port_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "models/common/error.h"
#include "sim/common/options.h"
#include "sim/network/topologies/dragonfly.h"

namespace odonata::cli {

namespace {

/// "group.router" or "group.router.port"; port -1: all.
struct Position {
  RouterId router;
  int port = -1;
};

Position parse_position(const Dragonfly& d, const std::string& text) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back().push_back(c);
    }
  }
  if (parts.size() != 2 && parts.size() != 3) throw Error("--at " + text + ": expected GROUP.ROUTER or GROUP.ROUTER.PORT");
  const auto number = [&](size_t i, int count) {
    return static_cast<int>(parse_number("--at " + text, parts[i], 0, static_cast<uint64_t>(count - 1)));
  };
  Position out{{number(0, d.g()), number(1, d.a())}, -1};
  if (parts.size() == 3) out.port = number(2, d.num_ports());
  return out;
}

}  // namespace

PortWatch::PortWatch(const PortWatchOptions& options, network::Config& config) : options_(options) {
  if (!options.device_lib.empty() && options.block != "route_compute")
    throw Error("--device-lib " + options.device_lib + ": is taken as route compute of a dragonfly, expected no --block " + options.block);
  if (config.topology->kind() != "dragonfly") {  // elsewhere the device takes part in the routing (RequestParameters)
    if (!options.record.empty()) throw Error("--record " + options.record + ": records a port of a dragonfly");
    options_ = {};
    return;
  }
  if (!rtl() && options.record.empty()) {
    if (!options.at.empty() || !options.plant.empty()) throw Error("--at and --plant belong to --device rtl or --record");
    if (options.block != "route_compute") throw Error("--block " + options.block + " belongs to --device rtl");
    return;
  }
  if (options.at.empty()) throw Error("--device rtl and --record need --at GROUP.ROUTER or GROUP.ROUTER.PORT");
  if (!rtl() && !options.plant.empty()) throw Error("--plant belongs to --device rtl");
  const Position at = parse_position(network::dragonfly_of(config), options.at);
  options.block == "fault" ? watch_router(config, at.router, at.port) : watch_ports(config, at.router, at.port);
}

void PortWatch::watch_ports(network::Config& config, RouterId router, int only) {
  const Dragonfly& d = network::dragonfly_of(config);
  if (!options_.record.empty() && only < 0) throw Error("--record " + options_.record + ": records one port, expected --at GROUP.ROUTER.PORT");
  for (int port = 0; port < d.num_ports(); ++port) {
    if (only >= 0 && port != only) continue;
    const route_compute::Rule rule = config.routing == "doar_stable" ? route_compute::kStableRule : route_compute::Rule{};
    ports_.push_back(std::make_unique<network::PortLockstep>(
        network::PortLockstep::Options{d, router, port, config.tables, rule, rtl(), options_.plant, options_.device_lib, !options_.record.empty()}));
    config.taps.push_back({d.router_index(router), port, ports_.back().get()});
  }
}

/// The fault planes get the structure for which the RTL was built.
void PortWatch::watch_router(network::Config& config, RouterId router, int port) {
  if (!rtl()) throw Error("--block fault belongs to --device rtl");
  if (port >= 0) throw Error("--at " + options_.at + ": --block fault watches a router, expected GROUP.ROUTER");
  if (config.faults.events.empty()) throw Error("--block fault: nothing would happen, expected --fail");
  const bool pipelined = config.faults.pipelined;
  if (pipelined && !options_.plant.empty()) throw Error("--plant " + options_.plant + ": the RTL with planted bugs is built without --pipelined");
  const auto variant = pipelined                ? cosim::RouterVariant::pipelined
                       : options_.plant.empty() ? cosim::RouterVariant::plain
                                                : cosim::RouterVariant::planted;
  router_ = std::make_unique<network::RouterLockstep>(network::RouterLockstep::Options{network::dragonfly_of(config), router, config.faults.mode,
                                                                                       config.faults.recovery, config.tables, variant, options_.plant,
                                                                                       !options_.record.empty()});
  const network::FaultPlan& plan = config.faults;
  if (plan.poll_width != 1 || plan.ring_hop != 1 || plan.banks != 1 || (plan.hardware != "full" && plan.hardware != "native"))
    throw Error("--block fault: the RTL is built as --hardware native, without --poll-width, --ring-hop and --banks");
  config.faults.hardware = "native";
  config.faults.tap = router_.get();
}

bool PortWatch::failed() const {
  if (router_) return router_->failed();
  return std::any_of(ports_.begin(), ports_.end(), [](const auto& p) { return p->failed(); });
}

void PortWatch::finish() {
  for (auto& p : ports_) p->finish();
  if (!options_.record.empty()) cosim::write_file(options_.record, router_ ? router_->record() : ports_.front()->record());
}

uint64_t PortWatch::compared() const {
  if (router_) return router_->compared();
  uint64_t sum = 0;
  for (const auto& p : ports_) sum += p->compared();
  return sum;
}

std::vector<std::string> PortWatch::report() const {
  std::error_code ignored;
  std::filesystem::create_directories("out", ignored);
  if (router_) return router_->report("out");
  const auto bad = std::find_if(ports_.begin(), ports_.end(), [](const auto& p) { return p->failed(); });
  return (*bad)->report("out");
}

bool PortWatch::good() const { return !watches() || (!failed() && compared() != 0); }

void PortWatch::print() const {
  if (!watches()) return;
  if (failed()) {
    for (const std::string& line : report()) fmt::print("{}\n", line);
    return;
  }
  if (router_) {
    fmt::print("{} services, messages and table writes of the fault plane compared at {}: RTL, golden unit and engine agree.\n", compared(),
               options_.at);
  } else {
    fmt::print("{} decisions compared at {}: {}, golden unit and engine agree.\n", compared(), options_.at,
               !options_.device_lib.empty() ? options_.device_lib
               : rtl()                      ? "RTL"
                                            : "no RTL");
  }
  if (compared() == 0) fmt::print("Nothing was compared: this is no pass.\n");
}

}  // namespace odonata::cli
