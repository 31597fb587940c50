// SPDX-License-Identifier: Apache-2.0
// What a packet carries through the TLM sockets of a mesh router.
#pragma once

#include <tlm>

#include "models/arb_request/input_port.h"

namespace odonata::arb_request {

/// The packet's header, and what the router that it passes writes down about its stay there.
class PacketExtension : public tlm::tlm_extension<PacketExtension> {
 public:
  Lanes dest = 0;   ///< coordinates of the destination, a byte a dimension
  uint64_t id = 0;  ///< free for the sender
  int hops = 0;     ///< routers left behind
  /// Of the stay: edges (numbers since the start) at which the packet was taken, its first request loaded, the grant
  /// sampled.
  uint64_t taken = 0, requested = 0, granted = 0;
  PortRequest request;  ///< that was granted

  tlm::tlm_extension_base* clone() const override { return new PacketExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const PacketExtension&>(other); }
};

}  // namespace odonata::arb_request
