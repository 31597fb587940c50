// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/random.h"

namespace odonata {

/// 64 random bits of one of five densities: 0 none, 1 an eighth, 2 half, 3 seven eighths, 4 all of them set.
inline uint64_t random_bits(Random& random, int density) {
  switch (density) {
    case 0:
      return 0;
    case 1:
      return random.next() & random.next() & random.next();
    case 2:
      return random.next();
    case 3:
      return random.next() | random.next() | random.next();
    default:
      return ~0ull;
  }
}

}  // namespace odonata
