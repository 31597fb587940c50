// SPDX-License-Identifier: Apache-2.0
// Traffic, faults and configuration for a whole router: neighbours that keep the rules of docs/router.md §2.6 and §3.3.
#pragma once

#include <memory>
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

struct RouterDemand {
  DataDemand data;
  FaultDemand faults;
};
DataDemand steady_traffic(double load, int packet, int credit_delay);
DataDemand dying_traffic(double load, double deaths, double repairs);
FaultDemand trouble(double falls, double repairs, double messages, double rewrites, bool safe = true,
                    bool port_level = false);
/// Failing and repaired links, messages, configuration, deaths: rare and often, in both modes and recoveries.
std::vector<RouterDemand> troubled();

/// First reset and configuration of a router, then traffic with destinations that exist, frames, failing links,
/// messages of the neighbours, deaths, and configuration while all of this goes on.
class RouterTraffic final : public Stimulus<router::RouterInputs, router::RouterOutputs> {
 public:
  RouterTraffic(const Dragonfly& d, const router::DataConfig& config, const DataDemand& demand,
                const FaultDemand& faults, uint64_t seed);
  bool next(const router::RouterOutputs& last, router::RouterInputs& in) override;
  /// The first configuration is over.
  bool configured() const { return configured_; }

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

/// One such router after the other, each from its reset on, with so many cycles of traffic: the troubled ones in turn.
class RouterEpisodes final : public Stimulus<router::RouterInputs, router::RouterOutputs> {
 public:
  RouterEpisodes(const Dragonfly& d, const router::DataConfig& config, uint64_t cycles, uint64_t seed);
  bool next(const router::RouterOutputs& last, router::RouterInputs& in) override;

 private:
  Dragonfly d_;
  router::DataConfig config_;
  uint64_t cycles_, seed_, episodes_ = 0;
  std::vector<RouterDemand> demands_;
  std::unique_ptr<RouterTraffic> now_;
  uint64_t left_ = 0;
};

}  // namespace odonata::cosim
