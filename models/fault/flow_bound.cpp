// SPDX-License-Identifier: Apache-2.0
#include "models/fault/flow_bound.h"

#include <algorithm>
#include <array>
#include <map>

namespace odonata::fault {

int FlowBound::role(int64_t available, int64_t least) {
  roles_.push_back({.available = available, .least = least});
  return static_cast<int>(roles_.size()) - 1;
}

int FlowBound::fifo(int role, int64_t count, bool global) {
  auto& fifos = roles_[static_cast<size_t>(role)].fifos;
  fifos.push_back({.count = std::max<int64_t>(0, count), .global = global});
  return static_cast<int>(fifos.size()) - 1;
}

int FlowBound::fifo_at(int role, int port) {
  const int made = fifo(role, 1);
  Role& r = roles_[static_cast<size_t>(role)];
  r.fifos.back().port = port;
  const auto port_of = [&](int i) { return r.fifos[static_cast<size_t>(i)].port; };
  r.in_order.insert(std::find_if(r.in_order.begin(), r.in_order.end(), [&](int i) { return port_of(i) > port; }), made);
  return made;
}

int FlowBound::flow(int role, int fifo, int chain, int64_t times) {
  auto& in = roles_[static_cast<size_t>(role)].fifos[static_cast<size_t>(fifo)].flows;
  Flow f{.role = role, .fifo = fifo, .chain = chain, .times = times, .effect = t_.effect};
  for (int i : in) f.place += flows_[static_cast<size_t>(i)].chain == chain;
  in.push_back(static_cast<int>(flows_.size()));
  flows_.push_back(f);
  causes_.emplace_back();
  limits_.emplace_back();
  relays_.emplace_back();
  done_.push_back(kNever);
  return in.back();
}

int FlowBound::flow_at(int role, int fifo, int chain, int place) {
  const int made = flow(role, fifo, chain);
  flows_[static_cast<size_t>(made)].place = place;
  return made;
}

void FlowBound::comes(int flow, int64_t least, int64_t most) {
  Flow& f = flows_[static_cast<size_t>(flow)];
  f.source_least = std::min(f.source_least, least);
  f.source_most = std::max(f.source_most, most);
}

void FlowBound::follows(int flow, int cause, int64_t least, int64_t most, int before) {
  causes_[static_cast<size_t>(flow)].push_back({cause, least, most, before});
}

void FlowBound::follows_first(int flow, int cause, int64_t least, int64_t most, std::vector<int> instead) {
  instead.insert(instead.begin(), kNoFlow);
  causes_[static_cast<size_t>(flow)].push_back({cause, least, most, kNoFlow, std::move(instead)});
}

int64_t FlowBound::empty_looks(int64_t rounds, int64_t services) const {
  return std::max<int64_t>(0, rounds * t_.stations - services) / t_.poll_width;
}

void FlowBound::mates_tell(int told, int kind, const Relay& relay) {
  flows_[static_cast<size_t>(told)].kind = kind;
  relays_[static_cast<size_t>(told)].push_back(relay);
}

/// Whether a flow can be in front of another one in their FIFO.
bool FlowBound::can_precede(int other, const Flow& f) const {
  const Flow& o = flows_[static_cast<size_t>(other)];
  const bool in_chain = o.chain != f.chain || o.place <= f.place;
  return in_chain && std::find(f.never_behind.begin(), f.never_behind.end(), other) == f.never_behind.end();
}

/// When a message has to be there to be looked at before one that is looked at in `until`: between a global port and a
/// local one lie all bare stations.
int64_t FlowBound::last_arrival(const Fifo& fifo, const Fifo& waiting, int64_t until) const {
  return fifo.global && !waiting.global ? until - t_.bare / t_.poll_width : until;
}

/// What is served before a message while it waits: in a round every other FIFO is served at most once.
int64_t FlowBound::in_front_of(const Wait& wait, const Done& done, int64_t until) const {
  const Flow& f = flows_[wait.flow];
  const Fifo& own = fifo_of(f);
  int64_t services = 0;
  for (const Fifo& fifo : role_of(f).fifos) {
    const int64_t last = last_arrival(fifo, own, until);
    int64_t fifos = fifo.count - (&fifo == &own ? 1 : 0), messages = 0, less = 0;
    for (int i : fifo.flows) {
      if (!in_the_way(i, done, wait.from, last)) continue;
      const auto absent = std::find(wait.absent.begin(), wait.absent.end(), i);
      // The first one is a single message that is not there; the others are not there in any FIFO.
      if (absent != wait.absent.end() && absent != wait.absent.begin()) continue;
      messages += flows_[static_cast<size_t>(i)].times;
      if (absent != wait.absent.end()) less = 1;
    }
    if (fifos > 0) services += fifos * std::min(wait.rounds, messages) - (less != 0 && messages <= wait.rounds ? 1 : 0);
  }
  return services;
}

/// Lemma 1: the look at the last message of a wait.
int64_t FlowBound::round_by_round(const Wait& wait, const Done& done) const {
  for (int64_t until = wait.from;;) {
    const int64_t services = wait.rounds - 1 + (wait.at_work ? 1 : 0) + in_front_of(wait, done, until);
    const int64_t end = wait.from + services * t_.service + empty_looks(wait.rounds, services);
    if (end <= until) return until;
    until = end;
  }
}

/// Lemma 3: a message of another FIFO that has been in a row since `row.from` is looked at, or at work, in the wait:
/// somebody has waited or been served all the time. The message that waits is not in front of itself.
int64_t FlowBound::busy_since(const Wait& row, const Wait& wait, const Done& done) const {
  const int64_t rounds = row.rounds + wait.rounds;
  for (int64_t until = row.from;;) {
    int64_t services = in_the_way(static_cast<int>(wait.flow), done, row.from, until) ? -1 : 0;
    for (const Fifo& fifo : role_of(flows_[wait.flow]).fifos) {
      int64_t messages = 0;
      for (int i : fifo.flows) {
        const auto absent = std::find(wait.absent.begin(), wait.absent.end(), i);
        if (absent != wait.absent.end() && absent != wait.absent.begin()) continue;
        if (in_the_way(i, done, row.from, until)) messages += flows_[static_cast<size_t>(i)].times;
      }
      services += fifo.count * std::min(rounds, messages);
    }
    services = std::max<int64_t>(0, services);
    const int64_t end = row.from + services * t_.service + empty_looks(rounds, services);
    if (end <= until) return until;
    until = end;
  }
}

/// Lemma 1 with known ports: the poll comes to each port in turn. What it serves there it has not served later than the
/// bound of that says. Times are kept as multiples of the poll's width.
int64_t FlowBound::port_by_port(const Wait& wait, const Done& done) const {
  const Flow& f = flows_[wait.flow];
  const Role& role = role_of(f);
  const int own = fifo_of(f).port;
  const int64_t width = t_.poll_width, service = t_.service * width;
  const auto first = std::find_if(role.in_order.begin(), role.in_order.end(),
                                  [&](int i) { return role.fifos[static_cast<size_t>(i)].port == own; });
  const auto at = static_cast<size_t>(first - role.in_order.begin());
  int64_t now = wait.from * width + (wait.at_work ? service : 0);
  for (int64_t round = 0; round < wait.rounds; ++round) {
    int64_t stands = own + 1;  // behind its own port
    for (size_t k = 1; k < role.in_order.size(); ++k) {
      const Fifo& fifo = role.fifos[static_cast<size_t>(role.in_order[(at + k) % role.in_order.size()])];
      const int64_t port = fifo.port < own ? fifo.port + t_.stations : fifo.port;
      now += port - stands;
      stands = port;
      int64_t look = -1;
      for (int i : fifo.flows) {
        const bool absent = std::find(wait.absent.begin(), wait.absent.end(), i) != wait.absent.end();
        if (!absent && in_the_way(i, done, wait.from, now / width)) look = std::max(look, done[static_cast<size_t>(i)]);
      }
      if (look < 0) continue;
      // The poll has passed the port before the look, or stands behind it after the service.
      now = std::max(now + 1, (look > now / width ? now : std::min(now, look * width)) + service);
      ++stands;
    }
    now += own + t_.stations - stands;
    if (round + 1 < wait.rounds) now += service;
  }
  return now / width;
}

/// Lemma 1, where the ports are not known with lemma 3. Of the flows that are there by the beginning of the wait the
/// one that has been there longest is in its way, or it is not and the next one is, and so on.
int64_t FlowBound::waits_from(const Wait& wait, const Done& done) const {
  const Flow& f = flows_[wait.flow];
  const int64_t all = round_by_round(wait, done);
  if (fifo_of(f).port != kNoPort) return std::min(all, port_by_port(wait, done));
  std::vector<std::pair<int64_t, int>> early;
  for (const Fifo& fifo : role_of(f).fifos) {
    if (&fifo == &fifo_of(f)) continue;
    for (int i : fifo.flows) {
      const int64_t most = flows_[static_cast<size_t>(i)].most;
      const bool counts = fifo.count > 0 && in_the_way(i, done, wait.from, all);
      if (counts && most <= wait.from && flows_[static_cast<size_t>(i)].times == 1) early.emplace_back(most, i);
    }
  }
  std::sort(early.begin(), early.end());
  Wait without = wait;
  if (without.absent.empty()) without.absent.push_back(kNoFlow);
  int64_t last = 0;
  for (const auto& [most, i] : early) {
    const int64_t with = round_by_round(without, done);
    int64_t busy = 0;
    for (const Wait& row : rows(static_cast<size_t>(i), done)) busy = std::max(busy, busy_since(row, wait, done));
    last = std::max(last, std::min(with, busy));
    without.absent.push_back(i);
  }
  return std::max(last, round_by_round(without, done));
}

/// The same, or from a later cycle in which another kind is done: the message has been served by then or waits from
/// then on.
int64_t FlowBound::waits(Wait wait, const Done& done) const {
  const Flow& f = flows_[wait.flow];
  wait.from = std::max(wait.from, role_of(f).available);
  int64_t best = waits_from(wait, done);
  // As long as only the others are asked about, in a role with known ports, the first bound will do.
  const bool one_is_absent = !wait.absent.empty() && wait.absent.front() != kNoFlow;
  if (one_is_absent && fifo_of(f).port != kNoPort) return best;
  Wait later = wait;
  for (const Fifo& fifo : role_of(f).fifos) {
    for (int i : fifo.flows) {
      later.from = done[static_cast<size_t>(i)] + t_.service;
      if (later.from > wait.from && later.from < best) best = std::min(best, waits_from(later, done));
    }
  }
  return best;
}

/// As long as a message waits it has delayed nothing: the last looks at all others as if it were not there.
FlowBound::Done FlowBound::done_while_waiting(size_t flow) const {
  Done done = done_;
  const Flow& f = flows_[flow];
  for (const Fifo& fifo : role_of(f).fifos) {
    if (fifo.count == 0 || &fifo == &fifo_of(f) || f.times > 1) continue;
    for (int i : fifo.flows) {
      const auto other = static_cast<size_t>(i);
      if (done[other] < kNever) done[other] = std::min(done[other], served(other, done_, {static_cast<int>(flow)}));
    }
  }
  return done;
}

/// Of the messages that a FIFO holds without a break up to one of the flow the first came not later than the earliest
/// of the bounds of all of them: with so many in front, since when they wait at the latest.
std::vector<FlowBound::Wait> FlowBound::rows(size_t flow, const Done& done) const {
  const Flow& f = flows_[flow];
  std::vector<int> front;
  for (int i : fifo_of(f).flows) {
    const Flow& other = flows_[static_cast<size_t>(i)];
    if (&other != &f && can_precede(i, f) && other.least <= f.most) front.push_back(i);
  }
  const auto latest = [&](int i) { return flows_[static_cast<size_t>(i)].most; };
  std::sort(front.begin(), front.end(), [&](int x, int y) { return latest(x) > latest(y); });
  std::vector<int> looks;
  const auto apart = [&](const Flow& other) {
    if (!fifo_of(f).one_a_look || (other.look >= 0 && other.look == f.look && !f.leads)) return int64_t{0};
    const bool same = other.look >= 0 && std::find(looks.begin(), looks.end(), other.look) != looks.end();
    looks.push_back(other.look);
    return same ? 0 : t_.apart;
  };
  std::vector<Wait> out;
  int64_t rounds = f.times, first = f.most;
  for (size_t n = 0;; ++n) {
    const int64_t from = std::max(first, role_of(f).available);
    int64_t may_work = f.times;
    for (int i : front) may_work += in_the_way(i, done, from, from) ? flows_[static_cast<size_t>(i)].times : 0;
    out.push_back({flow, rounds, from, may_work > rounds, {}});
    if (n == front.size()) return out;
    const Flow& other = flows_[static_cast<size_t>(front[n])];
    rounds += other.times;
    first = std::min(first - apart(other) * other.times, other.most);
  }
}

/// The last look at a flow, whatever is in front of it in its FIFO.
int64_t FlowBound::served(size_t flow, const Done& done, const std::vector<int>& absent) const {
  if (flows_[flow].most >= kNever) return kNever;
  int64_t last = 0;
  for (Wait& row : rows(flow, done)) {
    row.absent = absent;
    last = std::max(last, waits(row, done));
  }
  return last;
}

/// Messages that can be in front of one in its FIFO from a cycle on.
int64_t FlowBound::others_in_front(size_t flow, int64_t from) const {
  const Flow& f = flows_[flow];
  int64_t messages = 0;
  for (int i : fifo_of(f).flows) {
    const Flow& other = flows_[static_cast<size_t>(i)];
    if (&other != &f && can_precede(i, f) && in_the_way(i, done_, from, f.most)) messages += other.times;
  }
  return messages;
}

/// What a router serves before `waiting` besides what its mates tell of a kind, by FIFO. While that waits a FIFO is
/// served once a round (`one_a_round`): what mates tell has been counted.
std::vector<FlowBound::Others> FlowBound::others(const Flow& waiting, int kind, int64_t rounds, bool one_a_round,
                                                 int64_t from, int64_t until) const {
  std::vector<Others> out;
  const Fifo& own = fifo_of(waiting);
  for (const Fifo& fifo : roles_[static_cast<size_t>(waiting.role)].fifos) {
    const int64_t end = last_arrival(fifo, own, until), fifos = fifo.count - (&fifo == &own && one_a_round ? 1 : 0);
    int64_t early = 0, late = 0;
    for (int i : fifo.flows) {
      const Flow& f = flows_[static_cast<size_t>(i)];
      if (f.kind == kind || !in_the_way(i, done_, from, end)) continue;
      (f.most > from ? late : early) += f.times;
    }
    out.push_back({fifos * std::min(rounds, early), fifos * std::min(rounds, late)});
  }
  return out;
}

/// What comes later counts for both, what is there from the beginning once a place in the round of the poll. Where
/// places are not known, one message a global port counts once when `first` is at one, too: no mate lies between them.
int64_t FlowBound::once_a_place(const Flow& first, const Flow& told, const std::vector<Others>& teller,
                                const std::vector<Others>& listener) const {
  constexpr int kSomeGlobal = -1;
  int64_t services = 0;
  std::map<int, std::array<int64_t, 2>> early;  // by place: of who tells, of who is told
  const bool alike = first.role == told.role;
  const auto add = [&](const Flow& waiting, const std::vector<Others>& all, size_t side) {
    const std::vector<Fifo>& fifos = role_of(waiting).fifos;
    for (size_t i = 0; i < all.size(); ++i) {
      services += all[i].late;
      if (alike || fifos[i].place != kNoPlace)
        early[alike ? static_cast<int>(i) : fifos[i].place][side] += all[i].early;
      else if (fifos[i].global && fifo_of(first).global && all[i].early <= fifos[i].count)
        early[kSomeGlobal][side] += all[i].early;
      else
        services += all[i].early;
    }
  };
  add(first, teller, 0);
  add(told, listener, 1);
  for (const auto& [place, count] : early) services += std::max(count[0], count[1]);
  return services;
}

/// Lemma 2: a router tells its mates something when it has served `first`. What mates tell counts once, be it served by
/// who tells or by who is told; what else comes counts once when it is there before the first message, else for both.
int64_t FlowBound::told_by_all(size_t flow, const Relay& relay) const {
  const Flow &told = flows_[flow], &first = flows_[static_cast<size_t>(relay.first)];
  int64_t start = std::max(role_of(first).available, role_of(told).available), looked = 0;
  for (const Cause& c : causes_[flow]) {
    start = std::max(start, flows_[static_cast<size_t>(c.flow)].most);
    looked = std::max(looked, done_[static_cast<size_t>(c.flow)]);
  }
  if (start >= kNever) return kNever;
  const int64_t to_tell = 1 + others_in_front(static_cast<size_t>(relay.first), start),
                rounds = to_tell + 1 + others_in_front(flow, start);
  for (int64_t until = start;;) {
    std::vector<Others> teller = others(first, told.kind, to_tell, true, start, std::min(until, looked));
    // What is in front of the first message is there by then; who is alike gets it, too.
    if (first.role != told.role) teller[static_cast<size_t>(first.fifo)].early += to_tell - 1;
    const int64_t services =
        relay.alike + once_a_place(first, told, teller, others(told, told.kind, rounds + 1, false, start, until));
    const int64_t end = start + services * t_.service +
                        std::max(empty_looks(rounds, services) + relay.most,
                                 empty_looks(rounds + 1, services) + relay.most - relay.least);
    if (end <= until) return until;
    until = end;
  }
}

/// The last look at a flow if others are not served before it.
int64_t FlowBound::looked(int flow, const std::vector<int>& absent) const {
  const int64_t done = std::min(done_[static_cast<size_t>(flow)], kNever);
  return absent.size() < 2 ? done : std::min(done, served(static_cast<size_t>(flow), done_, absent));
}

/// When the messages of a flow come, as far as their causes are known. What cannot be has no place in the way.
void FlowBound::arrive(size_t flow) {
  Flow& f = flows_[flow];
  int64_t least = f.source_least, most = f.source_most;
  bool known = least < kNever, never = false;
  std::vector<int64_t> all;  // of which each has a look of its own
  for (const Cause& c : causes_[flow]) {
    const auto from = static_cast<size_t>(c.flow);
    const Flow& cause = flows_[from];
    if (!possible(cause)) {
      never |= f.when == When::all;
      continue;
    }
    int64_t look = looked(c.flow, c.absent);
    if (c.before != kNoFlow && possible(flows_[static_cast<size_t>(c.before)]))
      look = std::min(look, done_[static_cast<size_t>(c.before)]);
    const int64_t early = std::max(cause.least, role_of(cause).least) + c.least, late = std::min(look + c.most, kNever);
    all.push_back(early);
    least = !known ? early : f.when == When::all ? std::max(least, early) : std::min(least, early);
    most = !known ? late : f.when == When::first ? std::min(most, late) : std::max(most, late);
    known = true;
  }
  std::sort(all.begin(), all.end());
  for (size_t i = 0; i < all.size() && f.when == When::all; ++i)
    least = std::max(least, all[i] + static_cast<int64_t>(all.size() - 1 - i) * t_.apart);
  for (const Cause& c : limits_[flow]) {
    const auto other = static_cast<size_t>(c.flow);
    if (possible(flows_[other])) most = std::min(most, looked(c.flow, c.absent) + c.most);
  }
  f.least = std::max(f.least, least);
  f.most = std::min(f.most, std::min(most, kNever));
  if (!known || never || f.least > f.most) {
    f.least = kNever;
    f.most = -1;
  }
}

/// Makes the bounds of a flow smaller; false: they stay.
bool FlowBound::improve(size_t flow) {
  Flow& f = flows_[flow];
  const int64_t least = f.least, most = f.most, before = done_[flow];
  arrive(flow);
  if (!possible(f)) {
    done_[flow] = -1;
    return least != f.least || before != -1;
  }
  int64_t done = std::min(before, served(flow, done_while_waiting(flow)));
  int64_t told = -1;
  for (const Relay& r : relays_[flow]) told = std::max(told, told_by_all(flow, r));
  if (told >= 0) done = std::min(done, told);
  done_[flow] = done;
  return least != f.least || most != f.most || done != before;
}

int64_t FlowBound::solve() {
  std::vector<std::vector<size_t>> after(flows_.size());  // what a flow has a say in
  for (size_t i = 0; i < flows_.size(); ++i) {
    for (const Fifo& fifo : role_of(flows_[i]).fifos) {
      for (int other : fifo.flows) after[i].push_back(static_cast<size_t>(other));
    }
    for (const auto* list : {&causes_[i], &limits_[i]}) {
      for (const Cause& c : *list) {
        after[static_cast<size_t>(c.flow)].push_back(i);
        if (c.absent.size() > 1) {
          for (const Fifo& fifo : role_of(flows_[static_cast<size_t>(c.flow)]).fifos) {
            for (int other : fifo.flows) after[static_cast<size_t>(other)].push_back(i);
          }
        }
        if (c.before != kNoFlow) after[static_cast<size_t>(c.before)].push_back(i);
      }
    }
    for (const Relay& r : relays_[i]) {
      for (const Fifo& fifo : role_of(flows_[static_cast<size_t>(r.first)]).fifos) {
        for (int other : fifo.flows) after[static_cast<size_t>(other)].push_back(i);
      }
    }
  }
  std::vector<uint8_t> open(flows_.size(), 1);
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (size_t i = 0; i < flows_.size(); ++i) {
      if (open[i] == 0) continue;
      open[i] = 0;
      if (!improve(i)) continue;
      smaller = true;
      for (size_t other : after[i]) open[other] = 1;
    }
  }
  int64_t last = 0;
  for (size_t i = 0; i < flows_.size(); ++i) {
    if (possible(flows_[i])) last = std::max(last, done_[i] + flows_[i].effect);
  }
  return last;
}

}  // namespace odonata::fault
