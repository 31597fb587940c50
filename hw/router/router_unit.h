// SPDX-License-Identifier: Apache-2.0
// SystemC: a whole router behind the pins of docs/router.md §3.1, put together from the modules of its blocks: a
// route-compute pipeline and a port unit of the fault plane a port, with the table RAM that they share, scheduler and
// ring, the congestion plane, link ends, the data path.
//
//   edge      pins -> route compute, congestion plane, fault plane, link ends, configuration:
//             each by what the others showed before
//   settled   their registers have loaded
//   arranged  writes of tables wait for busy port units -> data path: the answers and messages that this edge has made
//   finished  pins
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "hw/common/module_device.h"
#include "hw/congestion/congestion_plane.h"
#include "hw/fault/link_end_module.h"
#include "hw/fault/router_module.h"
#include "hw/fault/shared_table_ram.h"
#include "hw/route_compute/pipeline.h"
#include "hw/router/data_path.h"
#include "models/router/router_pins.h"

namespace odonata::router {

/// As the parameters of the RTL (docs/router.md §3.1).
struct RouterOptions {
  int table_ports = 2;
  bool frames = false;
  bool pipelined = false;  ///< the fault plane
};

/// Registers of the router's own, between its blocks.
struct RouterUnitRegisters {
  /// The configuration operation that waits for its unit.
  struct Operation {
    bool valid = false, write = false;
    int unit = 0;
    uint16_t address = 0;
    uint64_t data = 0;
  };
  Operation operation;
  bool busy = false;     ///< from the edge that takes an operation to its acknowledgement
  bool refused = false;  ///< the operation named no unit
  PortMap down = 0;      ///< links that the last edge has sampled as dead
  /// Credits on their way to the monitors, by port and VC: two a cycle and VC.
  std::vector<std::array<int, kNumVcs>> backlog;
  /// The monitors take one packet and one credit a VC and cycle, and only the sum of a port is looked at: what is on
  /// each of its counters.
  std::vector<std::array<int, kNumVcs>> counted;
};

class RouterUnitModule : public hw::ClockedModule<RouterUnitRegisters> {
 public:
  RouterUnitModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d, const DataConfig& config,
                   const RouterOptions& options, hw::Drive<RouterInputs> pins);
  ~RouterUnitModule() override;
  /// The pins, some delta cycles after the edge.
  const RouterOutputs& out() const { return out_; }
  /// Notified when out() shows what the edge has made.
  const sc_core::sc_event& published() const { return published_; }
  void trace(sc_core::sc_trace_file* file) const override;

 protected:
  // What goes from block to block. Virtual, so that a test can plant a bug.
  virtual route_compute::UnitInputs route_pins(int port);
  virtual fault::RouterInputs fault_pins();
  virtual DataInputs data_pins();
  virtual fault::LinkInputs link_pins(int port);
  virtual congestion::PlaneInputs plane_pins();
  /// What the present edge samples.
  const RouterInputs& pins();
  const Dragonfly& dragonfly() const { return d_; }
  int ports() const { return d_.num_ports(); }

 private:
  class Route;
  class Plane;
  bool framed(int port) const { return options_.frames && port >= d_.p(); }
  bool is_network(int port) const { return port >= d_.p(); }
  uint64_t header(int port) { return pins().in_flit[static_cast<size_t>(config_.words * port)]; }
  int chosen() const;
  bool offered(int unit) const { return now().operation.valid && chosen() == unit; }
  bool taken() const;
  void configure();
  void sample_links();
  void count(congestion::RouterEvents& events);
  void arrange();
  void finish();
  void show();
  void show_slots();
  void show_fault_plane();
  void show_plane();
  void show_answers();
  bool tells(int port) const;

  const Dragonfly d_;
  const DataConfig config_;
  const RouterOptions options_;
  const hw::Drive<RouterInputs> drive_;
  RouterInputs in_;
  sc_core::sc_time sampled_at_;
  // One storage a block of what it samples.
  congestion::PlaneInputs plane_in_;
  fault::RouterInputs fault_in_;
  sc_core::sc_time fault_in_at_;
  std::vector<fault::LinkInputs> link_in_;
  DataInputs data_in_;

  std::vector<std::unique_ptr<Route>> routes_;
  std::unique_ptr<Plane> plane_;
  std::vector<std::unique_ptr<fault::FaultLinkEndModule>> links_;
  std::vector<fault::SharedTableRam*> rams_;  // of the fault plane
  std::unique_ptr<fault::FaultRouterModule> fault_;
  sc_core::sc_event arranged_, moved_, finished_, published_;
  std::unique_ptr<DataPathModule> data_;
  RouterOutputs out_;
};

/// `Module` is RouterUnitModule or, in tests, a subclass with a planted bug.
template <class Module>
struct BasicRouterUnitDevice final : hw::ModuleDevice<Module, RouterInputs, RouterOutputs> {
  BasicRouterUnitDevice(const Dragonfly& d, const DataConfig& config, const RouterOptions& options = {})
      : hw::ModuleDevice<Module, RouterInputs, RouterOutputs>([&](hw::Tick& tick, hw::Drive<RouterInputs> pins) {
          return std::make_unique<Module>("router", tick, d, config, options, std::move(pins));
        }) {}
};
using RouterUnitDevice = BasicRouterUnitDevice<RouterUnitModule>;

}  // namespace odonata::router
