// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/router_block.h"

namespace odonata::cosim {

using namespace fault;

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

std::unique_ptr<FaultRouterDevice> make_fault_router_rtl(const Dragonfly& d, RouterVariant variant, int plant) {
  const bool beyond = variant == RouterVariant::beyond, debug = beyond || variant == RouterVariant::planted;
  RtlParameters wanted = rtl_parameters(d);
  wanted["Banks"] = beyond ? 2 : 1;
  wanted["Pipelined"] = beyond || variant == RouterVariant::pipelined;
  return make_rtl<FaultRouterBlock>(wanted, debug ? RtlVariant::debug : RtlVariant::fast, plant);
}

fault::FaultRouterConfig router_config(const Dragonfly& d, RouterVariant variant) {
  fault::FaultRouterConfig c;
  c.scheduler.stations = d.num_ports();
  const bool planted = variant == RouterVariant::planted || variant == RouterVariant::beyond;
  c.input_depth = planted && d.size() == DragonflySize{2, 4, 2, 8} ? 4 : fault::input_depth(d);
  c.scheduler.pipelined = variant == RouterVariant::pipelined;
  if (variant != RouterVariant::beyond) return c;
  c.banks = 2;
  c.scheduler = {d.num_ports(), 2, 2, true, true};
  return c;
}

}  // namespace odonata::cosim
