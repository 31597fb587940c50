// SPDX-License-Identifier: Apache-2.0
// SystemC: a whole torus of routers: the data path of hw/fabric, a route unit an input port, and the fault region and
// walls of every router, wired to those of its neighbours (docs/crosscheck.md §5).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "hw/fabric/network_module.h"
#include "hw/fabric/switch_module.h"
#include "hw/torus/fault_region.h"
#include "hw/torus/torus_route.h"
#include "hw/torus/torus_walls.h"

namespace odonata::torus {

/// The network, as far as its routers ask.
struct TorusParameters {
  explicit TorusParameters(const Torus& t) : torus(t) {}
  Torus torus;
  Variant variant = Variant::kSafe6Ring;
  Rule rule = Rule::kAny;
  fabric::SwitchParameters data_path;
  int node_buffer = 128, link_buffer = 128;  ///< flits a virtual channel
  int link_latency = 1;                      ///< cycles
  Faults standing;                           ///< from the start
  struct Event {
    int64_t cycle = 0;
    Faults faults;
  };
  std::vector<Event> events;  ///< at run time
};

/// The data paths of all routers and what is between them.
struct DataPaths {
  std::vector<std::unique_ptr<fabric::Link>> links;  ///< by ports() * node + output port
  std::vector<std::unique_ptr<fabric::SwitchModule>> routers;
};
/// `make_unit` makes the route unit of an input port, `make` the data paths.
DataPaths build_routers(const TorusParameters& parameters,
                        const std::function<std::unique_ptr<fabric::RouteUnit>(int node, int port)>& make_unit,
                        const fabric::MakeSwitch& make, fabric::Source& source, fabric::Observer& observer);

/// What a test replaces by something with a planted bug; empty: the modules as they are.
struct TorusMakers {
  std::function<std::unique_ptr<TorusRouteModule>(const char* name, hw::Tick& tick, const Torus& torus, Variant variant,
                                                  hw::Drive<RouteInputs> pins, int node, int port)>
      route;
  std::function<std::unique_ptr<FaultRegionModule>(const char* name, hw::Tick& tick, hw::Drive<RegionInputs> pins)>
      region;
  fabric::MakeSwitch data_path;
};

/// The clock of the route units has two edges a cycle of the network: a head that arrives in a cycle is routed at its
/// end, as the paper's routers do. Fault regions and walls have an edge a cycle. Before cycle 0 they come to rest about
/// the standing faults.
class TorusModule : public fabric::NetworkModule {
 public:
  TorusModule(const sc_core::sc_module_name& name, const TorusParameters& parameters, fabric::Source& source,
              fabric::Observer& observer, const TorusMakers& makers = {});
  static constexpr int kEdges = 2;  ///< of the route units in a cycle

 private:
  class Port;
  struct Router {
    std::unique_ptr<FaultRegionModule> region;
    std::unique_ptr<TorusWallsModule> walls;
    RegionInputs region_pins;
    WallInputs wall_pins;
    bool dead = false;
    uint8_t fail_link = 0;
  };
  void build_faults(const TorusMakers& makers);
  void fail(const Faults& faults);
  const RegionInputs& region_pins(int node);
  const WallInputs& wall_pins(int node);
  fabric::LinkState link_state(int node) const;
  void work_in(int64_t now) override;
  void ask_in(int64_t now) override;

  const TorusParameters p_;
  std::vector<Router> routers_;
  DataPaths data_paths_;
  size_t next_event_ = 0;
};

}  // namespace odonata::torus
