// SPDX-License-Identifier: Apache-2.0
#include "tb/route_compute/block.h"

namespace odonata::cosim {

using route_compute::Registers;
using route_compute::RegisterWrite;
using route_compute::Target;
using route_compute::UnitInputs;
namespace reg = route_compute::reg;

UnitInputs configuration_cycle(uint32_t byte_address, uint64_t data) {
  UnitInputs in;
  in.cfg_valid = in.cfg_write = true;
  in.cfg_addr = static_cast<uint16_t>(byte_address / 8);
  in.cfg_wdata = data;
  return in;
}

std::vector<UnitInputs> configuration_cycles(const std::vector<RegisterWrite>& writes) {
  std::vector<UnitInputs> cycles(1);
  cycles[0].reset = true;
  for (const RegisterWrite& w : writes) cycles.push_back(configuration_cycle(w.address, w.data));
  return cycles;
}

std::vector<RegisterWrite> configuration_of(const Registers& regs) {
  const Dragonfly& d = regs.dragonfly();
  const auto word = [&regs](uint32_t address) { return regs.read(regs.target(false, address / 8, 0), address / 8); };
  std::vector<RegisterWrite> writes;
  const uint64_t absolute = word(reg::kPort) & 4;
  // A table word may have been written under another port class than the present one: first as default entries, then as
  // global ones.
  std::vector<RegisterWrite> global;
  writes.push_back({reg::kPort, absolute | static_cast<uint64_t>(PortClass::local)});
  const auto add_table = [&](uint32_t base, int size, int first_global) {
    for (int i = 0; i < size; ++i) {
      const RegisterWrite w{base + 8 * static_cast<uint32_t>(i), word(base + 8 * static_cast<uint32_t>(i))};
      const bool is_default = i < first_global || table::valid_default_entry(d, w.data);
      (is_default ? writes : global).push_back(w);
    }
  };
  add_table(reg::kTableA, table::size_a(d), d.p() + d.a());
  add_table(reg::kTableB, table::size_b(d), d.a());
  writes.push_back({reg::kPort, absolute | static_cast<uint64_t>(PortClass::node)});
  writes.insert(writes.end(), global.begin(), global.end());
  for (int r = 0; r < d.a(); ++r)
    writes.push_back({reg::kTableC + 8 * static_cast<uint32_t>(r), regs.config().table_c(r)});
  for (uint32_t address : {reg::kRouterId, reg::kPort, reg::kThreshold, reg::kRule, reg::kLfsr})
    writes.push_back({address, word(address)});
  return writes;
}

std::vector<UnitInputs> RouteComputeBlock::preload(const Reference& reference) {
  return configuration_cycles(configuration_of(reference.unit().registers()));
}

}  // namespace odonata::cosim
