// SPDX-License-Identifier: Apache-2.0
// DOAR by its golden models: route_compute decides at every input port on that port's tables A, B, C and LFSR and on the maps of the congestion
// plane of the group. Nothing of the algorithm is written here. docs/network.md §5.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "models/congestion/sparse_plane.h"
#include "models/route_compute/fast.h"
#include "sim/network/policy.h"

namespace odonata::network {

class Doar {
 public:
  static constexpr int kVcs = route_compute::kNumVcs;
  static constexpr int kMaxVcs = 4;
  static constexpr bool kAsks = false;
  static constexpr bool kMonitors = true;
  static constexpr bool kOrdered = true;

  Doar(const Context& context, int domain);

  void begin_cycle(uint32_t cycle) {
    plane_.begin_cycle(cycle);
    in_sample_ = context_.in_sample(cycle);
  }
  void credit(int output) { plane_.credit(output); }
  void settle() { plane_.settle(); }
  void sent(int output, uint32_t, uint32_t departed) { plane_.sent(output, departed); }
  void departs(int router, int port, uint32_t cycle, bool tail) { plane_.departs(router, port, cycle, tail); }

  [[gnu::always_inline]] Route route(const Flit& flit, const Place& at) {
    const Row row = row_of(flit.dest, at.router);
    return kept(decide(flit, at, row.zone, rows_[port_[at.input].first_row + static_cast<size_t>(row.index)], draw(at)));
  }
  /// Counts a decision.
  Route kept(const route_compute::Decision& decision) {
    decisions_[in_sample_][static_cast<int>(decision.hop_class)] += 1;
    if (decision.port == kNoPort) [[unlikely]]
      return {};
    return {decision.port, decision.vc};
  }

  /// The words of tables A and B that a destination meets at an input port: the one place through which tables are read.
  route_compute::Entries entries(int router, int port, int row) const {
    return rows_[port_[router * ports_ + port].first_row + static_cast<size_t>(row)];
  }
  /// Changes them (a fault, a repair). Node ports of a router share their rows.
  void set_entries(int router, int port, int row, const route_compute::Entries& entries) {
    rows_[port_[router * ports_ + port].first_row + static_cast<size_t>(row)] = entries;
  }
  /// Configuration of the units at the node ports of a router, table C included.
  route_compute::UnitConfig& unit(int router) { return units_[router]; }
  congestion::SparsePlane& plane() { return plane_; }
  /// Where a destination lies in table A: zones N, B, G.
  struct Row {
    table::Zone zone;
    int index;
  };
  Row row_of(uint32_t dest, int router) const {
    if (gid_of(dest) != gid_) return {table::Zone::global, row_global_ + gid_of(dest)};
    if (bid_of(dest) != router) return {table::Zone::group_local, row_local_ + bid_of(dest)};
    return {table::Zone::node, nid_of(dest)};
  }

  /// Decisions in the sample by hop class.
  const std::array<uint64_t, 8>& decisions() const { return decisions_[1]; }
  template <class Visit>
  void visit_state(Visit&& visit) {
    plane_.visit_state(visit);
    visit(rows_), visit(port_);
    for (auto& half : decisions_) {
      for (uint64_t& n : half) visit(n);
    }
  }
  size_t bytes() const { return plane_.bytes() + rows_.size() * sizeof(rows_[0]) + units_.size() * sizeof(units_[0]) + port_.size() * sizeof(Port); }

 protected:
  /// What belongs to an input port's route-compute unit beside its tables.
  struct Port {
    uint32_t first_row = 0;  // in rows_; node ports of a router share their rows
    uint16_t lfsr = 0;
    route_compute::NextVc next_vc;
  };
  /// The LFSR value of a request; the LFSR advances.
  uint16_t draw(const Place& at) {
    uint16_t& state = port_[at.input].lfsr;
    const uint16_t lfsr = state;
    state = route_compute::lfsr_next(lfsr);
    return lfsr;
  }
  /// Algorithm 1 with the virtual-channel rule, on the words of tables A and B that the destination meets.
  [[gnu::always_inline]] route_compute::Decision decide(const Flit& flit, const Place& at, table::Zone zone, const route_compute::Entries& words,
                                                        uint16_t lfsr) const {
    using namespace route_compute;
    const PortMap cong_local = plane_.cong_local(at.router);
    Decision decision;
    if (zone == table::Zone::global && at.port < nodes_) {
      const GroupMap& global = plane_.cong_global(at.router, at.port);
      if (decide_minimal(units_[static_cast<size_t>(at.router)], words, cong_local, global, lfsr, decision)) return decision;
      return decide_any(flit, at, words, global, lfsr);
    }
    decision = decide_local(maps_, zone, gid_of(flit.source) != gid_, words, cong_local, lfsr);
    if (decision.port == kNoPort) [[unlikely]]
      return decision;
    const int vc = port_[at.input].next_vc(decision.port, at.vc);
    decision.vc = static_cast<uint8_t>(vc);
    if (vc >= kNumVcs) [[unlikely]]
      return Decision{};
    return decision;
  }
  /// The golden model itself.
  route_compute::Decision decide_any(const Flit& flit, const Place& at, const route_compute::Entries& words, const GroupMap& global,
                                     uint16_t lfsr) const;

  const Context& context_;
  route_compute::PortMaps maps_;
  int gid_, ports_, nodes_, first_global_, slots_, row_local_, row_global_, row_count_;
  bool in_sample_ = false;
  congestion::SparsePlane plane_;
  std::vector<route_compute::Entries> rows_;      // [router][slot][row]; slot 0: the node ports, then a slot a port
  std::vector<route_compute::UnitConfig> units_;  // by router: at its node ports
  std::vector<Port> port_;                        // by port index
  std::array<uint64_t, 8> decisions_[2] = {};
};

}  // namespace odonata::network
