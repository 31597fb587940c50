// SPDX-License-Identifier: Apache-2.0
#include "tb/route_compute/block.h"

#include "tb/harness/trace_file.h"

namespace odonata::cosim {

using route_compute::Registers;
using route_compute::RegisterWrite;
using route_compute::Target;
using route_compute::UnitInputs;
using route_compute::UnitOutputs;
namespace reg = route_compute::reg;

std::span<const Probe<UnitOutputs>> RouteComputeBlock::probes() {
  using enum ProbeKind;
  using Out = UnitOutputs;
  static constexpr Probe<Out> kProbes[] = {
      {"stage 1 valid", "stage 1 (decode)", cycle_exact, [](const Out& o) -> uint64_t { return o.probe & 1; }},
      {"stage 2 valid, zone, rta, index", "stage 1 (decode)", cycle_exact, [](const Out& o) -> uint64_t { return o.probe >> 1 & 0x3FFF; }},
      {"stage 3 valid", "stage 2 (table read)", cycle_exact, [](const Out& o) -> uint64_t { return o.probe >> 15 & 1; }},
      {"stage 4 valid", "stage 3 (filter)", cycle_exact, [](const Out& o) -> uint64_t { return o.probe >> 16 & 1; }},
      {"non-empty GA GB GC GD", "stage 3 (A1 A2 C1 N1 N2 B)", cycle_exact, [](const Out& o) -> uint64_t { return o.probe >> 17 & 15; }},
      {"non-empty S1 S2", "stage 3 (S1 S2 F)", cycle_exact, [](const Out& o) -> uint64_t { return o.probe >> 21 & 3; }},
      {"non-empty fallback", "stage 3", cycle_exact, [](const Out& o) -> uint64_t { return o.probe >> 23; }},
      {"response valid", "stage 4", cycle_exact, [](const Out& o) -> uint64_t { return o.resp_valid; }},
      {"hop class", "stage 4 (P1, P3)", cycle_exact, [](const Out& o) -> uint64_t { return o.resp_hop_class; }},
      {"output port", "stage 4 (M, P2, P3)", cycle_exact, [](const Out& o) -> uint64_t { return o.resp_port; }},
      {"virtual channel", "stage 4 (VC rule)", cycle_exact, [](const Out& o) -> uint64_t { return o.resp_vc; }},
      {"winner router", "stage 4 (P1)", cycle_exact, [](const Out& o) -> uint64_t { return o.resp_router; }},
      {"configuration ready", "configuration", cycle_exact, [](const Out& o) -> uint64_t { return o.cfg_ready; }},
      {"configuration acknowledge", "configuration", cycle_exact, [](const Out& o) -> uint64_t { return o.cfg_ack; }},
      {"configuration error", "configuration", cycle_exact, [](const Out& o) -> uint64_t { return o.cfg_err; }},
      {"configuration read data", "configuration", cycle_exact, [](const Out& o) -> uint64_t { return o.cfg_rdata; }},
      {"thresholds", "configuration", cycle_exact, [](const Out& o) -> uint64_t { return o.threshold; }},
  };
  return kProbes;
}

namespace {

std::string group_map_hex(const GroupMap& map) {
  std::string out;
  for (int w = GroupMap::kWords - 1; w >= 0; --w) {
    std::string word = to_hex(map.word[w]);
    if (!out.empty()) word.insert(0, 16 - word.size(), '0');
    if (!out.empty() || word != "0") out += word;
  }
  return out.empty() ? "0" : out;
}

bool group_map_from_hex(std::string hex, GroupMap& map) {
  map = {};
  if (hex.empty() || hex.size() > 128) return false;
  hex.insert(0, 128 - hex.size(), '0');
  for (int w = 0; w < GroupMap::kWords; ++w) {
    if (!from_hex(hex.substr(112 - 16 * w, 16), 64, map.word[w])) return false;
  }
  return true;
}

template <auto Member, int Bits>
constexpr Field<UnitInputs> field(const char* name) {
  return {name, Bits, [](const UnitInputs& in) { return to_hex(static_cast<uint64_t>(in.*Member)); },
          [](UnitInputs& in, const std::string& hex) {
            uint64_t value = 0;
            if (!from_hex(hex, Bits, value)) return false;
            in.*Member = static_cast<std::remove_reference_t<decltype(in.*Member)>>(value);
            return true;
          }};
}

}  // namespace

std::span<const Field<UnitInputs>> RouteComputeBlock::fields() {
  using In = UnitInputs;
  static constexpr Field<In> kFields[] = {
      field<&In::reset, 1>("reset"),
      field<&In::req_valid, 1>("req_valid"),
      field<&In::req_dest, 18>("req_dest"),
      field<&In::req_src_gid, 9>("req_src_gid"),
      field<&In::req_vc, 2>("req_vc"),
      field<&In::cfg_valid, 1>("cfg_valid"),
      field<&In::cfg_write, 1>("cfg_write"),
      field<&In::cfg_addr, 12>("cfg_addr"),
      field<&In::cfg_wdata, 64>("cfg_wdata"),
      {"cong_local", 64, [](const In& in) { return to_hex(in.congestion.local); },
       [](In& in, const std::string& hex) { return from_hex(hex, 64, in.congestion.local); }},
      {"cong_global", 512, [](const In& in) { return group_map_hex(in.congestion.global); },
       [](In& in, const std::string& hex) { return group_map_from_hex(hex, in.congestion.global); }},
  };
  return kFields;
}

UnitInputs RouteComputeBlock::idle(const UnitInputs& in) {
  UnitInputs out;
  out.congestion = in.congestion;
  return out;
}

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

std::vector<UnitInputs> RouteComputeBlock::preload(const Reference& reference) {
  const Registers& regs = reference.unit().registers();
  const Dragonfly& d = regs.dragonfly();
  const auto word = [&regs](uint32_t address) { return regs.read(regs.target(false, address / 8, 0), address / 8); };
  std::vector<RegisterWrite> writes;
  const uint64_t absolute = word(reg::kPort) & 4;
  // A table word may have been written under another port class than the present one: first as default entries, then as global ones.
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
  for (int r = 0; r < d.a(); ++r) writes.push_back({reg::kTableC + 8 * static_cast<uint32_t>(r), regs.config().table_c(r)});
  for (uint32_t address : {reg::kRouterId, reg::kPort, reg::kThreshold, reg::kLfsr}) writes.push_back({address, word(address)});
  return configuration_cycles(writes);
}

}  // namespace odonata::cosim
