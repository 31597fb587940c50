// SPDX-License-Identifier: Apache-2.0
// SystemC: a whole torus of three dimensions (docs/torus.md §13): the data path of hw/fabric and a torus_box an input
// port. Faults are there from the start; what a router knows of them is what the golden map says, since there are no
// units of regions and walls of three dimensions.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "hw/torus/torus_box.h"
#include "hw/torus/torus_module.h"
#include "models/torus/box_route.h"

namespace odonata::torus {

/// What a test replaces by something with a planted bug; empty: the modules as they are.
struct BoxesMakers {
  std::function<std::unique_ptr<TorusBoxModule>(const char* name, hw::Tick& tick, const Torus& torus,
                                                hw::Drive<BoxInputs> pins)>
      route;
  fabric::MakeSwitch data_path;
};

/// The clock of the route units has two edges a cycle of the network, as in TorusModule.
class BoxesModule : public sc_core::sc_module {
 public:
  /// Throws Error unless the torus has three dimensions. Variant, rule and events of the parameters do not count.
  BoxesModule(const sc_core::sc_module_name& name, const TorusParameters& parameters, fabric::Source& source,
              fabric::Observer& observer, const BoxesMakers& makers = {});
  /// The cycle that has begun last; negative before the first.
  int64_t cycle() const { return static_cast<int64_t>(cycles_.cycles()) - 1 - kLead; }
  const sc_core::sc_time& period() const { return cycles_.period(); }

 private:
  class Port;
  static constexpr int64_t kLead = 4;  ///< cycles before cycle 0
  void build_routers(fabric::Source& source, fabric::Observer& observer, const BoxesMakers& makers);
  void find_links();
  void work();
  void ask();

  const TorusParameters p_;
  const BoxMap map_;
  hw::Tick units_, cycles_;
  std::vector<std::unique_ptr<fabric::Link>> links_;  ///< by node and output port
  std::vector<std::unique_ptr<fabric::SwitchModule>> routers_;
  std::vector<fabric::LinkState> states_;
  sc_core::sc_event work_, ask_;
};

}  // namespace odonata::torus
