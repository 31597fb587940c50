// SPDX-License-Identifier: Apache-2.0
#include "models/workload/script.h"

#include <bit>

#include "models/common/error.h"

namespace odonata::workload {

uint32_t Script::message(OpKind kind, uint32_t peer, uint64_t bytes) {
  Op op;
  op.kind = kind;
  op.phase = phase_;
  op.peer = peer;
  op.tag = tag_;
  op.amount = bytes;
  return rank_.add(op, last_);
}

void Script::calc(uint64_t ns) {
  if (ns == 0) return;
  Op op;
  op.phase = phase_;
  op.amount = ns;
  block(rank_.add(op, last_));
}

void Script::wait() {
  for (const uint32_t op : pending_) last_.push_back({op, 0});
  pending_.clear();
  constexpr size_t kFew = 2;
  if (last_.size() <= kFew) return;
  Op join;  // a calculation of no time, so that what follows need not name all of them
  join.phase = phase_;
  block(rank_.add(join, last_));
}

uint32_t Script::end() {
  wait();
  if (last_.size() != 1 || last_[0].started != 0) {
    Op join;
    join.phase = phase_;
    block(rank_.add(join, last_));
  }
  return last_[0].op;
}

namespace {

std::vector<uint32_t> children(const std::vector<uint32_t>& group, uint32_t me) {
  std::vector<uint32_t> out;
  for (uint64_t child : {uint64_t{2} * me + 1, uint64_t{2} * me + 2}) {
    if (child < group.size()) out.push_back(group[child]);
  }
  return out;
}

/// From left to right round the ring: one step with what goes out and what comes in.
void ring_step(Script& script, const std::vector<uint32_t>& group, uint32_t me, uint64_t out, uint64_t in) {
  const auto n = static_cast<uint32_t>(group.size());
  script.irecv(group[(me + n - 1) % n], in);
  script.isend(group[(me + 1) % n], out);
  script.wait();
}

}  // namespace

void broadcast_tree(Script& script, const std::vector<uint32_t>& group, uint32_t me, uint64_t bytes) {
  if (me != 0) script.recv(group[(me - 1) / 2], bytes);
  for (const uint32_t child : children(group, me)) script.isend(child, bytes);
  script.wait();
}

void reduce_tree(Script& script, const std::vector<uint32_t>& group, uint32_t me, uint64_t bytes) {
  for (const uint32_t child : children(group, me)) script.irecv(child, bytes);
  script.wait();
  if (me != 0) script.send(group[(me - 1) / 2], bytes);
}

void barrier_tree(Script& script, const std::vector<uint32_t>& group, uint32_t me) {
  allreduce_tree(script, group, me, 0);
}

void allreduce_tree(Script& script, const std::vector<uint32_t>& group, uint32_t me, uint64_t bytes) {
  reduce_tree(script, group, me, bytes);
  broadcast_tree(script, group, me, bytes);
}

void reduce_scatter_ring(Script& script, const std::vector<uint32_t>& group, uint32_t me, uint64_t bytes) {
  const auto n = static_cast<uint32_t>(group.size());
  for (uint32_t s = 0; s + 1 < n; ++s) {
    ring_step(script, group, me, part_of(bytes, n, (me + n - s) % n), part_of(bytes, n, (me + 2 * n - s - 1) % n));
  }
}

void allreduce_ring(Script& script, const std::vector<uint32_t>& group, uint32_t me, uint64_t bytes) {
  const auto n = static_cast<uint32_t>(group.size());
  reduce_scatter_ring(script, group, me, bytes);
  for (uint32_t s = 0; s + 1 < n; ++s) {
    ring_step(script, group, me, part_of(bytes, n, (me + 1 + n - s) % n), part_of(bytes, n, (me + n - s) % n));
  }
}

void allgather_ring(Script& script, const std::vector<uint32_t>& group, uint32_t me, uint64_t bytes) {
  for (size_t s = 0; s + 1 < group.size(); ++s) ring_step(script, group, me, bytes, bytes);
}

void allreduce_halving(Script& script, const std::vector<uint32_t>& group, uint32_t me, uint64_t bytes) {
  const auto n = static_cast<uint32_t>(group.size());
  if (!std::has_single_bit(n)) throw Error("halving needs a power of two of ranks, not " + std::to_string(n));
  struct Exchange {
    uint32_t peer;
    uint64_t out, in;
  };
  std::vector<Exchange> way;
  uint64_t mine = bytes;  // of the segment that this rank and its group still reduce
  for (uint32_t bit = n / 2; bit != 0; bit /= 2) {
    const bool upper = (me & bit) != 0;
    const uint64_t low = mine - mine / 2, high = mine / 2;
    way.push_back({group[me ^ bit], upper ? low : high, upper ? high : low});
    mine = upper ? high : low;
  }
  const auto exchange = [&script](uint32_t peer, uint64_t out, uint64_t in) {
    script.irecv(peer, in);
    script.isend(peer, out);
    script.wait();
  };
  for (const Exchange& e : way) exchange(e.peer, e.out, e.in);
  for (size_t k = way.size(); k-- != 0;) exchange(way[k].peer, way[k].in, way[k].out);
}

void alltoallv_ring(Script& script, const std::vector<uint32_t>& group, uint32_t me,
                    const std::function<uint64_t(uint32_t, uint32_t)>& bytes) {
  const auto n = static_cast<uint32_t>(group.size());
  for (uint32_t s = 1; s < n; ++s) {
    const uint32_t to = (me + s) % n, from = (me + n - s) % n;
    script.irecv(group[from], bytes(from, me));
    script.send(group[to], bytes(me, to));
    script.wait();
  }
}

}  // namespace odonata::workload
