// SPDX-License-Identifier: Apache-2.0
// The words of the command line being run.
#pragma once

#include <string>
#include <vector>

namespace odonata::cli {

/// Without the program; set once by run().
const std::vector<std::string>& arguments();

}  // namespace odonata::cli
