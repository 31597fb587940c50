// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/router_plane.h"

#include <algorithm>
#include <bit>

namespace odonata::congestion {

RouterPlane::RouterPlane(const Dragonfly& d)
    : dragonfly_(d),
      registers_(d),
      monitors_(d.num_ports() - d.p()),
      sender_(d.a() - 1),
      collector_(d.a(), d.h(), d.num_ports()) {
  out_.cfg_ready = 1;
}

void RouterPlane::reset() {
  registers_.reset();
  for (CreditMonitor& m : monitors_) m.step({.reset = true});
  sender_.step({.reset = true});
  CollectorInputs in;
  in.reset = true;
  collector_.step(in);
  failed_nodes_ = 0;
  c0_ = {};
  c1_ = {};
  pulses_ = {};
  out_ = {};
  out_.cfg_ready = 1;
}

void RouterPlane::step(const PlaneInputs& in) {
  if (in.reset) return reset();
  const auto own_bits = static_cast<uint16_t>(out_.cong_local >> dragonfly_.first_global());
  const auto own_busy = static_cast<uint16_t>(out_.busy_local >> dragonfly_.first_global());
  step_sender(in, own_bits, own_busy);
  step_collector(in, own_bits, own_busy);
  const Pulses pulses = step_monitors(in);
  execute_operation(in);  // last, because the blocks see what the registers hold before the edge
  count_pulses();
  pulses_ = pulses;
  out_.sender = sender_.out();
  show_collector();
}

/// Only the maps that are others than before: all would be most of what a cycle costs.
void RouterPlane::show_collector() {
  const CollectorOutputs& c = collector_.out();
  for (uint64_t left = collector_.changed() & low_mask(dragonfly_.num_ports()); left != 0; left &= left - 1) {
    const int k = std::countr_zero(left);
    out_.collector.map[k] = c.map[k];
    out_.collector.busy_map[k] = c.busy_map[k];
  }
  out_.collector.good = c.good;
  out_.collector.bad = c.bad;
  out_.collector.stale = c.stale;
}

void RouterPlane::step_sender(const PlaneInputs& in, uint16_t own_bits, uint16_t own_busy) {
  SenderInputs pins;
  pins.interval = registers_.interval();
  pins.own_bid = static_cast<uint8_t>(registers_.own_bid());
  pins.congested = own_bits;
  pins.busy = own_busy;
  pins.alternate = registers_.alternate();
  pins.flit = static_cast<uint32_t>(in.events.flit >> dragonfly_.p() & low_mask(dragonfly_.a() - 1));
  pins.tail = static_cast<uint32_t>(in.events.tail >> dragonfly_.p() & low_mask(dragonfly_.a() - 1));
  sender_.step(pins);
}

void RouterPlane::step_collector(const PlaneInputs& in, uint16_t own_bits, uint16_t own_busy) {
  CollectorInputs pins;
  pins.interval = registers_.interval();
  pins.stale_enable = registers_.stale_enable();
  pins.stale_limit = registers_.stale_limit();
  pins.own_bid = static_cast<uint8_t>(registers_.own_bid());
  pins.own_bits = own_bits;
  pins.own_busy = own_busy;
  pins.neighbour = registers_.neighbours();
  pins.failed = static_cast<uint32_t>(in.events.failed >> dragonfly_.p() & low_mask(dragonfly_.a() - 1));
  for (int k = 0; k < dragonfly_.a() - 1; ++k) {
    pins.valid |= static_cast<uint32_t>(in.rx[k].valid) << k;
    pins.bits[k] = in.rx[k].bits;
    pins.crc[k] = in.rx[k].crc;
    pins.phase |= static_cast<uint32_t>(in.rx[k].phase & 1) << k;
  }
  collector_.step(pins);
}

RouterPlane::Pulses RouterPlane::step_monitors(const PlaneInputs& in) {
  const PortMap nodes = low_mask(dragonfly_.p());
  out_.cong_local = out_.busy_local = failed_nodes_;
  failed_nodes_ = in.events.failed & nodes;
  Pulses pulses;
  MonitorInputs local, global;  // configuration
  registers_.fill(local, false);
  registers_.fill(global, true);
  for (int port = dragonfly_.p(); port < dragonfly_.num_ports(); ++port) {
    CreditMonitor& m = monitors_[port - dragonfly_.p()];
    MonitorInputs pins = port >= dragonfly_.first_global() ? global : local;
    pins.failed = in.events.failed >> port & 1;
    pins.departed = in.events.departed >> port & 1;
    for (int v = 0; v < kNumVcs; ++v) {
      pins.sent |= static_cast<uint8_t>((in.events.sent[v] >> port & 1) << v);
      pins.credit |= static_cast<uint8_t>((in.events.credit[v] >> port & 1) << v);
    }
    m.step(pins);
    out_.cong_local |= static_cast<PortMap>(m.out().congested) << port;
    out_.busy_local |= static_cast<PortMap>(m.out().busy) << port;
    pulses.underflows += std::popcount(m.out().underflow);
    pulses.overflows += std::popcount(m.out().overflow);
  }
  out_.error = pulses.underflows + pulses.overflows > 0;
  return pulses;
}

/// Executes the pending operation with the registers as they are before the edge, then takes the next one.
void RouterPlane::execute_operation(const PlaneInputs& in) {
  out_.cfg_ack = c1_.valid;
  out_.cfg_err = c1_.valid && c1_.error;
  out_.cfg_rdata = c1_.valid ? c1_.data : 0;
  c1_ = {};
  if (c0_.valid) {
    const bool refused = registers_.refused(c0_.write, c0_.address, c0_.data);
    c1_ = {true, refused, refused || c0_.write ? 0 : registers_.read(c0_.address)};
    if (c0_.write && !refused) registers_.write(c0_.address, c0_.data);
  }
  c0_ = {};
  if (in.cfg_valid) c0_ = {true, in.cfg_write, in.cfg_addr, in.cfg_wdata};
}

/// Counts what the pins showed before the edge (out_ still holds it).
void RouterPlane::count_pulses() {
  const SenderOutputs& s = out_.sender;
  registers_.counter(reg::kFramesInTails) += std::popcount(s.valid & ~s.idle);
  registers_.counter(reg::kIdleFrames) += std::popcount(s.idle);
  registers_.counter(reg::kStolenSlots) += std::popcount(s.stolen);
  registers_.counter(reg::kGoodFrames) += std::popcount(out_.collector.good);
  registers_.counter(reg::kBadFrames) += std::popcount(out_.collector.bad);
  registers_.counter(reg::kUnderflows) += pulses_.underflows;
  registers_.counter(reg::kOverflows) += pulses_.overflows;
}

}  // namespace odonata::congestion
