// SPDX-License-Identifier: Apache-2.0
// Everything that determines a run of the network engine (docs/network.md §7). Same configuration, same result, for any
// number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/arb_request/golden_device.h"
#include "models/congestion/plane_config.h"
#include "models/table/configuration.h"
#include "models/traffic/packet_trace.h"
#include "sim/network/decision_tap.h"
#include "sim/network/fault_plan.h"

namespace odonata::workload {
struct Workload;
}

namespace odonata::network {

/// Packet switching inside a virtual channel.
enum class Switching {
  cut_through,  ///< a head moves only when the whole packet fits behind the output
  wormhole,     ///< a head needs one free flit slot and a virtual channel that no packet holds
};

/// When a virtual channel may take the next packet (policies of kind (b), docs/mesh.md §2).
enum class VcReuse {
  own,    ///< as the algorithm has it: DBRA and D2RA when it is empty, the others after the tail
  empty,  ///< when the last packet has left it and its credits are back: one packet a channel (BookSim2's
          ///< wait_for_tail_credit = 1)
  tail,   ///< when the tail of the last packet has been sent into it: packets wait behind each other
          ///< (wait_for_tail_credit = 0)
};

/// When the route of a packet is known (docs/network.md §11).
enum class RouteCompute {
  ideal,     ///< in the cycle in which it may first take part in the switch
  pipeline,  ///< as the hardware: one request a cycle and input port, answered four cycles later; routing doar
  arrival,   ///< the same pipeline, but a packet asks when it arrives, not at the head of its VC, and waits with its
             ///< route; torus and fat-tree: the answer is there as early as with `ideal`, because their units are done
             ///< within the cycle of the arrival (docs/crosscheck.md §5)
};

class Exchange;
class PacketWatch;
struct RouteHardware;
class Topology;

/// The router (docs/network.md §2).
struct RouterParameters {
  int vcs = 0;     ///< virtual channels of a link; 0: as many as the routing needs
  int phases = 2;  ///< switch phases a cycle (internal speedup), 1..4
  int output_fifo =
      0;  ///< flits of an output FIFO; 0: only the credits bound it (BookSim's default; docs/network.md §2)
  int turn_cycles = 0;  ///< cycles in which a VC has the first choice in its turn (docs/router.md §2.8), dragonflies
                        ///< only; 0: no turns
  std::vector<int> lengths{1};  ///< flits of a packet, 1..64; of several each is equally likely
  Switching switching = Switching::cut_through;

  /// Flits of the longest packet.
  int packet_flits() const;
};

/// The links, or the node ports, of a class; which classes there are a topology says.
struct LinkClass {
  std::string name;
  int latency = 0;          ///< cycles; where a topology gives every link its own: of those that have none
  int buffer = 0;           ///< per VC of an input port, in flits or ..
  bool in_packets = false;  ///< .. in packets of the longest length
};

/// What the policies that ask in every phase (kind (b)) leave to the user.
struct RequestParameters {
  arb_request::Policy selection = arb_request::Policy::kRoundRobin;  ///< among outputs that the algorithm treats alike
  bool equal_escape =
      false;  ///< Duato, DyXY, Footprint: the escape channel is asked for like any other, not as a last resort
  VcReuse reuse = VcReuse::own;  ///< of VCs at links
  int device_router = -1;  ///< router whose requests `device` decides, in lockstep with the golden logic; -1: none
  std::function<std::unique_ptr<arb_request::LogicDevice>()> device;
};

/// How the tables of a fat-tree come to know of a fault (docs/vtftr.md §6).
enum class Reconfigure {
  manager,    ///< over the manager, in its cycles
  broadcast,  ///< without one: roots tell leaves, leaves tell roots
  at_once,    ///< in the cycle of the fault
  never,      ///< the tables stay as they are; only the roots' detectors see it
};
/// Whether a misroute may go back to where the packet came from.
enum class Pick { by_mode, exclude, bounce };

/// What a fat-tree has beside other networks.
struct FatTreeParameters {
  Reconfigure reconfigure = Reconfigure::manager;
  Pick pick = Pick::by_mode;
  bool common_turn_leaf = false;           ///< ft_a: one turn leaf for all faults; else the next column and row of each
  int detect = 16, service = 1000;         ///< ns: of a root's detector; of the manager
  double ns_per_cycle = 5, fixed_ns = 92;  ///< a latency in ns: cycles times the one, plus the other
};

/// Programs in the place of open traffic (docs/workloads.md §2, §4).
struct ProgramParameters {
  std::string workload;            ///< as it was asked for; empty: open traffic
  std::string mapping = "linear";  ///< ranks to nodes: linear, random, group, or what `placed` holds
  std::vector<uint32_t> placed;    ///< node of each rank
  uint64_t eager_limit = 12'000;   ///< bytes; larger messages go by rendezvous
  int flit_bytes = 32;             ///< of a message, in a flit
  double nic_rate = 1;             ///< flits of data that a NIC sends in a cycle at most
  uint64_t resend = 0;    ///< cycles: what is not acknowledged so long after it has entered is sent again; 0: never
  int resend_tries = 8;   ///< how often it is sent at most
  double clock = 1;       ///< GHz: cycles a ns of calculation
  uint64_t jitter = 0;    ///< ns: every iteration of every rank starts so much later at most
  std::string straggler;  ///< "RANK:NS,..": these start so much later in every iteration
};

/// One run.
struct Config {
  /// With the defaults of the topology.
  explicit Config(std::shared_ptr<const Topology> topology);

  std::shared_ptr<const Topology> topology;
  RouterParameters router;
  std::vector<LinkClass> links;  ///< by port class; 0: the node ports
  RequestParameters requests;
  FatTreeParameters fat_tree;
  std::string routing;
  bool allow_cycles = false;  ///< also runs tables whose channels can wait for each other in a circle
  RouteCompute route_compute = RouteCompute::ideal;
  bool piped() const { return route_compute != RouteCompute::ideal; }
  /// Some node sends what no program asks for.
  bool has_open_traffic() const;
  /// A dragonfly with the hardware's timing has the hardware's buffers: in flits, however long packets are.
  bool has_hardware_buffers() const;
  int bias = 0;  ///< T of UGAL and PAR, packets times links: a minimal path may cost so much more; -100'000..100'000
  std::string traffic;  ///< a pattern that the topology offers
  /// Application traffic in the place of `traffic` and `load`; then only the longest of `router.lengths` counts, and is
  /// at least its longest packet.
  std::shared_ptr<const traffic::PacketTrace> trace;
  double load = 0.1;  ///< flits a node and cycle, 0..1
  /// In the place of `traffic` and `load`, which are left to the nodes without a rank; the sample is the whole run, at
  /// most so long.
  std::shared_ptr<const workload::Workload> workload;
  ProgramParameters programs;
  uint64_t seed = 1;
  uint64_t warmup = 30'000;  ///< cycles before the sample
  uint64_t sample = 10'000;  ///< cycles of the sample
  uint64_t drain = 10'000;   ///< at most so many cycles more, until every packet of the sample is delivered
  int threads = 1;
  /// A network without domains of its own (mesh, torus, fat-tree, graph) is cut into so many at least, so that as many
  /// ranks can share it or load its checkpoint; make_simulation() makes it one a thread of all ranks. Changes no
  /// result.
  int domains = 1;
  Exchange* exchange = nullptr;  ///< the processes that share the domains (exchange.h); null: all are here
  uint64_t watchdog = 20'000;    ///< stop when no flit has moved for so many cycles, or no packet arrived; 0: never
  uint64_t balance =
      12;  ///< windows after which ranks share out the domains anew by what they have cost; 0: never. Changes no result
  uint64_t interval = 0;  ///< cycles of an entry of the timeline, rounded up to whole windows; 0: no timeline
  /// The congestion plane; latencies and capacities are taken from `links`. The second thresholds are those of
  /// doar_stable (docs/network.md §12).
  congestion::PlaneConfig plane{.local_busy_threshold = 2, .global_busy_threshold = 16};
  /// §3.2 as printed: what the paper's latencies and hop shares need (docs/network.md §10); the worked examples of the
  /// fault figures need the other.
  table::ConfigurationPolicy tables{.minimal_router = table::MinimalRouterPolicy::printed};
  FaultPlan faults;
  std::vector<TapPoint> taps;  ///< who sees decisions; changes nothing
  std::shared_ptr<const RouteHardware>
      hardware;  ///< decides at one router of a torus or fat-tree (route_hardware.h); RouteCompute::arrival
  PacketWatch* watch =
      nullptr;  ///< who sees every step of every packet; not RouteCompute::ideal, and one thread; changes nothing

  /// The links of a class by name; throws Error when the topology has no such class.
  LinkClass& link(std::string_view name);
  const LinkClass& link(std::string_view name) const;

  /// Throws Error that names the field out of range.
  void check() const;

  static constexpr uint64_t kLeastDeadTime = 2000;  ///< cycles from a router's fault to its repair, packets of one flit
  /// The same for packets of `router.packet_flits()` flits.
  uint64_t least_dead_time() const;

 private:
  void check_faults() const;
};

/// Throws Error that names the field when `value` is not in low..high.
void check_range(const std::string& name, int64_t value, int64_t low, int64_t high);
/// Throws Error when with cut-through the longest packet does not fit into a buffer of so many flits.
void check_whole_packets(const Config& config, int buffer);

}  // namespace odonata::network
