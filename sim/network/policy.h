// SPDX-License-Identifier: Apache-2.0
// The interface between engine and routing (docs/network.md §5). A policy is a class that a domain is compiled with;
// the engine calls a domain once a step, and nothing inside it is a virtual call. One object serves one domain (a
// group, or a whole mesh) and sees nothing of the others.
//
// A policy of kind (a) has
//   static constexpr int kVcs;        // virtual channels that it needs at least
//                                     // (RouterParameters::vcs may give more, up to kMaxVcs)
//   static constexpr int kMaxVcs;     // 2, 4, 8 or 16: how many the engine keeps room for
//   static constexpr bool kAsks;      // false
//   static constexpr bool kMonitors;  // whether it wants to hear of sends, credits and departures
//   P(const Context& context, int domain);
//   void begin_cycle(uint32_t cycle);          // before anything else of a cycle
//   Route route(Flit& flit, const Place& at);  // once a packet; may change flit.via and flit.state
//   template <class V> void visit_state(V&& visit);  // every container and number of its state (checkpoints)
//   template <class V, class S> void visit_hot(V&& visit, S&& see);
//                                     // optional: what of it a window touches: visit(container), see(address, bytes)
//   void check_state(uint32_t cycles) const;
//                                     // optional: of a state that was just read, after so many cycles: throws Error
//                                     // when it cannot be (expect_state); a number alone is checked by visit_state
//   bool knows(const Flit& flit, const Place& at) const;
//                                     // optional: of a packet of such a state that is or comes there: whether route()
//                                     // takes it, here and on its way, and Flit::via and state are what it writes
//   bool takes(const Flit& flit, const Place& at, const Route& route) const;
//                                     // optional: of the head of such a state that has a route there over a link:
//                                     // whether it may take it, and goes on behind it as knows() has it
//   size_t bytes() const;
//   bool order_kept(const Channel& in, const Channel& out) const;
//                                     // optional: whether a packet may hold one channel and wait for the other by the
//                                     // order of channels that keeps the routing free of deadlock (debug builds)
// and, with kMonitors (`output` = router * ports + port)
//   void credit(int output);  // a packet's slot behind a network output became free, usable from this cycle on
//   void settle();            // all credits of the cycle are in
//   void sent(int output, bool between, uint32_t cycle, uint32_t departed);
//                             // a packet was granted to a network output, which leads to another domain or not, in
//                             // `cycle`; it leaves its FIFO in `departed`
//   void rides(int output, uint32_t cycle);
//                             // only with kFaults: a packet's tail is on a link inside the domain in `cycle`;
//                             // otherwise every flit is on its link in the cycle after it left its FIFO
// Optional, for speed:
//   static constexpr bool kOrderFree;    // true: the requests of a cycle at different ports may be made in any order
//                                        // (no state that ports share)
//   Batch batch();                       // the decisions of one cycle, as route() makes them, with what they share at
//                                        // hand; its class Batch has
//     using Of = P;                      //   a policy derived from P, which may change route(), does not get it
//     template <LinkKind kFrom> Route route(Flit& flit, const Place& at);  // kFrom: kind of the input port
//     void finish();                     //   no more
//   static constexpr bool kPieces;       // true: a domain may be a piece of a network that has none of its own:
//                                        // Wiring::routers_of() are its routers, and Place::router counts them.
//                                        // Otherwise such networks stay whole
//   static constexpr bool kInPortOrder;  // true: the grants to the links of a router in the order of its ports
//                                        // (kind (a), not kOrderFree)
// A policy with a constant kAtArrival is asked when a head arrives, not when it comes to the head of its VC; Flit::via
// then is the engine's.
// A policy with a constant kBoard may use Context::board.
// A policy under which links and routers fail at run time has in addition (docs/network.md §8)
//   static constexpr bool kFaults;   // true
//   void begin_window();             // the next events of the context's fault feed are there
//   const FaultEvent* next_event(uint32_t cycle);
//                                    // applies the next event of this cycle and returns it; null: no more
//   bool port_up(int output) const;  // the link of a port; false in a dead router
//   bool holds(int input) const;     // optional: a node port takes no packet although its link is up
//   bool alive(int router) const;
//   bool cut_off(int input, uint32_t departure, uint32_t now) const;
//                                    // whether a flit that arrived in cycle now-1 is lost on the link
//   int messages(int output, uint32_t first, uint32_t last) const;
//                                    // FDs and FRs on the link in cycles first..last-1
//   bool delivers(int output, uint32_t cycle) const;
//                                    // whether a node link is up in a cycle, the present or a later one
//   uint32_t free_slot(int output, uint32_t cycle) const;
//                                    // first cycle from `cycle` on without an FD or FR on the link
// and, when it knows the faults of the run itself instead of hearing them from the feed,
//   static constexpr bool kOwnFaults;  // true
//   FaultResult fault_result(uint32_t now) const;
// A policy may have a constant kMaxPorts = 128 (else 64) for routers with so many ports, and
//   const std::array<uint64_t, 8>& drops() const;  // packets that it dropped, by reason
// Kind (b) (kAsks = true) has, instead of route(),
//   template <class Outputs> Ask ask(Flit& flit, const Place& at, const Outputs& outputs);
//                         // in every switch phase until granted
// where Outputs is Domain::Outputs: credits(port, vc), held(port, vc), open(port, least), buffer(port), vcs(); and
//   void granted(const Flit& head, int router, int input, int output, int vc);
//                         // a head was granted to a network output port
//   void idle(int router, int port, int vc);  // all credits of an output VC are back and no packet holds it
//   bool is_idle(int router, int port, int vc) const;
//                         // optional: whether it takes an output VC for such a one (checkpoints)
//   uint64_t possible(int router, uint32_t dest) const;
//                         // outputs that a packet could ever ask for (watchdog), bit p: port p
//   bool steady() const;  // optional, for speed: a head without an answer gets none before a credit has come back or a
//                         // packet's tail has left at its router, so it is not asked for; taking credits and channels
//                         // never helps
// and a constant kDrops when it may answer Ask::kDrop.
// Any answer but these, kNothing and Route::kDrop is a port of the router that leads somewhere, and a virtual channel;
// another one ends the run with Error. What comes from batch() or a pipeline's answer(), or with kAtArrival, is
// trusted.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/network/config.h"
#include "sim/network/flit.h"
#include "sim/network/result.h"
#include "sim/network/wiring.h"

namespace odonata::network {

/// Memory that all domains share, for an oracle: a cell a port of the whole network. In the last cycle of a window (of
/// Wiring::lookahead() cycles) number w a domain may write the cells of its own ports in half w & 1; all domains may
/// read them in window w + 1, and nothing else. So nobody reads what another thread writes, and what is read does not
/// depend on threads.
struct Board {
  std::vector<uint16_t> cells[2];
};

class FaultFeed;
class LoopPlan;

/// Whether a policy says kPieces.
template <class Policy>
inline constexpr bool kServesPieces = [] {
  if constexpr (requires { Policy::kPieces; }) return Policy::kPieces;
  return false;
}();

/// What all domains share, unchanged during a run.
struct Context {
  const Config& config;
  const Wiring& wiring;
  uint32_t sample_first = 0, sample_last = 0;  ///< cycles of the sample, first..last-1
  Board* board = nullptr;                      ///< for policies with kBoard
  const FaultFeed* faults = nullptr;           ///< the fault planes, if there are any; moves on between windows
  const LoopPlan* loop = nullptr;              ///< the programs, if there are any
  bool in_sample(uint32_t cycle) const { return cycle - sample_first < sample_last - sample_first; }
};

/// An input virtual channel of a router of the domain.
struct Place {
  int router = 0;  ///< inside the domain, 0..routers-1
  int port = 0;    ///< input port
  int vc = 0;
  uint32_t input = 0;  ///< router * ports + port
};

/// A decision that is kept until the packet has left.
struct Route {
  static constexpr uint8_t kDrop = 255;  ///< as port: no valid option, the packet is dropped and counted
  uint8_t port = kDrop;                  ///< output port
  uint8_t vc = 0;                        ///< virtual channel at the output
};

/// The decisions of a cycle by the policy's route(), one by one.
template <class Policy>
class OneByOne {
 public:
  explicit OneByOne(Policy& policy) : policy_(policy) {}
  template <LinkKind kFrom>
  [[gnu::always_inline]] Route route(Flit& flit, const Place& at) {
    return policy_.route(flit, at);
  }
  void finish() {}

 private:
  Policy& policy_;
};

/// What a head flit asks for in this switch phase; made anew in every phase until it is granted.
struct Ask {
  static constexpr uint8_t kNothing = 255;  ///< as port: no request now
  static constexpr uint8_t kDrop =
      254;  ///< as port, of a policy with kDrops: the packet has no way, it is dropped and counted
  uint8_t port = kNothing;
  uint8_t vc = 0;  ///< a virtual channel that can be had now
};

/// A virtual channel of the link that ends (input) or begins (output) at a port of a router.
struct Channel {
  int router = 0;  ///< in the whole network
  int port = 0;
  int port_class = 0;  ///< in Config::links
  int vc = 0;
};

}  // namespace odonata::network
