// SPDX-License-Identifier: Apache-2.0
// `odonata pipeline --block vtftr_leaf|vtftr_root`: cycles of every stage at every level, measured at pins and probe
// bits (docs/vtftr.md §9).
#pragma once

#include <string>
#include <vector>

#include "sim/common/output.h"

namespace odonata::cli {

struct VtftrPipelineOptions {
  std::string block = "vtftr_leaf";  ///< or vtftr_root
  std::string tree = "tiny";         ///< a size that was built
  std::vector<std::string> levels;   ///< golden, systemc, rtl; empty: all
  uint64_t requests = 20'000, seed = 1;
  std::string device_lib;  ///< a unit of somebody else, measured, too; without `levels` alone
  std::string expect;      ///< file in the place of the specification
};

/// `specification`, `levels.NAME` with `latency_cycles`, `initiation_interval`, `stages`, `throughput`, `problems`,
/// `verdict`; and the overall `verdict`.
Json vtftr_pipeline(const VtftrPipelineOptions& options);
/// The command: prints the table, writes the file, finishes with 1 when a level does not keep the cycles.
void run_vtftr_pipeline(const VtftrPipelineOptions& options, const std::string& json);

}  // namespace odonata::cli
