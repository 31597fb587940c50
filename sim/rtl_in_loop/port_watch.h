// SPDX-License-Identifier: Apache-2.0
// `odonata net --device rtl --at G.R[.P]|all [--block fault]` and `--record FILE` on a dragonfly: the units that watch
// ports of a run, or routers. With several ranks each has the units of its own groups (docs/network.md §9).
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
  /// Adds a tap for every port to the configuration; nothing on other topologies than a dragonfly. Throws Error when
  /// the options do not fit each other or the network.
  PortWatch(const PortWatchOptions& options, network::Config& config);
  /// Whether a unit of this rank has seen a difference.
  bool failed_here() const;
  /// After the run, on every rank: serves what waits, writes the record, and looks at what all ranks have found, which
  /// the following tell.
  void finish();
  bool failed() const { return !report_.empty(); }
  uint64_t compared() const { return compared_; }
  bool rtl() const { return options_.device == "rtl" || !options_.device_lib.empty(); }
  bool watches() const { return watches_; }
  /// Prints what was compared, or the mismatch.
  void print() const;
  /// Nothing is watched, or something was compared and nothing differed.
  bool good() const { return !watches_ || (!failed() && compared_ != 0); }

 private:
  /// A router, and a port of it; -1: all.
  struct Position {
    RouterId router;
    int port = -1;
  };
  /// The fault planes of several routers hear the same.
  class Routers final : public network::FaultTap {
   public:
    std::vector<std::unique_ptr<network::RouterLockstep>> list;
    void link(int router, int port, bool up, int64_t cycle) override;
    void router(int router, bool alive, int64_t cycle) override;
    void written(int router, int row, int port, int64_t cycle) override;
    void heard(int router, int port, int fp, bool unheard, int64_t cycle) override;
    void opened(int router, int port, int64_t cycle) override;
    void sent(int router, int port, const fault::Message& message, int64_t cycle) override;
    void arrived(int router, int port, const fault::Message& message, int64_t cycle) override;
    void served(int router, fault::ServiceKind kind, int port, const fault::Message& message, int64_t cycle) override;
    void known(int64_t last) override;
  };
  std::vector<Position> positions(const Dragonfly& d) const;
  void watch_ports(network::Config& config, const Dragonfly& d, const Position& at);
  void check_fault_planes(const network::Config& config) const;
  void watch_router(const network::Config& config, const Dragonfly& d, const Position& at);
  std::string record() const;
  std::string report_here() const;

  PortWatchOptions options_;
  network::Exchange* exchange_ = nullptr;
  bool watches_ = false;
  std::vector<std::unique_ptr<network::PortLockstep>> ports_;  // of this rank
  Routers routers_;
  std::string report_;  // empty: all agree
  uint64_t compared_ = 0;
};

}  // namespace odonata::cli
