// SPDX-License-Identifier: Apache-2.0
// DOAR Algorithm 1 and the virtual-channel rule as one pure function on machine words (docs/route_compute.md §5).
// decide() visits only the routers that an entry names; units.h holds the same meaning unit by unit, as the hardware
// has it.
#pragma once

#include <array>
#include <cstdint>

#include "models/common/bits.h"
#include "models/common/lfsr.h"
#include "models/route_compute/congestion.h"
#include "models/table/entry.h"
#include "models/topology/dragonfly.h"

namespace odonata::route_compute {

/// Hop class of a decision, 3 bits; the values are those of the hardware. GA..GD: RTA, path lengths 3, 3, 4, 5; LE, LF:
/// RTB tables A, B.
enum class HopClass : uint8_t { unroutable = 0, ga = 1, gb = 2, gc = 3, gd = 4, le = 5, lf = 6, fallback = 7 };
const char* to_string(HopClass hop_class);

inline constexpr int kNumVcs = 4;  ///< virtual channels of the deadlock-free channel order

/// A packet header as the unit sees it.
struct Request {
  Address dest;     ///< 18 bits on the wire
  int src_gid = 0;  ///< 9 bits: source group
  int vc = 0;       ///< 2 bits: virtual channel of arrival
};

/// What the printed algorithm leaves to be changed: the register RULE (docs/route_compute.md §5). As after reset: DOAR
/// as printed.
struct Rule {
  bool second_maps = false;     ///< non-minimal candidates are free by the `busy` maps, not by the `cong` maps
  bool minimal_global = false;  ///< RTA, nothing is free: a minimal option if there is one, not any option
  bool minimal_local = false;   ///< RTB, nothing is free: an option of table A if there is one, not any option

  /// The register's word.
  uint64_t word() const { return (second_maps ? 1 : 0) | (minimal_global ? 2 : 0) | (minimal_local ? 4 : 0); }
  bool operator==(const Rule&) const = default;
};
/// doar_stable.
inline constexpr Rule kStableRule{true, true, true};

/// What the unit answers.
struct Decision {
  HopClass hop_class = HopClass::unroutable;
  uint8_t port = kNoPort;  ///< 6 bits; 63 when unroutable
  uint8_t vc = 0;          ///< 2 bits; 0 when unroutable
  uint8_t router = 0;      ///< RTA: winner router; RTB and unroutable: 0
  uint8_t nonempty = 0;  ///< bits 0..3 GA..GD (RTA), 4 S1, 5 S2 (RTB), 6 fallback vector: what stage 3 hands to stage 4
  bool operator==(const Decision&) const = default;
};

/// Configuration of a unit and what follows from it. Change it through the setters, so that the derived masks stay
/// right.
class UnitConfig {
 public:
  explicit UnitConfig(const Dragonfly& d);

  const Dragonfly& dragonfly() const { return dragonfly_; }
  RouterId own() const { return own_; }
  PortClass port_class() const { return port_class_; }
  bool absolute() const { return dragonfly_.arrangement() == Arrangement::absolute; }
  const Rule& rule() const { return rule_; }
  uint64_t table_c(int router) const { return table_c_[router]; }

  void set_own(RouterId own);
  void set_port(PortClass port_class, bool absolute);
  void set_rule(const Rule& rule) { rule_ = rule; }
  void set_table_c(int router, uint64_t word);

  // Derived.
  const GroupMap& usable() const { return usable_; }               ///< cabled group-wide ports of the own group
  uint64_t ports_c(int router) const { return ports_c_[router]; }  ///< valid local ports towards a router
  uint32_t offered(int router) const {
    return offered_[router];
  }  ///< a router's usable global ports, none when it is not reachable
  PortMap all_ports() const { return low_mask(dragonfly_.num_ports()); }
  PortMap local_ports() const { return low_mask(dragonfly_.a() - 1) << dragonfly_.first_local(); }
  PortMap global_ports() const { return low_mask(dragonfly_.h()) << dragonfly_.first_global(); }

 private:
  void derive_usable();
  void derive_offered(int router);
  Dragonfly dragonfly_;
  RouterId own_;
  PortClass port_class_ = PortClass::node;
  Rule rule_;
  std::array<uint64_t, kMaxRoutersPerGroup> table_c_{};
  std::array<uint64_t, kMaxRoutersPerGroup> ports_c_{};
  std::array<uint32_t, kMaxRoutersPerGroup> offered_{};
  GroupMap usable_;
};

/// What stage 1 makes of a request.
struct Decoded {
  table::Zone zone = table::Zone::invalid;
  bool rta = false;      ///< node port and zone G
  bool transit = false;  ///< the packet's source group is not the own group
  int index_a = 0;       ///< 0 in the invalid zone
  int index_b = 0;       ///< 0 in zones N and invalid
};
Decoded decode(const UnitConfig& config, const Request& request);

/// The two table entries of a request; 0 where the zone has none.
struct Entries {
  uint64_t a = 0;
  uint64_t b = 0;
};

/// The pick with the lower byte, the upper byte, or all of the request's 16-bit LFSR value as its fraction.
inline int pick_lo(uint64_t v, uint16_t lfsr) { return even_pick(v, lfsr & 0xFF, 8); }
inline int pick_hi(uint64_t v, uint16_t lfsr) { return even_pick(v, lfsr >> 8, 8); }
inline int pick_word(uint64_t v, uint16_t lfsr) { return even_pick(v, lfsr, 16); }

/// Virtual channel at the output (DOAR §3.2): 0 at a node input, else +1 when the level does not fall. A result of 4 is
/// not allowed.
inline int next_vc(PortClass in, PortClass out, int vc) {
  if (in == PortClass::node) return 0;
  return vc + (static_cast<int>(out) >= static_cast<int>(in) ? 1 : 0);
}

/// The port maps of a router, which RTB needs and all units share.
struct PortMaps {
  explicit PortMaps(const Dragonfly& d)
      : ports(d.num_ports()),
        all(low_mask(d.num_ports())),
        local(low_mask(d.a() - 1) << d.first_local()),
        global(low_mask(d.h()) << d.first_global()) {}
  int ports;
  PortMap all, local, global;
};

/// Stages 3 and 4 of RTB, without the virtual channel: part of decide(), and alone what a network simulation asks,
/// which needs no UnitConfig for it. `transit`: the packet's source group is not the own group. `busy`: what decides
/// about table B; `minimal_fallback`: Rule::minimal_local.
inline Decision decide_local(const PortMaps& maps, table::Zone zone, bool transit, const Entries& entries,
                             PortMap congested, PortMap busy, bool minimal_fallback, uint16_t lfsr) {
  const PortMap keep = zone != table::Zone::global ? maps.all : transit ? maps.local : maps.global;
  const PortMap le = entries.a & maps.all, lf = entries.b & keep;
  const PortMap s1 = le & ~congested, s2 = lf & ~busy, any = minimal_fallback && le != 0 ? le : le | lf;
  Decision out;
  out.nonempty = static_cast<uint8_t>((s1 ? 16 : 0) | (s2 ? 32 : 0) | (any ? 64 : 0));
  if (any == 0) return out;
  out.hop_class = s1 ? HopClass::le : s2 ? HopClass::lf : HopClass::fallback;
  out.port = static_cast<uint8_t>(pick_word(s1 ? s1 : s2 ? s2 : any, lfsr));
  return out;
}

/// Algorithm 1 for one request: pure, no allocation. `lfsr` is the unit's LFSR value when the request was in stage 1.
Decision decide(const UnitConfig& config, const Request& request, const Decoded& decoded, const Entries& entries,
                const Congestion& congestion, uint16_t lfsr);

}  // namespace odonata::route_compute
