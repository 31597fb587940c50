// SPDX-License-Identifier: Apache-2.0
// SystemC networks: where their packets come from, and who hears of every flit (docs/crosscheck.md §2).
#pragma once

#include <cstdint>

#include "hw/fabric/link.h"

namespace odonata::fabric {

/// Where packets come from: the traffic, and the virtual channel of the node port in which the search for room begins.
class Source {
 public:
  virtual ~Source() = default;
  struct Packet {
    uint32_t born = 0;
    uint32_t dest = 0;  ///< as in Flit
    uint8_t flits = 1;
  };
  /// The packet after one that was created in cycle `before`; for the first ~0.
  virtual Packet next(int node, uint32_t before) = 0;
  virtual int first_vc(int node) = 0;
};

/// The next flit of a node's packet, of which `left` have not entered the network yet.
inline Flit entering_flit(int node, const Source::Packet& packet, int left, int vc) {
  Flit out;
  out.source = static_cast<uint32_t>(node);
  out.dest = packet.dest;
  out.born = packet.born;
  out.vc = static_cast<uint8_t>(vc);
  out.length = packet.flits;
  out.index = static_cast<uint8_t>(packet.flits - left);
  return out;
}

/// Who hears of every flit.
class Observer {
 public:
  virtual ~Observer() = default;
  /// A grant of the switch in `cycle`; `credits` of the output VC before it, 0 at node ports.
  virtual void granted(const Flit& flit, int64_t cycle, int router, int in_port, int in_vc, int out_port, int out_vc,
                       int credits) = 0;
  /// In `cycle` the flit is delivered: it is on its node's link, or, where the node's link has a latency, at its end.
  virtual void delivered(const Flit& flit, int64_t cycle) = 0;
  virtual void lost(const Flit& flit, int64_t cycle) = 0;
};

}  // namespace odonata::fabric
