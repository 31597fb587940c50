// SPDX-License-Identifier: Apache-2.0
// Programs on the nodes: a closed loop, in which a rank goes on when a message has arrived (docs/workloads.md §2).
// Delivery and reaction are at one node, so domains stay independent of each other.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/common/state_check.h"
#include "sim/network/config.h"
#include "sim/network/flit.h"
#include "sim/network/traffic_source.h"
#include "sim/network/wiring.h"

namespace odonata::network {

/// What both ends of every message know: programs, partners, places, numbers of packets. Read-only during a run.
class LoopPlan;
struct DeleteLoopPlan {
  void operator()(const LoopPlan* plan) const;
};
using LoopPlanPointer = std::unique_ptr<const LoopPlan, DeleteLoopPlan>;
/// Null without Config::workload. Throws Error when the programs do not fit together or not on the network.
LoopPlanPointer make_loop_plan(const Config& config, const Wiring& wiring);

/// The ranks on the nodes of one domain with their network interfaces (NIC). A packet of a program has kMark and its
/// number among all packets of its node in Flit::born, so that the receiver knows the message; its times are kept here
/// as sums.
class Nics {
 public:
  static constexpr uint32_t kMark = 1u << 31;
  static bool is_own(const Flit& flit) { return (flit.born & kMark) != 0; }

  Nics(const LoopPlan& plan, int domain);
  ~Nics();
  /// Whether node n of the domain has a rank; the others create packets as in an open loop.
  bool has_rank(uint32_t n) const { return has_rank_[n] != 0; }
  /// Whether serve() has something to do at the end of this cycle.
  bool due(uint32_t now) const { return next_event_ <= now; }
  /// At the end of cycle `now`: programs go on. Returns the nodes whose head() is another one now.
  const std::vector<uint32_t>& serve(uint32_t now);
  /// The next packet of a node's send queue; never when it is empty.
  Packet head(uint32_t n) const;
  /// The head's first flit enters the network in cycle `now`: returns what identifies it (Flit::born).
  uint32_t take(uint32_t n, uint32_t now);
  /// Its last flit has entered, or never will because the node's link is down.
  void entered(uint32_t n, uint32_t now);
  /// A packet's tail reaches node n in `cycle`, now or later.
  void delivered(uint32_t n, const Flit& flit, uint32_t cycle);
  /// Packets in the send queue of a node.
  uint64_t waiting(uint32_t n) const;
  /// Ranks that have not come to their end.
  uint32_t ranks_left() const;
  /// Whether something was sent in vain as often as it may be: its rank will not come to its end.
  bool gave_up() const;
  /// Whether something will happen after `now` without any packet's arrival.
  bool will_act(uint32_t now) const;
  /// Whether a packet of a program is one that some rank sends to the node that it is for.
  bool knows(const Flit& flit) const;
  /// The state as bytes, and from them. Throws Error when they belong to other programs.
  std::vector<char> save() const;
  void load(const std::vector<char>& bytes);
  template <class Visit>
  void visit_state(Visit&& visit) {
    std::vector<char> bytes;
    if constexpr (!kReadsState<Visit>) bytes = save();
    visit(bytes);
    if constexpr (kReadsState<Visit>) load(bytes);
  }

 private:
  friend struct LoopSums;
  struct State;
  std::vector<uint8_t> has_rank_;
  uint32_t next_event_ = 0;
  std::unique_ptr<State> state_;
};

/// What came of a phase of a job; cycles as in LoopResult.
struct PhaseResult {
  std::string name;
  uint64_t messages = 0, bytes = 0, packets = 0;
  double nic = 0, creation = 0;   ///< mean latency of its packets; not a number unless all of them have arrived
  int64_t first = -1, last = -1;  ///< its first operation starts, its last one ends; -1: it did not happen
};
/// What came of a rank.
struct RankResult {
  uint32_t node = 0;
  int64_t finished = -1;       ///< cycle; -1: not at the end
  uint64_t communication = 0;  ///< cycles without a calculation, up to its end
  uint64_t calculation = 0;    ///< cycles with at least one, and of jitter
};
/// What came of a job; cycles as in LoopResult.
struct JobResult {
  std::string name, note;
  uint32_t first_rank = 0, ranks = 0;
  int64_t time_cycles = -1;  ///< end of its last rank; -1: not all have ended
  std::vector<PhaseResult> phases;
};
/// A run of programs. Latencies are means over packets of messages, without the control packets of a rendezvous.
struct LoopResult {
  uint64_t time_cycles = 0;             ///< end of the last operation of all
  uint64_t messages = 0, received = 0;  ///< whose send has started; whose receive is complete
  uint64_t bytes = 0;
  uint64_t packets = 0, control_packets = 0;  ///< that entered the network, each counted once
  uint64_t resent = 0, acknowledgements = 0;  ///< packets that entered again; packets that acknowledge
  uint64_t duplicates = 0;                    ///< packets that arrived although they were there
  uint64_t given_up = 0;  ///< messages and control packets that were sent in vain as often as they may be
  double nic = 0;         ///< mean latency from the entry of a packet's head; not a number unless all have arrived
  double creation = 0;    ///< from the start of the send
  uint32_t unfinished_ranks = 0;
  std::string waits;    ///< what the first of them waits for
  std::string gave_up;  ///< the first of `given_up`, and between which nodes
  std::vector<JobResult> jobs;
  std::vector<RankResult> ranks;
};
/// `domains`: all of the network.
LoopResult loop_result(const LoopPlan& plan, const std::vector<const Nics*>& domains);

/// A number that differs when the programs do (of a checkpoint).
uint64_t hash_of(const workload::Workload& workload);

}  // namespace odonata::network
