// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace odonata::cosim {

/// A Verilated library of a block. fast: the RTL as it is. debug: slower; waveforms and planted bugs are possible. netlist: as written by yosys
/// (smallest size only).
enum class RtlVariant { fast, debug, netlist };

}  // namespace odonata::cosim
