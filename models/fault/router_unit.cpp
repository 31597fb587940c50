// SPDX-License-Identifier: Apache-2.0
#include "models/fault/router_unit.h"

namespace odonata::fault {

FaultRouterConfig FaultRouterConfig::of(const Timing& t) {
  FaultRouterConfig c;
  c.scheduler = {t.stations, t.poll_width, t.ring_hop, t.pipelined, false};
  c.banks = t.banks;
  return c;
}

FaultRouterConfig FaultRouterConfig::of(const Dragonfly& d, bool pipelined) {
  FaultRouterConfig c;
  c.scheduler.stations = d.num_ports();
  c.scheduler.pipelined = pipelined;
  c.input_depth = fault::input_depth(d);
  return c;
}

LocalLinks LocalLinks::after(const Dragonfly& d, const RingCommand& c, bool port_level) const {
  if (!c.valid) return *this;
  const PortMap fp = 1ull << c.port, locals = low_mask(d.a() - 1) << d.first_local();
  const bool up = c.kind == 1, end = c.kind == 3 && decode_message(c.message).prefix == 0;
  LocalLinks next = *this;
  if (c.kind < 2 || end) {
    next.serving = end || (up && port_level) ? serving | fp : serving & ~fp;
    next.unheard = up && !port_level ? unheard | fp : unheard & ~fp;
  }
  next.isolated = (next.serving & locals) == 0 || (isolated && (next.unheard & locals) != 0);
  return next;
}

PortInputs unit_pins(const Dragonfly& d, const RouterInputs& in, int k) {
  PortInputs pins;
  pins.own_gid = in.own_gid;
  pins.own_bid = in.own_bid;
  pins.own_port = static_cast<uint8_t>(k);
  pins.port_class = static_cast<uint8_t>(d.port_class(k));
  pins.safe = in.safe;
  pins.port_level = in.port_level;
  pins.joins = in.joins;
  pins.cfg_valid = in.cfg_valid && in.cfg_port == k;
  pins.cfg_row = in.cfg_row;
  pins.cfg_has_a = in.cfg_has_a;
  pins.cfg_a = in.cfg_a;
  pins.cfg_b = in.cfg_b;
  pins.route_read = in.route_read >> k & 1;
  pins.out_ready = in.out_ready >> k & 1;
  pins.reset = in.reset;
  return pins;
}

void drive_command(const RingCommand& command, PortInputs& pins) {
  pins.cmd_valid = command.valid;
  pins.cmd_kind = command.kind;
  pins.cmd_port = command.port;
  pins.cmd_message = command.message;
  pins.cmd_isolated = command.isolated;
}

RouterInputs configuration_write(const RouterInputs& base, int k, int row, const Options& options) {
  RouterInputs in = base;
  in.cfg_valid = 1;
  in.cfg_port = static_cast<uint8_t>(k);
  in.cfg_row = static_cast<uint16_t>(row);
  in.cfg_has_a = options.a != 0;
  in.cfg_a = static_cast<uint8_t>(options.a != 0 ? std::countr_zero(options.a) : 0);
  in.cfg_b = options.b;
  return in;
}

RouterUnit::RouterUnit(const Dragonfly& d, const FaultRouterConfig& config, const Parts& parts)
    : d_(d),
      config_(config),
      fifo_(d.num_ports()),
      ring_(static_cast<size_t>(d.num_ports() - 1) * config.scheduler.ring_hop + 1) {
  scheduler_ = parts.scheduler ? parts.scheduler() : std::make_unique<SchedulerUnit>(d, config.scheduler);
  for (int k = 0; k < d.num_ports(); ++k) {
    units_.push_back(parts.port ? parts.port(k) : std::make_unique<PortUnit>(d, config.banks, config.command_depth()));
    golden_.push_back(dynamic_cast<PortUnit*>(units_.back().get()));
  }
}

/// The command of the look cycle, with the message of the FIFO that is popped.
RingCommand RouterUnit::looked() const {
  RingCommand c{look_.cmd_valid != 0, false, look_.cmd_kind, look_.cmd_port, 0};
  if (look_.pop) {
    c.message = fifo_[c.port].front();
    c.kind = decode_message(c.message).kind == Kind::diagnosis ? 2 : 3;
  }
  c.isolated = c.valid && links_.after(d_, c, port_level_).isolated;
  return c;
}

/// What unit k samples at the present edge: unit 0 the command of the look cycle, the others what has gone round so
/// far.
RingCommand RouterUnit::at_station(int k) const {
  const int delay = k * config_.scheduler.ring_hop;
  if (delay == 0) return looked();
  const size_t back = static_cast<size_t>(delay - 1);
  return ring_[newest_ >= back ? newest_ - back : newest_ + ring_.size() - back];
}

void RouterUnit::step_fifos(const RouterInputs& in) {
  if (look_.pop) fifo_[look_.cmd_port].pop_front();
  const PortMap ports = low_mask(d_.num_ports());
  if (!in.reset && (in.in_valid & ports) == 0 && (~in.link_up & ports) == 0) return;
  for (int k = 0; k < d_.num_ports(); ++k) {
    const bool up = in.link_up >> k & 1, room = static_cast<int>(fifo_[k].size()) < config_.input_depth;
    if (in.reset || !up) {
      fifo_[k].clear();
    } else if ((in.in_valid >> k & 1) && room) {
      fifo_[k].push_back(in.in_message[k]);
    }
  }
}

void RouterUnit::step(const RouterInputs& in, RouterOutputs& out) {
  SchedulerInputs s;
  s.link_up = in.link_up;
  s.reset = in.reset;
  s.joins = in.joins;
  for (int k = 0; k < d_.num_ports(); ++k) {
    const PortMap bit = 1ull << k;
    if (!fifo_[k].empty() || (in.in_valid & bit)) s.queue_valid |= bit;
  }
  s.unit_busy = busy_;
  s.unit_late = late_;
  out.unit.resize(units_.size());
  for (int k = 0; k < d_.num_ports(); ++k) {
    PortInputs pins = unit_pins(d_, in, k);
    drive_command(at_station(k), pins);
    units_[k]->step(pins, out.unit[k]);
  }
  newest_ = newest_ + 1 == ring_.size() ? 0 : newest_ + 1;
  ring_[newest_] = looked();
  links_ = links_.after(d_, ring_[newest_], port_level_);
  port_level_ = in.port_level;
  if (in.reset) {
    std::fill(ring_.begin(), ring_.end(), RingCommand{});
    links_ = in.joins ? LocalLinks::joining() : LocalLinks{};
  }
  step_fifos(in);
  scheduler_->step(s, look_);
  show(out);
  busy_ = out.busy;
  late_ = out.late;
}

void RouterUnit::show(RouterOutputs& out) const {
  out.in_ready = out.out_valid = out.busy = out.late = 0;
  out.cfg_ack = 0;
  for (int k = 0; k < d_.num_ports(); ++k) {
    const PortMap bit = 1ull << k;
    if (static_cast<int>(fifo_[k].size()) < config_.input_depth) out.in_ready |= bit;
    PortOutputs& unit = out.unit[k];
    if (unit.msg_valid) out.out_valid |= bit;
    if (unit.busy) out.busy |= bit;
    if (unit.late) out.late |= bit;
    out.cfg_ack |= unit.cfg_ack;
    unit.cfg_ack = 0;  // no pin of its own
    out.out_message[k] = unit.msg;
  }
  const RingCommand c = looked();
  out.serve = c.valid;
  out.serve_kind = c.kind;
  out.serve_port = c.port;
  out.serve_message = c.message;
  out.serve_isolated = c.isolated;
  out.working = look_.working;
  out.pointer = look_.pointer;
  out.port_mask = look_.port_mask;
}

}  // namespace odonata::fault
