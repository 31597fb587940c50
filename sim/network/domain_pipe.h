// SPDX-License-Identifier: Apache-2.0
// Routes with the timing of the route-compute pipeline (docs/network.md §11). Definitions of Domain; included by
// domain.h only.
#pragma once

#include "sim/network/domain.h"

namespace odonata::network {

/// The route-compute pipelines: requests of this cycle's edge, decisions on those of the edge before, answers to those
/// of four edges ago.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::serve_pipe(uint32_t now) {
  if constexpr (kPiped) {
    const auto draw = [this](uint32_t input_vc) { return policy_.ask(place_of(input_vc)); };
    at_arrival_ ? pipe_.ask_arrived(now, draw) : pipe_.ask(now, draw);
    for (RoutePipe::Request& r : pipe_.stage(now - 1)) {
      if (r.input_vc == RoutePipe::kForgotten) continue;
      const InputPort& port = inputs_[r.input_vc >> kShift];
      const uint32_t vc = r.input_vc & (kStride - 1);
      r.route = policy_.answer(at_arrival_ ? flits_[slot(port, vc, r.position)] : first(port, vc), place_of(r.input_vc),
                               r.lfsr);
    }
    for (const RoutePipe::Request& r : pipe_.stage(now - RoutePipe::kLatency)) {
      if (r.input_vc == RoutePipe::kForgotten) continue;
      at_arrival_ ? keep_route(r) : take_route(r.input_vc, r.route);
    }
  }
}

/// RouteCompute::arrival: a head asks as soon as it is in its buffer. It keeps its route in Flit::via, which DOAR does
/// not use: 0 none yet.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::ask_at_arrival(const InputPort& port, uint32_t vc, uint32_t position,
                                                      Flit& flit) {
  if (!at_arrival_ || (kPackets && !flit.head())) return;
  flit.via = 0;
  pipe_.arrived((index_of(port) << kShift) + vc, position);
}

template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::keep_route(const RoutePipe::Request& request) {
  InputPort& port = inputs_[request.input_vc >> kShift];
  const uint32_t vc = request.input_vc & (kStride - 1);
  flits_[slot(port, vc, request.position)].via =
      request.route.port == Route::kDrop ? kKeptDrop : 1u + (request.route.port << kShift | request.route.vc);
  if (port.vcs[vc].head == request.position) start_head(port, vc);
}

/// RouteCompute::arrival: the head of a VC takes part in the switch when it has its route, or is known to have none.
template <class Policy, class Source, bool kPackets>
bool Domain<Policy, Source, kPackets>::start_head(InputPort& port, uint32_t vc) {
  const uint32_t kept = first(port, vc).via;
  if (kept == 0) return false;
  port.vcs[vc].route = kept == kKeptDrop ? kDropped : static_cast<uint16_t>(kept - 1u);
  set_ready(port, vc);
  return true;
}

/// RouteCompute::arrival: the switch has picked a packet without an option. It is dropped as it would be granted.
template <class Policy, class Source, bool kPackets>
[[gnu::noinline]] void Domain<Policy, Source, kPackets>::drop_picked(InputPort& port, uint32_t vc) {
  port.pointer = static_cast<uint8_t>((vc + 1) & 15);
  drop_flit(port, vc);
  if (port.vcs[vc].count == 0 || !route_next_head(port, vc)) clear_ready(port, vc);
}

/// Policies with kAtArrival: a head is routed when it is written into its buffer and keeps its route in Flit::via, as
/// above.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::route_arrival(const InputPort& port, uint32_t vc, Flit& flit) {
  if constexpr (kAtArrival) {
    if (!flit.head()) return;
    const Route route = policy_.route(flit, {port.router, port.port, static_cast<int>(vc), index_of(port)});
    flit.via = route.port == Route::kDrop ? kKeptDrop : 1u + (static_cast<uint32_t>(route.port) << kShift | route.vc);
  }
}

template <class Policy, class Source, bool kPackets>
Route Domain<Policy, Source, kPackets>::kept_route(const Flit& flit) {
  if (flit.via == kKeptDrop) return {};
  const uint32_t kept = flit.via - 1u;
  return {static_cast<uint8_t>(kept >> kShift), static_cast<uint8_t>(kept & (kStride - 1))};
}

/// The answer of a pipeline: the packet takes part in the switch from now on, or is dropped.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::take_route(uint32_t input_vc, const Route& route) {
  InputPort& port = inputs_[input_vc >> kShift];
  const uint32_t vc = input_vc & (kStride - 1);
  if (route.port != Route::kDrop) {
    port.vcs[vc].route = static_cast<uint16_t>(route.port << kShift | route.vc);
    return set_ready(port, vc);
  }
  drop_flit(port, vc);
  if (port.vcs[vc].count != 0) pipe_.want(input_vc);
}

}  // namespace odonata::network
