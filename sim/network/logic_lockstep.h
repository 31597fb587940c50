// SPDX-License-Identifier: Apache-2.0
// RTL in the loop of a mesh: the request logic of one router is a device (Verilated RTL), in lockstep with the golden
// logic on the live traffic.
#pragma once

#include <memory>
#include <stdexcept>

#include "models/arb_request/golden_device.h"
#include "models/arb_request/mesh.h"

namespace odonata::network {

/// The device answered otherwise than the golden model; the text says what was asked and why the golden answer is
/// right.
class DeviceMismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class LogicLockstep {
 public:
  /// Takes the device through a reset.
  LogicLockstep(std::unique_ptr<arb_request::LogicDevice> device, int router, const arb_request::Mesh& mesh);
  int router() const { return router_; }
  /// The device's answer, which decides. Throws DeviceMismatch when it is not the golden one.
  arb_request::Requests decide(const arb_request::Query& query, arb_request::Scheme scheme,
                               const arb_request::Requests& golden);
  uint64_t compared() const { return compared_; }

 private:
  std::unique_ptr<arb_request::LogicDevice> device_;
  int router_;
  arb_request::Mesh mesh_;
  uint64_t compared_ = 0;
};

}  // namespace odonata::network
