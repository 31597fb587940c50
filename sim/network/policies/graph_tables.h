// SPDX-License-Identifier: Apache-2.0
// Routing by tables on any network: up*/down*, shortest paths, or tables of the user (models/topology/graph.h). One
// virtual channel is enough; a packet keeps the one that it enters on unless the table says otherwise, so that several
// are as many networks on the same links.
#pragma once

#include "sim/network/policy.h"
#include "sim/network/topologies/graph.h"

namespace odonata::network {

class TableRouting {
 public:
  static constexpr int kVcs = 1;
  static constexpr int kMaxVcs = 8;
  static constexpr bool kAsks = false;
  static constexpr bool kMonitors = false;
  static constexpr bool kOrderFree = true;
  static constexpr bool kPieces = true;

  TableRouting(const Context& context, int domain);
  void begin_cycle(uint32_t) {}
  /// up*/down*: no link up after a link down.
  bool order_kept(const Channel& in, const Channel& out) const;
  Route route(const Flit& flit, const Place& at) const {
    const GraphTables::Entry e =
        entries_[came_down_[at.input]][static_cast<size_t>(at.router) * nodes_ + node_of_[flit.dest]];
    return {e.port, e.vc == GraphTables::kNone ? static_cast<uint8_t>(at.vc) : e.vc};
  }
  std::string describe_wait(int router, int port, int vc, uint32_t dest, int out_port) const;
  template <class Visit>
  void visit_state(Visit&&) {}
  size_t bytes() const {
    return (entries_[0].size() + entries_[1].size()) * sizeof(GraphTables::Entry) + node_of_.size() * 4;
  }

 private:
  const GraphTopology& topology_;
  const GraphTables& tables_;
  std::vector<int> switches_;  // by router; -1: it only fills up the domain
  size_t nodes_;
  std::vector<GraphTables::Entry> entries_[2];  // [came down][router][node]
  std::vector<uint8_t> came_down_;              // by input port
  std::vector<uint32_t> node_of_;               // by address
};

}  // namespace odonata::network
