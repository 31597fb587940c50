// SPDX-License-Identifier: Apache-2.0
// Cycle model of the switch of a mesh router: the output half of the separable allocator; docs/arb_request.md §6.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/arb_request/arb_request_switch_pins.h"
#include "models/arb_request/input_port.h"

namespace odonata::arb_request {

inline constexpr int kMaxInputs = 2 * kMaxDimensions + 1;

/// 2n outputs with a credit counter each, and the ejection port.
class Switch {
 public:
  /// `dimensions` 1..8, `slots` packet slots behind each output 1..255; throws Error otherwise.
  Switch(int dimensions, int slots);

  int inputs() const { return static_cast<int>(outputs_.size()); }
  /// The output that a request is for, -1: none. The last one is the ejection port.
  int wanted(const PortRequest& request) const;
  /// The input ports that ask for an output.
  uint32_t asking(int output, const std::array<PortRequest, kMaxInputs>& requests) const;
  const SwitchOutput& output(int o) const { return outputs_[static_cast<size_t>(o)]; }
  /// The input port that wins an output, -1: none. Changes nothing.
  int winner(int output, const std::array<PortRequest, kMaxInputs>& requests) const;
  /// The edge: every output grants its winner; credits come back. Returns the input ports that were granted. Throws
  /// Error when a credit counter leaves its range.
  uint32_t step(const std::array<PortRequest, kMaxInputs>& requests, uint32_t returned);

 private:
  int dimensions_;
  std::vector<SwitchOutput> outputs_;
};

}  // namespace odonata::arb_request
