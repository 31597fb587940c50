// SPDX-License-Identifier: Apache-2.0
// What the comparisons of a dragonfly have in common: the run, the traffic, the network's parameters, names.
#pragma once

#include <memory>

#include "hw/router/router_device.h"
#include "sim/network/config.h"
#include "tb/network/happenings.h"
#include "tb/network/packet_ways.h"

namespace odonata::cosim {

/// The engine's configuration for a comparison over so many cycles. Throws Error for what cannot be compared.
network::Config engine_config(const network::Config& config, uint64_t cycles);
/// The network's, of the hardware.
router::Parameters parameters_of(const network::Config& config);
/// The packets of the engine's traffic: only the processes of the nodes are shared with it.
std::unique_ptr<router::Source> shared_traffic(const network::Config& config);
WayNames names_of(const Dragonfly& d);

/// Both sides, cycle by cycle; stops at the first cycle that differs.
class Comparison {
 public:
  Comparison(const Dragonfly& d, CrossCheckResult& result) : names_(names_of(d)), result_(result) {}
  void add(int64_t cycle, Happenings engine, Happenings routers);

 private:
  static constexpr size_t kShown = 6;  // of what one side has alone
  void describe(int64_t cycle, const Happenings& engine, const Happenings& routers);
  std::string words(const Happening& h) const;
  void count(const Happening& h);

  const WayNames names_;
  CrossCheckResult& result_;
};

/// The engine and whole routers as devices with nothing but wires between them (docs/crosscheck.md §6).
/// `devices.around` is engine.
CrossCheckResult crosscheck_wires(const network::Config& config, uint64_t cycles, const RouterDevices& devices,
                                  const std::function<bool(double)>& go_on);
/// Builds the whole routers of a level, or one with a planted bug. Throws Error when there are none of this size.
router::MakeRouterDevice router_devices(const network::Config& config, const RouterDevices& devices);

}  // namespace odonata::cosim
