// SPDX-License-Identifier: Apache-2.0
// The congestion plane of one router, cycle by cycle, put together from the golden units (docs/congestion.md §6).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/congestion/bitmap_collector.h"
#include "models/congestion/bitmap_sender.h"
#include "models/congestion/congestion_plane_pins.h"
#include "models/congestion/credit_monitor.h"
#include "models/congestion/registers.h"

namespace odonata::congestion {

/// The frame that leaves on local port k.
inline Frame transmitted(const PlaneOutputs& out, int k) {
  return out.sender.valid >> k & 1 ? Frame{out.sender.bits, out.sender.crc, true, out.sender.phase} : Frame{};
}

/// One router's plane.
class RouterPlane {
 public:
  explicit RouterPlane(const Dragonfly& d);
  /// One rising edge: samples `in`, afterwards out() shows the pins.
  void step(const PlaneInputs& in);
  const PlaneOutputs& out() const { return out_; }
  const Dragonfly& dragonfly() const { return dragonfly_; }
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
  void step_sender(const PlaneInputs& in, uint16_t own_bits, uint16_t own_busy);
  void step_collector(const PlaneInputs& in, uint16_t own_bits, uint16_t own_busy);
  void show_collector();

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
