// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace odonata::cosim {

/// A Verilated library of a block. fast: the RTL as it is. debug: slower; waveforms and planted bugs are possible.
/// netlist: as written by yosys (smallest size only). random: planted bugs are possible; registers and memories start
/// with values that follow from a number, not with 0 (smallest size only).
enum class RtlVariant { fast, debug, netlist, random };

/// The `plant` of make_rtl() for variant random: a planted bug (0: none) in a unit whose start values follow from
/// `start` (0: they are 0).
constexpr int random_start(int start, int plant = 0) { return start << 8 | plant; }

}  // namespace odonata::cosim
