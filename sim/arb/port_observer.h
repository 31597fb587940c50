// SPDX-License-Identifier: Apache-2.0
// Measures an input port of a mesh router at its pins: cycles from a packet at the front of its sub-queue to its
// request and to its grant.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "hw/arb_request/input_port_device.h"
#include "models/common/random.h"

namespace odonata::cli {

/// Cycles of many packets.
struct PacketCycles {
  uint64_t least = ~0ull, most = 0, sum = 0, count = 0;
  void add(uint64_t cycles) {
    least = std::min(least, cycles);
    most = std::max(most, cycles);
    sum += cycles;
    ++count;
  }
  double mean() const { return count ? static_cast<double>(sum) / static_cast<double>(count) : 0; }
  bool operator==(const PacketCycles&) const = default;
};

struct PortTimes {
  PacketCycles request, grant;  ///< from the edge that takes the packet: first request visible, grant sampled
  uint64_t cycles = 0;
  std::string_view broken;  ///< why the measurement has ended before its time; empty: it has not
  bool operator==(const PortTimes&) const = default;
};

/// A port with full credits whose requests are all granted at once. The pins tell which sub-queue a packet is in: the
/// lowest that is free.
class PortObserver {
 public:
  PortObserver(arb_request::PortDevice& port, const arb_request::PortSize& size, uint64_t seed)
      : port_(port), size_(size), random_(seed) {
    pins_.credit_plus = pins_.credit_minus = ~0ull >> (64 - 8 * size.dimensions);
    pins_.reset_n = false;
    port_.step(pins_, out_);
    pins_.reset_n = true;
  }
  /// Packets one after the other, with gaps of 0 to 2V idle cycles, so that each meets the window anywhere.
  PortTimes alone(uint64_t packets) {
    while (goes_on(packets)) {
      step(true);
      while (waiting_ != 0 && goes_on(packets)) step(false);
      for (uint32_t gap = random_.below(static_cast<uint32_t>(2 * size_.queues + 1)); gap > 0; --gap) step(false);
    }
    return times_;
  }
  /// Packets arrive with this probability a cycle.
  PortTimes under_load(uint64_t packets, double load) {
    while (goes_on(packets)) step(random_.chance(load));
    return times_;
  }

 private:
  static constexpr uint64_t kPatience = 1000;  // cycles; what waits asks after sixteen at most

  bool goes_on(uint64_t packets) const { return times_.grant.count < packets && times_.broken.empty(); }
  void step(bool offer) {
    const arb_request::PortOutputs before = out_;
    pins_.in_valid = offer;
    pins_.in_dest = 1 + random_.below(2);  // one hop or two in the first dimension: never an ejection
    pins_.grant = before.request.valid;
    port_.step(pins_, out_);
    ++times_.cycles;
    if (out_.request.valid && out_.request.queue >= size_.queues) {
      times_.broken = "asks for a sub-queue that is not there";
      return;
    }
    const size_t asking = before.request.queue;
    silent_ = before.request.valid ? 0 : silent_ + (waiting_ != 0 || offer ? 1 : 0);
    if (silent_ > kPatience) times_.broken = "does not ask any more";
    if (before.request.valid) {
      times_.grant.add(times_.cycles - taken_[asking]);
      waiting_ &= ~(1u << asking);
    }
    if (offer && before.in_ready) take(waiting_ | (before.request.valid ? 1u << asking : 0));
    if (out_.request.valid) times_.request.add(times_.cycles - taken_[out_.request.queue]);
  }
  /// A packet goes into the lowest sub-queue that is not `occupied`.
  void take(uint32_t occupied) {
    const int queue = std::countr_one(occupied);
    if (queue >= size_.queues) {
      times_.broken = "takes a packet for which it has no room";
      return;
    }
    taken_[static_cast<size_t>(queue)] = times_.cycles;
    waiting_ |= 1u << queue;
  }

  arb_request::PortDevice& port_;
  arb_request::PortSize size_;
  Random random_;
  arb_request::PortInputs pins_;
  arb_request::PortOutputs out_;
  std::array<uint64_t, arb_request::kMaxQueues> taken_{};
  uint32_t waiting_ = 0;  // sub-queues that hold a packet
  uint64_t silent_ = 0;   // cycles since the last request in which a packet waited or was offered
  PortTimes times_;
};

}  // namespace odonata::cli
