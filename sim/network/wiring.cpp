// SPDX-License-Identifier: Apache-2.0
#include "sim/network/wiring.h"

namespace odonata::network {

int Wiring::lookahead() const {
  int least = 0;
  for (const PortWire& w : wire) {
    if (w.kind == LinkKind::between && (least == 0 || w.latency < least)) least = w.latency;
  }
  return least;
}

std::vector<uint32_t> Wiring::addresses() const {
  std::vector<uint32_t> out;
  for (const PortWire& w : wire) {
    if (w.kind != LinkKind::node) continue;
    if (out.size() <= w.peer) out.resize(w.peer + 1);
    out[w.peer] = w.address;
  }
  return out;
}

}  // namespace odonata::network
