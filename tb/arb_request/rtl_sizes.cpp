// SPDX-License-Identifier: Apache-2.0
#include "tb/arb_request/rtl_sizes.h"

namespace odonata::cosim {

using arb_request::PortSize;

std::vector<ArbRtlSize> arb_rtl_sizes() {
  std::vector<ArbRtlSize> sizes;
  for (const RtlLibrary<ArbPortBlock>& library : rtl_libraries<ArbPortBlock>()) {
    if (library.variant != RtlVariant::fast) continue;
    const RtlParameters& p = library.parameters;
    sizes.push_back({library.size, {p.at("N"), p.at("CW"), p.at("KW"), p.at("V"), p.at("S")}});
  }
  return sizes;
}

PortSize arb_rtl_size(int dimensions) {
  std::string all;
  for (const ArbRtlSize& built : arb_rtl_sizes()) {
    if (built.size.dimensions == dimensions) return built.size;
    all += (all.empty() ? "" : ", ") + std::to_string(built.size.dimensions);
  }
  throw Error("dims is " + std::to_string(dimensions) + ", expected one of " + all +
              " (CMake variable ODONATA_ARB_SIZES)");
}

RtlParameters rtl_parameters(const PortSize& s) {
  return {{"N", s.dimensions}, {"CW", s.coordinate_bits}, {"KW", s.credit_bits},
          {"V", s.queues},     {"S", s.subset},           {"Slots", s.queues}};
}

}  // namespace odonata::cosim
