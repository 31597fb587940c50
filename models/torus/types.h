// SPDX-License-Identifier: Apache-2.0
// Words of the fault-tolerant torus routing (Duan, Wu, Zhang: "Adaptive fault-tolerant routing in torus networks";
// docs/torus.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/topology/torus.h"

namespace odonata::torus {

/// When a healthy node is disabled (docs/torus.md §3); the numbers are the codes of the `rule_i` pin.
enum class Rule : uint8_t {
  kAny = 0,  ///< at least two of its ports are blocked: rule 6 of the paper to the letter
  kDim = 1,  ///< ports are blocked in at least two dimensions (own)
};

/// Routing variant (docs/torus.md §5).
enum class Variant : uint8_t {
  kPrinted,     ///< Algorithm R as printed: loses packets
  kRing6,       ///< the shortest completion of it, channels as printed: deadlocks
  kSafe6,       ///< r from the current node, detours in the stage of their phase
  kSafe6Ring,   ///< safe6, phase x goes round on the ring's shorter side: the default
  kSafe6Short,  ///< safe6, a detour takes the shorter side of the region
  kSafe4,       ///< safe6 with one detour channel a stage: rule any, static faults
  kSafe4Ring,   ///< safe4 with the side of safe6_ring
  kAdaptive,    ///< minimal adaptive channels over safe4
  kEcube,       ///< dimension order; a blocked port drops
};
inline constexpr int kNumVariants = 9;

/// "any", "dim"; throws Error for another word.
Rule rule_from_name(std::string_view name);
std::string_view name_of(Rule rule);
/// "printed", "ring6", "safe6", "safe6_ring", "safe6_short", "safe4", "safe4_ring", "adaptive", "ecube", each also with
/// "torus_" before it; throws Error for another word.
Variant variant_from_name(std::string_view name);
std::string_view name_of(Variant variant);

inline constexpr int kVcs = 6;  ///< virtual channels d_{r,j} of a link, number 3 * r + j
/// "x1,0" for the channel of port 0 or 1 with number 3.
std::string channel_name(int port, int vc);
/// "x+", ... of a port; "y1,2-" for a channel with its direction.
std::string directed_channel_name(int port, int vc);

/// Control field of the head flit (docs/torus.md §4): one bit each.
namespace header {
inline constexpr uint8_t kDim = 1;     ///< phase: 0 x, 1 y
inline constexpr uint8_t kDir = 2;     ///< direction of the phase: 1 = minus
inline constexpr uint8_t kAround = 4;  ///< side of a detour: 1 = minus
inline constexpr uint8_t kBack = 8;    ///< phase y: the region is passed on its side, go back to the column
inline constexpr uint8_t kXr = 16;     ///< printed and ring6 only: class of x, from the source
inline constexpr uint8_t kYr = 32;     ///< printed and ring6 only: class of y, from the source
}  // namespace header

}  // namespace odonata::torus
