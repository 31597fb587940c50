// SPDX-License-Identifier: Apache-2.0
#include "tb/congestion/coverage.h"

#include <algorithm>
#include <bit>

namespace odonata::cosim {

using namespace congestion;

namespace {
int value_class(int x, std::initializer_list<int> bounds) {  // number of bounds that x reaches
  int n = 0;
  for (int b : bounds) n += x >= b;
  return n;
}
}  // namespace

// ---- Monitor ----

MonitorCoverage::MonitorCoverage() {
  at_.vc = bins_.declare(
      "virtual channel",
      {number_axis("vc", 4),
       {"event",
        {"send", "send when full", "credit", "credit when empty", "both", "both when full", "both when empty"}}});
  at_.accepted = bins_.declare("sends a cycle", {number_axis("accepted", 5)});
  at_.queue = bins_.declare("output FIFO",
                            {{"packets", {"0", "1", "2..15", "16..127", "128 or more"}}, {"departure", {"no", "yes"}}});
  at_.length = bins_.declare(
      "window length", {{"length", {"0", "1", "2", "3..511", "512", "above 512"}}, {"state", {"filling", "full"}}},
      [](std::span<const int> v) {
        return v[0] == 0 && v[1] == 0 ? std::string("a window of length 0 is never filling") : std::string();
      });
  at_.correction = bins_.declare(
      "correction",
      {{"enable", {"off", "on"}}, {"occupancy", {"below the window", "equal, not 0", "above the window"}}});
  at_.compare = bins_.declare("compare", {{"corrected", {"below the threshold", "equal", "one above", "more above"}}});
  at_.busy = bins_.declare(
      "second compare",
      {{"corrected", {"below the threshold", "equal", "one above", "more above"}}, {"congested", {"no", "yes"}}});
  at_.failed = bins_.declare(
      "failed port", {{"otherwise", {"not congested", "congested"}}, {"second threshold", {"not busy", "busy"}}});
  at_.capacity = bins_.declare("capacity", {{"slots", {"0", "1", "2..255", "256", "above 256"}}});
  at_.restart =
      bins_.declare("restart", {{"window", {"empty", "not empty"}}, {"departure at the same edge", {"no", "yes"}}});
  at_.reset = bins_.declare("reset", {{"state", {"empty", "packets in use"}}});
  at_.filled = bins_.declare("occupancy", {{"packets", {"0", "1..1023", "1024"}}});
}

void MonitorCoverage::sample(const MonitorInputs& in, const MonitorOutputs& out) {
  if (in.reset) {
    bins_.hit(at_.reset + (before_.occupancy != 0));
    r0_ = {};
    before_ = out;
    length_ = age_ = queue_ = 0;
    return;
  }
  const int capacity = std::min<int>(r0_.capacity, kMaxCapacity);
  int accepted = 0;
  for (int v = 0; v < kNumVcs; ++v) {
    const bool send = r0_.sent >> v & 1, credit = r0_.credit >> v & 1;
    const int use = vc_in_use(before_, v);
    const bool full = use >= capacity, empty = use == 0;
    accepted += send && !full;
    if (send && !credit) bins_.hit(at_.vc + v * 7 + full);
    if (!send && credit) bins_.hit(at_.vc + v * 7 + 2 + empty);
    if (send && credit && (full || empty)) bins_.hit(at_.vc + v * 7 + (full ? 5 : 6));
    if (send && credit && !full && !empty) bins_.hit(at_.vc + v * 7 + 4);
  }
  bins_.hit(at_.accepted + accepted);
  bins_.hit(at_.queue + 2 * value_class(queue_, {1, 2, 16, 128}) + r0_.departed);
  queue_ = std::max(0, queue_ + accepted - r0_.departed);
  const int length = std::min<int>(r0_.window, kMaxWindow);
  if (length != length_) {
    bins_.hit(at_.restart + 2 * (before_.window != 0) + r0_.departed);
    length_ = length;
    age_ = 0;
  } else {
    const int cls = r0_.window > 512 ? 5 : value_class(length, {1, 2, 3, 512});
    bins_.hit(at_.length + 2 * cls + (age_ >= length));
    ++age_;
  }
  if (before_.occupancy != before_.window || before_.occupancy != 0) {
    bins_.hit(at_.correction + 3 * r0_.window_enable +
              (before_.occupancy < before_.window    ? 0
               : before_.occupancy == before_.window ? 1
                                                     : 2));
  }
  const int margin = out.corrected - r0_.threshold;
  bins_.hit(at_.compare + (margin < 0 ? 0 : margin == 0 ? 1 : margin == 1 ? 2 : 3));
  const int second = out.corrected - r0_.busy_threshold;
  bins_.hit(at_.busy + 2 * (second < 0 ? 0 : second == 0 ? 1 : second == 1 ? 2 : 3) + (margin > 0));
  if (r0_.failed) bins_.hit(at_.failed + 2 * (margin > 0) + (second > 0));
  bins_.hit(at_.capacity + value_class(r0_.capacity, {1, 2, 256, 257}));
  bins_.hit(at_.filled + value_class(out.occupancy, {1, 1024}));
  r0_ = in;
  before_ = out;
}

// ---- Sender ----

SenderCoverage::SenderCoverage(const Dragonfly& d) : ports_(d.a() - 1) {
  at_.frame = bins_.declare("frame", {number_axis("port", ports_),
                                      {"kind",
                                       {"in a tail", "in a tail of the last cycle", "idle", "stolen",
                                        "tail without flit", "flit without tail", "tail, already sent"}}});
  at_.interval = bins_.declare("interval", {{"cycles", {"0", "1", "2", "3..254", "255"}}, {"last", {"no", "yes"}}},
                               [](std::span<const int> v) {
                                 if (v[0] == 0 && v[1] == 1) return std::string("an interval of 0 never ends");
                                 if (v[0] == 1 && v[1] == 0)
                                   return std::string("every cycle is the last of an interval of 1");
                                 return std::string();
                               });
  at_.change = bins_.declare("interval changed", {{"to", {"more than the count", "the count or less"}}});
  at_.phase = bins_.declare("bitmap sent", {{"alternate", {"off", "on"}}, {"phase", {"congested", "busy"}}});
  at_.reset = bins_.declare("reset", {{"frames to send", {"none", "some"}}});
  at_.all = bins_.declare("one cycle", {{"ports with a frame", {"0", "some", "all"}}});
}

void SenderCoverage::sample(const SenderInputs& in, const SenderOutputs& out, const BitmapSender& unit) {
  if (in.reset) {
    bins_.hit(at_.reset + (pending_ != 0));
  } else {
    for (int k = 0; k < ports_; ++k) {
      const bool flit = r0_.flit >> k & 1, tail = r0_.tail >> k & 1, pending = pending_ >> k & 1;
      const int bin = at_.frame + 7 * k;
      if (out.valid >> k & 1) bins_.hit(bin + (out.idle >> k & 1 ? (out.stolen >> k & 1 ? 3 : 2) : out.latch));
      if (pending && tail && !flit) bins_.hit(bin + 4);
      if (pending && flit && !tail) bins_.hit(bin + 5);
      if (!pending && flit && tail) bins_.hit(bin + 6);
    }
    bins_.hit(at_.interval + 2 * value_class(r0_.interval, {1, 2, 3, 255}) + out.latch);
    if (in.interval != r0_.interval) bins_.hit(at_.change + (in.interval <= unit.count()));
    const int frames = std::popcount(out.valid);
    if (frames != 0) bins_.hit(at_.phase + 2 * r0_.alternate + out.phase);
    bins_.hit(at_.all + (frames == 0 ? 0 : frames == ports_ ? 2 : 1));
  }
  r0_ = in.reset ? SenderInputs{} : in;
  count_ = unit.count();
  pending_ = unit.pending();
}

// ---- Collector ----

CollectorCoverage::CollectorCoverage(const Dragonfly& d) : a_(d.a()) {
  at_.frame = bins_.declare(
      "frame", {number_axis("port", a_ - 1), {"kind", {"good", "bad", "good after silence", "bad in silence"}}});
  at_.phase = bins_.declare(
      "phase", {number_axis("port", a_ - 1), {"bitmap", {"congested", "busy"}}, {"frame", {"good", "bad"}}});
  at_.second = bins_.declare("maps at stop 0", {{"bitmaps", {"equal", "different"}}});
  at_.stale = bins_.declare("silence", {number_axis("port", a_ - 1), {"change", {"begins", "ends"}}});
  at_.slot = bins_.declare(
      "slot", {number_axis("port", a_ - 1), {"value", {"latest", "failed", "silent", "failed and silent"}}});
  at_.bid = bins_.declare("neighbour", {{"bid", {"a router", "no router"}}}, [this](std::span<const int> v) {
    return v[0] == 1 && a_ == 32 ? std::string("with 32 routers every bid is a router's") : std::string();
  });
  at_.policy = bins_.declare("policy", {{"stale_enable", {"hold", "congested"}}, {"interval", {"0", "1", "more"}}});
  at_.limit = bins_.declare("limit", {{"intervals", {"0", "1", "2..254", "255"}}, {"reached", {"no", "yes"}}});
  at_.all = bins_.declare("one cycle", {{"good frames", {"0", "some", "all"}}});
  at_.reset = bins_.declare("reset", {{"map", {"empty", "not empty"}}});
  at_.saturated = bins_.declare("long silence", {{"intervals", {"more than 255"}}});
}

void CollectorCoverage::sample(const CollectorInputs& in, const CollectorOutputs& out, const BitmapCollector& unit) {
  if (in.reset) {
    bins_.hit(at_.reset + filled_);
    r0_ = {};
    stale_ = 0;
    slot_ = silence_ = 0;
    filled_ = false;
    return;
  }
  for (int k = 0; k < a_ - 1; ++k) {
    const bool good = out.good >> k & 1, bad = out.bad >> k & 1, was = stale_ >> k & 1, is = out.stale >> k & 1;
    if (good) bins_.hit(at_.frame + 4 * k + (was ? 2 : 0));
    if (bad) bins_.hit(at_.frame + 4 * k + (was ? 3 : 1));
    if (good || bad) bins_.hit(at_.phase + 4 * k + 2 * (r0_.phase >> k & 1) + bad);
    if (was != is) bins_.hit(at_.stale + 2 * k + was);
  }
  if (slot_ < a_ - 1) {
    bins_.hit(at_.slot + 4 * slot_ + (r0_.failed >> slot_ & 1) + 2 * (stale_ >> slot_ & 1));
    bins_.hit(at_.bid + (r0_.neighbour[slot_] >= a_));
  }
  bins_.hit(at_.policy + 3 * r0_.stale_enable + value_class(r0_.interval, {1, 2}));
  if (in.stale_enable) bins_.hit(at_.limit + 2 * value_class(in.stale_limit, {1, 2, 255}) + (out.stale != 0));
  const int frames = std::popcount(out.good);
  bins_.hit(at_.all + (frames == 0 ? 0 : frames == a_ - 1 ? 2 : 1));
  // Silence of port 0 in intervals of 1, without a change of the interval.
  silence_ = r0_.interval == 1 && !(out.good & 1) ? silence_ + 1 : 0;
  if (silence_ == 257) bins_.hit(at_.saturated);
  r0_ = in;
  stale_ = out.stale;
  bins_.hit(at_.second + !(out.map[0] == out.busy_map[0]));
  filled_ = out.map[0].any();
  slot_ = unit.slot();
}

// ---- PCS ----

PcsCoverage::PcsCoverage() {
  at_.flight = bins_.declare("frames in flight",
                             {{"number", {"0", "1", "2 or more", "in every rank"}}, {"at the output", {"no", "yes"}}},
                             [](std::span<const int> v) {
                               if (v[0] == 0 && v[1] == 1) return std::string("a frame at the output is in flight");
                               if (v[0] == 3 && v[1] == 0) return std::string("the last rank is the output");
                               return std::string();
                             });
  at_.gap =
      bins_.declare("gap before a frame", {{"cycles", {"0", "1", "less than the latency", "the latency", "more"}}});
  at_.bits = bins_.declare("frame", {{"bitmap", {"0", "some", "all"}}});
  at_.phase = bins_.declare("phase of a frame", {{"bitmap", {"congested", "busy"}}});
  at_.reset = bins_.declare("reset", {{"frames in flight", {"none", "some"}}});
  at_.ignored = bins_.declare("no frame", {{"other pins", {"0", "not 0"}}});
}

void PcsCoverage::sample(const PcsInputs& in, const Frame& out, const PcsTransport& unit) {
  if (in.reset) {
    bins_.hit(at_.reset + (before_ != 0));
  } else {
    const int n = unit.in_flight();
    bins_.hit(at_.flight + 2 * (n == unit.latency() ? 3 : std::min(n, 2)) + out.valid);
    if (out.valid) bins_.hit(at_.phase + (out.phase != 0));
    if (in.frame.valid) {
      bins_.hit(at_.gap + value_class(gap_, {1, 2, unit.latency(), unit.latency() + 1}));
      bins_.hit(at_.bits + (in.frame.bits == 0 ? 0 : in.frame.bits == 0xFFFF ? 2 : 1));
    } else {
      bins_.hit(at_.ignored + (in.frame.bits != 0 || in.frame.crc != 0));
    }
  }
  gap_ = in.frame.valid ? 0 : gap_ + 1;
  before_ = in.reset ? 0 : unit.in_flight();
}

}  // namespace odonata::cosim
