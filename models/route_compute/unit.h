// SPDX-License-Identifier: Apache-2.0
// The route-compute unit cycle by cycle in plain C++ (docs/route_compute.md §2, §3): the reference of the fast
// lockstep.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <utility>

#include "models/route_compute/registers.h"
#include "models/route_compute/route_compute_pins.h"

namespace odonata::route_compute {

/// An address in 18 bits: {gid[17:9], bid[8:4], nid[3:0]}.
inline uint32_t pack_address(const Address& a) { return static_cast<uint32_t>(a.gid << 9 | a.bid << 4 | a.nid); }
inline Address unpack_address(uint32_t bits) {
  return {static_cast<int>(bits >> 9 & 511), static_cast<int>(bits >> 4 & 31), static_cast<int>(bits & 15)};
}

/// Bits of the probe pins (docs §7).
namespace probe {
inline constexpr uint32_t kStage1 = 1u << 0;
inline constexpr uint32_t kStage2 = 1u << 1;
inline constexpr int kZone = 2;
inline constexpr uint32_t kRta = 1u << 4;
inline constexpr int kIndex = 5;
inline constexpr uint32_t kStage3 = 1u << 15;
inline constexpr uint32_t kStage4 = 1u << 16;
inline constexpr int kNonempty = 17;  // 7 bits: GA, GB, GC, GD, S1, S2, fallback
}  // namespace probe

/// Whether an operation has to wait, given which stages hold a request (docs §3).
inline bool must_wait(Target target, bool write, bool stage1, bool stage2, bool stage3) {
  switch (target) {
    case Target::table_a:
    case Target::table_b:
      return stage2;
    case Target::table_c:
      return write && stage3;
    case Target::router_id:
    case Target::port:
    case Target::rule:
      return write && (stage1 || stage2 || stage3);
    case Target::lfsr:
      return write && stage1;
    default:
      return false;
  }
}

/// One unit. Power-up state is the reset state with empty tables.
class Unit {
 public:
  explicit Unit(const Dragonfly& d) : regs_(d) { refresh(); }

  /// One rising edge: samples `in`, afterwards out() shows the pins.
  void step(const UnitInputs& in);
  const UnitOutputs& out() const { return out_; }
  const Registers& registers() const { return regs_; }
  /// Nothing is on its way: an edge that brings no request, operation or reset would change nothing.
  bool idle() const { return idle_; }

  // For a port whose tables have a second user (docs/router.md §3.2).
  /// What stage 3 sees of the words that stage 2 has read.
  using EntryFilter = std::function<Entries(const Request&, const Decoded&, const Entries&)>;
  void set_entry_filter(EntryFilter filter) { filter_ = std::move(filter); }
  /// In the present cycle: writes of tables A and B wait, and reads.
  void hold_tables(bool writes, bool reads = false) {
    if (writes == hold_writes_ && reads == hold_reads_) return;
    hold_writes_ = writes;
    hold_reads_ = reads;
    refresh();
  }
  /// The row of tables A and B (N, B, G zone in this order) that the last edge has written; -1: none.
  int written_row() const { return written_row_; }

  /// The request, entries and congestion behind the decision that out() shows (for reports); valid while resp_valid
  /// is 1.
  struct Record {
    Request request;
    Decoded decoded;
    Entries entries;
    Congestion congestion;
    uint16_t lfsr = 0;
    Decision decision;
  };
  const Record& response_record() const { return at(5); }
  /// The same for the request in stage 4, whose answer comes at the next edge; null when there is none.
  const Record* stage4_record() const { return r3_valid_ ? &at(4) : nullptr; }

 private:
  struct Operation {
    bool valid = false, write = false;
    uint32_t address = 0;
    uint64_t data = 0;
  };
  struct Acknowledge {
    bool valid = false, error = false;
    uint64_t data = 0;
  };

  void reset();
  void execute_operation(bool stage1, bool stage2, bool stage3, bool responded);
  void load_inputs(const UnitInputs& in, bool ready);
  void refresh();
  bool waits(bool stage1, bool stage2, bool stage3) const;

  Registers regs_;
  /// What stage 2, 3 or 4 has in its registers, or the response, 5.
  Record& at(unsigned stage) { return record_[(edges_ - stage) % record_.size()]; }
  const Record& at(unsigned stage) const { return record_[(edges_ - stage) % record_.size()]; }

  bool r0_valid_ = false, r1_valid_ = false, r2_valid_ = false, r3_valid_ = false;  // a request in stage 1..4
  Request r0_;
  std::array<Record, 4> record_;  // they stay where they are, and every edge moves the stages on by one
  unsigned edges_ = 0;            // wraps
  Operation c0_;
  Acknowledge c1_;
  UnitOutputs out_;
  EntryFilter filter_;
  bool hold_writes_ = false, hold_reads_ = false;
  int written_row_ = -1;
  bool idle_ = false;
};

}  // namespace odonata::route_compute
