// SPDX-License-Identifier: Apache-2.0
// Why a SystemC kernel has stopped.
#pragma once

#include <sysc/kernel/sc_kernel_ids.h>

#include <string>
#include <string_view>
#include <systemc>

namespace odonata::hw {

/// What a report says, without the place in the sources: who and what, or what a process has thrown.
inline std::string text_of(const sc_core::sc_report& report) {
  const bool thrown = std::string_view(report.get_msg_type()) == sc_core::SC_ID_SIMULATION_UNCAUGHT_EXCEPTION_;
  return (thrown ? "" : std::string(report.get_msg_type()) + ": ") + report.get_msg();
}

}  // namespace odonata::hw
