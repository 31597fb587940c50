// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/bitmap_collector.h"

#include <algorithm>

#include "models/congestion/bitmap_sender.h"

namespace odonata::congestion {

BitmapCollector::BitmapCollector(int a, int h, int ring_stops) : a_(a), h_(h), ring_stops_(ring_stops) {}

void BitmapCollector::reset() {
  r0_ = {};
  latest_ = latest_busy_ = {};
  silent_ = {};
  count_ = slot_ = 0;
  ring_ = {};
  out_ = {};
  changed_ = ~uint64_t{0};
}

void BitmapCollector::step(const CollectorInputs& in) {
  if (in.reset) return reset();
  move_ring(slot_word());
  slot_ = slot_ + 1 == a_ ? 0 : slot_ + 1;
  store_frames();
  r0_ = in;
  refresh_stale();
}

namespace {

/// The h bits at `at` become `bits`. Whether one of them was another.
bool write_field(GroupMap& map, int at, int h, uint32_t bits) {
  const uint32_t change = (map.field(at, h) ^ bits) & static_cast<uint32_t>(low_mask(h));
  map.flip(at, h, change);
  return change != 0;
}

}  // namespace

/// Every stop writes its input word into its maps and hands it on.
void BitmapCollector::move_ring(const Word& word) {
  changed_ = 0;
  for (int k = 0; k < ring_stops_; ++k) {
    const Word& w = ring_[k];
    if (!w.valid || w.bid >= a_) continue;
    const bool map = write_field(out_.map[k], w.bid * h_, h_, w.bits),
               busy_map = write_field(out_.busy_map[k], w.bid * h_, h_, w.busy);
    changed_ |= uint64_t{map || busy_map} << k;
  }
  std::copy_backward(ring_.begin(), ring_.begin() + ring_stops_ - 1, ring_.begin() + ring_stops_);
  ring_[0] = word;
}

/// The word of the present multiplex slot: a local port, or in the last slot the own router.
BitmapCollector::Word BitmapCollector::slot_word() const {
  if (slot_ == a_ - 1) return {true, r0_.own_bid, r0_.own_bits, r0_.own_busy};
  const bool congested = ((r0_.failed | out_.stale) >> slot_ & 1) != 0;
  const auto all = static_cast<uint16_t>(low_mask(h_));
  return {true, r0_.neighbour[slot_], congested ? all : latest_[slot_], congested ? all : latest_busy_[slot_]};
}

/// Checks the arrived frames, keeps the good ones, counts the silence of the others.
void BitmapCollector::store_frames() {
  const bool tick = interval_ends(count_, r0_.interval);
  count_ = tick ? 0 : (count_ + 1) & 255;
  out_.good = out_.bad = 0;
  for (int k = 0; k < a_ - 1; ++k) {
    if (tick && silent_[k] != 255) ++silent_[k];
    if (!(r0_.valid >> k & 1)) continue;
    const bool busy = r0_.phase >> k & 1;
    if (frame_crc(r0_.neighbour[k], r0_.bits[k], busy) != r0_.crc[k]) {
      out_.bad |= 1u << k;
      continue;
    }
    out_.good |= 1u << k;
    (busy ? latest_busy_ : latest_)[k] = r0_.bits[k];
    silent_[k] = 0;
  }
}

/// `stale_o` follows from registers.
void BitmapCollector::refresh_stale() {
  const int limit = std::max<int>(1, r0_.stale_limit);
  out_.stale = 0;
  if (!r0_.stale_enable) return;
  for (int k = 0; k < a_ - 1; ++k) {
    if (silent_[k] >= limit) out_.stale |= 1u << k;
  }
}

}  // namespace odonata::congestion
