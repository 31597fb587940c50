// SPDX-License-Identifier: Apache-2.0
// A topology as the engine sees it: routers with ports, what each port is cabled to, and which routers form a domain
// (docs/network.md §4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace odonata::network {

/// Where an output port leads.
enum class LinkKind : uint8_t {
  none,     ///< not cabled
  node,     ///< to a node
  inside,   ///< to a router of the same domain
  between,  ///< to a router of another domain
};

/// A port: its input buffer and its output link, which always come together.
struct PortWire {
  LinkKind kind = LinkKind::none;
  uint8_t port_class = 0;  ///< in Config::links; 0: node ports
  uint8_t peer_port = 0;   ///< port of the router at the other end
  uint16_t latency = 0;    ///< cycles, both directions
  uint16_t buffer = 0;     ///< flits per VC of the input buffer at this port
  uint32_t peer = 0;       ///< router at the other end, over all domains; node ports: number of the node
  uint32_t address = 0;    ///< node ports: the node's packed address (Flit::source, Flit::dest)
};

/// The ports of all domains, or after keep() of some of them, by number over all.
class PortWires {
 public:
  void reserve(std::size_t count) { list_.reserve(count); }
  void push_back(const PortWire& wire) {
    list_.push_back(wire);
    ++size_;
  }
  std::size_t size() const { return size_; }  ///< also of those that are not kept
  std::size_t bytes() const { return list_.capacity() * sizeof(PortWire) + first_.capacity() * sizeof(std::size_t); }
  const PortWire& operator[](std::size_t port) const {
    return list_[first_.empty() ? port : first_[port / block_] + port % block_];
  }
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }
  /// The least latency between domains (0: there is only one), and the largest of all; of those that are not kept as
  /// well.
  int lookahead() const;
  int longest() const;
  /// Forgets all blocks of `block` ports but these, which rise. The ports of the others may not be asked for any more.
  void keep(std::size_t block, const std::vector<int>& blocks);

 private:
  std::vector<PortWire> list_;
  std::size_t size_ = 0, block_ = 0;
  std::vector<std::size_t> first_;     // by block; empty: all are here
  int lookahead_ = -1, longest_ = -1;  // since keep()
};

/// Routers are numbered domain by domain.
struct Wiring {
  int domains = 0;
  int routers = 0;  ///< of a domain
  int ports = 0;    ///< of a router
  int nodes = 0;    ///< of the network
  PortWires wire;   ///< [router over all domains * ports + port]
  /// After cut(): of every router its number in the whole network, -1 for those that only fill up a domain. Empty: the
  /// domains are the topology's own.
  std::vector<int> names = {};

  /// Whether domains are pieces of a network that has none of its own. No result shows where they are.
  bool is_cut() const { return !names.empty(); }
  /// The number of a router in the whole network.
  int name(int router) const { return names.empty() ? router : names[static_cast<std::size_t>(router)]; }
  /// Of the whole network, without those that only fill up a domain.
  int network_routers() const;
  /// The routers of a domain by these numbers, rising.
  std::vector<int> routers_of(int domain) const;
  const PortWire& at(int router, int port) const { return wire[static_cast<std::size_t>(router) * ports + port]; }
  /// Cycles for which domains may run without hearing of each other; 0 when there is only one.
  int lookahead() const { return wire.lookahead(); }
  /// The nodes' packed addresses, by number. Before keep().
  std::vector<uint32_t> addresses() const;
  /// Forgets the ports of all domains but these, which rise.
  void keep(const std::vector<int>& own) {
    wire.keep(static_cast<std::size_t>(routers) * static_cast<std::size_t>(ports), own);
  }
};

/// A network of one domain in several: `domain_of` has the domain of every router; each has one at least.
Wiring cut(const Wiring& whole, const std::vector<int>& domain_of);
/// Runs of `count` routers (switches, ..) of nearly the same length, at most `domains`: the domain of each.
std::vector<int> in_runs(int count, int domains);

}  // namespace odonata::network
