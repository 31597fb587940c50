// SPDX-License-Identifier: Apache-2.0
#include "sim/network/result.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace odonata::network {

void LatencyHistogram::merge(const LatencyHistogram& other) {
  for (uint32_t i = 0; i < kSlots; ++i) counts_[i] += other.counts_[i];
  samples_ += other.samples_;
  sum_ += other.sum_;
  max_ = std::max(max_, other.max_);
}

ChannelUse Result::channel(std::string_view name) const {
  for (const ChannelUse& c : channels) {
    if (c.name == name) return c;
  }
  return {};
}

/// Its highest eight bits say the slot.
uint32_t LatencyHistogram::slot_of_long(uint32_t latency) {
  const auto power = static_cast<uint32_t>(std::bit_width(latency)) - 1;
  return kLong + 128 * (power - kLongPower) + (latency >> (power - 7)) - 128;
}

/// The least one of a slot.
uint32_t LatencyHistogram::latency_of(uint32_t slot) {
  if (slot < kExact) return slot;
  if (slot < kLong) return kExact + (slot - kExact) * kStep;
  const uint32_t power = kLongPower + (slot - kLong) / 128;
  return (128 + (slot - kLong) % 128) << (power - 7);
}

uint32_t LatencyHistogram::percentile(double share) const {
  const auto wanted = static_cast<uint64_t>(std::ceil(share * static_cast<double>(samples_)));
  uint64_t seen = 0;
  for (uint32_t i = 0; i < kSlots; ++i) {
    seen += counts_[i];
    if (seen >= std::max<uint64_t>(wanted, 1)) return latency_of(i);
  }
  return max_;
}

}  // namespace odonata::network
