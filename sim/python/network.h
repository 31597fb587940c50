// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace odonata::python {

/// Adds the class Network (sim/python/network.cpp).
void add_network(pybind11::module_& m);

}  // namespace odonata::python
