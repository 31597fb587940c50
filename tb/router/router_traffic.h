// SPDX-License-Identifier: Apache-2.0
// Traffic, faults and configuration for a whole router: neighbours that keep the rules of docs/router.md §2.6 and §3.3.
#pragma once

#include <vector>

#include "models/fault/link_unit.h"
#include "models/router/router_pins.h"
#include "tb/route_compute/config_driver.h"
#include "tb/router/stimulus.h"

namespace odonata::cosim {

/// What happens around the fault plane; probabilities a cycle.
struct FaultDemand {
  double falls = 1.0 / 60;     ///< some link changes its state
  double repairs = 1.0 / 300;  ///< all links come up
  double messages = 0;         ///< an FD or FR in a free slot of a network port
  double rewrites = 0;         ///< a configuration operation is offered
  bool safe = true, port_level = false;
  bool frames = false;  ///< messages ride in frames; some are damaged or lost
};

/// First reset and configuration of a router, then traffic with destinations that exist, frames, failing links, messages of the neighbours, deaths,
/// and configuration while all of this goes on.
class RouterTraffic final : public Stimulus<router::RouterInputs, router::RouterOutputs> {
 public:
  RouterTraffic(const Dragonfly& d, const router::DataConfig& config, const DataDemand& demand, const FaultDemand& faults, uint64_t seed);
  bool next(const router::RouterOutputs& last, router::RouterInputs& in) override;

 private:
  struct Write {
    int unit;
    ConfigOperation operation;
  };
  bool configure(const router::RouterOutputs& last, router::RouterInputs& in);
  void new_operation();
  bool move_flits(const router::RouterOutputs& last, router::RouterInputs& in);
  void change_links(router::RouterInputs& in);
  void send_messages(const router::RouterOutputs& last, router::RouterInputs& in);
  void send_in_frames(const router::RouterOutputs& last, router::RouterInputs& in);
  uint32_t message();
  void send_frames(router::RouterInputs& in);
  int below(int n) { return static_cast<int>(random_.below(static_cast<uint32_t>(n))); }

  Dragonfly d_;
  int ports_, words_;
  DataTraffic data_;
  FaultDemand faults_;
  Random random_;
  std::vector<Write> tables_;  ///< the first configuration
  std::vector<Write> writes_;  ///< what is offered, one after the other
  bool started_ = false, configured_ = false;
  size_t at_ = 0;
  PortMap down_ = 0;
  /// The other end of a port's link, and what it showed since the last edge.
  struct LinkEnd {
    fault::LinkUnit unit;
    fault::LinkOutputs out;
  };
  std::vector<LinkEnd> ends_;
};

}  // namespace odonata::cosim
