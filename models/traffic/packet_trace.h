// SPDX-License-Identifier: Apache-2.0
// Traces of application traffic: which node sends how many flits to whom, and when. A compact format, a converter for
// netrace-style text, and a generator of a sample (docs/mesh.md §5).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace odonata::traffic {

/// One packet of a trace.
struct TracePacket {
  uint32_t cycle = 0;
  uint32_t source = 0, dest = 0;  ///< node numbers
  uint8_t flits = 1;              ///< 1..64
  bool operator==(const TracePacket&) const = default;
};

/// A trace: packets in the order of their cycles. A node sends at most one packet in a cycle.
struct PacketTrace {
  int nodes = 0;
  std::string note;  ///< where it comes from
  std::vector<TracePacket> packets;

  uint64_t flits() const;
  /// Cycle of the last packet + 1; 0 for an empty trace.
  uint32_t cycles() const { return packets.empty() ? 0 : packets.back().cycle + 1; }
  /// Puts the packets in order and moves the second packet of a node in a cycle to the next one. Throws Error when
  /// something is out of range.
  void normalise();
};

/// The format: a frame (models/common/frame.h) with the mark "ODTRACE2" around numbers of seven bits a byte, low ones
/// first, bit 7: another byte follows: nodes, packets, bytes of the note, the note; then a packet: cycles since the
/// packet before, source, dest xor the dest of the source's packet before (0 at first), flits. Throws Error for a trace
/// without packets.
std::string encode(const PacketTrace& trace);
/// Throws Error at anything that encode() cannot have written.
PacketTrace decode(std::string_view bytes);

/// Text, a packet a line, either "cycle source dest flits" or netrace's printout with CYC:, SRC:, DST: and TYP: (other
/// fields are passed over; types that carry a cache line are 5 flits of 16 bytes, the others 1). '#' starts a comment.
/// Dependencies are not kept: packets start at the printed cycle. Throws Error "line N: ...".
PacketTrace from_text(std::string_view text, int nodes);

/// A sample that is generated, not recorded: nodes switch between computing and missing caches; a miss is a request of
/// one flit to the line's home node and an answer of five flits, some via a memory node (the corners of a row-major
/// array). About `load` flits a node and cycle.
PacketTrace generate_sample(int nodes, uint32_t cycles, double load, uint64_t seed);

}  // namespace odonata::traffic
