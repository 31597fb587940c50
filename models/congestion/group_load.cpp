// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/group_load.h"

#include <bit>

namespace odonata::congestion {

namespace {

/// A burst starts with this probability (times 2^32) when the port is free, so that the share of busy cycles is the
/// load.
uint64_t send_threshold(const LoadConfig& config, int port) {
  const double n = config.packet_flits * (1 + config.burst) / 2.0,
               load = config.port_load.empty() ? config.load : config.port_load[port];
  const double start = load >= 1 ? 1 : load / (n - (n - 1) * load);
  return static_cast<uint64_t>(start * 4294967296.0);
}

}  // namespace

GroupLoad::GroupLoad(const Dragonfly& d, const PlaneConfig& plane, const LoadConfig& config)
    : dragonfly_(d), config_(config), random_(config.seed), events_(d.a()) {
  for (int r = 0; r < d.a(); ++r) {
    for (int port = d.p(); port < d.num_ports(); ++port) {
      const int capacity = port >= d.first_global() ? plane.global_capacity : plane.local_capacity;
      Port p;
      p.send_threshold = send_threshold(config, r * d.num_ports() + port);
      for (uint16_t& f : p.free) f = static_cast<uint16_t>(capacity);
      p.due.resize(std::bit_ceil(static_cast<unsigned>(capacity) * kNumVcs));
      ports_.push_back(std::move(p));
    }
  }
}

void GroupLoad::choose_hot_ports() {
  for (size_t i = 0; i < ports_.size(); ++i) {
    const int port = dragonfly_.p() + static_cast<int>(i) % (dragonfly_.num_ports() - dragonfly_.p());
    ports_[i].hot = random_.chance(port >= dragonfly_.first_global() ? config_.hot_share : config_.local_hot_share);
  }
}

const RouterEvents* GroupLoad::next() {
  if (now_ % config_.hot_cycles == 0) choose_hot_ports();
  ++now_;
  size_t i = 0;
  for (int r = 0; r < dragonfly_.a(); ++r) {
    events_[r] = {};
    for (int port = dragonfly_.p(); port < dragonfly_.num_ports(); ++port) step_port(r, port, ports_[i++]);
  }
  return events_.data();
}

void GroupLoad::step_port(int r, int port, Port& p) {
  RouterEvents& e = events_[r];
  const PortMap bit = PortMap{1} << port;
  const uint64_t draw = random_.next();
  const bool free = p.flits_left == 0 && p.departed == p.tail && p.burst == 0;
  if (free && (draw >> 32) < p.send_threshold)
    p.burst = static_cast<uint16_t>(1 + (draw >> 8 & 0xFFFF) % static_cast<unsigned>(config_.burst));
  for (uint64_t i = 0; i < 2 && p.burst != 0; ++i) grant(e, bit, static_cast<int>((draw + i) & 3), p);
  step_link(e, port, p);
  step_credits(e, bit, p);
}

/// The next packet of a burst, if its virtual channel has a credit.
void GroupLoad::grant(RouterEvents& e, PortMap bit, int vc, Port& p) const {
  --p.burst;
  if (p.free[vc] == 0) return;
  --p.free[vc];
  e.sent[vc] |= bit;
  p.due[p.tail++ & (p.due.size() - 1)] = static_cast<uint32_t>(vc);
}

/// The link takes the next packet of the FIFO, flit by flit.
void GroupLoad::step_link(RouterEvents& e, int port, Port& p) const {
  const PortMap bit = PortMap{1} << port;
  if (p.flits_left == 0 && p.departed != p.tail) {
    const int trip = port >= dragonfly_.first_global() ? config_.global_round_trip : config_.local_round_trip;
    p.due[p.departed++ & (p.due.size() - 1)] |= static_cast<uint32_t>(now_ + trip) << 2;
    e.departed |= bit;
    p.flits_left = static_cast<uint8_t>(config_.packet_flits);
  }
  if (p.flits_left == 0) return;
  e.flit |= bit;
  if (--p.flits_left == 0) e.tail |= bit;
}

void GroupLoad::step_credits(RouterEvents& e, PortMap bit, Port& p) const {
  const int rate = p.hot ? static_cast<int>(config_.hot_rate * 256) / config_.packet_flits : 256;
  p.credit_debt = static_cast<uint16_t>(p.credit_debt + rate > 256 ? 256 : p.credit_debt + rate);
  if (p.head == p.departed || p.credit_debt < 256) return;
  const uint32_t due = p.due[p.head & (p.due.size() - 1)];
  if ((due >> 2) > static_cast<uint32_t>(now_)) return;
  ++p.head;
  p.credit_debt = static_cast<uint16_t>(p.credit_debt - 256);
  const int vc = static_cast<int>(due & 3);
  e.credit[vc] |= bit;
  ++p.free[vc];
}

}  // namespace odonata::congestion
