// SPDX-License-Identifier: Apache-2.0
// The Verilated arbitration-request RTL as cycle devices.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/arb_request/golden_device.h"
#include "tb/harness/rtl_variant.h"

namespace odonata::cosim {

/// A size for which RTL was built (CMake variable ODONATA_ARB_SIZES).
struct ArbRtlSize {
  std::string name;
  arb_request::PortSize size;
};
std::vector<ArbRtlSize> arb_rtl_sizes();
/// The first built size with these dimensions. Throws Error that lists what was built.
arb_request::PortSize arb_rtl_size(int dimensions);

/// The Verilated input-port unit. `plant` is the number of a planted bug (debug only), 0 = none. Throws Error when not built (netlist: of the first
/// built size only; request logic and switch have none).
std::unique_ptr<arb_request::PortDevice> make_arb_port_rtl(const arb_request::PortSize& size, RtlVariant variant = RtlVariant::fast, int plant = 0);
/// The Verilated request logic between registers; `queues` and `subset` of the size do not matter.
std::unique_ptr<arb_request::LogicDevice> make_arb_logic_rtl(const arb_request::PortSize& size, RtlVariant variant = RtlVariant::fast, int plant = 0);

/// The Verilated switch between registers, with as many slots behind an output as the size has sub-queues.
std::unique_ptr<arb_request::SwitchDevice> make_arb_switch_rtl(const arb_request::PortSize& size, RtlVariant variant = RtlVariant::fast,
                                                               int plant = 0);

}  // namespace odonata::cosim
