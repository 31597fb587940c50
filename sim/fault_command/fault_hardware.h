// SPDX-License-Identifier: Apache-2.0
// The same faults in a SystemC network of fault planes, one of its routers Verilated RTL if wanted, compared with the
// network model.
#pragma once

#include <string>
#include <vector>

#include "hw/fault/plane_network_module.h"

namespace odonata::cli {

struct HardwareResult {
  uint64_t services = 0, messages = 0;  ///< compared
  int64_t cycles = 0;                   ///< simulated
  std::string difference;               ///< from the model, in words; empty: none
  bool rtl = false;
  uint64_t rtl_cycles = 0,
           rtl_different = 0;  ///< cycles in which the RTL router and its golden model were compared, and differed
  bool good() const { return difference.empty() && rtl_different == 0 && (!rtl || rtl_cycles > 0); }
};

/// Runs the faults in SystemC. `model` has run with `record`. `rtl_router`: index of the router that is RTL, -1 for
/// none. Throws Error when there is no RTL for this dragonfly.
HardwareResult run_in_systemc(const fault::FaultPlaneNetwork& model, const std::vector<fault::ScheduledFault>& faults,
                              int rtl_router);

}  // namespace odonata::cli
