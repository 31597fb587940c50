// SPDX-License-Identifier: Apache-2.0
// Planted bugs of the SystemC network: what the cross-check has to find.
#pragma once

#include <string>
#include <vector>

#include "hw/network/dragonfly_network.h"

namespace odonata::cosim {

/// The makers with one bug planted; all as they are for an empty name.
network_hw::Makers makers_with(const std::string& plant);

}  // namespace odonata::cosim
