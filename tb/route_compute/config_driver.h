// SPDX-License-Identifier: Apache-2.0
// The driver of the configuration pins: a queue of operations, handed over one by one with the valid/ready handshake.
#pragma once

#include <vector>

#include "models/route_compute/unit.h"

namespace odonata::cosim {

/// A configuration operation to be driven.
struct ConfigOperation {
  bool write = true;
  uint32_t address = 0;  ///< byte address
  uint64_t data = 0;
};

/// An operation is taken at an edge where valid and ready are both 1; until then it stays on the pins unchanged. `last`
/// are the outputs after the previous edge, so the ready that counts at the coming one.
class ConfigDriver {
 public:
  void push(const ConfigOperation& op) { queue_.push_back(op); }
  void push(const std::vector<route_compute::RegisterWrite>& writes) {
    for (const auto& w : writes) push({true, w.address, w.data});
  }
  /// Drops what was not yet taken; only together with a reset.
  void clear() {
    queue_.clear();
    at_ = 0;
    blocked_ = 0;
  }
  size_t size() const { return queue_.size() - at_; }
  bool empty() const { return at_ == queue_.size(); }
  /// Consecutive cycles in which the unit was not ready.
  int blocked() const { return blocked_; }

  /// Sets the configuration pins of the next cycle, which is not a reset cycle. With nothing to do only `cfg_valid`
  /// changes.
  void drive(const route_compute::UnitOutputs& last, route_compute::UnitInputs& pins) {
    blocked_ = last.cfg_ready ? 0 : blocked_ + 1;
    pins.cfg_valid = !empty();
    if (empty()) return;
    const ConfigOperation& op = queue_[at_];
    pins.cfg_write = op.write;
    pins.cfg_addr = static_cast<uint16_t>(op.address / 8);
    pins.cfg_wdata = op.data;
    if (!last.cfg_ready) return;
    if (++at_ == queue_.size()) {
      queue_.clear();
      at_ = 0;
    }
  }

 private:
  std::vector<ConfigOperation> queue_;
  size_t at_ = 0;
  int blocked_ = 0;
};

}  // namespace odonata::cosim
