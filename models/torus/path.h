// SPDX-License-Identifier: Apache-2.0
// The way of one packet through a torus with faults, hop by hop (docs/torus.md §6).
#pragma once

#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include "models/torus/route.h"

namespace odonata::torus {

enum class Outcome : uint8_t { kDelivered, kDropped, kStuck, kLivelock, kUnreachable };
/// "delivered", "dropped", "stuck", "livelock", "unreachable".
std::string_view name_of(Outcome outcome);

/// One link of the way.
struct Hop {
  int node = 0;        ///< that it leaves
  uint8_t port = 0;    ///< through which port
  uint8_t vc = 0;      ///< on which channel
  uint8_t header = 0;  ///< with which header
  bool operator==(const Hop&) const = default;
};

struct Path {
  Outcome outcome = Outcome::kDelivered;
  std::vector<Hop> hops;  ///< livelock: until the packet was seen to be where it had been before
  int end = 0;            ///< the last node
};

/// Follows a packet from its source and tells `visit` every hop; the state of a packet is its node and the header it
/// came with, so one that comes back to a state circles for ever. The adaptive variant takes its first productive port
/// on channel 2 while there is one, as it would in an idle network. `from` must be healthy; `to` may be anything.
/// Returns the outcome; `node` is where the way ended.
template <Variant V, class Visit>
Outcome walk(const FaultMap& map, const Ground& ground, int from, int to, int& node, Visit&& visit) {
  const unsigned kx = ground.radix[0], ky = ground.radix[1];
  unsigned x = static_cast<unsigned>(from) % kx, y = static_cast<unsigned>(from) / kx;
  Ask ask;
  ask.dest[0] = static_cast<uint8_t>(static_cast<unsigned>(to) % kx);
  ask.dest[1] = static_cast<uint8_t>(static_cast<unsigned>(to) / kx);
  ask.fresh = true;
  int seen_node = -1, seen_header = 0, steps = 0,
      limit = 32;  // Brent: a remembered state, renewed after 32, 64, 128, ... steps
  for (node = from;; ++steps) {
    ask.at[0] = static_cast<uint8_t>(x);
    ask.at[1] = static_cast<uint8_t>(y);
    ask.blocked = map.blocked(node);
    ask.sides = map.sides(node);
    if (!ask.fresh && node == seen_node && ask.header == seen_header) return Outcome::kLivelock;
    if (steps == limit) seen_node = node, seen_header = ask.header, limit *= 2;
    Answer a = route<V>(ground, ask);
    switch (a.action) {
      case Action::kForward:
        break;
      case Action::kEject:
        return Outcome::kDelivered;
      case Action::kDrop:
        return Outcome::kDropped;
      case Action::kUnreachable:
        return Outcome::kUnreachable;
      case Action::kStuck:
        return Outcome::kStuck;
    }
    const bool adaptive = V == Variant::kAdaptive && a.productive != 0;
    if (adaptive) a = {Action::kForward, static_cast<uint8_t>(std::countr_zero(a.productive)), 2, 0, 0, {}};
    ask.fresh = adaptive;
    ask.header = a.header;
    visit(Hop{node, a.port, a.vc, a.header});
    unsigned& c = a.port < 2 ? x : y;
    const unsigned k = a.port < 2 ? kx : ky;
    c = a.port & 1 ? (c == 0 ? k - 1 : c - 1) : (c == k - 1 ? 0 : c + 1);
    node = static_cast<int>(y * kx + x);
  }
}

/// The whole way. Throws Error when the source is not healthy or the torus does not have two dimensions.
Path find_path(const FaultMap& map, Variant variant, int from, int to);

/// Where a hop stands in the order that proves freedom from deadlock (docs/torus.md §7): every next hop of a packet of
/// a safe variant has a higher rank, or the same rank and the same port. `hop` carries the header that it leaves with.
int rank(const Torus& torus, const Hop& hop);

}  // namespace odonata::torus
