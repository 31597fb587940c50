// SPDX-License-Identifier: Apache-2.0
#include "models/workload/program.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "models/common/error.h"

namespace odonata::workload {

uint32_t Rank::add(Op op, const std::vector<Need>& waits_for) {
  if (waits_for.size() > std::numeric_limits<uint16_t>::max())
    throw Error("an operation waits for more than 65535 others");
  if (ops.size() >= (1u << 31) - 1 || needs.size() + waits_for.size() > std::numeric_limits<uint32_t>::max()) {
    throw Error("a rank has more than 2147483647 operations");
  }
  op.first_need = static_cast<uint32_t>(needs.size());
  op.needs = static_cast<uint16_t>(waits_for.size());
  needs.insert(needs.end(), waits_for.begin(), waits_for.end());
  ops.push_back(op);
  return static_cast<uint32_t>(ops.size() - 1);
}

size_t Job::ops() const {
  size_t out = 0;
  for (const Rank& r : ranks) out += r.ops.size();
  return out;
}

size_t Workload::ranks() const {
  size_t out = 0;
  for (const Job& j : jobs) out += j.ranks.size();
  return out;
}

namespace {

constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();

[[noreturn]] void too_large(const char* what) { throw Error(std::string(what) + ": more than 63 bits"); }

}  // namespace

uint64_t add_63(uint64_t a, uint64_t b, const char* what) {
  if (a > kMost || b > kMost - a) too_large(what);
  return a + b;
}

uint64_t multiply_63(uint64_t a, uint64_t b, const char* what) {
  if (a != 0 && b > kMost / a) too_large(what);
  return a * b;
}

Totals totals(const Job& job) {
  Totals out;
  out.phases.resize(job.phases.size());
  const auto count = [&](PhaseTotals& t, uint64_t bytes) {
    t.least = t.messages == 0 ? bytes : std::min(t.least, bytes);
    t.most = std::max(t.most, bytes);
    t.messages = add_63(t.messages, job.iterations, "messages");
    t.bytes = add_63(t.bytes, multiply_63(bytes, job.iterations, "bytes"), "bytes");
  };
  for (const Rank& r : job.ranks) {
    out.ops = add_63(out.ops, multiply_63(r.ops.size(), job.iterations, "operations"), "operations");
    for (const Op& op : r.ops) {
      if (op.kind == OpKind::send) {
        count(out.all, op.amount);
        count(out.phases.at(op.phase), op.amount);
      } else if (op.kind == OpKind::calc && op.amount != 0) {
        out.calcs = add_63(out.calcs, job.iterations, "calculations");
        out.calc_ns =
            add_63(out.calc_ns, multiply_63(op.amount, job.iterations, "ns of calculations"), "ns of calculations");
      }
    }
  }
  return out;
}

std::string describe(const Job& job, uint32_t rank, uint32_t op) {
  const Op& o = job.ranks.at(rank).ops.at(op);
  const std::string head = "rank " + std::to_string(rank) + " op " + std::to_string(op);
  if (o.kind == OpKind::calc) return head + " (calc " + std::to_string(o.amount) + " ns)";
  const bool sends = o.kind == OpKind::send;
  return head + (sends ? " (send " : " (recv ") + std::to_string(o.amount) + " bytes " + (sends ? "to" : "from") +
         " rank " + std::to_string(o.peer) + ", tag " + std::to_string(o.tag) + ")";
}

namespace {

/// An end of a message, seen from the rank that receives it.
struct End {
  uint32_t source, tag, op;
  bool operator<(const End& o) const { return std::tie(source, tag, op) < std::tie(o.source, o.tag, o.op); }
  bool same_flow(const End& o) const { return source == o.source && tag == o.tag; }
};

void check_needs(const Job& job, uint32_t rank) {
  const Rank& r = job.ranks[rank];
  for (uint32_t i = 0; i < r.ops.size(); ++i) {
    const Op& op = r.ops[i];
    if (op.kind != OpKind::calc && op.peer >= job.ranks.size()) {
      throw Error(describe(job, rank, i) + ": there are " + std::to_string(job.ranks.size()) + " ranks");
    }
    if (op.phase >= job.phases.size())
      throw Error(describe(job, rank, i) + ": phase " + std::to_string(op.phase) + " does not exist");
    for (uint32_t k = op.first_need; k != op.first_need + op.needs; ++k) {
      if (r.needs.at(k).op >= r.ops.size())
        throw Error(describe(job, rank, i) + ": waits for op " + std::to_string(r.needs[k].op) +
                    ", which does not exist");
    }
  }
}

}  // namespace

Partners match(const Job& job) {
  const auto n = static_cast<uint32_t>(job.ranks.size());
  Partners out(n);
  std::vector<std::vector<End>> sent(n);  // by destination
  for (uint32_t r = 0; r < n; ++r) {
    check_needs(job, r);
    out[r].assign(job.ranks[r].ops.size(), kNoPartner);
    for (uint32_t i = 0; i < job.ranks[r].ops.size(); ++i) {
      const Op& op = job.ranks[r].ops[i];
      if (op.kind == OpKind::send) sent[op.peer].push_back({r, op.tag, i});
    }
  }
  for (uint32_t r = 0; r < n; ++r) {
    std::vector<End> received, &sends = sent[r];
    for (uint32_t i = 0; i < job.ranks[r].ops.size(); ++i) {
      const Op& op = job.ranks[r].ops[i];
      if (op.kind == OpKind::recv) received.push_back({op.peer, op.tag, i});
    }
    std::sort(sends.begin(), sends.end());
    std::sort(received.begin(), received.end());
    for (size_t k = 0; k < std::max(sends.size(), received.size()); ++k) {
      const bool send_left = k < sends.size(), recv_left = k < received.size();
      if (!recv_left ||
          (send_left && !sends[k].same_flow(received[k]) && sends[k] < End{received[k].source, received[k].tag, 0})) {
        throw Error(describe(job, sends[k].source, sends[k].op) + " has no receive");
      }
      if (!send_left || !sends[k].same_flow(received[k]))
        throw Error(describe(job, r, received[k].op) + " has no send");
      const uint64_t bytes = job.ranks[sends[k].source].ops[sends[k].op].amount;
      if (bytes != job.ranks[r].ops[received[k].op].amount) {
        throw Error(describe(job, r, received[k].op) + ": the message sent to it has " + std::to_string(bytes) +
                    " bytes");
      }
      out[sends[k].source][sends[k].op] = received[k].op;
      out[r][received[k].op] = sends[k].op;
    }
    sends = {};
  }
  return out;
}

namespace {

/// The order of all starts and ends of operations, and the longest chains along it. An event is 2 * op (start) or 2 *
/// op + 1 (end), numbered through over all ranks.
class Chains {
 public:
  Chains(const Job& job, const Partners& partners, uint64_t eager_limit)
      : job_(job), partners_(partners), eager_limit_(eager_limit) {
    first_.push_back(0);
    for (const Rank& r : job.ranks) first_.push_back(first_.back() + r.ops.size());
    for (uint32_t r = 0; r < job.ranks.size(); ++r) owner_.insert(owner_.end(), job.ranks[r].ops.size(), r);
    list_dependents();
    sort();
  }
  CriticalPath longest() {
    // An iteration begins at a rank when the last one has ended there.
    std::vector<CriticalPath> begin(job_.ranks.size()), at(2 * owner_.size());
    CriticalPath out;
    for (uint32_t it = 0; it < job_.iterations; ++it) {
      for (size_t e = 0; e < at.size(); ++e) at[e] = begin[owner_[e / 2]];
      for (const size_t e : order_) {
        const CriticalPath from = (e & 1) != 0 ? after(at[e], e) : at[e];
        if ((e & 1) != 0) reach(begin[owner_[e / 2]], from), at[e] = from;
        each_follower(e, [&](size_t to, bool message) {
          CriticalPath p = from;
          if (message) {
            ++p.messages;
            // One of a rank to itself is on no link.
            const uint64_t bytes = op(e).peer == owner_[e / 2] ? 0 : op(e).amount;
            p.bytes = add_63(p.bytes, bytes, "bytes of the critical path");
          }
          reach(at[to], p);
        });
      }
    }
    for (const CriticalPath& p : begin) reach(out, p);
    return out;
  }

 private:
  const Op& op(size_t event) const { return job_.ranks[owner_[event / 2]].ops[event / 2 - first_[owner_[event / 2]]]; }
  size_t event(uint32_t rank, uint32_t op) const { return 2 * (first_[rank] + op); }
  CriticalPath after(CriticalPath p, size_t e) const {
    if (op(e).kind == OpKind::calc) p.ns = add_63(p.ns, op(e).amount, "ns of the critical path");
    return p;
  }
  static void reach(CriticalPath& to, const CriticalPath& p) {
    to = {std::max(to.ns, p.ns), std::max(to.messages, p.messages), std::max(to.bytes, p.bytes)};
  }
  /// Events that wait for event `e`: see(event, whether a message goes there).
  template <class See>
  void each_follower(size_t e, See see) const {
    for (size_t k = heads_[e]; k != heads_[e + 1]; ++k) see(static_cast<size_t>(dependents_[k]), false);
    if ((e & 1) != 0) return;
    const uint32_t rank = owner_[e / 2];
    const auto i = static_cast<uint32_t>(e / 2 - first_[rank]);
    const Op& o = job_.ranks[rank].ops[i];
    // Data of a rendezvous leave when both sides have begun, and both end when they have come.
    const bool rendezvous = o.kind != OpKind::calc && o.peer != rank && o.amount > eager_limit_;
    see(e + 1, rendezvous);
    if (o.kind == OpKind::calc) return;
    const size_t other = event(o.peer, partners_[rank][i]) + 1;
    if (o.kind == OpKind::send || rendezvous) see(other, true);
  }
  void list_dependents() {
    heads_.assign(2 * owner_.size() + 1, 0);
    const auto each_need = [&](auto see) {
      for (uint32_t r = 0; r < job_.ranks.size(); ++r) {
        for (uint32_t i = 0; i < job_.ranks[r].ops.size(); ++i) {
          const Op& o = job_.ranks[r].ops[i];
          for (uint32_t k = o.first_need; k != o.first_need + o.needs; ++k) {
            const Need need = job_.ranks[r].needs[k];
            see(event(r, need.op) + (need.started ? 0 : 1), event(r, i));
          }
        }
      }
    };
    each_need([this](size_t from, size_t) { ++heads_[from + 1]; });
    for (size_t e = 1; e < heads_.size(); ++e) heads_[e] += heads_[e - 1];
    dependents_.resize(heads_.back());
    std::vector<uint64_t> next(heads_.begin(), heads_.end() - 1);
    each_need([&](size_t from, size_t to) { dependents_[next[from]++] = to; });
  }
  void sort() {
    std::vector<uint32_t> left(2 * owner_.size());
    for (size_t e = 0; e < left.size(); ++e) each_follower(e, [&](size_t to, bool) { ++left[to]; });
    order_.reserve(left.size());
    for (size_t e = 0; e < left.size(); ++e) {
      if (left[e] == 0) order_.push_back(e);
    }
    for (size_t k = 0; k < order_.size(); ++k) {
      each_follower(order_[k], [&](size_t to, bool) {
        if (--left[to] == 0) order_.push_back(to);
      });
    }
    if (order_.size() != left.size()) refuse_circle(left);
  }
  /// Goes back from an event that never happens to what it waits for, until one comes again.
  [[noreturn]] void refuse_circle(const std::vector<uint32_t>& left) const {
    constexpr uint64_t kNone = ~uint64_t{0};
    std::vector<uint64_t> before(left.size(), kNone);
    for (size_t e = 0; e < left.size(); ++e) {
      if (left[e] != 0) each_follower(e, [&](size_t to, bool) { before[to] = e; });
    }
    size_t at = 0;
    while (left[at] == 0) ++at;
    std::vector<bool> seen(left.size());
    while (!seen[at]) seen[at] = true, at = before[at];
    std::vector<size_t> ops;  // of the circle, backwards
    for (size_t e = at; ops.empty() || e != at; e = before[e]) {
      if (ops.empty() || ops.back() != e / 2) ops.push_back(e / 2);
    }
    if (ops.size() > 1 && ops.back() == ops.front()) ops.pop_back();
    std::string text;
    constexpr size_t kShown = 6;
    for (size_t k = 0; k < std::min(ops.size(), kShown); ++k) {
      const uint32_t rank = owner_[ops[k]];
      text += (k == 0 ? "" : " waits for ") + describe(job_, rank, static_cast<uint32_t>(ops[k] - first_[rank]));
    }
    if (ops.size() > kShown) text += " waits for " + std::to_string(ops.size() - kShown) + " more";
    throw Error("operations wait for each other in a circle: " + text + " waits for the first");
  }

  const Job& job_;
  const Partners& partners_;
  uint64_t eager_limit_;
  std::vector<size_t> first_;    // op of a rank, over all ranks
  std::vector<uint32_t> owner_;  // rank of an op
  std::vector<uint64_t> heads_;  // [event]: its first entry in dependents_
  std::vector<uint64_t> dependents_;
  std::vector<size_t> order_;
};

}  // namespace

CriticalPath critical_path(const Job& job, const Partners& partners, uint64_t eager_limit) {
  return Chains(job, partners, eager_limit).longest();
}
void check_order(const Job& job, const Partners& partners, uint64_t eager_limit) { Chains(job, partners, eager_limit); }

}  // namespace odonata::workload
