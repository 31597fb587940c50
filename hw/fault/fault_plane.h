// SPDX-License-Identifier: Apache-2.0
// The fault plane of a router as the outside sees it: TLM-2.0 sockets, whatever core is inside (docs/fault.md §6.4).
//
// The core is the structural SystemC router (StructuralFaultPlane) or any cycle device at the same pins - the golden
// router, a lockstep pair, the Verilated RTL - (DeviceFaultPlane). What a transaction changes at time t is seen by the
// first edge after t, never by an edge at t itself.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <memory>
#include <vector>

#include "hw/common/config_queue.h"
#include "hw/common/edge_input.h"
#include "hw/common/memory_map.h"
#include "hw/fault/router_module.h"

namespace odonata::fault {

/// Addresses of the configuration socket, in bytes; a word is 8 bytes.
namespace plane_map {
inline constexpr uint32_t kId = 0x00;        ///< read-only: "FAULT"
inline constexpr uint32_t kSize = 0x08;      ///< read-only: P, A, H (8 bits each), G
inline constexpr uint32_t kOwn = 0x10;       ///< gid [8:0], bid [20:16]
inline constexpr uint32_t kMode = 0x18;      ///< bit 0 safe, bit 1 recovery port_level
inline constexpr uint32_t kBusy = 0x20;      ///< read-only: busy units, a bit a port
inline constexpr uint32_t kLate = 0x28;      ///< read-only: units with a command waiting
inline constexpr uint32_t kServed = 0x30;    ///< read-only: commands that the scheduler has served
inline constexpr uint32_t kMask = 0x38;      ///< read-only: port mask
inline constexpr uint32_t kCounters = 0x40;  ///< read-only, four words a port: FD sent, FR sent, cycles waited for the
                                             ///< RAM, for the queue (16 bits each, wrap)
inline constexpr uint32_t kOptions =
    0x1000;  ///< two words a port and row: options of A (one bit), of B; writing B writes the row and clears its marks
inline constexpr uint64_t kIdWord = 0x544C554146;  // "FAULT"
inline uint32_t options(const Dragonfly& d, int port, int row, bool b) {
  return kOptions + static_cast<uint32_t>((port * num_rows(d) + row) * 2 + b) * 8;
}
inline uint32_t end(const Dragonfly& d) { return options(d, d.num_ports(), 0, false); }
}  // namespace plane_map

class FaultPlane : public sc_core::sc_module {
 public:
  using TargetSocket = tlm_utils::simple_target_socket<FaultPlane, hw::kBusWidth>;
  using InSocket = tlm_utils::simple_target_socket_tagged<FaultPlane, hw::kBusWidth>;
  using OutSocket = tlm_utils::simple_initiator_socket<FaultPlane, hw::kBusWidth>;

  /// Registers, counters, options: b_transport (a row takes the cycles of the handshake), transport_dbg (options only
  /// while the plane is in reset).
  TargetSocket config_socket{"config_socket"};
  /// Link events: an 8-byte write to address 0 is the map of the links that are up.
  TargetSocket link_socket{"link_socket"};
  /// FD and FR that arrive at port k: an 8-byte write of the 22-bit message. TLM_GENERIC_ERROR_RESPONSE when the FIFO
  /// has no room: offer it again.
  InSocket& in(int k) { return *in_[k]; }
  /// FD and FR that leave through port k, one a cycle at most: an 8-byte write, which has to be taken.
  OutSocket& out_socket(int k) { return *out_[k]; }

  void set_reset(bool active) { reset_.drive(active); }
  /// Ports whose RAM route compute has in the cycle after the next edge.
  void set_route_reads(PortMap ports) { route_read_.drive(ports); }
  /// The pins since the last edge settled.
  virtual const RouterOutputs& out() const = 0;
  const RouterInputs& inputs() const { return in_pins_; }
  const Dragonfly& dragonfly() const { return dragonfly_; }
  /// Options of every port and row without time, and a reset; only before the first edge or while in reset.
  /// `joins`: after the reset the router joins a running network.
  void load(RouterId own, Mode mode, Recovery recovery, const table::ConfigurationPolicy& policy = {},
            bool joins = false);

 protected:
  FaultPlane(const sc_core::sc_module_name& name, const Dragonfly& d);
  /// The pins that the present edge samples; the same however often it is asked at an edge.
  const RouterInputs& drive();
  /// Call once after the edge has settled.
  void deliver();
  /// A reset without time, before rows are written: what the plane was doing must not write into them.
  virtual void debug_reset() {}
  /// A row without time.
  virtual void debug_write(int port, int row, const Options& options) = 0;

 private:
  void config_blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned config_debug(tlm::tlm_generic_payload& payload);
  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload, bool& row);
  uint64_t read_register(uint32_t address) const;
  bool read_only(uint32_t address) const;
  bool is_hole(uint32_t address) const;
  bool are_options(uint64_t word, bool of_b) const;
  void link_blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void message_blocking(int port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void send();

  const Dragonfly dragonfly_;
  std::vector<std::unique_ptr<InSocket>> in_;
  std::vector<std::unique_ptr<OutSocket>> out_;
  hw::EdgeInput<bool> reset_{true};
  hw::EdgeInput<PortMap> link_up_{~0ull}, route_read_;
  hw::EdgeInput<uint64_t> own_, mode_{1};
  std::vector<std::deque<std::pair<uint32_t, sc_core::sc_time>>> arrived_;  ///< offered, not sampled yet
  std::vector<Options> options_;                                            ///< shadow of the configuration
  std::vector<uint64_t> staged_;                                            ///< options of A, until B is written
  RouterInputs in_pins_;
  bool driven_ = false;
  hw::ConfigQueue rows_;   ///< writes of rows
  bool offering_ = false;  ///< one was on the pins of the last edge
  uint64_t served_ = 0;
};

/// A plane around a cycle device.
class DeviceFaultPlane final : public FaultPlane {
 public:
  DeviceFaultPlane(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                   std::unique_ptr<CycleDevice<RouterInputs, RouterOutputs>> device);
  const RouterOutputs& out() const override { return out_; }
  CycleDevice<RouterInputs, RouterOutputs>& device() { return *device_; }

 private:
  void clock() { device_->step(drive(), next_); }
  void settle() {
    out_ = next_;
    deliver();
  }
  void debug_reset() override;
  void debug_write(int port, int row, const Options& options) override;
  std::unique_ptr<CycleDevice<RouterInputs, RouterOutputs>> device_;
  RouterOutputs out_, next_;
};

/// A plane built from the SystemC modules.
class StructuralFaultPlane final : public FaultPlane {
 public:
  StructuralFaultPlane(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                       const FaultRouterConfig& config, const FaultRouterModule::MakeRam& make_ram = {});
  const RouterOutputs& out() const override { return router_.out(); }
  FaultRouterModule& router() { return router_; }

 private:
  void settle() { deliver(); }
  void debug_write(int port, int row, const Options& options) override { router_.poke(port, row, {options, {}}); }
  FaultRouterModule router_;
};

}  // namespace odonata::fault
