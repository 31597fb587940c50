// SPDX-License-Identifier: Apache-2.0
// The dragonfly (models/topology/dragonfly.h) as a topology of the engine: a group is a domain, addresses are
// {gid[17:9], bid[8:4], nid[3:0]}, port classes "node", "local" and "global" with buffers in packets, traffic of
// mixed_pattern.h.
#pragma once

#include "models/topology/dragonfly.h"
#include "sim/network/policy.h"
#include "sim/network/mixed_pattern.h"
#include "sim/network/topology.h"
#include "sim/network/traffic_source.h"

namespace odonata::network {

struct Parameter;

class DragonflyTopology final : public Topology {
 public:
  explicit DragonflyTopology(const Dragonfly& dragonfly) : dragonfly_(dragonfly) {}
  const Dragonfly& dragonfly() const { return dragonfly_; }

  std::string kind() const override { return "dragonfly"; }
  std::string name() const override { return dragonfly_.name(); }
  int nodes() const override { return dragonfly_.num_nodes(); }
  std::vector<LinkClass> link_classes() const override;
  void set_defaults(Config& config) const override;
  void check(const Config& config) const override;
  void check_traffic(const Config& config) const override;
  bool has(ParameterGroup group) const override;
  Wiring wire(const Config& config) const override;
  bool windows_of_local_links() const override { return false; }
  std::vector<fault::Fault> parse_faults(std::string_view text, Random& random,
                                         const std::vector<fault::Fault>& taken) const override;
  std::string fault_name(const fault::Fault& fault) const override;

  static PatternSource<MixedPattern> source(const Config& config, const Wiring& wiring);

 private:
  Dragonfly dragonfly_;
};

using DragonflySource = PatternSource<MixedPattern>;

/// A run on a dragonfly with the defaults of DOAR's Table 1.
Config on_dragonfly(const Dragonfly& dragonfly);
/// The dragonfly of a run; throws Error when it is on something else.
const Dragonfly& dragonfly_of(const Config& config);

/// The packed address of a node of a dragonfly.
inline uint32_t pack(const Address& a) { return static_cast<uint32_t>(a.gid << 9 | a.bid << 4 | a.nid); }
inline int gid_of(uint32_t address) { return static_cast<int>(address >> 9 & 511); }
inline int bid_of(uint32_t address) { return static_cast<int>(address >> 4 & 31); }
inline int nid_of(uint32_t address) { return static_cast<int>(address & 15); }
inline Address unpack(uint32_t address) { return {gid_of(address), bid_of(address), nid_of(address)}; }

/// Where a packet to `dest` looks in a table that has the nodes of router {gid, bid} first, then from row `local` on
/// the routers of its group, then from row `global` on the groups. Without branches, which nobody could predict.
inline uint32_t table_row(uint32_t dest, uint32_t gid, uint32_t bid, uint32_t local, uint32_t global) {
  const auto choose = [](bool first, uint32_t a, uint32_t b) {
    return b ^ ((a ^ b) & (0u - static_cast<uint32_t>(first)));
  };
  const uint32_t to_gid = dest >> 9 & 511, to_bid = dest >> 4 & 31;
  return choose(to_gid == gid, choose(to_bid == bid, dest & 15, local + to_bid), global + to_gid);
}
/// The class of the ports whose links are of a kind.
constexpr PortClass port_class_of(LinkKind kind) {
  return kind == LinkKind::node ? PortClass::node : kind == LinkKind::inside ? PortClass::local : PortClass::global;
}

/// The order of channels of all routings here: G0 < L0 < G1 < L1 < ... (docs/readings.md §3).
inline constexpr const char* kDragonflyOrder = "G0 < L0 < G1 < L1 < ...";
/// Routing::ignores of those that have neither the congestion plane nor tables.
bool of_hardware(const Parameter& parameter);
inline bool dragonfly_order_kept(const Channel& in, const Channel& out) {
  const auto rank = [](const Channel& c) {
    return 2 * c.vc + (c.port_class == 1 ? 1 : 0);
  };  // global before local of the same number
  return in.port_class == 0 || out.port_class == 0 || rank(in) < rank(out);
}

}  // namespace odonata::network
