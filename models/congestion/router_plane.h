// SPDX-License-Identifier: Apache-2.0
// The congestion plane of one router, cycle by cycle, put together from the golden units (docs/congestion.md §6).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/congestion/bitmap_collector.h"
#include "models/congestion/bitmap_sender.h"
#include "models/congestion/credit_monitor.h"
#include "models/congestion/registers.h"

namespace odonata::congestion {

/// What a router's switch and links tell its congestion plane in one cycle; bit k = physical port k.
struct RouterEvents {
  std::array<PortMap, kNumVcs> sent{};    ///< a packet is granted to port k for VC v
  std::array<PortMap, kNumVcs> credit{};  ///< a credit of VC v comes back to port k
  PortMap departed = 0;                   ///< a packet leaves the output FIFO of port k for the link
  PortMap failed = 0;
  PortMap flit = 0;  ///< local ports: a flit is offered
  PortMap tail = 0;  ///< local ports: with flit, it is a tail
};

/// The input pins of one cycle.
struct PlaneInputs {
  bool reset = false;
  bool cfg_valid = false;
  bool cfg_write = false;
  uint16_t cfg_addr = 0;  ///< 12 bits, word address
  uint64_t cfg_wdata = 0;
  RouterEvents events;
  std::array<Frame, kMaxLocalPorts> rx{};  ///< frames from the local links
};

/// The output pins after an edge. No padding.
struct PlaneOutputs {
  CollectorOutputs collector;  ///< the maps at the ring stops and the receive pulses
  SenderOutputs sender;        ///< frames to the local links
  PortMap cong_local = 0;      ///< NumPorts bits
  uint64_t cfg_rdata = 0;
  uint8_t cfg_ready = 0;  ///< always 1
  uint8_t cfg_ack = 0;
  uint8_t cfg_err = 0;
  uint8_t error = 0;  ///< a monitor reports underflow or overflow
  uint8_t spare[28] = {};
  bool operator==(const PlaneOutputs&) const = default;
  /// The frame that leaves on local port k.
  Frame tx(int k) const { return sender.valid >> k & 1 ? Frame{sender.bits, sender.crc, true} : Frame{}; }
};
static_assert(sizeof(PlaneOutputs) == sizeof(CollectorOutputs) + 64);

/// One router's plane.
class RouterPlane {
 public:
  explicit RouterPlane(const Dragonfly& d);
  /// One rising edge: samples `in`, afterwards out() shows the pins.
  void step(const PlaneInputs& in);
  const PlaneOutputs& out() const { return out_; }
  const Registers& registers() const { return registers_; }
  const CreditMonitor& monitor(int port) const { return monitors_[port - dragonfly_.p()]; }

 private:
  struct Operation {
    bool valid = false, write = false;
    uint32_t address = 0;
    uint64_t data = 0;
  };
  struct Acknowledge {
    bool valid = false, error = false;
    uint64_t data = 0;
  };
  /// Error pulses that the monitors show.
  struct Pulses {
    int underflows = 0, overflows = 0;
  };
  void reset();
  void count_pulses();
  void execute_operation(const PlaneInputs& in);
  Pulses step_monitors(const PlaneInputs& in);
  void step_sender(const PlaneInputs& in, uint16_t own_bits);
  void step_collector(const PlaneInputs& in, uint16_t own_bits);

  Dragonfly dragonfly_;
  Registers registers_;
  std::vector<CreditMonitor> monitors_;  // local ports, then global ports
  BitmapSender sender_;
  BitmapCollector collector_;
  PortMap failed_nodes_ = 0;
  Operation c0_;
  Acknowledge c1_;
  Pulses pulses_;
  PlaneOutputs out_;
};

}  // namespace odonata::congestion
