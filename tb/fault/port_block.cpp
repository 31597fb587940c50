// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/port_block.h"

#include <bit>

namespace odonata::cosim {

using namespace fault;

/// Reset and all configured options; marks cannot be preloaded, so a cut inside an episode may lose the mismatch.
std::vector<PortInputs> FaultPortBlock::preload(const PortUnit& unit) {
  PortInputs in = idle(unit.sampled());
  std::vector<PortInputs> cycles;
  in.reset = 1;
  cycles.push_back(in);
  in.reset = in.joins = 0;
  for (int row = 0; row < unit.rows(); ++row) {
    const Options& o = unit.configured(row);
    in.cfg_valid = 1;
    in.cfg_row = static_cast<uint16_t>(row);
    in.cfg_has_a = o.a != 0;
    in.cfg_a = static_cast<uint8_t>(o.a != 0 ? std::countr_zero(o.a) : 0);
    in.cfg_b = o.b;
    cycles.push_back(in);
  }
  return cycles;
}

// ---- stimulus

void PortStimulus::new_episode() {
  own_ = d_.router(static_cast<int>(random_.below(static_cast<uint32_t>(d_.num_routers()))));
  // Every class is equally likely, whatever the number of its ports.
  const uint32_t port_class = random_.below(5) == 0 ? 0 : 1 + random_.below(2);
  const int port = port_class == 0 ? static_cast<int>(random_.below(static_cast<uint32_t>(d_.p())))
                   : port_class == 1
                       ? d_.first_local() + static_cast<int>(random_.below(static_cast<uint32_t>(d_.a() - 1)))
                       : d_.first_global() + static_cast<int>(random_.below(static_cast<uint32_t>(d_.h())));
  base_ = {};
  base_.own_gid = static_cast<uint16_t>(own_.gid);
  base_.own_bid = static_cast<uint8_t>(own_.bid);
  base_.own_port = static_cast<uint8_t>(port);
  base_.port_class = static_cast<uint8_t>(port_class);
  base_.safe = static_cast<uint8_t>(random_.below(2));
  base_.port_level = random_.below(3) == 0;
  base_.joins = random_.below(8) == 0;
  unheard_ = base_.joins ? low_mask(d_.num_ports()) : 0;
  mode_ = base_.safe ? Mode::safe : Mode::paper;
  wild_ = random_.below(2) == 0;
  narrow_ = wild_ && random_.below(2) == 0;
  if (wild_) {
    base_.own_gid = static_cast<uint16_t>(random_.below(512));
    if (base_.own_gid >= 256)
      base_.own_gid = static_cast<uint16_t>(base_.own_gid % d_.g());  // look-ups reach the rows of its own group
    base_.own_bid = static_cast<uint8_t>(random_.below(32));
  }
  constexpr double kRead[] = {0, 0, 0.3, 0.8}, kReady[] = {1, 0.3, 0.03, -1};
  read_ = kRead[random_.below(4)];
  ready_ = kReady[random_.below(4)];
  travels_ = random_.below(2) ? 0.05 : 0.4;
  failing_ = 0.3 + 0.4 * random_.unit();
  undoes_ = random_.below(3) == 0;
  last_ = {};
  if (episode_ >= 0) begin_walk();
  rows_.clear();
  for (int i = 0; i < 3; ++i) rows_.push_back(static_cast<int>(random_.below(static_cast<uint32_t>(num_rows(d_)))));
  for (int i = 0; i < 2; ++i) rows_.push_back(d_.p() + static_cast<int>(random_.below(static_cast<uint32_t>(d_.a()))));
  ports_.clear();
  for (int i = 0; i < 3; ++i) ports_.push_back(static_cast<int>(random_.below(static_cast<uint32_t>(d_.num_ports()))));
  ports_.push_back(port);
  step_ = 0;
  commands_ = episode_ >= 0 ? 2 * num_rows(d_) + 3 * d_.num_ports() : 10 + static_cast<int>(random_.below(40));
  loaded_.resize(static_cast<size_t>(num_rows(d_)));
}

/// Identity as it may be, tables with options everywhere.
void PortStimulus::begin_walk() {
  const int at = episode_ % 3;
  base_.port_class = static_cast<uint8_t>(at);
  base_.own_port = static_cast<uint8_t>(at == 0 ? 0 : at == 1 ? d_.first_local() : d_.num_ports() - 1);
  base_.own_gid = static_cast<uint16_t>(episode_ % 2 == 0 ? d_.g() - 1 : 0);
  base_.own_bid = static_cast<uint8_t>(episode_ % 2 == 0 ? d_.a() - 1 : 0);
  base_.safe = episode_ / 3 % 2 == 0;
  base_.port_level = base_.joins = 0;
  mode_ = base_.safe ? Mode::safe : Mode::paper;
  wild_ = true;
  narrow_ = undoes_ = false;
  unheard_ = 0;
  read_ = 0.2;
  ready_ = 1;
  walked_ = 0;
  ++episode_;
}

/// First the rows, then the ports.
void PortStimulus::step_walk(PortInputs& in) {
  const int rows = num_rows(d_), at = walked_++;
  if (at < 2 * rows) {
    const int row = at / 2;
    const bool fails = at % 2 == 0;
    const PortMap options = loaded_[static_cast<size_t>(row)].a | loaded_[static_cast<size_t>(row)].b;
    in.cmd_kind = fails ? 2 : 3;
    in.cmd_port = fails && options != 0
                      ? static_cast<uint8_t>(rotating_pick(options, static_cast<int>(random_.below(64))))
                      : last_.cmd_port;
    Message m = message(entry_of_row(d_, row), Kind::diagnosis);
    if (!fails) m = decode_message(last_.cmd_message);
    m.kind = fails ? Kind::diagnosis : Kind::recovery;
    const bool hits_a = (loaded_[static_cast<size_t>(row)].a >> in.cmd_port & 1) != 0;
    m.message_class = base_.port_class != 0 || hits_a ? MessageClass::d : MessageClass::s;
    if (!fails && m.prefix == 2) m.nid = 0;
    in.cmd_message = encode_message(m);
  } else {
    const int port = (at - 2 * rows) / 3, step = (at - 2 * rows) % 3;
    in.cmd_kind = static_cast<uint8_t>(step == 2 ? 3 : step);
    in.cmd_port = static_cast<uint8_t>(port % d_.num_ports());
    in.cmd_message = step == 2 ? encode_message(kWholePort) : 0;
  }
  last_ = in;
}

void PortStimulus::load(PortInputs& in) {
  const int row = step_ - 2;
  Options o = row_config(d_, own_, entry_of_row(d_, row), mode_).at(d_, base_.own_port);
  if (wild_) {
    const PortMap ports = low_mask(d_.num_ports());
    o.a = random_.below(4) == 0 ? 0 : 1ull << random_.below(static_cast<uint32_t>(d_.num_ports()));
    o.b = random_.next() & ports;
    if (random_.below(2)) o.b &= random_.next() & random_.next();
    if (row % 2 == 1) o.b |= low_mask(d_.h()) << d_.first_global();  // several options on the own side of a local port
    // Every other FD takes a class its last option.
    if (narrow_)
      o = {1ull << random_.below(2),
           random_.below(2) ? 0 : 1ull << random_.below(static_cast<uint32_t>(d_.num_ports()))};
    if (narrow_ && row % 4 == 0) o.b |= o.b << 1 & ports;  // one full and one partial
  }
  loaded_[static_cast<size_t>(row)] = o;
  in.cfg_valid = 1;
  in.cfg_row = static_cast<uint16_t>(row);
  in.cfg_has_a = o.a != 0;
  in.cfg_a = static_cast<uint8_t>(o.a != 0 ? std::countr_zero(o.a) : 0);
  in.cfg_b = o.b;
}

/// A message whose address is row `id` of the unit; what a neighbour only passes on may be any.
Message PortStimulus::message(EntryId id, Kind kind) {
  Message m;
  m.kind = kind;
  m.message_class = static_cast<MessageClass>(random_.below(2));
  const uint32_t bids = static_cast<uint32_t>(wild_ ? 32 : d_.a()), nids = static_cast<uint32_t>(wild_ ? 16 : d_.p());
  if (id.zone == Zone::global) {
    m.prefix = static_cast<uint8_t>(id.index == base_.own_gid ? 1 : 1 + random_.below(3));
    m.gid = static_cast<uint16_t>(id.index);
    if (m.prefix >= 2) m.bid = static_cast<uint8_t>(random_.below(bids));
    if (m.prefix >= 3) m.nid = static_cast<uint8_t>(random_.below(nids));
    if (m.prefix == 2 && kind == Kind::diagnosis && random_.below(2) == 0) m.nid = kGatewayOnly;
    return m;
  }
  m.gid = base_.own_gid;
  const bool own = id.zone == Zone::node;
  m.prefix = own || (id.index != base_.own_bid && random_.below(4) == 0) ? 3 : 2;
  m.bid = own ? base_.own_bid : static_cast<uint8_t>(id.index);
  if (m.prefix == 3) m.nid = static_cast<uint8_t>(own ? static_cast<uint32_t>(id.index) : random_.below(nids));
  return m;
}

/// The last failing command again, as its repair.
void PortStimulus::undo(PortInputs& in) {
  const bool whole_port = base_.port_level && random_.below(2) == 0;
  in.cmd_kind = whole_port ? 3 : last_.cmd_kind | 1;
  in.cmd_port = last_.cmd_port;
  in.cmd_message = whole_port ? 1u << 21 : last_.cmd_message | 1u << 21;
  last_.cmd_valid = 0;
}

/// The neighbour behind a port has said everything; now and then one of which nobody waits for that.
void PortStimulus::end_mark(PortInputs& in) {
  const PortMap from = unheard_ != 0 && random_.below(16) != 0 ? unheard_ : low_mask(d_.num_ports());
  in.cmd_kind = 3;
  in.cmd_port = static_cast<uint8_t>(rotating_pick(from, static_cast<int>(random_.below(64))));
  in.cmd_message = encode_message(kWholePort);
}

void PortStimulus::note(const PortInputs& in) {
  if (in.cmd_valid) unheard_ = unheard_after(d_, in, unheard_);
}

void PortStimulus::command(PortInputs& in) {
  in.cmd_valid = 1;
  in.cmd_isolated = random_.below(4) == 0;
  if (episode_ >= 0) return step_walk(in);
  if (undoes_ && last_.cmd_valid) return undo(in);
  if (!base_.port_level && random_.below(unheard_ != 0 ? 4 : 64) == 0) return end_mark(in);
  const bool fails = random_.chance(failing_);
  const bool travel = random_.chance(travels_);
  in.cmd_kind = static_cast<uint8_t>((travel ? 0 : 2) | (fails ? 0 : 1));
  const int row = narrow_ || random_.below(8) == 0
                      ? static_cast<int>(random_.below(static_cast<uint32_t>(num_rows(d_))))
                      : rows_[random_.below(static_cast<uint32_t>(rows_.size()))];
  const PortMap options = loaded_[static_cast<size_t>(row)].a | loaded_[static_cast<size_t>(row)].b;
  int fp = ports_[random_.below(static_cast<uint32_t>(ports_.size()))];
  if (!travel && options != 0) fp = rotating_pick(options, static_cast<int>(random_.below(64)));
  in.cmd_port = static_cast<uint8_t>(fp);
  Message m = message(entry_of_row(d_, row), fails ? Kind::diagnosis : Kind::recovery);
  if (base_.port_level && !fails && !travel && random_.below(2) == 0) m = {Kind::recovery, MessageClass::d, 0, 0, 0, 0};
  in.cmd_message = encode_message(m);
  last_ = in;
  last_.cmd_valid = fails;
}

bool PortStimulus::next(const PortOutputs& last, PortInputs& in) {
  if (step_ == 0 && commands_ == 0) new_episode();
  in = base_;
  const int loading = num_rows(d_) + 2;
  if (step_ < loading) {
    in.reset = step_ < 2;
    if (step_ >= 2) load(in);
    ++step_;
    return true;
  }
  in.route_read = random_.chance(read_);
  if (random_.below(open_ ? 40 : 160) == 0) open_ = !open_;  // long enough for the queue to fill
  in.out_ready = ready_ < 0 ? open_ : random_.chance(ready_);
  if (random_.below(200) == 0) {  // ignored when the unit works; else it really loads the row it has already
    const int keep = step_;
    step_ = 2 + static_cast<int>(random_.below(static_cast<uint32_t>(num_rows(d_))));
    const Options before = loaded_[static_cast<size_t>(step_ - 2)];
    load(in);
    loaded_[static_cast<size_t>(step_ - 2)] = before;  // what was ignored must not guide the commands
    step_ = keep;
  }
  if (last.busy) {
    // Without a command queue, and when it is full, ignored.
    if (random_.below(depth_ > 0 ? 8 : 300) == 0) command(in);
    if (depth_ > 0) note(in);
    if (random_.below(20000) == 0) {
      in.reset = 1;
      unheard_ = base_.joins ? low_mask(d_.num_ports()) : 0;
    }
    return true;
  }
  if (gap_ > 0) {
    --gap_;
    return true;
  }
  command(in);
  note(in);
  gap_ = static_cast<int>(random_.below(3) == 0 ? random_.below(6) : 0);
  if (--commands_ == 0) step_ = 0;
  return true;
}

// ---- coverage

void PortReach::sample(const PortOutputs& out, const PortUnit& unit) {
  const PortInputs& c = unit.command();
  const Message m = decode_message(c.cmd_message);
  const bool end = c.cmd_kind == 3 && m.prefix == 0;
  if (unit.state() != PortUnit::State::idle) ports_[c.cmd_port] |= static_cast<uint8_t>(1 << (end ? 4 : c.cmd_kind));
  if (!out.write || c.cmd_kind < 2) return;
  rows_[static_cast<size_t>(out.write_row) * 3 + c.port_class] |= static_cast<uint8_t>(1 << (c.cmd_kind - 2));
  ones_ |= c.cmd_message;
  zeros_ |= ~c.cmd_message;
}

std::string PortReach::missing() const {
  std::string out;
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i] != 3)
      out += "row " + std::to_string(i / 3) + " at class " + std::to_string(i % 3) + ": " + std::to_string(rows_[i]) +
             "; ";
  }
  for (size_t port = 0; port < ports_.size(); ++port) {
    if (ports_[port] != 31) out += "port " + std::to_string(port) + ": " + std::to_string(ports_[port]) + "; ";
  }
  const auto bits = [](int values) { return static_cast<uint32_t>(std::bit_ceil(static_cast<uint32_t>(values)) - 1); };
  const uint32_t all = bits(d_.g()) << 9 | bits(d_.a()) << 4 | bits(d_.p());
  if ((ones_ & zeros_ & all) != all) out += "bits of an address: " + std::to_string(all & ~(ones_ & zeros_));
  return out;
}

PortCoverage::PortCoverage(const Dragonfly& d) : d_(d) {
  const std::vector<std::string> levels{"full", "partial", "lost", "gateway only"};  // in the order of the codes
  const Axis kinds{"kind", {"link down", "link up", "FD", "FR"}}, classes{"port", {"node", "local", "global"}},
      modes{"mode", {"paper", "safe"}}, recoveries{"recovery", {"per_entry", "port_level"}};
  commands_ = coverage_.declare("command", {kinds, classes, modes, recoveries});
  writes_ = coverage_.declare("write", {kinds, classes, {"zone", {"N", "B", "G"}}, {"level of A", levels}},
                              [](std::span<const int> v) -> std::string {
                                return v[3] % 2 == 1 && v[2] != 2 ? "only G entries know partial and gateway only" : "";
                              });
  messages_ = coverage_.declare(
      "message", {{"kind", {"FD", "FR"}}, {"class", {"D", "S"}}, {"prefix", {"0", "1", "2", "3"}}, modes},
      [](std::span<const int> v) -> std::string {
        if (v[2] != 0) return "";
        return v[0] == 0 ? "only an FR speaks for a whole port" : v[1] == 1 ? "the port-level FR has class D" : "";
      });
  waits_ = coverage_.declare(
      "wait",
      {{"for", {"RAM", "queue"}}, {"state", {"idle", "read", "execute", "second", "tell", "tell second", "port tell"}}},
      [](std::span<const int> v) -> std::string {
        if (v[0] == 0 && v[1] > 2) return "only reads and writes of marks need the RAM";
        if (v[0] == 1 && v[1] < 2) return "nothing is said before the row is known";
        return "";
      });
  levels_ = coverage_.declare("level", {classes, {"zone", {"B", "G"}}, {"class", {"D", "S"}}, {"level", levels}, modes},
                              [](std::span<const int> v) -> std::string {
                                if (v[0] == 0 && v[3] != 0) return "a node port tells nobody";
                                if (v[4] == 0 && v[3] % 2 == 1) return "mode paper has no partial and no gateway only";
                                if (v[2] == 1 && v[3] != 0 && (v[0] != 1 || v[1] != 1))
                                  return "class S is for G entries of local ports";
                                if (v[0] == 1 && v[1] == 0 && v[3] % 2 == 1)
                                  return "B entries of local ports are lost or not";
                                if (v[0] == 2 && v[1] == 0 && v[3] == 2 && v[4] == 1)
                                  return "mode safe: partial, gateway only or withdrawn";
                                return "";
                              });
  aims_ = coverage_.declare("aim", {{"prefix", {"1", "2", "3"}}, {"row", {"N", "B", "G"}}},
                            [](std::span<const int> v) -> std::string {
                              if (v[0] == 0 && v[1] != 2) return "prefix 1 names a group";
                              return v[0] == 1 && v[1] == 0 ? "prefix 2 names a router" : "";
                            });
  special_ = coverage_.declare("special", {{"what",
                                            {"command while busy", "configuration while busy", "reset while busy",
                                             "FR held back", "withdrawn", "isolated", "queue full", "told cleared"}}});
  unheard_ = coverage_.declare(
      "unheard", {{"what",
                   {"end mark that is waited for", "end mark of a port that has been heard", "end mark sent",
                    "a class empties while a port is unheard", "a class comes back with the end mark",
                    "level held while the own link is unheard", "isolated and unheard", "joins"}}});
}

void PortCoverage::sample(const PortInputs& in, const PortOutputs& out, const PortUnit& unit) {
  using State = PortUnit::State;
  const PortInputs& c = unit.command();
  const int mode = c.safe, at = c.port_class;
  const bool busy = last_state_ != State::idle;
  if (last_state_ == State::idle && unit.state() != State::idle) {
    coverage_.hit(commands_ + ((c.cmd_kind * 3 + at) * 2 + mode) * 2 + c.port_level);
    const Message m = decode_message(c.cmd_message);
    if (c.cmd_kind >= 2 && m.prefix > 0) {
      coverage_.hit(aims_ + (m.prefix - 1) * 3 + static_cast<int>(aim(m, {c.own_gid, c.own_bid}).zone));
    }
    if (c.cmd_kind == 1 && c.cmd_port == c.own_port) coverage_.hit(special_ + 7);
    if (c.cmd_kind == 3 && m.prefix == 0 && !c.port_level)
      coverage_.hit(unheard_ + ((last_unheard_ >> c.cmd_port & 1) ? 0 : 1));
  }
  const bool whole = c.cmd_kind == 3 && decode_message(c.cmd_message).prefix == 0 && !c.port_level;
  if (last_state_ == State::port_tell && unit.state() == State::idle && !c.port_level) coverage_.hit(unheard_ + 2);
  if (last_state_ == State::execute && c.cmd_kind == 1 && out.fd_count == last_fd_ && unit.unheard() != 0) {
    const Marks& m = unit.marks(last_row_);
    const Options& o = unit.configured(last_row_);
    const bool zone_b = entry_of_row(d_, last_row_).zone == Zone::group_local && at == 2 && mode == 1;
    if (m.level[0] == Level::lost && (o.a & ~unit.unheard()) == 0 && m.a == Level::full && o.a != 0)
      coverage_.hit(unheard_ + 3);
    if (zone_b && (o.a & unit.unheard()) != 0 && m.level[0] != Level::gateway) coverage_.hit(unheard_ + 5);
    if (zone_b && (o.a & unit.unheard()) != 0 && c.cmd_isolated) coverage_.hit(unheard_ + 6);
  }
  if (whole && out.fr_count != last_fr_) coverage_.hit(unheard_ + 4);
  if (in.reset && unit.unheard() != 0) coverage_.hit(unheard_ + 7);
  last_unheard_ = unit.unheard();
  last_row_ = unit.row();
  const auto zone = [&](int row) { return static_cast<int>(entry_of_row(d_, row).zone); };
  if (out.write) coverage_.hit(writes_ + ((c.cmd_kind * 3 + at) * 3 + zone(out.write_row)) * 4 + out.write_level_a);
  if (out.msg_valid && in.out_ready) {
    const Message m = decode_message(out.msg);
    coverage_.hit(messages_ + ((static_cast<int>(m.kind) * 2 + static_cast<int>(m.message_class)) * 4 + m.prefix) * 2 +
                  mode);
  }
  if (out.wait_ram == static_cast<uint16_t>(last_wait_ram_ + 1)) coverage_.hit(waits_ + static_cast<int>(last_state_));
  if (out.wait_queue == static_cast<uint16_t>(last_wait_queue_ + 1))
    coverage_.hit(waits_ + 7 + static_cast<int>(last_state_));
  if (last_state_ == State::execute && unit.state() != State::execute && unit.state() != State::idle) {
    const int row = c.cmd_kind < 2 ? -1 : unit.row();
    if (row >= 0 && zone(row) > 0) {
      const Marks& m = unit.marks(row);
      for (int k = 0; k < 2; ++k) {
        coverage_.hit(levels_ + (((at * 2 + zone(row) - 1) * 2 + k) * 4 + static_cast<int>(m.level[k])) * 2 + mode);
      }
    }
  }
  if (out.write && zone(out.write_row) > 0) {
    const Marks& m = unit.marks(out.write_row);
    for (int k = 0; k < 2; ++k) {
      coverage_.hit(levels_ + (((at * 2 + zone(out.write_row) - 1) * 2 + k) * 4 + static_cast<int>(m.level[k])) * 2 +
                    mode);
    }
    if (at == 2 && zone(out.write_row) == 1 && m.a != Level::full) {
      if (m.level[0] == Level::full && mode == 1) coverage_.hit(special_ + 4);
      if (m.level[0] == Level::gateway && c.cmd_isolated) coverage_.hit(special_ + 5);
    }
  }
  const bool held = last_state_ == State::tell && out.fr_count == last_fr_ && out.fd_count == last_fd_ && at == 2 &&
                    !c.port_level && c.cmd_kind == 3 && zone(unit.row()) == 1 && unit.state() == State::idle;
  if (held) coverage_.hit(special_ + 3);
  if (busy && in.cmd_valid) coverage_.hit(special_ + 0);
  if (busy && in.cfg_valid) coverage_.hit(special_ + 1);
  if (busy && in.reset) coverage_.hit(special_ + 2);
  if (unit.queue_size() == PortUnit::kQueueDepth) coverage_.hit(special_ + 6);
  last_state_ = unit.state();
  last_wait_ram_ = out.wait_ram;
  last_wait_queue_ = out.wait_queue;
  last_fd_ = out.fd_count;
  last_fr_ = out.fr_count;
}

}  // namespace odonata::cosim
