// SPDX-License-Identifier: Apache-2.0
// The configuration of one route-compute unit for those that know units by their pins: DPI-C, Python.
#pragma once

#include <vector>

#include "models/route_compute/registers.h"

namespace odonata::cosim {

/// The writes that bring a unit into a fault-free network as input port `port` of router `own`: identity, port, LFSR
/// seed, tables A, B and C. Throws Error when there is no such port.
std::vector<route_compute::RegisterWrite> port_configuration(const Dragonfly& d, RouterId own, int port);

}  // namespace odonata::cosim
