// SPDX-License-Identifier: Apache-2.0
#include "models/fault/worst_case.h"

#include <algorithm>
#include <array>
#include <vector>

#include "models/fault/audience.h"
#include "models/fault/fault_bound.h"
#include "models/fault/flow_bound.h"

namespace odonata::fault {

namespace {

/// From a look to the arrival of a message that it sends, at least and at most.
struct Way {
  int64_t least = 0, most = 0;
  Way later(int64_t cycles) const { return {least + cycles, most + cycles}; }
};

/// The terms of docs/fault.md §7.3.
struct Terms {
  Terms(const Dragonfly& dragonfly, const Timing& timing, bool restores) : d(dragonfly), t(timing), a(d.a()), h(d.h()) {
    const int64_t hop = t.ring_hop, n = static_cast<int64_t>(d.num_ports() - 1) * hop,
                  m = static_cast<int64_t>(d.first_global() - 1) * hop;
    last = n;
    service = t.pipelined ? 4 : 3 + std::max((t.stations - 1) * hop, n + 2 + (restores ? 1 : 0));
    least_service = t.pipelined ? 4 : 3 + std::max((t.stations - 1) * hop, n + 1);
    to_mate = {3 + d.first_local() * hop + t.local_latency, 3 + m + t.local_latency};
    across = {3 + d.first_global() * hop + t.global_latency, 3 + n + t.global_latency};
    fewest_ports = h;
    for (int r = 0; r < d.num_routers(); ++r) fewest_ports = std::min(fewest_ports, cabled(r));
  }
  int64_t cabled(int router) const {
    int64_t ports = 0;
    for (int port = d.first_global(); port < d.num_ports(); ++port) ports += d.peer(d.router(router), port).connected;
    return ports;
  }
  int64_t step_of_b(int64_t bid) const { return (t.base_b + bid) / t.banks; }
  int64_t step_of_g(int64_t gid) const { return (t.base_g + gid) / t.banks; }
  /// What a travel says in steps `first` to `last_step`, of which up to `more` are further messages of a step.
  Way row(const Way& way, int64_t first, int64_t last_step, int64_t more) const {
    return {way.least + 2 * first, way.most + 2 * last_step + more};
  }
  Way row_b(const Way& way, int64_t more = 0) const { return row(way, step_of_b(0), step_of_b(a - 1), more); }
  /// Rows of zone G that have `before` rows in front of them and `behind` behind them at least.
  Way row_g(const Way& way, int64_t before, int64_t behind, int64_t more) const {
    return row(way, step_of_g(before), step_of_g(d.g() - 1 - behind), more);
  }
  /// From the last look to the last write that it causes.
  int64_t write() const { return 2 + last; }
  /// The same when only entries of node ports change.
  int64_t speech_write() const { return 2 + static_cast<int64_t>(d.p() - 1) * t.ring_hop; }
  int64_t travel_write(int64_t last_step, int64_t more) const { return 1 + last + 2 * last_step + 1 + more; }
  /// Further messages that a travel can have in its steps when `rows` rows speak; a router that loses its only global
  /// port speaks in every row.
  int64_t further(int64_t rows) const { return (t.banks > 1 ? rows : 0) + (lone() ? d.g() : 0); }
  /// Some router has a single global port: all its ways out can go at once.
  bool lone() const { return fewest_ports < 2; }
  ServerTimes server() const {
    return {service, t.stations, t.poll_width, t.stations - (a - 1) - h, t.pipelined ? 0 : least_service - 2, write()};
  }

  Dragonfly d;
  Timing t;
  int64_t a, h;
  int64_t last = 0;     ///< n r
  int64_t service = 0;  ///< D
  int64_t least_service = 0;
  Way to_mate, across;
  int64_t fewest_ports = 0;  ///< cabled global ports of a router
};

/// What global neighbours of a group tell their other neighbours at once.
struct EarlyNews {
  int64_t ports = 0;  ///< the most global ports of a router that it comes through
  int64_t speakers =
      0;  ///< the most routers of a group that hear it, or the group itself, through all their global ports
};

EarlyNews early_news(const Terms& t) {
  EarlyNews out;
  const Dragonfly& d = t.d;
  struct Heard {
    int64_t own = 0, all = 0;
  };
  std::vector<Heard> heard(static_cast<size_t>(d.num_routers()));
  for (int group = 0; group < d.g(); ++group) {
    std::fill(heard.begin(), heard.end(), Heard{});
    for (int bid = 0; bid < d.a(); ++bid) {
      for (int out_port = d.first_global(); out_port < d.num_ports(); ++out_port) {
        const Dragonfly::Peer neighbour = d.peer({group, bid}, out_port);
        if (!neighbour.connected) continue;
        ++heard[static_cast<size_t>(d.router_index(neighbour.router))].own;
        for (int on = d.first_global(); on < d.num_ports(); ++on) {
          const Dragonfly::Peer next = d.peer(neighbour.router, on);
          if (next.connected && on != neighbour.port) ++heard[static_cast<size_t>(d.router_index(next.router))].all;
        }
      }
    }
    for (int other = 0; other < d.g(); ++other) {
      int64_t speakers = 0;
      for (int bid = 0; bid < d.a() && other != group; ++bid) {
        const int r = d.router_index({other, bid});
        const Heard& h = heard[static_cast<size_t>(r)];
        out.ports = std::max(out.ports, h.all);
        speakers += h.all > 0 && h.own + h.all >= t.cabled(r) ? 1 : 0;
      }
      out.speakers = std::max(out.speakers, speakers);
    }
  }
  out.ports = std::min(out.ports, t.h);
  return out;
}

constexpr int kFewRouters = 40;        // of a network whose faults are looked at one by one: a second of processor time
constexpr int64_t kFewestRouters = 3;  // of a group; with two, a dead local link leaves a mate no way round

enum Chain : uint8_t {
  kDetour,
  kSource,
  kGlobal,
  kRows
};  // FIFO order holds inside each: class D, class S, through a global port, rows of a travel

/// What mates tell each other (lemma 2): that their way is lost, or back; that all of their own ways out are lost.
enum Kind : uint8_t { kNothing, kWayLost, kSpeech, kWayBack };

/// Makes the flows of a class of faults.
class Flows : public FlowBound {
 public:
  explicit Flows(const Terms& terms) : FlowBound(terms.server()), speech_write_(terms.speech_write()) {}
  using FlowBound::comes;
  using FlowBound::follows;
  /// What a router says of all its ways out changes entries of node ports only.
  int speech(int role, int fifo, Chain chain) {
    const int f = flow(role, fifo, chain);
    effect(f, speech_write_);
    return f;
  }
  int speech_at(int role, int fifo, int place) {
    const int f = flow_at(role, fifo, kSource, place);
    effect(f, speech_write_);
    return f;
  }
  void comes(int flow, const Way& way) { comes(flow, way.least, way.most); }
  void follows(int flow, int cause, const Way& way) { follows(flow, cause, way.least, way.most); }
  /// `told` is what mates say when they have served `first`, both in groups where `alike` others are said or served.
  void relay(Kind kind, int told, int first, int64_t alike, const Way& way) {
    follows(told, first, way);
    mates_tell(told, kind, {first, alike, way.least, way.most});
  }

 private:
  int64_t speech_write_;
};

/// The other rows of a router that has lost its only way out.
void add_lone_rows(Flows& b, const Terms& t, int role, int fifo) {
  if (t.lone() && t.d.g() > 2)
    b.comes(b.flow(role, fifo, kRows, t.d.g() - 2), t.row_g(t.to_mate, 0, 0, t.further(t.h)));
}

int64_t global_link(const Terms& t) {
  Flows b(t);
  const int64_t more = t.further(0);
  const int mate = b.role();
  const int from_end = b.fifo(mate, 1), from_mates = b.fifo(mate, t.a - 2);
  const int way_lost = b.flow(mate, from_end, kDetour), told = b.flow(mate, from_mates, kDetour);
  b.comes(way_lost, t.row_g(t.to_mate, 0, 0, more));
  add_lone_rows(b, t, mate, from_end);
  b.of_kind(way_lost, kWayLost);
  b.relay(kWayLost, told, way_lost, t.a - 2, t.to_mate);
  // A neighbour of both groups hears of both.
  const int neighbour = b.role();
  const int news = b.flow(neighbour, b.fifo(neighbour, 2), kGlobal);
  b.comes(news, t.row_g(t.across, 0, 0, more));
  b.follows(news, way_lost, t.across);
  b.follows(news, told, t.across);
  if (t.lone()) {
    const int listener = b.role();
    for (const auto& [role, count] : {std::pair{listener, 2}, {neighbour, 1}}) {
      b.follows(b.flow(role, b.fifo(role, count), kSource), news, t.to_mate.later(1));
    }
  }
  return std::max(b.solve(), t.travel_write(t.step_of_g(t.d.g() - 1), more));
}

/// The flows of a dead local link x-y in the groups that hear of it.
struct LocalFault {
  explicit LocalFault(const Terms& terms) : t(terms), b(terms), more(t.further(t.h + 1)) {}

  /// The mates of x and y.
  void own_group() {
    const int mate = b.role(), from_ends = b.fifo(mate, 2);
    b.comes(b.flow(mate, from_ends, kDetour), t.row_b(t.to_mate, more));
    for (int64_t i = 0; i < t.h; ++i)
      b.comes(b.flow(mate, from_ends, kDetour), t.row_g(t.to_mate, i, t.h - 1 - i, more));
  }

  void group(const Audience& audience) {
    const bool hears = std::any_of(audience.begin(), audience.end(), [](const Listeners& l) { return l.attached; });
    std::vector<Ears> all;
    int64_t speakers = 0;
    for (const Listeners& l : audience) {
      all.push_back(global_news(l));
      all.back().place = static_cast<int>(all.size());
      if (l.speaks) speakers += l.routers;
    }
    for (Ears& to : all) {
      for (const Ears& from : all) {
        if (hears && from.kind.attached && !to.kind.attached) hear_attached(to, from, speakers);
      }
    }
    for (Ears& to : all) {
      for (const Ears& from : all) {
        const int64_t others = from.kind.routers - (&from == &to ? 1 : 0);
        if (from.kind.attached || others == 0) continue;
        if (!hears && !from.kind.speaks) continue;
        const int fifo = b.fifo(to.role, others);
        b.at_place(to.role, fifo, from.place);
        if (hears && !to.kind.attached) {
          const int told = b.flow(to.role, fifo, kDetour);
          b.relay(kWayLost, told, from.way_lost, t.a - 2, t.to_mate);
          b.one_a_look(to.role, fifo);
          causes_of_late.push_back(told);
        }
        if (from.kind.speaks) speak(b.speech(to.role, fifo, kSource), from, speakers);
      }
      if (to.way_lost >= 0) causes_of_late.push_back(to.way_lost);
    }
    listeners.insert(listeners.end(), all.begin(), all.end());
  }

  int64_t cycles() {
    own_group();
    for (const Audience& a : audiences(t.d)) group(a);
    for (const Ears& e : listeners) {
      if (e.early >= 0) {
        for (int from : firsts) b.follows(e.early, from, t.across);
      }
      if (e.late < 0) continue;
      for (int from : causes_of_late)
        b.follows(e.late, from, {t.across.least + (t.a - 2) * t.least_service, t.across.most});
    }
    return std::max(b.solve(), t.travel_write(t.step_of_g(t.d.g() - 1), more));
  }

 private:
  /// A kind of routers, and the flows to it; -1: there is no such flow.
  struct Ears {
    Listeners kind;
    int role = 0, first = -1, early = -1, late = -1, way_lost = -1;
    int place = 0;  ///< of the FIFOs that come from such routers
  };
  Ears global_news(const Listeners& l) {
    Ears e{l, b.role()};
    if (l.attached) {
      e.first = b.flow(e.role, b.fifo(e.role, 1, true), kGlobal);
      b.comes(e.first, t.row_b(t.across));
      firsts.push_back(e.first);
    }
    if (l.early > 0) e.early = b.flow(e.role, b.fifo(e.role, l.early, true), kGlobal);
    if (l.late > 0) e.late = b.flow(e.role, b.fifo(e.role, l.late, true), kGlobal);
    return e;
  }
  /// The attached router tells its mates, and may speak later.
  void hear_attached(Ears& to, const Ears& from, int64_t speakers) {
    const int fifo = b.fifo(to.role, 1);
    b.at_place(to.role, fifo, from.place);
    to.way_lost = b.flow(to.role, fifo, kDetour);
    b.follows(to.way_lost, from.first, t.to_mate);
    b.of_kind(to.way_lost, kWayLost);
    if (from.kind.speaks) speak(b.speech(to.role, fifo, kDetour), from, speakers);
  }
  /// A router speaks when it has served the last of its news.
  void speak(int flow, const Ears& from, int64_t speakers) {
    const int last = from.late >= 0 ? from.late : from.early >= 0 ? from.early : from.first;
    const int64_t news = from.late >= 0 ? from.kind.late : from.early >= 0 ? from.kind.early : 1;
    const Way way = t.to_mate.later(1);
    b.follows(flow, last, t.to_mate.least + (news - 1) * t.least_service, way.most);
    for (int other : {from.first, from.early}) {
      if (other >= 0 && other != last) b.follows_late(flow, other, way.most);
    }
    b.mates_tell(flow, kSpeech, {last, speakers - 1, t.to_mate.least, way.most});
  }

  const Terms& t;
  Flows b;
  int64_t more;
  std::vector<Ears> listeners;
  std::vector<int> firsts, causes_of_late;
};

int64_t local_link(const Terms& t) { return LocalFault(t).cycles(); }

/// Groups that hear of a dead router: 0, those whose link to its group is whole, and 1, those that have lost it.
struct RouterFault {
  RouterFault(const Terms& terms, int64_t early_ports, int64_t early_speakers)
      : t(terms),
        b(terms),
        more(t.further(t.h)),
        free(2 + t.last + 2 * t.t.steps() + more),
        least_free(t.t.pipelined ? 2 * t.t.steps() : 2 + t.last + 2 * t.t.steps()),
        speakers(early_speakers) {
    mate = b.role(free, least_free);
    from_mates = b.fifo(mate, t.a - 2);
    for (int group = 0; group < 2; ++group) {
      attached[group] = group == 0 ? b.role() : b.role(free, least_free);
      from_group[group] = b.fifo(attached[group], group == 0 ? 1 : 0);
      other_groups[group] = b.fifo(attached[group], t.h - 1);
      at_attached[group] = listens(attached[group], t.a - 1);
      hearer[group] = b.role();
      from_attached[group] = b.fifo(hearer[group], 1);
      at_hearer[group] = listens(hearer[group], t.a - 2);
      early_groups[group] = b.fifo(hearer[group], early_ports);
      late_groups[group] = b.fifo(hearer[group], t.h - early_ports);
      for (int fifo : {early_groups[group], late_groups[group], at_hearer[group][0], at_hearer[group][1]})
        b.one_a_look(hearer[group], fifo);
      for (int fifo : {other_groups[group], at_attached[group][0], at_attached[group][1]})
        b.one_a_look(attached[group], fifo);
    }
    b.one_a_look(attached[0], from_group[0]);
    b.one_a_look(hearer[0], from_attached[0]);
  }

  int64_t cycles() {
    own_group();
    falls = make_news(false);
    rises = make_news(true);
    fall();
    rise();
    lost_groups();
    return std::max(b.solve(), t.travel_write(t.step_of_g(t.d.g() - 1), more));
  }

 private:
  /// FIFOs from the routers of the own group: those that early news takes every way out, and the others.
  using FromMates = std::array<int, 2>;
  /// What is told of the group, as FDs or as FRs, by the group of who hears it.
  struct News {
    int first = 0;                                      ///< by a mate of the dead router, at who is attached to it
    std::array<int, 2> way{};                           ///< by who is attached, to its mates
    std::array<FromMates, 2> told{};                    ///< by mates to each other
    std::array<int, 2> to_attached{}, early{}, late{};  ///< through global ports
    std::array<FromMates, 2> to_attached_speech{}, speech{};
    std::array<int, 2> attached_speech{};
  };

  FromMates listens(int role, int64_t routers) {
    return {b.fifo(role, std::min(speakers, routers)), b.fifo(role, routers - speakers)};
  }

  /// The mates of the dead router tell each other, row by row.
  void own_group() {
    dead = b.flow(mate, from_mates, kRows);
    b.comes(dead, t.row_b(t.to_mate, more));
    for (int64_t i = 0; i < t.h; ++i) {
      lost.push_back(b.flow(mate, from_mates, kRows));
      b.comes(lost.back(), t.row_g(t.to_mate, i, t.h - 1 - i, more));
    }
  }

  /// `rises`: behind what falls. Who is attached tells its mates of the way before it speaks; of its FRs either may be
  /// first. What its mates say of the way and of their own ways out has nothing to do with each other.
  News make_news(bool rises) {
    News n;
    n.first = b.flow(attached[0], from_group[0], kGlobal);
    for (int group = 0; group < 2; ++group) {
      const int to = hearer[group];
      n.way[group] = b.flow_at(to, from_attached[group], kSource, rises ? 2 : 0);
      n.attached_speech[group] = b.speech_at(to, from_attached[group], rises ? 2 : 1);
      b.look(n.way[group], rises, true);
      b.look(n.attached_speech[group], rises, false);
      n.to_attached[group] = b.flow(attached[group], other_groups[group], kGlobal);
      n.early[group] = b.flow(to, early_groups[group], kGlobal);
      n.late[group] = b.flow(to, late_groups[group], kGlobal);
      for (size_t kind = 0; kind < 2; ++kind) {
        n.told[group][kind] = b.flow(to, at_hearer[group][kind], kDetour);
        n.speech[group][kind] = b.speech(to, at_hearer[group][kind], kSource);
        n.to_attached_speech[group][kind] = b.speech(attached[group], at_attached[group][kind], kSource);
      }
    }
    return n;
  }

  void fall() {
    b.comes(falls.first, t.row_b(t.across));
    b.follows(falls.way[0], falls.first, t.to_mate);
    b.comes(falls.way[1], t.row_g(t.to_mate, 0, 0, more));
    add_lone_rows(b, t, hearer[1], from_attached[1]);
    for (int group = 0; group < 2; ++group) {
      b.of_kind(falls.way[group], kWayLost);
      for (int told : falls.told[group]) b.relay(kWayLost, told, falls.way[group], t.a - 2, t.to_mate);
      for (int f : {falls.to_attached[group], falls.early[group]}) {
        b.follows(f, falls.first, t.across);
        // Two that are attached to different routers of the group are never linked (docs/fault.md §7.3).
        if (f != falls.to_attached[0]) b.comes(f, t.row_g(t.across, 0, 0, more));
        late_news(f, FlowBound::kNever);
      }
      late_news(falls.late[group], t.across.least + (t.a - 2) * t.least_service);
      speeches(group);
    }
  }
  /// A mate says so when all its ways are gone, and before any of them is back.
  void late_news(int flow, int64_t least) {
    for (int group = 0; group < 2; ++group) {
      const int before = group == 0 ? rises.way[0] : FlowBound::kNoFlow;
      for (int from : {falls.way[group], falls.told[group][0], falls.told[group][1]})
        b.FlowBound::follows(flow, from, from == falls.way[group] ? least : FlowBound::kNever, t.across.most, before);
    }
  }
  /// A router whose every global way out is lost speaks.
  void speeches(int group) {
    const int64_t earlier = std::max<int64_t>(0, t.fewest_ports - 2) * t.least_service;
    const int64_t most = t.to_mate.most + 1;
    for (size_t kind = 0; kind < 2; ++kind) {
      const int64_t least = t.to_mate.least + (kind == 0 ? earlier : 0);
      for (int cause : {falls.early[group], falls.late[group]}) {
        const int64_t in_time = kind == 0 || cause == falls.late[group] ? least : FlowBound::kNever;
        b.FlowBound::follows(falls.speech[group][kind], cause, in_time, most);
        b.FlowBound::follows(falls.to_attached_speech[group][kind], cause, in_time, most);
      }
    }
    const int back = group == 0 ? rises.first : FlowBound::kNoFlow, speech = falls.attached_speech[group];
    b.FlowBound::follows(speech, falls.to_attached[group], t.to_mate.least + earlier, most, back);
    if (group == 0)
      b.FlowBound::follows(speech, falls.first, t.lone() ? t.to_mate.least : FlowBound::kNever, most, back);
    if (group == 1 && t.lone()) b.comes(speech, t.row_g(t.to_mate, 0, 0, more + 1));
  }

  /// FRs: the router is withdrawn when all its mates have said that it is dead. Who has lost several ways has one again
  /// with the first FR about any of them, at the latest with the one that comes the way of the first FD. What is lost
  /// with a global link stays so.
  void rise() {
    const auto later = [](const Way& way) { return Way{way.least + 1, way.most + 1}; };
    b.follows(rises.first, dead, {t.across.least + std::max<int64_t>(0, t.a - 3) * t.least_service, t.across.most});
    b.follows(rises.way[0], rises.first, later(t.to_mate));
    b.of_kind(rises.way[0], kWayBack);
    for (int told : rises.told[0]) b.relay(kWayBack, told, rises.way[0], t.a - 2, later(t.to_mate));
    for (int group = 0; group < 2; ++group) {
      for (int f : {rises.to_attached[group], rises.early[group], rises.late[group]}) {
        b.follows(f, rises.first, later(t.across));
        // A mate says so when the way of any of them is back.
        const Way way = later(t.across);
        b.follows_first(f, rises.way[0], way.least, way.most, {rises.told[0][0], rises.told[0][1]});
      }
    }
    const Way speech{t.to_mate.least + 1, t.to_mate.most + 2};
    for (int group = 0; group < 2; ++group) {
      const std::vector<int> ways_out{rises.early[group], rises.late[group]};
      for (int cause : ways_out) {
        for (size_t kind = 0; kind < 2; ++kind) {
          for (int f : {rises.to_attached_speech[group][kind], rises.speech[group][kind]})
            b.follows_first(f, cause, speech.least, speech.most, ways_out);
        }
      }
      b.follows_first(rises.attached_speech[group], rises.to_attached[group], speech.least,
                      group == 0 ? kNoLater : speech.most, {rises.to_attached[group]});
      if (group == 0)
        b.follows_first(rises.attached_speech[0], rises.first, speech.least, speech.most, {rises.to_attached[0]});
    }
  }

  /// What the mates have lost with the router, at their global neighbours.
  void lost_groups() {
    for (int from : lost) {
      const int f = b.flow(attached[0], from_group[0], kGlobal);
      b.follows(f, from, {t.across.least + std::max<int64_t>(0, t.a - 3) * t.least_service, t.across.most});
      if (t.lone()) b.follows(b.flow(hearer[0], from_attached[0], kRows), f, t.to_mate.later(1));
    }
  }

  static constexpr int64_t kNoLater = -FlowBound::kNever;  // a cause that only makes a message earlier
  const Terms& t;
  Flows b;
  int64_t more, free, least_free, speakers;
  int mate = 0, from_mates = 0, dead = 0;
  std::array<int, 2> attached{}, from_group{}, other_groups{}, hearer{}, from_attached{}, early_groups{}, late_groups{};
  std::array<FromMates, 2> at_attached{}, at_hearer{};
  News falls, rises;
  std::vector<int> lost;
};

int64_t router(const Terms& t) {
  const EarlyNews early = early_news(t);
  return RouterFault(t, early.ports, early.speakers).cycles();
}

/// Small networks: every fault of the class for itself.
int64_t fault_by_fault(const Dragonfly& d, const Parameters& p, FaultClass fault_class) {
  int64_t cycles = 0;
  for (int64_t i = 0; i < num_faults(d, fault_class); ++i)
    cycles = std::max(cycles, fault_bound(d, p, numbered_fault(d, fault_class, i)).cycles);
  return cycles;
}

/// For groups of two routers: every stage of the longest chain counts everything that a router can
/// get.
int64_t coarse(const Terms& t, int64_t changes) {
  constexpr int64_t kStages = 7;
  const int64_t rows = t.d.a() + t.d.g(), messages = (t.a - 1 + t.h) * changes * rows;
  const int64_t travel = std::max(t.travel_write(t.t.steps(), changes * rows), t.service) + 3;
  const int64_t stage =
      std::max(t.to_mate.most, t.across.most) + messages * (t.service + (t.t.stations - 1) / t.t.poll_width);
  return travel + kStages * stage + t.write();
}

}  // namespace

WorstCase worst_case(const Dragonfly& d, const Parameters& p, FaultClass fault_class) {
  WorstCase out;
  const Timing& timing = p.timing;
  if (timing.load > 0) {
    out.why = "route compute may take the table RAM for any number of cycles: the wait has no bound";
    return out;
  }
  if (timing.ideal || p.link.enabled || p.recovery == Recovery::port_level) {
    out.why = "the bound is about real service times, whole wires and recovery per entry";
    return out;
  }
  const bool dead_router = fault_class == FaultClass::router;
  const Terms t(d, timing, dead_router);
  out.tight = true;
  if (fault_class == FaultClass::node) {
    out.cycles = t.travel_write((d.p() - 1) / timing.banks, 0);
  } else if (t.a < kFewestRouters) {
    out.tight = false;
    out.cycles = coarse(t, dead_router ? 8 : 4);
    out.why = "in a group of two routers nobody is left who keeps a way: every stage counts all that a router can get";
  } else {
    out.cycles = dead_router ? router(t) : fault_class == FaultClass::global ? global_link(t) : local_link(t);
  }
  if (fault_class != FaultClass::node && d.num_routers() <= kFewRouters) {
    out.cycles = std::min(out.cycles, fault_by_fault(d, p, fault_class));
    out.tight = true;
    out.why.clear();
  }
  return out;
}

}  // namespace odonata::fault
