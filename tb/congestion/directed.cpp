// SPDX-License-Identifier: Apache-2.0
#include "tb/congestion/directed.h"

#include <algorithm>

namespace odonata::cosim {

using namespace congestion;

namespace {

/// Cycles of one block, with the golden unit beside them, so that a sequence can wait for a state.
template <class Golden, class In, class Out>
struct Script {
  explicit Script(Golden golden) : unit(std::move(golden)) {}
  Golden unit;
  Out out{};
  In in{};
  std::vector<In> cycles;

  void step(const In& pins) {
    cycles.push_back(pins);
    unit.step(pins, out);
  }
  void step() { step(in); }
  void steps(int n) {
    for (int i = 0; i < n; ++i) step();
  }
  void reset() {
    In pins = in;
    pins.reset = true;
    step(pins);
  }
};

/// 0, 1, 2, and around every power of two up to `last`, which comes with its successor.
std::vector<int> edges(int last) {
  std::vector<int> all = {0, last, last + 1};
  for (int bit = 1; bit <= last; bit *= 2) {
    for (int x : {bit - 1, bit, bit + 1}) {
      if (x <= last) all.push_back(x);
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// ---- Monitor ----

class MonitorScript : public Script<GoldenMonitor, MonitorInputs, MonitorOutputs> {
 public:
  explicit MonitorScript(const MonitorLimits& limits) : Script(GoldenMonitor(limits)), limits_(limits) {
    in.capacity = 511;
    in.window_enable = true;
    in.threshold = 10;
    in.busy_threshold = 2;
  }

  /// Sends and credits until every virtual channel has `level` in use.
  void fill(int level) {
    MonitorInputs pins = in;
    pins.capacity = 511;
    for (bool done = false; !done;) {
      pins.sent = pins.credit = 0;
      for (int v = 0; v < limits_.num_vcs; ++v) {
        if (vc_in_use(out, v) < level) pins.sent |= static_cast<uint8_t>(1 << v);
        if (vc_in_use(out, v) > level) pins.credit |= static_cast<uint8_t>(1 << v);
      }
      done = (pins.sent | pins.credit) == 0;
      step(pins);
      pins.sent = pins.credit = 0;
      step(pins);  // the pins show it one edge later
    }
  }
  /// By default a packet departs in the cycle in which some are sent.
  void send(uint8_t vcs, uint8_t credits = 0) { send(vcs, credits, vcs != 0); }
  void send(uint8_t vcs, uint8_t credits, bool departed) {
    MonitorInputs pins = in;
    pins.departed = departed;
    pins.sent = vcs;
    pins.credit = credits;
    step(pins);
  }

  /// At this filling: every capacity that differs from it or from the hardware's in at most one bit, with a send, with
  /// a send and a credit.
  void try_capacities(int level) {
    fill(level);
    for (int capacity = 0; capacity < 512; ++capacity) {
      const int near = capacity ^ level, far = capacity ^ limits_.max_capacity;
      const bool matters =
          (near & (near - 1)) == 0 || (far & (far - 1)) == 0 || capacity == level + 1 || capacity + 1 == level;
      if (!matters) continue;
      in.capacity = static_cast<uint16_t>(capacity);
      send(0xF);
      send(0xF, 0xF);
      in.capacity = 511;
      fill(level);
    }
  }

  /// Thresholds that differ from the present corrected occupancy, or from its neighbours, in one bit.
  void try_thresholds() {
    for (int bit = 0; bit < 16; ++bit) {
      for (int offset : {0, 1, -1}) {
        const int base = std::max(0, out.corrected + offset);
        in.threshold = static_cast<uint16_t>(base ^ (1 << bit));
        in.busy_threshold = static_cast<uint16_t>(base);
        steps(2);
        std::swap(in.threshold, in.busy_threshold);
        steps(2);
      }
    }
  }

  /// One length: fills with changing departures, is full, changes to its neighbours and back, is switched off and on.
  void try_window(int length) {
    in.window = static_cast<uint16_t>(length);
    const int cycles = std::min(length, limits_.max_window);
    for (int i = 0; i < 2 * cycles + 8; ++i) {
      const auto vcs = static_cast<uint8_t>(0x731FC0A9ull >> (4 * (i % 8)) & 15);
      send(vcs, static_cast<uint8_t>(i < cycles ? 0 : vcs), 0xB2E45A39ull >> i % 32 & 1);
      in.window_enable = i % 5 != 0;
    }
    in.window_enable = true;
    for (int v = 0; v < limits_.num_vcs; ++v) send(static_cast<uint8_t>(1 << v));
    steps(cycles + 3);  // what was sent leaves
    fill(0);
  }

 private:
  MonitorLimits limits_;
};

}  // namespace

std::vector<MonitorInputs> directed_monitor(const MonitorLimits& limits) {
  MonitorScript s(limits);
  s.reset();
  s.step();
  const int slots = limits.max_capacity;
  for (int level : {0, 1, 2, slots / 2 - 1, slots / 2, slots - 1, slots}) {
    if (level >= 0) s.try_capacities(level);
  }
  for (int vcs = 0; vcs < 256; ++vcs)
    s.send(static_cast<uint8_t>(vcs & 15), static_cast<uint8_t>(vcs >> 4));  // all full: every refusal
  // Thresholds at fillings with many different bits, with and without a window to take off.
  for (int level : {0, 1, 5, 21, 85, slots}) {
    s.in.window = 0;
    s.fill(std::min(level, slots));
    s.try_thresholds();
    s.in.window = static_cast<uint16_t>(std::min(limits.max_window, 9));
    for (int i = 0; i < 6; ++i) s.send(static_cast<uint8_t>(1 << i % 4));
    s.try_thresholds();
    MonitorInputs failed = s.in;
    failed.failed = true;
    s.step(failed);
  }
  s.reset();
  s.steps(3);
  for (int vcs = 0; vcs < 256; ++vcs) s.send(static_cast<uint8_t>(vcs & 15), static_cast<uint8_t>(vcs >> 4));
  s.fill(0);
  for (int vcs = 0; vcs < 16; ++vcs) s.send(0, static_cast<uint8_t>(vcs));  // all empty: every refusal
  // The window's lengths; a restart in every state of the one before comes by itself. Far more taken off than in use,
  // and the other way round.
  for (int length : edges(limits.max_window)) s.try_window(length);
  for (int bit = 1; bit < 1024; bit *= 2) s.try_window(bit | 1);
  for (int length : {1, 2, 3, limits.max_window, 0, 3}) {
    s.in.window = static_cast<uint16_t>(length);
    for (int i = 0; i < limits.max_window + 4; ++i) s.send(0xF, 0xF);
    s.reset();
    for (int i = 0; i < 5; ++i) s.send(0x5);
  }
  return s.cycles;
}

// ---- Sender ----

std::vector<SenderInputs> directed_sender(const Dragonfly& d) {
  Script<GoldenSender, SenderInputs, SenderOutputs> s{GoldenSender(d)};
  const auto all = static_cast<uint32_t>(low_mask(d.a() - 1));
  s.reset();
  // An interval of 0 lets the counter run; then the interval is for one cycle what the counter reaches, or one more, or
  // differs in one bit.
  for (int count : edges(254)) {
    if (count > 254) continue;
    for (int bit = 0; bit < 10; ++bit) {
      const int reached = count + 2, interval = std::min(255, bit < 8 ? reached ^ (1 << bit) : reached + bit - 8);
      s.in.interval = 1;
      s.steps(2);
      s.in.interval = 0;
      while (s.unit.unit().count() != count) s.step();
      s.in.interval = static_cast<uint8_t>(interval);
      s.step();
      s.in.interval = 0;
      s.steps(2);
    }
  }
  // CRC and bitmaps: every router, every bitmap of one or two bits, nothing, everything; both bitmaps in turn, then one
  // of them.
  s.in.interval = 1;
  for (int bid = 0; bid < 32; ++bid) {
    s.in.own_bid = static_cast<uint8_t>(bid);
    s.in.alternate = bid % 2 != 0;
    for (int i = 0; i < d.h(); ++i) {
      for (int j = i; j < d.h(); ++j) {
        s.in.congested = static_cast<uint16_t>(1 << i | 1 << j);
        s.in.busy = static_cast<uint16_t>(~s.in.congested & low_mask(d.h()));
        s.step();
        if (s.in.alternate) s.step();
      }
    }
    for (uint64_t bits : {uint64_t{0}, low_mask(d.h())}) {
      s.in.congested = static_cast<uint16_t>(bits);
      s.step();
    }
  }
  // The ways of a frame: for each port and cycle of the interval, flit and tail in all combinations, the others quiet
  // or busy.
  for (int interval : {1, 2, 3}) {
    s.in.interval = static_cast<uint8_t>(interval);
    for (int k = 0; k < d.a() - 1; ++k) {
      for (int kind = 0; kind < 16; ++kind) {
        const uint32_t own = 1u << k, others = all & ~own;
        s.in.flit = (kind & 1 ? own : 0) | (kind & 4 ? others : 0);
        s.in.tail = (kind & 2 ? own : 0) | (kind & 8 ? others : 0);
        s.in.congested = static_cast<uint16_t>(kind & low_mask(d.h()));
        s.in.busy = static_cast<uint16_t>(kind >> 1 & low_mask(d.h()));
        s.in.alternate = k % 2 == 0;
        s.step();
        if (kind % 3 == 0) s.step();
      }
    }
    s.reset();
  }
  return s.cycles;
}

// ---- Collector ----

std::vector<CollectorInputs> directed_collector(const Dragonfly& d) {
  Script<GoldenCollector, CollectorInputs, CollectorOutputs> s{GoldenCollector(d)};
  const int ports = d.a() - 1;
  const auto all = static_cast<uint32_t>(low_mask(ports));
  const auto frame = [&](int k, int bits, int error, bool busy = false) {
    s.in.valid |= 1u << k;
    s.in.bits[k] = static_cast<uint16_t>(bits);
    s.in.crc[k] = static_cast<uint8_t>(frame_crc(s.in.neighbour[k], static_cast<uint32_t>(bits), busy) ^ error);
    s.in.phase = (s.in.phase & ~(1u << k)) | static_cast<uint32_t>(busy) << k;
  };
  const auto quiet = [&](int cycles) {
    s.in.valid = 0;
    s.steps(cycles);
  };
  const int round = d.a() + d.num_ports() + 3;
  for (int k = 0; k < ports; ++k) s.in.neighbour[k] = static_cast<uint8_t>(k + 1);
  s.reset();
  quiet(round);
  // Frames with every single-bit error, from every neighbour, with bitmaps that differ; good ones in between show in
  // the maps.
  for (int bid = 0; bid < 32; ++bid) {
    for (int k = 0; k < ports; ++k) s.in.neighbour[k] = static_cast<uint8_t>((bid + k) % 32);
    quiet(1);
    for (int error = 0; error < 9; ++error) {
      s.in.valid = 0;
      for (int k = 0; k < ports; ++k)
        frame(k, static_cast<int>((bid + error + k) & low_mask(d.h())), 1 << error & 255, error % 2 != 0);
      s.step();
      s.in.phase ^= 1u << (error % ports);  // an error of the phase alone
      s.step();
    }
    for (int i = 0; i < d.h(); ++i) {
      s.in.valid = 0;
      for (int k = 0; k < ports; ++k) frame(k, 1 << i, 0, (bid + i + k) % 3 == 0);
      s.step();
    }
    quiet(round);
  }
  // Neighbours and own number one by one, with the bits of each port alone.
  for (int k = 0; k < ports; ++k) {
    for (int bits : {0, static_cast<int>(low_mask(d.h()))}) {
      s.in.valid = 0;
      for (const bool busy : {false, true}) {
        const int own = busy ? bits ^ static_cast<int>(low_mask(d.h())) : bits;
        for (int other = 0; other < ports; ++other)
          frame(other, other == k ? own : own ^ static_cast<int>(low_mask(d.h())), 0, busy);
        s.step();
      }
      s.in.own_bid = static_cast<uint8_t>(k);
      s.in.own_bits = static_cast<uint16_t>(bits & 1);
      s.in.own_busy = static_cast<uint16_t>(~bits & 1);
      quiet(round);
      s.in.failed = 1u << k;
      quiet(round);
      s.in.failed = all & ~(1u << k);
      quiet(round);
      s.in.failed = 0;
    }
  }
  // Every limit that differs from the silence in one bit, at every silence up to saturation; ports fall silent one
  // after the other.
  s.in.interval = 12;
  s.in.stale_enable = true;
  s.in.stale_limit = 255;
  for (int k = ports - 1; k >= 0; --k) {
    s.in.valid = 0;
    frame(k, 1, 0, k % 2 != 0);
    s.step();
    quiet(24);
  }
  s.in.valid = 0;
  for (int k = 0; k < ports; ++k) frame(k, 1, 0);
  s.step();
  s.in.valid = 0;
  for (int silence = 0; silence < 262; ++silence) {
    for (int bit = 0; bit < 12; ++bit) {
      const int now = std::min(silence, 255);
      s.in.stale_limit = static_cast<uint8_t>(bit < 8 ? now ^ (1 << bit) : now + bit - 9);
      s.in.stale_enable = bit != 11 || silence % 8 != 0;
      s.step();
    }
  }
  // The interval counter, as in the sender, seen through the silence.
  s.in.stale_limit = 1;
  for (int count : edges(255)) {
    if (count == 0) continue;
    s.in.valid = 0;
    for (int k = 0; k < ports; ++k) frame(k, 2, 0);
    s.in.interval = 1;
    s.step();
    s.in.interval = 0;
    quiet(count);
    s.in.interval = static_cast<uint8_t>(std::min(count + 2, 255));
    quiet(1);
    s.in.interval = static_cast<uint8_t>(count);
    quiet(1);
    s.in.interval = 0;
    quiet(3);
  }
  s.reset();
  quiet(2 * round);
  return s.cycles;
}

}  // namespace odonata::cosim
