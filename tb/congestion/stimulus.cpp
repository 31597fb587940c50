// SPDX-License-Identifier: Apache-2.0
#include "tb/congestion/stimulus.h"

#include <algorithm>

#include "models/traffic/channel_load.h"

namespace odonata::cosim {

using namespace congestion;

namespace {

/// One of the values, each equally likely.
int one_of(Random& random, std::initializer_list<int> values) {
  return values.begin()[random.below(static_cast<uint32_t>(values.size()))];
}

uint32_t random_mask(Random& random, int bits, double share) {
  uint32_t mask = 0;
  for (int i = 0; i < bits; ++i) mask |= static_cast<uint32_t>(random.chance(share)) << i;
  return mask;
}

/// Rates near the ends matter most.
double random_rate(Random& random) {
  const int kind = static_cast<int>(random.below(4));
  return kind == 0 ? 0 : kind == 1 ? 1 : random.unit();
}

}  // namespace

// ---- Monitor ----

void MonitorCorner::new_phase(const MonitorOutputs& last) {
  left_ = 20 + static_cast<int>(random_.below(100));
  send_ = random_rate(random_);
  credit_ = random_rate(random_);
  depart_ = random_.below(2) ? 1 : random_rate(random_);
  illegal_ = random_.below(3) == 0 ? 0.3 : 0;
  fail_ = random_.below(4) == 0 ? 0.2 : 0;
  const int slots = limits_.max_capacity, cycles = limits_.max_window;
  if (random_.below(2)) {
    config_.capacity = static_cast<uint16_t>(one_of(
        random_, {0, 1, 2, 3, 8, 32, slots - 1, slots, slots + 1, 300, 511, static_cast<int>(random_.below(512))}));
  }
  if (random_.below(3) == 0) {
    config_.window = static_cast<uint16_t>(one_of(random_, {0, 1, 2, 3, 22, 64, 202, cycles - 1, cycles, cycles + 1,
                                                            1023, static_cast<int>(random_.below(1024))}));
    if (config_.window > 64 && cycles > 64) left_ += 700;
  }
  if (config_.capacity > 200 && random_.below(3) == 0) {  // fill up: only at the limit does it show
    left_ = 700;
    send_ = 1;
    credit_ = 0.1 * random_.unit();
    illegal_ = 0.3;
  }
  config_.window_enable = random_.below(4) != 0;
  near_threshold_ = random_.below(2) != 0;
  config_.threshold = static_cast<uint16_t>(
      near_threshold_ ? last.corrected + random_.below(3)
                      : one_of(random_, {0, 1, 10, 30, 1023, 1024, 65535, static_cast<int>(random_.below(65536))}));
  config_.busy_threshold =
      static_cast<uint16_t>(near_threshold_ ? last.corrected + random_.below(3) : config_.threshold / 2);
}

bool MonitorCorner::next(const MonitorOutputs& last, MonitorInputs& in) {
  if (left_-- <= 0) new_phase(last);
  // A short window that changes again while it fills.
  if (config_.window <= 8 && random_.below(40) == 0) config_.window = static_cast<uint16_t>(random_.below(9));
  in = config_;
  in.reset = random_.below(400) == 0;
  in.failed = random_.chance(fail_);
  for (int v = 0; v < kNumVcs; ++v) {
    const int use = vc_in_use(last, v), room = std::min<int>(config_.capacity, limits_.max_capacity) - use,
              bits = limits_.per_cycle;
    // Mostly legal (as far as the last outputs tell), sometimes not.
    for (int n = 0; n < bits; ++n) {
      if (random_.chance(send_) && (room > n || random_.chance(illegal_))) {
        in.sent = static_cast<uint8_t>(in.sent + (1 << bits * v));
        queue_ += room > n;
      }
      if (random_.chance(credit_) && (use > n || random_.chance(illegal_)))
        in.credit = static_cast<uint8_t>(in.credit + (1 << bits * v));
    }
  }
  in.departed = queue_ != 0 && random_.chance(depart_);
  queue_ = in.reset ? 0 : queue_ - in.departed;
  if (near_threshold_ && random_.below(8) == 0)
    (random_.below(2) ? config_.threshold : config_.busy_threshold) =
        static_cast<uint16_t>(last.corrected + random_.below(3) - (last.corrected ? 1 : 0));
  return true;
}

// ---- Sender ----

bool SenderCorner::next(const SenderOutputs&, SenderInputs& in) {
  if (left_-- <= 0) {
    left_ = 10 + static_cast<int>(random_.below(60));
    flit_ = random_rate(random_);
    tail_ = random_.below(2) ? 0.1 : random_rate(random_);
    if (random_.below(2)) config_.interval = static_cast<uint8_t>(one_of(random_, {0, 1, 2, 3, 7, 10, 10, 16, 255}));
    if (config_.interval == 255) left_ = 600;
    config_.own_bid = static_cast<uint8_t>(random_.below(32));
    config_.alternate = random_.below(2) != 0;
  }
  in = config_;
  in.reset = random_.below(500) == 0;
  in.congested = static_cast<uint16_t>(random_.next() & low_mask(h_));
  in.busy = static_cast<uint16_t>(random_.next() & low_mask(h_));
  in.flit = random_mask(random_, ports_, flit_);
  in.tail = random_mask(random_, ports_, tail_);
  return true;
}

// ---- Collector ----

void CollectorCorner::new_phase() {
  left_ = 20 + static_cast<int>(random_.below(200));
  frame_ = random_rate(random_) * random_.unit();
  bad_ = random_.below(2) ? 0 : random_.unit();
  talking_ = static_cast<uint32_t>(random_.next());
  if (random_.below(2)) config_.interval = static_cast<uint8_t>(one_of(random_, {0, 1, 1, 2, 3, 10, 255}));
  if (random_.below(2)) config_.stale_limit = static_cast<uint8_t>(one_of(random_, {0, 1, 2, 3, 8, 254, 255}));
  if (config_.interval == 1 && config_.stale_limit >= 254) {
    left_ = 400;
    talking_ = 0;
  }
  config_.stale_enable = random_.below(4) != 0;
  config_.own_bid = static_cast<uint8_t>(random_.below(a_));
  for (int k = 0; k < a_ - 1; ++k) {
    config_.neighbour[k] = static_cast<uint8_t>(k < config_.own_bid ? k : k + 1);
    if (random_.below(20) == 0) config_.neighbour[k] = static_cast<uint8_t>(random_.below(32));
  }
}

bool CollectorCorner::next(const CollectorOutputs&, CollectorInputs& in) {
  if (left_-- <= 0) new_phase();
  in = config_;
  in.reset = random_.below(800) == 0;
  in.own_bits = static_cast<uint16_t>(random_.next() & low_mask(h_));
  in.own_busy = static_cast<uint16_t>(random_.next() & low_mask(h_));
  in.failed = random_.below(4) == 0 ? random_mask(random_, a_ - 1, 0.2) : 0;
  in.valid = random_mask(random_, a_ - 1, frame_);
  if (random_.below(50) != 0) in.valid &= talking_;
  if (random_.below(200) == 0) in.valid = static_cast<uint32_t>(low_mask(a_ - 1));
  in.phase = static_cast<uint32_t>(random_.next() & low_mask(a_ - 1));
  for (uint32_t v = in.valid; v; v &= v - 1) {
    const int k = std::countr_zero(v);
    in.bits[k] = static_cast<uint16_t>(random_.next() & low_mask(h_));
    in.crc[k] = frame_crc(config_.neighbour[k], in.bits[k], in.phase >> k & 1);
    if (random_.chance(0.3 * bad_))
      in.phase ^= 1u << k;
    else if (random_.chance(bad_))
      in.crc[k] ^= static_cast<uint8_t>(1u << random_.below(8) | 1u << random_.below(8));
    else if (random_.chance(bad_))
      in.bits[k] ^= static_cast<uint16_t>(1u << random_.below(h_));
  }
  return true;
}

// ---- PCS ----

bool PcsCorner::next(const Frame&, PcsInputs& in) {
  if (left_-- <= 0) {
    left_ = 5 + static_cast<int>(random_.below(120));
    frame_ = random_rate(random_);
    if (random_.below(3) == 0) frame_ = 1.0 / kPcsLatency;
  }
  in.reset = random_.below(300) == 0;
  in.frame.valid = random_.chance(frame_);
  const uint32_t kind = random_.below(8);
  in.frame.bits = kind == 0 ? 0 : kind == 1 ? 0xFFFF : static_cast<uint16_t>(random_.next());
  in.frame.crc = static_cast<uint8_t>(random_.next());
  in.frame.phase = static_cast<uint16_t>(random_.below(2));
  return true;
}

// ---- Plane ----

PlaneCorner::PlaneCorner(const Dragonfly& d, uint64_t seed) : d_(d), random_(seed) {
  for (int k = 0; k < d.a() - 1; ++k) neighbour_[k] = static_cast<uint8_t>(k + 1);
}

void PlaneCorner::operation(PlaneInputs& in) {
  in.cfg_valid = true;
  in.cfg_write = random_.below(3) != 0;
  const auto bid = random_.below(d_.a() + 1);
  switch (random_.below(12)) {
    case 0:
      in.cfg_addr = reg::kRouterId / 8;
      in.cfg_wdata = bid;
      break;
    case 1:
      in.cfg_addr = reg::kInterval / 8;
      in.cfg_wdata = one_of(random_, {0, 1, 3, 10, 10, 255, 256, 257, 0x10A, 0x10A, 512});
      break;
    case 2:
      in.cfg_addr = reg::kWindow / 8;
      in.cfg_wdata = static_cast<uint64_t>(one_of(random_, {0, 1, 22, 512, 513})) |
                     static_cast<uint64_t>(random_.below(2)) << 16 |
                     static_cast<uint64_t>(one_of(random_, {0, 2, 202, 512, 513})) << 32 |
                     static_cast<uint64_t>(random_.below(2)) << 48;
      break;
    case 3:
      in.cfg_addr = reg::kThreshold / 8;
      in.cfg_wdata = random_.below(40) | static_cast<uint64_t>(random_.below(40)) << 16 |
                     static_cast<uint64_t>(random_.below(40)) << 32 | static_cast<uint64_t>(random_.below(40)) << 48;
      break;
    case 4:
      in.cfg_addr = reg::kCapacity / 8;
      in.cfg_wdata = static_cast<uint64_t>(one_of(random_, {0, 1, 4, 32, 256, 257})) |
                     static_cast<uint64_t>(one_of(random_, {0, 1, 8, 256, 257})) << 16;
      break;
    case 5:
      in.cfg_addr = reg::kStale / 8;
      in.cfg_wdata = random_.below(12) | random_.below(2) << 8;
      break;
    case 6:
    case 7:
      in.cfg_addr = static_cast<uint16_t>(reg::kNeighbour / 8 + random_.below(d_.a()));
      in.cfg_wdata = bid;
      break;
    case 8:
      in.cfg_addr = static_cast<uint16_t>(reg::kCounters / 8 + random_.below(9));
      in.cfg_write = random_.below(8) == 0;
      break;
    case 9:
      in.cfg_addr = static_cast<uint16_t>(random_.below(80));
      in.cfg_write = false;
      break;
    case 10:
      in.cfg_addr = static_cast<uint16_t>(random_.below(4096));
      break;
    default:
      in.cfg_addr = static_cast<uint16_t>(random_.below(8));
      in.cfg_wdata = 1ull << random_.below(64);
      break;
  }
  // What the CRC of the frames is made for: the registers as they will be, or not; both are right.
  const int k = in.cfg_addr - static_cast<int>(reg::kNeighbour / 8);
  if (in.cfg_write && k >= 0 && k < d_.a() - 1 && in.cfg_wdata < static_cast<uint64_t>(d_.a()))
    neighbour_[k] = static_cast<uint8_t>(in.cfg_wdata);
}

/// Some of the ports with a queue let a packet depart.
void PlaneCorner::depart(RouterEvents& e) {
  for (int port = 0; port < d_.num_ports(); ++port) {
    for (const PortMap sent : e.sent) queue_[port] += sent >> port & 1;
    if (queue_[port] == 0 || !random_.chance(depart_)) continue;
    --queue_[port];
    e.departed |= PortMap{1} << port;
  }
}

bool PlaneCorner::next(const PlaneOutputs&, PlaneInputs& in) {
  in = {};
  if (left_-- <= 0) {
    left_ = 50 + static_cast<int>(random_.below(400));
    send_ = random_.unit();
    credit_ = random_.unit();
    depart_ = random_.unit();
    frame_ = 0.3 * random_.unit();
  }
  in.reset = random_.below(3000) == 0;
  if (in.reset) {
    for (int k = 0; k < d_.a() - 1; ++k) neighbour_[k] = static_cast<uint8_t>(k + 1);
    queue_ = {};
  }
  if (random_.below(40) == 0) operation(in);
  if (random_.below(30) == 0) failed_ ^= PortMap{1} << random_.below(d_.num_ports());
  if (random_.below(200) == 0) failed_ = 0;
  in.events.failed = failed_;
  const PortMap all = low_mask(d_.num_ports());
  for (int v = 0; v < kNumVcs; ++v) {
    in.events.sent[v] = random_.chance(send_) ? random_.next() & random_.next() & all : 0;
    in.events.credit[v] = random_.chance(credit_) ? random_.next() & random_.next() & all : 0;
  }
  depart(in.events);
  in.events.flit = random_.next() & all;
  in.events.tail = random_.next() & random_.next() & all;
  for (int k = 0; k < d_.a() - 1; ++k) {
    if (!random_.chance(frame_)) continue;
    const auto bits = static_cast<uint16_t>(random_.next() & low_mask(d_.h()));
    const bool phase = random_.below(2) != 0;
    in.rx[k] = {bits, static_cast<uint8_t>(frame_crc(neighbour_[k], bits, phase) ^ (random_.below(10) == 0)), true,
                phase};
  }
  return true;
}

// ---- Load of a group ----

GroupDemand::GroupDemand(const Dragonfly& d, const std::string& pattern, double load_of_all, uint64_t seed)
    : load(load_of_all) {
  const traffic::Pattern parsed = traffic::Pattern::parse(d, pattern, seed);
  if (parsed.kind() == traffic::Pattern::Kind::uniform) return;
  const traffic::NetworkLoad network(parsed, load);
  for (int r = 0; r < d.a(); ++r) {
    for (const traffic::ChannelLoad& channel : network.router({0, r}).port)
      port_load.push_back(std::min(1.0, channel.total()));
  }
}

int GroupDemand::busiest_port(const Dragonfly& d) const {
  if (port_load.empty()) return d.first_global();
  return static_cast<int>(std::max_element(port_load.begin() + d.p(), port_load.begin() + d.num_ports()) -
                          port_load.begin());
}

namespace {

/// Two thresholds, and with every second seed alternating frames.
PlaneConfig traffic_plane(uint64_t seed) {
  PlaneConfig c;
  c.local_busy_threshold = 2;
  c.global_busy_threshold = 16;
  c.alternate = seed % 2 != 0;
  return c;
}

}  // namespace

GroupTraffic::GroupTraffic(const Dragonfly& d, const GroupDemand& demand, uint64_t seed)
    : plane_(d, traffic_plane(seed)),
      load_(d, {},
            {.load = demand.load,
             .port_load = demand.port_load,
             .packet_flits = 1 + static_cast<int>(seed % 10),
             .burst = 1 + 5 * static_cast<int>(seed % 7),
             .hot_share = 0.4,
             .local_hot_share = 0.2,
             .hot_cycles = 3000,
             .seed = seed}),
      events_(load_.next()) {}

void GroupTraffic::step() {
  plane_.step(events_);
  events_ = load_.next();
}

MonitorLoad::MonitorLoad(const Dragonfly& d, const GroupDemand& demand, uint64_t seed)
    : port_(demand.busiest_port(d)), traffic_(d, demand, seed) {}

bool MonitorLoad::next(const MonitorOutputs&, MonitorInputs& in) {
  in = {};
  traffic_.config().fill(in, true);
  in.reset = !started_;
  if (!started_) return started_ = true;
  const RouterEvents& e = traffic_.events();
  for (int v = 0; v < kNumVcs; ++v) {
    in.sent |= static_cast<uint8_t>((e.sent[v] >> port_ & 1) << v);
    in.credit |= static_cast<uint8_t>((e.credit[v] >> port_ & 1) << v);
  }
  in.departed = e.departed >> port_ & 1;
  traffic_.step();
  return true;
}

bool SenderLoad::next(const SenderOutputs&, SenderInputs& in) {
  const Dragonfly& d = traffic_.plane().dragonfly();
  in = {};
  in.reset = !started_;
  in.interval = static_cast<uint8_t>(traffic_.config().interval);
  if (!started_) return started_ = true;
  in.alternate = traffic_.config().alternate;
  in.congested = static_cast<uint16_t>(traffic_.plane().cong_local(0) >> d.first_global());
  in.busy = static_cast<uint16_t>(traffic_.plane().busy_local(0) >> d.first_global());
  in.flit = static_cast<uint32_t>(traffic_.events().flit >> d.p() & low_mask(d.a() - 1));
  in.tail = static_cast<uint32_t>(traffic_.events().tail >> d.p() & low_mask(d.a() - 1));
  traffic_.step();
  return true;
}

bool PcsLoad::next(const Frame&, PcsInputs& in) {
  const SenderOutputs before = sender_.out();
  SenderInputs s;
  inner_.next(before, s);
  in = {s.reset, before.valid & 1 ? Frame{before.bits, before.crc, true, before.phase} : Frame{}};
  sender_.step(s);
  return true;
}

CollectorLoad::CollectorLoad(const Dragonfly& d, const GroupDemand& demand, uint64_t seed) : traffic_(d, demand, seed) {
  for (int r = 1; r < d.a(); ++r) {
    senders_.emplace_back(d.a() - 1);
    links_.emplace_back(traffic_.config().pcs + traffic_.config().link);
    random_.emplace_back(mix_seed(seed, r));
  }
}

bool CollectorLoad::next(const CollectorOutputs&, CollectorInputs& in) {
  const Dragonfly& d = traffic_.plane().dragonfly();
  const PlaneConfig& c = traffic_.config();
  in = {};
  in.reset = !started_;
  in.interval = static_cast<uint8_t>(c.interval);
  in.stale_enable = true;
  in.stale_limit = static_cast<uint8_t>(c.stale_limit);
  for (int k = 0; k < d.a() - 1; ++k) in.neighbour[k] = static_cast<uint8_t>(k + 1);
  if (!started_) return started_ = true;
  in.own_bits = static_cast<uint16_t>(traffic_.plane().cong_local(0) >> d.first_global());
  in.own_busy = static_cast<uint16_t>(traffic_.plane().busy_local(0) >> d.first_global());
  for (int k = 0; k < d.a() - 1; ++k) {
    const Frame arrived = links_[k].out();
    in.valid |= static_cast<uint32_t>(arrived.valid) << k;
    in.bits[k] = arrived.bits;
    in.crc[k] = arrived.crc;
    in.phase |= static_cast<uint32_t>(arrived.phase) << k;
    // The neighbour's sender; its local port 0 leads to router 0. A few frames are lost or damaged on the way.
    const int r = k + 1;
    const SenderOutputs& o = senders_[k].out();
    const Frame sent = o.valid & 1 ? Frame{o.bits, o.crc, true, o.phase} : Frame{};
    links_[k].step(pass_link(sent, d.h(), {0.01, 0.01}, random_[k]));
    SenderInputs s;
    s.interval = in.interval;
    s.own_bid = static_cast<uint8_t>(r);
    s.alternate = c.alternate;
    s.congested = static_cast<uint16_t>(traffic_.plane().cong_local(r) >> d.first_global());
    s.busy = static_cast<uint16_t>(traffic_.plane().busy_local(r) >> d.first_global());
    s.flit = static_cast<uint32_t>(traffic_.all_events()[r].flit >> d.p());
    s.tail = static_cast<uint32_t>(traffic_.all_events()[r].tail >> d.p());
    senders_[k].step(s);
  }
  traffic_.step();
  return true;
}

}  // namespace odonata::cosim
