// SPDX-License-Identifier: Apache-2.0
// SystemC: the congestion plane of one router and of a whole group, configured over TLM-2.0 (docs/congestion.md §6).
//
// The part of a router is either built from the SystemC modules (StructuralPlane) or is any cycle device - the golden
// plane, the Verilated RTL - at the same pins (DevicePlane); a group takes either for each of its routers.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "hw/common/config_queue.h"
#include "hw/common/edge_input.h"
#include "hw/common/memory_map.h"
#include "hw/congestion/bitmap_collector.h"
#include "hw/congestion/bitmap_sender.h"
#include "hw/congestion/congestion_config.h"
#include "hw/congestion/credit_monitor.h"
#include "hw/congestion/pcs_transport.h"
#include "models/common/cycle_device.h"
#include "models/congestion/group_plane.h"
#include "models/congestion/router_plane.h"

namespace odonata::congestion {

using PlaneDevice = CycleDevice<PlaneInputs, PlaneOutputs>;

/// One router's plane as the outside sees it: pins and a memory-mapped configuration socket.
class CongestionPlane : public sc_core::sc_module {
 public:
  /// Registers and counters: b_transport (takes the cycles of the handshake), transport_dbg (reads a shadow; writes
  /// nothing).
  tlm_utils::simple_target_socket<CongestionPlane, hw::kBusWidth> config_socket{"config_socket"};

  /// What the switch and the links do; sampled by the next edge after the present time.
  void set_events(const RouterEvents& events) { events_.drive(events); }
  void set_reset(bool active) { reset_.drive(active); }
  /// Where the frames of local port k come from; no source: none ever come.
  void connect(int k, std::function<Frame()> source) { rx_[k] = std::move(source); }
  /// The pins since the last edge settled.
  virtual const PlaneOutputs& out() const = 0;
  const Dragonfly& dragonfly() const { return dragonfly_; }

 protected:
  CongestionPlane(const sc_core::sc_module_name& name, const Dragonfly& d);
  /// The pins that the present edge samples. Call once an edge. A subclass may have them from somewhere else than
  /// sockets and set_events().
  virtual const PlaneInputs& drive();
  /// Call once after the edge has settled.
  void deliver();
  /// A configuration word without time.
  virtual bool debug_read(uint32_t word_address, uint64_t& data) const = 0;
  const Registers& shadow() const { return shadow_; }
  Registers& shadow() { return shadow_; }

 private:
  void config_blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned config_debug(tlm::tlm_generic_payload& payload);
  tlm::tlm_response_status refusal(const tlm::tlm_generic_payload& payload) const;

  const Dragonfly dragonfly_;
  Registers shadow_;  // of the configuration words (not the counters)
  hw::EdgeInput<RouterEvents> events_;
  hw::EdgeInput<bool> reset_;
  std::array<std::function<Frame()>, kMaxLocalPorts> rx_;
  PlaneInputs in_;
  hw::ConfigQueue operations_;
};

/// The registers of router `own_bid` of a group, as byte addresses and words.
std::vector<std::pair<uint32_t, uint64_t>> configuration_words(const Dragonfly& d, const PlaneConfig& config,
                                                               int own_bid);

/// A plane around a cycle device, which starts with a cycle of reset before the simulation begins.
class DevicePlane final : public CongestionPlane {
 public:
  DevicePlane(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
              std::unique_ptr<PlaneDevice> device);
  const PlaneOutputs& out() const override { return out_; }

 private:
  void clock() { device_->step(drive(), next_); }
  void settle() {
    out_ = next_;
    deliver();
  }
  bool debug_read(uint32_t word_address, uint64_t& data) const override;

  std::unique_ptr<PlaneDevice> device_;
  PlaneOutputs out_, next_;
};

/// A plane built from the modules of the blocks.
class StructuralPlane : public CongestionPlane {
 public:
  StructuralPlane(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d);
  /// All registers without time, after the last edge of a reset: `config` for router `own_bid` of a group.
  void load(const PlaneConfig& config, int own_bid);
  const PlaneOutputs& out() const override { return out_; }

 private:
  /// What the modules sample at an edge, one storage a module.
  struct Wires {
    SenderInputs sender;
    CollectorInputs collector;
    ConfigInputs config;
    std::vector<MonitorInputs> monitor;
  };
  const PlaneInputs& pins();
  const SenderInputs& drive_sender();
  const CollectorInputs& drive_collector();
  const ConfigInputs& drive_config();
  const MonitorInputs& drive_monitor(int port);
  /// One delta cycle after the modules their outputs are published.
  void announce() { published_.notify(sc_core::SC_ZERO_TIME); }
  void settle();
  bool debug_read(uint32_t word_address, uint64_t& data) const override;
  uint16_t own_bits() const { return static_cast<uint16_t>(out_.cong_local >> dragonfly().first_global()); }
  uint16_t own_busy() const { return static_cast<uint16_t>(out_.busy_local >> dragonfly().first_global()); }
  uint32_t local(PortMap m) const {
    return static_cast<uint32_t>(m >> dragonfly().p() & low_mask(dragonfly().a() - 1));
  }

  Wires wires_;
  const PlaneInputs* pins_ = nullptr;
  sc_core::sc_time pins_time_;
  CongestionConfigModule config_;
  BitmapSenderModule sender_;
  BitmapCollectorModule collector_;
  std::vector<std::unique_ptr<CreditMonitorModule>> monitors_;
  sc_core::sc_event published_;
  PortMap failed_nodes_ = 0;
  PlaneOutputs out_;
};

/// All routers of a group and the local links between them.
class GroupCongestionPlane : public sc_core::sc_module {
 public:
  /// Makes the plane of router r; the default makes a StructuralPlane.
  using MakePlane =
      std::function<std::unique_ptr<CongestionPlane>(const char* name, hw::Tick& tick, const Dragonfly& d, int r)>;
  /// Of `config` the latencies, faults and the seed are used; registers are set through the config sockets of the
  /// routers.
  GroupCongestionPlane(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                       const PlaneConfig& config, const MakePlane& make = {});

  CongestionPlane& router(int r) { return *routers_[r]; }
  /// cong_global_i of the route-compute unit at physical port `port` of router r.
  const GroupMap& cong_global(int r, int port) const { return routers_[r]->out().collector.map[port]; }
  PortMap cong_local(int r) const { return routers_[r]->out().cong_local; }
  /// busy_global_i, busy_local_i.
  const GroupMap& busy_global(int r, int port) const { return routers_[r]->out().collector.busy_map[port]; }
  PortMap busy_local(int r) const { return routers_[r]->out().busy_local; }

 private:
  std::vector<std::unique_ptr<CongestionPlane>> routers_;
  std::vector<std::unique_ptr<LocalLinkModule>> links_;
};

}  // namespace odonata::congestion
