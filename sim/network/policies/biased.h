// SPDX-License-Identifier: Apache-2.0
// Which routings have a use for Config::bias.
#pragma once

#include <string>
#include <vector>

namespace odonata::network {

/// The names of those that weigh a minimal path against a detour.
std::vector<std::string> biased_routings();

}  // namespace odonata::network
