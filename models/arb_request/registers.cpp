// SPDX-License-Identifier: Apache-2.0
#include "models/arb_request/registers.h"

#include <string>

#include "models/common/error.h"

namespace odonata::arb_request {

RouterRegisters::RouterRegisters(const PortSize& size, int slots, const Settings& reset)
    : size_(size), slots_(slots), reset_(reset) {
  validate(size);
  if (slots < 1 || slots >= 1 << size.credit_bits)
    throw Error("arb_request: packet slots is " + std::to_string(slots) + ", must be 1.." +
                std::to_string((1 << size.credit_bits) - 1));
  if (check(true, reg::kAt / 8, reset.at) != Access::ok)
    throw Error("arb_request: the coordinates do not fit the router's size");
  this->reset();
}

void RouterRegisters::reset() {
  settings_ = {reset_.at, known(reset_.scheme), known(reset_.policy)};
  counter_ = {};
  credit_.fill(static_cast<uint8_t>(slots_));
}

Access RouterRegisters::check(bool write, uint32_t word, uint64_t data) const {
  const uint32_t address = word * 8;
  const int inputs = this->inputs();
  if (address == reg::kAt) {
    bool fits = true;
    for (int d = 0; d < kMaxDimensions; ++d)
      fits &= lane(data, d) < (d < size_.dimensions ? 1 << size_.coordinate_bits : 1);
    return fits || !write ? Access::ok : Access::bad_value;
  }
  if (address == reg::kScheme || address == reg::kPolicy) return data <= 2 || !write ? Access::ok : Access::bad_value;
  const bool counter = address >= reg::kCounters &&
                       address < reg::kCounters + static_cast<uint32_t>(inputs) * reg::kCountersBlock &&
                       address % reg::kCountersBlock / 8 < reg::kNumCounters;
  const bool credit = address >= reg::kCredits && address < reg::kCredits + 8 * static_cast<uint32_t>(inputs - 1);
  if (address != reg::kId && address != reg::kSize && !counter && !credit) return Access::no_such_word;
  return write ? Access::read_only : Access::ok;
}

uint64_t RouterRegisters::read(uint32_t word) const {
  const uint32_t address = word * 8;
  switch (address) {
    case reg::kId:
      return reg::kIdValue;
    case reg::kSize: {
      const int fields[] = {size_.dimensions, size_.coordinate_bits, size_.credit_bits,
                            size_.queues,     size_.subset,          slots_};
      uint64_t data = 0;
      for (int k = 0; k < 6; ++k) data |= static_cast<uint64_t>(fields[k]) << (8 * k);
      return data;
    }
    case reg::kAt:
      return settings_.at;
    case reg::kScheme:
      return static_cast<uint64_t>(settings_.scheme);
    case reg::kPolicy:
      return static_cast<uint64_t>(settings_.policy);
    default:
      break;
  }
  if (address >= reg::kCredits) return credit_[(address - reg::kCredits) / 8];
  return counter_[(address - reg::kCounters) / reg::kCountersBlock][address % reg::kCountersBlock / 8];
}

void RouterRegisters::write(uint32_t word, uint64_t data) {
  if (word * 8 == reg::kAt) settings_.at = data;
  if (word * 8 == reg::kScheme) settings_.scheme = static_cast<Scheme>(data);
  if (word * 8 == reg::kPolicy) settings_.policy = static_cast<Policy>(data);
}

}  // namespace odonata::arb_request
