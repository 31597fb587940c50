// SPDX-License-Identifier: Apache-2.0
// What a transaction on a route socket carries: the packet header on the way in, the decision on the way back.
#pragma once

#include <tlm>

#include "models/route_compute/decide.h"

namespace odonata::route_compute {

/// Ignorable by interconnect components; mandatory for the route-compute target. The generic payload itself has the
/// command TLM_IGNORE_COMMAND and no data.
struct RouteExtension : tlm::tlm_extension<RouteExtension> {
  Request request;    ///< set by the initiator before BEGIN_REQ
  Decision decision;  ///< set by the target before BEGIN_RESP

  tlm::tlm_extension_base* clone() const override;
  void copy_from(const tlm::tlm_extension_base& other) override;
};

/// Whether every field of a request fits on its pins: gid and src_gid 9 bits, bid 5, nid 4, vc 2. An address outside
/// the network fits; its decision is `unroutable`.
bool fits_pins(const Request& request);

}  // namespace odonata::route_compute
