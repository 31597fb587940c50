// SPDX-License-Identifier: Apache-2.0
// Planted bugs of the SystemC network: what the cross-check has to find.
#pragma once

#include <string>
#include <vector>

#include "hw/router/dragonfly_module.h"

namespace odonata::cosim {

/// The makers with one bug planted; all as they are for an empty name.
router::Makers makers_with(const std::string& plant);

}  // namespace odonata::cosim
