// SPDX-License-Identifier: Apache-2.0
#include "models/fault/port_unit.h"

namespace odonata::fault {

PortUnit::PortUnit(const Dragonfly& d) : d_(d), configured_(num_rows(d)), marks_(num_rows(d)) {}

/// One edge: the cycle that ends here works on the registers, then the pins are sampled.
void PortUnit::step(const PortInputs& in, PortOutputs& out) {
  out = {};
  if (in.reset) {
    for (Marks& m : marks_) m.level[0] = m.level[1] = m.told[0] = m.told[1] = Level::full;
    queue_.clear();
    in_ = {};
    state_ = State::idle;
    row_ = 0;
    check_tag_ = false;
    fd_count_ = fr_count_ = wait_ram_ = wait_queue_ = 0;
  } else {
    cycle(out);
    in_ = in;
  }
  out.busy = state_ != State::idle || in_.cmd_valid;
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
  switch (state_) {
    case State::idle:
      if (in_.cmd_valid) {
        take_command();
        read();
      } else if (in_.cfg_valid && !in_.route_read) {
        configured_[in_.cfg_row] = {in_.cfg_has_a ? 1ull << in_.cfg_a : 0, in_.cfg_b};
        marks_[in_.cfg_row].lost_b = marks_[in_.cfg_row].partial_b = 0;
        marks_[in_.cfg_row].a = Level::full;
        out.cfg_ack = 1;
      }
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
      second();
      break;
    case State::port_tell:
      if (full()) {
        ++wait_queue_;
      } else {
        queue_.push_back(encode_message({Kind::recovery, MessageClass::d, 0, 0, 0, 0}));
        ++fr_count_;
        state_ = State::idle;
      }
      break;
  }
  if (waiting > 0 && in_.out_ready) queue_.pop_front();
}

void PortUnit::take_command() {
  command_ = in_;
  check_tag_ = false;
  if (travels()) {
    row_ = 0;
  } else {
    row_ = row_of_entry(d_, aim(decode_message(command_.cmd_message), {command_.own_gid, command_.own_bid}));
  }
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

void PortUnit::execute(PortOutputs& out) {
  const Message m = decode_message(command_.cmd_message);
  const RouterId own{command_.own_gid, command_.own_bid};
  const Mode mode = command_.safe ? Mode::safe : Mode::paper;
  const PortClass at = static_cast<PortClass>(command_.port_class);
  const RowConfig config = row_config_of(row_);
  const Scope scope = travels() ? Scope::all : scope_of(m, d_, own, command_.cmd_port);
  const Level level = restores() ? Level::full : command_.cmd_kind == 0 ? Level::lost : level_of(m, mode, config.id);
  Marks after = marks_[row_];
  const bool changed = set_option(d_, at, configured_[row_], command_.cmd_port, level, scope, after);
  update_level(config, at, configured_[row_], mode, command_.cmd_isolated, after);
  if (changed && in_.route_read) {
    ++wait_ram_;
    return;
  }
  const Marks before = marks_[row_];
  marks_[row_] = after;
  const Speech s = speech();
  if (!restores() && (s.message[0] || s.message[1]) && full()) {
    ++wait_queue_;
    marks_[row_] = before;
    return;
  }
  if (changed) {
    out.write = 1;
    out.write_row = static_cast<uint16_t>(row_);
    out.write_level_a = static_cast<uint8_t>(after.a);
    out.write_lost = after.lost_b;
    out.write_partial = after.partial_b;
  }
  if (restores()) {
    if (!travels()) {
      state_ = State::tell;
    } else {
      next_row();
    }
    return;
  }
  speak(0);
  if (s.message[0] && s.message[1]) {
    state_ = State::second;
    return;
  }
  speak(1);
  next_row();
}

void PortUnit::tell() {
  const Speech s = speech();
  if ((s.message[0] || s.message[1]) && full()) {
    ++wait_queue_;
    return;
  }
  speak(0);
  if (s.message[0] && s.message[1]) {
    state_ = State::tell_second;
    return;
  }
  speak(1);
  next_row();
}

void PortUnit::second() {
  if (full()) {
    ++wait_queue_;
    return;
  }
  speak(1);
  next_row();
}

PortUnit::Speech PortUnit::speech() const {
  Speech s;
  if (command_.port_class == 0) return s;
  const Marks& m = marks_[row_];
  for (int c = 0; c < 2; ++c) {
    s.changes[c] = m.level[c] != m.told[c];
    s.message[c] = s.changes[c];
    if (m.level[c] != Level::full || !s.changes[c]) continue;
    const bool across = entry_of_row(d_, row_).zone == Zone::group_local && command_.port_class == 2;
    if (command_.port_level || (across && !group_accessible())) s.message[c] = false;
  }
  return s;
}

/// Updates told of a class; sends what is due.
void PortUnit::speak(int c) {
  const Speech s = speech();
  if (!s.changes[c]) return;
  Marks& m = marks_[row_];
  if (m.level[c] == Level::full && command_.port_level) check_tag_ = true;
  if (s.message[c]) {
    const Message out = message(c);
    queue_.push_back(encode_message(out));
    ++(out.kind == Kind::diagnosis ? fd_count_ : fr_count_);
  }
  m.told[c] = m.level[c];
}

Message PortUnit::message(int c) const {
  const Level level = marks_[row_].level[c];
  const EntryId id = entry_of_row(d_, row_);
  const Message in = decode_message(command_.cmd_message);
  Message m;
  m.kind = level == Level::full ? Kind::recovery : Kind::diagnosis;
  m.message_class = static_cast<MessageClass>(c);
  if (id.zone == Zone::group_local) {
    m.prefix = 2;
    m.gid = command_.own_gid;
    m.bid = static_cast<uint8_t>(id.index);
    return m;
  }
  m.gid = static_cast<uint16_t>(id.index);
  const bool forwards = !travels() && in.prefix >= 2;
  const bool coarse = command_.safe ? level == Level::lost || (level == Level::full && !forwards) : !forwards;
  if (coarse) return m;
  m.prefix = forwards ? in.prefix : 2;
  m.bid = forwards ? in.bid : 0;
  m.nid = forwards ? in.nid : 0;
  return m;
}

bool PortUnit::group_accessible() const {
  for (int b = 0; b < d_.a(); ++b) {
    if (d_.p() + b != row_ && marks_[d_.p() + b].told[0] != Level::full) return false;
  }
  return true;
}

bool PortUnit::all_accessible() const {
  for (const Marks& m : marks_) {
    if (m.level[0] != Level::full || m.level[1] != Level::full) return false;
  }
  return true;
}

/// After an entry: the next one of a travel, the second pass, or the end.
void PortUnit::next_row() {
  const bool telling = state_ == State::tell || state_ == State::tell_second;
  if (!travels()) {
    state_ = State::idle;
  } else if (row_ + 1 < num_rows(d_)) {
    ++row_;
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
    state_ = restores() && check_tag_ && command_.port_level && all_accessible() ? State::port_tell : State::idle;
  }
}

std::vector<std::string> PortUnit::describe() const {
  constexpr const char* kStates[] = {"idle", "read", "execute", "second message", "tell", "second message of tell", "port-level FR"};
  constexpr const char* kKinds[] = {"link down", "link up", "FD", "FR"};
  std::vector<std::string> out{"state " + std::string(kStates[static_cast<int>(state_)]) + ", row " + std::to_string(row_) + ", " +
                               std::to_string(queue_.size()) + " messages queued"};
  out.push_back("command " + std::string(kKinds[command_.cmd_kind]) + ", Fp " + std::to_string(command_.cmd_port) + ", " +
                to_string(decode_message(command_.cmd_message)));
  const Marks& m = marks_[row_];
  out.push_back("row: level D " + std::string(to_string(m.level[0])) + ", S " + std::string(to_string(m.level[1])) + ", told D " +
                std::string(to_string(m.told[0])) + ", S " + std::string(to_string(m.told[1])));
  return out;
}

}  // namespace odonata::fault
