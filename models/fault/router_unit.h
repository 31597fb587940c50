// SPDX-License-Identifier: Apache-2.0
// The fault plane of one router, cycle by cycle (docs/fault.md §6.2): port units, scheduler, command ring, an input
// FIFO a port.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <typeinfo>
#include <vector>

#include "models/fault/fault_router_pins.h"
#include "models/fault/plane_parameters.h"
#include "models/fault/port_unit.h"
#include "models/fault/scheduler_unit.h"

namespace odonata::fault {

inline constexpr int kMaxPorts = 64;

/// Messages that an input FIFO has to hold: what one travel can say through a port, two a row, so that a neighbour's
/// unit can finish while this router is at work (docs/fault.md §6.2); at least 64.
inline int input_depth(const Dragonfly& d) { return std::max(64, 2 * num_rows(d)); }

/// Parameters of the hardware of a router.
struct FaultRouterConfig {
  SchedulerConfig scheduler;
  int banks = 1;
  int input_depth = 64;  ///< messages that an input FIFO holds
  int command_depth() const {
    return scheduler.pipelined ? fault::command_depth(scheduler.stations, scheduler.ring_hop) : 0;
  }
  /// The structure that the network model is told about; entries and stations as built for this dragonfly.
  static FaultRouterConfig of(const Timing& timing);
  /// Of a dragonfly's router with hardware `native`: a station a port, input FIFOs as deep as input_depth().
  static FaultRouterConfig of(const Dragonfly& d, bool pipelined);
};

/// What is on the ring.
struct RingCommand {
  bool valid = false, isolated = false;
  uint8_t kind = 0, port = 0;
  uint32_t message = 0;
};

/// What a router knows of its local links, as its commands say it (docs/fault.md §4, "Isolated").
struct LocalLinks {
  PortMap serving = ~0ull;  ///< up, and the neighbour has said everything
  PortMap unheard = 0;      ///< up, and it has not
  bool isolated = false;    ///< none serves; from then on until none is unheard

  /// Nothing is up yet.
  static LocalLinks joining() { return {0, 0, true}; }
  /// After a command. `port_level`: recovery port_level knows no end mark.
  LocalLinks after(const Dragonfly& d, const RingCommand& command, bool port_level) const;
};

/// The pins of port unit k of a router that do not come from the ring.
PortInputs unit_pins(const Dragonfly& d, const RouterInputs& in, int k);
/// Puts a command of the ring on a unit's pins.
void drive_command(const RingCommand& command, PortInputs& pins);
/// The configuration write that gives `row` of port `k` its options.
RouterInputs configuration_write(const RouterInputs& base, int k, int row, const Options& options);

class RouterUnit final : public CycleDevice<RouterInputs, RouterOutputs> {
 public:
  using PortDevice = CycleDevice<PortInputs, PortOutputs>;
  using SchedulerDevice = CycleDevice<SchedulerInputs, SchedulerOutputs>;
  /// Other parts than the golden ones, such as Verilated RTL; empty: golden.
  struct Parts {
    std::function<std::unique_ptr<PortDevice>(int port)> port;
    std::function<std::unique_ptr<SchedulerDevice>()> scheduler;
  };
  RouterUnit(const Dragonfly& d, const FaultRouterConfig& config, const Parts& parts = {});
  void step(const RouterInputs& in, RouterOutputs& out) override;
  std::vector<std::string> describe() const override { return scheduler_->describe(); }
  /// A golden port unit; throws std::bad_cast when it is another device.
  const PortUnit& unit(int k) const { return golden_[k] != nullptr ? *golden_[k] : throw std::bad_cast(); }
  PortUnit& unit(int k) { return golden_[k] != nullptr ? *golden_[k] : throw std::bad_cast(); }
  int num_units() const { return static_cast<int>(units_.size()); }
  int input_waiting(int k) const { return static_cast<int>(fifo_[k].size()); }

 private:
  RingCommand looked() const;
  RingCommand at_station(int k) const;
  void step_fifos(const RouterInputs& in);
  void show(RouterOutputs& out) const;

  Dragonfly d_;
  FaultRouterConfig config_;
  std::unique_ptr<SchedulerDevice> scheduler_;
  SchedulerOutputs look_;  ///< pins of the scheduler since the last edge
  std::vector<std::unique_ptr<PortDevice>> units_;
  std::vector<PortUnit*> golden_;  ///< the same; null when it is another device
  PortMap busy_ = 0, late_ = 0;    ///< pins of the units since the last edge
  std::vector<std::deque<uint32_t>> fifo_;
  std::vector<RingCommand> ring_;  ///< a circle; the command looked up k + 1 edges ago is k places behind newest_
  size_t newest_ = 0;
  LocalLinks links_;
  bool port_level_ = false;  ///< the pin, sampled
};

}  // namespace odonata::fault
