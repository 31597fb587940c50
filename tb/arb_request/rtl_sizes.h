// SPDX-License-Identifier: Apache-2.0
// The sizes for which the arbitration-request RTL was built (CMake variable ODONATA_ARB_SIZES).
#pragma once

#include "models/arb_request/golden_device.h"
#include "tb/arb_request/arb_request_block.h"
#include "tb/arb_request/arb_request_logic_block.h"
#include "tb/arb_request/arb_request_switch_block.h"

namespace odonata::cosim {

struct ArbRtlSize {
  std::string name;
  arb_request::PortSize size;
};
std::vector<ArbRtlSize> arb_rtl_sizes();
/// The first built size with these dimensions. Throws Error that lists what was built.
arb_request::PortSize arb_rtl_size(int dimensions);
/// The parameters of a size; the switch has as many slots behind an output as the size has sub-queues.
RtlParameters rtl_parameters(const arb_request::PortSize& size);

}  // namespace odonata::cosim
