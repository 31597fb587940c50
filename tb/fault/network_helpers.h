// SPDX-License-Identifier: Apache-2.0
// What the tests of the network of fault planes share.
#pragma once

#include "models/fault/closed_form.h"
#include "models/fault/fault_name.h"
#include "models/fault/paths.h"
#include "models/fault/verify.h"

namespace odonata::fault::test {

/// Constant service times and zero wire latency: the timing of the reference values (docs/readings.md §5.8).
inline Parameters ideal(Mode mode, Recovery recovery = Recovery::per_entry) {
  Parameters p;
  p.mode = mode;
  p.recovery = recovery;
  p.timing.ideal = true;
  p.timing.local_latency = p.timing.global_latency = 0;
  return p;
}

/// One fault by its name.
inline Fault fault(const Dragonfly& d, std::string_view name) {
  Random random(1);
  return parse_faults(d, name, random).front();
}

/// Services after t_ld until the last FD is served, in ideal timing.
inline int64_t services_after_local(const FaultPlaneNetwork& n) {
  const Timing& t = n.parameters().timing;
  return (n.statistics().phases.diagnosis_done - t.ideal_local) / t.ideal_message;
}

/// FDs or FRs that left a router through a port.
inline uint32_t sent(const FaultPlaneNetwork& n, const std::vector<uint32_t>& counts, RouterId r, int port) {
  return counts[static_cast<size_t>(n.dragonfly().router_index(r)) * n.dragonfly().num_ports() + port];
}

}  // namespace odonata::fault::test
