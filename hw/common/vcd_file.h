// SPDX-License-Identifier: Apache-2.0
// Opening a waveform that SystemC writes.
#pragma once

#include <string>
#include <systemc>

namespace odonata::hw {

/// A VCD file at `path` (".vcd" is added if it is missing) with a time unit of a picosecond; close it with
/// sc_close_vcd_trace_file(). Throws Error when it cannot be written: SystemC itself opens the file late and reports a
/// failure in its own way.
sc_core::sc_trace_file* open_vcd(const std::string& path);

}  // namespace odonata::hw
