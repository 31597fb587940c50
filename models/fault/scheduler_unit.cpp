// SPDX-License-Identifier: Apache-2.0
#include "models/fault/scheduler_unit.h"

namespace odonata::fault {

SchedulerOutputs scheduler_look(const Dragonfly& d, const SchedulerConfig& c, const SchedulerRegisters& r) {
  SchedulerOutputs out;
  out.pointer = static_cast<uint8_t>(r.pointer);
  out.port_mask = c.immediate_mask ? ~r.link & low_mask(d.num_ports()) : 0;
  out.working = c.pipelined ? r.wait > 0 || r.late != 0 : r.working && (r.wait > 0 || r.busy != 0);
  const PortMap waiting = r.queue & r.link;
  if (out.working || (r.event | waiting) == 0) return out;
  if (r.event != 0) {
    const int port = std::countr_zero(r.event);
    const bool up = r.link >> port & 1;
    out.cmd_valid = 1;
    out.cmd_kind = up ? 1 : 0;
    out.cmd_port = static_cast<uint8_t>(port);
  } else {
    int port = r.pointer;
    for (int k = 0; k < c.poll_width && !out.cmd_valid; ++k, port = port + 1 == c.stations ? 0 : port + 1) {
      if (!(waiting >> port & 1)) continue;
      out.cmd_valid = out.pop = 1;
      out.cmd_kind = 2;
      out.cmd_port = static_cast<uint8_t>(port);
    }
  }
  return out;
}

void finish_look(const SchedulerConfig& c, const SchedulerOutputs& o, SchedulerRegisters& r) {
  if (o.working) {
    r.wait -= r.wait > 0;
    return;
  }
  r.working = o.cmd_valid;
  if (!o.cmd_valid) {
    r.pointer += c.poll_width;
    while (r.pointer >= c.stations) r.pointer -= c.stations;
    return;
  }
  r.wait = c.pipelined ? 3 : 2 + (c.stations - 1) * c.ring_hop;
  if (o.pop) {
    r.pointer = (o.cmd_port + 1) % c.stations;
  } else {
    r.event &= ~(1ull << o.cmd_port);
  }
}

void SchedulerUnit::step(const SchedulerInputs& in, SchedulerOutputs& out) {
  const PortMap ports = low_mask(d_.num_ports());
  if (in.reset) {
    r_ = {};
    r_.joins = in.joins;
  } else {
    finish_look(c_, scheduler_look(d_, c_, r_), r_);
    r_.event |= r_.joins ? ports : (in.link_up ^ r_.link) & ports;
    r_.joins = false;
    r_.link = in.link_up | ~ports;
    r_.queue = in.queue_valid & ports;
    r_.busy = in.unit_busy & ports;
    r_.late = in.unit_late & ports;
  }
  out = scheduler_look(d_, c_, r_);
}

std::vector<std::string> SchedulerUnit::describe() const {
  return {std::string(r_.working ? "a command is at work, " : "looking, ") + std::to_string(r_.wait) +
          " ring cycles left, pointer " + std::to_string(r_.pointer) + ", " + std::to_string(std::popcount(r_.event)) +
          " link events pending"};
}

}  // namespace odonata::fault
