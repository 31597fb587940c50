// SPDX-License-Identifier: Apache-2.0
#include "hw/congestion/bitmap_collector.h"

#include <algorithm>

#include "hw/congestion/bitmap_collector_signals.h"
#include "models/congestion/bitmap_sender.h"

namespace odonata::congestion {

BitmapCollectorModule::BitmapCollectorModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                                             Drive<CollectorInputs> pins)
    : ClockedModule(name, tick), a_(d.a()), h_(d.h()), stops_(d.num_ports()), pins_(std::move(pins)) {
  SC_HAS_PROCESS(BitmapCollectorModule);
  SC_METHOD(sample);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(store);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(multiplex);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(ring);
  sensitive << edge();
  dont_initialize();
}

bool BitmapCollectorModule::stale(int port) const {
  return now().r0.stale_enable && now().silent[port] >= std::max<int>(1, now().r0.stale_limit);
}

void BitmapCollectorModule::sample() {
  const CollectorInputs& in = pins_();
  next().r0 = in;
  if (!in.reset) return;
  next().r0 = {};
  next().r0.reset = true;
}

void BitmapCollectorModule::store() {
  const bool tick = interval_ends(now().count, now().r0.interval);
  next().count = tick ? 0 : (now().count + 1) % 256;
  next().good = next().bad = 0;
  for (int k = 0; k < a_ - 1; ++k) {
    const bool arrived = now().r0.valid >> k & 1;
    const bool busy = now().r0.phase >> k & 1;
    const bool good = arrived && frame_crc(now().r0.neighbour[k], now().r0.bits[k], busy) == now().r0.crc[k];
    next().good |= static_cast<uint32_t>(good) << k;
    next().bad |= static_cast<uint32_t>(arrived && !good) << k;
    if (good) {
      (busy ? next().latest_busy : next().latest)[k] = now().r0.bits[k];
      next().silent[k] = 0;
    } else if (tick && now().silent[k] < 255) {
      next().silent[k] = static_cast<uint8_t>(now().silent[k] + 1);
    }
  }
}

void BitmapCollectorModule::multiplex() {
  const int slot = now().slot;
  next().slot = (slot + 1) % a_;
  RingWord& word = next().ring[0];
  word.valid = true;
  if (slot == a_ - 1) {
    word.bid = now().r0.own_bid;
    word.bits = now().r0.own_bits;
    word.busy = now().r0.own_busy;
    return;
  }
  word.bid = now().r0.neighbour[slot];
  word.bits = now().latest[slot];
  word.busy = now().latest_busy[slot];
  if ((now().r0.failed >> slot & 1) || stale(slot)) word.bits = word.busy = static_cast<uint16_t>(low_mask(h_));
}

void BitmapCollectorModule::ring() {
  for (int k = 0; k < stops_; ++k) {
    const RingWord& word = now().ring[k];
    if (k + 1 < stops_) next().ring[k + 1] = word;
    if (!word.valid || word.bid >= a_) continue;
    GroupMap field, bits, busy;
    field.put(word.bid * h_, h_, static_cast<uint32_t>(low_mask(h_)));
    bits.put(word.bid * h_, h_, word.bits);
    busy.put(word.bid * h_, h_, word.busy);
    map_[k] = (map_[k] & ~field) | bits;
    busy_map_[k] = (busy_map_[k] & ~field) | busy;
  }
}

void BitmapCollectorModule::publish() {
  if (now().r0.reset) {
    clear();
    map_ = busy_map_ = {};
    out_ = {};
    return;
  }
  std::copy_n(map_.begin(), stops_, out_.map.begin());
  std::copy_n(busy_map_.begin(), stops_, out_.busy_map.begin());
  out_.good = now().good;
  out_.bad = now().bad;
  out_.stale = 0;
  for (int k = 0; k < a_ - 1; ++k) out_.stale |= static_cast<uint32_t>(stale(k)) << k;
}

void BitmapCollectorModule::trace(sc_core::sc_trace_file* file) const {
  const CollectorRegisters& r = now();
  trace_pins(file, r.r0, std::string(name()) + ".r0.");
  for (int k = 0; k < a_ - 1; ++k) {
    const std::string port = "port_" + std::to_string(k) + ".";
    trace_signal(file, r.r0.bits[k], port + "bits", h_);
    trace_signal(file, r.r0.crc[k], port + "crc", kCrcBits);
    trace_signal(file, r.r0.neighbour[k], port + "neighbour", 5);
    trace_signal(file, r.latest[k], port + "latest", h_);
    trace_signal(file, r.latest_busy[k], port + "latest_busy", h_);
    trace_signal(file, r.silent[k], port + "silent", 8);
  }
  trace_signal(file, r.good, "good", a_ - 1);
  trace_signal(file, r.bad, "bad", a_ - 1);
  trace_signal(file, out_.stale, "stale", a_ - 1);
  trace_signal(file, r.slot, "slot", 5);
  for (int k = 0; k < stops_; ++k) {
    const std::string stop = "stop_" + std::to_string(k) + ".";
    trace_signal(file, r.ring[k].valid, stop + "valid", 1);
    trace_signal(file, r.ring[k].bid, stop + "bid", 5);
    trace_signal(file, r.ring[k].bits, stop + "bits", h_);
    trace_signal(file, r.ring[k].busy, stop + "busy", h_);
  }
  for (int w = 0; 64 * w < a_ * h_; ++w) {
    trace_signal(file, out_.map[0].word[w], "map_0.word_" + std::to_string(w), 64);
    trace_signal(file, out_.busy_map[0].word[w], "busy_map_0.word_" + std::to_string(w), 64);
  }
}

}  // namespace odonata::congestion
