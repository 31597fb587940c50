// SPDX-License-Identifier: Apache-2.0
#include "sim/network/result.h"

#include <algorithm>
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

uint32_t LatencyHistogram::percentile(double share) const {
  const auto wanted = static_cast<uint64_t>(std::ceil(share * static_cast<double>(samples_)));
  uint64_t seen = 0;
  for (uint32_t i = 0; i < kSlots; ++i) {
    seen += counts_[i];
    if (seen >= std::max<uint64_t>(wanted, 1)) return i < kExact ? i : kExact + (i - kExact) * kStep;
  }
  return max_;
}

}  // namespace odonata::network
