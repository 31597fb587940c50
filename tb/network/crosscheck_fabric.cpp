// SPDX-License-Identifier: Apache-2.0
#include "tb/network/crosscheck_fabric.h"

#include <utility>

#include "models/common/error.h"
#include "sim/network/routing.h"
#include "sim/network/topology.h"
#include "tb/network/data_path_plants.h"

namespace odonata::cosim {

using network::Config;

Config fabric_config(const Config& config, uint64_t cycles) {
  Config c = config;
  if (c.trace) throw Error("cross-check: a traffic pattern is compared, no trace");
  c.route_compute = network::RouteCompute::arrival;
  c.hardware.reset();
  c.threads = 1;
  c.taps.clear();
  c.warmup = c.drain = 0;
  c.sample = cycles;
  network::check_parts(c);
  c.router.vcs = network::virtual_channels(c);
  return c;
}

fabric::SwitchParameters data_path_of(const Config& c) {
  fabric::SwitchParameters p;
  p.vcs = c.router.vcs;
  p.phases = c.router.phases;
  p.output_fifo = c.router.output_fifo;
  p.cut_through = c.router.switching == network::Switching::cut_through;
  return p;
}

// ---- planted bugs of the data path

namespace {

using fabric::SwitchModule;

/// A head enters a virtual channel through which a packet is still on its way.
class SharedChannel : public SwitchModule {
 public:
  using SwitchModule::SwitchModule;

 protected:
  bool may_enter(const Port&, int) const override { return true; }
};

template <class Switch>
fabric::MakeSwitch make_switch() {
  return [](auto&&... arguments) { return std::make_unique<Switch>(std::forward<decltype(arguments)>(arguments)...); };
}

}  // namespace

const std::map<std::string, fabric::MakeSwitch>& data_path_plants() {
  static const std::map<std::string, fabric::MakeSwitch> list{
      {"early-credit", make_switch<EarlyCredit<SwitchModule>>()},
      {"missing-slot", make_switch<OtherBuffer<SwitchModule, -1>>()},
      {"spare-slot", make_switch<OtherBuffer<SwitchModule, 1>>()},
      {"unfair-input", make_switch<UnfairInput<SwitchModule>>()},
      {"shared-channel", make_switch<SharedChannel>()},
      {"open-end", make_switch<OpenEnd<SwitchModule>>()},
  };
  return list;
}

}  // namespace odonata::cosim
