// SPDX-License-Identifier: Apache-2.0
// SystemC: a whole dragonfly of routers built from the SystemC modules of the blocks (docs/network.md §11).
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <vector>

#include "hw/router/router.h"

namespace odonata::router {

/// Builds a router's congestion plane; null: that of the modules.
using MakePlane = std::function<std::unique_ptr<congestion::CongestionPlane>(const char* name, hw::Tick& tick,
                                                                             const Dragonfly& d, int router)>;
/// Builds a router's fault plane and tells its core, null when the marks are somewhere else; a test plants a bug by
/// giving another one. No plane: that of the modules.
struct FaultPart {
  std::unique_ptr<fault::FaultPlane> plane;
  const fault::FaultRouterModule* router = nullptr;
};
using MakeFaultPart = std::function<FaultPart(const char* name, hw::Tick& tick, const Dragonfly& d,
                                              const fault::FaultRouterConfig& config, int router)>;
using MakeRouter = std::function<std::unique_ptr<RouterModule>(
    const char* name, hw::Tick& tick, const Parameters& parameters, int router, Source& source, Observer& observer,
    congestion::CongestionPlane& plane, const fault::FaultPlane& fault_plane,
    const fault::FaultRouterModule* fault_router, const MakePipeline& make)>;
/// What is replaced by a device, or by something with a planted bug; empty: the modules as they are.
struct Makers {
  MakePipeline pipeline;
  MakePlane plane;
  MakeFaultPart fault_part;
  MakeRouter router;
};

/// All routers, the congestion plane of every group, the fault planes of docs/fault.md §6.4, and the links. Cycle n
/// begins with edge n; the first `lead()` edges reset and configure.
class DragonflyModule : public sc_core::sc_module {
 public:
  DragonflyModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Parameters& parameters, Source& source,
                  Observer& observer, const Makers& makers = {});
  /// Cycle of the last edge; negative until the network is configured.
  int64_t cycle() const { return faults_->cycle(); }
  /// Edges before cycle 0.
  int64_t lead() const { return -faults_->cycle(); }
  const fault::FaultPlaneNetworkModule& faults() const { return *faults_; }
  /// Packets in buffers and output FIFOs.
  uint64_t waiting() const;

 private:
  using Initiator = tlm_utils::simple_initiator_socket<DragonflyModule, hw::kBusWidth>;
  void build_congestion(hw::Tick& tick, const MakePlane& make);
  void build_faults(hw::Tick& tick, const MakeFaultPart& make);
  void build_routers(hw::Tick& tick, Source& source, Observer& observer, const Makers& makers);
  void build_links();
  void work();
  void load();
  void start_planes();
  RouterModule::LinkState link_state(int router) const;

  const Parameters p_;
  const Dragonfly d_;
  std::vector<congestion::CongestionPlane*> planes_;   ///< by router
  std::vector<congestion::StructuralPlane*> modules_;  ///< by router; null: configured somewhere else
  std::vector<std::unique_ptr<congestion::GroupCongestionPlane>> groups_;
  std::vector<std::unique_ptr<Initiator>> sockets_;
  std::vector<const fault::FaultRouterModule*> fault_routers_;
  std::unique_ptr<fault::FaultPlaneNetworkModule> faults_;
  std::vector<std::unique_ptr<RouterModule>> routers_;
  std::vector<std::unique_ptr<Link>> links_;
  sc_core::sc_time period_;
  sc_core::sc_event work_, load_;
};

}  // namespace odonata::router
