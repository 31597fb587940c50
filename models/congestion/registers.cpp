// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/registers.h"

namespace odonata::congestion {

namespace {
bool in_range(uint64_t value, uint64_t low, uint64_t high) { return value >= low && value <= high; }

bool valid_window(uint64_t data) {
  return (data & ~reg::kWindowBits) == 0 && (data & 0x3FF) <= kMaxWindow && (data >> 32 & 0x3FF) <= kMaxWindow;
}

bool valid_capacity(uint64_t data) {
  return (data & ~reg::kCapacityBits) == 0 && in_range(data & 0x1FF, 1, kMaxCapacity) &&
         in_range(data >> 16, 1, kMaxCapacity);
}
}  // namespace

void Registers::reset() {
  router_id_ = 0;
  interval_ = reg::kIntervalReset;
  window_ = reg::kWindowReset;
  threshold_ = reg::kThresholdReset;
  capacity_ = reg::kCapacityReset;
  stale_ = reg::kStaleReset;
  neighbour_ = {};
  for (int k = 0; k < dragonfly_.a() - 1; ++k) neighbour_[k] = static_cast<uint8_t>(k + 1);
  counters_ = {};
}

bool Registers::refused(bool write, uint32_t word_address, uint64_t data) const {
  const uint32_t address = word_address * 8;
  const uint32_t neighbours_end = reg::kNeighbour + 8u * static_cast<uint32_t>(dragonfly_.a() - 1);
  if (address >= reg::kNeighbour) {
    return address >= neighbours_end || (write && data >= static_cast<uint64_t>(dragonfly_.a()));
  }
  if (address >= reg::kCounters + 8 * reg::kNumCounters) return true;
  if (!write) return false;
  switch (address) {
    case reg::kRouterId:
      return data >= static_cast<uint64_t>(dragonfly_.a());
    case reg::kInterval:
      return (data & ~reg::kIntervalBits) != 0 || (data & 255) == 0;
    case reg::kWindow:
      return !valid_window(data);
    case reg::kThreshold:
      return (data & ~reg::kThresholdBits) != 0;
    case reg::kCapacity:
      return !valid_capacity(data);
    case reg::kStale:
      return (data & ~reg::kStaleBits) != 0 || (data & 255) == 0;
    default:
      return true;  // ID, SIZE, counters
  }
}

uint64_t Registers::read(uint32_t word_address) const {
  const uint32_t address = word_address * 8;
  if (address >= reg::kNeighbour) return neighbour_[(address - reg::kNeighbour) / 8];
  if (address >= reg::kCounters) return counters_[(address - reg::kCounters) / 8];
  switch (address) {
    case reg::kId:
      return reg::kIdValue;
    case reg::kRouterId:
      return router_id_;
    case reg::kInterval:
      return interval_;
    case reg::kWindow:
      return window_;
    case reg::kThreshold:
      return threshold_;
    case reg::kCapacity:
      return capacity_;
    case reg::kStale:
      return stale_;
    default:
      break;
  }
  return static_cast<uint64_t>(dragonfly_.p()) | static_cast<uint64_t>(dragonfly_.a()) << 8 |
         static_cast<uint64_t>(dragonfly_.h()) << 16 | static_cast<uint64_t>(dragonfly_.num_ports()) << 24;
}

void Registers::write(uint32_t word_address, uint64_t data) {
  const uint32_t address = word_address * 8;
  if (address >= reg::kNeighbour) {
    neighbour_[(address - reg::kNeighbour) / 8] = static_cast<uint8_t>(data);
    return;
  }
  switch (address) {
    case reg::kRouterId:
      router_id_ = data;
      break;
    case reg::kInterval:
      interval_ = data;
      break;
    case reg::kWindow:
      window_ = data;
      break;
    case reg::kThreshold:
      threshold_ = data;
      break;
    case reg::kCapacity:
      capacity_ = data;
      break;
    case reg::kStale:
      stale_ = data;
      break;
    default:
      break;
  }
}

void Registers::fill(MonitorInputs& in, bool global) const {
  in.window = static_cast<uint16_t>(window_ >> (global ? 32 : 0) & 0x3FF);
  in.window_enable = window_ >> (global ? 48 : 16) & 1;
  in.threshold = static_cast<uint16_t>(threshold_ >> (global ? 16 : 0));
  in.busy_threshold = static_cast<uint16_t>(threshold_ >> (global ? 48 : 32));
  in.capacity = static_cast<uint16_t>(capacity_ >> (global ? 16 : 0) & 0x1FF);
}

}  // namespace odonata::congestion
