// SPDX-License-Identifier: Apache-2.0
// The units of DOAR Fig. 6, one pure function each, over full-width maps as in the hardware (docs/route_compute.md §5).
// The SystemC module calls them stage by stage; explain() shows what they contain. decide() gives the same answer
// faster.
#pragma once

#include "models/route_compute/decide.h"

namespace odonata::route_compute {

// Stage 3, RTA.
/// Routers of the group that some valid port of table C leads to, and the own one; a bits.
uint32_t reachable_routers(const UnitConfig& config);
/// A1: the minimal global ports that entry A names, usable and reachable.
GroupMap unit_a1(const UnitConfig& config, uint64_t entry_a);
/// A2: the non-minimal global ports that entry B names, usable, reachable, without those of A1.
GroupMap unit_a2(const UnitConfig& config, uint64_t entry_b, const GroupMap& min);
/// C1: the group-wide ports that are locally congested: all valid local ports of table C to their router are, or the
/// own global port is.
GroupMap unit_c1(const UnitConfig& config, PortMap cong_local);
/// N1, N2: requests that are neither globally nor locally congested.
inline GroupMap unit_n(const GroupMap& request, const GroupMap& cong_global, const GroupMap& cong_c1) {
  return request & ~(cong_global | cong_c1);
}
/// Case 3 (G3): ports that lead to a group to which the destination router has a global port.
GroupMap shortcut_ports(const UnitConfig& config, const Address& dest);

/// What stage 3 hands to stage 4 in RTA: GAP..GDP of unit B and the fallback vector.
struct GlobalRequests {
  GroupMap ga, gb, gc, gd;  ///< free candidates of 3, 3, 4, 5 hops
  GroupMap any;  ///< what is taken when nothing is free: all valid options, or with Rule::minimal_global the minimal
                 ///< ones if there are any
};
/// B: splits the free candidates by hop class.
GlobalRequests unit_b(const UnitConfig& config, const Address& dest, const GroupMap& min_free,
                      const GroupMap& nonmin_free, const GroupMap& any);
/// All of stage 3 of RTA.
GlobalRequests stage3_rta(const UnitConfig& config, const Address& dest, const Entries& entries,
                          const Congestion& congestion);

// Stage 3, RTB.
/// F: the ports that table B may use: zone G: local ports in transit, global ports in the source group; else all.
PortMap unit_f(const UnitConfig& config, const Decoded& decoded);
/// What stage 3 hands to stage 4 in RTB.
struct LocalRequests {
  PortMap s1 = 0, s2 = 0;  ///< free options of tables A and B
  PortMap any = 0;  ///< what is taken when nothing is free: all valid options, or with Rule::minimal_local those of
                    ///< table A if there are any
};
/// S1, S2 and F: all of stage 3 of RTB.
LocalRequests stage3_rtb(const UnitConfig& config, const Decoded& decoded, const Entries& entries,
                         const Congestion& congestion);

// Stage 4.
/// The routers that have a bit in a group-wide map; a bits.
uint32_t routers_of_ports(const Dragonfly& d, const GroupMap& ports);
/// The winner of P1.
struct GlobalWinner {
  HopClass hop_class = HopClass::unroutable;
  int router = 0;
  int own_port = 0;  ///< 0..h-1, meaningful when the own router won
};
/// P1: lowest hop class with a request, then one router, then (own router) one own global port.
GlobalWinner unit_p1(const UnitConfig& config, const GlobalRequests& requests, uint16_t lfsr);
/// M, P2: one local port towards a router, an uncongested one if there is one.
int unit_m_p2(const UnitConfig& config, int router, PortMap cong_local, uint16_t lfsr);
/// All of stage 4 of RTA, with the virtual channel.
Decision stage4_rta(const UnitConfig& config, const GlobalRequests& requests, PortMap cong_local, int vc,
                    uint16_t lfsr);
/// P3 and the virtual channel: all of stage 4 of RTB.
Decision stage4_rtb(const UnitConfig& config, const LocalRequests& requests, int vc, uint16_t lfsr);

}  // namespace odonata::route_compute
