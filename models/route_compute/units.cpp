// SPDX-License-Identifier: Apache-2.0
#include "models/route_compute/units.h"

namespace odonata::route_compute {

using table::GlobalEntryA;
using table::GlobalEntryB;
using table::Zone;

uint32_t reachable_routers(const UnitConfig& config) {
  uint32_t map = 1u << config.own().bid;
  for (int r = 0; r < config.dragonfly().a(); ++r) {
    if (config.ports_c(r) != 0) map |= 1u << r;
  }
  return map;
}

namespace {

/// All global ports of the routers in `map`.
GroupMap ports_of_routers(const Dragonfly& d, uint32_t map) {
  GroupMap out;
  for (int r = 0; r < d.a(); ++r) {
    if (map >> r & 1) out.put(r * d.h(), d.h(), static_cast<uint32_t>(low_mask(d.h())));
  }
  return out;
}

/// Adds the ports of one router. An entry from before a change of class may have bits above h: they are no ports.
void put_ports(const Dragonfly& d, int router, uint32_t field, GroupMap& out) {
  out.put(router * d.h(), d.h(), field & static_cast<uint32_t>(low_mask(d.h())));
}

GroupMap possible(const UnitConfig& config) {
  return config.usable() & ports_of_routers(config.dragonfly(), reachable_routers(config));
}

/// The request dies when the virtual channel would leave 0..3: raising it further would break the channel order.
Decision with_vc(const UnitConfig& config, Decision out, int vc) {
  const int next = next_vc(config.port_class(), config.dragonfly().port_class(out.port), vc);
  if (next >= kNumVcs) return {.nonempty = out.nonempty};
  out.vc = static_cast<uint8_t>(next);
  return out;
}

}  // namespace

uint32_t routers_of_ports(const Dragonfly& d, const GroupMap& ports) {
  uint32_t map = 0;
  for (int r = 0; r < d.a(); ++r) {
    if (ports.field(r * d.h(), d.h()) != 0) map |= 1u << r;
  }
  return map;
}

GroupMap unit_a1(const UnitConfig& config, uint64_t entry_a) {
  const Dragonfly& d = config.dragonfly();
  const GlobalEntryA e = GlobalEntryA::decode(entry_a);
  GroupMap out;
  if (e.own_router) {
    put_ports(d, config.own().bid, e.global_ports, out);
  } else if (d.is_local_port(e.port)) {
    put_ports(d, d.neighbour(config.own().bid, e.port), e.global_ports, out);
  }
  return out & possible(config);
}

GroupMap unit_a2(const UnitConfig& config, uint64_t entry_b, const GroupMap& min) {
  const Dragonfly& d = config.dragonfly();
  const GlobalEntryB e = GlobalEntryB::decode(entry_b);
  uint32_t routers = 0;
  for (int port : e.port) {
    if (d.is_local_port(port)) routers |= 1u << d.neighbour(config.own().bid, port);
  }
  GroupMap out = ports_of_routers(d, routers);
  put_ports(d, config.own().bid, e.own_global_ports, out);
  return out & possible(config) & ~min;
}

GroupMap unit_c1(const UnitConfig& config, PortMap cong_local) {
  const Dragonfly& d = config.dragonfly();
  uint32_t congested = 0;
  for (int r = 0; r < d.a(); ++r) {
    if (r != config.own().bid && (config.ports_c(r) & ~cong_local) == 0) congested |= 1u << r;
  }
  GroupMap out = ports_of_routers(d, congested);
  const uint64_t own = cong_local >> d.first_global() & low_mask(d.h());
  out.put(config.own().bid * d.h(), d.h(), static_cast<uint32_t>(own));
  return out;
}

GroupMap shortcut_ports(const UnitConfig& config, const Address& dest) {
  const Dragonfly& d = config.dragonfly();
  GroupMap out;
  for (int i = 0; i < d.h(); ++i) {
    const int y = dest.bid * d.h() + i;
    if (!config.absolute()) {
      out.set(y);
      continue;
    }
    const int group = y < dest.gid ? y : y + 1;
    if (group == config.own().gid) continue;
    const int j = group < config.own().gid ? group : group - 1;
    if (j < d.group_ports()) out.set(j);
  }
  return out;
}

GlobalRequests unit_b(const UnitConfig& config, const Address& dest, const GroupMap& min_free,
                      const GroupMap& nonmin_free, const GroupMap& any) {
  const GroupMap g2 = ports_of_routers(config.dragonfly(), 1u << config.own().bid);
  const GroupMap g3 = shortcut_ports(config, dest);
  return {min_free, nonmin_free & g2 & g3, nonmin_free & (g2 ^ g3), nonmin_free & ~(g2 | g3), any};
}

GlobalRequests stage3_rta(const UnitConfig& config, const Address& dest, const Entries& entries,
                          const Congestion& congestion) {
  const GroupMap min = unit_a1(config, entries.a), nonmin = unit_a2(config, entries.b, min);
  const bool second = config.rule().second_maps;
  const GroupMap min_free = unit_n(min, congestion.global, unit_c1(config, congestion.local));
  const GroupMap nonmin_free = unit_n(nonmin, second ? congestion.busy_global : congestion.global,
                                      unit_c1(config, second ? congestion.busy_local : congestion.local));
  return unit_b(config, dest, min_free, nonmin_free, config.rule().minimal_global && min.any() ? min : min | nonmin);
}

PortMap unit_f(const UnitConfig& config, const Decoded& decoded) {
  if (decoded.zone != Zone::global) return config.all_ports();
  return decoded.transit ? config.local_ports() : config.global_ports();
}

LocalRequests stage3_rtb(const UnitConfig& config, const Decoded& decoded, const Entries& entries,
                         const Congestion& congestion) {
  const PortMap le = entries.a & config.all_ports(), lf = entries.b & unit_f(config, decoded);
  const PortMap busy = config.rule().second_maps ? congestion.busy_local : congestion.local;
  return {le & ~congestion.local, lf & ~busy, config.rule().minimal_local && le != 0 ? le : le | lf};
}

GlobalWinner unit_p1(const UnitConfig& config, const GlobalRequests& requests, uint16_t lfsr) {
  const Dragonfly& d = config.dragonfly();
  const std::array<const GroupMap*, 5> vectors{&requests.ga, &requests.gb, &requests.gc, &requests.gd, &requests.any};
  constexpr std::array<HopClass, 5> classes{HopClass::ga, HopClass::gb, HopClass::gc, HopClass::gd, HopClass::fallback};
  for (int c = 0; c < 5; ++c) {
    const uint32_t routers = routers_of_ports(d, *vectors[c]);
    if (routers == 0) continue;
    GlobalWinner winner{classes[c], pick_lo(routers, lfsr), 0};
    if (winner.router == config.own().bid) {
      winner.own_port = pick_hi(vectors[c]->field(winner.router * d.h(), d.h()), lfsr);
    }
    return winner;
  }
  return {};
}

int unit_m_p2(const UnitConfig& config, int router, PortMap cong_local, uint16_t lfsr) {
  const table::EntryC c = table::EntryC::decode(config.table_c(router));
  uint64_t valid = 0, open = 0;
  for (int k = 0; k < table::kPortsC; ++k) {
    if (c.port[k] < 0) continue;
    valid |= 1ull << k;
    if ((cong_local >> c.port[k] & 1) == 0) open |= 1ull << k;
  }
  return c.port[pick_hi(open ? open : valid, lfsr)];
}

Decision stage4_rta(const UnitConfig& config, const GlobalRequests& requests, PortMap cong_local, int vc,
                    uint16_t lfsr) {
  Decision out;
  out.nonempty =
      static_cast<uint8_t>((requests.ga.any() ? 1 : 0) | (requests.gb.any() ? 2 : 0) | (requests.gc.any() ? 4 : 0) |
                           (requests.gd.any() ? 8 : 0) | (requests.any.any() ? 64 : 0));
  const GlobalWinner winner = unit_p1(config, requests, lfsr);
  if (winner.hop_class == HopClass::unroutable) return out;
  const bool own = winner.router == config.own().bid;
  out.hop_class = winner.hop_class;
  out.router = static_cast<uint8_t>(winner.router);
  out.port = static_cast<uint8_t>(own ? config.dragonfly().global_port(winner.own_port)
                                      : unit_m_p2(config, winner.router, cong_local, lfsr));
  return with_vc(config, out, vc);
}

Decision stage4_rtb(const UnitConfig& config, const LocalRequests& requests, int vc, uint16_t lfsr) {
  Decision out;
  out.nonempty = static_cast<uint8_t>((requests.s1 ? 16 : 0) | (requests.s2 ? 32 : 0) | (requests.any ? 64 : 0));
  if (requests.any == 0) return out;
  const PortMap chosen = requests.s1 ? requests.s1 : requests.s2 ? requests.s2 : requests.any;
  out.hop_class = requests.s1 ? HopClass::le : requests.s2 ? HopClass::lf : HopClass::fallback;
  out.port = static_cast<uint8_t>(pick_word(chosen, lfsr));
  return with_vc(config, out, vc);
}

}  // namespace odonata::route_compute
