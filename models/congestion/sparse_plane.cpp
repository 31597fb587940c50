// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/sparse_plane.h"

#include <algorithm>
#include <bit>

namespace odonata::congestion {

namespace {

/// Days of the calendar of departures: longer queues are rare.
constexpr uint32_t kUsualQueue = 128;

uint32_t window_cycles(bool enabled, int cycles) { return enabled ? static_cast<uint32_t>(cycles) : 0; }

}  // namespace

SparsePlane::SparsePlane(const Dragonfly& d, const PlaneConfig& config, uint32_t ahead)
    : dragonfly_(d),
      config_(config),
      ports_(d.num_ports()),
      levels_(static_cast<size_t>(d.a()) * ports_),
      thresholds_(levels_.size()),
      departures_(levels_.size()),
      tail_words_(ahead == 0 ? 0 : std::bit_ceil((ahead + 2) / 64 + 1)),
      tails_(levels_.size() * tail_words_),
      local_expiries_(1 + window_cycles(config.local_window_enable, config.local_window)),
      global_expiries_(1 + window_cycles(config.global_window_enable, config.global_window)),
      departing_(kUsualQueue),
      stores_(static_cast<uint32_t>(config.interval + config.pcs + config.link) + 70),
      loads_(static_cast<uint32_t>(d.a()) + 2),
      rank1_(d.a()),
      over_(d.a()),
      failed_(d.a()),
      visible_(d.a()),
      own_(d.a()),
      latched_(d.a()),
      pending_(d.a()),
      latest_(static_cast<size_t>(d.a()) * d.a()),
      histories_(d.a()) {
  config_.check();
  for (size_t i = 0; i < levels_.size(); ++i) {
    thresholds_[i] = std::min(is_global(static_cast<uint32_t>(i)) ? config.global_threshold : config.local_threshold, 1 << 24);
    levels_[i] = -thresholds_[i] - 1;
  }
}

void SparsePlane::begin_cycle(uint32_t cycle) {
  now_ = cycle;
  if (!failures_.empty()) apply_failures();
  apply_words();
  load_words();
  if (now_ > 1 && now_ % static_cast<uint32_t>(config_.interval) == 0) latch_all();
  store_frames();
  refresh_own();
  apply_toggles();
  expire();
}

/// Counts that crossed the threshold and did not cross back in the same cycle; `over` shows it two edges later.
void SparsePlane::settle_crossed() {
  for (uint32_t index : crossed_) {
    const uint32_t router = index / static_cast<uint32_t>(ports_), port = index % static_cast<uint32_t>(ports_);
    const bool over = levels_[index] >= 0;
    if (over == (rank1_[router] >> port & 1)) continue;
    rank1_[router] ^= PortMap{1} << port;
    toggles_[(now_ + 2) & 3].push_back(index);
  }
  crossed_.clear();
}

void SparsePlane::expire() {
  for (uint32_t index : queued_) count_up(index);
  queued_.clear();
  departing_.serve(now_, [this](uint32_t event) {
    const uint32_t index = event & ~kGlobal;
    credit(static_cast<int>(index));  // from now on the window takes it off
    enter_window(index, (event & kGlobal) != 0);
  });
  local_expiries_.serve(now_, [this](uint32_t index) { count_up(index); });
  global_expiries_.serve(now_, [this](uint32_t index) { count_up(index); });
}

void SparsePlane::set_failed(int router, PortMap failed) { failures_.push_back({now_ + 2, router, failed & low_mask(ports_)}); }

/// Failed pins reach the monitors' outputs and the multiplexer two edges after they are set.
void SparsePlane::apply_failures() {
  std::vector<Failure> later;
  for (const Failure& f : failures_) {
    if (f.edge != now_) {
      later.push_back(f);
      continue;
    }
    const PortMap change = failed_[f.router] ^ f.failed;
    failed_[f.router] = f.failed;
    for (uint64_t m = change >> dragonfly_.p() & low_mask(dragonfly_.a() - 1); m != 0; m &= m - 1) {
      schedule_load(f.router, std::countr_zero(m), now_);
    }
    toggles_[now_ & 3].push_back(static_cast<uint32_t>(f.router * ports_));  // a node port: has no count, only makes the router look again
  }
  failures_.swap(later);
}

/// The multiplexer comes to slot k at the edges k+1 (mod A).
void SparsePlane::schedule_load(int router, int slot, uint32_t earliest) {
  const auto a = static_cast<uint32_t>(dragonfly_.a());
  const uint32_t wait = (static_cast<uint32_t>(slot) + 1 + a - earliest % a) % a;
  loads_.add(earliest + wait, static_cast<uint32_t>(router) << 8 | static_cast<uint32_t>(slot));
}

void SparsePlane::apply_words() {
  const int h = dragonfly_.h();
  for (const Word& w : words_) {
    History& history = histories_[w.router];
    const uint32_t change = history.version[history.newest].map.field(w.bid * h, h) ^ w.bits;
    if (change == 0) continue;
    GroupMap flip;
    flip.put(w.bid * h, h, change);
    const uint32_t next = (history.newest + 1) % kVersions;
    history.version[next] = {now_, history.version[history.newest].map ^ flip};
    history.newest = next;
  }
  words_.clear();
}

void SparsePlane::load_words() {
  loads_.serve(now_, [this](uint32_t event) {
    const int router = static_cast<int>(event >> 8), slot = static_cast<int>(event & 255);
    Word w{static_cast<uint8_t>(router), static_cast<uint8_t>(router), own_[router]};
    if (slot != dragonfly_.a() - 1) {
      const bool forced = failed_[router] >> (dragonfly_.p() + slot) & 1;
      w.bid = static_cast<uint8_t>(slot < router ? slot : slot + 1);
      w.bits = forced ? static_cast<uint16_t>(low_mask(dragonfly_.h())) : latest_[router * dragonfly_.a() + slot];
    }
    words_.push_back(w);
  });
}

void SparsePlane::latch_all() {
  for (int r = 0; r < dragonfly_.a(); ++r) {
    if (pending_[r] != 0) send_rest(r);
  }
  latch_ = now_;
  for (int r = 0; r < dragonfly_.a(); ++r) {
    if (own_[r] != latched_[r]) latch(r);
  }
}

/// A departure that does not follow the one before, which is still ahead: both belong to one run, with cycles without a tail between.
void SparsePlane::fill_gap(int index, uint32_t cycle) {
  for (uint32_t c = departures_[index].last + 1; c != cycle; ++c) mark_tail(index, c, false);
}

/// What no tail took leaves as idle frames in the last cycle of the interval.
void SparsePlane::send_rest(int router) {
  for (PortMap m = pending_[router]; m != 0; m &= m - 1) send(router, std::countr_zero(m) - dragonfly_.p(), now_);
  pending_[router] = 0;
}

/// A changed bitmap: ports whose FIFO already holds a tail of this interval are settled at once, the others wait for a departure.
void SparsePlane::latch(int router) {
  latched_[router] = own_[router];
  pending_[router] = low_mask(dragonfly_.a() - 1) << dragonfly_.p();
  for (int k = 0; k < dragonfly_.a() - 1; ++k) settle_departures(router, k);
}

/// The first tail among the departures that are certain already, if it is in this interval.
void SparsePlane::settle_departures(int router, int k) {
  const int index = router * ports_ + dragonfly_.p() + k;
  const Departures& p = departures_[index];
  const uint32_t end = std::min(p.last + 1, now_ - 1 + static_cast<uint32_t>(config_.interval));
  for (uint32_t cycle = std::max(p.first, now_ - 1); cycle < end; ++cycle) {
    if (tail_words_ == 0 || tails_[static_cast<size_t>(index) * tail_words_ + ((cycle >> 6) & (tail_words_ - 1))] >> (cycle & 63) & 1)
      return ride(router, k, cycle);
  }
}

/// A tail that is on the link in `cycle` takes the frame along, two edges later, if that is still in the interval.
void SparsePlane::ride(int router, int k, uint32_t cycle) {
  const uint32_t end = latch_ + static_cast<uint32_t>(config_.interval);
  pending_[router] &= ~(PortMap{1} << (k + dragonfly_.p()));
  send(router, k, std::min(cycle + 2, end));
}

void SparsePlane::send(int router, int k, uint32_t edge) {
  const int to = k < router ? k : k + 1, port = router < to ? router : router - 1;
  stores_.add(edge + static_cast<uint32_t>(config_.pcs + config_.link + 2),
              static_cast<uint32_t>(to) << 24 | static_cast<uint32_t>(port) << 16 | latched_[router]);
}

void SparsePlane::store_frames() {
  stores_.serve(now_, [this](uint32_t frame) {
    const int router = static_cast<int>(frame >> 24), k = static_cast<int>(frame >> 16 & 255);
    latest_[router * dragonfly_.a() + k] = static_cast<uint16_t>(frame);
    schedule_load(router, k, now_ + 1);
  });
}

/// The register of the own bits follows one edge behind.
void SparsePlane::refresh_own() {
  for (uint32_t r : own_changed_) {
    own_[r] = static_cast<uint16_t>(visible_[r] >> dragonfly_.first_global());
    schedule_load(static_cast<int>(r), dragonfly_.a() - 1, now_ + 1);
  }
  own_changed_.clear();
}

void SparsePlane::apply_toggles() {
  auto& list = toggles_[now_ & 3];
  for (uint32_t index : list) {
    const uint32_t router = index / static_cast<uint32_t>(ports_), port = index % static_cast<uint32_t>(ports_);
    if (static_cast<int>(port) >= dragonfly_.p()) over_[router] ^= PortMap{1} << port;
    refresh_visible(static_cast<int>(router));
  }
  list.clear();
}

void SparsePlane::refresh_visible(int router) {
  const PortMap next = over_[router] | failed_[router], change = next ^ visible_[router];
  visible_[router] = next;
  if (change >> dragonfly_.first_global() != 0) own_changed_.push_back(static_cast<uint32_t>(router));
}

size_t SparsePlane::bytes() const {
  return local_expiries_.bytes() + global_expiries_.bytes() + departing_.bytes() + stores_.bytes() + loads_.bytes() +
         levels_.size() * (2 * sizeof(int32_t) + sizeof(Departures)) + tails_.size() * 8 + histories_.size() * sizeof(History);
}

}  // namespace odonata::congestion
