// SPDX-License-Identifier: Apache-2.0
// The communication of known applications, message by message (docs/workloads.md §3).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/workload/program.h"

namespace odonata::workload {

struct MotifParameter {
  std::string name, value, text;  ///< default value
};
struct Motif {
  std::string name, text;
  std::vector<MotifParameter> parameters;
};
/// All of them, with their parameters.
const std::vector<Motif>& motifs();

/// From "lu" or "lu:px=4,py=2,it=1"; what is not given has its default. Throws Error that names the motif or the
/// parameter.
Job make_motif(std::string_view text);

}  // namespace odonata::workload
