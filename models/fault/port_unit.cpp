// SPDX-License-Identifier: Apache-2.0
#include "models/fault/port_unit.h"

#include <algorithm>

#include "models/fault/tell.h"

namespace odonata::fault {

Speech speech_about(const Marks& m, PortClass at, Recovery recovery, bool across, bool others_full) {
  Speech s;
  if (at == PortClass::node) return s;
  for (int c = 0; c < 2; ++c) {
    s.changes[c] = m.level[c] != m.told[c];
    const bool silent = m.level[c] == Level::full && (recovery == Recovery::port_level || (across && !others_full));
    s.message[c] = s.changes[c] && !silent;
  }
  return s;
}

PortMap unheard_after(const Dragonfly& d, const PortInputs& c, PortMap unheard) {
  const PortMap fp = 1ull << c.cmd_port;
  if (c.cmd_kind == 1) return !c.port_level && c.cmd_port >= d.p() ? unheard | fp : unheard & ~fp;
  return c.cmd_kind == 3 && decode_message(c.cmd_message).prefix == 0 ? unheard & ~fp : unheard;
}

Scope scope_of_command(const Dragonfly& d, const PortInputs& c) {
  if (c.cmd_kind < 2) return Scope::all;
  const Message m = decode_message(c.cmd_message);
  if (c.cmd_kind == 3 && c.port_level) return Scope::all;
  return c.cmd_kind == 3 && m.prefix == 0 ? Scope::none : scope_of(m, d, {c.own_gid, c.own_bid}, c.cmd_port);
}

Level level_of_command(const PortInputs& c, EntryId id) {
  if (c.cmd_kind == 1 || c.cmd_kind == 3) return Level::full;
  return c.cmd_kind == 0 ? Level::lost : level_of(decode_message(c.cmd_message), c.safe ? Mode::safe : Mode::paper, id);
}

PortUnit::PortUnit(const Dragonfly& d, int banks, int command_depth)
    : d_(d), banks_(banks), depth_(command_depth), configured_(num_rows(d)), marks_(num_rows(d)) {
  if (banks < 1 || banks > kMaxBanks)
    throw Error("fault port unit: banks " + std::to_string(banks) + ", 1.." + std::to_string(kMaxBanks) +
                " are possible");
}

/// One edge: the cycle that ends here works on the registers, then the pins are sampled.
void PortUnit::step(const PortInputs& in, PortOutputs& out) {
  out = {};
  if (in.reset) {
    for (Marks& m : marks_) m.level[0] = m.level[1] = m.told[0] = m.told[1] = Level::full;
    queue_.clear();
    due_.clear();
    commands_.clear();
    in_ = {};
    state_ = State::idle;
    row_ = 0;
    check_tag_ = false;
    unheard_ = in.joins ? low_mask(d_.num_ports()) : 0;
    fd_count_ = fr_count_ = wait_ram_ = wait_queue_ = 0;
  } else {
    cycle(out);
    in_ = in;
  }
  out.busy = state_ != State::idle || in_.cmd_valid || !commands_.empty();
  out.late = !commands_.empty();
  out.unheard = unheard_;
  out.msg_valid = !queue_.empty();
  out.msg = queue_.empty() ? 0 : queue_.front();
  out.fd_count = fd_count_;
  out.fr_count = fr_count_;
  out.wait_ram = wait_ram_;
  out.wait_queue = wait_queue_;
  out.probe = static_cast<uint16_t>(static_cast<int>(state_) | (state_ == State::idle ? 0 : row_ << 3));
}

void PortUnit::cycle(PortOutputs& out) {
  const size_t waiting = queue_.size();
  const bool queued =
      in_.cmd_valid && (state_ != State::idle || !commands_.empty()) && commands_.size() < static_cast<size_t>(depth_);
  switch (state_) {
    case State::idle:
      idle(out);
      break;
    case State::read:
      read();
      break;
    case State::execute:
      execute(out);
      break;
    case State::tell:
      tell();
      break;
    case State::second:
    case State::tell_second:
      full() ? static_cast<void>(++wait_queue_) : say_next();
      break;
    case State::port_tell:
      port_tell();
      break;
  }
  if (queued) commands_.push_back(in_);
  if (waiting > 0 && in_.out_ready) queue_.pop_front();
}

/// Starts the oldest command, if there is one; else a configuration write may take the RAM.
void PortUnit::idle(PortOutputs& out) {
  if (in_.cmd_valid || !commands_.empty()) {
    take_command();
    read();
  } else if (in_.cfg_valid && !in_.route_read) {
    configure(in_.cfg_row, {in_.cfg_has_a ? 1ull << in_.cfg_a : 0, in_.cfg_b});
    out.cfg_ack = 1;
  }
}

void PortUnit::configure(int row, const Options& options) {
  configured_[row] = options;
  marks_[row].lost_b = marks_[row].partial_b = 0;
  marks_[row].a = Level::full;
}

void PortUnit::forget_marks() {
  for (int row = 0; row < rows(); ++row) configure(row, configured_[row]);
}

void PortUnit::take_command() {
  const PortInputs from = commands_.empty() ? in_ : commands_.front();
  if (!commands_.empty()) commands_.pop_front();
  command_ = in_;
  command_.cmd_kind = from.cmd_kind;
  command_.cmd_port = from.cmd_port;
  command_.cmd_message = from.cmd_message;
  command_.cmd_isolated = from.cmd_isolated;
  check_tag_ = false;
  unheard_ = unheard_after(d_, command_, unheard_);
  row_ =
      travels() ? 0 : row_of_entry(d_, aim(decode_message(command_.cmd_message), {command_.own_gid, command_.own_bid}));
  if (command_.cmd_kind == 1 && command_.cmd_port == command_.own_port) {
    for (Marks& m : marks_) m.told[0] = m.told[1] = Level::full;
  }
}

void PortUnit::read() {
  wait_ram_ += in_.route_read;
  state_ = in_.route_read ? State::read : State::execute;
}

RowConfig PortUnit::row_config_of(int row) const {
  RowConfig config;
  config.id = entry_of_row(d_, row);
  config.local_ports = low_mask(d_.a() - 1) << d_.first_local();
  config.global_ports = low_mask(d_.h()) << d_.first_global();
  return config;
}

/// The action on one row: marks and level. Returns whether a mark has changed.
bool PortUnit::act(int row) {
  const Mode mode = command_.safe ? Mode::safe : Mode::paper;
  const PortClass at = static_cast<PortClass>(command_.port_class);
  const RowConfig config = row_config_of(row);
  const Scope scope = scope_of_command(d_, command_);
  const bool changed = set_option(d_, at, configured_[row], command_.cmd_port, level_of_command(command_, config.id),
                                  scope, marks_[row]);
  update_level(config, at, configured_[row], mode, command_.cmd_isolated, unheard_, marks_[row]);
  return changed;
}

void PortUnit::save() { std::copy_n(marks_.begin() + row_, lanes(), saved_.begin()); }

void PortUnit::restore() { std::copy_n(saved_.begin(), lanes(), marks_.begin() + row_); }

void PortUnit::execute(PortOutputs& out) {
  save();
  uint32_t changed = 0;
  for (int lane = 0; lane < lanes(); ++lane) changed |= static_cast<uint32_t>(act(row_ + lane)) << lane;
  if (changed != 0 && in_.route_read) {
    ++wait_ram_;
    restore();
    return;
  }
  if (!restores() && !speak()) return;
  if (changed != 0) out.write_row = static_cast<uint16_t>(row_);
  for (int lane = 0; lane < lanes(); ++lane) {
    if (changed >> lane & 1) show_write(lane, out);
  }
  if (restores() && !travels()) {
    state_ = State::tell;
  } else if (due_.empty()) {
    next_step();
  } else {
    state_ = State::second;
  }
}

void PortUnit::show_write(int lane, PortOutputs& out) const {
  const Marks& m = marks_[row_ + lane];
  out.write |= static_cast<uint8_t>(1 << lane);
  out.write_level_a |= static_cast<uint16_t>(static_cast<int>(m.a) << 2 * lane);
  out.write_lost[lane] = m.lost_b;
  out.write_partial[lane] = m.partial_b;
}

void PortUnit::tell() {
  save();
  if (!speak()) return;
  if (due_.empty()) {
    next_step();
  } else {
    state_ = State::tell_second;
  }
}

/// Judges the rows of the step and says the first message. False, and nothing has happened, when the queue has no room
/// for it.
bool PortUnit::speak() {
  const bool tag = check_tag_;
  for (int lane = 0; lane < lanes(); ++lane) judge(row_ + lane);
  if (due_.empty()) return true;
  if (full()) {
    ++wait_queue_;
    due_.clear();
    check_tag_ = tag;
    restore();
    return false;
  }
  const uint32_t message = due_.front();
  due_.pop_front();
  queue_.push_back(message);
  ++(decode_message(message).kind == Kind::diagnosis ? fd_count_ : fr_count_);
  return true;
}

/// Updates told of a row; what has to be said is due.
void PortUnit::judge(int row) {
  Marks& m = marks_[row];
  if (m.level[0] == m.told[0] && m.level[1] == m.told[1]) return;
  const EntryId id = entry_of_row(d_, row);
  const Recovery recovery = command_.port_level ? Recovery::port_level : Recovery::per_entry;
  const PortClass at = static_cast<PortClass>(command_.port_class);
  const bool across = id.zone == Zone::group_local && at == PortClass::global;
  const Speech s = speech_about(m, at, recovery, across, group_accessible(row));
  const Message cause = decode_message(command_.cmd_message);
  const RouterId own{command_.own_gid, command_.own_bid};
  for (int c = 0; c < 2; ++c) {
    if (!s.changes[c]) continue;
    m.told[c] = m.level[c];
    check_tag_ |= m.level[c] == Level::full && recovery == Recovery::port_level;
    if (!s.message[c]) continue;
    due_.push_back(encode_message(
        entry_message(command_.safe ? Mode::safe : Mode::paper, own, id, c, m.level[c], travels() ? nullptr : &cause)));
  }
}

/// A further message of the step.
void PortUnit::say_next() {
  queue_.push_back(due_.front());
  ++(decode_message(due_.front()).kind == Kind::diagnosis ? fd_count_ : fr_count_);
  due_.pop_front();
  if (due_.empty()) next_step();
}

void PortUnit::port_tell() {
  if (full()) {
    ++wait_queue_;
    return;
  }
  queue_.push_back(encode_message(kWholePort));
  ++fr_count_;
  state_ = State::idle;
}

bool PortUnit::group_accessible(int row) const {
  for (int b = 0; b < d_.a(); ++b) {
    if (d_.p() + b != row && marks_[d_.p() + b].told[0] != Level::full) return false;
  }
  return true;
}

bool PortUnit::all_accessible() const {
  return std::all_of(marks_.begin(), marks_.end(),
                     [](const Marks& m) { return m.level[0] == Level::full && m.level[1] == Level::full; });
}

/// After a step: the next one of a travel, the second pass, or the end.
void PortUnit::next_step() {
  const bool telling = state_ == State::tell || state_ == State::tell_second;
  if (!travels()) {
    state_ = State::idle;
  } else if (row_ + banks_ < rows()) {
    row_ += banks_;
    state_ = telling ? State::tell : State::read;
  } else {
    finish_pass();
  }
}

void PortUnit::finish_pass() {
  const bool telling = state_ == State::tell || state_ == State::tell_second;
  row_ = telling ? row_ : 0;
  if (restores() && !telling) {
    state_ = State::tell;
  } else {
    const bool whole = restores() && check_tag_ && command_.port_level && all_accessible();
    state_ = whole || announces(command_) ? State::port_tell : State::idle;
  }
}

std::vector<std::string> PortUnit::describe() const {
  constexpr const char* kStates[] = {"idle",      "read", "execute", "second message", "tell", "second message of tell",
                                     "whole port"};
  constexpr const char* kKinds[] = {"link down", "link up", "FD", "FR"};
  std::vector<std::string> out{"state " + std::string(kStates[static_cast<int>(state_)]) + ", row " +
                               std::to_string(row_) + ", " + std::to_string(queue_.size()) + " messages queued, " +
                               std::to_string(commands_.size()) + " commands waiting"};
  out.push_back("command " + std::string(kKinds[command_.cmd_kind]) + ", Fp " + std::to_string(command_.cmd_port) +
                ", " + to_string(decode_message(command_.cmd_message)));
  const Marks& m = marks_[row_];
  out.push_back("row: level D " + std::string(to_string(m.level[0])) + ", S " + std::string(to_string(m.level[1])) +
                ", told D " + std::string(to_string(m.told[0])) + ", S " + std::string(to_string(m.told[1])));
  return out;
}

}  // namespace odonata::fault
