// SPDX-License-Identifier: Apache-2.0
#include "sim/network/port_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "models/common/error.h"
#include "sim/common/options.h"

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
  if (!rtl() && options.record.empty()) {
    if (!options.at.empty() || !options.plant.empty()) throw Error("--at and --plant belong to --device rtl or --record");
    return;
  }
  if (options.at.empty()) throw Error("--device rtl and --record need --at GROUP.ROUTER or GROUP.ROUTER.PORT");
  if (!rtl() && !options.plant.empty()) throw Error("--plant belongs to --device rtl");
  const Dragonfly& d = config.dragonfly;
  const Position at = parse_position(d, options.at);
  if (!options.record.empty() && at.port < 0) throw Error("--record " + options.record + ": records one port, expected --at GROUP.ROUTER.PORT");
  for (int port = 0; port < d.num_ports(); ++port) {
    if (at.port >= 0 && port != at.port) continue;
    ports_.push_back(std::make_unique<network::PortLockstep>(
        network::PortLockstep::Options{d, at.router, port, config.tables, rtl(), options.plant, !options.record.empty()}));
    config.taps.push_back({d.router_index(at.router), port, ports_.back().get()});
  }
}

bool PortWatch::failed() const {
  return std::any_of(ports_.begin(), ports_.end(), [](const auto& p) { return p->failed(); });
}

void PortWatch::finish() {
  for (auto& p : ports_) p->finish();
  if (!options_.record.empty()) cosim::write_file(options_.record, ports_.front()->record());
}

uint64_t PortWatch::compared() const {
  uint64_t sum = 0;
  for (const auto& p : ports_) sum += p->compared();
  return sum;
}

bool PortWatch::print() const {
  if (ports_.empty()) return true;
  for (const auto& p : ports_) {
    if (!p->failed()) continue;
    std::error_code ignored;
    std::filesystem::create_directories("out", ignored);
    for (const std::string& line : p->report("out")) fmt::print("{}\n", line);
    return false;
  }
  fmt::print("{} decisions compared at {}: {}, golden unit and engine agree.\n", compared(), options_.at, rtl() ? "RTL" : "no RTL");
  if (compared() == 0) fmt::print("Nothing was compared: this is no pass.\n");
  return compared() != 0;
}

}  // namespace odonata::cli
