// SPDX-License-Identifier: Apache-2.0
// One translation unit a policy compiles the engine with it (make_*.cpp).
#pragma once

#include <memory>

#include "sim/network/simulation.h"

namespace odonata::network {

std::unique_ptr<Simulation> make_minimal(const Config& config);
std::unique_ptr<Simulation> make_doar(const Config& config);
std::unique_ptr<Simulation> make_doar_live(const Config& config);    ///< with faults at run time or decision taps
std::unique_ptr<Simulation> make_doar_piped(const Config& config);   ///< with the pipeline's timing, and all that
std::unique_ptr<Simulation> make_nonminimal(const Config& config);   ///< val, ugal_l, ugal_g
std::unique_ptr<Simulation> make_progressive(const Config& config);  ///< par, par_ph

// On a mesh (mesh_simulation.cpp decides which).
std::unique_ptr<Simulation> make_mesh_simulation(const Config& config);
std::unique_ptr<Simulation> make_mesh_requests(const Config& config);
std::unique_ptr<Simulation> make_mesh_escape(const Config& config);

}  // namespace odonata::network
