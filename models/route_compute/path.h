// SPDX-License-Identifier: Apache-2.0
// Following decisions router by router through a whole network (DOAR Fig. 7(b), (c)).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/route_compute/explain.h"
#include "models/table/configuration.h"

namespace odonata::route_compute {

inline constexpr int kMaxHops = 6;  ///< LG-LL-GL

/// The configured tables of a network, made on demand; a failed link is taken out of the tables of the two routers at
/// its ends only (what the routers know before any diagnosis message has travelled).
class NetworkTables {
 public:
  explicit NetworkTables(const Dragonfly& d, table::ConfigurationPolicy policy = {}) : d_(d), policy_(policy) {}

  const Dragonfly& dragonfly() const { return d_; }
  const table::ConfigurationPolicy& policy() const { return policy_; }
  /// Tables of an input port. Node ports of a router share one set.
  const table::PortTables& tables(RouterId router, int port);
  /// A unit's configuration at that port.
  const UnitConfig& config(RouterId router, int port);
  /// The entries that a request meets at that port.
  Entries entries(RouterId router, int port, const Decoded& decoded);
  /// Takes a local or global link out at both ends. Throws Error when the port has no link.
  void fail_link(RouterId router, int port);
  bool failed(RouterId router, int port) const { return (failed_ports(router) >> port & 1) != 0; }
  /// Map of a router's failed ports.
  PortMap failed_ports(RouterId router) const;

 private:
  struct Slot {
    table::PortTables tables;
    UnitConfig config;
  };
  Slot& slot(RouterId router, int port);
  Dragonfly d_;
  table::ConfigurationPolicy policy_;
  std::vector<std::vector<std::unique_ptr<Slot>>> slots_;  // by router, then by port (node ports in slot 0)
  std::vector<PortMap> failed_;
};

/// Takes a failed output port out of the tables of an input port of the same router: the local step of Alg. 2.
void remove_option(const Dragonfly& d, PortClass in_class, int failed_port, table::PortTables& tables);

/// One router on a path.
struct Hop {
  RouterId router;
  int in_port = 0;
  int vc_in = 0;
  DecisionRecord record;
};
enum class Outcome { delivered, unroutable, too_long, lost_on_failed_link };
struct Path {
  std::vector<Hop> hops;  ///< the last one is where the packet left the network or was lost
  Outcome outcome = Outcome::too_long;
  int links() const { return static_cast<int>(hops.size()) - 1; }
  /// The links taken as the paper writes them: "L-G-L" minimal, "LG-LL-GL" non-minimal, "L-L" inside a group.
  std::string shape(const Dragonfly& d) const;
};

/// What a router sees of congestion when a packet passes.
using CongestionSource = std::function<Congestion(RouterId)>;

/// Follows a packet from its node to its destination. LFSR values are drawn from `seed`.
Path follow(NetworkTables& network, const Address& from, const Address& to, const CongestionSource& congestion,
            uint64_t seed);

}  // namespace odonata::route_compute
