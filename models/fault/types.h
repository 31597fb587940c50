// SPDX-License-Identifier: Apache-2.0
// Words of the fault plane: modes, levels of accessibility, and the FD / FR message (DOAR §4.1; docs/fault.md §2, §3).
#pragma once

#include <cstdint>
#include <string>

#include "models/common/bits.h"
#include "models/topology/dragonfly.h"

namespace odonata::fault {

/// paper: the corrected reading of Algorithm 2 (M2). safe: partial options, emergency detour, withdrawal (M3, the
/// default).
enum class Mode : uint8_t { paper, safe };
/// per_entry: an FR undoes one FD. port_level: Algorithm 3 as repaired from print (for study; it deadlocks with three
/// faults).
enum class Recovery : uint8_t { per_entry, port_level };

/// How well an option, or a whole entry, serves. Mode safe knows two kinds between full and lost: *partial*, every
/// packet arrives, some with one link more; *gateway*, only packets for the router behind the link arrive. From best to
/// worst: full, partial, gateway, lost.
enum class Level : uint8_t { full = 0, partial = 1, lost = 2, gateway = 3 };
/// Place in that order; the codes are a Gray code of it.
inline int rank(Level x) { return static_cast<int>(x) ^ (static_cast<int>(x) >> 1); }
inline Level best(Level x, Level y) { return rank(x) < rank(y) ? x : y; }
inline Level worst(Level x, Level y) { return rank(x) < rank(y) ? y : x; }

/// Side of filter F that a message is about: D the way out of an intermediate group, S the own global ports of a source
/// group.
enum class MessageClass : uint8_t { d = 0, s = 1 };
/// FD: the sender's entry fell to the level that the prefix says. FR: it is full again.
enum class Kind : uint8_t { diagnosis = 0, recovery = 1 };

/// In the nid field of an FD with prefix 2 about another group: only packets for the sending router itself arrive.
inline constexpr uint8_t kGatewayOnly = 1;

/// An FD or FR: 22 bits on the wire besides sequence number and CRC (packet.h).
struct Message {
  Kind kind = Kind::diagnosis;
  MessageClass message_class = MessageClass::d;
  uint8_t prefix = 1;  ///< 0 whole port (FR only), 1 {gid}, 2 {gid, bid}, 3 {gid, bid, nid}
  uint16_t gid = 0;    ///< 9 bits
  uint8_t bid = 0;     ///< 5 bits
  uint8_t nid = 0;     ///< 4 bits; with prefix 2 kGatewayOnly or 0
  bool operator==(const Message&) const = default;
};

/// FR with prefix 0. In recovery per_entry it is the *end mark*: what a port tells after its link has come up ends
/// here. In recovery port_level all entries of the port are full again.
inline constexpr Message kWholePort{Kind::recovery, MessageClass::d, 0, 0, 0, 0};
inline bool is_end_mark(const Message& m, Recovery recovery) {
  return m.prefix == 0 && m.kind == Kind::recovery && recovery == Recovery::per_entry;
}

std::string_view to_string(Mode mode);
std::string_view to_string(Recovery recovery);
std::string_view to_string(Level level);
/// "FD D <2,*,*>/1"
std::string to_string(const Message& message);
/// Throw Error when the name is unknown.
Mode parse_mode(std::string_view text);
Recovery parse_recovery(std::string_view text);

}  // namespace odonata::fault
