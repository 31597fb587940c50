// SPDX-License-Identifier: Apache-2.0
// The interface between engine and routing (docs/network.md §5). A policy is a class that the engine is compiled with; there is no virtual call.
// One object serves one domain (a group, or a whole mesh) and sees nothing of the others.
#pragma once

#include <concepts>
#include <cstdint>

#include "sim/network/flit.h"

namespace odonata::network {

/// An input virtual channel of a router of the domain.
struct Place {
  int router = 0;  ///< inside the domain, 0..routers-1
  int port = 0;    ///< input port
  int vc = 0;
};

/// (a) A decision that is made once, when the head flit reaches the head of its virtual channel, and kept.
struct Route {
  static constexpr uint8_t kDrop = 255;  ///< as port: no valid option, the packet is dropped and counted
  uint8_t port = kDrop;                  ///< output port
  uint8_t vc = 0;                        ///< virtual channel at the output
};

/// (b) What a head flit asks for in this switch phase; made anew in every phase until it is granted.
struct Ask {
  static constexpr uint8_t kNothing = 255;  ///< as port: no request now
  uint8_t port = kNothing;
  uint8_t vc = 0;        ///< a virtual channel that can be had now
  uint8_t priority = 0;  ///< 0 highest .. 3; input and output arbiters serve the higher class first, round-robin inside a class
};

/// What a policy of kind (b) may look at: the outputs of one router as they are in this phase.
template <class T>
concept OutputView = requires(const T& view, int port, int vc) {
  { view.credits(port, vc) } -> std::convertible_to<int>;  // free flit slots behind the output
  { view.held(port, vc) } -> std::convertible_to<bool>;    // a packet holds the virtual channel (multi-flit packets)
  { view.occupancy(port) } -> std::convertible_to<int>;    // flits in use behind the output, all virtual channels
};

/// Events that every policy is told; empty functions cost nothing.
template <class P>
concept PolicyEvents = requires(P& policy, int router, int port, int vc, uint32_t cycle) {
  policy.begin_cycle(cycle);                  // before anything else of a cycle
  policy.sent(router, port, vc, cycle);       // a packet (its tail) was granted to a network output; `cycle`: as its monitor counts it
  policy.credit(router, port, vc);            // a packet's slot behind a network output became free (usable from this cycle on)
  policy.settle(cycle);                       // all credits of the cycle are in
  policy.departs(router, port, cycle, true);  // a flit leaves on a network link in `cycle`; last: it is a tail
};

/// Kind (a): one decision a packet. `flit` may be changed (via, state).
template <class P>
concept RoutingPolicy = PolicyEvents<P> && requires(P& policy, Flit& flit, const Place& at) {
  { policy.route(flit, at) } -> std::same_as<Route>;
};

}  // namespace odonata::network
