// SPDX-License-Identifier: Apache-2.0
// Whether JSON is a result whose page can be drawn.
#pragma once

#include <string>

#include "sim/common/output.h"

namespace odonata::cli {

/// What of a result is not as sim/report/sections.json says, such as `report[2].bars[0].value: expected a number`;
/// empty: its page can be drawn.
std::string result_problem(const Json& result);

}  // namespace odonata::cli
