// SPDX-License-Identifier: Apache-2.0
// The lists of --congested and --failed: which ports or links of the network are meant.
#pragma once

#include <string>
#include <vector>

#include "models/route_compute/decide.h"

namespace odonata::cli {

/// An output port of a router.
struct RouterPort {
  RouterId router;
  int port = 0;
  bool operator==(const RouterPort&) const = default;
};

/// How the items are written, for --help and the documentation.
inline constexpr const char* kLinkListHelp =
    "Lists are separated by commas; an item is\n"
    "  g3.r1.p17      output port 17 of router 1 in group 3\n"
    "  g3.r1.local    all local output ports of that router (g3.r1.global: all cabled global ones)\n"
    "  local:G0.s1-s3 the local link between routers 1 and 3 of group 0, both directions\n"
    "  global:G0-G2   the global link between groups 0 and 2, both directions\n"
    "  all            every local and global port\n"
    "  random:0.3     every local and global port with probability 0.3, drawn by --seed (--failed: every link)\n";

/// The output ports that the items name, in the order written. Throws Error "option: ..." for an item that names
/// nothing.
std::vector<RouterPort> parse_ports(const Dragonfly& d, const std::string& option,
                                    const std::vector<std::string>& items, uint64_t seed);
/// The links that the items name, each once, by one of its ends. Node ports have no link; `all` is refused.
std::vector<RouterPort> parse_links(const Dragonfly& d, const std::string& option,
                                    const std::vector<std::string>& items, uint64_t seed);

/// What every router of a network sees of congestion: its own ports, and the global ports of its whole group.
class CongestionMaps {
 public:
  explicit CongestionMaps(const Dragonfly& d) : d_(d), local_(d.num_routers()), global_(d.g()) {}
  /// Marks an output port: in its router's local map and, if it is a global port, in the group map of all routers of
  /// its group.
  void mark(const RouterPort& at);
  route_compute::Congestion seen_by(RouterId router) const {
    return {local_[d_.router_index(router)], global_[router.gid]};
  }

 private:
  Dragonfly d_;
  std::vector<PortMap> local_;
  std::vector<GroupMap> global_;
};

}  // namespace odonata::cli
