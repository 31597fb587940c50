// SPDX-License-Identifier: Apache-2.0
// Fully adaptive minimal routing with a dimension-order escape channel (Duato, TPDS'96; BookSim2's min_adapt), and the
// two selections built on it: DyXY (Li, Zeng, Jone, DAC'06) and Footprint (Fu, Kim, ISCA'17), as read in
// docs/readings.md §8. docs/mesh.md §3.
//
//   adaptive request   preferred: a VC 1..V-1 of a minimal output
//   escape request     when there is none: VC 0 of the dimension-order output; a packet that waits in VC 0 of a link
//                      asks for nothing else
// The priority orders the alternatives of one packet, as in BookSim2, whose VC allocator alone knows it; between
// packets all requests are equal. (An output arbiter that served adaptive requests first would starve the escape
// channel: docs/mesh.md §3.)
//
// Every dimension that remains, its direction and the lowest of them come from the request logic of models/arb_request.
#pragma once

#include "sim/network/policies/common/mesh_policy.h"

namespace odonata::network {

class MeshEscape : public MeshPolicy {
 public:
  explicit MeshEscape(const MeshSetup& setup)
      : MeshPolicy(setup),
        adaptive_(((1u << setup.vcs) - 1) & ~1u),
        equal_(setup.equal_escape),
        plain_(routing_ == MeshRouting::duato && selection_ == arb_request::Policy::kRoundRobin && !equal_) {}
  MeshEscape(const Context& context, int domain) : MeshEscape(mesh_setup(context, domain)) {}

  template <class Outputs>
  [[gnu::always_inline]] Ask ask(const Flit& flit, const Place& at, const Outputs& outputs) const {
    const int dest = static_cast<int>(flit.dest), need = this->need(flit);
    if (dest == state_.name(at.router)) return {static_cast<uint8_t>(state_.node_port()), 0};
    const Heading minimal = state_.heading(at.router, dest);
    if (!plain_) [[unlikely]]
      return ask_any(minimal, flit, at, outputs, need);
    if (at.port == state_.node_port() || at.vc != 0) {
      const uint8_t* const idle = state_.idle_of(at.router);
      uint32_t candidates = 0, vcs[arb_request::kMaxDimensions];
      for (int d = 0; d != state_.dimensions(); ++d) {  // of all dimensions, because nobody could predict which remain
        const int port = port_of(minimal, d);
        const uint32_t empty = idle[port] & adaptive_, open = empty | open_vcs(outputs, port, adaptive_, need);
        vcs[d] = empty != 0 ? empty : open;
        candidates |= static_cast<uint32_t>(open != 0) << d;
      }
      candidates &= minimal.remaining;
      if (candidates != 0) {
        const int d = arb_request::pick(candidates, state_.selector(at.router, at.port).dimension_pointer);
        return {static_cast<uint8_t>(port_of(minimal, d)), static_cast<uint8_t>(std::countr_zero(vcs[d]))};
      }
    }
    return ask_escape(minimal, at, outputs, need);
  }

  /// DyXY and Footprint choose an output by its load before they look for a channel.
  bool steady() const { return routing_ == MeshRouting::duato; }

  /// Why a packet cannot move: the outputs that it could ever ask for. What it waits for in the end is the escape
  /// channel.
  uint64_t possible(int router, uint32_t dest) const {
    const Heading minimal = state_.heading(router, static_cast<int>(dest));
    return 1u << port_of(minimal, std::countr_zero(minimal.remaining));
  }

 private:
  using Heading = MeshState::Heading;
  /// ask() of every routing and selection.
  template <class Outputs>
  [[gnu::noinline]] Ask ask_any(const Heading& minimal, const Flit& flit, const Place& at, const Outputs& outputs,
                                int need) const {
    if (at.port == state_.node_port() || at.vc != 0) {
      if (equal_ && escape_drawn(minimal, flit, at, outputs, need))
        return {static_cast<uint8_t>(port_of(minimal, std::countr_zero(minimal.remaining))), 0};
      const Ask adaptive = ask_adaptive(minimal, flit, at, outputs, need);
      if (adaptive.port != Ask::kNothing) return adaptive;
    }
    return ask_escape(minimal, at, outputs, need);
  }
  template <class Outputs>
  Ask ask_escape(const Heading& minimal, const Place& at, const Outputs& outputs, int need) const {
    const int port = port_of(minimal, std::countr_zero(minimal.remaining));
    if (first_open(outputs, at.router, port, 1u, need) < 0) return {};
    return {static_cast<uint8_t>(port), 0};
  }
  static int port_of(const Heading& minimal, int dimension) {
    return mesh_port(dimension, (minimal.plus >> dimension & 1) == 0);
  }
  /// Whether the escape channel is drawn among all channels that can be had, each equally likely: what an allocator
  /// that knows no priority does.
  template <class Outputs>
  bool escape_drawn(const Heading& minimal, const Flit& flit, const Place& at, const Outputs& outputs, int need) const {
    if (first_open(outputs, at.router, port_of(minimal, std::countr_zero(minimal.remaining)), 1u, need) < 0)
      return false;
    uint32_t channels = 1;
    for (uint32_t left = candidates_of(minimal, flit, at, outputs, need); left != 0; left &= left - 1) {
      const int port = port_of(minimal, std::countr_zero(left));
      channels += static_cast<uint32_t>(
          std::popcount((state_.idle(at.router, port) & adaptive_) | open_vcs(outputs, port, adaptive_, need)));
    }
    return state_.selector(at.router, at.port).lfsr % channels == 0;
  }
  template <class Outputs>
  [[gnu::always_inline]] Ask ask_adaptive(const Heading& minimal, const Flit& flit, const Place& at,
                                          const Outputs& outputs, int need) const {
    const uint8_t candidates = candidates_of(minimal, flit, at, outputs, need);
    if (candidates == 0) return {};
    const arb_request::Policy policy = routing_ == MeshRouting::duato ? selection_ : arb_request::Policy::kRandom;
    const Lanes room = policy == arb_request::Policy::kMostCredits ? state_.slots_towards(at.router, minimal.plus) : 0;
    const int port =
        port_of(minimal, state_.selector(at.router, at.port).choose(candidates, room, policy, state_.dimensions()));
    const int vc = vc_of(outputs, flit, at.router, port, need);
    if (vc < 0) return {};
    return {static_cast<uint8_t>(port), static_cast<uint8_t>(vc)};
  }
  /// Dimensions among which the choice is open. Duato: those with a VC to be had; DyXY and Footprint choose the output
  /// first.
  template <class Outputs>
  [[gnu::always_inline]] uint8_t candidates_of(const Heading& minimal, const Flit& flit, const Place& at,
                                               const Outputs& outputs, int need) const {
    if (routing_ == MeshRouting::dyxy) return least_occupied(minimal.remaining, minimal.plus, outputs, state_.vcs());
    if (routing_ == MeshRouting::footprint) {
      return most_idle_then_footprints(minimal.remaining, minimal.plus, state_, at.router, flit.dest, adaptive_);
    }
    const uint8_t* idle = state_.idle_of(at.router);
    uint8_t out = 0;
    for (uint32_t left = minimal.remaining; left != 0; left &= left - 1) {
      const int d = std::countr_zero(left), port = port_of(minimal, d);
      if ((idle[port] & adaptive_) != 0 || open_vcs(outputs, port, adaptive_, need) != 0)
        out |= static_cast<uint8_t>(1u << d);
    }
    return out;
  }
  /// An idle VC before others. Footprint, when fewer than half of the output's VCs are idle: idle, else a footprint,
  /// else any. -1: none.
  template <class Outputs>
  [[gnu::always_inline]] int vc_of(const Outputs& outputs, const Flit& flit, int router, int port, int need) const {
    const uint32_t idle = state_.idle(router, port);
    if (routing_ == MeshRouting::footprint && (idle & adaptive_) == 0 && 2 * std::popcount(idle) < state_.vcs()) {
      const uint32_t footprints = open_vcs(outputs, port, adaptive_ & state_.footprints(router, port, flit.dest), need);
      if (footprints != 0) return std::countr_zero(footprints);
    }
    return first_open(outputs, router, port, adaptive_, need);
  }

  uint32_t adaptive_;
  bool equal_;
  bool plain_;  // Duato, the dimensions in turn: the usual case
};

}  // namespace odonata::network
