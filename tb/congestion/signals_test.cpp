// SPDX-License-Identifier: Apache-2.0
// The generated shells of the units (docs/units.md): a platform that binds signals drives every pin of a unit by itself
// and sees, cycle by cycle, what the same device shows without a shell.
#include <gtest/gtest.h>

#include "hw/congestion/bitmap_collector_signals.h"
#include "hw/congestion/credit_monitor_signals.h"
#include "models/congestion/golden_device.h"
#include "tb/congestion/stimulus.h"

namespace odonata::congestion {
namespace {

constexpr int kCycles = 3000;

/// A clock, a reset and a bound shell; edge() is one rising edge with everything that follows from it.
template <class Shell, class Device>
struct Platform {
  explicit Platform(Device& device) : shell("shell", device) {
    shell.clk_i(clk);
    shell.rst_ni(rst_n);
  }
  void edge() {
    clk = true;
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    clk = false;
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
  }
  sc_core::sc_signal<bool> clk{"clk"}, rst_n{"rst_n"};
  Shell shell;
};

TEST(SystemcSignals, CreditMonitor) {
  GoldenMonitor bare, wrapped;
  Platform<MonitorSignals<>, GoldenMonitor> p(wrapped);
  sc_core::sc_signal<uint8_t> sent, credit, underflow, overflow;
  sc_core::sc_signal<bool> failed, departed, enable, congested, busy;
  sc_core::sc_signal<uint16_t> capacity, window, threshold, busy_threshold, occupancy, in_window, corrected;
  sc_core::sc_signal<uint64_t> in_use;
  p.shell.sent_i(sent), p.shell.credit_i(credit), p.shell.failed_i(failed), p.shell.departed_i(departed),
      p.shell.capacity_i(capacity);
  p.shell.window_i(window), p.shell.window_enable_i(enable), p.shell.threshold_i(threshold),
      p.shell.busy_threshold_i(busy_threshold);
  p.shell.in_use_o(in_use), p.shell.occupancy_o(occupancy), p.shell.underflow_o(underflow),
      p.shell.overflow_o(overflow);
  p.shell.window_o(in_window), p.shell.corrected_o(corrected), p.shell.congested_o(congested), p.shell.busy_o(busy);
  cosim::MonitorCorner stimulus(1);
  MonitorInputs in;
  MonitorOutputs out;
  uint64_t errors = 0;
  for (int cycle = 0; cycle < kCycles && stimulus.next(out, in); ++cycle) {
    in.reset = cycle == 0;
    p.rst_n = !in.reset;
    sent = in.sent, credit = in.credit, failed = in.failed, departed = in.departed;
    capacity = in.capacity, window = in.window, enable = in.window_enable, threshold = in.threshold;
    busy_threshold = in.busy_threshold;
    p.edge();
    bare.step(in, out);
    const MonitorOutputs shown{in_use.read(),    occupancy.read(), in_window.read(),
                               corrected.read(), underflow.read(), overflow.read(),
                               congested.read(), busy.read(),      {}};
    ASSERT_EQ(shown, out) << "cycle " << cycle;
    errors += out.underflow != 0 || out.overflow != 0;
  }
  EXPECT_GT(errors, 0u);
}

/// Arrays have a port an element, wide pins are bit vectors.
TEST(SystemcSignals, BitmapCollector) {
  const Dragonfly d = Dragonfly::named("tiny");
  GoldenCollector bare(d), wrapped(d);
  Platform<CollectorSignals<4, 2, 7>, GoldenCollector> p(wrapped);
  sc_core::sc_signal<uint32_t> valid, phase, failed, good, bad, stale;
  sc_core::sc_signal<uint16_t> own_bits, own_busy;
  sc_core::sc_signal<uint8_t> own_bid, interval, stale_limit;
  sc_core::sc_signal<bool> stale_enable;
  sc_core::sc_vector<sc_core::sc_signal<uint16_t>> bits{"bits", 3};
  sc_core::sc_vector<sc_core::sc_signal<uint8_t>> crc{"crc", 3}, neighbour{"neighbour", 3};
  sc_core::sc_vector<sc_core::sc_signal<sc_dt::sc_bv<8>>> map{"map", 7}, busy_map{"busy_map", 7};
  p.shell.rx_valid_i(valid), p.shell.rx_bits_i(bits), p.shell.rx_crc_i(crc), p.shell.own_bits_i(own_bits),
      p.shell.failed_i(failed);
  p.shell.neighbour_i(neighbour), p.shell.own_bid_i(own_bid), p.shell.interval_i(interval),
      p.shell.stale_enable_i(stale_enable);
  p.shell.stale_limit_i(stale_limit), p.shell.good_o(good), p.shell.bad_o(bad), p.shell.stale_o(stale),
      p.shell.map_o(map);
  p.shell.rx_phase_i(phase), p.shell.own_busy_i(own_busy), p.shell.busy_map_o(busy_map);
  cosim::CollectorCorner stimulus(d, 1);
  CollectorInputs in;
  CollectorOutputs out;
  uint64_t frames = 0;
  for (int cycle = 0; cycle < kCycles && stimulus.next(out, in); ++cycle) {
    in.reset = cycle == 0;
    p.rst_n = !in.reset;
    for (size_t k = 0; k < 3; ++k) bits[k] = in.bits[k], crc[k] = in.crc[k], neighbour[k] = in.neighbour[k];
    phase = in.phase, own_busy = in.own_busy;
    valid = in.valid, own_bits = in.own_bits, failed = in.failed, own_bid = in.own_bid, interval = in.interval;
    stale_enable = in.stale_enable, stale_limit = in.stale_limit;
    p.edge();
    bare.step(in, out);
    ASSERT_EQ(good.read(), out.good) << "cycle " << cycle;
    ASSERT_EQ(bad.read(), out.bad) << "cycle " << cycle;
    ASSERT_EQ(stale.read(), out.stale) << "cycle " << cycle;
    for (size_t k = 0; k < 7; ++k) {
      ASSERT_EQ(map[k].read().to_uint64(), out.map[k].word[0]) << "cycle " << cycle << ", stop " << k;
      ASSERT_EQ(busy_map[k].read().to_uint64(), out.busy_map[k].word[0]) << "cycle " << cycle << ", stop " << k;
    }
    frames += out.good != 0;
  }
  EXPECT_GT(frames, 0u);
}

}  // namespace
}  // namespace odonata::congestion
