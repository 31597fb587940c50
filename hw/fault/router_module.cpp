// SPDX-License-Identifier: Apache-2.0
#include "hw/fault/router_module.h"

#include <string>

namespace odonata::fault {

FaultRouterModule::FaultRouterModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                                     const FaultRouterConfig& config, hw::Drive<RouterInputs> pins,
                                     const MakeRam& make_ram)
    : ClockedModule(name, tick),
      d_(d),
      config_(config),
      pins_(std::move(pins)),
      unit_pins_(d.num_ports()),
      scheduler_("scheduler", tick, d, config.scheduler,
                 [this]() -> const SchedulerInputs& { return drive_scheduler(); }) {
  next().fifo.resize(d.num_ports());
  next().ring.resize(static_cast<size_t>(d.num_ports() - 1) * config.scheduler.ring_hop + 1);
  clear(RouterRegisters(next()));
  for (int k = 0; k < d.num_ports(); ++k) {
    const std::string unit = "port_" + std::to_string(k);
    rams_.push_back(make_ram ? make_ram(k) : std::make_unique<OwnTableRam>(unit + "_ram", num_rows(d), config.banks));
    units_.push_back(std::make_unique<FaultPortModule>(
        unit.c_str(), tick, d, *rams_.back(), [this, k]() -> const PortInputs& { return drive_unit(k); }, config.banks,
        config.command_depth()));
  }
  SC_HAS_PROCESS(FaultRouterModule);
  SC_METHOD(input_fifos);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(ring);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(local_links);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(show);
  sensitive << settled_;
  dont_initialize();
  show();
}

/// The command of the look cycle, with the message of the FIFO that is popped.
RingCommand FaultRouterModule::looked() const {
  const SchedulerOutputs& look = scheduler_.out();
  RingCommand c{look.cmd_valid != 0, false, look.cmd_kind, look.cmd_port, 0};
  if (look.pop) {
    c.message = now().fifo[c.port].front();
    c.kind = decode_message(c.message).kind == Kind::diagnosis ? 2 : 3;
  }
  c.isolated = c.valid && now().links.after(d_, c, now().port_level).isolated;
  return c;
}

const PortInputs& FaultRouterModule::drive_unit(int k) {
  const int delay = k * config_.scheduler.ring_hop;
  unit_pins_[k] = unit_pins(d_, pins_(), k);
  drive_command(delay == 0 ? looked() : now().ring[delay - 1], unit_pins_[k]);
  return unit_pins_[k];
}

const SchedulerInputs& FaultRouterModule::drive_scheduler() {
  const RouterInputs& in = pins_();
  SchedulerInputs& s = scheduler_pins_;
  s = {};
  s.link_up = in.link_up;
  s.reset = in.reset;
  s.joins = in.joins;
  for (int k = 0; k < d_.num_ports(); ++k) {
    const PortMap bit = 1ull << k;
    if (!now().fifo[k].empty() || (in.in_valid & bit)) s.queue_valid |= bit;
    if (units_[k]->out().busy) s.unit_busy |= bit;
    if (units_[k]->out().late) s.unit_late |= bit;
  }
  return s;
}

void FaultRouterModule::input_fifos() {
  const RouterInputs& in = pins_();
  const SchedulerOutputs& look = scheduler_.out();
  for (int k = 0; k < d_.num_ports(); ++k) {
    auto& fifo = next().fifo[k];
    if (look.pop && look.cmd_port == k) fifo.erase(fifo.begin());
    const bool room = static_cast<int>(fifo.size()) < config_.input_depth;
    if (in.reset || !(in.link_up >> k & 1)) {
      fifo.clear();
    } else if ((in.in_valid >> k & 1) && room) {
      fifo.push_back(in.in_message[k]);
    }
  }
}

void FaultRouterModule::ring() {
  auto& stations = next().ring;
  for (size_t k = stations.size(); k-- > 1;) stations[k] = now().ring[k - 1];
  stations[0] = looked();
  if (pins_().reset) std::fill(stations.begin(), stations.end(), RingCommand{});
}

/// Which local links serve.
void FaultRouterModule::local_links() {
  const RouterInputs& in = pins_();
  next().port_level = in.port_level;
  next().links =
      in.reset ? (in.joins ? LocalLinks::joining() : LocalLinks{}) : now().links.after(d_, looked(), now().port_level);
}

void FaultRouterModule::show() {
  out_ = {};
  out_.unit.resize(d_.num_ports());
  for (int k = 0; k < d_.num_ports(); ++k) {
    const PortMap bit = 1ull << k;
    const PortOutputs& unit = units_[k]->out();
    if (static_cast<int>(now().fifo[k].size()) < config_.input_depth) out_.in_ready |= bit;
    if (unit.msg_valid) out_.out_valid |= bit;
    if (unit.busy) out_.busy |= bit;
    if (unit.late) out_.late |= bit;
    out_.cfg_ack |= unit.cfg_ack;
    out_.out_message[k] = unit.msg;
    out_.unit[k] = unit;
    out_.unit[k].cfg_ack = 0;  // no pin of its own
  }
  const RingCommand c = looked();
  out_.serve = c.valid;
  out_.serve_kind = c.kind;
  out_.serve_port = c.port;
  out_.serve_message = c.message;
  out_.serve_isolated = c.isolated;
  out_.working = scheduler_.out().working;
  out_.pointer = scheduler_.out().pointer;
  out_.port_mask = scheduler_.out().port_mask;
  published_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace odonata::fault
