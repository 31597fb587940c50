// SPDX-License-Identifier: Apache-2.0
// The route function at one input port (docs/torus.md §4, §5): which output, which virtual channel, what becomes of the
// header? Two dimensions. Every variant is one straight line of selections on machine words; a variant is a template
// parameter.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "models/torus/fault_map.h"

namespace odonata::torus {

/// What is the same for all nodes of a torus.
struct Ground {
  uint64_t wall[2] = {};  ///< of x and y
  uint8_t radix[2] = {};
};
/// Ground of a fault map; throws Error unless the torus has two dimensions.
Ground ground_of(const FaultMap& map);

/// One question: a head flit at a node. A machine word.
struct alignas(8) Ask {
  uint8_t at[2] = {};
  uint8_t dest[2] = {};
  uint8_t header = 0;   ///< as it came; ignored when fresh
  uint8_t blocked = 0;  ///< of this node, FaultMap::blocked
  uint8_t sides = 0;    ///< of this node, FaultMap::sides; safe6_short only
  bool fresh = false;   ///< it comes from the node's own port (adaptive: or from an adaptive channel)
};

enum class Action : uint8_t {
  kForward = 0,
  kEject,
  kDrop,         ///< the destination lies in a region, or the port to be taken is blocked
  kUnreachable,  ///< dropped: walls in both directions
  kStuck,        ///< printed only: no rule applies
};

/// The answer; all fields after `action` are 0 unless it is kForward.
struct alignas(8) Answer {
  Action action = Action::kForward;
  uint8_t port = 0;
  uint8_t vc = 0;      ///< 3 * r + j
  uint8_t header = 0;  ///< as it goes on
  uint8_t productive =
      0;  ///< adaptive and fresh: free ports on the chosen ways to the destination, on channels 2 and 5
  uint8_t unused[3] = {};
  bool operator==(const Answer&) const = default;
};

namespace detail {

/// Everything below is arithmetic on whole words, so that a compiler puts several decisions into a vector register.
using Word = uint64_t;
constexpr Word pick(Word condition, Word yes, Word no) { return condition ? yes : no; }

/// The fields of an Ask.
struct Fields {
  Word x, y, dest_x, dest_y, header, blocked, sides, fresh;
};
constexpr Fields fields_of(const Ask& q) {
  const Word w = std::bit_cast<Word>(q);
  const auto byte = [w](int i) { return w >> (8 * i) & 0xFF; };
  return {byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7)};
}

/// The direction of docs/torus.md §4 without walls: 1 = minus. 0 <= at, dest < radix.
constexpr Word shorter_minus(Word at, Word dest, Word radix) {
  const Word above = dest > at, distance = pick(above, dest - at, at - dest);
  return above ^ (distance <= radix / 2);
}
/// With walls: the other direction where the first crosses one; walled: both do.
struct Steered {
  Word minus, walled;
};
constexpr Steered steer(Word wall, Word at, Word dest, Word radix) {
  const Word plus_way = plus_way_of(at, dest), plus = (wall & plus_way) != 0, minus = (wall & ~plus_way) != 0;
  return {pick(shorter_minus(at, dest, radix), !minus, plus), plus & minus};
}
/// The side on the ring's shorter way to the destination: 1 = minus; a tie goes to +.
constexpr Word ring_side(Word at, Word dest, Word radix) {
  const Word up = dest - at + pick(dest < at, radix, 0);
  return up - 1 >= radix / 2;
}

constexpr bool is_ring(Variant v) {
  return v == Variant::kSafe6Ring || v == Variant::kSafe4Ring || v == Variant::kSafe6Short;
}
constexpr bool is_safe4(Variant v) {
  return v == Variant::kSafe4 || v == Variant::kSafe4Ring || v == Variant::kAdaptive;
}
constexpr bool has_source_class(Variant v) { return v == Variant::kPrinted || v == Variant::kRing6; }
constexpr bool is_steered(Variant v) { return v != Variant::kPrinted && v != Variant::kEcube; }
constexpr Word bit(Word header, uint8_t mask) { return (header & mask) != 0; }

/// What a phase decides: the side port instead of the main one, and the header's two bits for detours.
struct Turn {
  Word use_side = 0, side_port = 0, around = 0, back = 0, drop = 0;
};

/// Phase x: go on, or along the region on the side `around`. It need not return to its row: phase y follows.
template <Variant V>
constexpr Turn phase_x(const Ground& g, const Fields& q, Word free, Word main) {
  const Word side = is_ring(V) ? ring_side(q.y, q.dest_y, g.radix[1]) : q.dest_y <= q.y;
  Word around = pick(q.fresh, side, bit(q.header, header::kAround)), back = 0;
  if constexpr (V == Variant::kSafe6Short) {
    const Word plus = q.sides >> main & 1, minus = q.sides >> (4 + main) & 1;
    const Word first = q.fresh | !bit(q.header, header::kBack);  // `back` is "on a detour" here
    around = pick(first, pick(plus, 0, minus | side), around);
    back = free ^ 1;
  }
  return {free ^ 1, 2 + around, pick(free, side, around), back, 0};
}

/// Phase y of the repaired variants: out on the side `around`, along the region, and home to the column.
template <Variant V>
constexpr Turn phase_y(const Fields& q, Word free, Word main, Word begins) {
  const Word in_column = q.x == q.dest_x, in_row = q.y == q.dest_y;
  const Word back = bit(q.header, header::kBack) & (begins ^ 1) & (in_column ^ 1);
  Word around = in_column | bit(q.header, header::kAround);
  if constexpr (V == Variant::kSafe6Short) around = pick(in_column, free | !(q.sides >> main & 1), around);
  const Word home = around ^ 1, home_free = (q.blocked >> home & 1) ^ 1;
  return {pick(back, home_free, free ^ 1), pick(back, home, around), around, back | (free & (in_column ^ 1)),
          back & in_row & (home_free ^ 1)};
}

/// Phase y as printed: like phase x with the dimensions exchanged.
constexpr Turn printed_y(const Fields& q, Word free, Word around) {
  return {free ^ 1, around, pick(free, q.dest_x <= q.x, around), 0, 0};
}

}  // namespace detail

/// The route function of a variant (docs/torus.md §5).
template <Variant V>
[[gnu::always_inline]] constexpr Answer route(const Ground& g, const Ask& ask) {
  using namespace detail;
  const Fields q = fields_of(ask);
  const Word in_column = q.x == q.dest_x, in_row = q.y == q.dest_y;
  const Word had_y = (q.fresh ^ 1) & (q.header & header::kDim);
  const Word y = had_y | in_column;           // the phase now
  const Word begins = q.fresh | (y ^ had_y);  // of a phase: its direction is chosen
  const Word at = pick(y, q.y, q.x), dest = pick(y, q.dest_y, q.dest_x), radix = pick(y, g.radix[1], g.radix[0]);
  Word minus = 0, walled = 0;
  if constexpr (is_steered(V)) {
    const Steered chosen = steer(pick(y, g.wall[1], g.wall[0]), at, dest, radix);
    minus = pick(begins, chosen.minus, bit(q.header, header::kDir));
    walled = begins & chosen.walled;
  } else {
    minus = shorter_minus(at, dest, radix);
  }
  const Word main = 2 * y + minus, free = (q.blocked >> main & 1) ^ 1;

  Turn t;
  Word source = 0;  // classes of the source, in the header
  if constexpr (has_source_class(V)) {
    const Word fresh_class = (q.dest_x <= q.x) * header::kXr | (q.dest_y <= q.y) * header::kYr;
    source = pick(q.fresh, fresh_class, q.header & (header::kXr | header::kYr));
  }
  if constexpr (V != Variant::kEcube) {
    const Turn along = phase_x<V>(g, q, free, main);
    Turn down;
    if constexpr (V == Variant::kPrinted) {
      down = printed_y(q, free, pick(q.fresh, q.dest_y <= q.y, bit(q.header, header::kAround)));
    } else {
      down = phase_y<V>(q, free, main, begins);
    }
    t = {pick(y, down.use_side, along.use_side), pick(y, down.side_port, along.side_port),
         pick(y, down.around, along.around), pick(y, down.back, along.back), y & down.drop};
  }
  const Word port = pick(t.use_side, t.side_port, main);
  Word r = (dest < at) | (minus & (dest == at));
  if constexpr (has_source_class(V)) r = bit(source, header::kXr) * (port < 2) | bit(source, header::kYr) * (port >= 2);
  const Word j = t.use_side * (is_safe4(V) ? 1 : 1 + minus);

  const Word arrived = in_column & in_row, stuck = V == Variant::kPrinted ? y & in_row : 0,
             drop = t.drop | (q.blocked >> port & 1);
  const auto code = [](Action a) { return static_cast<Word>(a); };
  Word action = pick(drop, code(Action::kDrop), code(Action::kForward));
  action = pick(walled, code(Action::kUnreachable), action);
  action = pick(stuck, code(Action::kStuck), action);
  action = pick(arrived, code(Action::kEject), action);
  const Word header =
      y * header::kDim | minus * header::kDir | t.around * header::kAround | t.back * header::kBack | source;
  Word productive = 0;
  if constexpr (V == Variant::kAdaptive) {
    const Word ways = pick(in_column, 0, Word{1} << steer(g.wall[0], q.x, q.dest_x, g.radix[0]).minus) |
                      pick(in_row, 0, Word{4} << steer(g.wall[1], q.y, q.dest_y, g.radix[1]).minus);
    productive = pick(q.fresh, ways & ~q.blocked, 0);
  }
  const Word answer = port << 8 | (3 * r + j) << 16 | header << 24 | productive << 32;
  return std::bit_cast<Answer>(pick(action, action, answer));
}

/// Calls f with the variant as a template argument: f.template operator()<V>().
template <class F>
decltype(auto) with_variant(Variant v, F&& f) {
  switch (v) {
    case Variant::kPrinted:
      return f.template operator()<Variant::kPrinted>();
    case Variant::kRing6:
      return f.template operator()<Variant::kRing6>();
    case Variant::kSafe6:
      return f.template operator()<Variant::kSafe6>();
    case Variant::kSafe6Short:
      return f.template operator()<Variant::kSafe6Short>();
    case Variant::kSafe4:
      return f.template operator()<Variant::kSafe4>();
    case Variant::kSafe4Ring:
      return f.template operator()<Variant::kSafe4Ring>();
    case Variant::kAdaptive:
      return f.template operator()<Variant::kAdaptive>();
    case Variant::kEcube:
      return f.template operator()<Variant::kEcube>();
    case Variant::kSafe6Ring:
      break;
  }
  return f.template operator()<Variant::kSafe6Ring>();
}

/// One decision of any variant.
Answer route(Variant variant, const Ground& ground, const Ask& ask);
/// Many at once: answers[i] = route(variant, ground, asks[i]), i < count.
void route_all(Variant variant, const Ground& ground, const Ask* asks, Answer* answers, size_t count);

}  // namespace odonata::torus
