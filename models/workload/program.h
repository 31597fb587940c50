// SPDX-License-Identifier: Apache-2.0
// Programs of applications as plain data: what each rank sends, receives and computes, and what waits for what
// (docs/workloads.md §1).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace odonata::workload {

enum class OpKind : uint8_t { send, recv, calc };

/// An operation of a rank.
struct Op {
  static constexpr uint16_t kTimer = 0xFFFF;  ///< as `cpu`: a delay that takes no processor
  OpKind kind = OpKind::calc;
  uint8_t phase = 0;  ///< in Job::phases
  uint16_t cpu = 0;   ///< one calculation of a processor at a time
  uint16_t nic = 0;   ///< kept from trace files; a node has one link
  uint16_t needs = 0;
  uint32_t first_need = 0;  ///< in Rank::needs
  uint32_t peer = 0;        ///< rank at the other end
  uint32_t tag = 0;
  uint64_t amount = 0;  ///< bytes of a message, ns of a calculation
  bool operator==(const Op&) const = default;
};

/// What an operation waits for: that another one of the same rank is complete, or only that it has started.
struct Need {
  uint32_t op : 31;
  uint32_t started : 1;
  bool operator==(const Need& other) const { return op == other.op && started == other.started; }
};

/// The program of a rank, one iteration of it. Operations with the same partner and tag match in their order here.
struct Rank {
  std::vector<Op> ops;
  std::vector<Need> needs;
  /// Appends an operation. Throws Error when it waits for more than 65,535 others.
  uint32_t add(Op op, const std::vector<Need>& waits_for);
  bool operator==(const Rank&) const = default;
};

/// An application: every rank goes through its program `iterations` times; it begins the next one when all operations
/// of the last one are complete.
struct Job {
  std::string name;  ///< what it is, in a word
  std::string note;  ///< where it comes from, when that needs saying ("generated ...")
  std::vector<std::string> phases{"all"};
  uint32_t iterations = 1;
  std::vector<Rank> ranks;

  size_t ops() const;  ///< of one iteration, all ranks
};

/// Applications that run at once; ranks are numbered through, job by job.
struct Workload {
  std::vector<Job> jobs;
  size_t ranks() const;
};

/// Throws Error "WHAT: more than 63 bits" where a sum or product of sizes or times leaves them.
uint64_t add_63(uint64_t a, uint64_t b, const char* what);
uint64_t multiply_63(uint64_t a, uint64_t b, const char* what);

/// What a job's messages are; everything over all iterations.
struct PhaseTotals {
  uint64_t messages = 0, bytes = 0;
  uint64_t least = 0, most = 0;  ///< bytes of a message
};
/// The same of all phases, and its calculations.
struct Totals {
  uint64_t ops = 0, calcs = 0, calc_ns = 0;
  PhaseTotals all;
  std::vector<PhaseTotals> phases;  ///< as Job::phases
};
/// Throws Error where a sum has more than 63 bits.
Totals totals(const Job& job);

/// Which operation is at the other end of a message: [rank][op], the op of rank `peer`; calculations have none.
using Partners = std::vector<std::vector<uint32_t>>;
inline constexpr uint32_t kNoPartner = ~0u;
/// The k-th send of a rank to another with a tag goes to the k-th receive there. Throws Error that names a send or a
/// receive that has no partner, or a partner of another size, a rank that does not exist, or a need of no operation.
Partners match(const Job& job);

/// The longest chain of dependencies, each measured by itself.
struct CriticalPath {
  uint64_t ns = 0;        ///< calculations
  uint64_t messages = 0;  ///< one after the other
  uint64_t bytes = 0;     ///< of messages to other ranks, one after the other
};
/// Without a network: messages take no time, a rendezvous (more than `eager_limit` bytes) needs its receive posted.
/// Throws Error that names the operations when some wait for each other in a circle.
CriticalPath critical_path(const Job& job, const Partners& partners, uint64_t eager_limit);
/// Only the check for circles.
void check_order(const Job& job, const Partners& partners, uint64_t eager_limit);

/// "rank 3 op 7 (send 8 bytes to rank 2, tag 1)".
std::string describe(const Job& job, uint32_t rank, uint32_t op);

}  // namespace odonata::workload
