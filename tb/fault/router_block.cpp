// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/router_block.h"

namespace odonata::cosim {

using namespace fault;

/// Reset and the configured options of all ports; marks cannot be preloaded, so a cut inside an episode may lose the
/// mismatch.
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
    for (int row = 0; row < router.unit(k).rows(); ++row)
      cycles.push_back(configuration_write(base, k, row, router.unit(k).configured(row)));
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
  base_.joins = random_.below(4) == 0;
  base_.link_up = ~0ull;
  restless_ = random_.below(4) == 0;
  mode_ = base_.safe ? Mode::safe : Mode::paper;
  constexpr double kRead[] = {0, 0, 0.3, 0.8}, kReady[] = {1, 1, 0.3, 0.02}, kFlap[] = {0, 0.0005, 0.002, 0.01},
                   kArrive[] = {0.001, 0.01, 0.05, 0.2};
  read_ = kRead[random_.below(4)];
  ready_ = kReady[random_.below(4)];
  flap_ = kFlap[random_.below(4)];
  arrive_ = kArrive[random_.below(4)];
  rows_.clear();
  for (int i = 0; i < 3; ++i) rows_.push_back(static_cast<int>(random_.below(static_cast<uint32_t>(num_rows(d_)))));
  rows_.push_back(d_.p() + static_cast<int>(random_.below(static_cast<uint32_t>(d_.a()))));
  step_ = 0;
  const int loading =
      num_rows(d_) * d_.num_ports();  // as much as that at least, so that a large router has time for something else
  cycles_ = 500 + static_cast<int>(random_.below(static_cast<uint32_t>(std::max(3000, loading))));
}

/// A well-formed message.
Message RouterStimulus::message() {
  const int row = random_.below(8) == 0 ? static_cast<int>(random_.below(static_cast<uint32_t>(num_rows(d_))))
                                        : rows_[random_.below(static_cast<uint32_t>(rows_.size()))];
  const EntryId id = entry_of_row(d_, row);
  Message m;
  m.kind = static_cast<Kind>(random_.below(2));
  if (m.kind == Kind::recovery && random_.below(2)) return kWholePort;
  m.message_class = static_cast<MessageClass>(random_.below(2));
  m.prefix = static_cast<uint8_t>(id.zone == Zone::node          ? 3
                                  : id.zone == Zone::group_local ? 2 + random_.below(2)
                                                                 : 1 + random_.below(3));
  m.gid = static_cast<uint16_t>(id.zone == Zone::global ? id.index : own_.gid);
  if (m.prefix >= 2)
    m.bid = static_cast<uint8_t>(id.zone == Zone::node ? own_.bid
                                 : id.zone == Zone::group_local
                                     ? id.index
                                     : static_cast<int>(random_.below(static_cast<uint32_t>(d_.a()))));
  if (m.prefix == 3)
    m.nid = static_cast<uint8_t>(
        id.zone == Zone::node ? id.index : static_cast<int>(random_.below(static_cast<uint32_t>(d_.p()))));
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
  if (restless_ && random_.below(200) == 0) {  // a unit goes by what it has sampled with its command
    change_identity(in);
    if (random_.below(2)) reload(in);
  }
  if (random_.below(64) == 0) reload(in);
  if (random_.below(1500) == 0) {
    in.reset = 1;
    change_identity(in);
  }
  return true;
}

/// A configuration write beside whatever happens in the cycle: a row as it should be, or that of another row. A unit at
/// work ignores it.
void RouterStimulus::reload(RouterInputs& in) {
  const int rows = num_rows(d_), k = static_cast<int>(random_.below(static_cast<uint32_t>(d_.num_ports())));
  const int row = static_cast<int>(random_.below(static_cast<uint32_t>(rows)));
  const int other = random_.below(4) == 0 ? static_cast<int>(random_.below(static_cast<uint32_t>(rows))) : row;
  in = configuration_write(in, k, row, row_config(d_, own_, entry_of_row(d_, other), mode_).at(d_, k));
}

/// Mode, recovery and identity; the tables stay what they are. `joins` counts in a reset only.
void RouterStimulus::change_identity(RouterInputs& in) {
  const uint32_t what = random_.below(8);
  if (what & 1) base_.safe ^= 1;
  if (what & 2) base_.port_level ^= 1;
  if (what & 4) {
    own_ = d_.router(static_cast<int>(random_.below(static_cast<uint32_t>(d_.num_routers()))));
    base_.own_gid = static_cast<uint16_t>(own_.gid);
    base_.own_bid = static_cast<uint8_t>(own_.bid);
  }
  base_.joins = random_.below(2) == 0;
  mode_ = base_.safe ? Mode::safe : Mode::paper;
  in.safe = base_.safe;
  in.port_level = base_.port_level;
  in.own_gid = base_.own_gid;
  in.own_bid = base_.own_bid;
  in.joins = base_.joins;
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
                                            {"message comes when empty", "comes in the look cycle", "comes when full",
                                             "thrown away with the link", "arrives while the link is down", "full"}}});
  together_ = coverage_.declare(
      "in one cycle",
      {{"configuration write", {"none", "to an idle unit", "to a unit at work"}},
       {"message", {"none", "arrives"}},
       {"route read", {"none", "some"}},
       {"scheduler", {"waits", "serves an event", "serves a message"}}},
      [pipelined](std::span<const int> v) -> std::string {
        return !pipelined && v[0] == 2 && v[3] > 0 ? "one command at a time: it is served when all units are done" : "";
      });
  resets_ = coverage_.declare("reset", {{"while", {"all units idle", "units at work"}},
                                        {"mode", {"as before", "another"}},
                                        {"recovery", {"as before", "another"}},
                                        {"identity", {"as before", "another"}},
                                        {"joins", {"no", "yes"}}});
  changes_ = coverage_.declare("changes without a reset", {{"pin", {"mode", "recovery", "identity"}},
                                                           {"configuration write", {"none", "some"}},
                                                           {"message", {"none", "arrives"}},
                                                           {"route read", {"none", "some"}}});
  served_changes_ = coverage_.declare("changes in a cycle that serves", {{"pin", {"mode", "recovery", "identity"}},
                                                                         {"served", {"an event", "a message"}}});
  links_ = coverage_.declare(
      "local links",
      {{"what", {"all unheard", "isolated although one serves", "heard while isolated", "heard", "isolated"}}});
  stalls_ = coverage_.declare(
      "units",
      {{"what", {"command waits in front of a unit", "late unit stops the scheduler", "busy longer than the ring"}}},
      [pipelined](std::span<const int> v) -> std::string {
        if (v[0] < 2 && !pipelined) return "without the pipelined scheduler no command waits";
        return v[0] == 2 && pipelined ? "the pipelined scheduler does not ask for busy" : "";
      });
}

void RouterCoverage::sample(const RouterInputs& in, const RouterOutputs& out, const RouterUnit& router) {
  sample_pins(in, out);
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

/// What happens in one cycle, what changes in a reset, how a router hears of its local links.
void RouterCoverage::sample_pins(const RouterInputs& in, const RouterOutputs& out) {
  const PortMap ports = low_mask(d_.num_ports());
  const bool changed[] = {in.safe != last_.safe, in.port_level != last_.port_level,
                          in.own_gid != last_.own_gid || in.own_bid != last_.own_bid};
  if (in.reset) {
    if (!last_.reset) {
      coverage_.hit(resets_ + ((((busy_ != 0) * 2 + changed[0]) * 2 + changed[1]) * 2 + changed[2]) * 2 + in.joins);
    }
    known_ = in.joins ? LocalLinks::joining() : LocalLinks{};
  } else {
    const int write = !in.cfg_valid ? 0 : (out.busy >> in.cfg_port & 1) ? 2 : 1;
    const int served = !out.serve ? 0 : out.serve_kind < 2 ? 1 : 2;
    const bool arrives = (in.in_valid & in.link_up & ports) != 0, reads = (in.route_read & ports) != 0;
    coverage_.hit(together_ + ((write * 2 + arrives) * 2 + reads) * 3 + served);
    for (int pin = 0; pin < 3; ++pin) {
      if (!changed[pin] || last_.reset) continue;
      coverage_.hit(changes_ + ((pin * 2 + (write != 0)) * 2 + arrives) * 2 + reads);
      if (served != 0) coverage_.hit(served_changes_ + pin * 2 + served - 1);
    }
  }
  if (out.serve && !in.reset) {
    const PortMap locals = low_mask(d_.a() - 1) << d_.first_local();
    const bool was = known_.isolated;
    known_ = known_.after(d_, {true, false, out.serve_kind, out.serve_port, out.serve_message}, in.port_level);
    if ((known_.unheard & locals) == locals) coverage_.hit(links_);
    if (known_.isolated && (known_.serving & locals) != 0) coverage_.hit(links_ + 1);
    const bool hears =
        out.serve_kind == 3 && decode_message(out.serve_message).prefix == 0 && d_.is_local_port(out.serve_port);
    if (hears) coverage_.hit(links_ + (was ? 2 : 3));
    if (out.serve_isolated) coverage_.hit(links_ + 4);
  }
  last_ = in;
  busy_ = out.busy;
}

std::unique_ptr<FaultRouterDevice> make_fault_router_rtl(const Dragonfly& d, RouterVariant variant, int plant) {
  const bool beyond = variant == RouterVariant::beyond, debug = beyond || variant == RouterVariant::planted;
  RtlParameters wanted = rtl_parameters(d);
  wanted["Banks"] = beyond ? 2 : 1;
  wanted["Pipelined"] = beyond || variant == RouterVariant::pipelined;
  return make_rtl<FaultRouterBlock>(wanted, debug ? RtlVariant::debug : RtlVariant::fast, plant);
}

fault::FaultRouterConfig router_config(const Dragonfly& d, RouterVariant variant) {
  fault::FaultRouterConfig c = fault::FaultRouterConfig::of(d, variant == RouterVariant::pipelined);
  const bool planted = variant == RouterVariant::planted || variant == RouterVariant::beyond;
  if (planted && d.size() == DragonflySize{2, 4, 2, 8}) c.input_depth = 4;
  if (variant != RouterVariant::beyond) return c;
  c.banks = 2;
  c.scheduler = {d.num_ports(), 2, 2, true, true};
  return c;
}

}  // namespace odonata::cosim
