// SPDX-License-Identifier: Apache-2.0
#include "tb/arb_request/rtl_device.h"

#include "models/common/error.h"

namespace odonata::cosim {

using arb_request::LogicDevice;
using arb_request::PortDevice;
using arb_request::PortSize;
using arb_request::SwitchDevice;

// arb_rtl_sizes.inc (from ODONATA_ARB_SIZES) has a line ODONATA_ARB_RTL(name, N, CW, KW, V, S) a size.
#define ODONATA_ARB_RTL(name, n, cw, kw, v, s)                            \
  std::unique_ptr<PortDevice> make_Varb_port_##name(int plant);           \
  std::unique_ptr<PortDevice> make_Varb_port_##name##_debug(int plant);   \
  std::unique_ptr<LogicDevice> make_Varb_logic_##name(int plant);         \
  std::unique_ptr<LogicDevice> make_Varb_logic_##name##_debug(int plant); \
  std::unique_ptr<SwitchDevice> make_Varb_switch_##name(int plant);       \
  std::unique_ptr<SwitchDevice> make_Varb_switch_##name##_debug(int plant);
#include "arb_rtl_sizes.inc"
#undef ODONATA_ARB_RTL
// arb_rtl_netlists.inc has the size of which there is a netlist.
#define ODONATA_ARB_NETLIST(name, n, cw, kw) std::unique_ptr<PortDevice> make_Varb_port_##name##_netlist(int plant);
#include "arb_rtl_netlists.inc"
#undef ODONATA_ARB_NETLIST

namespace {

struct Built {
  const char* name;
  PortSize size;
  std::unique_ptr<PortDevice> (*port[2])(int plant);
  std::unique_ptr<LogicDevice> (*logic[2])(int plant);
  std::unique_ptr<SwitchDevice> (*crossbar[2])(int plant);
};

#define ODONATA_ARB_RTL(name, n, cw, kw, v, s)               \
  {#name,                                                    \
   {n, cw, kw, v, s},                                        \
   {make_Varb_port_##name, make_Varb_port_##name##_debug},   \
   {make_Varb_logic_##name, make_Varb_logic_##name##_debug}, \
   {make_Varb_switch_##name, make_Varb_switch_##name##_debug}},
constexpr Built kBuilt[] = {
#include "arb_rtl_sizes.inc"
};
#undef ODONATA_ARB_RTL

bool same(const PortSize& a, const PortSize& b) {
  return a.dimensions == b.dimensions && a.coordinate_bits == b.coordinate_bits && a.credit_bits == b.credit_bits && a.queues == b.queues &&
         a.subset == b.subset;
}

const Built& find(const PortSize& size) {
  for (const Built& b : kBuilt)
    if (same(b.size, size)) return b;
  throw Error("no arbitration-request RTL was built for this size (CMake variable ODONATA_ARB_SIZES)");
}

std::unique_ptr<PortDevice> make_netlist(const char* name) {
#define ODONATA_ARB_NETLIST(size, n, cw, kw) \
  if (std::string_view(name) == #size) return make_Varb_port_##size##_netlist(0);
#include "arb_rtl_netlists.inc"
#undef ODONATA_ARB_NETLIST
  throw Error(std::string("no netlist was built for ") + name + ", only for the first of ODONATA_ARB_SIZES");
}

}  // namespace

std::vector<ArbRtlSize> arb_rtl_sizes() {
  std::vector<ArbRtlSize> sizes;
  for (const Built& b : kBuilt) sizes.push_back({b.name, b.size});
  return sizes;
}

PortSize arb_rtl_size(int dimensions) {
  std::string all;
  for (const Built& b : kBuilt) {
    if (b.size.dimensions == dimensions) return b.size;
    all += (all.empty() ? "" : ", ") + std::to_string(b.size.dimensions);
  }
  throw Error("dims is " + std::to_string(dimensions) + ", expected one of " + all + " (CMake variable ODONATA_ARB_SIZES)");
}

std::unique_ptr<PortDevice> make_arb_port_rtl(const PortSize& size, RtlVariant variant, int plant) {
  if (variant == RtlVariant::netlist) return make_netlist(find(size).name);
  return find(size).port[variant == RtlVariant::debug](plant);
}

std::unique_ptr<LogicDevice> make_arb_logic_rtl(const PortSize& size, RtlVariant variant, int plant) {
  return find(size).logic[variant == RtlVariant::debug](plant);
}

std::unique_ptr<SwitchDevice> make_arb_switch_rtl(const PortSize& size, RtlVariant variant, int plant) {
  return find(size).crossbar[variant == RtlVariant::debug](plant);
}

}  // namespace odonata::cosim
