// SPDX-License-Identifier: Apache-2.0
#include "hw/route_compute/extension.h"

namespace odonata::route_compute {

tlm::tlm_extension_base* RouteExtension::clone() const { return new RouteExtension(*this); }

void RouteExtension::copy_from(const tlm::tlm_extension_base& other) {
  *this = static_cast<const RouteExtension&>(other);
}

bool fits_pins(const Request& request) {
  const auto fits = [](int value, int bits) { return value >= 0 && value < 1 << bits; };
  const Address& dest = request.dest;
  return fits(dest.gid, 9) && fits(dest.bid, 5) && fits(dest.nid, 4) && fits(request.src_gid, 9) && fits(request.vc, 2);
}

}  // namespace odonata::route_compute
