// SPDX-License-Identifier: Apache-2.0
// Slow, obviously correct second versions of the congestion blocks: whole histories are kept and looked through again
// every cycle. Written from docs/congestion.md, not from the models.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "models/congestion/bitmap_sender.h"
#include "models/congestion/credit_monitor.h"

namespace odonata::congestion::test {

/// The credit monitor by a recount of everything that ever happened. after() gives the pins after the last edge given
/// to sample().
class Recount {
 public:
  explicit Recount(MonitorLimits limits = {}) : limits_(limits) {}

  void sample(const MonitorInputs& in) {
    pins_.push_back(in);
    judge();
  }

  MonitorOutputs after() const {
    MonitorOutputs out;
    const size_t e = pins_.size();  // the last edge; edge 1 is the first
    if (e == 0) return out;
    int occupancy = 0;
    for (int v = 0; v < limits_.num_vcs; ++v) {
      out.in_use |= static_cast<uint64_t>(in_use(v, e)) << (9 * v);
      occupancy += in_use(v, e);
      if (refused_[e - 1].sent >> v & 1) out.underflow |= static_cast<uint8_t>(1 << v);
      if (refused_[e - 1].credit >> v & 1) out.overflow |= static_cast<uint8_t>(1 << v);
    }
    out.occupancy = static_cast<uint16_t>(occupancy);
    out.window = static_cast<uint16_t>(window(e));
    const MonitorInputs r0 = seen_by(e);
    const int off = r0.window_enable ? window(e - 1) : 0;
    int before = 0;
    for (int v = 0; v < limits_.num_vcs; ++v) before += in_use(v, e - 1);
    out.corrected = static_cast<uint16_t>(std::max(0, before - off));
    out.congested = r0.failed || out.corrected > r0.threshold;
    out.busy = r0.failed || out.corrected > r0.busy_threshold;
    return out;
  }

 private:
  struct Bits {
    uint8_t sent = 0, credit = 0;
  };
  /// What rank r0 holds when edge e comes: the pins of edge e-1.
  MonitorInputs seen_by(size_t e) const { return e >= 2 ? pins_[e - 2] : MonitorInputs{}; }
  int length_after(size_t e) const { return e == 0 ? 0 : std::min<int>(seen_by(e).window, limits_.max_window); }

  /// Credits in use after edge e: all accepted sends minus all accepted credits.
  int in_use(int v, size_t e) const {
    int n = 0;
    for (size_t i = 0; i < e; ++i) n += (accepted_[i].sent >> v & 1) - (accepted_[i].credit >> v & 1);
    return n;
  }
  void judge() {
    const MonitorInputs in = seen_by(pins_.size());
    const int capacity = std::min<int>(in.capacity, limits_.max_capacity);
    Bits accepted, refused;
    for (int v = 0; v < limits_.num_vcs; ++v) {
      const int n = in_use(v, accepted_.size());
      const auto bit = static_cast<uint8_t>(1 << v);
      if (in.sent & bit) (n < capacity ? accepted : refused).sent |= bit;
      if (in.credit & bit) (n > 0 ? accepted : refused).credit |= bit;
    }
    accepted_.push_back(accepted);
    refused_.push_back(refused);
  }
  /// Departures that the last W edges up to e found, but only after the last edge at which the length changed.
  int window(size_t e) const {
    const int length = length_after(e);
    int sum = 0;
    for (size_t i = e; i > 0 && static_cast<int>(e - i) < length; --i) {
      if (length_after(i) != length_after(i - 1)) break;
      sum += seen_by(i).departed;
    }
    return sum;
  }

  MonitorLimits limits_;
  std::vector<MonitorInputs> pins_;
  std::vector<Bits> accepted_, refused_;
};

/// Checks the rules of the sender on a whole record (reset never active): names the first broken rule, "" when all
/// hold. in[e-1] and out[e-1] are the pins sampled at, and shown after, edge e; interval, own_bid and alternate are
/// constant.
inline std::string broken_sender_rule(const std::vector<SenderInputs>& in, const std::vector<SenderOutputs>& out,
                                      int ports) {
  const int n = in.front().interval;
  const auto edges = static_cast<int>(in.size());
  const auto pins = [&](int e) { return e >= 1 ? in[e - 1] : SenderInputs{}; };
  const auto latch_edge = [&](int e) { return n == 1 ? e >= 2 : e % n == 0; };
  for (int e = 1; e <= edges; ++e) {
    const SenderOutputs& o = out[e - 1];
    if ((o.latch != 0) != latch_edge(e)) return "a bitmap is latched every N cycles";
    if (o.idle & ~o.valid) return "an idle frame is a frame";
    if (o.stolen != (o.idle & pins(e - 1).flit)) return "a slot is stolen when an idle frame meets a flit";
    if (o.valid & ~o.idle & ~(pins(e - 1).flit & pins(e - 1).tail)) return "other frames ride in tail flits";
    if (o.valid == 0 && (o.bits != 0 || o.crc != 0 || o.phase != 0)) return "no frame, no bits";
    if (o.idle != 0 && !latch_edge(e)) return "idle frames only at the end of the interval";
  }
  bool busy = false;
  for (int latch = 1; latch + n <= edges; ++latch) {
    if (!latch_edge(latch)) continue;
    busy = in.front().alternate && !busy;
    const uint16_t bits = busy ? pins(latch - 1).busy : pins(latch - 1).congested;
    for (int k = 0; k < ports; ++k) {
      int frames = 0, first_tail = 0;
      for (int e = latch + 1; e <= latch + n; ++e) {
        const SenderOutputs& o = out[e - 1];
        const bool tail = pins(e - 1).flit >> k & pins(e - 1).tail >> k & 1;
        if (tail && first_tail == 0) first_tail = e;
        if (!(o.valid >> k & 1)) continue;
        ++frames;
        if ((o.phase != 0) != busy) return "busy and congested bitmaps in turn";
        if (o.bits != bits) return "a frame carries what was latched";
        if (o.crc != frame_crc(in.front().own_bid, bits, busy)) return "a frame has the right CRC";
        if (e != (first_tail ? first_tail : latch + n)) return "the first tail of the interval takes the frame";
      }
      if (frames != 1) return "exactly one frame a port and interval";
    }
  }
  return "";
}

}  // namespace odonata::congestion::test
