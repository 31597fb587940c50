// SPDX-License-Identifier: Apache-2.0
#include "models/table/configuration.h"

#include <algorithm>

namespace odonata::table {

std::string_view to_string(NeighbourPolicy policy) { return policy == NeighbourPolicy::spread ? "spread" : "lowest"; }
std::string_view to_string(MinimalRouterPolicy policy) {
  return policy == MinimalRouterPolicy::examples ? "examples" : "printed";
}

namespace {

uint64_t bit(int port) { return 1ull << port; }

/// Global ports i of router `r` that lead to a group other than `to`: the first hop of a non-minimal path.
uint32_t nonminimal_ports(const Dragonfly& d, RouterId r, int to) {
  uint32_t map = 0;
  for (int i = 0; i < d.h(); ++i) {
    const int group = d.group_of_port(r.gid, r.bid * d.h() + i);
    if (group >= 0 && group != to) map |= 1u << i;
  }
  return map;
}

/// The local ports of `own` towards all routers of the group but `own`, `skip1` and `skip2`.
uint64_t local_ports_but(const Dragonfly& d, int own, int skip1, int skip2) {
  uint64_t map = 0;
  for (int s = 0; s < d.a(); ++s) {
    if (s != own && s != skip1 && s != skip2) map |= bit(d.local_port(own, s));
  }
  return map;
}

uint64_t own_global_map(const Dragonfly& d, uint32_t ports) { return static_cast<uint64_t>(ports) << d.first_global(); }

/// Zones N and B are alike at all ports, but only node ports may take a detour inside the group.
void fill_group(const Dragonfly& d, RouterId own, int port, int from, PortTables& t) {
  for (int n = 0; n < d.p(); ++n) t.a[n] = bit(n);
  for (int r = 0; r < d.a(); ++r) {
    if (r == own.bid || r == from) continue;
    t.a[d.p() + r] = bit(d.local_port(own.bid, r));
    if (d.port_class(port) == PortClass::node) t.b[r] = local_ports_but(d, own.bid, r, r);
  }
}

void fill_node_port(const Dragonfly& d, RouterId own, const ConfigurationPolicy& policy, PortTables& t) {
  for (int to = 0; to < d.g(); ++to) {
    if (to == own.gid) continue;
    const int direct = d.port_to_group(own.gid, to), attached = direct / d.h();
    GlobalEntryA min;
    min.own_router = attached == own.bid;
    if (!min.own_router) min.port = d.local_port(own.bid, attached);
    min.global_ports = 1u << (direct % d.h());
    t.a[d.p() + d.a() + to] = min.encode();

    GlobalEntryB nonmin;
    nonmin.own_global_ports = nonminimal_ports(d, own, to);
    const std::vector<int> ports = nonminimal_neighbours(d, own, to, policy);
    std::copy(ports.begin(), ports.end(), nonmin.port.begin());
    t.b[d.a() + to] = nonmin.encode();
  }
}

void fill_local_port(const Dragonfly& d, RouterId own, int from, const ConfigurationPolicy& policy, PortTables& t) {
  for (int to = 0; to < d.g(); ++to) {
    if (to == own.gid) continue;
    const int direct = d.port_to_group(own.gid, to), attached = direct / d.h();
    const uint64_t own_ports = own_global_map(d, nonminimal_ports(d, own, to));
    uint64_t& a = t.a[d.p() + d.a() + to];
    uint64_t& b = t.b[d.a() + to];
    if (attached == own.bid) {
      a = bit(d.global_port(direct % d.h()));
      if (policy.minimal_router == MinimalRouterPolicy::examples) b = own_ports;
    } else {
      b = own_ports;
      if (attached != from) b |= bit(d.local_port(own.bid, attached));
    }
  }
}

void fill_global_port(const Dragonfly& d, RouterId own, int from_group, PortTables& t) {
  for (int to = 0; to < d.g(); ++to) {
    if (to == own.gid || to == from_group) continue;
    const int direct = d.port_to_group(own.gid, to), attached = direct / d.h();
    if (attached == own.bid) {
      t.a[d.p() + d.a() + to] = bit(d.global_port(direct % d.h()));
    } else {
      t.a[d.p() + d.a() + to] = bit(d.local_port(own.bid, attached));
      t.b[d.a() + to] = local_ports_but(d, own.bid, attached, attached);
    }
  }
}

}  // namespace

std::vector<int> nonminimal_neighbours(const Dragonfly& d, RouterId own, int to, const ConfigurationPolicy& policy) {
  std::vector<int> candidates;
  const int attached = d.attached_router(own.gid, to);
  for (int s = 0; s < d.a(); ++s) {
    const bool listed = s != attached || policy.minimal_router == MinimalRouterPolicy::examples;
    if (s != own.bid && listed && nonminimal_ports(d, {own.gid, s}, to) != 0)
      candidates.push_back(d.local_port(own.bid, s));
  }
  const int n = static_cast<int>(candidates.size());
  if (n <= kNeighboursB) return candidates;
  std::vector<int> chosen;
  const int start = policy.neighbours == NeighbourPolicy::spread ? kNeighboursB * (to + own.bid) % n : 0;
  for (int k = 0; k < kNeighboursB; ++k) chosen.push_back(candidates[(start + k) % n]);
  return chosen;
}

PortTables configure(const Dragonfly& d, RouterId own, int port, const ConfigurationPolicy& policy) {
  PortTables t;
  t.a.resize(size_a(d));
  t.b.resize(size_b(d));
  t.c.resize(d.a());
  for (int r = 0; r < d.a(); ++r) {
    EntryC c;
    if (r != own.bid) c.port[0] = d.local_port(own.bid, r);
    t.c[r] = c.encode();
  }
  // An unset global entry still needs its "none" port numbers; 63 in every lpc field.
  const bool node = d.port_class(port) == PortClass::node;
  if (node) {
    t.a[d.p() + d.a() + own.gid] = GlobalEntryA{}.encode();
    t.b[d.a() + own.gid] = GlobalEntryB{}.encode();
  }
  const Dragonfly::Peer from = d.peer(own, port);
  const bool local = d.is_local_port(port);
  fill_group(d, own, port, local ? from.router.bid : -1, t);
  if (node) {
    fill_node_port(d, own, policy, t);
  } else if (local) {
    fill_local_port(d, own, from.router.bid, policy, t);
  } else if (from.connected) {
    fill_global_port(d, own, from.router.gid, t);
  }
  return t;
}

}  // namespace odonata::table
