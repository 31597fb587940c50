// SPDX-License-Identifier: Apache-2.0
// D2RA arbitration requests (D2RA §4, Alg. 1, Fig. 4, eq. 6-13): which outputs may a packet ask for, and in which
// class? The meaning of the block; docs/arb_request.md §2. Eight dimensions are computed at once in the bytes of a
// machine word, without a branch.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace odonata::arb_request {

inline constexpr int kMaxDimensions = 8;

/// Routing scheme; the numbers are the codes of the `scheme_i` pin.
enum class Scheme : uint8_t { kDor = 0, kDbra = 1, kD2ra = 2 };
/// The reserved code 3 acts as D2RA.
constexpr Scheme known(Scheme scheme) { return scheme > Scheme::kD2ra ? Scheme::kD2ra : scheme; }

/// Eight bytes, byte i belongs to dimension i (0..7); unused dimensions are 0.
using Lanes = uint64_t;

/// Byte i of a vector, 0 <= i < 8.
constexpr uint8_t lane(Lanes v, int i) { return static_cast<uint8_t>(v >> (8 * i)); }
/// Sets byte i, 0 <= i < 8.
constexpr void set_lane(Lanes& v, int i, uint8_t value) {
  v = (v & ~(0xFFull << (8 * i))) | (static_cast<Lanes>(value) << (8 * i));
}

/// Lanes as a flat vector of n fields of `bits` bits, as the RTL has them at its pins.
constexpr uint64_t flat(Lanes v, int n, int bits) {
  if (bits == 8) return n == 8 ? v : v & ((1ull << (8 * (n % 8))) - 1);
  uint64_t word = 0;
  for (int i = 0; i < n; ++i) word |= static_cast<uint64_t>(lane(v, i) & ((1 << bits) - 1)) << (i * bits);
  return word;
}
/// The reverse of flat().
constexpr Lanes lanes(uint64_t word, int n, int bits) {
  Lanes v = 0;
  for (int i = 0; i < n; ++i) set_lane(v, i, static_cast<uint8_t>(word >> (i * bits) & ((1 << bits) - 1)));
  return v;
}

/// One question: a packet for `dest` at router `at`; the credits are free packet slots of the next router's queue, a
/// byte a dimension, one word a direction.
struct Query {
  Lanes at = 0;
  Lanes dest = 0;
  Lanes credit_plus = 0;
  Lanes credit_minus = 0;
};

/// The answer; bit i of a map belongs to dimension i.
struct Requests {
  uint8_t remaining = 0;  ///< r: dimensions with hops left
  uint8_t plus = 0;       ///< direction: destination coordinate above the own one
  uint8_t high = 0;       ///< requests whose credit meets the DBRA condition
  uint8_t low = 0;        ///< requests that meet only the DOR threshold
  uint8_t z = 0;          ///< number of remaining dimensions; 0: eject

  uint8_t request() const { return high | low; }
  uint8_t lowest() const { return static_cast<uint8_t>(remaining & -remaining); }
  bool eject() const { return z == 0; }
  /// eq. 13: the low class counts only when no high request exists.
  uint8_t candidates() const { return high ? high : low; }
  bool operator==(const Requests&) const = default;
};

namespace detail {

inline constexpr Lanes kOnes = 0x0101010101010101ull;  // 1 in every byte
inline constexpr Lanes kTop = 0x8080808080808080ull;   // bit 7 of every byte

/// Bit 7 of every byte in which a >= b, unsigned.
constexpr Lanes at_least(Lanes a, Lanes b) {
  const Lanes t = (a | kTop) - (b & ~kTop);  // the low seven bits compare in bit 7, no borrow between bytes
  return ((a & ~b) | (~(a ^ b) & t)) & kTop;
}
/// Bit 7 of every byte that is not 0.
constexpr Lanes non_zero(Lanes a) { return (((a & ~kTop) + ~kTop) | a) & kTop; }
/// Bits 7, 15, 23, ... gathered in bits 0..7.
constexpr uint8_t gather(Lanes tops) { return static_cast<uint8_t>(((tops >> 7) * 0x0102040810204080ull) >> 56); }
/// 0xFF in every byte whose bit 7 is set; the other bits of `tops` are 0.
constexpr Lanes fill(Lanes tops) { return (tops << 1) - (tops >> 7); }

/// The bytes of an evaluation before they are gathered: bit 7 of byte i stands for dimension i.
struct Spread {
  Lanes remaining, plus, credit, high, low;
  Lanes z;  // the number itself
};

/// docs/arb_request.md §2 on eight dimensions at once.
constexpr Spread evaluate_lanes(const Query& q, Scheme scheme) {
  Spread s{};
  s.remaining = non_zero(q.at ^ q.dest);
  s.plus = at_least(q.dest, q.at) & s.remaining;
  const Lanes up = fill(s.plus);
  s.credit = (q.credit_plus & up) | (q.credit_minus & ~up);
  // Sum of the ones; the multiplication is the byte-wise addition.
  s.z = ((s.remaining >> 7) * kOnes) >> 56;
  const Lanes lowest = s.remaining & (0 - s.remaining);
  const Lanes enough_for_dbra = at_least(s.credit, s.z * kOnes);
  const Lanes enough_for_dor = lowest & non_zero(s.credit);
  const Lanes dbra = s.remaining & enough_for_dbra;
  // Masks instead of branches: DOR drops what is not lowest, DBRA drops what is low.
  const Lanes not_dor = 0 - static_cast<Lanes>(scheme != Scheme::kDor);
  const Lanes not_dbra = 0 - static_cast<Lanes>(scheme != Scheme::kDbra);
  s.high = dbra & (lowest | not_dor);
  s.low = enough_for_dor & ~enough_for_dbra & not_dbra;
  return s;
}

}  // namespace detail

/// The requests of one packet (docs/arb_request.md §2).
constexpr Requests evaluate(const Query& query, Scheme scheme) {
  const detail::Spread s = detail::evaluate_lanes(query, scheme);
  return {detail::gather(s.remaining), detail::gather(s.plus), detail::gather(s.high), detail::gather(s.low),
          static_cast<uint8_t>(s.z)};
}

/// The credit of every dimension in the direction that the packet needs (direction - where nothing remains).
constexpr Lanes selected_credit(const Query& query) { return detail::evaluate_lanes(query, Scheme::kD2ra).credit; }

/// Many questions at once: answers[i] = evaluate(queries[i], scheme), i < count.
void evaluate_all(const Query* queries, Requests* answers, size_t count, Scheme scheme);

}  // namespace odonata::arb_request
