// SPDX-License-Identifier: Apache-2.0
#include "models/fault/flow_bound.h"

#include <algorithm>

namespace odonata::fault {

int FlowBound::role(int64_t available, int64_t least) {
  roles_.push_back({available, least, {}});
  return static_cast<int>(roles_.size()) - 1;
}

int FlowBound::fifo(int role, int64_t count) {
  auto& fifos = roles_[static_cast<size_t>(role)].fifos;
  fifos.push_back({std::max<int64_t>(0, count), {}});
  return static_cast<int>(fifos.size()) - 1;
}

int FlowBound::flow(int role, int fifo, int chain, int64_t times) {
  auto& in = roles_[static_cast<size_t>(role)].fifos[static_cast<size_t>(fifo)].flows;
  Flow f{.role = role, .fifo = fifo, .chain = chain, .times = times};
  for (int i : in) f.place += flows_[static_cast<size_t>(i)].chain == chain;
  in.push_back(static_cast<int>(flows_.size()));
  flows_.push_back(f);
  causes_.emplace_back();
  first_of_.push_back(-1);
  return in.back();
}

void FlowBound::comes(int flow, int64_t least, int64_t most) {
  Flow& f = flows_[static_cast<size_t>(flow)];
  f.source_least = std::min(f.source_least, least);
  f.source_most = std::max(f.source_most, most);
}

void FlowBound::follows(int flow, int cause, int64_t least, int64_t most) {
  causes_[static_cast<size_t>(flow)].push_back({cause, least, most});
}

int64_t FlowBound::empty_looks(int64_t rounds, int64_t services) const {
  return std::max<int64_t>(0, rounds * t_.stations - services) / t_.poll_width;
}

int64_t FlowBound::messages_in_the_way(const Fifo& fifo, int64_t from, int64_t until) const {
  int64_t messages = 0;
  for (int i : fifo.flows) {
    const Flow& f = flows_[static_cast<size_t>(i)];
    if (in_the_way(f, from, until)) messages += f.times;
  }
  return messages;
}

/// Lemma 1: the look at the last of `rounds` messages of a FIFO, all there by `from`. In a round of the poll every
/// other FIFO is served at most once. `at_work`: an earlier message of the same FIFO may still be at work then.
int64_t FlowBound::waits_from(const Flow& f, int64_t rounds, int64_t from, bool at_work) const {
  const Role& role = roles_[static_cast<size_t>(f.role)];
  for (int64_t until = from;;) {
    int64_t services = rounds - 1 + (at_work ? 1 : 0);
    for (const Fifo& fifo : role.fifos) {
      services +=
          (fifo.count - (&fifo == &fifo_of(f) ? 1 : 0)) * std::min(rounds, messages_in_the_way(fifo, from, until));
    }
    const int64_t end = from + services * t_.service + empty_looks(rounds, services);
    if (end <= until) return until;
    until = end;
  }
}

/// Lemma 1 from `from`, or from a later cycle in which another kind is done: the message has been served by then or
/// waits from then on.
int64_t FlowBound::waits(const Flow& f, int64_t rounds, int64_t from, bool at_work) const {
  const Role& role = roles_[static_cast<size_t>(f.role)];
  from = std::max(from, role.available);
  int64_t best = waits_from(f, rounds, from, at_work);
  for (const Fifo& fifo : role.fifos) {
    for (int i : fifo.flows) {
      const int64_t later = flows_[static_cast<size_t>(i)].done + t_.service;
      if (later > from && later < best) best = std::min(best, waits_from(f, rounds, later, at_work));
    }
  }
  return best;
}

/// The last look at a flow, whatever is in front of it in its FIFO: of the messages that the FIFO holds without a break
/// up to this one, the first came not later than the earliest of the bounds of all of them.
int64_t FlowBound::served(size_t flow) const {
  const Flow& f = flows_[flow];
  if (f.most >= kNever) return kNever;
  std::vector<Flow> front;
  for (int i : fifo_of(f).flows) {
    const Flow& other = flows_[static_cast<size_t>(i)];
    if (&other != &f && can_precede(other, f) && other.least <= f.most) front.push_back(other);
  }
  std::sort(front.begin(), front.end(), [](const Flow& x, const Flow& y) { return x.most > y.most; });
  int64_t last = 0, rounds = f.times;
  for (size_t n = 0;; ++n) {
    const int64_t from =
        std::max(n == 0 ? f.most : std::min(f.most, front[n - 1].most), roles_[static_cast<size_t>(f.role)].available);
    int64_t may_work = f.times;
    for (const Flow& o : front) may_work += in_the_way(o, from, from) ? o.times : 0;
    last = std::max(last, waits(f, rounds, from, may_work > rounds));
    if (n == front.size()) return last;
    rounds += front[n].times;
  }
}

/// Lemma 2: every mate has the first message, tells it to all when it has served it, and serves what the others tell.
/// Their messages count once; what else comes counts once when it is there before the first message, else twice: at the
/// mate that tells, and at the one that is told.
int64_t FlowBound::told_by_all(size_t flow) const {
  const int first = first_of_[flow];
  const Flow& base = flows_[static_cast<size_t>(first)];
  if (base.most >= kNever) return kNever;
  const auto others_in = [&](const Flow& f) {
    const auto& in = fifo_of(f).flows;
    int64_t messages = 0;
    for (int i : in) {
      const Flow& other = flows_[static_cast<size_t>(i)];
      if (other.chain != f.chain && other.least <= f.most) messages += other.times;
    }
    return messages;
  };
  const int64_t rounds = 2 + others_in(base) + others_in(flows_[flow]);
  for (int64_t from = base.most, until = from;;) {
    int64_t services = t_.mates - 1;
    for (const Fifo& fifo : roles_[static_cast<size_t>(base.role)].fifos) {
      int64_t messages = 0;
      for (int i : fifo.flows) {
        const Flow& f = flows_[static_cast<size_t>(i)];
        if (i == first || first_of_[static_cast<size_t>(i)] == first || !in_the_way(f, from, until)) continue;
        messages += f.most > from ? 2 * f.times : f.times;
      }
      services += fifo.count * std::min(rounds, messages);
    }
    const int64_t end = from + services * t_.service + empty_looks(rounds, services) + t_.between_mates;
    if (end <= until) return until;
    until = end;
  }
}

/// When the messages of a flow come, as far as their causes are known.
void FlowBound::arrive(Flow& f, const std::vector<Cause>& causes) const {
  int64_t least = f.source_least, most = f.source_most;
  for (const Cause& c : causes) {
    const Flow& cause = flows_[static_cast<size_t>(c.flow)];
    least = std::min(least, std::max(cause.least, roles_[static_cast<size_t>(cause.role)].least) + c.least);
    most = std::max(most, std::min(cause.done, kNever) + c.most);
  }
  f.least = std::max(f.least, least);
  f.most = std::min(f.most, std::min(most, kNever));
}

int64_t FlowBound::solve() {
  int64_t last = 0;
  for (bool smaller = true; smaller;) {
    smaller = false;
    last = 0;
    for (size_t i = 0; i < flows_.size(); ++i) {
      Flow& f = flows_[i];
      arrive(f, causes_[i]);
      const int64_t before = f.done;
      f.done = std::min(before, served(i));
      if (first_of_[i] >= 0) f.done = std::min(f.done, told_by_all(i));
      smaller |= f.done < before;
      last = std::max(last, f.done);
    }
  }
  return last;
}

}  // namespace odonata::fault
