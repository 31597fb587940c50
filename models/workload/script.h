// SPDX-License-Identifier: Apache-2.0
// Writes the program of a rank as a sequence of blocking and non-blocking calls, and collectives out of messages
// (docs/workloads.md §3).
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "models/workload/program.h"

namespace odonata::workload {

/// What one rank calls, one after the other. A blocking call waits for the blocking calls before it; a non-blocking one
/// starts as soon as those are complete and is waited for by wait().
class Script {
 public:
  /// `after`: what the first calls wait for.
  explicit Script(Rank& rank, std::vector<Need> after = {}) : rank_(rank), last_(std::move(after)) {}
  /// Of the messages that follow; also their tag.
  void phase(uint8_t phase) { tag_ = phase_ = phase; }
  void tag(uint32_t tag) { tag_ = tag; }
  void send(uint32_t peer, uint64_t bytes) { block(message(OpKind::send, peer, bytes)); }
  void recv(uint32_t peer, uint64_t bytes) { block(message(OpKind::recv, peer, bytes)); }
  /// Nothing for 0 ns.
  void calc(uint64_t ns);
  void isend(uint32_t peer, uint64_t bytes) { pending_.push_back(message(OpKind::send, peer, bytes)); }
  void irecv(uint32_t peer, uint64_t bytes) { pending_.push_back(message(OpKind::recv, peer, bytes)); }
  /// Until all non-blocking calls are complete.
  void wait();
  /// An operation that is complete when everything is.
  uint32_t end();

 private:
  uint32_t message(OpKind kind, uint32_t peer, uint64_t bytes);
  void block(uint32_t op) { last_.assign(1, Need{op, 0}); }

  Rank& rank_;
  uint8_t phase_ = 0;
  uint32_t tag_ = 0;
  std::vector<Need> last_;  // what the next call waits for
  std::vector<uint32_t> pending_;
};

/// Collectives over ranks `group[0..n-1]`; every member calls them with its own `me` (index in the group).
/// A binary tree rooted at index 0, children 2i+1 and 2i+2.
void broadcast_tree(Script& script, const std::vector<uint32_t>& group, uint32_t me, uint64_t bytes);
void reduce_tree(Script& script, const std::vector<uint32_t>& group, uint32_t me, uint64_t bytes);
/// Reduce, then broadcast, of no bytes.
void barrier_tree(Script& script, const std::vector<uint32_t>& group, uint32_t me);
void allreduce_tree(Script& script, const std::vector<uint32_t>& group, uint32_t me, uint64_t bytes);
/// 2 (P-1) steps round the ring, each with one of P nearly equal parts.
void allreduce_ring(Script& script, const std::vector<uint32_t>& group, uint32_t me, uint64_t bytes);
/// 2 log2 P exchanges of a half, a quarter, ..; P must be a power of two.
void allreduce_halving(Script& script, const std::vector<uint32_t>& group, uint32_t me, uint64_t bytes);
/// P-1 steps, step s: to (me+s) mod P, from (me-s) mod P; each waits. `bytes(a, b)`: what a sends to b, in indices.
void alltoallv_ring(Script& script, const std::vector<uint32_t>& group, uint32_t me,
                    const std::function<uint64_t(uint32_t, uint32_t)>& bytes);
/// P-1 steps round the ring with the part of one member each: all-gather; `bytes` of each member.
void allgather_ring(Script& script, const std::vector<uint32_t>& group, uint32_t me, uint64_t bytes);
/// The first half of allreduce_ring.
void reduce_scatter_ring(Script& script, const std::vector<uint32_t>& group, uint32_t me, uint64_t bytes);

/// The i-th of `parts` nearly equal parts of `total`; the first ones have one more.
inline uint64_t part_of(uint64_t total, uint64_t parts, uint64_t i) {
  return total / parts + (i < total % parts ? 1 : 0);
}

}  // namespace odonata::workload
