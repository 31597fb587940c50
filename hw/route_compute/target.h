// SPDX-License-Identifier: Apache-2.0
// The route-compute unit as the outside sees it: three TLM-2.0 target sockets, whatever core is inside
// (docs/systemc.md).
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <deque>

#include "hw/common/config_queue.h"
#include "hw/common/edge_input.h"
#include "hw/common/memory_map.h"
#include "hw/route_compute/extension.h"
#include "hw/route_compute/shadow.h"
#include "hw/route_compute/unit_pins.h"

namespace odonata::route_compute {

inline constexpr int kLatency =
    4;  ///< cycles from the edge that samples a request to its response (docs/route_compute.md §3)

/// Addresses of the congestion socket, in bytes.
namespace congestion_map {
inline constexpr uint32_t kLocal = 0;   ///< 8 bytes: bit k = physical port k is congested or failed
inline constexpr uint32_t kGlobal = 8;  ///< 64 bytes: bit j = group-wide global port j is
inline constexpr uint32_t kBusyLocal = 72, kBusyGlobal = 80;  ///< the same by the second threshold
inline constexpr uint32_t kLocalBytes = 8, kGlobalBytes = 64, kEnd = 144;
}  // namespace congestion_map

/// Turns transactions into the pins of each rising edge and the pins into responses. A subclass supplies the clocked
/// core: at every edge it calls drive(), lets its core sample the pins, and calls deliver() with the outputs.
///
/// What a transaction changes at time t is seen by the first edge after t, never by an edge at t itself.
class RouteComputeTarget : public sc_core::sc_module, protected UnitPins {
 public:
  template <unsigned BusWidth>
  using TargetSocket = tlm_utils::simple_target_socket<RouteComputeTarget, BusWidth>;

  /// Route requests: base protocol with RouteExtension, nb_transport (approximately timed) or b_transport.
  TargetSocket<hw::kBusWidth> route_socket{"route_socket"};
  /// Tables and registers: b_transport (takes the cycles that the unit needs), transport_dbg (takes none).
  TargetSocket<hw::kBusWidth> config_socket{"config_socket"};
  /// Congestion maps: b_transport, transport_dbg.
  TargetSocket<hw::kBusWidth> congestion_socket{"congestion_socket"};

  /// Holds the unit in reset from the next edge on, or releases it. Requests in flight and configuration operations
  /// taken but not acknowledged end with TLM_GENERIC_ERROR_RESPONSE; those that the unit has not sampled yet stay
  /// offered.
  void set_reset(bool active) { reset_.drive(active); }

  const Dragonfly& dragonfly() const { return dragonfly_; }
  /// The pins at the last edge.
  const UnitInputs& inputs() const { return in_; }
  const UnitOutputs& outputs() const { return out_; }

 protected:
  RouteComputeTarget(const sc_core::sc_module_name& name, const Dragonfly& d);

  const UnitInputs& drive() final;
  void deliver(const UnitOutputs& out) final;

  /// One configuration word without time. The defaults read the shadow of the pins and refuse to write.
  virtual bool debug_read(uint32_t word_address, uint64_t& data) const;
  virtual bool debug_write(uint32_t word_address, uint64_t data);
  const ShadowRegisters& shadow() const { return shadow_; }

 private:
  using Payload = tlm::tlm_generic_payload;

  /// A request between its transport call and its response.
  struct RouteCall {
    Payload* payload = nullptr;
    RouteExtension* extension = nullptr;
    bool blocking = false;  // b_transport: no phases
    sc_core::sc_time since;
  };

  // Route socket.
  tlm::tlm_sync_enum route_forward(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void route_blocking(Payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum begin_request(Payload& payload, const sc_core::sc_time& delay);
  tlm::tlm_sync_enum end_response(Payload& payload, const sc_core::sc_time& delay);
  void send_end_request(const RouteCall& call);
  void finish(const RouteCall& call, tlm::tlm_response_status status);
  void send_response();
  void abort_in_flight();
  void take_responses();

  // Configuration socket.
  void config_blocking(Payload& payload, sc_core::sc_time& delay);
  unsigned config_debug(Payload& payload);
  tlm::tlm_response_status refusal(const Payload& payload) const;
  void take_acknowledge();

  // Congestion socket.
  void congestion_blocking(Payload& payload, sc_core::sc_time& delay);
  unsigned congestion_debug(Payload& payload);
  tlm::tlm_response_status access_congestion(Payload& payload, bool at_once);

  void offer_request();
  void offer_operation();

  const Dragonfly dragonfly_;
  ShadowRegisters shadow_;
  UnitInputs in_;
  UnitOutputs out_;

  std::deque<RouteCall> offered_;                // not sampled yet; the front is on the pins
  RouteCall sampled_;                            // by the present edge
  std::array<RouteCall, kLatency> in_flight_{};  // by edge number
  uint32_t edge_ = 0;
  std::deque<RouteCall> responses_;  // waiting for BEGIN_RESP
  Payload* requesting_ = nullptr;    // BEGIN_REQ without END_REQ
  Payload* responding_ = nullptr;    // BEGIN_RESP without END_RESP
  sc_core::sc_time response_free_;   // time of the last END_RESP
  bool response_closed_ = false;     // response_free_ counts
  sc_core::sc_event route_done_;

  hw::ConfigQueue operations_;  // taken: waiting for the acknowledgement

  hw::EdgeInput<PortMap> congested_local_, busy_local_;
  hw::EdgeInput<GroupMap> congested_global_, busy_global_;
  hw::EdgeInput<bool> reset_;
};

}  // namespace odonata::route_compute
