// SPDX-License-Identifier: Apache-2.0
// A D2RA mesh router behind TLM-2.0 sockets: 2n + 1 input ports, each any cycle device (golden, SystemC, Verilated
// RTL), and the separable switch with a credit counter an output (docs/arb_request.md §6).
//
// Base protocol, approximately timed, PacketExtension, command IGNORE. Toward a router: BEGIN_REQ offers a packet; a
// link port ends the request at once (the sender has a credit for it), the injection port at the edge that takes the
// packet into a sub-queue; BEGIN_RESP when it has left the router: that is the credit coming back. What is offered or
// returned at time t is seen by the first edge after t, so the order in which the kernel runs the routers does not
// matter. Wrong command or no extension: TLM_COMPLETED with an error response, nothing changes.
//
// config_socket: the memory map of docs/arb_request.md §9, the same whatever is inside the input ports.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "hw/arb_request/extension.h"
#include "hw/common/config_queue.h"
#include "hw/common/edge_input.h"
#include "hw/common/memory_map.h"
#include "hw/common/payload_pool.h"
#include "hw/common/tick.h"
#include "models/arb_request/golden_device.h"
#include "models/arb_request/registers.h"

namespace odonata::arb_request {

/// Parameters of a router.
struct MeshRouterConfig {
  PortSize size;      ///< of every input port
  Settings settings;  ///< after a reset
  int slots = 4;      ///< packet slots behind each output: V of the next router
};

class MeshRouter : public sc_core::sc_module {
 public:
  using InSocket = tlm_utils::simple_target_socket_tagged<MeshRouter>;
  using OutSocket = tlm_utils::simple_initiator_socket_tagged<MeshRouter>;
  using ConfigSocket = tlm_utils::simple_target_socket_optional<MeshRouter, hw::kBusWidth>;
  using CoreMaker = std::function<std::unique_ptr<PortDevice>(int port, const PortSize&)>;

  /// Ports 2*dimension + minus hold packets that move in that direction; port 2n is injection (in) and ejection (out).
  /// Every socket has to be bound; one at the boundary of the mesh to anything, it is never used (lemma 1).
  MeshRouter(const sc_core::sc_module_name& name, hw::Tick& tick, const MeshRouterConfig& config,
             const CoreMaker& make);

  /// Registers and counters: b_transport (one operation an edge, in order), transport_dbg (without time). Need not be
  /// bound.
  ConfigSocket config_socket{"config_socket"};

  InSocket& in(int port) { return *in_[port]; }
  OutSocket& out(int port) { return *out_[port]; }
  int ports() const { return ports_; }
  const RouterRegisters& registers() const { return registers_; }
  /// Holds the router in reset or releases it, from the next edge on. Packets inside and on its input links end with an
  /// error response. The credit counters assume that all routers of a network are reset together.
  void set_reset(bool active) { reset_line_.drive(active); }

 private:
  using Payload = tlm::tlm_generic_payload;
  struct Offer {
    Payload* payload;
    sc_core::sc_time since;
  };
  struct Port {
    std::unique_ptr<PortDevice> core;
    PortInputs pins;
    PortOutputs out;
    std::deque<Offer> offers;
    std::array<Payload*, kMaxQueues> held{};  // by sub-queue
    std::deque<Payload*> left;                // granted, BEGIN_RESP not sent yet
    Payload* requesting = nullptr;            // BEGIN_REQ without END_REQ
    Payload* responding = nullptr;            // BEGIN_RESP without END_RESP
  };
  struct Output {
    SwitchOutput arbiter;
    int winner = -1;                       // of the present cycle
    std::deque<sc_core::sc_time> returns;  // credits that came back and no edge has seen yet
    bool busy = false;                     // BEGIN_REQ without END_REQ
  };

  void clock();
  void operate();
  void drive(Port& port);
  void settle(int p, const PortOutputs& before);
  void take(int p, Payload& payload);
  void leave(int p, const PortRequest& request);
  void send(int o, const PacketExtension& packet);
  void respond(int p);
  void abort(int p);
  void arbitrate();
  int wanted(const PortRequest& request) const {
    return request.eject ? ports_ - 1 : 2 * request.dimension + request.minus;
  }

  void config_blocking(Payload& payload, sc_core::sc_time& delay);
  unsigned config_debug(Payload& payload);
  tlm::tlm_sync_enum forward(int p, Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum backward(int o, Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);

  const MeshRouterConfig config_;
  const int ports_;
  hw::PayloadPool<PacketExtension> pool_;
  std::vector<std::unique_ptr<InSocket>> in_;
  std::vector<std::unique_ptr<OutSocket>> out_;
  std::vector<Port> port_;
  std::vector<Output> output_;
  RouterRegisters registers_;
  hw::ConfigQueue operations_;
  uint64_t edge_ = 0;
  hw::EdgeInput<bool> reset_line_{false};
  bool reset_ = false;  // at the present edge
};

}  // namespace odonata::arb_request
