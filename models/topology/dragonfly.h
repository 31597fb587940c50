// SPDX-License-Identifier: Apache-2.0
// The dragonfly topology (DOAR §2.1): addresses, port numbers, cabling in the direct and the absolute arrangement.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "models/common/error.h"

namespace odonata {

/// Global cabling. direct: group-wide port j of every group leads to group j. absolute: port j of group x leads to j <
/// x ? j : j+1.
enum class Arrangement { direct, absolute };
/// Class of a physical port; the values are the levels of the virtual-channel rule (node < local < global).
enum class PortClass { node = 0, local = 1, global = 2 };

std::string_view to_string(Arrangement arrangement);
std::string_view to_string(PortClass port_class);

inline constexpr int kNoPort = 63;              ///< the spare port number that means "none"
inline constexpr int kMaxNodesPerRouter = 16;   ///< p
inline constexpr int kMaxRoutersPerGroup = 32;  ///< a
inline constexpr int kMaxGlobalPorts = 16;      ///< h
inline constexpr int kMaxGroups = 512;          ///< g

/// A router: group and number inside the group.
struct RouterId {
  int gid = 0;  ///< 0..g-1, 9 bits
  int bid = 0;  ///< 0..a-1, 5 bits
  bool operator==(const RouterId&) const = default;
};

/// A node's address {gid, bid, nid}: 9 + 5 + 4 bits.
struct Address {
  int gid = 0;
  int bid = 0;
  int nid = 0;
  bool operator==(const Address&) const = default;
  RouterId router() const { return {gid, bid}; }
};

/// Parameters of dfly(p, a, h, g).
struct DragonflySize {
  int p = 0;  ///< nodes a router
  int a = 0;  ///< routers a group
  int h = 0;  ///< global ports a router
  int g = 0;  ///< groups
  bool operator==(const DragonflySize&) const = default;
};

/// dfly(p, a, h, g) with its cabling. Immutable; every method is a closed form.
class Dragonfly {
 public:
  /// Throws Error that names the parameter when a size is out of range (p 1..16, a 2..32, h 1..16, g 2..a*h+1, direct:
  /// g <= a*h).
  Dragonfly(DragonflySize size, Arrangement arrangement);
  /// The three sizes that matter: "tiny" (2,4,2,8) direct, "paper" (6,12,6,73) absolute, "full" (16,32,16,512) direct.
  static Dragonfly named(std::string_view name);
  /// Parses "p,a,h,g"; the arrangement is absolute when g = a*h+1, else direct. Throws Error.
  static Dragonfly parse(std::string_view text);

  const DragonflySize& size() const { return size_; }
  Arrangement arrangement() const { return arrangement_; }
  /// The same size with another arrangement, unchecked: what a hardware unit does when its configuration bit is
  /// written.
  Dragonfly with(Arrangement arrangement) const {
    Dragonfly d = *this;
    d.arrangement_ = arrangement;
    return d;
  }
  /// "dfly(2,4,2,8) direct"
  std::string name() const;

  int p() const { return size_.p; }
  int a() const { return size_.a; }
  int h() const { return size_.h; }
  int g() const { return size_.g; }
  int num_ports() const { return size_.p + size_.a - 1 + size_.h; }
  int group_ports() const { return size_.a * size_.h; }
  int num_routers() const { return size_.a * size_.g; }
  int num_nodes() const { return size_.p * num_routers(); }

  /// Number of a router, 0..num_routers-1, group by group; and back.
  int router_index(RouterId r) const { return r.gid * size_.a + r.bid; }
  RouterId router(int index) const { return {index / size_.a, index % size_.a}; }
  /// Number of a node, 0..num_nodes-1; and back.
  int node_index(const Address& n) const { return router_index(n.router()) * size_.p + n.nid; }
  Address node(int index) const {
    const RouterId r = router(index / size_.p);
    return {r.gid, r.bid, index % size_.p};
  }
  bool contains(const Address& n) const {
    return n.gid >= 0 && n.gid < g() && n.bid >= 0 && n.bid < a() && n.nid >= 0 && n.nid < p();
  }

  // Physical ports of a router: node 0..p-1, local p..p+a-2 (neighbour bids ascending, own skipped), global from p+a-1.
  PortClass port_class(int port) const {
    return port < first_local() ? PortClass::node : port < first_global() ? PortClass::local : PortClass::global;
  }
  int first_local() const { return size_.p; }
  int first_global() const { return size_.p + size_.a - 1; }
  bool is_local_port(int port) const { return port >= first_local() && port < first_global(); }
  /// The local port of router `own` that leads to router `other` of its group; other != own.
  int local_port(int own, int other) const { return size_.p + (other < own ? other : other - 1); }
  /// The router that local port `port` of router `own` leads to.
  int neighbour(int own, int port) const {
    const int k = port - size_.p;
    return k < own ? k : k + 1;
  }
  int global_port(int i) const { return first_global() + i; }

  // Group-wide global ports 0..a*h-1; port j belongs to router j / h.
  /// The group that group-wide port j of group gid leads to, or -1 when it is not cabled.
  int group_of_port(int gid, int j) const;
  /// The group-wide port of group gid that leads to group `to`; to != gid.
  int port_to_group(int gid, int to) const { return arrangement_ == Arrangement::direct || to < gid ? to : to - 1; }
  /// The router of group gid that is attached to group `to` (R_m); to != gid.
  int attached_router(int gid, int to) const { return port_to_group(gid, to) / size_.h; }
  bool usable(int gid, int j) const { return group_of_port(gid, j) >= 0; }

  /// What a cable connects: the other end of a local or global port.
  struct Peer {
    bool connected = false;
    RouterId router;
    int port = kNoPort;
  };
  /// The other end of a local or global port; not connected for node ports and uncabled global ports.
  Peer peer(RouterId router, int port) const;

 private:
  DragonflySize size_;
  Arrangement arrangement_;
};

}  // namespace odonata
