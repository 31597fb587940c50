// SPDX-License-Identifier: Apache-2.0
#include "tb/network/packet_ways.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace odonata::cosim {

void Ways::sort() {
  for (auto& [packet, way] : ways_) std::sort(way.begin(), way.end());
}

const std::vector<Step>& Ways::of(uint64_t packet) const {
  static const std::vector<Step> none;
  const auto found = ways_.find(packet);
  return found == ways_.end() ? none : found->second;
}

namespace {

std::string words(const WayNames& names, const Step& s) {
  const std::string flit = s.flit == Step::kPoisoned ? "poisoned tail "
                           : s.flit != 0             ? "flit " + std::to_string(s.flit) + " "
                                                     : "";
  const std::string cycle = "cycle " + std::to_string(s.cycle) + ": " + flit;
  if (s.kind == Step::Kind::delivered) return cycle + "delivered";
  if (s.kind == Step::Kind::lost) return cycle + "lost";
  return cycle + names.router(s.router) + " from port " + std::to_string(s.in_port) + " VC " + std::to_string(s.in_vc) +
         " to port " + std::to_string(s.out_port) + " VC " + std::to_string(s.out_vc) + ", credits " +
         std::to_string(s.credits);
}

/// A packet whose ways differ, and from which step on.
struct Differing {
  uint64_t packet = 0;
  size_t step = 0;
  uint32_t cycle = ~0u;  ///< of the earlier one of the two steps
};

/// Compares one packet; returns where it differs, with cycle ~0 when it does not.
Differing compare_packet(uint64_t packet, const std::vector<Step>& a, const std::vector<Step>& b) {
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (i < a.size() && i < b.size() && a[i] == b[i]) continue;
    const uint32_t ca = i < a.size() ? a[i].cycle : ~0u, cb = i < b.size() ? b[i].cycle : ~0u;
    return {packet, i, std::min(ca, cb)};
  }
  return {packet, 0, ~0u};
}

std::vector<std::string> describe(const WayNames& names, const Differing& x, const Ways& engine, const Ways& systemc) {
  std::vector<std::string> out{"The first packet that differs: from node " +
                               names.node(static_cast<uint32_t>(x.packet >> 32)) + ", created in cycle " +
                               std::to_string(x.packet & 0xFFFF'FFFF) + "; step " + std::to_string(x.step + 1) +
                               ", cycle " + std::to_string(x.cycle)};
  for (const auto& [name, ways] : {std::pair("engine", &engine), std::pair("SystemC", &systemc)}) {
    out.push_back(std::string("  ") + name + ":");
    for (const Step& s : ways->of(x.packet)) out.push_back("    " + words(names, s));
    if (ways->of(x.packet).empty()) out.push_back("    nothing");
  }
  return out;
}

/// Whether every flit that has entered is delivered or lost.
bool finished(const std::vector<Step>& way) {
  std::map<uint8_t, Step::Kind> last;
  for (const Step& s : way) last[s.flit] = s.kind;
  return !way.empty() &&
         std::all_of(last.begin(), last.end(), [](const auto& flit) { return flit.second != Step::Kind::granted; });
}

bool loses(const std::vector<Step>& way) {
  return std::any_of(way.begin(), way.end(), [](const Step& s) { return s.kind == Step::Kind::lost; });
}

}  // namespace

void compare_ways(const WayNames& names, Ways& engine, Ways& systemc, CrossCheckResult& out) {
  engine.sort();
  systemc.sort();
  Differing first;
  const auto look = [&](uint64_t packet) {
    const std::vector<Step>&a = engine.of(packet), &b = systemc.of(packet);
    const Differing x = compare_packet(packet, a, b);
    if (x.cycle != ~0u) {
      if (std::tuple(x.cycle, x.packet) < std::tuple(first.cycle, first.packet)) first = x;
      return;
    }
    out.events += a.size();
    if (!finished(a)) return;
    ++out.packets;
    ++(loses(a) ? out.lost : out.delivered);
  };
  for (const auto& [packet, way] : engine.all()) look(packet);
  for (const auto& [packet, way] : systemc.all()) {
    if (engine.all().count(packet) == 0) look(packet);
  }
  if (first.cycle != ~0u) out.difference = describe(names, first, engine, systemc);
}

}  // namespace odonata::cosim
