// SPDX-License-Identifier: Apache-2.0
// The programs of a run as both ends of every message know them (docs/workloads.md §2); inside of closed_loop.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "models/common/random.h"
#include "models/workload/program.h"
#include "sim/network/closed_loop.h"

namespace odonata::network {

inline constexpr uint32_t kNever = std::numeric_limits<uint32_t>::max() - 1;  // no run is that long

/// A rank of any job as the engine needs it.
struct RankPlan {
  const workload::Rank* program = nullptr;
  uint32_t job = 0, base = 0;  // number of rank 0 of the job
  uint32_t iterations = 1;
  uint32_t phase_base = 0;           // of the job, over all phases
  uint32_t node = 0, address = 0;    // of the network
  uint32_t straggles = 0;            // cycles later in every iteration
  std::vector<uint32_t> partner;     // [op]
  std::vector<uint32_t> first_id;    // [op], and the packets of an iteration at the end
  std::vector<uint32_t> heads;       // [op] in dependents
  std::vector<uint32_t> dependents;  // op * 2 + whether it waits only for the start
};

/// A link's worth of a message.
struct Cut {
  uint64_t flits = 1;
  uint32_t packets = 1;
};

class LoopPlan {
 public:
  LoopPlan(const Config& config, const Wiring& wiring);
  bool rendezvous(const workload::Op& op) const { return op.amount > eager_limit_; }
  Cut cut(uint64_t bytes) const {
    Cut out;
    out.flits = std::max<uint64_t>(1, (bytes + flit_bytes_ - 1) / flit_bytes_);
    out.packets = static_cast<uint32_t>((out.flits + packet_flits_ - 1) / packet_flits_);
    return out;
  }
  uint8_t flits_of(uint64_t bytes, uint32_t packet) const {
    const Cut c = cut(bytes);
    return static_cast<uint8_t>(packet + 1 == c.packets ? c.flits - uint64_t{packet} * packet_flits_ : packet_flits_);
  }
  /// Of a calculation, from its ns. What the clock and the product are rounded by is no further cycle: 50 ns of 1.1 are
  /// 55 cycles.
  uint64_t cycles(uint64_t ns) const {
    constexpr double kRounded = 1 - 0x1p-51;
    return clock_ == 1 ? ns : static_cast<uint64_t>(std::ceil(static_cast<double>(ns) * clock_ * kRounded));
  }
  uint64_t pace() const { return pace_; }
  /// Whether everything is acknowledged, and sent again when it is not.
  bool resends() const { return resend_ != 0; }
  uint32_t tries() const { return tries_; }
  /// Cycles from the entry of what has been sent `sent` times to its time-out, which doubles.
  uint64_t patience(uint32_t sent) const { return resend_ << std::min(sent - 1, 20u); }
  uint32_t rank_at(uint32_t node) const { return rank_of_node_[node]; }
  /// kNone: no rank has it.
  uint32_t rank_of(uint32_t address) const {
    return address < rank_of_address_.size() ? rank_of_address_[address] : kNone;
  }
  uint32_t delay(uint32_t rank, uint32_t iteration) const {
    const uint64_t jitter = jitter_ == 0 ? 0 : mix_seed(seed_, 0x6A697474, rank, iteration) % (jitter_ + 1);
    return static_cast<uint32_t>(std::min<uint64_t>(kNever, jitter + ranks[rank].straggles));
  }

  std::vector<RankPlan> ranks;
  std::vector<std::string> phases;  // of all jobs
  const Wiring& wiring;
  const workload::Workload& jobs;
  static constexpr uint32_t kNone = ~0u;
  static constexpr int kPaceBits = 16;

 private:
  void place(const Config& config);
  void number_packets(RankPlan& rank) const;
  static void list_dependents(RankPlan& rank);
  void set_stragglers(const std::string& text);

  uint64_t eager_limit_, flit_bytes_, packet_flits_, jitter_, seed_, resend_;
  uint32_t tries_;
  uint64_t pace_;  // 2^-kPaceBits cycles that a flit of data takes at the NIC
  double clock_;
  std::vector<uint32_t> rank_of_node_, rank_of_address_;
};

}  // namespace odonata::network
