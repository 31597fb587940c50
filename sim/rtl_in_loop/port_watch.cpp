// SPDX-License-Identifier: Apache-2.0
#include "sim/rtl_in_loop/port_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "models/common/error.h"
#include "sim/common/options.h"
#include "sim/network/exchange.h"
#include "sim/network/topologies/dragonfly.h"

namespace odonata::cli {

std::vector<PortWatch::Position> PortWatch::positions(const Dragonfly& d) const {
  const std::string& text = options_.at;
  if (text == "all") {
    std::vector<Position> out;
    for (int r = 0; r < d.num_routers(); ++r) out.push_back({d.router(r), -1});
    return out;
  }
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back().push_back(c);
    }
  }
  if (parts.size() != 2 && parts.size() != 3)
    throw Error("--at " + text + ": expected GROUP.ROUTER, GROUP.ROUTER.PORT or all");
  const auto number = [&](size_t i, int count) {
    return static_cast<int>(parse_number("--at " + text, parts[i], 0, static_cast<uint64_t>(count - 1)));
  };
  Position out{{number(0, d.g()), number(1, d.a())}, -1};
  if (parts.size() == 3) out.port = number(2, d.num_ports());
  return {out};
}

PortWatch::PortWatch(const PortWatchOptions& options, network::Config& config) : options_(options) {
  if (!options.device_lib.empty() && options.block != "route_compute")
    throw Error("--device-lib " + options.device_lib +
                ": is taken as route compute of a dragonfly, expected no --block " + options.block);
  if (config.topology->kind() != "dragonfly") {  // elsewhere the device takes part in the routing (RequestParameters)
    if (!options.record.empty()) throw Error("--record " + options.record + ": records a port of a dragonfly");
    options_ = {};
    return;
  }
  if (!rtl() && options.record.empty()) {
    if (!options.at.empty() || !options.plant.empty())
      throw Error("--at and --plant belong to --device rtl or --record");
    if (options.block != "route_compute") throw Error("--block " + options.block + " belongs to --device rtl");
    return;
  }
  if (options.at.empty())
    throw Error("--device rtl, --device-lib and --record need --at GROUP.ROUTER, GROUP.ROUTER.PORT or all");
  if (!rtl() && !options.plant.empty()) throw Error("--plant belongs to --device rtl");
  watches_ = true;
  exchange_ = config.exchange;
  const Dragonfly d = network::dragonfly_of(config);
  const std::vector<Position> list = positions(d);
  const network::Share share(exchange_, d.g());
  if (options.block != "fault") {
    if (!options.record.empty() && list.front().port < 0)
      throw Error("--record " + options.record + ": records one port, expected --at GROUP.ROUTER.PORT");
    for (const Position& at : list) {
      if (share.here(at.router.gid)) {
        watch_ports(config, d, at);
      } else {
        for (int port = 0; port < d.num_ports(); ++port) {
          if (at.port < 0 || port == at.port) config.taps.push_back({d.router_index(at.router), port, nullptr});
        }
      }
    }
    return;
  }
  if (!options.record.empty() && list.size() > 1)
    throw Error("--record " + options.record + ": records one router, expected --at GROUP.ROUTER");
  check_fault_planes(config);
  if (list.front().port >= 0)
    throw Error("--at " + options.at + ": --block fault watches routers, expected GROUP.ROUTER or all");
  for (const Position& at : list) {
    if (share.here(at.router.gid)) watch_router(config, d, at);
  }
  config.faults.hardware = "native";  // the fault planes get the structure for which the RTL was built
  if (!routers_.list.empty()) config.faults.tap = &routers_;
}

void PortWatch::watch_ports(network::Config& config, const Dragonfly& d, const Position& at) {
  const route_compute::Rule rule = config.routing == "doar_stable" ? route_compute::kStableRule : route_compute::Rule{};
  for (int port = 0; port < d.num_ports(); ++port) {
    if (at.port >= 0 && port != at.port) continue;
    ports_.push_back(std::make_unique<network::PortLockstep>(
        network::PortLockstep::Options{d, at.router, port, config.tables, rule, rtl(), options_.plant,
                                       options_.device_lib, !options_.record.empty()}));
    config.taps.push_back({d.router_index(at.router), port, ports_.back().get()});
  }
}

void PortWatch::check_fault_planes(const network::Config& config) const {
  const network::FaultPlan& plan = config.faults;
  if (!rtl()) throw Error("--block fault belongs to --device rtl");
  if (plan.events.empty()) throw Error("--block fault: nothing would happen, expected --fail");
  if (plan.pipelined && !options_.plant.empty())
    throw Error("--plant " + options_.plant + ": the RTL with planted bugs is built without --pipelined");
  if (plan.poll_width != 1 || plan.ring_hop != 1 || plan.banks != 1)
    throw Error("--block fault: the RTL is built as --hardware native, without --poll-width, --ring-hop and --banks");
}

void PortWatch::watch_router(const network::Config& config, const Dragonfly& d, const Position& at) {
  const auto variant = config.faults.pipelined  ? cosim::RouterVariant::pipelined
                       : options_.plant.empty() ? cosim::RouterVariant::plain
                                                : cosim::RouterVariant::planted;
  routers_.list.push_back(std::make_unique<network::RouterLockstep>(
      network::RouterLockstep::Options{d, at.router, config.faults.mode, config.faults.recovery, config.tables, variant,
                                       options_.plant, !options_.record.empty()}));
}

void PortWatch::Routers::link(int router, int port, bool up, int64_t cycle) {
  for (auto& r : list) r->link(router, port, up, cycle);
}
void PortWatch::Routers::router(int router, bool alive, int64_t cycle) {
  for (auto& r : list) r->router(router, alive, cycle);
}
void PortWatch::Routers::written(int router, int row, int port, int64_t cycle) {
  for (auto& r : list) r->written(router, row, port, cycle);
}
void PortWatch::Routers::heard(int router, int port, int fp, bool unheard, int64_t cycle) {
  for (auto& r : list) r->heard(router, port, fp, unheard, cycle);
}
void PortWatch::Routers::opened(int router, int port, int64_t cycle) {
  for (auto& r : list) r->opened(router, port, cycle);
}
void PortWatch::Routers::sent(int router, int port, const fault::Message& message, int64_t cycle) {
  for (auto& r : list) r->sent(router, port, message, cycle);
}
void PortWatch::Routers::arrived(int router, int port, const fault::Message& message, int64_t cycle) {
  for (auto& r : list) r->arrived(router, port, message, cycle);
}
void PortWatch::Routers::served(int router, fault::ServiceKind kind, int port, const fault::Message& message,
                                int64_t cycle) {
  for (auto& r : list) r->served(router, kind, port, message, cycle);
}
void PortWatch::Routers::known(int64_t last) {
  for (auto& r : list) r->known(last);
}

bool PortWatch::failed_here() const {
  const auto failed = [](const auto& unit) { return unit->failed(); };
  return std::any_of(ports_.begin(), ports_.end(), failed) ||
         std::any_of(routers_.list.begin(), routers_.list.end(), failed);
}

std::string PortWatch::record() const {
  return !routers_.list.empty() ? routers_.list.front()->record() : !ports_.empty() ? ports_.front()->record() : "";
}

void PortWatch::finish() {
  if (!watches_) return;
  for (auto& p : ports_) p->finish();
  for (const auto& p : ports_) compared_ += p->compared();
  for (const auto& r : routers_.list) compared_ += r->compared();
  if (exchange_ != nullptr) exchange_->sum({&compared_, 1});
  if (!options_.record.empty()) {
    const std::string text = network::first_text(exchange_, record());
    if (exchange_ == nullptr || exchange_->own() == 0) cosim::write_file(options_.record, text);
  }
  // one of the ranks that have failed tells
  std::vector<uint64_t> failed(exchange_ == nullptr ? 1 : static_cast<size_t>(exchange_->ranks()));
  const auto own = exchange_ == nullptr ? size_t{0} : static_cast<size_t>(exchange_->own());
  failed[own] = failed_here() ? 1 : 0;
  if (exchange_ != nullptr) exchange_->sum(failed);
  const auto first = static_cast<size_t>(std::find(failed.begin(), failed.end(), 1) - failed.begin());
  report_ = network::first_text(exchange_, first == own ? report_here() : "");
}

std::string PortWatch::report_here() const {
  std::error_code ignored;
  std::filesystem::create_directories("out", ignored);
  const auto failed = [](const auto& unit) { return unit->failed(); };
  const auto port = std::find_if(ports_.begin(), ports_.end(), failed);
  const auto router = std::find_if(routers_.list.begin(), routers_.list.end(), failed);
  std::string out;
  for (const std::string& line : port != ports_.end() ? (*port)->report("out") : (*router)->report("out"))
    out += line + "\n";
  return out;
}

void PortWatch::print() const {
  if (!watches_) return;
  if (failed()) return fmt::print("{}", report_);
  const std::string at = options_.at == "all" ? "all routers" : options_.at;
  if (options_.block == "fault") {
    fmt::print(
        "{} services, messages and table writes of the fault plane compared at {}: RTL, golden unit and engine "
        "agree.\n",
        compared_, at);
  } else {
    const std::string device = !options_.device_lib.empty() ? options_.device_lib + ", " : rtl() ? "RTL, " : "";
    fmt::print("{} decisions compared at {}: {}golden unit and engine agree.\n", compared_, at, device);
  }
  if (compared_ == 0) fmt::print("Nothing was compared: this is no pass.\n");
}

}  // namespace odonata::cli
