// SPDX-License-Identifier: Apache-2.0
// SystemC: the port unit of the fault plane, one clocked method a part (docs/fault.md §5, §6.1).
//
//   pins  r0  sample  |  station: command queue  |  sequence: travel (all rows), match (Aim)
//                     |  action: RAM read, marks, write  |  accessibility: level, told  |  output queue  |  counters
//
// What a part computes comes from the stage functions of models/fault; here are time and structure.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "hw/common/clocked_module.h"
#include "hw/fault/table_ram.h"
#include "models/fault/port_unit.h"

namespace odonata::fault {

/// All registers of a unit; the RAM is beside them.
struct PortRegisters {
  PortInputs r0;                    ///< pins
  std::vector<PortInputs> waiting;  ///< command queue
  PortInputs command;               ///< at work
  PortUnit::State state = PortUnit::State::idle;
  int row = 0;  ///< first row of the step
  std::array<RowWord, kMaxBanks>
      word{};  ///< what has been read, kept while route compute uses the RAM's output register
  std::vector<std::array<Level, 2>> level, told;  ///< accessibility, by row and class
  std::vector<uint32_t> due;                      ///< further messages of the step
  std::vector<uint32_t> queue;                    ///< output queue
  bool check_tag = false;
  PortMap unheard = 0;  ///< ports whose neighbour has not said everything
  uint16_t fd_count = 0, fr_count = 0, wait_ram = 0, wait_queue = 0;
};

class FaultPortModule : public hw::ClockedModule<PortRegisters> {
 public:
  /// `ram` is the port's table RAM; it must outlive the module.
  FaultPortModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d, TableRam& ram,
                  hw::Drive<PortInputs> pins, int banks = 1, int command_depth = 0);
  /// The pins since the last edge settled.
  const PortOutputs& out() const { return out_; }
  PortUnit::State state() const { return now().state; }
  int row() const { return now().row; }
  /// Ports that route compute leaves out (unheard_o).
  PortMap unheard() const { return now().unheard; }

 protected:
  // The clocked methods. Virtual, so that a test can plant a bug.
  virtual void sample();
  virtual void station();
  virtual void sequence();
  virtual void action();
  virtual void accessibility();
  virtual void output_queue();
  virtual void count();
  void publish() override;

 private:
  /// What the present registers make of this cycle; the same for all methods of an edge.
  struct Wires {
    bool start = false;      ///< a command is taken
    PortInputs command;      ///< at work in this cycle, the starting one included
    int row = 0, lanes = 1;  ///< rows of the step
    bool read = false;       ///< the RAM is addressed
    bool ram_blocked = false, queue_blocked = false;
    bool step_done = false;                 ///< read, execute or tell does its work
    std::array<RowWord, kMaxBanks> word{};  ///< after the action
    std::array<std::array<Level, 2>, kMaxBanks> level{}, told{};
    uint32_t changed = 0;        ///< lanes to be written
    std::vector<uint32_t> says;  ///< messages of the step, or what is still due
    bool push = false;
    uint32_t message = 0;
    bool check_tag = false;
    PortMap unheard = 0;  ///< once the command is taken
    bool configures = false;
  };
  const Wires& wires();
  void start(Wires& w) const;
  void execute(Wires& w) const;
  void act(Wires& w, int lane) const;
  void judge(Wires& w) const;
  bool others_full(const Wires& w, int lane) const;
  bool all_accessible(const Wires& w) const;
  bool restores(const PortInputs& c) const { return c.cmd_kind == 1 || c.cmd_kind == 3; }
  bool travels(const PortInputs& c) const { return command_travels(c); }
  bool full() const { return now().queue.size() >= PortUnit::kQueueDepth; }
  bool telling() const { return now().state == PortUnit::State::tell || now().state == PortUnit::State::tell_second; }
  bool following() const {
    return now().state == PortUnit::State::second || now().state == PortUnit::State::tell_second;
  }
  PortUnit::State after_step(const Wires& w, int& row) const;
  RowConfig row_config_of(int row) const;

  const Dragonfly d_;
  TableRam& ram_;
  const hw::Drive<PortInputs> pins_;
  const int banks_, depth_;
  Wires wires_;
  bool valid_ = false;  ///< wires_ belong to the present edge
  bool reset_ = false;  ///< sampled by the present edge
  bool joins_ = false;  ///< the same
  PortOutputs out_;
  PortOutputs shown_;  ///< of out_: what was written in the cycle that ends at the present edge
};

}  // namespace odonata::fault
