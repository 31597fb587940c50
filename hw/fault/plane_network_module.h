// SPDX-License-Identifier: Apache-2.0
// SystemC: the fault planes of all routers of a dragonfly, joined by links with latencies, without data traffic
// (docs/fault.md §6.4, §7). Agrees with models/fault/plane_network service by service and message by message, in the
// same cycles.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "hw/fault/fault_plane.h"
#include "models/fault/fault_name.h"
#include "models/fault/plane_network.h"

namespace odonata::fault {

/// A cable between two planes: two directions, each with its messages or frames in flight. With the link level both
/// ends number, acknowledge and repeat.
class FaultLinkModule : public sc_core::sc_module {
 public:
  using Socket = tlm_utils::simple_target_socket_tagged<FaultLinkModule, hw::kBusWidth>;
  using OutSocket = tlm_utils::simple_initiator_socket<FaultLinkModule, hw::kBusWidth>;
  /// The two ends, by router index and port; end 0 sends in direction 0. `latency` >= 1 cycles.
  struct End {
    int router = 0, port = 0;
  };
  FaultLinkModule(const sc_core::sc_module_name& name, const Dragonfly& d, std::array<End, 2> ends, int latency,
                  const LinkLevel& level);

  Socket& from(int end) { return *in_[end]; }    ///< what the plane at `end` sends
  OutSocket& to(int end) { return *out_[end]; }  ///< what it receives
  const End& end(int i) const { return ends_[i]; }
  int latency() const { return latency_; }

  /// The cycle `c` is over: what was handed over in it goes on the wire.
  void send(int64_t cycle);
  /// The link is up or down from the next edge on.
  void set_up(bool up);
  /// What the next edge, that of `cycle`, samples at both ends; `arrived` hears of every message.
  void deliver(int64_t cycle, const std::function<void(int direction, int64_t sent, uint32_t message)>& arrived);
  uint64_t frames_dropped() const { return link_[0].dropped() + link_[1].dropped(); }
  uint64_t frames_sent_again() const { return link_[0].sent_again() + link_[1].sent_again(); }

 private:
  struct InFlight {
    int64_t sent;
    uint64_t word;
  };
  void take(int end, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void hand(int end, uint32_t message);
  const std::array<End, 2> ends_;
  const int latency_;
  const LinkLevel level_;
  std::array<std::unique_ptr<Socket>, 2> in_;
  std::array<std::unique_ptr<OutSocket>, 2> out_;
  std::array<std::deque<uint32_t>, 2> handed_;  ///< by sender, in this cycle
  std::array<std::deque<InFlight>, 2> flying_;  ///< by sender
  std::array<LinkEnd, 2> link_;
  bool up_ = true;
};

class FaultPlaneNetworkModule : public sc_core::sc_module {
 public:
  /// Makes the plane of a router; the default makes a StructuralFaultPlane.
  using MakePlane = std::function<std::unique_ptr<FaultPlane>(const char* name, hw::Tick& tick, const Dragonfly& d,
                                                              const FaultRouterConfig& config, int router)>;
  /// `faults` in any order; of one cycle in the order given. Link latencies have to be at least 1. The network is quiet
  /// and configured before cycle 0.
  FaultPlaneNetworkModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                          const Parameters& parameters, std::vector<ScheduledFault> faults, const MakePlane& make = {});

  /// The cycle of the last edge; negative until the network has been reset.
  int64_t cycle() const { return static_cast<int64_t>(tick_.cycles()) - origin_; }
  /// No fault is to come, no unit works, no scheduler, nothing is on a wire since `quiet_cycles` cycles.
  int64_t quiet_cycles() const { return cycle() - last_activity_; }
  bool faults_done() const { return next_fault_ == faults_.size(); }
  FaultPlane& plane(int router) { return *planes_[router]; }
  bool link_up(int router, int port) const { return up_[router] >> port & 1; }
  bool alive(int router) const { return alive_[router] != 0; }
  /// A word of a plane's configuration socket (plane_map), without time.
  uint64_t read(int router, uint32_t address);

  /// In the order of their start; `end`, `source` are not known here.
  const std::vector<Service>& services() const { return services_; }
  /// In the order of their arrival; `service` is not known here.
  const std::vector<Transfer>& transfers() const { return transfers_; }
  uint64_t frames_dropped() const;
  uint64_t frames_sent_again() const;

 private:
  using Initiator = tlm_utils::simple_initiator_socket<FaultPlaneNetworkModule, hw::kBusWidth>;
  void half();
  void look(int router);
  void drive_route_traffic(int64_t cycle);
  void apply_faults(int64_t cycle);
  void set_alive(int router, bool alive);
  void update_links();
  void drive_links(int router);
  bool state(int router, int port) const;

  hw::Tick& tick_;
  const Dragonfly d_;
  const Parameters p_;
  const int64_t origin_;
  std::vector<ScheduledFault> faults_;
  size_t next_fault_ = 0;
  std::vector<std::unique_ptr<FaultPlane>> planes_;
  std::vector<std::unique_ptr<FaultLinkModule>> links_;
  std::vector<std::unique_ptr<Initiator>> event_sockets_, config_sockets_;  ///< by router
  std::vector<std::unique_ptr<FaultLinkModule>> unused_;                    ///< ends of ports without a cable
  std::vector<uint8_t> alive_;
  std::vector<PortMap> failed_, up_;
  std::vector<uint8_t> joins_;  ///< a router that has died joins a running network
  std::vector<Service> services_;
  std::vector<Transfer> transfers_;
  int64_t last_activity_ = 0;
  sc_core::sc_event half_;
};

/// What planes have done, and what went over their links.
struct PlaneRecord {
  std::vector<Service> services;
  std::vector<Transfer> transfers;
};

/// The first difference between what a model has recorded (`want`) and what SystemC has done (`have`), in words; empty
/// when all services and messages are the same, in the same cycles. With nothing to compare it says so. Only what
/// happened before cycle `end` counts; ends and sources of services are not compared.
std::string compare_records(const Dragonfly& d, const PlaneRecord& want, const PlaneRecord& have,
                            int64_t end = INT64_MAX);
std::string compare_with_model(const FaultPlaneNetwork& model, const FaultPlaneNetworkModule& network,
                               int64_t end = INT64_MAX);

}  // namespace odonata::fault
