// SPDX-License-Identifier: Apache-2.0
#include "hw/fault/port_unit_module.h"

#include <algorithm>

#include "models/fault/tell.h"

namespace odonata::fault {

using State = PortUnit::State;

FaultPortModule::FaultPortModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d, TableRam& ram,
                                 hw::Drive<PortInputs> pins, int banks, int command_depth)
    : ClockedModule(name, tick), d_(d), ram_(ram), pins_(std::move(pins)), banks_(banks), depth_(command_depth) {
  SC_HAS_PROCESS(FaultPortModule);
  const auto clocked = [&] {
    sensitive << edge();
    dont_initialize();
  };
  SC_METHOD(sample);
  clocked();
  SC_METHOD(station);
  clocked();
  SC_METHOD(sequence);
  clocked();
  SC_METHOD(action);
  clocked();
  SC_METHOD(accessibility);
  clocked();
  SC_METHOD(output_queue);
  clocked();
  SC_METHOD(count);
  clocked();
  reset_ = true;  // power-up is the reset state, with an empty RAM
  publish();
}

RowConfig FaultPortModule::row_config_of(int row) const {
  RowConfig config;
  config.id = entry_of_row(d_, row);
  config.local_ports = low_mask(d_.a() - 1) << d_.first_local();
  config.global_ports = low_mask(d_.h()) << d_.first_global();
  return config;
}

// ---- what the present registers make of the cycle

const FaultPortModule::Wires& FaultPortModule::wires() {
  if (valid_) return wires_;
  valid_ = true;
  Wires& w = wires_ = {};
  const PortRegisters& r = now();
  w.command = r.command;
  w.row = r.row;
  w.check_tag = r.check_tag;
  w.unheard = r.unheard;
  if (r.state == State::idle) start(w);
  w.lanes = travels(w.command) ? std::min(banks_, num_rows(d_) - w.row) : 1;
  w.word = r.word;
  for (int lane = 0; lane < w.lanes; ++lane) {
    w.level[lane] = r.level[w.row + lane];
    w.told[lane] = r.told[w.row + lane];
  }
  if (w.start || r.state == State::read) {
    w.ram_blocked = r.r0.route_read;
    w.read = w.step_done = !w.ram_blocked;
  } else if (r.state == State::execute) {
    execute(w);
  } else if (r.state == State::tell) {
    judge(w);
    w.queue_blocked = !w.says.empty() && full();
    w.step_done = !w.queue_blocked;
  } else if (following()) {
    w.says = r.due;
    w.queue_blocked = full();
    w.step_done = !w.queue_blocked;
  } else if (r.state == State::port_tell) {
    w.says = {encode_message(kWholePort)};
    w.queue_blocked = full();
    w.step_done = !w.queue_blocked;
  }
  w.push = w.step_done && !w.says.empty();
  if (w.push) {
    w.message = w.says.front();
    w.says.erase(w.says.begin());
  }
  return w;
}

/// Idle: the oldest command starts; without one a configuration write may have the RAM.
void FaultPortModule::start(Wires& w) const {
  const PortRegisters& r = now();
  w.start = r.r0.cmd_valid || !r.waiting.empty();
  w.configures = !w.start && r.r0.cfg_valid && !r.r0.route_read;
  if (!w.start) return;
  const PortInputs& from = r.waiting.empty() ? r.r0 : r.waiting.front();
  w.command = r.r0;
  w.command.cmd_kind = from.cmd_kind;
  w.command.cmd_port = from.cmd_port;
  w.command.cmd_message = from.cmd_message;
  w.command.cmd_isolated = from.cmd_isolated;
  w.row = travels(w.command)
              ? 0
              : row_of_entry(d_, aim(decode_message(from.cmd_message), {w.command.own_gid, w.command.own_bid}));
  w.check_tag = false;
  w.unheard = unheard_after(d_, w.command, r.unheard);
}

/// The action unit on one row of the step.
void FaultPortModule::act(Wires& w, int lane) const {
  const PortInputs& c = w.command;
  const Mode mode = c.safe ? Mode::safe : Mode::paper;
  const PortClass at = static_cast<PortClass>(c.port_class);
  const RowConfig config = row_config_of(w.row + lane);
  const Level level = level_of_command(c, config.id);
  Marks& marks = w.word[lane].marks;
  std::copy(w.level[lane].begin(), w.level[lane].end(), marks.level);
  if (set_option(d_, at, w.word[lane].configured, c.cmd_port, level, scope_of_command(d_, c), marks))
    w.changed |= 1u << lane;
  update_level(config, at, w.word[lane].configured, mode, c.cmd_isolated, w.unheard, marks);
  std::copy(marks.level, marks.level + 2, w.level[lane].begin());
}

void FaultPortModule::execute(Wires& w) const {
  for (int lane = 0; lane < w.lanes; ++lane) act(w, lane);
  w.ram_blocked = w.changed != 0 && now().r0.route_read;
  if (w.ram_blocked) return;
  if (!restores(w.command)) judge(w);
  w.queue_blocked = !w.says.empty() && full();
  w.step_done = !w.queue_blocked;
}

/// What the step has to say, row by row, class D before S; told follows.
void FaultPortModule::judge(Wires& w) const {
  const PortInputs& c = w.command;
  const PortClass at = static_cast<PortClass>(c.port_class);
  const Recovery recovery = c.port_level ? Recovery::port_level : Recovery::per_entry;
  const Message cause = decode_message(c.cmd_message);
  for (int lane = 0; lane < w.lanes; ++lane) {
    const EntryId id = entry_of_row(d_, w.row + lane);
    Marks marks;
    std::copy(w.level[lane].begin(), w.level[lane].end(), marks.level);
    std::copy(w.told[lane].begin(), w.told[lane].end(), marks.told);
    const bool across = id.zone == Zone::group_local && at == PortClass::global;
    const Speech s = speech_about(marks, at, recovery, across, others_full(w, lane));
    for (int k = 0; k < 2; ++k) {
      if (!s.changes[k]) continue;
      w.told[lane][k] = marks.level[k];
      w.check_tag |= marks.level[k] == Level::full && recovery == Recovery::port_level;
      if (!s.message[k]) continue;
      const Message m = entry_message(c.safe ? Mode::safe : Mode::paper, {c.own_gid, c.own_bid}, id, k, marks.level[k],
                                      travels(c) ? nullptr : &cause);
      w.says.push_back(encode_message(m));
    }
  }
}

/// Whether the neighbour knows all B entries but this one as full, the rows before it in the step included.
bool FaultPortModule::others_full(const Wires& w, int lane) const {
  for (int row = d_.p(); row < d_.p() + d_.a(); ++row) {
    if (row == w.row + lane) continue;
    const bool in_step = row >= w.row && row < w.row + w.lanes;
    if ((in_step ? w.told[row - w.row] : now().told[row])[0] != Level::full) return false;
  }
  return true;
}

/// Whether every entry of the port is full after this cycle.
bool FaultPortModule::all_accessible(const Wires& w) const {
  for (int row = 0; row < num_rows(d_); ++row) {
    const bool in_step = row >= w.row && row < w.row + w.lanes;
    const auto& level = in_step ? w.level[row - w.row] : now().level[row];
    if (level[0] != Level::full || level[1] != Level::full) return false;
  }
  return true;
}

// ---- the parts

void FaultPortModule::sample() {
  const PortInputs& in = pins_();
  reset_ = in.reset;
  joins_ = in.joins;
  next().r0 = in;
}

/// A command that cannot be taken at once waits.
void FaultPortModule::station() {
  const PortRegisters& r = now();
  const Wires& w = wires();
  const bool waits = r.r0.cmd_valid && (r.state != State::idle || !r.waiting.empty()) &&
                     r.waiting.size() < static_cast<size_t>(depth_);
  if (w.start && !r.waiting.empty()) next().waiting.erase(next().waiting.begin());
  if (waits) next().waiting.push_back(r.r0);
}

/// Travel and match: which rows, and what comes next.
void FaultPortModule::sequence() {
  const Wires& w = wires();
  const State state = now().state;
  PortRegisters& to = next();
  if (w.start) {
    to.command = w.command;
    to.row = w.row;
    to.unheard = w.unheard;
  }
  if (w.start || state == State::read) {
    to.state = w.read ? State::execute : State::read;
  } else if (w.step_done) {
    to.due = w.says;
    if (state == State::execute && restores(w.command) && !travels(w.command)) {
      to.state = State::tell;
    } else if (!w.says.empty()) {
      to.state = telling() ? State::tell_second : State::second;
    } else {
      to.state = after_step(w, to.row);
    }
  }
  to.check_tag = w.start || w.step_done ? w.check_tag : now().check_tag;
}

/// The state after a step whose messages have left; `row` moves on.
State FaultPortModule::after_step(const Wires& w, int& row) const {
  if (!travels(w.command) || now().state == State::port_tell) return State::idle;
  if (w.row + banks_ < num_rows(d_)) {
    row = w.row + banks_;
    return telling() ? State::tell : State::read;
  }
  if (!telling()) row = 0;
  if (restores(w.command) && !telling()) return State::tell;
  const bool whole = restores(w.command) && w.check_tag && w.command.port_level && all_accessible(w);
  return whole || announces(w.command) ? State::port_tell : State::idle;
}

/// The RAM: a read, the write of changed marks, or a configuration write.
void FaultPortModule::action() {
  const Wires& w = wires();
  shown_ = {};
  if (w.read) {
    for (int lane = 0; lane < w.lanes; ++lane) next().word[lane] = ram_.read(w.row + lane);
  }
  if (w.configures) {
    const PortInputs& c = now().r0;
    ram_.write(c.cfg_row, {{c.cfg_has_a ? 1ull << c.cfg_a : 0, c.cfg_b}, {}});
    shown_.cfg_ack = 1;
  }
  if (now().state != State::execute || !w.step_done || w.changed == 0) return;
  shown_.write = static_cast<uint8_t>(w.changed);
  shown_.write_row = static_cast<uint16_t>(w.row);
  for (int lane = 0; lane < w.lanes; ++lane) {
    if (!(w.changed >> lane & 1)) continue;
    const Marks& m = w.word[lane].marks;
    ram_.write(w.row + lane, w.word[lane]);
    shown_.write_level_a |= static_cast<uint16_t>(static_cast<int>(m.a) << 2 * lane);
    shown_.write_lost[lane] = m.lost_b;
    shown_.write_partial[lane] = m.partial_b;
  }
}

void FaultPortModule::accessibility() {
  const Wires& w = wires();
  PortRegisters& to = next();
  const bool own_link_up = w.start && w.command.cmd_kind == 1 && w.command.cmd_port == w.command.own_port;
  if (own_link_up) std::fill(to.told.begin(), to.told.end(), std::array<Level, 2>{});
  const bool acts = now().state == State::execute && w.step_done,
             tells = acts || (now().state == State::tell && w.step_done);
  for (int lane = 0; lane < w.lanes; ++lane) {
    if (acts) to.level[w.row + lane] = w.level[lane];
    if (tells) to.told[w.row + lane] = w.told[lane];
  }
}

void FaultPortModule::output_queue() {
  const Wires& w = wires();
  const bool taken = !now().queue.empty() && now().r0.out_ready;
  if (w.push) next().queue.push_back(w.message);
  if (taken) next().queue.erase(next().queue.begin());
}

void FaultPortModule::count() {
  const Wires& w = wires();
  const bool fr = decode_message(w.message).kind == Kind::recovery;
  next().fd_count = static_cast<uint16_t>(now().fd_count + (w.push && !fr));
  next().fr_count = static_cast<uint16_t>(now().fr_count + (w.push && fr));
  next().wait_ram = static_cast<uint16_t>(now().wait_ram + w.ram_blocked);
  next().wait_queue = static_cast<uint16_t>(now().wait_queue + w.queue_blocked);
}

void FaultPortModule::publish() {
  ram_.clock(!reset_);
  if (reset_) {
    PortRegisters registers;
    registers.level.resize(num_rows(d_));
    registers.told.resize(num_rows(d_));
    registers.unheard = joins_ ? low_mask(d_.num_ports()) : 0;
    clear(registers);
    shown_ = {};
  }
  valid_ = false;
  reset_ = false;
  const PortRegisters& r = now();
  out_ = shown_;
  out_.busy = r.state != State::idle || r.r0.cmd_valid || !r.waiting.empty();
  out_.late = !r.waiting.empty();
  out_.unheard = r.unheard;
  out_.msg_valid = !r.queue.empty();
  out_.msg = r.queue.empty() ? 0 : r.queue.front();
  out_.fd_count = r.fd_count;
  out_.fr_count = r.fr_count;
  out_.wait_ram = r.wait_ram;
  out_.wait_queue = r.wait_queue;
  out_.probe = static_cast<uint16_t>(static_cast<int>(r.state) | (r.state == State::idle ? 0 : r.row << 3));
}

}  // namespace odonata::fault
