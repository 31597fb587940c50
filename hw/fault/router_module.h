// SPDX-License-Identifier: Apache-2.0
// SystemC: the fault plane of a router: port units, scheduler, command ring, an input FIFO a port (docs/fault.md §6.2).
#pragma once

#include <memory>
#include <vector>

#include "hw/fault/port_unit_module.h"
#include "hw/fault/scheduler_module.h"
#include "models/fault/router_unit.h"

namespace odonata::fault {

struct RouterRegisters {
  std::vector<std::vector<uint32_t>> fifo;  ///< input FIFOs, by port
  std::vector<RingCommand> ring;            ///< command looked up k + 1 edges ago at index k
  LocalLinks links;                         ///< as served
  bool port_level = false;                  ///< the pin, sampled
};

class FaultRouterModule : public hw::ClockedModule<RouterRegisters> {
 public:
  /// Makes the table RAM of a port; the default is a RAM of the fault plane's own.
  using MakeRam = std::function<std::unique_ptr<TableRam>(int port)>;
  FaultRouterModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                    const FaultRouterConfig& config, hw::Drive<RouterInputs> pins, const MakeRam& make_ram = {});
  /// The pins, two delta cycles after the edge.
  const RouterOutputs& out() const { return out_; }
  /// Notified when out() shows what the edge has made.
  const sc_core::sc_event& published() const { return published_; }
  FaultPortModule& unit(int k) { return *units_[k]; }
  /// Ports that route compute leaves out at port k.
  PortMap unheard(int k) const { return units_[k]->unheard(); }
  /// Without time.
  RowWord peek(int port, int row) const { return rams_[port]->peek(row); }
  void poke(int port, int row, const RowWord& word) { rams_[port]->poke(row, word); }

 protected:
  // The clocked methods. Virtual, so that a test can plant a bug.
  virtual void input_fifos();
  virtual void ring();
  virtual void local_links();
  void publish() override { settled_.notify(sc_core::SC_ZERO_TIME); }

 private:
  RingCommand looked() const;
  const PortInputs& drive_unit(int k);
  const SchedulerInputs& drive_scheduler();
  void show();

  const Dragonfly d_;
  const FaultRouterConfig config_;
  const hw::Drive<RouterInputs> pins_;
  std::vector<PortInputs> unit_pins_;
  SchedulerInputs scheduler_pins_;
  std::vector<std::unique_ptr<TableRam>> rams_;
  std::vector<std::unique_ptr<FaultPortModule>> units_;
  FaultSchedulerModule scheduler_;
  sc_core::sc_event settled_, published_;
  RouterOutputs out_;
};

}  // namespace odonata::fault
