// SPDX-License-Identifier: Apache-2.0
// One end of a link of the fault plane, cycle by cycle: LinkEnd between a port unit, an input FIFO and the wire
// (docs/fault.md §6.3).
#pragma once

#include "models/common/cycle_device.h"
#include "models/fault/fault_link_pins.h"
#include "models/fault/link.h"

namespace odonata::fault {

class LinkUnit final : public CycleDevice<LinkInputs, LinkOutputs> {
 public:
  explicit LinkUnit(const Dragonfly& d) : d_(d), end_(d) {}
  void step(const LinkInputs& in, LinkOutputs& out) override;
  std::vector<std::string> describe() const override;
  const LinkEnd& end() const { return end_; }

 private:
  void cycle(const LinkInputs& in);
  Dragonfly d_;
  LinkEnd end_;
  std::optional<uint64_t> rx_, tx_;
  std::optional<Message> taken_;  ///< what the frame in the input register would deliver
  bool ready_ = false, up_ = false;
  int64_t cycle_ = 0;
};

}  // namespace odonata::fault
