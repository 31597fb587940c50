// SPDX-License-Identifier: Apache-2.0
// The pins of the Verilated congestion blocks (docs/congestion.md §2, §3, §5, §6) for dfly(P, A, H, *).
#pragma once

#include "tb/congestion/rtl_device.h"
#include "tb/harness/verilated_device.h"

namespace odonata::cosim {

/// Up to Bits bits that are put together or taken apart field by field, the lowest first.
template <int Bits>
class PackedBits {
 public:
  void put(int at, int n, uint64_t value) {
    const int w = at >> 6, s = at & 63;
    word_[w] |= value << s;
    if (s + n > 64) word_[w + 1] |= value >> (64 - s);
  }
  uint64_t get(int at, int n) const {
    const int w = at >> 6, s = at & 63;
    uint64_t value = word_[w] >> s;
    if (s + n > 64) value |= word_[w + 1] << (64 - s);
    return value & low_mask(n);
  }
  template <class Pin>
  void drive(Pin& pin) const {
    drive_wide(pin, word_.data());
  }
  template <class Pin>
  void sample(const Pin& pin) {
    if constexpr (std::is_integral_v<Pin>) {
      word_[0] = pin;
    } else {
      std::memcpy(word_.data(), &pin, sizeof(pin));
    }
  }

 private:
  std::array<uint64_t, Bits / 64 + 2> word_{};
};

template <class Model, int P, int A, int H>
struct MonitorPins {
  using In = congestion::MonitorInputs;
  using Out = congestion::MonitorOutputs;
  static void drive(Model& m, const In& in) {
    m.rst_ni = !in.reset;
    m.sent_i = in.sent;
    m.credit_i = in.credit;
    m.departed_i = in.departed;
    m.failed_i = in.failed;
    m.capacity_i = in.capacity;
    m.window_i = in.window;
    m.window_enable_i = in.window_enable;
    m.threshold_i = in.threshold;
  }
  static void sample(const Model& m, Out& out) {
    out.in_use = m.in_use_o;
    out.occupancy = m.occupancy_o;
    out.window = m.window_o;
    out.corrected = m.corrected_o;
    out.congested = m.congested_o;
    out.underflow = m.underflow_o;
    out.overflow = m.overflow_o;
  }
};

template <class Model, int P, int A, int H>
struct SenderPins {
  using In = congestion::SenderInputs;
  using Out = congestion::SenderOutputs;
  static void drive(Model& m, const In& in) {
    m.rst_ni = !in.reset;
    m.congested_i = in.congested;
    m.flit_i = in.flit;
    m.tail_i = in.tail;
    m.interval_i = in.interval;
    m.own_bid_i = in.own_bid;
  }
  static void sample(const Model& m, Out& out) {
    out.valid = m.frame_valid_o;
    out.idle = m.frame_idle_o;
    out.stolen = m.frame_stolen_o;
    out.bits = m.frame_bits_o;
    out.crc = m.frame_crc_o;
    out.latch = m.latch_o;
  }
};

/// Frames of all local ports to the receive pins; a port without a frame is driven with 0.
template <int A, int H, class Model, class Bits, class Crc>
void drive_frames(Model& m, uint32_t valid, Bits&& bits_of, Crc&& crc_of) {
  m.rx_valid_i = valid;
  PackedBits<(A - 1) * H> bits;
  PackedBits<(A - 1) * 8> crc;
  for (uint32_t v = valid; v; v &= v - 1) {
    const int k = std::countr_zero(v);
    bits.put(k * H, H, bits_of(k) & low_mask(H));
    crc.put(k * 8, 8, crc_of(k));
  }
  bits.drive(m.rx_bits_i);
  crc.drive(m.rx_crc_i);
}

template <int A, int H, int Stops, class Model>
void sample_collector(const Model& m, congestion::CollectorOutputs& out) {
  PackedBits<Stops * A * H> maps;
  maps.sample(m.map_o);
  for (int stop = 0; stop < Stops; ++stop) {
    for (int w = 0; 64 * w < A * H; ++w) out.map[stop].word[w] = maps.get(stop * A * H + 64 * w, A * H - 64 * w < 64 ? A * H - 64 * w : 64);
  }
  out.good = m.good_o;
  out.bad = m.bad_o;
  out.stale = m.stale_o;
}

template <class Model, int P, int A, int H>
struct CollectorPins {
  using In = congestion::CollectorInputs;
  using Out = congestion::CollectorOutputs;
  static void drive(Model& m, const In& in) {
    m.rst_ni = !in.reset;
    drive_frames<A, H>(
        m, in.valid, [&](int k) { return in.bits[k]; }, [&](int k) { return in.crc[k]; });
    m.own_bits_i = in.own_bits;
    m.failed_i = in.failed;
    PackedBits<(A - 1) * 5> neighbour;
    for (int k = 0; k < A - 1; ++k) neighbour.put(k * 5, 5, in.neighbour[k]);
    neighbour.drive(m.neighbour_i);
    m.own_bid_i = in.own_bid;
    m.interval_i = in.interval;
    m.stale_enable_i = in.stale_enable;
    m.stale_limit_i = in.stale_limit;
  }
  static void sample(const Model& m, Out& out) { sample_collector<A, H, P + A - 1 + H>(m, out); }
};

template <class Model, int P, int A, int H>
struct PcsPins {
  using In = congestion::PcsInputs;
  using Out = congestion::Frame;
  static void drive(Model& m, const In& in) {
    m.rst_ni = !in.reset;
    m.valid_i = in.frame.valid;
    m.bits_i = in.frame.bits;
    m.crc_i = in.frame.crc;
  }
  static void sample(const Model& m, Out& out) { out = {static_cast<uint16_t>(m.bits_o), static_cast<uint8_t>(m.crc_o), m.valid_o != 0}; }
};

template <class Model, int P, int A, int H>
struct PlanePins {
  using In = congestion::PlaneInputs;
  using Out = congestion::PlaneOutputs;
  static constexpr int kMonitors = A - 1 + H;
  static void drive(Model& m, const In& in) {
    m.rst_ni = !in.reset;
    PackedBits<kMonitors * 4> sent, credit;
    for (int v = 0; v < 4; ++v) {
      for (uint64_t b = in.events.sent[v] >> P & low_mask(kMonitors); b; b &= b - 1) sent.put(std::countr_zero(b) * 4 + v, 1, 1);
      for (uint64_t b = in.events.credit[v] >> P & low_mask(kMonitors); b; b &= b - 1) credit.put(std::countr_zero(b) * 4 + v, 1, 1);
    }
    sent.drive(m.sent_i);
    credit.drive(m.credit_i);
    m.departed_i = in.events.departed >> P & low_mask(kMonitors);
    m.failed_i = in.events.failed & low_mask(P + kMonitors);
    m.flit_i = in.events.flit >> P & low_mask(A - 1);
    m.tail_i = in.events.tail >> P & low_mask(A - 1);
    uint32_t valid = 0;
    for (int k = 0; k < A - 1; ++k) valid |= static_cast<uint32_t>(in.rx[k].valid) << k;
    drive_frames<A, H>(
        m, valid, [&](int k) { return in.rx[k].bits; }, [&](int k) { return in.rx[k].crc; });
    m.cfg_valid_i = in.cfg_valid;
    m.cfg_write_i = in.cfg_write;
    m.cfg_addr_i = in.cfg_addr;
    m.cfg_wdata_i = in.cfg_wdata;
  }
  static void sample(const Model& m, Out& out) {
    sample_collector<A, H, P + kMonitors>(m, out.collector);
    SenderPins<Model, P, A, H>::sample(m, out.sender);
    out.cong_local = m.cong_local_o;
    out.cfg_rdata = m.cfg_rdata_o;
    out.cfg_ready = m.cfg_ready_o;
    out.cfg_ack = m.cfg_ack_o;
    out.cfg_err = m.cfg_err_o;
    out.error = m.error_o;
  }
};

}  // namespace odonata::cosim
