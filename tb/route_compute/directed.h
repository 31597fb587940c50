// SPDX-License-Identifier: Apache-2.0
// Directed tests: short named sequences, each for a family of coverage bins that random cases seldom reach.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/route_compute/unit.h"

namespace odonata::cosim {

/// A named sequence of input cycles. It begins with a reset and a full configuration; play it with Recorded.
struct DirectedTest {
  std::string_view name;
  std::string_view what;
  std::vector<route_compute::UnitInputs> (*make)(const Dragonfly& d);
};
const std::vector<DirectedTest>& directed_tests();
/// All of them one after the other.
std::vector<route_compute::UnitInputs> all_directed_tests(const Dragonfly& d);

}  // namespace odonata::cosim
