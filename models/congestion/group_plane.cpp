// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/group_plane.h"

#include <algorithm>
#include <bit>
#include <string>

#include "models/common/error.h"

namespace odonata::congestion {

namespace {
void check_range(const char* name, int value, int low, int high) {
  if (value >= low && value <= high) return;
  throw Error(std::string("congestion: ") + name + " is " + std::to_string(value) + ", must be " + std::to_string(low) +
              ".." + std::to_string(high));
}
void check_probability(const char* name, double value) {
  if (!(value >= 0 && value <= 1)) throw Error(std::string("congestion: ") + name + " must be a probability 0..1");
}
}  // namespace

void PlaneConfig::check() const {
  check_range("interval", interval, 1, 255);
  check_range("pcs", pcs, 1, 255);
  check_range("link", link, 0, 255);
  check_range("local_window", local_window, 0, kMaxWindow);
  check_range("global_window", global_window, 0, kMaxWindow);
  check_range("local_threshold", local_threshold, 0, 65535);
  check_range("global_threshold", global_threshold, 0, 65535);
  check_range("local_busy_threshold", local_busy_threshold, 0, 65535);
  check_range("global_busy_threshold", global_busy_threshold, 0, 65535);
  check_range("local_capacity", local_capacity, 1, kMaxCapacity);
  check_range("global_capacity", global_capacity, 1, kMaxCapacity);
  check_range("stale_limit", stale_limit, 1, 255);
  check_probability("loss", faults.loss);
  check_probability("corruption", faults.corruption);
}

void PlaneConfig::fill(MonitorInputs& in, bool global) const {
  in.window = static_cast<uint16_t>(global ? global_window : local_window);
  in.window_enable = global ? global_window_enable : local_window_enable;
  in.threshold = static_cast<uint16_t>(global ? global_threshold : local_threshold);
  in.busy_threshold = static_cast<uint16_t>(global ? global_busy_threshold : local_busy_threshold);
  in.capacity = static_cast<uint16_t>(global ? global_capacity : local_capacity);
}

AgeParameters PlaneConfig::age_parameters(const Dragonfly& d) const {
  AgeParameters p;
  p.interval = interval;
  p.period = alternate ? 2 * interval : interval;
  p.pcs = pcs;
  p.link = link;
  p.routers = d.a();
  p.ring_stops = d.num_ports();
  p.frame_wait_min = 1;
  p.frame_wait_max = interval;
  return p;
}

/// Times of changes on their way; only kept while ages are measured.
struct GroupPlane::Measurement {
  struct Arrival {
    int64_t changed = 0, sent = 0, arrived = 0;
  };
  int a, h, depth;
  std::vector<int64_t> own_changed;    // [router][bit]: when the value in own_r0 appeared
  std::vector<uint16_t> own_seen;      // [router]: own_r0 when it was last looked at
  std::vector<int64_t> latch_changed;  // [latch % depth][router][bit]
  std::vector<int64_t> latch_edge;     // [latch % depth]
  std::vector<Arrival> arrival;        // [router][local port][bit]
  std::vector<uint16_t> shown;         // [router][local port]: value last shown by the multiplexer
  std::vector<int64_t> sampled;  // [router][local port]: time of the sample behind `latest`, -1 before the first frame
  AgeStatistics statistics;
  Histogram base, information_base;  // at ring stop 0
  std::function<void(const AgeSample&)> on_sample;

  Measurement(int routers, int ports, int latch_depth)
      : a(routers),
        h(ports),
        depth(latch_depth),
        own_changed(routers * ports),
        own_seen(routers),
        latch_changed(static_cast<size_t>(latch_depth) * routers * ports),
        latch_edge(latch_depth),
        arrival(static_cast<size_t>(routers) * routers * ports),
        shown(static_cast<size_t>(routers) * routers),
        sampled(static_cast<size_t>(routers) * routers, -1) {}

  void own_loaded(int r, uint16_t bits, int64_t visible_since);
  void latched(int r, uint32_t latch, uint16_t change, int64_t edge);
  void stored(const Flight& f, uint16_t change, int64_t store_edge, int64_t transit);
  void loaded(int r, int k, int source, uint16_t latest, bool forced, int64_t edge, int pcs, int link);
};

void GroupPlane::Measurement::own_loaded(int r, uint16_t bits, int64_t visible_since) {
  for (uint32_t diff = bits ^ own_seen[r]; diff; diff &= diff - 1) {
    own_changed[r * h + std::countr_zero(diff)] = visible_since;
    ++statistics.changes;
    ++statistics.missed;  // until it is latched
  }
  own_seen[r] = bits;
}

void GroupPlane::Measurement::latched(int r, uint32_t latch, uint16_t change, int64_t edge) {
  statistics.missed -= std::popcount(change);
  const size_t at = static_cast<size_t>(latch % depth) * a * h + static_cast<size_t>(r) * h;
  std::copy_n(own_changed.begin() + r * h, h, latch_changed.begin() + at);
  latch_edge[latch % depth] = edge;
}

void GroupPlane::Measurement::stored(const Flight& f, uint16_t change, int64_t store_edge, int64_t transit) {
  const size_t link = static_cast<size_t>(f.router) * a + f.port;
  const int64_t arrived = store_edge - 2;
  const size_t at = static_cast<size_t>(f.latch % depth) * a * h + static_cast<size_t>(f.source) * h;
  for (uint32_t diff = change; diff; diff &= diff - 1) {
    const int i = std::countr_zero(diff);
    arrival[link * h + i] = {latch_changed[at + i], arrived - transit, arrived};
  }
  sampled[link] = latch_edge[f.latch % depth] - 2;
}

void GroupPlane::Measurement::loaded(int r, int k, int source, uint16_t latest, bool forced, int64_t edge, int pcs,
                                     int link_latency) {
  const size_t link = static_cast<size_t>(r) * a + k;
  const uint32_t change = latest ^ shown[link];
  shown[link] = latest;
  if (forced) {
    statistics.masked += std::popcount(change);
    return;
  }
  for (uint32_t diff = change; diff; diff &= diff - 1) {
    const int i = std::countr_zero(diff);
    const Arrival& t = arrival[link * h + i];
    statistics.stage[static_cast<int>(Stage::wait)].add(t.sent - t.changed);
    statistics.stage[static_cast<int>(Stage::pcs)].add(pcs);
    statistics.stage[static_cast<int>(Stage::link)].add(link_latency);
    statistics.stage[static_cast<int>(Stage::multiplex)].add(edge - t.arrived);
    base.add(edge + 1 - t.changed);
    if (on_sample) on_sample({source, i, r, t.changed, t.sent, t.arrived, edge, (latest >> i & 1) != 0});
  }
  if (sampled[link] >= 0) {  // shown for one turn of the multiplexer
    for (int x = 1; x <= a; ++x) information_base.add(edge + x - sampled[link]);
  }
}

GroupPlane::GroupPlane(const Dragonfly& d, const PlaneConfig& config)
    : dragonfly_(d),
      config_(config),
      ports_(d.num_ports() - d.p()),
      all_local_(static_cast<uint32_t>(low_mask(d.a() - 1))),
      routers_(d.a()),
      monitors_(static_cast<size_t>(d.a()) * ports_),
      departures_(monitors_.size() * kMaxWindow),
      calendar_(config.pcs + config.link + 3) {
  config_.check();
  for (int r = 0; r < d.a(); ++r) {
    for (int k = 0; k < d.a() - 1; ++k) link_random_.emplace_back(mix_seed(config.seed, r, k));
  }
  for (auto& day : calendar_) day.reserve(static_cast<size_t>(d.a()) * d.a());
}

GroupPlane::~GroupPlane() = default;

void GroupPlane::measure(std::function<void(const AgeSample&)> on_sample) {
  const int depth = (config_.pcs + config_.link + 3) / config_.interval + 3;
  measurement_ = std::make_unique<Measurement>(dragonfly_.a(), dragonfly_.h(), depth);
  measurement_->on_sample = std::move(on_sample);
  for (int r = 0; r < dragonfly_.a(); ++r) {
    const Bitmap& cong = routers_[r].map[0];
    measurement_->own_seen[r] = cong.own_r0;
    for (int k = 0; k < dragonfly_.a() - 1; ++k) measurement_->shown[r * dragonfly_.a() + k] = cong.latest[k];
  }
}

AgeStatistics GroupPlane::statistics() const {
  AgeStatistics result = measurement_->statistics;
  // The same sample is seen by stop k after k more cycles.
  const int stops = dragonfly_.num_ports();
  auto spread = [stops](const Histogram& from, Histogram& to) {
    for (size_t x = 0; x < from.counts().size(); ++x) {
      for (int k = 0; from.counts()[x] != 0 && k < stops; ++k) to.add(static_cast<int64_t>(x) + k, from.counts()[x]);
    }
  };
  spread(measurement_->base, result.stage[static_cast<int>(Stage::total)]);
  spread(measurement_->information_base, result.information);
  const uint64_t samples = measurement_->base.samples();
  for (int k = 0; k < stops && samples != 0; ++k) result.stage[static_cast<int>(Stage::ring)].add(1 + k, samples);
  return result;
}

double GroupPlane::stolen_fraction() const {
  return counters_.flit_slots == 0
             ? 0
             : static_cast<double>(counters_.stolen_slots) / static_cast<double>(counters_.flit_slots);
}

void GroupPlane::step(const RouterEvents* events) {
  ++now_;
  // At edge 1 the configuration registers of the blocks (r0) are still 0: no interval ends.
  const bool last = now_ > 1 && interval_ends(count_, config_.interval);
  const bool phase = config_.alternate && last != phase_;  // of what is latched at this edge, or was
  for (int r = 0; r < dragonfly_.a(); ++r) {
    Router& router = routers_[r];
    step_ring(router, r);
    load_word(router, r);
    step_sender(router, r, last, phase);
  }
  store_frames(last);
  if (last) ++latches_, phase_ = phase;
  count_ = last ? 0 : (count_ + 1) & 255;
  slot_ = slot_ + 1 == dragonfly_.a() ? 0 : slot_ + 1;
  for (int r = 0; r < dragonfly_.a(); ++r) {
    Router& router = routers_[r];
    const uint16_t own = router.map[0].own_r0 = static_cast<uint16_t>(router.congested >> dragonfly_.first_global());
    router.map[1].own_r0 = static_cast<uint16_t>(router.busy >> dragonfly_.first_global());
    if (measurement_ && own != measurement_->own_seen[r]) measurement_->own_loaded(r, own, now_ - 1);
    compare(router, r);
    step_monitors(router, r);
    router.r0 = events[r];
  }
}

/// Stop 0 writes the ring word; the history stands for the stops behind it.
void GroupPlane::step_ring(Router& router, int) {
  const int h = dragonfly_.h(), at = router.word_bid * h;
  for (Bitmap& m : router.map) {
    const uint32_t change = router.word_valid ? m.map0.field(at, h) ^ m.word_bits : 0;
    if (change != 0) {
      GroupMap flip;
      flip.put(at, h, change);
      m.map0 = m.map0 ^ flip;
    }
    m.stop0[now_ & 63] = m.map0;
  }
}

/// The multiplexer loads the word of the present slot.
void GroupPlane::load_word(Router& router, int r) {
  router.word_valid = true;
  if (slot_ == dragonfly_.a() - 1) {
    router.word_bid = static_cast<uint8_t>(r);
    for (Bitmap& m : router.map) m.word_bits = m.own_r0;
    return;
  }
  const bool failed = router.r0.failed >> (dragonfly_.p() + slot_) & 1;
  const bool forced = failed || (router.stale >> slot_ & 1);
  const int source = slot_ < r ? slot_ : slot_ + 1;
  router.word_bid = now_ > 1 ? static_cast<uint8_t>(source) : 0;  // at edge 1 the neighbour registers (r0) are 0
  for (Bitmap& m : router.map) m.word_bits = forced ? static_cast<uint16_t>(low_mask(dragonfly_.h())) : m.latest[slot_];
  if (measurement_)
    measurement_->loaded(r, slot_, source, router.map[0].latest[slot_], forced, now_, config_.pcs, config_.link);
}

/// Frames that reach their collector's CRC check at this edge, and the silence of all others.
void GroupPlane::store_frames(bool tick) {
  if (tick) {
    for (Router& router : routers_) {
      for (int k = 0; k < dragonfly_.a() - 1; ++k) router.silent[k] += router.silent[k] != 255;
    }
  }
  auto& day = calendar_[now_ % calendar_.size()];
  for (const Flight& f : day) {
    Router& router = routers_[f.router];
    const bool good = f.frame.valid && frame_crc(f.source, f.frame.bits, f.frame.phase != 0) == f.frame.crc;
    uint16_t& failures = router.map[f.phase].failures[f.port];
    failures = good ? 0 : static_cast<uint16_t>(failures + 1);
    if (!good) {
      counters_.bad_frames += f.frame.valid;
      counters_.longest_gap = std::max<uint64_t>(counters_.longest_gap, failures);
      continue;
    }
    ++counters_.good_frames;
    counters_.undetected_frames += f.corrupted;
    uint16_t& latest = router.map[f.frame.phase].latest[f.port];
    if (measurement_ && f.frame.phase == 0)
      measurement_->stored(f, latest ^ f.frame.bits, now_, config_.pcs + config_.link);
    latest = f.frame.bits;
    router.silent[f.port] = 0;
    router.stale &= ~(1u << f.port);
  }
  day.clear();
  if (!tick || !config_.stale_enable) return;
  for (Router& router : routers_) {
    for (int k = 0; k < dragonfly_.a() - 1; ++k) {
      if (router.silent[k] >= config_.stale_limit) router.stale |= 1u << k;
    }
  }
}

void GroupPlane::step_sender(Router& router, int r, bool last, bool phase) {
  const auto flit = static_cast<uint32_t>(router.r0.flit >> dragonfly_.p()) & all_local_;
  const auto tail = static_cast<uint32_t>(router.r0.tail >> dragonfly_.p()) & flit;
  const uint32_t ride = router.pending & tail, idle = last ? router.pending & ~ride : 0;
  counters_.flit_slots += std::popcount(flit);
  if (ride | idle) {
    counters_.frames_in_tails += std::popcount(ride);
    counters_.idle_frames += std::popcount(idle);
    counters_.stolen_slots += std::popcount(idle & flit);
    for (uint32_t m = ride | idle; m; m &= m - 1) send(router, r, std::countr_zero(m));
    router.pending &= ~(ride | idle);
  }
  if (!last) return;
  Bitmap& m = router.map[phase];
  if (measurement_ && !phase) measurement_->latched(r, latches_, m.latched ^ m.own_r0, now_);
  router.latched = m.latched = m.own_r0;
  router.crc = frame_crc(r, router.latched, phase);
  router.pending = all_local_;
}

/// Puts the frame of local port k on its way; it is checked pcs + link + 2 edges from now.
void GroupPlane::send(Router& router, int r, int k) {
  const Frame frame{router.latched, router.crc, true, phase_};
  const Frame out = pass_link(frame, dragonfly_.h(), config_.faults, link_random_[r * (dragonfly_.a() - 1) + k]);
  Flight f;
  f.router = static_cast<uint8_t>(k < r ? k : k + 1);
  f.port = static_cast<uint8_t>(r < f.router ? r : r - 1);
  f.source = static_cast<uint8_t>(r);
  f.frame = out;
  f.corrupted = out.valid && !(out == frame);
  f.phase = phase_;
  f.latch = latches_ - 1;
  counters_.lost_frames += !out.valid;
  counters_.corrupted_frames += f.corrupted;
  calendar_[(now_ + config_.pcs + config_.link + 2) % calendar_.size()].push_back(f);
}

/// Rank 2 of the monitors whose rank 1 changed at the last edge, and the failed ports.
void GroupPlane::compare(Router& router, int r) {
  for (PortMap m = router.changed; m; m &= m - 1) {
    const int port = std::countr_zero(m);
    const bool global = port >= dragonfly_.first_global();
    Monitor& mon = monitor(r, port);
    const bool enable = global ? config_.global_window_enable : config_.local_window_enable;
    mon.corrected = static_cast<uint16_t>(std::max(0, mon.occupancy - (enable ? mon.window : 0)));
    const bool over = mon.corrected > (global ? config_.global_threshold : config_.local_threshold);
    const bool busy = mon.corrected > (global ? config_.global_busy_threshold : config_.local_busy_threshold);
    router.over = (router.over & ~(PortMap{1} << port)) | static_cast<PortMap>(over) << port;
    router.over_busy = (router.over_busy & ~(PortMap{1} << port)) | static_cast<PortMap>(busy) << port;
  }
  router.changed = 0;
  router.congested = (router.over | router.r0.failed) & low_mask(dragonfly_.num_ports());
  router.busy = (router.over_busy | router.r0.failed) & low_mask(dragonfly_.num_ports());
}

/// Rank 1 of the monitors with an event or with a departure inside their window.
void GroupPlane::step_monitors(Router& router, int r) {
  const RouterEvents& e = router.r0;
  PortMap active = router.window_ports | e.departed;
  for (int v = 0; v < kNumVcs; ++v) active |= e.sent[v] | e.credit[v];
  active &= low_mask(ports_) << dragonfly_.p();
  for (; active; active &= active - 1) {
    const int port = std::countr_zero(active);
    uint32_t sent = 0, credit = 0;
    for (int v = 0; v < kNumVcs; ++v) {
      sent |= static_cast<uint32_t>(e.sent[v] >> port & 1) << v;
      credit |= static_cast<uint32_t>(e.credit[v] >> port & 1) << v;
    }
    if ((sent | credit) != 0) count_credits(router, r, port, sent, credit);
    move_window(router, r, port, e.departed >> port & 1);
  }
}

void GroupPlane::count_credits(Router& router, int r, int port, uint32_t sent, uint32_t credit) {
  Monitor& m = monitor(r, port);
  const int capacity = port >= dragonfly_.first_global() ? config_.global_capacity : config_.local_capacity;
  int accepted = 0, returned = 0;
  for (uint32_t events = sent | credit; events; events &= events - 1) {
    const int v = std::countr_zero(events);
    const bool send = sent >> v & 1, give = credit >> v & 1, room = m.in_use[v]<capacity, used = m.in_use[v]> 0;
    counters_.underflows += send && !room;
    counters_.overflows += give && !used;
    m.in_use[v] = static_cast<uint16_t>(m.in_use[v] + (send && room) - (give && used));
    accepted += send && room;
    returned += give && used;
  }
  m.occupancy = static_cast<uint16_t>(m.occupancy + accepted - returned);
  if (accepted != returned) router.changed |= PortMap{1} << port;
}

void GroupPlane::move_window(Router& router, int r, int port, bool departed) {
  Monitor& m = monitor(r, port);
  const auto length =
      static_cast<uint32_t>(port >= dragonfly_.first_global() ? config_.global_window : config_.local_window);
  uint32_t* edges = &departures_[(static_cast<size_t>(r) * ports_ + port - dragonfly_.p()) * kMaxWindow];
  const auto edge = static_cast<uint32_t>(now_);
  const bool leaves = m.window != 0 && edge - edges[m.head] == length;
  const bool enters = departed && length != 0 && now_ > 2;  // at edge 2 the length is loaded and the window starts
  if (leaves) m.head = (m.head + 1) % kMaxWindow;
  if (enters) {
    edges[m.tail] = edge;
    m.tail = (m.tail + 1) % kMaxWindow;
  }
  m.window = static_cast<uint16_t>(m.window + enters - leaves);
  const PortMap bit = PortMap{1} << port;
  if (enters != leaves) router.changed |= bit;
  router.window_ports = m.window != 0 ? router.window_ports | bit : router.window_ports & ~bit;
}

}  // namespace odonata::congestion
