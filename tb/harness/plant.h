// SPDX-License-Identifier: Apache-2.0
// A planted bug: a named mutation of the RTL that the suite has to catch.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "models/common/error.h"

namespace odonata::cosim {

struct Plant {
  int number;             ///< 1.. ; 0 means none
  std::string_view name;  ///< for --plant NAME
  std::string_view what;  ///< what is wrong, in words
  std::string_view file;  ///< the RTL source that it changes
};

/// The number of a plant by name, 0 for the empty name. Throws Error that lists the names.
inline int plant_number(std::span<const Plant> plants, std::string_view name) {
  if (name.empty()) return 0;
  std::string names;
  for (const Plant& plant : plants) {
    if (plant.name == name) return plant.number;
    names += (names.empty() ? "" : ", ") + std::string(plant.name);
  }
  throw Error("plant '" + std::string(name) + "' is unknown, expected one of: " + names);
}

}  // namespace odonata::cosim
