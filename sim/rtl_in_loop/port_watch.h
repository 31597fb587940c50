// SPDX-License-Identifier: Apache-2.0
// `odonata net --device rtl --at G.R[.P] [--block fault]` and `--record FILE` on a dragonfly: the units that watch ports of a run, or a router.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/network/config.h"
#include "sim/rtl_in_loop/port_lockstep.h"
#include "sim/rtl_in_loop/router_lockstep.h"

namespace odonata::cli {

struct PortWatchOptions {
  std::string device = "none", at, plant, record, block = "route_compute", device_lib;
};

class PortWatch {
 public:
  /// Adds a tap for every port to the configuration; nothing on other topologies than a dragonfly. Throws Error when the options do not fit each
  /// other or the network.
  PortWatch(const PortWatchOptions& options, network::Config& config);
  bool failed() const;
  /// After the run: serves what waits and writes the record.
  void finish();
  uint64_t compared() const;
  bool rtl() const { return options_.device == "rtl" || !options_.device_lib.empty(); }
  bool watches() const { return !ports_.empty() || router_; }
  /// Prints what was compared, or the mismatch. Returns whether all is well.
  void print() const;
  /// Nothing is watched, or something was compared and nothing differed.
  bool good() const;

 private:
  PortWatchOptions options_;
  std::vector<std::string> report() const;
  void watch_ports(network::Config& config, RouterId router, int port);
  void watch_router(network::Config& config, RouterId router, int port);
  std::vector<std::unique_ptr<network::PortLockstep>> ports_;
  std::unique_ptr<network::RouterLockstep> router_;
};

}  // namespace odonata::cli
