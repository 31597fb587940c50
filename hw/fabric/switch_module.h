// SPDX-License-Identifier: Apache-2.0
// SystemC: the data path of a switch whose packets are routed when they arrive: VC buffers, wormhole or cut-through
// switching, credits, output FIFOs, nodes, and what faults cut. Written from docs/network.md §2 and
// docs/network_faults.md §2, plainly and slowly: it is there to be compared with the network engine, packet by packet
// (docs/crosscheck.md §5). Torus and fat-tree put their route units at its ports.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "hw/fabric/link.h"
#include "hw/fabric/traffic.h"

namespace odonata::fabric {

inline constexpr int kDropped = -1;

/// A route: output port (kDropped: none) and virtual channel, and the header as it goes on.
struct Route {
  int port = kDropped;
  int vc = 0;
  uint8_t header = 0;
};

/// The route unit of an input port.
class RouteUnit {
 public:
  virtual ~RouteUnit() = default;
  /// What stands at the pins at the next edge of the units' clock: a head, or nothing (null).
  virtual void ask(const Flit* head) = 0;
  /// The answer to what was asked in the cycle before; for heads only.
  virtual Route answer() = 0;
};

/// What all switches of a network have in common.
struct SwitchParameters {
  int vcs = 1, phases = 1;
  int output_fifo = 0;  ///< flits; 0: only the credits bound it
  bool cut_through = false;
  int node_latency = 0;  ///< cycles from a node link to the delivery
};

/// What a switch hears of its links in a cycle; bit p: port p.
struct LinkState {
  std::vector<bool> up;
  bool alive = true;
};

class SwitchModule : public sc_core::sc_module {
 public:
  struct PortSetup {
    int node = -1;   ///< of a node port
    int buffer = 0;  ///< flits a virtual channel; the same behind the output
    Link *in = nullptr, *out = nullptr;
    std::unique_ptr<RouteUnit> unit;
  };
  SwitchModule(const sc_core::sc_module_name& name, const SwitchParameters& parameters, int number,
               std::vector<PortSetup> ports, Source& source, Observer& observer);

  // A cycle has two steps, between which all other switches do the same.
  /// Cycle `now`, after its edge: what has arrived, the answers of the route units, links, switch, credits.
  void work(int64_t now, const LinkState& state);
  /// Afterwards: the heads that will have to be routed in the next cycle go to the route units.
  void ask(int64_t now);

 protected:
  struct Waiting {
    Flit flit;
    Route route;  // of heads
  };
  struct InputVc {
    std::deque<Waiting> buffer;
    bool open = false;  // a packet is arriving: its head is in, its tail is not
    Flit last;          // the last flit that was taken in
    Route route;        // of the packet at the head of the buffer
  };
  struct Departing {
    Flit flit;
    int in_port, in_vc;
  };
  struct Port : PortSetup {
    std::vector<InputVc> vc;
    int pointer = 0;        // VC at which the search begins
    std::vector<int> owed;  // VCs whose credits leave in this cycle
    // Output side.
    std::vector<int> credits, landed;  // by VC: usable, arrived in this cycle
    std::vector<bool> held;            // by VC: a packet is on its way through it
    std::deque<Departing> fifo;
    int grant_pointer = 0;
    // Node ports.
    Source::Packet packet, following;  // the one whose flits enter, the one after it
    int left = 0;                      // flits of `packet` that have not entered
    int node_vc = 0;
    bool blocked = false, freed = false;
    std::vector<int>
        handed;  // by input port and VC: flits of its packet that the node has got in order; -1: some are missing
  };
  // Virtual, so that a test can plant a bug.
  virtual void take_credits(int64_t now);
  virtual int first_choice(const Port& in) const { return in.pointer; }
  virtual bool may_enter(const Port& out, int vc) const { return !out.held[static_cast<size_t>(vc)]; }
  virtual void close_cut_packet(Port& in, int vc);
  std::vector<Port>& ports() { return ports_; }

 private:
  void die(int64_t now);
  void receive(Port& in, int64_t now, bool alive);
  void inject(Port& in, int64_t now, bool up, bool came_up);
  bool finds_room(Port& in);
  void take_in(Port& in, int vc, const Flit& flit, int64_t now);
  void drop_unroutable(Port& in, int vc, int64_t now);
  void pop(Port& in, int vc);
  void send(int64_t now, const LinkState& state);
  bool can_move(const InputVc& vc) const;
  int choose_vc(const Port& in) const;
  void switch_phase(int64_t now);
  void grant(int in_port, int vc, int64_t now);
  void cut(Port& in, int64_t now);
  void pay_credits(int64_t now);
  Route route_of(const InputVc& vc) const { return vc.buffer.front().flit.head() ? vc.buffer.front().route : vc.route; }

  const SwitchParameters& p_;
  const int number_;
  Source& source_;
  Observer& observer_;
  std::vector<Port> ports_;
  LinkState before_;
};

/// Builds a switch; a test plants a bug by giving a subclass. Empty: the module as it is.
using MakeSwitch = std::function<std::unique_ptr<SwitchModule>(const char* name, const SwitchParameters& parameters,
                                                               int number, std::vector<SwitchModule::PortSetup> ports,
                                                               Source& source, Observer& observer)>;

}  // namespace odonata::fabric
