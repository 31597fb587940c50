// SPDX-License-Identifier: Apache-2.0
#include "models/fault/plane_parameters.h"

#include "models/common/random.h"
#include "models/fault/entry.h"

namespace odonata::fault {

Timing Timing::native(const Dragonfly& d) {
  Timing t;
  t.stations = d.num_ports();
  t.base_b = d.p();
  t.base_g = d.p() + d.a();
  t.entries = num_rows(d);
  return t;
}

bool route_reads(const Timing& timing, int router, int port, int64_t cycle) {
  if (timing.load <= 0) return false;
  const auto threshold = static_cast<uint64_t>(timing.load * 0x1.0p53);
  return mix_seed(timing.seed, static_cast<uint64_t>(router) * 64 + port, static_cast<uint64_t>(cycle)) >> 11 < threshold;
}

}  // namespace odonata::fault
