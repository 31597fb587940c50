// SPDX-License-Identifier: Apache-2.0
// DOAR by its golden models: route_compute decides at every input port on that port's tables A, B, C and LFSR and on
// the maps of the congestion plane of the group. Nothing of the algorithm is written here. docs/network.md §5.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "models/congestion/sparse_plane.h"
#include "models/route_compute/shortcuts.h"
#include "sim/network/policies/common/table_words.h"
#include "sim/network/topologies/dragonfly.h"

namespace odonata::network {

struct Parameter;

inline constexpr const char* kDoarStable =
    "doar_stable";  ///< the routing that has a second plane (policies/doar_stable.h)
inline constexpr const char* kDoarText =
    "DOAR: golden route compute on tables A, B, C and the maps of the congestion plane";

/// Routing::ignores of DOAR as printed.
bool of_second_plane(const Parameter& parameter);

class Doar {
 protected:
  /// What belongs to an input port's route-compute unit beside its tables.
  struct Port {
    uint32_t first_row = 0;  // in rows_a_, rows_b_
    uint16_t lfsr = 0;
    uint16_t port_class = 0;
  };
  /// RTA's minimal class at the node ports where it is one local port that leads to one router: what of it does not
  /// change.
  struct Way {
    uint16_t global_ports = 0;  // of that router that can be used; 0: there is no such way
    uint16_t at = 0;            // where that router's bits begin in the map of the group
    uint8_t port = 0;           // the local port
  };

 public:
  static constexpr int kVcs = route_compute::kNumVcs;
  static constexpr int kMaxVcs = 4;
  static constexpr bool kAsks = false;
  static constexpr bool kMonitors = true;
  static constexpr bool kOrderFree = true;

  Doar(const Context& context, int domain) : Doar(context, domain, false) {}

  static bool order_kept(const Channel& in, const Channel& out) { return dragonfly_order_kept(in, out); }
  void begin_cycle(uint32_t cycle) {
    plane_.begin_cycle(cycle);
    decided_ = decisions_[context_.in_sample(cycle)].data();
  }
  [[gnu::always_inline]] void credit(int output) { plane_.credit(output); }
  void settle() { plane_.settle(); }
  [[gnu::always_inline]] void sent(int output, bool, uint32_t, uint32_t departed) { plane_.sent(output, departed); }
  void rides(int output, uint32_t cycle) { plane_.rides(output, cycle); }

  [[gnu::always_inline]] Route route(const Flit& flit, const Place& at) {
    const Row row = row_of(flit.dest, at.router);
    return route_entry(flit, at, row.zone, port_[at.input].first_row + static_cast<size_t>(row.index));
  }
  /// The decision on the words at `entry`.
  [[gnu::always_inline]] Route route_entry(const Flit& flit, const Place& at, table::Zone zone, size_t entry) {
    const uint16_t lfsr = draw(at);
    if (zone == table::Zone::global && at.port < nodes_) return route_minimal(flit, at, entry, lfsr);
    // RTB, nearly always with a free port of table A
    const int output = route_compute::pick_free_a(maps_, rows_a_[entry], plane_.cong_local(at.router), lfsr);
    const int vc = next_vc_[port_[at.input].port_class](output, at.vc);
    if (output == kNoPort || vc >= route_compute::kNumVcs) [[unlikely]]
      return route_any(flit, at, zone, entry, lfsr);
    ++decided_[static_cast<int>(route_compute::HopClass::le)];
    return {static_cast<uint8_t>(output), static_cast<uint8_t>(vc)};
  }
  /// The decisions of one cycle. RTB, nearly always with a free port of table A; everything else by route_any() and
  /// route_minimal().
  class Batch {
   public:
    using Of = Doar;
    explicit Batch(Doar& doar)
        : doar_(doar),
          numbers_(doar.rows_a_.numbers()),
          words_(doar.rows_a_.words()),
          ports_(doar.port_.data()),
          visible_(doar.plane_.visible()),
          all_(doar.maps_.all),
          gid_(static_cast<uint32_t>(doar.gid_)),
          row_local_(static_cast<uint32_t>(doar.row_local_)),
          row_global_(static_cast<uint32_t>(doar.row_global_)),
          h_(static_cast<uint32_t>(doar.h_)),
          groups_(static_cast<uint32_t>(doar.row_count_ - doar.row_global_)),
          ways_(doar.ways_.data()) {}
    template <LinkKind kFrom>
    [[gnu::always_inline]] Route route(Flit& flit, const Place& at) {
      Port& port = ports_[at.input];
      const uint16_t lfsr = port.lfsr;
      port.lfsr = lfsr_next(lfsr);
      const uint32_t entry =
          port.first_row + table_row(flit.dest, gid_, static_cast<uint32_t>(at.router), row_local_, row_global_);
      if constexpr (kFrom == LinkKind::node) {
        if (const uint32_t gid = flit.dest >> 9; gid != gid_) {
          const Way way = ways_[static_cast<uint32_t>(at.router) * groups_ + gid];
          const uint32_t open =
              way.global_ports & ~doar_.plane_.cong_global(at.router, at.port).field(way.at, static_cast<int>(h_));
          if (open == 0 || (visible_[at.router] >> way.port & 1) != 0) [[unlikely]]
            return doar_.route_minimal(flit, at, entry, lfsr);
          ++minimal_;
          return {way.port, 0};
        }
      }
      const PortMap free = words_[numbers_[entry]] & all_ & ~visible_[at.router];
      if (free != 0) [[likely]] {
        const int output = route_compute::pick_word(free, lfsr);
        const int vc = doar_.next_vc_[static_cast<size_t>(port_class_of(kFrom))](output, at.vc);
        if (vc < route_compute::kNumVcs) [[likely]] {
          ++free_;
          return {static_cast<uint8_t>(output), static_cast<uint8_t>(vc)};
        }
      }
      return doar_.route_any(flit, at, doar_.row_of(flit.dest, at.router).zone, entry, lfsr);
    }
    void finish() {
      doar_.decided_[static_cast<int>(route_compute::HopClass::le)] += free_;
      doar_.decided_[static_cast<int>(route_compute::HopClass::ga)] += minimal_;
    }

   private:
    Doar& doar_;
    const uint16_t* numbers_;
    const uint64_t* words_;
    Port* ports_;
    const PortMap* visible_;
    PortMap all_;
    uint32_t gid_, row_local_, row_global_, h_, groups_;
    const Way* ways_;
    uint64_t free_ = 0, minimal_ = 0;  // decisions for a free port of table A, for a free way of RTA
  };
  Batch batch() { return Batch(*this); }
  /// Counts a decision.
  Route kept(const route_compute::Decision& decision) {
    ++decided_[static_cast<int>(decision.hop_class)];
    if (decision.port == kNoPort) [[unlikely]]
      return {};
    return {decision.port, decision.vc};
  }

  /// The words of tables A and B that a destination meets at an input port. Side 1 (packets in transit through the
  /// group) only where rows have sides.
  route_compute::Entries entries(int router, int port, int row, bool side = false) const {
    const size_t entry = entry_of(router, port, row, side);
    return {rows_a_[entry], rows_b_[entry]};
  }
  /// Changes them (a fault, a repair).
  void set_entries(int router, int port, int row, const route_compute::Entries& entries, bool side = false) {
    const size_t entry = entry_of(router, port, row, side);
    rows_a_.set(entry, entries.a), rows_b_.set(entry, entries.b);
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
    if (busy_ != nullptr) busy_->visit_state(visit);
    rows_a_.visit_state(visit), rows_b_.visit_state(visit);
    if constexpr (kReadsState<Visit>) {
      std::vector<Port> read = port_;
      visit_sized(visit, read, "units of input ports");
      take_units(read);
    } else {
      visit(port_);
    }
    for (auto& half : decisions_) {
      for (uint64_t& n : half) visit(n);
    }
  }
  /// What was read, after so many cycles.
  void check_state(uint32_t cycles) const {
    plane_.check_cycles(cycles);
    if (busy_ != nullptr) busy_->check_cycles(cycles);
  }
  /// What a window touches in any case, or nearly; of changing tables only little.
  template <class Visit, class See>
  void visit_hot(Visit&& visit, See&& see) {
    plane_.visit_hot(visit, see);
    if (busy_ != nullptr) busy_->visit_hot(visit, see);
    visit(port_), visit(ways_);
    if (side_ == 0) rows_a_.visit_state(visit);
  }
  size_t bytes() const {
    return plane_.bytes() + (busy_ == nullptr ? 0 : busy_->bytes()) + rows_a_.bytes() + rows_b_.bytes() +
           units_.size() * sizeof(units_[0]) + ways_.size() * sizeof(Way) + port_.size() * sizeof(Port);
  }

 protected:
  /// `sided`: every port has rows of its own, and they have two sides; otherwise the node ports of a router share
  /// theirs.
  Doar(const Context& context, int domain, bool sided);
  /// Fills the rows of a router as configured.
  void configure(int router);
  void find_ways(int router);
  void take_units(const std::vector<Port>& read);
  size_t entry_of(int router, int port, int row, bool side) const {
    return port_[static_cast<size_t>(router * ports_ + port)].first_row + static_cast<size_t>(row) + (side ? side_ : 0);
  }

  /// The LFSR value of a request; the LFSR advances.
  uint16_t draw(const Place& at) {
    uint16_t& state = port_[at.input].lfsr;
    const uint16_t lfsr = state;
    state = lfsr_next(lfsr);
    return lfsr;
  }
  /// Algorithm 1 with the virtual-channel rule, on the words of tables A and B that the destination meets.
  route_compute::Decision decide(const Flit& flit, const Place& at, table::Zone zone,
                                 const route_compute::Entries& words, uint16_t lfsr) const {
    using namespace route_compute;
    const PortMap cong_local = plane_.cong_local(at.router);
    Decision decision;
    if (zone == table::Zone::global && at.port < nodes_) {
      const GroupMap& global = plane_.cong_global(at.router, at.port);
      if (decide_minimal(units_[static_cast<size_t>(at.router)], words, cong_local, global, lfsr, decision))
        return decision;
      return decide_any(flit, at, words, lfsr);
    }
    const PortMap busy = busy_ == nullptr ? cong_local : busy_->cong_local(at.router);
    decision = decide_local(maps_, zone, gid_of(flit.source) != gid_, words, cong_local, busy, busy_ != nullptr, lfsr);
    if (decision.port == kNoPort) [[unlikely]]
      return decision;
    const int vc = next_vc_[port_[at.input].port_class](decision.port, at.vc);
    decision.vc = static_cast<uint8_t>(vc);
    if (vc >= kNumVcs) [[unlikely]]
      return Decision{};
    return decision;
  }
  /// What a decision looks at.
  route_compute::Congestion seen(const Place& at) const;
  /// The golden model itself.
  route_compute::Decision decide_any(const Flit& flit, const Place& at, const route_compute::Entries& words,
                                     uint16_t lfsr) const;

  /// RTA, nearly always with a free port of the minimal class.
  [[gnu::noinline]] Route route_minimal(const Flit& flit, Place at, size_t entry, uint16_t lfsr) {
    int router = 0;
    const int output =
        route_compute::pick_minimal(units_[static_cast<size_t>(at.router)], rows_a_[entry],
                                    plane_.cong_local(at.router), plane_.cong_global(at.router, at.port), lfsr, router);
    if (output == kNoPort) [[unlikely]]
      return route_any(flit, at, table::Zone::global, entry, lfsr);
    ++decided_[static_cast<int>(route_compute::HopClass::ga)];
    return {static_cast<uint8_t>(output), 0};
  }
  [[gnu::noinline]] Route route_any(const Flit& flit, Place at, table::Zone zone, size_t entry, uint16_t lfsr) {
    return kept(decide(flit, at, zone, {rows_a_[entry], rows_b_[entry]}, lfsr));
  }

  const Context& context_;
  route_compute::PortMaps maps_;
  std::array<route_compute::NextVc, 3> next_vc_;  // by class of the input port
  int gid_, ports_, nodes_, h_, first_global_, slots_, row_local_, row_global_, row_count_;
  size_t side_;  // distance of the rows of side 1, 0: they have no sides
  congestion::SparsePlane plane_;
  std::unique_ptr<congestion::SparsePlane> busy_;  // doar_stable: by the second thresholds
  TableWords rows_a_, rows_b_;  // [side][router][slot][row]; slot: a port, or 0: the node ports, then a slot a port
  std::vector<route_compute::UnitConfig> units_;  // by router: at its node ports
  std::vector<Way> ways_;                         // by router and group: of configured tables, which never change
  std::vector<Port> port_;                        // by port index
  std::array<uint64_t, 8> decisions_[2] = {};
  uint64_t* decided_ = decisions_[0].data();  // those of the present cycle
};

}  // namespace odonata::network
