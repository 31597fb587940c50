// SPDX-License-Identifier: Apache-2.0
#include "models/fault/scheduler_unit.h"

namespace odonata::fault {

/// What the cycle shows, from registers only.
SchedulerOutputs SchedulerUnit::look() const {
  SchedulerOutputs out;
  out.pointer = static_cast<uint8_t>(pointer_);
  out.port_mask = c_.immediate_mask ? ~link_ & low_mask(d_.num_ports()) : 0;
  out.working = c_.pipelined ? wait_ > 0 || late_ != 0 : working_ && (wait_ > 0 || busy_ != 0);
  if (out.working) return out;
  const PortMap local = low_mask(d_.a() - 1) << d_.first_local();
  PortMap served = served_up_;
  if (event_ != 0) {
    const int port = std::countr_zero(event_);
    const bool up = link_ >> port & 1;
    served = up ? served | 1ull << port : served & ~(1ull << port);
    out.cmd_valid = 1;
    out.cmd_kind = up ? 1 : 0;
    out.cmd_port = static_cast<uint8_t>(port);
  } else {
    for (int k = 0; k < c_.poll_width && !out.cmd_valid; ++k) {
      const int port = (pointer_ + k) % c_.stations;
      if (!((queue_ & link_) >> port & 1)) continue;
      out.cmd_valid = out.pop = 1;
      out.cmd_kind = 2;
      out.cmd_port = static_cast<uint8_t>(port);
    }
  }
  out.cmd_isolated = out.cmd_valid && (served & local) == 0;
  return out;
}

/// The edge that ends the cycle, inputs not yet sampled.
void SchedulerUnit::finish_cycle() {
  const SchedulerOutputs o = look();
  if (o.working) {
    wait_ -= wait_ > 0;
    return;
  }
  working_ = o.cmd_valid;
  if (!o.cmd_valid) {
    pointer_ = (pointer_ + c_.poll_width) % c_.stations;
    return;
  }
  wait_ = c_.pipelined ? 3 : 2 + (c_.stations - 1) * c_.ring_hop;
  const PortMap bit = 1ull << o.cmd_port;
  if (o.pop) {
    pointer_ = (o.cmd_port + 1) % c_.stations;
  } else {
    event_ &= ~bit;
    served_up_ = o.cmd_kind == 1 ? served_up_ | bit : served_up_ & ~bit;
  }
}

void SchedulerUnit::step(const SchedulerInputs& in, SchedulerOutputs& out) {
  const PortMap ports = low_mask(d_.num_ports());
  if (in.reset) {
    link_ = served_up_ = ~0ull;
    queue_ = busy_ = late_ = event_ = 0;
    pointer_ = wait_ = 0;
    working_ = false;
  } else {
    finish_cycle();
    event_ |= (in.link_up ^ link_) & ports;
    link_ = in.link_up | ~ports;
    queue_ = in.queue_valid & ports;
    busy_ = in.unit_busy & ports;
    late_ = in.unit_late & ports;
  }
  out = look();
}

std::vector<std::string> SchedulerUnit::describe() const {
  return {std::string(working_ ? "a command is at work, " : "looking, ") + std::to_string(wait_) + " ring cycles left, pointer " +
          std::to_string(pointer_) + ", " + std::to_string(std::popcount(event_)) + " link events pending"};
}

}  // namespace odonata::fault
