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
class BoxesModule : public fabric::NetworkModule {
 public:
  /// Throws Error unless the torus has three dimensions. Variant, rule and events of the parameters do not count.
  BoxesModule(const sc_core::sc_module_name& name, const TorusParameters& parameters, fabric::Source& source,
              fabric::Observer& observer, const BoxesMakers& makers = {});

 private:
  class Port;
  static constexpr int64_t kLead = 4;  ///< cycles before cycle 0
  void find_links();
  void work_in(int64_t now) override;
  void ask_in(int64_t now) override;

  const TorusParameters p_;
  const BoxMap map_;
  DataPaths data_paths_;
  std::vector<fabric::LinkState> states_;
};

}  // namespace odonata::torus
