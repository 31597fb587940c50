// SPDX-License-Identifier: Apache-2.0
// Fully adaptive minimal routing with a dimension-order escape channel (Duato, TPDS'96; BookSim2's min_adapt), and the two selections built on it:
// DyXY (Li, Zeng, Jone, DAC'06) and Footprint (Fu, Kim, ISCA'17), as read in the reading notes §8. docs/mesh.md §3.
//
//   adaptive request   preferred: a VC 1..V-1 of a minimal output
//   escape request     when there is none: VC 0 of the dimension-order output; a packet that waits in VC 0 of a link asks for nothing else
// The priority orders the alternatives of one packet, as in BookSim2, whose VC allocator alone knows it; between packets all requests are equal. (An
// output arbiter that served adaptive requests first would starve the escape channel: docs/mesh.md §3.)
//
// Every dimension that remains, its direction and the lowest of them come from the request logic of models/arb_request.
#pragma once

#include "sim/network/policies/mesh_common.h"

namespace odonata::network {

class MeshEscape : public MeshPolicy {
 public:
  explicit MeshEscape(const MeshSetup& setup) : MeshPolicy(setup), adaptive_(((1u << setup.vcs) - 1) & ~1u) {}
  MeshEscape(const Context& context, int) : MeshEscape(mesh_setup(context.config)) {}

  template <class Outputs>
  Ask ask(const Flit& flit, const Place& at, const Outputs& outputs) const {
    const int dest = static_cast<int>(flit.dest), need = this->need(flit);
    if (dest == at.router) return {static_cast<uint8_t>(state_.node_port()), 0};
    const Requests minimal = state_.unlimited(at.router, dest, arb_request::Scheme::kDbra);
    if (at.port == state_.node_port() || at.vc != 0) {
      const Ask adaptive = ask_adaptive(minimal, flit, at, outputs, need);
      if (adaptive.port != Ask::kNothing) return adaptive;
    }
    const int port = mesh_port(minimal, std::countr_zero(minimal.lowest()));
    if (first_open(outputs, at.router, port, 1u, need) < 0) return {};
    return {static_cast<uint8_t>(port), 0};
  }

  /// Why a packet cannot move: the outputs that it could ever ask for. What it waits for in the end is the escape channel.
  uint64_t possible(int router, uint32_t dest) const {
    const Requests minimal = state_.unlimited(router, static_cast<int>(dest), arb_request::Scheme::kDbra);
    return 1u << mesh_port(minimal, std::countr_zero(minimal.lowest()));
  }

 private:
  template <class Outputs>
  Ask ask_adaptive(const Requests& minimal, const Flit& flit, const Place& at, const Outputs& outputs, int need) const {
    const uint8_t candidates = candidates_of(minimal, flit, at, outputs, need);
    if (candidates == 0) return {};
    const arb_request::Policy policy = routing_ == MeshRouting::duato ? selection_ : arb_request::Policy::kRandom;
    const Lanes room = policy == arb_request::Policy::kMostCredits ? state_.slots_towards(at.router, minimal.plus) : 0;
    const int port = mesh_port(minimal, state_.selector(at.router, at.port).choose(candidates, room, policy, state_.dimensions()));
    const int vc = vc_of(outputs, flit, at.router, port, need);
    if (vc < 0) return {};
    return {static_cast<uint8_t>(port), static_cast<uint8_t>(vc)};
  }
  /// Dimensions among which the choice is open. Duato: those with a VC to be had; DyXY and Footprint choose the output first.
  template <class Outputs>
  uint8_t candidates_of(const Requests& minimal, const Flit& flit, const Place& at, const Outputs& outputs, int need) const {
    if (routing_ == MeshRouting::dyxy) return least_occupied(minimal.remaining, minimal.plus, outputs, state_.vcs());
    if (routing_ == MeshRouting::footprint) {
      return most_idle_then_footprints(minimal.remaining, minimal.plus, state_, at.router, flit.dest, adaptive_);
    }
    uint8_t out = 0;
    for (uint32_t left = minimal.remaining; left != 0; left &= left - 1) {
      const int d = std::countr_zero(left);
      if (first_open(outputs, at.router, mesh_port(minimal, d), adaptive_, need) >= 0) out |= static_cast<uint8_t>(1u << d);
    }
    return out;
  }
  /// An idle VC before others. Footprint, when fewer than half of the output's VCs are idle: idle, else a footprint, else any. -1: none.
  template <class Outputs>
  int vc_of(const Outputs& outputs, const Flit& flit, int router, int port, int need) const {
    const uint32_t idle = state_.idle(router, port);
    if (routing_ == MeshRouting::footprint && (idle & adaptive_) == 0 && 2 * std::popcount(idle) < state_.vcs()) {
      const uint32_t footprints = open_vcs(outputs, port, adaptive_ & state_.footprints(router, port, flit.dest), need);
      if (footprints != 0) return std::countr_zero(footprints);
    }
    return first_open(outputs, router, port, adaptive_, need);
  }

  uint32_t adaptive_;
};

}  // namespace odonata::network
