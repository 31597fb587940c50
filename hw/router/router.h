// SPDX-License-Identifier: Apache-2.0
// SystemC: a whole router - a route-compute pipeline a port, its congestion plane and fault plane, and the data path
// between them - written from docs/network.md §2, §8 and §11, plainly and slowly: it is there to be compared with the
// network engine, packet by packet.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "hw/congestion/congestion_plane.h"
#include "hw/fabric/link.h"
#include "hw/fabric/traffic.h"
#include "hw/fault/plane_network_module.h"
#include "hw/route_compute/pipeline.h"
#include "models/route_compute/registers.h"

namespace odonata::router {

using fabric::Flit;
using fabric::Link;
using fabric::Observer;
using fabric::Source;

/// The network, as far as a router asks.
struct Parameters {
  explicit Parameters(const Dragonfly& d) : dragonfly(d) {}
  Dragonfly dragonfly;
  int vcs = 4;
  int phases = 2;  ///< switch phases a cycle
  bool ask_at_arrival =
      false;             ///< a packet asks for its route when it is written into its buffer, not as the head of its VC
  int output_fifo = 0;   ///< flits of an output FIFO; 0: only the credits bound it
  int turn_cycles = 0;   ///< of a VC's turn, in which it is first (docs/router.md §2.8); 0: no turns
  int packet_flits = 1;  ///< of the longest packet; several only when asked at arrival
  bool cut_through = true;  ///< a head waits for the room of the longest packet; otherwise of a flit
  int head_room() const { return cut_through ? packet_flits : 1; }
  int node_buffer = 32, local_buffer = 32, global_buffer = 256;  ///< flits a virtual channel
  int local_latency = 10, global_latency = 100;                  ///< cycles
  uint64_t seed = 1;                                             ///< of the LFSRs
  congestion::PlaneConfig plane;
  route_compute::Rule rule;  ///< of all route-compute units
  table::ConfigurationPolicy tables;
  fault::Mode mode = fault::Mode::safe;
  fault::Recovery recovery = fault::Recovery::per_entry;
  bool pipelined = false;  ///< the fault planes (docs/fault.md §6.1)
  std::vector<fault::ScheduledFault> faults;
};

/// The plane's configuration with the capacities of this network.
congestion::PlaneConfig plane_config(const Parameters& parameters);
/// What the route-compute unit of a port is written: identity, tables, LFSR seed, rule. In mode safe table B of global
/// ports has the emergency detours, which the marks hide until they are needed.
std::vector<route_compute::RegisterWrite> route_configuration(const Parameters& parameters, RouterId own, int port);

/// Builds the pipeline of a port; a test plants a bug by giving a subclass.
using MakePipeline = std::function<std::unique_ptr<route_compute::RouteComputePipeline>(
    const char* name, hw::Tick& tick, const Dragonfly& d, route_compute::UnitPins& pins, int router, int port)>;

/// A route-compute pipeline and who stands at its pins.
class RouteUnit : public route_compute::UnitPins {
 public:
  /// `fault_router` holds the marks of the port's entries.
  RouteUnit(hw::Tick& tick, const Parameters& parameters, int router, int port,
            const fault::FaultRouterModule& fault_router, const MakePipeline& make);
  /// The request and the maps that the next edge samples.
  void set_pins(const route_compute::UnitInputs& in) { in_ = in; }
  const route_compute::UnitOutputs& out() const { return pipeline_->out(); }

 private:
  const route_compute::UnitInputs& drive() override { return in_; }
  void deliver(const route_compute::UnitOutputs&) override {}
  route_compute::Entries look_up(const route_compute::Request& request, const route_compute::Decoded& decoded,
                                 const route_compute::Entries& words) const;

  const Dragonfly d_;
  const RouterId own_;
  const int port_;
  const fault::Mode mode_;
  const table::ConfigurationPolicy policy_;
  const fault::FaultRouterModule& fault_router_;
  route_compute::UnitInputs in_;
  std::unique_ptr<route_compute::RouteComputePipeline> pipeline_;
};

class RouterModule : public sc_core::sc_module {
 public:
  // Without a `fault_router` there are no route-compute units: a subclass has its routes from somewhere else.
  /// What the router hears of its links in a cycle.
  struct LinkState {
    PortMap up = ~0ull;  ///< node links of a dead router are down, too
    bool alive = true;
  };
  RouterModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Parameters& parameters, int router,
               Source& source, Observer& observer, congestion::CongestionPlane& plane,
               const fault::FaultPlane& fault_plane, const fault::FaultRouterModule* fault_router,
               const MakePipeline& make);
  /// The links of a network port.
  void connect(int port, Link* in, Link* out) {
    ports_[port].in = in;
    ports_[port].out = out;
  }

  // A cycle has two steps, between which the routers' links and fault planes move on.
  /// Cycle `now`, after its edge: answers of route compute, switch, output links, credits, congestion pins.
  void work(int64_t now, const LinkState& state);
  /// The edge that begins cycle `now`: what it writes into the buffers, and the requests that it samples. `congestion`:
  /// what the plane shows.
  void load(int64_t now, const LinkState& state);
  /// Flits that are in buffers and output FIFOs.
  uint64_t waiting() const;

 protected:
  /// Where a packet goes.
  struct Route {
    int port = 0;  ///< kNoPort: no valid option
    int vc = 0;
  };
  /// A flit in a buffer; a head with what is known of its packet.
  struct Waiting {
    Flit flit;
    bool asked = false;   ///< a request has gone into the pipeline
    bool routed = false;  ///< it has been answered
    Route route;
  };
  struct InputVc {
    std::deque<Waiting> buffer;
    bool open = false;  ///< a packet is arriving: its head is in, its tail is not
    Flit last;          ///< the last flit that was written
    Route route;        ///< of the packet whose head has left
    /// The first flit may take part in the switch, and where it goes.
    bool routed() const { return !buffer.empty() && (!buffer.front().flit.head() || buffer.front().routed); }
    const Route& way() const { return buffer.front().flit.head() ? buffer.front().route : route; }
    bool drops() const { return routed() && way().port == kNoPort; }
  };
  struct Port {
    PortClass port_class = PortClass::node;
    Link *in = nullptr, *out = nullptr;
    std::unique_ptr<RouteUnit> unit;
    std::vector<InputVc> vc;
    int buffer = 0;
    int switch_pointer = 0, request_pointer = 0;  // the VC at which the search begins
    int written = -1;                             // VC into which this edge has written a head; -1: none
    std::deque<int> requests;  // VCs in the order of their requests, kForgotten when nobody waits for the answer
    std::vector<int> owed;     // VCs whose credits leave in this cycle
    // Output side.
    std::vector<int> credits, landed;  // by VC: usable, arrived in this cycle
    std::vector<bool> held;            // by VC: a packet is on its way through it
    std::deque<Flit> fifo;
    bool departed = false;  // the FIFO's first flit has been shown to the monitor
    int grant_pointer = 0;
    int sent = 0;               // flits that the monitor has not been told
    std::vector<int> returned;  // credits, by VC: it is told two a cycle
    std::vector<int> pin_use;   // by pin of the monitor: flits counted there
    // Node ports.
    int node = -1;
    Source::Packet packet, next;  // the one whose flits enter, the one after it
    int to_enter = 0;             // flits of `packet` that have not entered
    int node_vc = 0;
    std::vector<int> handed;  // by VC: flits of its packet that the node has got in order; -1: some are missing
    bool blocked = false, left = false;
    bool took = true,
         holds = false;  // took packets in the cycle before; the router has died and not yet heard its neighbours again
  };
  // Virtual, so that a test can plant a bug.
  virtual void take_credits(int64_t now);
  virtual int first_choice(const Port& in) const { return in.switch_pointer; }
  /// Whether packets without an option wait for the switch to pick them; otherwise they are dropped with their answer.
  virtual bool drops_when_picked() const { return p_.ask_at_arrival; }
  /// A poisoned tail follows a packet whose head has gone on and whose rest will not come.
  virtual void close_cut_packet(Port& in, int vc);
  std::vector<Port>& ports() { return ports_; }
  // The data path, for one that is somewhere else (hw/router/device_router.h).
  /// Answers, links and switch of a cycle.
  virtual void move_flits(int64_t now, const LinkState& state);
  virtual void pay_credits(int64_t now);
  /// The next edge writes a flit into its buffer, or discards it; `cut`: its link was down.
  virtual void arrived(int, const Flit&, bool /*cut*/) {}
  virtual void died() {}
  /// Ports at which an FD or FR has the slot of this cycle.
  PortMap messages() const { return fault_plane_.out().out_valid; }
  /// A flit is on its link first in this cycle.
  void leaves(int port, const Flit& flit, int64_t now, const LinkState& state);
  int head_room() const { return p_.head_room(); }
  /// The first flit of an input's VC goes into an output FIFO.
  void move(int in_port, int vc, int out_port, int out_vc, int64_t now);
  void drop(Port& in, int vc, int64_t now);

 private:
  static constexpr int kForgotten = -1;
  void take_answers(int64_t now);
  void send(int64_t now, const LinkState& state);
  void give_turn(int64_t now);
  void switch_phase(int64_t now);
  int choose_vc(const Port& in) const;
  void grant(int in_port, int vc, int64_t now);
  void pop(Port& in, int vc);
  int index_of(const Port& port) const { return static_cast<int>(&port - ports_.data()); }
  void write(Port& in, int vc, const Flit& flit);
  int wants_route(Port& in) const;
  static int free_pin(int k, const std::array<PortMap, congestion::kNumVcs>& pins, const std::vector<int>& use,
                      bool credit);
  void drive_plane(const LinkState& state);
  void receive(Port& in, int64_t now, bool alive);
  void die(int64_t now);
  void cut(Port& in, int64_t now);
  void cut_packet(Port& in, int vc, int64_t now);
  bool finds_room(Port& in);
  bool takes_packets(Port& in, const LinkState& state) const;
  void inject(Port& in, int64_t now, bool takes);
  void request(int k);
  bool can_move(const InputVc& vc) const;

  const Parameters& p_;
  const Dragonfly d_;
  const int router_;
  Source& source_;
  Observer& observer_;
  congestion::CongestionPlane& plane_;
  const fault::FaultPlane& fault_plane_;
  std::vector<Port> ports_;
  PortMap offered_ = 0, tails_ = 0;  // ports with a flit, with a tail on the link in this cycle
  LinkState before_;
};

}  // namespace odonata::router
