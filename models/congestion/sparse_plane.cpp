// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/sparse_plane.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "models/common/lanes.h"

namespace odonata::congestion {

namespace {

/// Days of the calendar of departures: longer queues are rare.
constexpr uint32_t kUsualQueue = 128;

uint32_t window_cycles(bool enabled, int cycles) { return enabled ? static_cast<uint32_t>(cycles) : 0; }

}  // namespace

SparsePlane::SparsePlane(const Dragonfly& d, const PlaneConfig& config, bool gaps, bool busy)
    : dragonfly_(d),
      config_(config),
      busy_(busy),
      ports_(d.num_ports()),
      gaps_(gaps),
      row_((static_cast<size_t>(d.a()) * static_cast<size_t>(ports_) + 63) / 64),
      levels_(64 * row_, -1),
      thresholds_(levels_.size()),
      local_delay_(1 + window_cycles(config.local_window_enable, config.local_window)),
      global_delay_(1 + window_cycles(config.global_window_enable, config.global_window)),
      days_(std::max({local_delay_, global_delay_, 3u}) + kShortWait),
      departed_(days_ * row_),
      none_(row_),
      global_(row_),
      ranks_(row_),
      departing_(kUsualQueue),
      riding_(kUsualQueue),
      tails_{std::vector<uint64_t>(row_), std::vector<uint64_t>(row_)},
      stores_(static_cast<uint32_t>(config.interval + config.pcs + config.link) + 70),
      loads_(static_cast<uint32_t>(d.a()) + 2),
      over_(d.a()),
      failed_(d.a()),
      visible_(d.a()),
      own_(d.a()),
      latched_(d.a()),
      pending_(d.a()),
      latest_(static_cast<size_t>(d.a()) * d.a()),
      histories_(d.a()) {
  config_.check();
  const int local = busy ? config.local_busy_threshold : config.local_threshold;
  const int global = busy ? config.global_busy_threshold : config.global_threshold;
  for (uint32_t i = 0; i < static_cast<uint32_t>(d.a() * ports_); ++i) {
    thresholds_[i] = std::min(is_global(i) ? global : local, 1 << 24);
    levels_[i] = -thresholds_[i] - 1;
    global_[i / 64] |= static_cast<uint64_t>(is_global(i)) << (i % 64);
  }
  for (uint32_t day = 0; day != days_ + kShortWait; ++day) rows_.push_back(day % days_ * static_cast<uint32_t>(row_));
}

void SparsePlane::begin_cycle(uint32_t cycle) {
  now_ = cycle;
  day_ = now_ % days_;
  departing_.serve(now_, [this](uint32_t index) { departures(1)[index / 64] |= uint64_t{1} << (index % 64); });
  take_tails();
  if (!failures_.empty()) apply_failures();
  apply_words();
  load_words();
  if (now_ > 1 && now_ % static_cast<uint32_t>(config_.interval) == 0) latch_all();
  if (unsent_ != 0) ride_along();
  store_frames();
  refresh_own();
  apply_toggles();
  count_departures();
}

/// The history windows take in what departed in the cycle before and let go what departed so long ago. No window holds
/// what departs in cycle 0.
void SparsePlane::count_departures() {
  const auto of = [this](uint32_t cycles) -> const uint64_t* {
    return now_ > cycles ? departures(cycles) : none_.data();
  };
  const uint64_t *const fresh = of(1), *const local = of(local_delay_), *const global = of(global_delay_);
  for (size_t w = 0; w != row_; ++w) {
    const uint64_t in = fresh[w], out = (local[w] & ~global_[w]) | (global[w] & global_[w]);
    if ((in | out) != 0) count_bits(&levels_[64 * w], out & ~in, in & ~out);
  }
  uint64_t* const ahead =
      &departed_[rows_[day_ + kShortWait - 1]];  // its day was that of a departure that has left all windows
  std::fill(ahead, ahead + row_, 0);
}

/// Counts that crossed the threshold; `over` shows it two edges later.
void SparsePlane::settle() {
  for (size_t w = 0; w != row_; ++w) {
    uint64_t change = not_negative(&levels_[64 * w]) ^ ranks_[w];
    if (change == 0) [[likely]]
      continue;
    ranks_[w] ^= change;
    for (; change != 0; change &= change - 1)
      toggles_[(now_ + 2) & 3].push_back(static_cast<uint32_t>(64 * w) +
                                         static_cast<uint32_t>(std::countr_zero(change)));
  }
}

void SparsePlane::set_failed(int router, PortMap failed) {
  failures_.push_back({now_ + 2, router, failed & low_mask(ports_)});
}

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
    toggles_[now_ & 3].push_back(
        static_cast<uint32_t>(f.router * ports_));  // a node port: has no count, only makes the router look again
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
  // The first bitmap after reset is a `busy` one, when they alternate.
  const uint32_t latches = config_.interval == 1 ? now_ - 1 : now_ / static_cast<uint32_t>(config_.interval);
  if ((config_.alternate && latches % 2 != 0) != busy_) return;
  for (int r = 0; r < dragonfly_.a(); ++r) {
    if (own_[r] != latched_[r]) latch(r);
  }
}

/// What no tail took leaves as idle frames in the last cycle of the interval.
void SparsePlane::send_rest(int router) {
  for (PortMap m = pending_[router]; m != 0; m &= m - 1) send(router, std::countr_zero(m) - dragonfly_.p(), now_);
  pending_[router] = 0;
}

/// A changed bitmap: a tail that is on a link takes the frame of its port along.
void SparsePlane::latch(int router) {
  latched_[router] = own_[router];
  pending_[router] = low_mask(dragonfly_.a() - 1) << dragonfly_.p();
  unsent_ |= uint64_t{1} << router;
  ride(router, tails_of(router, now_ - 1), now_ - 1);
}

/// With gaps, tails on links in this cycle.
void SparsePlane::take_tails() {
  if (!gaps_) return;
  auto& tails = tails_[now_ & 1];
  std::fill(tails.begin(), tails.end(), 0);
  riding_.serve(now_, [&tails](uint32_t index) { tails[index / 64] |= uint64_t{1} << (index % 64); });
}

/// Ports of a router with a tail on the link in this cycle or the one before.
PortMap SparsePlane::tails_of(int router, uint32_t cycle) const {
  const uint64_t* const map = gaps_ ? tails_[cycle & 1].data() : &departed_[rows_[(cycle - 1) % days_]];
  const auto at = static_cast<size_t>(router * ports_), word = at / 64, bit = at % 64;
  uint64_t out = map[word] >> bit;
  if (bit + static_cast<size_t>(ports_) > 64) out |= map[word + 1] << (64 - bit);
  return out & low_mask(ports_);
}

/// Tails that are on links in this cycle take frames along.
void SparsePlane::ride_along() {
  for (uint64_t routers = unsent_; routers != 0; routers &= routers - 1) {
    const int router = std::countr_zero(routers);
    ride(router, tails_of(router, now_), now_);
    if (pending_[router] == 0) unsent_ &= ~(uint64_t{1} << router);
  }
}

/// A tail that is on the link in `cycle` takes the frame along, two edges later, if that is still in the interval.
void SparsePlane::ride(int router, PortMap tails, uint32_t cycle) {
  const uint32_t end = latch_ + static_cast<uint32_t>(config_.interval);
  for (PortMap m = pending_[router] & tails; m != 0; m &= m - 1)
    send(router, std::countr_zero(m) - dragonfly_.p(), std::min(cycle + 2, end));
  pending_[router] &= ~tails;
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

/// What visit_state() has read: every number of a port, of a router and of bits is one of this group.
void SparsePlane::check_state() const {
  const auto a = static_cast<uint32_t>(dragonfly_.a()), ports = a * static_cast<uint32_t>(ports_);
  const PortMap local = low_mask(dragonfly_.a() - 1) << dragonfly_.p();
  const auto expect = [](bool holds) { expect_state(holds, "a congestion plane"); };
  const auto is_port = [=](uint32_t, uint32_t index) { expect(index < ports); };
  departing_.for_each_due(is_port), riding_.for_each_due(is_port);
  stores_.for_each_due([=, this](uint32_t, uint32_t frame) {
    expect(frame >> 24 < a && (frame >> 16 & 255) < a - 1 && (frame & 0xFFFF) >> dragonfly_.h() == 0);
  });
  loads_.for_each_due([=](uint32_t, uint32_t event) { expect(event >> 8 < a && (event & 255) < a); });
  for (const auto& list : toggles_)
    for (const uint32_t index : list) expect(index < ports);
  for (const auto* map : {&ranks_, &tails_[0], &tails_[1], &departed_}) {
    for (size_t w = 0; w != map->size(); ++w) {
      const auto first = static_cast<int>(w % row_ * 64);
      expect(((*map)[w] & ~low_mask(std::clamp(static_cast<int>(ports) - first, 0, 64))) == 0);
    }
  }
  for (uint32_t i = 0; i != levels_.size(); ++i)
    expect(i < ports ? std::abs(int64_t{levels_[i]}) < int64_t{1} << 30 : levels_[i] < 0);
  for (const PortMap m : pending_) expect((m & ~local) == 0);
  expect((unsent_ & ~low_mask(dragonfly_.a())) == 0);
  for (const uint32_t router : own_changed_) expect(router < a);
  for (const Word& w : words_) expect(w.router < a && w.bid < a && w.bits >> dragonfly_.h() == 0);
  for (const Failure& f : failures_)
    expect(f.router >= 0 && f.router < dragonfly_.a() && (f.failed & ~low_mask(ports_)) == 0 && f.edge - now_ - 1 < 2);
  for (const History& h : histories_) check_history(h);
  expect(latch_ <= now_);
}

/// The newest version that every port of the router sees is there.
void SparsePlane::check_history(const History& history) const {
  bool seen = false;
  for (uint32_t back = 0; back != kVersions && history.newest < kVersions; ++back) {
    const uint32_t since = history.version[(history.newest - back) % kVersions].since;
    seen = seen || since == 0 || (since <= now_ && now_ - since >= static_cast<uint32_t>(ports_));
  }
  expect_state(seen, "a congestion plane");
}

void SparsePlane::check_cycles(uint32_t cycles) const {
  const auto served = [cycles](const Calendar& calendar) { return calendar.next() == cycles; };
  expect_state(now_ == cycles - (cycles != 0) && served(departing_) && served(stores_) && served(loads_) &&
                   (!gaps_ || served(riding_)),
               "the cycle of a congestion plane");
}

size_t SparsePlane::bytes() const {
  return departing_.bytes() + riding_.bytes() + stores_.bytes() + loads_.bytes() +
         (departed_.size() + 2 * row_) * sizeof(uint64_t) + levels_.size() * 2 * sizeof(int32_t) +
         histories_.size() * sizeof(History);
}

}  // namespace odonata::congestion
