// SPDX-License-Identifier: Apache-2.0
// One end of a link of the fault plane, cycle by cycle: LinkEnd between a port unit, an input FIFO and the wire (docs/fault.md §6.3).
#pragma once

#include "models/common/cycle_device.h"
#include "models/fault/link.h"

namespace odonata::fault {

/// Pins as sampled at a clock edge; msg_* and in_ready belong to the cycle that ends at it.
struct LinkInputs {
  uint64_t frame = 0;
  uint32_t msg = 0;
  uint8_t link_up = 1, port_level = 0, msg_valid = 0, in_ready = 1, frame_valid = 0, reset = 0;
  bool operator==(const LinkInputs&) const = default;
};
struct LinkOutputs {
  uint64_t frame = 0;
  uint32_t in_message = 0;
  uint16_t dropped = 0, malformed = 0, again = 0;
  uint8_t ready = 0, in_valid = 0, frame_valid = 0, pad[3] = {0, 0, 0};
  bool operator==(const LinkOutputs&) const = default;
};

class LinkUnit final : public CycleDevice<LinkInputs, LinkOutputs> {
 public:
  explicit LinkUnit(const Dragonfly& d) : d_(d), end_(d, Recovery::per_entry) {}
  void step(const LinkInputs& in, LinkOutputs& out) override;
  std::vector<std::string> describe() const override;
  const LinkEnd& end() const { return end_; }

 private:
  void cycle(const LinkInputs& in);
  Dragonfly d_;
  LinkEnd end_;
  std::optional<uint64_t> rx_, tx_;
  std::optional<Message> taken_;  ///< what the frame in the input register would deliver
  Recovery recovery_ = Recovery::per_entry;
  bool ready_ = false, up_ = false;
  int64_t cycle_ = 0;
};

}  // namespace odonata::fault
