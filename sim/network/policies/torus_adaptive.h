// SPDX-License-Identifier: Apache-2.0
// Minimal adaptive routing over safe4 on a torus (docs/torus.md §5): virtual channels 2 and 5 of every free productive
// port first, and when none can be had the channel that safe4 names as from a fresh source, with which the packet then
// stays. Faults of the start, rule any.
#pragma once

#include <bit>

#include "sim/network/policies/torus.h"

namespace odonata::network {

class TorusAdaptive {
 public:
  static constexpr int kVcs = torus::kVcs;
  static constexpr int kMaxVcs = 8;
  static constexpr bool kAsks = true;
  static constexpr bool kMonitors = false;
  static constexpr bool kOrderFree = true;
  static constexpr bool kPieces = true;

  TorusAdaptive(const Context& context, int domain);
  void begin_cycle(uint32_t) {}
  /// The output and channel to be had now. The header as it goes on is kept in the flit beside the one it came with:
  /// which is which, the number of links tells, so that asking again does no harm.
  template <class Head, class Outputs>
  Ask ask(Head& flit, const Place& at, const Outputs& outputs) const {
    const torus::Answer a = answer(flit, at);
    if (a.action == torus::Action::kEject) return {kNodePort, 0};
    if (a.action != torus::Action::kForward)
      return {};  // does not happen: nothing is walled off, nobody sends to disabled nodes
    const int need = cut_through_ ? flit.length : 1;
    Ask best;
    int most = need - 1;
    for (uint32_t left = a.productive; left != 0; left &= left - 1) {
      const int port = std::countr_zero(left);
      for (const int vc : {2, 5}) {
        if (outputs.held(port, vc) || outputs.credits(port, vc) <= most) continue;
        most = outputs.credits(port, vc);
        best = {static_cast<uint8_t>(port), static_cast<uint8_t>(vc)};
      }
    }
    if (best.port != Ask::kNothing) return best;
    if (outputs.held(a.port, a.vc) || outputs.credits(a.port, a.vc) < need) return {};
    keep(flit, a.header);
    return {a.port, a.vc};
  }
  bool steady() const { return true; }
  void granted(const Flit&, int, int, int, int) {}
  void idle(int, int, int) {}
  uint64_t possible(int router, uint32_t) const {
    return ~uint64_t{blocked_[static_cast<size_t>(first_ + router)]} & 0xF;
  }
  std::string describe_wait(int router, int port, int vc, uint32_t dest, int out_port) const;
  template <class Visit>
  void visit_state(Visit&&) {}
  size_t bytes() const { return blocked_.size() + points_.size() * 2; }

 private:
  static constexpr int kNodePort = 4, kHeaderBits = 6;
  static int shift(uint32_t hops) { return (hops & 1) != 0 ? kHeaderBits : 0; }
  torus::Answer answer(const Flit& flit, const Place& at) const {
    torus::Ask ask;
    const auto node = static_cast<size_t>(first_ + at.router);
    for (size_t d = 0; d < 2; ++d) ask.at[d] = points_[node][d], ask.dest[d] = points_[flit.dest][d];
    ask.blocked = blocked_[node];
    ask.fresh = at.port == kNodePort || at.vc % 3 == 2;
    ask.header = static_cast<uint8_t>(flit.state >> shift(flit.hops) & ((1 << kHeaderBits) - 1));
    return torus::route<torus::Variant::kAdaptive>(ground_, ask);
  }
  static void keep(Flit& flit, uint8_t header) {
    const int at = shift(flit.hops + 1u);
    flit.state =
        static_cast<uint16_t>((flit.state & ~(((1u << kHeaderBits) - 1) << at)) | static_cast<unsigned>(header) << at) &
        0x3FFF;
  }
  static void keep(const Flit&, uint8_t) {}  // the watchdog asks, too

  Torus torus_;
  int first_;  // router of the domain
  torus::Ground ground_;
  bool cut_through_;
  std::vector<std::array<uint8_t, 2>> points_;  // coordinates, by node
  std::vector<uint8_t> blocked_;                // ports, by node
};

}  // namespace odonata::network
