// SPDX-License-Identifier: Apache-2.0
#include "models/fault/flow_bound.h"

#include <algorithm>

namespace odonata::fault {

int FlowBound::role(int64_t available, int64_t least) {
  roles_.push_back({available, least, {}});
  return static_cast<int>(roles_.size()) - 1;
}

int FlowBound::fifo(int role, int64_t count, bool global) {
  auto& fifos = roles_[static_cast<size_t>(role)].fifos;
  fifos.push_back({.count = std::max<int64_t>(0, count), .global = global});
  return static_cast<int>(fifos.size()) - 1;
}

int FlowBound::flow(int role, int fifo, int chain, int64_t times) {
  auto& in = roles_[static_cast<size_t>(role)].fifos[static_cast<size_t>(fifo)].flows;
  Flow f{.role = role, .fifo = fifo, .chain = chain, .times = times, .effect = t_.effect};
  for (int i : in) f.place += flows_[static_cast<size_t>(i)].chain == chain;
  in.push_back(static_cast<int>(flows_.size()));
  flows_.push_back(f);
  causes_.emplace_back();
  relays_.emplace_back();
  done_.push_back(kNever);
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

void FlowBound::mates_tell(int told, int kind, const Relay& relay) {
  flows_[static_cast<size_t>(told)].kind = kind;
  relays_[static_cast<size_t>(told)] = relay;
}

/// When a message has to be there to be looked at before one that is looked at in `until`: between a global port and a
/// local one lie all bare stations.
int64_t FlowBound::last_arrival(const Fifo& fifo, const Fifo& waiting, int64_t until) const {
  return fifo.global && !waiting.global ? until - t_.bare / t_.poll_width : until;
}

/// What is served before a message while it waits for `rounds` rounds of the poll: in a round every other FIFO is
/// served at most once. One message `without` is not there.
int64_t FlowBound::in_front_of(const Flow& f, int64_t rounds, const Done& done, int64_t from, int64_t until,
                               int without) const {
  const Fifo& own = fifo_of(f);
  int64_t services = 0;
  for (const Fifo& fifo : role_of(f).fifos) {
    const int64_t last = last_arrival(fifo, own, until);
    int64_t fifos = fifo.count - (&fifo == &own ? 1 : 0), messages = 0, less = 0;
    for (int i : fifo.flows) {
      if (!in_the_way(i, done, from, last)) continue;
      messages += flows_[static_cast<size_t>(i)].times;
      if (i == without) less = 1;
    }
    if (fifos > 0) services += fifos * std::min(rounds, messages) - (less != 0 && messages <= rounds ? 1 : 0);
  }
  return services;
}

/// Lemma 1: the look at the last of `rounds` messages of a FIFO, all there by `from`. `at_work`: an earlier message of
/// the same FIFO may still be at work then.
int64_t FlowBound::waits_from(const Flow& f, int64_t rounds, const Done& done, int64_t from, bool at_work,
                              int without) const {
  for (int64_t until = from;;) {
    const int64_t services = rounds - 1 + (at_work ? 1 : 0) + in_front_of(f, rounds, done, from, until, without);
    const int64_t end = from + services * t_.service + empty_looks(rounds, services);
    if (end <= until) return until;
    until = end;
  }
}

/// As long as a message waits it has delayed nothing: the last looks at all others as if it were not there.
FlowBound::Done FlowBound::done_while_waiting(size_t flow) const {
  Done done = done_;
  const Flow& f = flows_[flow];
  for (const Fifo& fifo : role_of(f).fifos) {
    if (fifo.count == 0 || &fifo == &fifo_of(f) || f.times > 1) continue;
    for (int i : fifo.flows) {
      const auto other = static_cast<size_t>(i);
      if (done[other] < kNever) done[other] = std::min(done[other], served(other, done_, static_cast<int>(flow)));
    }
  }
  return done;
}

/// Lemma 1 from `from`, or from a later cycle in which another kind is done: the message has been served by then or
/// waits from then on.
int64_t FlowBound::waits(size_t flow, int64_t rounds, const Done& done, int64_t from, bool at_work, int without) const {
  const Flow& f = flows_[flow];
  from = std::max(from, role_of(f).available);
  int64_t best = waits_from(f, rounds, done, from, at_work, without);
  for (const Fifo& fifo : role_of(f).fifos) {
    for (int i : fifo.flows) {
      const int64_t later = done[static_cast<size_t>(i)] + t_.service;
      if (later > from && later < best) best = std::min(best, waits_from(f, rounds, done, later, at_work, without));
    }
  }
  return best;
}

/// The last look at a flow, whatever is in front of it in its FIFO: of the messages that the FIFO holds without a break
/// up to this one, the first came not later than the earliest of the bounds of all of them.
int64_t FlowBound::served(size_t flow, const Done& done, int without) const {
  const Flow& f = flows_[flow];
  if (f.most >= kNever) return kNever;
  std::vector<int> front;
  for (int i : fifo_of(f).flows) {
    const Flow& other = flows_[static_cast<size_t>(i)];
    if (&other != &f && can_precede(other, f) && other.least <= f.most) front.push_back(i);
  }
  const auto latest = [&](int i) { return flows_[static_cast<size_t>(i)].most; };
  std::sort(front.begin(), front.end(), [&](int x, int y) { return latest(x) > latest(y); });
  const int64_t apart = fifo_of(f).one_a_look ? t_.apart : 0;
  int64_t last = 0, rounds = f.times, first = f.most;
  for (size_t n = 0;; ++n) {
    const int64_t from = std::max(first, role_of(f).available);
    int64_t may_work = f.times;
    for (int i : front) may_work += in_the_way(i, done, from, from) ? flows_[static_cast<size_t>(i)].times : 0;
    last = std::max(last, waits(flow, rounds, done, from, may_work > rounds, without));
    if (n == front.size()) return last;
    const int64_t times = flows_[static_cast<size_t>(front[n])].times;
    rounds += times;
    first = std::min(first - apart * times, latest(front[n]));
  }
}

/// Messages of other chains that can be in front of one in its FIFO from a cycle on.
int64_t FlowBound::others_in_front(size_t flow, int64_t from) const {
  const Flow& f = flows_[flow];
  int64_t messages = 0;
  for (int i : fifo_of(f).flows) {
    const Flow& other = flows_[static_cast<size_t>(i)];
    if (other.chain != f.chain && in_the_way(i, done_, from, f.most)) messages += other.times;
  }
  return messages;
}

/// What a router serves before `waiting` besides what its mates tell of a kind. While that waits a FIFO is served once
/// a round (`one_a_round`): what mates tell has been counted.
FlowBound::Others FlowBound::others(const Flow& waiting, int kind, int64_t rounds, bool one_a_round, int64_t from,
                                    int64_t until) const {
  Others out;
  const Fifo& own = fifo_of(waiting);
  for (const Fifo& fifo : roles_[static_cast<size_t>(waiting.role)].fifos) {
    const int64_t end = last_arrival(fifo, own, until), fifos = fifo.count - (&fifo == &own && one_a_round ? 1 : 0);
    int64_t early = 0, late = 0, most = rounds;
    for (int i : fifo.flows) {
      const Flow& f = flows_[static_cast<size_t>(i)];
      if (f.kind == kind && one_a_round) most = rounds - 1;
      if (f.kind == kind || !in_the_way(i, done_, from, end)) continue;
      (f.most > from ? late : early) += f.times;
    }
    out.early += fifos * std::min(most, early);
    out.late += fifos * std::min(most, late);
  }
  return out;
}

/// Lemma 2: a router tells its mates something when it has served `first`. What mates tell counts once, be it served by
/// who tells or by who is told; what else comes counts once when it is there before the first message, else for both.
int64_t FlowBound::told_by_all(size_t flow) const {
  const Relay& relay = relays_[flow];
  const Flow &told = flows_[flow], &first = flows_[static_cast<size_t>(relay.first)];
  int64_t start = role_of(first).available, looked = 0;
  for (const Cause& c : causes_[flow]) {
    start = std::max(start, flows_[static_cast<size_t>(c.flow)].most);
    looked = std::max(looked, done_[static_cast<size_t>(c.flow)]);
  }
  if (start >= kNever) return kNever;
  const int64_t to_tell = 1 + others_in_front(static_cast<size_t>(relay.first), start),
                rounds = to_tell + 1 + others_in_front(flow, start);
  for (int64_t until = start;;) {
    const Others teller = others(first, told.kind, to_tell, true, start, std::min(until, looked)),
                 listener = others(told, told.kind, rounds + 1, false, start, until);
    const int64_t services = relay.alike + std::max(teller.early, listener.early) + teller.late + listener.late;
    const int64_t end = start + services * t_.service +
                        std::max(empty_looks(rounds, services) + relay.most,
                                 empty_looks(rounds + 1, services) + relay.most - relay.least);
    if (end <= until) return until;
    until = end;
  }
}

/// When the messages of a flow come, as far as their causes are known.
void FlowBound::arrive(Flow& f, const std::vector<Cause>& causes) const {
  int64_t least = f.source_least, most = f.source_most;
  for (const Cause& c : causes) {
    const Flow& cause = flows_[static_cast<size_t>(c.flow)];
    least = std::min(least, std::max(cause.least, role_of(cause).least) + c.least);
    most = std::max(most, std::min(done_[static_cast<size_t>(c.flow)], kNever) + c.most);
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
      arrive(flows_[i], causes_[i]);
      int64_t done = std::min(done_[i], served(i, done_while_waiting(i)));
      if (relays_[i].first >= 0) done = std::min(done, told_by_all(i));
      smaller |= done < done_[i];
      done_[i] = done;
      last = std::max(last, done + flows_[i].effect);
    }
  }
  return last;
}

}  // namespace odonata::fault
