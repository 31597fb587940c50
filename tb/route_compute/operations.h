// SPDX-License-Identifier: Apache-2.0
// Random words for the tables, and operations that have to be refused (docs/route_compute.md §4).
#pragma once

#include "models/common/random.h"
#include "tb/route_compute/config_driver.h"

namespace odonata::cosim {

/// Valid entries with a meaning that no sane configuration has: any ports, any number of options, none included.
uint64_t random_default_entry(const Dragonfly& d, Random& random);
uint64_t random_global_a(const Dragonfly& d, Random& random);
uint64_t random_global_b(const Dragonfly& d, Random& random);
uint64_t random_entry_c(const Dragonfly& d, Random& random);

/// The entry without one of its options (a random one); unchanged when it has none.
uint64_t without_an_option(uint64_t default_entry, Random& random);
uint64_t global_a_without_an_option(uint64_t word, Random& random);
uint64_t global_b_without_an_option(uint64_t word, Random& random);

inline constexpr int kRefusals = 33;
/// The operation of kind 0..kRefusals-1 that a unit of class `port_class` refuses. A kind that does not exist at this
/// size gives a read of an address without a word.
ConfigOperation refused_operation(const Dragonfly& d, int kind, PortClass port_class, Random& random);
/// A read of any existing word.
ConfigOperation random_read(const Dragonfly& d, Random& random);

}  // namespace odonata::cosim
