// SPDX-License-Identifier: Apache-2.0
// How the arbitration requests plug into the lockstep harness: the input-port unit, the request logic alone, and the switch.
#pragma once

#include <span>

#include "models/arb_request/golden_device.h"
#include "tb/harness/probe.h"

namespace odonata::cosim {

struct ArbPortBlock {
  using Inputs = arb_request::PortInputs;
  using Outputs = arb_request::PortOutputs;
  using Reference = arb_request::PortDevice;
  static constexpr std::string_view kName = "arb_request";
  static std::span<const Probe<Outputs>> probes();
  static std::span<const Field<Inputs>> fields();
  /// The same cycle with no packet and no grant.
  static Inputs idle(const Inputs& in);
  static bool transaction(const Outputs& out) { return out.request.valid; }
  /// The unit has no configuration beyond its pins: a reset.
  static std::vector<Inputs> preload(const Reference&);
};

struct ArbLogicBlock {
  using Inputs = arb_request::LogicInputs;
  using Outputs = arb_request::LogicOutputs;
  using Reference = arb_request::LogicDevice;
  static constexpr std::string_view kName = "arb_request_logic";
  static std::span<const Probe<Outputs>> probes();
  static std::span<const Field<Inputs>> fields();
  static Inputs idle(const Inputs& in);
  static bool transaction(const Outputs& out) { return out.valid; }
  static std::vector<Inputs> preload(const Reference&);
};

struct ArbSwitchBlock {
  using Inputs = arb_request::SwitchInputs;
  using Outputs = arb_request::SwitchOutputs;
  using Reference = arb_request::SwitchDevice;
  static constexpr std::string_view kName = "arb_request_switch";
  static std::span<const Probe<Outputs>> probes();
  static std::span<const Field<Inputs>> fields();
  /// The same cycle without requests and returned credits.
  static Inputs idle(const Inputs& in);
  static bool transaction(const Outputs& out) { return out.granted != 0; }
  static std::vector<Inputs> preload(const Reference&);
};

}  // namespace odonata::cosim
