// SPDX-License-Identifier: Apache-2.0
// SystemC: a whole torus of routers: the data path of hw/fabric, a route unit an input port, and the fault region and
// walls of every router, wired to those of its neighbours (docs/crosscheck.md §5).
#pragma once

#include <functional>
#include <memory>
#include <vector>

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
class TorusModule : public sc_core::sc_module {
 public:
  TorusModule(const sc_core::sc_module_name& name, const TorusParameters& parameters, fabric::Source& source,
              fabric::Observer& observer, const TorusMakers& makers = {});
  /// The cycle that has begun last; negative before the first.
  int64_t cycle() const { return static_cast<int64_t>(cycles_.cycles()) - 1 - lead_; }
  static constexpr int kEdges = 2;  ///< of the route units in a cycle
  /// How long a cycle takes.
  const sc_core::sc_time& period() const { return cycles_.period(); }

 private:
  class Port;
  struct Router {
    std::unique_ptr<FaultRegionModule> region;
    std::unique_ptr<TorusWallsModule> walls;
    RegionInputs region_pins;
    WallInputs wall_pins;
    bool dead = false;
    uint8_t fail_link = 0;
    std::unique_ptr<fabric::SwitchModule> data_path;
  };
  void build_faults(const TorusMakers& makers);
  void build_routers(fabric::Source& source, fabric::Observer& observer, const TorusMakers& makers);
  void fail(const Faults& faults);
  const RegionInputs& region_pins(int node);
  const WallInputs& wall_pins(int node);
  fabric::LinkState link_state(int node) const;
  void work();
  void ask();

  const TorusParameters p_;
  const int64_t lead_;
  hw::Tick units_, cycles_;
  std::vector<std::unique_ptr<fabric::Link>> links_;  ///< by 4 * node + output port
  std::vector<Router> routers_;
  size_t next_event_ = 0;
  sc_core::sc_event work_, ask_;
};

}  // namespace odonata::torus
