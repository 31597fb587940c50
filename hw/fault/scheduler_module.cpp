// SPDX-License-Identifier: Apache-2.0
#include "hw/fault/scheduler_module.h"

namespace odonata::fault {

FaultSchedulerModule::FaultSchedulerModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                                           const SchedulerConfig& config, hw::Drive<SchedulerInputs> pins)
    : ClockedModule(name, tick), d_(d), config_(config), pins_(std::move(pins)), out_(scheduler_look(d, config, {})) {
  SC_HAS_PROCESS(FaultSchedulerModule);
  SC_METHOD(sample);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(serve);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(take_events);
  sensitive << edge();
  dont_initialize();
}

void FaultSchedulerModule::sample() {
  const SchedulerInputs& in = pins_();
  const PortMap ports = low_mask(d_.num_ports());
  reset_ = in.reset;
  joins_ = in.joins;
  next().link = in.link_up | ~ports;
  next().queue = in.queue_valid & ports;
  next().busy = in.unit_busy & ports;
  next().late = in.unit_late & ports;
  next().joins = false;
}

void FaultSchedulerModule::serve() {
  SchedulerRegisters after = now();
  finish_look(config_, out_, after);
  next().pointer = after.pointer;
  next().wait = after.wait;
  next().working = after.working;
}

void FaultSchedulerModule::take_events() {
  const bool served = out_.cmd_valid && !out_.pop;
  const PortMap pending = served ? now().event & ~(1ull << out_.cmd_port) : now().event;
  const PortMap changed = now().joins ? ~0ull : pins_().link_up ^ now().link;
  next().event = pending | (changed & low_mask(d_.num_ports()));
}

void FaultSchedulerModule::publish() {
  if (reset_) {
    SchedulerRegisters registers;
    registers.joins = joins_;
    clear(registers);
  }
  reset_ = false;
  out_ = scheduler_look(d_, config_, now());
}

}  // namespace odonata::fault
