// SPDX-License-Identifier: Apache-2.0
#include "models/fault/scheduler_unit.h"

namespace odonata::fault {

/// What the cycle shows, from registers only.
SchedulerOutputs SchedulerUnit::look() const {
  SchedulerOutputs out;
  out.working = working_;
  out.pointer = static_cast<uint8_t>(pointer_);
  if (working_ && (wait_ > 0 || busy_ != 0)) return out;
  out.working = 0;
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
    for (int k = 0; k < poll_width_ && !out.cmd_valid; ++k) {
      const int port = (pointer_ + k) % stations_;
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
    pointer_ = (pointer_ + poll_width_) % stations_;
    return;
  }
  wait_ = 2 + (stations_ - 1) * ring_hop_;
  const PortMap bit = 1ull << o.cmd_port;
  if (o.pop) {
    pointer_ = (o.cmd_port + 1) % stations_;
  } else {
    event_ &= ~bit;
    served_up_ = o.cmd_kind == 1 ? served_up_ | bit : served_up_ & ~bit;
  }
}

void SchedulerUnit::step(const SchedulerInputs& in, SchedulerOutputs& out) {
  const PortMap ports = low_mask(d_.num_ports());
  if (in.reset) {
    link_ = served_up_ = ~0ull;
    queue_ = busy_ = event_ = 0;
    pointer_ = wait_ = 0;
    working_ = false;
  } else {
    finish_cycle();
    event_ |= (in.link_up ^ link_) & ports;
    link_ = in.link_up | ~ports;
    queue_ = in.queue_valid & ports;
    busy_ = in.unit_busy & ports;
  }
  out = look();
}

std::vector<std::string> SchedulerUnit::describe() const {
  return {std::string(working_ ? "a command is at work, " : "looking, ") + std::to_string(wait_) + " ring cycles left, pointer " +
          std::to_string(pointer_) + ", " + std::to_string(std::popcount(event_)) + " link events pending"};
}

}  // namespace odonata::fault
