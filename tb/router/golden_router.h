// SPDX-License-Identifier: Apache-2.0
// A router made of golden units, wired as docs/router.md section 3 says, and traffic for it.
#pragma once

#include <memory>
#include <vector>

#include "models/congestion/golden_device.h"
#include "models/route_compute/golden_device.h"
#include "models/router/golden_device.h"
#include "models/router/router_pins.h"
#include "tb/route_compute/config_driver.h"
#include "tb/router/stimulus.h"

namespace odonata::cosim {

/// A wire that goes to the wrong place: the lockstep has to see it.
enum class WrongWire { none, next_map, next_busy_map, live_links, cut_asks, dead_asks, no_tails, departed_as_sent, next_port_configured, count };

/// The golden data path, route-compute units and congestion plane of one router.
class GoldenRouter final : public CycleDevice<router::RouterInputs, router::RouterOutputs> {
 public:
  GoldenRouter(const Dragonfly& d, const router::DataConfig& config, WrongWire wrong = WrongWire::none);
  void step(const router::RouterInputs& in, router::RouterOutputs& out) override;
  std::vector<std::string> describe() const override { return data_.describe(); }

 private:
  /// The configuration operation that waits for its unit.
  struct Operation {
    bool valid = false, write = false;
    int unit = 0;
    uint16_t address = 0;
    uint64_t data = 0;
  };
  int chosen() const;
  uint64_t header(const router::RouterInputs& in, int port) const { return in.in_flit[in_words_ * port]; }
  bool offered(int unit) const { return operation_.valid && chosen() == unit; }
  route_compute::UnitInputs route_pins(const router::RouterInputs& in, int port) const;
  congestion::PlaneInputs plane_pins(const router::RouterInputs& in);
  void count(const router::RouterInputs& in, congestion::RouterEvents& events);
  router::DataInputs data_pins(const router::RouterInputs& in) const;

  Dragonfly d_;
  int ports_, in_words_;
  WrongWire wrong_;
  router::GoldenData data_;
  std::vector<route_compute::GoldenDevice> route_;
  congestion::GoldenPlane plane_;
  // What the units showed before the coming edge.
  router::DataOutputs data_out_;
  std::vector<route_compute::UnitOutputs> route_out_;
  congestion::PlaneOutputs plane_out_;
  Operation operation_;
  bool busy_ = false, acknowledged_ = false, refused_ = false;
  // The plane of the models takes one event a VC: packets and credits of a port go to whichever of its four counters; only their sum is looked at.
  std::vector<std::array<int, 4>> in_use_;
};

/// First reset and configuration of a router, then traffic with destinations that exist, frames, failing links and configuration reads.
class RouterTraffic final : public Stimulus<router::RouterInputs, router::RouterOutputs> {
 public:
  RouterTraffic(const Dragonfly& d, const router::DataConfig& config, const DataDemand& demand, uint64_t seed);
  bool next(const router::RouterOutputs& last, router::RouterInputs& in) override;

 private:
  struct Write {
    int unit;
    ConfigOperation operation;
  };
  Dragonfly d_;
  int ports_, words_;
  DataTraffic data_;
  Random random_;
  std::vector<Write> writes_;
  bool started_ = false;
  size_t at_ = 0;
  PortMap down_ = 0;
};

}  // namespace odonata::cosim
