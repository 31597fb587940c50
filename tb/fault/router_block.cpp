// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/router_block.h"

#include "tb/harness/trace_file.h"

namespace odonata::cosim {

using namespace fault;

namespace {

/// One number for something of every unit.
template <class Get>
uint64_t folded(const RouterOutputs& o, Get get) {
  uint64_t hash = 0;
  for (const PortOutputs& u : o.unit) hash = (hash ^ get(u)) * 0x9E3779B97F4A7C15ull;
  return hash;
}

uint64_t marks_of(const PortOutputs& u) {
  uint64_t hash = u.write_level_a;
  for (int lane = 0; lane < kMaxBanks; ++lane) hash = hash * 31 + u.write_lost[lane] * 7 + u.write_partial[lane];
  return hash;
}

}  // namespace

std::span<const Probe<RouterOutputs>> FaultRouterBlock::probes() {
  using enum ProbeKind;
  using Out = RouterOutputs;
  static constexpr Probe<Out> kProbes[] = {
      {"command", "look", cycle_exact, [](const Out& o) -> uint64_t { return o.serve; }},
      {"kind", "look", cycle_exact, [](const Out& o) -> uint64_t { return o.serve_kind; }},
      {"port", "look", cycle_exact, [](const Out& o) -> uint64_t { return o.serve_port; }},
      {"message of the command", "look", cycle_exact, [](const Out& o) -> uint64_t { return o.serve_message; }},
      {"isolated", "look", cycle_exact, [](const Out& o) -> uint64_t { return o.serve_isolated; }},
      {"working", "wait", cycle_exact, [](const Out& o) -> uint64_t { return o.working; }},
      {"pointer", "poll", cycle_exact, [](const Out& o) -> uint64_t { return o.pointer; }},
      {"port mask", "link state", cycle_exact, [](const Out& o) -> uint64_t { return o.port_mask; }},
      {"room in the FIFOs", "input FIFO", cycle_exact, [](const Out& o) -> uint64_t { return o.in_ready; }},
      {"busy", "port units", cycle_exact, [](const Out& o) -> uint64_t { return o.busy; }},
      {"late", "port units", cycle_exact, [](const Out& o) -> uint64_t { return o.late; }},
      {"configuration acknowledge", "port units", cycle_exact, [](const Out& o) -> uint64_t { return o.cfg_ack; }},
      {"states and rows", "port units", cycle_exact,
       [](const Out& o) -> uint64_t { return folded(o, [](const PortOutputs& u) { return u.probe; }); }},
      {"writes", "port units", cycle_exact,
       [](const Out& o) -> uint64_t { return folded(o, [](const PortOutputs& u) { return u.write | u.write_row << 8; }); }},
      {"written marks", "port units", cycle_exact, [](const Out& o) -> uint64_t { return folded(o, marks_of); }},
      {"counters", "port units", cycle_exact,
       [](const Out& o) -> uint64_t {
         return folded(o, [](const PortOutputs& u) -> uint64_t {
           return u.fd_count | static_cast<uint64_t>(u.fr_count) << 16 | static_cast<uint64_t>(u.wait_ram) << 32 |
                  static_cast<uint64_t>(u.wait_queue) << 48;
         });
       }},
      {"messages valid", "output queues", cycle_exact, [](const Out& o) -> uint64_t { return o.out_valid; }},
      {"messages", "output queues", cycle_exact, [](const Out& o) -> uint64_t { return folded(o, [](const PortOutputs& u) { return u.msg; }); }},
  };
  return kProbes;
}

namespace {

template <auto Member, int Bits>
constexpr Field<RouterInputs> field(const char* name) {
  return {name, Bits, [](const RouterInputs& in) { return to_hex(static_cast<uint64_t>(in.*Member)); },
          [](RouterInputs& in, const std::string& hex) {
            uint64_t value = 0;
            if (!from_hex(hex, Bits, value)) return false;
            in.*Member = static_cast<std::remove_reference_t<decltype(in.*Member)>>(value);
            return true;
          }};
}

template <int Port>
constexpr Field<RouterInputs> message_field(const char* name) {
  return {name, 22, [](const RouterInputs& in) { return to_hex(in.in_message[Port]); },
          [](RouterInputs& in, const std::string& hex) {
            uint64_t value = 0;
            if (!from_hex(hex, 22, value)) return false;
            in.in_message[Port] = static_cast<uint32_t>(value);
            return true;
          }};
}

}  // namespace

std::span<const Field<RouterInputs>> FaultRouterBlock::fields() {
  using In = RouterInputs;
  static constexpr Field<In> kFields[] = {
      field<&In::reset, 1>("reset"),
      field<&In::own_gid, 9>("own_gid"),
      field<&In::own_bid, 5>("own_bid"),
      field<&In::safe, 1>("safe"),
      field<&In::port_level, 1>("port_level"),
      field<&In::cfg_valid, 1>("cfg_valid"),
      field<&In::cfg_port, 6>("cfg_port"),
      field<&In::cfg_row, 10>("cfg_row"),
      field<&In::cfg_has_a, 1>("cfg_has_a"),
      field<&In::cfg_a, 6>("cfg_a"),
      field<&In::cfg_b, 64>("cfg_b"),
      field<&In::link_up, 64>("link_up"),
      field<&In::in_valid, 64>("in_valid"),
      field<&In::out_ready, 64>("out_ready"),
      field<&In::route_read, 64>("route_read"),
      message_field<0>("message0"),
      message_field<1>("message1"),
      message_field<2>("message2"),
      message_field<3>("message3"),
      message_field<4>("message4"),
      message_field<5>("message5"),
      message_field<6>("message6"),
      message_field<7>("message7"),
      message_field<8>("message8"),
      message_field<9>("message9"),
      message_field<10>("message10"),
      message_field<11>("message11"),
      message_field<12>("message12"),
      message_field<13>("message13"),
      message_field<14>("message14"),
      message_field<15>("message15"),
      message_field<16>("message16"),
      message_field<17>("message17"),
      message_field<18>("message18"),
      message_field<19>("message19"),
      message_field<20>("message20"),
      message_field<21>("message21"),
      message_field<22>("message22"),
  };
  return kFields;
}

RouterInputs FaultRouterBlock::idle(const RouterInputs& in) {
  RouterInputs out = in;
  out.reset = out.cfg_valid = 0;
  out.in_valid = out.route_read = 0;
  out.out_ready = ~0ull;
  return out;
}

/// Reset and the configured options of all ports; marks cannot be preloaded, so a cut inside an episode may lose the mismatch.
std::vector<RouterInputs> FaultRouterBlock::preload(const RouterUnit& router) {
  std::vector<RouterInputs> cycles;
  RouterInputs base;
  const PortInputs& pins = router.unit(0).sampled();
  base.own_gid = pins.own_gid;
  base.own_bid = pins.own_bid;
  base.safe = pins.safe;
  base.port_level = pins.port_level;
  base.reset = 1;
  cycles.push_back(base);
  base.reset = 0;
  for (int k = 0; k < router.num_units(); ++k) {
    for (int row = 0; row < router.unit(k).rows(); ++row) cycles.push_back(configuration_write(base, k, row, router.unit(k).configured(row)));
  }
  return cycles;
}

// ---- stimulus

void RouterStimulus::new_episode() {
  own_ = d_.router(static_cast<int>(random_.below(static_cast<uint32_t>(d_.num_routers()))));
  base_ = {};
  base_.own_gid = static_cast<uint16_t>(own_.gid);
  base_.own_bid = static_cast<uint8_t>(own_.bid);
  base_.safe = static_cast<uint8_t>(random_.below(2));
  base_.port_level = random_.below(3) == 0;
  base_.link_up = ~0ull;
  mode_ = base_.safe ? Mode::safe : Mode::paper;
  constexpr double kRead[] = {0, 0, 0.3, 0.8}, kReady[] = {1, 1, 0.3, 0.02}, kFlap[] = {0, 0.0005, 0.002, 0.01}, kArrive[] = {0.001, 0.01, 0.05, 0.2};
  read_ = kRead[random_.below(4)];
  ready_ = kReady[random_.below(4)];
  flap_ = kFlap[random_.below(4)];
  arrive_ = kArrive[random_.below(4)];
  rows_.clear();
  for (int i = 0; i < 3; ++i) rows_.push_back(static_cast<int>(random_.below(static_cast<uint32_t>(num_rows(d_)))));
  rows_.push_back(d_.p() + static_cast<int>(random_.below(static_cast<uint32_t>(d_.a()))));
  step_ = 0;
  cycles_ = 500 + static_cast<int>(random_.below(3000));
}

/// A well-formed message.
Message RouterStimulus::message() {
  const int row = random_.below(8) == 0 ? static_cast<int>(random_.below(static_cast<uint32_t>(num_rows(d_))))
                                        : rows_[random_.below(static_cast<uint32_t>(rows_.size()))];
  const EntryId id = entry_of_row(d_, row);
  Message m;
  m.kind = static_cast<Kind>(random_.below(2));
  if (base_.port_level && m.kind == Kind::recovery && random_.below(2)) return {Kind::recovery, MessageClass::d, 0, 0, 0, 0};
  m.message_class = static_cast<MessageClass>(random_.below(2));
  m.prefix = static_cast<uint8_t>(id.zone == Zone::node ? 3 : id.zone == Zone::group_local ? 2 + random_.below(2) : 1 + random_.below(3));
  m.gid = static_cast<uint16_t>(id.zone == Zone::global ? id.index : own_.gid);
  if (m.prefix >= 2)
    m.bid = static_cast<uint8_t>(id.zone == Zone::node          ? own_.bid
                                 : id.zone == Zone::group_local ? id.index
                                                                : static_cast<int>(random_.below(static_cast<uint32_t>(d_.a()))));
  if (m.prefix == 3) m.nid = static_cast<uint8_t>(id.zone == Zone::node ? id.index : static_cast<int>(random_.below(static_cast<uint32_t>(d_.p()))));
  return m;
}

bool RouterStimulus::next(const RouterOutputs& last, RouterInputs& in) {
  if (step_ >= cycles_) new_episode();
  const int rows = num_rows(d_), loading = rows * d_.num_ports();
  in = base_;
  const int at = step_++ - 2;
  if (at < loading) {
    in.reset = at < 0;
    if (at < 0) return true;
    const Options o = row_config(d_, own_, entry_of_row(d_, at % rows), mode_).at(d_, at / rows);
    in = configuration_write(base_, at / rows, at % rows, o);
    cycles_ += at == 0 ? loading : 0;
    return true;
  }
  in.out_ready = 0;
  for (int k = 0; k < d_.num_ports(); ++k) {
    const PortMap bit = 1ull << k;
    if (random_.chance(flap_)) base_.link_up ^= bit;
    if (random_.chance(read_)) in.route_read |= bit;
    // What is for a dead link is thrown away.
    if (random_.chance(ready_) || !(base_.link_up & bit)) in.out_ready |= bit;
    // Now and then somebody does not look at in_ready.
    if (!random_.chance(arrive_) || (!(last.in_ready & bit) && random_.below(8) != 0)) continue;
    in.in_valid |= bit;
    in.in_message[k] = encode_message(message());
  }
  in.link_up = base_.link_up;
  if (random_.below(20000) == 0) in.reset = 1;
  return true;
}

// ---- coverage

RouterCoverage::RouterCoverage(const Dragonfly& d, const FaultRouterConfig& config) : d_(d), config_(config) {
  const bool pipelined = config.scheduler.pipelined;
  serves_ = coverage_.declare("served", {{"kind", {"link down", "link up", "FD", "FR"}},
                                         {"port", {"node", "local", "global"}},
                                         {"messages wait", {"none", "some"}},
                                         {"mode", {"paper", "safe"}},
                                         {"recovery", {"per_entry", "port_level"}}});
  fifo_ = coverage_.declare("input FIFO", {{"what",
                                            {"message comes when empty", "comes in the look cycle", "comes when full", "thrown away with the link",
                                             "arrives while the link is down", "full"}}});
  stalls_ = coverage_.declare("units", {{"what", {"command waits in front of a unit", "late unit stops the scheduler", "busy longer than the ring"}}},
                              [pipelined](std::span<const int> v) -> std::string {
                                if (v[0] < 2 && !pipelined) return "without the pipelined scheduler no command waits";
                                return v[0] == 2 && pipelined ? "the pipelined scheduler does not ask for busy" : "";
                              });
}

void RouterCoverage::sample(const RouterInputs& in, const RouterOutputs& out, const RouterUnit& router) {
  int waiting = 0;
  for (int k = 0; k < d_.num_ports(); ++k) {
    const PortMap bit = 1ull << k;
    const int size = router.input_waiting(k);
    waiting += size;
    const bool comes = (in.in_valid & bit) && !in.reset, up = in.link_up & bit;
    if (size == config_.input_depth) coverage_.hit(fifo_ + (comes ? 2 : 5));
    if (comes && !up) coverage_.hit(fifo_ + 4);
    if (comes && up && size == 1) coverage_.hit(fifo_);
    if (comes && up && out.serve && out.serve_kind >= 2 && out.serve_port == k) coverage_.hit(fifo_ + 1);
    if (!up && (last_up_ & bit) && (held_ & bit)) coverage_.hit(fifo_ + 3);
    held_ = size > 0 ? held_ | bit : held_ & ~bit;
  }
  last_up_ = in.link_up;
  if (out.serve) {
    const int others = waiting - (out.serve_kind >= 2 ? 1 : 0);
    const int at = static_cast<int>(d_.port_class(out.serve_port));
    coverage_.hit(serves_ + (((out.serve_kind * 3 + at) * 2 + (others > 0)) * 2 + in.safe) * 2 + in.port_level);
    since_ = 0;
  }
  ++since_;
  if (out.late != 0) coverage_.hit(stalls_);
  if (config_.scheduler.pipelined) {
    if (out.working && since_ > 5) coverage_.hit(stalls_ + 1);
  } else if (out.working && since_ > 4 + (config_.scheduler.stations - 1) * config_.scheduler.ring_hop) {
    coverage_.hit(stalls_ + 2);
  }
}

}  // namespace odonata::cosim
