// SPDX-License-Identifier: Apache-2.0
// Values of probes of the fault plane that take several pins together.
#pragma once

#include <bit>

#include "models/fault/fault_router_pins.h"

namespace odonata::cosim {

/// One number for the words of all lanes; the word itself when only lane 0 has one.
template <class Lanes>
uint64_t fold_lanes(const Lanes& lanes) {
  uint64_t word = lanes[0];
  for (size_t i = 1; i < lanes.size(); ++i) word ^= std::rotl(lanes[i], static_cast<int>(7 * i)) * 3;
  return word;
}

/// One number for something of every unit.
template <class Get>
uint64_t folded(const fault::RouterOutputs& o, Get get) {
  uint64_t hash = 0;
  for (const fault::PortOutputs& u : o.unit) hash = (hash ^ get(u)) * 0x9E3779B97F4A7C15ull;
  return hash;
}
inline uint64_t marks_of(const fault::PortOutputs& u) {
  uint64_t hash = u.write_level_a;
  for (size_t lane = 0; lane < u.write_lost.size(); ++lane)
    hash = hash * 31 + u.write_lost[lane] * 7 + u.write_partial[lane];
  return hash;
}
inline uint64_t counters_of(const fault::PortOutputs& u) {
  return u.fd_count | static_cast<uint64_t>(u.fr_count) << 16 | static_cast<uint64_t>(u.wait_ram) << 32 |
         static_cast<uint64_t>(u.wait_queue) << 48;
}

/// Pins of the router that its units have, too.
inline void show_in_units(fault::RouterOutputs& out) {
  for (size_t k = 0; k < out.unit.size(); ++k) {
    fault::PortOutputs& u = out.unit[k];
    u.busy = out.busy >> k & 1;
    u.late = out.late >> k & 1;
    u.msg_valid = out.out_valid >> k & 1;
    u.msg = out.out_message[k];
  }
}

}  // namespace odonata::cosim
