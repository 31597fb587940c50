// SPDX-License-Identifier: Apache-2.0
// What the routing algorithms on a mesh have in common: names and properties, numbering of ports, what is remembered of
// every output, and the choice of one output among several (the selection function S of D2RA Def. 6). docs/mesh.md.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/arb_request/mesh.h"
#include "models/arb_request/select.h"
#include "models/common/random.h"
#include "models/common/state_check.h"
#include "sim/network/policy.h"
#include "sim/network/routing.h"
#include "sim/network/topologies/mesh.h"

namespace odonata::network {

/// Routing algorithms on a mesh.
enum class MeshRouting : uint8_t {
  dor,
  dbra,
  d2ra,
  dyxy_d2ra,
  footprint_d2ra,
  duato,
  dyxy,
  footprint,
  dbra_lowered,
  mixed_dor
};

struct MeshRoutingInfo {
  std::string_view name;
  int vcs;      ///< least virtual channels of a link in n dimensions: this, or n where it is 0
  bool escape;  ///< MeshEscape (Duato's escape channel), else MeshRequests (request logic of models/arb_request)
  bool slots;   ///< a virtual channel holds one packet: a packet slot
  bool safe;    ///< free of deadlock; the others are here to be caught
  std::string_view text;
};
inline constexpr MeshRoutingInfo kMeshRoutings[] = {
    {"dor", 1, false, false, true, "dimension order, lowest dimension first (D2RA eq. 9, 10)"},
    {"dbra", 0, false, true, true, "DBRA: any minimal output with z free packet slots (D2RA eq. 6-8)"},
    {"d2ra", 1, false, true, true, "D2RA: DBRA, or dimension order into the last slots (D2RA eq. 11-13)"},
    {"dyxy_d2ra", 1, false, true, true, "D2RA that prefers the less occupied neighbour (DyXY)"},
    {"footprint_d2ra", 1, false, true, true, "D2RA that prefers idle outputs and footprints (Footprint)"},
    {"duato", 2, true, false, true, "any minimal output; VC 0 is the dimension-order escape channel"},
    {"dyxy", 2, true, false, true, "the less occupied minimal neighbour; escape channel as duato"},
    {"footprint", 2, true, false, true, "idle outputs and footprints; escape channel as duato"},
    {"dbra_lowered", 1, false, true, false, "UNSAFE: DBRA with z - 1 slots"},
    {"mixed_dor", 1, false, true, false,
     "UNSAFE: ascending and descending dimension order in one network (D2RA Fig. 5)"},
};
/// Null for a name that is none of them.
inline const MeshRoutingInfo* find_mesh_routing(std::string_view name) {
  for (const MeshRoutingInfo& i : kMeshRoutings) {
    if (i.name == name) return &i;
  }
  return nullptr;
}
inline const MeshRoutingInfo& info(MeshRouting routing) { return kMeshRoutings[static_cast<int>(routing)]; }

/// Those with or without an escape channel, to be registered with the engine that runs them.
std::vector<Routing> mesh_routings(bool escape, std::unique_ptr<Simulation> (*make)(const Config&));

/// Everything that a mesh policy needs to know of a run.
struct MeshSetup {
  arb_request::Mesh mesh;
  MeshRouting routing = MeshRouting::d2ra;
  arb_request::Policy selection = arb_request::Policy::kRoundRobin;  ///< where the algorithm leaves it open
  int vcs = 3;
  VcReuse reuse = VcReuse::own;
  bool equal_escape = false;  ///< RequestParameters::equal_escape
  bool cut_through = false;   ///< a head needs room for its packet, else (wormhole) for a flit
  uint64_t seed = 1;
  int first = 0, routers = mesh.routers();  ///< of the domain: first..first+routers-1
};

/// The setup of a domain of a run.
inline MeshSetup mesh_setup(const Context& context, int domain) {
  const Config& config = context.config;
  const std::vector<int> routers = context.wiring.routers_of(domain);
  return {mesh_of(config),
          static_cast<MeshRouting>(find_mesh_routing(config.routing) - kMeshRoutings),
          config.requests.selection,
          config.router.vcs,
          config.requests.reuse,
          config.requests.equal_escape,
          config.router.switching == Switching::cut_through,
          config.seed,
          routers.front(),
          static_cast<int>(routers.size())};
}

/// Ports of a mesh router: 2 * dimension + minus towards the neighbour in that direction, 2n the node.
inline int mesh_port(int dimension, bool minus) { return 2 * dimension + (minus ? 1 : 0); }
/// The output of a request in a dimension.
inline int mesh_port(const arb_request::Requests& requests, int dimension) {
  return mesh_port(dimension, (requests.plus >> dimension & 1) == 0);
}

/// The outputs of the routers of a domain as its policies see them, and the state of the choice at every input port.
/// Routers are counted in the domain.
class MeshState {
 public:
  static constexpr int kMaxVcs = 8;

  explicit MeshState(const MeshSetup& setup)
      : n_(setup.mesh.dimensions()),
        ports_(2 * n_ + 1),
        all_((1u << setup.vcs) - 1),
        vcs_(setup.vcs),
        first_(setup.first),
        routers_(setup.routers),
        counts_(!info(setup.routing).escape || setup.selection == arb_request::Policy::kMostCredits) {
    for (int r = 0; r < setup.mesh.routers(); ++r) lanes_.push_back(setup.mesh.lanes(r));
    const size_t routers = static_cast<size_t>(routers_), ports = routers * static_cast<size_t>(ports_);
    idle_.assign(ports, static_cast<uint8_t>(all_));
    slots_.assign(routers * 2, static_cast<arb_request::Lanes>(vcs_) * arb_request::detail::kOnes);
    dest_.assign(ports * kMaxVcs, kNobody);
    few_.assign(routers, 0);
    for (int r = 0; r < routers_; ++r) {
      for (int port = 0; port < 2 * std::min(n_, kCountable); ++port) count_few(r, port);
    }
    const size_t first_port = static_cast<size_t>(first_) * static_cast<size_t>(ports_);
    for (size_t i = first_port; i < first_port + ports; ++i) {
      arb_request::Selector selector;
      selector.lfsr = static_cast<uint16_t>(1 + mix_seed(setup.seed, 0x6D657368, i) % 0xFFFF);
      selector.dimension_pointer = static_cast<uint8_t>(i % static_cast<size_t>(n_));
      selector_.push_back(selector);
    }
    keep_headings();
  }
  int dimensions() const { return n_; }
  /// The number of a router in the mesh, which is the address of its node.
  int name(int router) const { return first_ + router; }
  int routers() const { return routers_; }
  int ports() const { return ports_; }
  int node_port() const { return 2 * n_; }
  int vcs() const { return vcs_; }
  /// Bit v: VC v behind the output is empty and no packet holds it: one free packet slot.
  uint32_t idle(int router, int port) const { return idle_[index(router, port)]; }
  /// Free packet slots in direction + or - of every dimension.
  arb_request::Lanes slots(int router, bool minus) const {
    return slots_[static_cast<size_t>(router) * 2 + (minus ? 1 : 0)];
  }
  /// Free packet slots of every dimension in the direction of `plus` (bit set: +).
  arb_request::Lanes slots_towards(int router, uint8_t plus) const {
    arb_request::Lanes out = 0;
    for (int d = 0; d < n_; ++d)
      arb_request::set_lane(out, d, arb_request::lane(slots(router, (plus >> d & 1) == 0), d));
    return out;
  }
  /// What the request logic is asked for a packet.
  arb_request::Query query(int router, int dest) const {
    return {lanes(name(router)), lanes(dest), slots(router, false), slots(router, true)};
  }
  /// idle() of all ports of a router.
  const uint8_t* idle_of(int router) const { return &idle_[index(router, 0)]; }
  /// Dimensions that remain, and the direction in each (bit set: +): what the request logic says, kept where there are
  /// few pairs.
  struct Heading {
    uint8_t remaining = 0, plus = 0;
    uint16_t outputs = 0;  ///< where few_slots() finds the slots, of the first kCountable dimensions
  };
  Heading heading(int router, int dest) const {
    if (!headings_.empty()) [[likely]]
      return headings_[static_cast<size_t>(router) * lanes_.size() + static_cast<size_t>(dest)];
    const arb_request::Requests all = unlimited(router, dest, arb_request::Scheme::kDbra);
    Heading out{all.remaining, all.plus};
    for (int d = 0; d < std::min(n_, kCountable); ++d)
      out.outputs |= static_cast<uint16_t>(3u << (2 * mesh_port(d, (all.plus >> d & 1) == 0)));
    return out;
  }
  /// Free packet slots of every dimension in the direction of a heading, at most 3: two bits a dimension. Up to
  /// kCountable dimensions.
  static constexpr int kCountable = 3;
  uint32_t few_slots(int router, Heading heading) const {
    const uint32_t few = few_[static_cast<size_t>(router)];
#ifdef __BMI2__
    return __builtin_ia32_pext_si(few, heading.outputs);
#else
    uint32_t out = 0;
    for (int d = 0; d < n_; ++d) out |= (few >> (2 * mesh_port(d, (heading.plus >> d & 1) == 0)) & 3) << (2 * d);
    return out;
#endif
  }
  /// Its answer if every credit were there.
  arb_request::Requests unlimited(int router, int dest, arb_request::Scheme scheme) const {
    return evaluate({lanes(name(router)), lanes(dest), ~arb_request::Lanes{0}, ~arb_request::Lanes{0}}, scheme);
  }
  /// Bit v: VC v behind the output is not idle and the last packet that entered it goes to `dest`: a footprint.
  uint32_t footprints(int router, int port, uint32_t dest) const {
    uint32_t out = 0;
    for (int v = 0; v < vcs_; ++v)
      out |= (dest_[index(router, port) * kMaxVcs + static_cast<size_t>(v)] == dest ? 1u : 0u) << v;
    return out & ~idle(router, port);
  }
  arb_request::Selector& selector(int router, int port) { return selector_[index(router, port)]; }
  const arb_request::Selector& selector(int router, int port) const { return selector_[index(router, port)]; }

  /// The head of a packet was granted.
  void taken(int router, int port, int vc, uint32_t dest) {
    const size_t i = index(router, port);
    dest_[i * kMaxVcs + static_cast<size_t>(vc)] = dest;
    if ((idle_[i] >> vc & 1) == 0) return;
    idle_[i] = static_cast<uint8_t>(idle_[i] & ~(1u << vc));
    count(router, port, -1);
  }
  /// All of the VC's credits are back and no packet holds it.
  void freed(int router, int port, int vc) {
    uint8_t& idle = idle_[index(router, port)];
    idle = static_cast<uint8_t>(idle | 1u << vc);
    count(router, port, 1);
  }
  template <class Visit>
  void visit_state(Visit&& visit) {
    visit_below(visit, idle_, all_ + 1, "free channels behind outputs");
    visit_sized(visit, slots_, "free slots behind outputs"), visit_sized(visit, few_, "free slots behind outputs");
    visit_sized(visit, dest_, "destinations behind outputs"), visit_sized(visit, selector_, "choices of input ports");
    if constexpr (kReadsState<Visit>) check_state();
  }
  size_t bytes() const {
    return headings_.size() * sizeof(Heading) + lanes_.size() * sizeof(lanes_[0]) + idle_.size() +
           slots_.size() * sizeof(slots_[0]) + dest_.size() * sizeof(dest_[0]) +
           selector_.size() * sizeof(selector_[0]);
  }

 private:
  /// What visit_state() has read: the numbers of free slots are those of the free channels.
  void check_state() const {
    for (int r = 0; r < routers_; ++r) {
      for (int port = 0; port < 2 * n_; ++port) {
        const auto free = static_cast<uint32_t>(std::popcount(idle(r, port)));
        expect_state(!counts_ || static_cast<uint32_t>(arb_request::lane(slots(r, (port & 1) != 0), port / 2)) == free,
                     "free slots behind outputs");
        expect_state(!counts_ || port >= 2 * kCountable ||
                         (few_[static_cast<size_t>(r)] >> (2 * port) & 3) == std::min(free, 3u),
                     "free slots behind outputs");
      }
    }
    const auto in_range = [this](const arb_request::Selector& s) { return s.dimension_pointer < n_; };
    expect_state(std::all_of(selector_.begin(), selector_.end(), in_range), "choices of input ports");
  }
  static constexpr uint32_t kNobody = ~0u;
  static constexpr size_t kKept = 65'536;  // pairs: 256 KB
  void keep_headings() {
    const size_t nodes = lanes_.size(), pairs = static_cast<size_t>(routers_) * nodes;
    if (pairs > kKept) return;
    std::vector<Heading> all;
    for (size_t i = 0; i < pairs; ++i) all.push_back(heading(static_cast<int>(i / nodes), static_cast<int>(i % nodes)));
    headings_ = std::move(all);
  }
  arb_request::Lanes lanes(int node) const { return lanes_[static_cast<size_t>(node)]; }
  size_t index(int router, int port) const { return static_cast<size_t>(router * ports_ + port); }
  void count(int router, int port, int change) {  // a lane holds 0..8: no carry between lanes
    if (!counts_) return;
    slots_[static_cast<size_t>(router * 2 + (port & 1))] +=
        static_cast<arb_request::Lanes>(static_cast<int64_t>(change)) << (8 * (port / 2));
    if (port < 2 * kCountable) count_few(router, port);
  }
  void count_few(int router, int port) {
    uint32_t& few = few_[static_cast<size_t>(router)];
    const auto free = static_cast<uint32_t>(std::min(std::popcount(idle(router, port)), 3));
    few = (few & ~(3u << (2 * port))) | free << (2 * port);
  }

  int n_, ports_;
  uint32_t all_;
  int vcs_;
  int first_, routers_;
  bool counts_;                                  // slots_ and few_ are of use
  std::vector<arb_request::Lanes> lanes_;        // coordinates, by node
  std::vector<Heading> headings_;                // by router and destination
  std::vector<uint8_t> idle_;                    // by output
  std::vector<arb_request::Lanes> slots_;        // by router and direction
  std::vector<uint32_t> few_;                    // by router: free slots, at most 3, two bits an output
  std::vector<uint32_t> dest_;                   // by output and VC
  std::vector<arb_request::Selector> selector_;  // by input port
};

/// A packet and what it waits for, in words.
inline std::string describe_mesh_wait(const arb_request::Mesh& mesh, int router, int port, int vc, uint32_t dest,
                                      int out_port) {
  const int node = 2 * mesh.dimensions();
  std::string out = "a packet to " + mesh.router_name(static_cast<int>(dest)) + " in VC " + std::to_string(vc) + " of ";
  out += port == node ? "the injection queue of " + mesh.router_name(router)
                      : mesh.queue_name(mesh.queue(router, port / 2, (port & 1) == 0));
  const bool minus = (out_port & 1) != 0;
  return out + " waits for " +
         mesh.queue_name(mesh.queue(mesh.neighbour(router, out_port / 2, minus), out_port / 2, minus));
}

/// What every policy on a mesh is: it asks anew in every cycle, and remembers the outputs in a MeshState. Requests and
/// escape derive from it.
class MeshPolicy {
 public:
  static constexpr int kMaxVcs = MeshState::kMaxVcs;
  static constexpr bool kAsks = true;
  static constexpr bool kMonitors = false;
  static constexpr bool kOrderFree = true;
  static constexpr bool kPieces = true;
  using Lanes = arb_request::Lanes;
  using Requests = arb_request::Requests;

  void begin_cycle(uint32_t) {}
  std::string describe_wait(int router, int port, int vc, uint32_t dest, int out_port) const {
    return describe_mesh_wait(mesh_, state_.name(router), port, vc, dest, out_port);
  }
  [[gnu::always_inline]] void granted(const Flit& head, int router, int input, int output, int vc) {
    state_.taken(router, output, vc, head.dest);
    state_.selector(router, input).advance(output / 2, state_.dimensions());
  }
  void idle(int router, int port, int vc) { state_.freed(router, port, vc); }
  bool is_idle(int router, int port, int vc) const { return (state_.idle(router, port) >> vc & 1) != 0; }
  const MeshState& state() const { return state_; }

  template <class Visit>
  void visit_state(Visit&& visit) {
    state_.visit_state(visit);
  }
  size_t bytes() const { return state_.bytes(); }

 protected:
  explicit MeshPolicy(const MeshSetup& setup)
      : mesh_(setup.mesh),
        state_(setup),
        routing_(setup.routing),
        selection_(setup.selection),
        cut_through_(setup.cut_through),
        queues_(setup.reuse == VcReuse::tail || (setup.reuse == VcReuse::own && !info(setup.routing).slots)) {}

  /// Free flit slots that the head of a packet wants.
  int need(const Flit& head) const { return cut_through_ ? head.length : 1; }
  /// VCs of `among` (bits) that are not idle and can take a head now; an idle VC has room for any packet.
  template <class Outputs>
  uint32_t open_vcs(const Outputs& outputs, int port, uint32_t among, int need) const {
    return queues_ ? outputs.open(port, need) & among : 0;
  }
  /// The first idle VC of `among`, else the first other one that can take a head now; -1: none.
  template <class Outputs>
  int first_open(const Outputs& outputs, int router, int port, uint32_t among, int need) const {
    uint32_t vcs = state_.idle(router, port) & among;
    if (vcs == 0) vcs = open_vcs(outputs, port, among, need);
    return vcs != 0 ? std::countr_zero(vcs) : -1;
  }

  arb_request::Mesh mesh_;
  MeshState state_;
  MeshRouting routing_;
  arb_request::Policy selection_;
  bool cut_through_;
  bool queues_;  ///< several packets may wait in a VC
};

/// The dimensions of `candidates` (not 0) with the best value; `value(port)` of the minimal output in a dimension,
/// `plus`: its direction.
template <class Value>
uint8_t best_of(uint8_t candidates, uint8_t plus, Value value) {
  uint8_t best = 0;
  int64_t most = 0;
  for (uint32_t left = candidates; left != 0; left &= left - 1) {
    const int d = std::countr_zero(left);
    const int64_t v = value(mesh_port(d, (plus >> d & 1) == 0));
    if (best == 0 || v > most) best = 0, most = v;
    if (v == most) best |= static_cast<uint8_t>(1u << d);
  }
  return best;
}

/// DyXY (Li, Zeng, Jone, DAC'06): the minimal neighbour whose input buffers are least occupied (flits, all VCs).
template <class Outputs>
uint8_t least_occupied(uint8_t candidates, uint8_t plus, const Outputs& outputs, int vcs) {
  return best_of(candidates, plus, [&](int port) {
    int free = 0;
    for (int v = 0; v < vcs; ++v) free += outputs.credits(port, v);
    return static_cast<int64_t>(free);  // all link buffers are alike
  });
}

/// Footprint (Fu, Kim, ISCA'17): most idle VCs, then most VCs that carry packets to the same destination.
inline uint8_t most_idle_then_footprints(uint8_t candidates, uint8_t plus, const MeshState& state, int router,
                                         uint32_t dest, uint32_t among) {
  return best_of(candidates, plus, [&](int port) {
    return static_cast<int64_t>(std::popcount(state.idle(router, port) & among)) * 64 +
           std::popcount(state.footprints(router, port, dest) & among);
  });
}

}  // namespace odonata::network
