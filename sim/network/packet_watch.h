// SPDX-License-Identifier: Apache-2.0
// Whoever wants to see every step of every packet: the cross-check (docs/network.md §11). Not with RouteCompute::ideal,
// and one thread.
#pragma once

#include <cstdint>

#include "sim/network/flit.h"

namespace odonata::network {

/// Hears of every flit of a run (cross-checks).
class PacketWatch {
 public:
  virtual ~PacketWatch() = default;
  /// A grant of the switch in `cycle`; routers over all domains. `credits`: free slots of the output VC, that of the
  /// flit included; 0 at node ports.
  virtual void granted(const Flit& flit, uint32_t cycle, uint32_t router, int in_port, int in_vc, int out_port,
                       int out_vc, int credits) = 0;
  virtual void delivered(const Flit& flit, uint32_t cycle) = 0;
  virtual void lost(const Flit& flit, uint32_t cycle) = 0;
};

}  // namespace odonata::network
