// SPDX-License-Identifier: Apache-2.0
// The latest cycle in which messages of given kinds can be served, whatever the order in which they come (docs/fault.md
// §7.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace odonata::fault {

/// Who serves, and how fast.
struct ServerTimes {
  int64_t service = 0;     ///< D: from a look that hits to the next possible look, at most
  int64_t stations = 0;    ///< S: of a round of the poll
  int64_t poll_width = 1;  ///< W
  int64_t bare = 0;        ///< stations that never have a message: behind the global ports and before the local ones
  int64_t apart = 0;       ///< messages of one sender that have different looks come apart at least
  int64_t effect = 0;      ///< from a look to the last that is done then
};

/// Messages of one kind that come to routers of one role. Everything is a bound that holds
/// for every order of events; solve() makes the bounds smaller until they stand still.
class FlowBound {
 public:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max() / 4;
  static constexpr int kNoFlow = -1;
  explicit FlowBound(const ServerTimes& times) : t_(times) {}

  /// Routers that get the same kinds of messages. They serve nothing before `available`; nothing has an effect as of a
  /// look before `least`.
  int role(int64_t available = 0, int64_t least = 0);
  /// Input FIFOs of a role that are alike, each with one sender: of local links, or of global ones.
  int fifo(int role, int64_t count, bool global = false);
  /// The one FIFO of a known port; these are alone in their role.
  int fifo_at(int role, int port);
  /// FIFOs of two routers of a group with the same number have the same place in the round of the poll: they have the
  /// same sender, or are those of the same global port.
  void at_place(int role, int fifo, int place) {
    roles_[static_cast<size_t>(role)].fifos[static_cast<size_t>(fifo)].place = place;
  }
  /// No look of the sender sends two messages to such a FIFO, but for those of look().
  void one_a_look(int role, int fifo) {
    roles_[static_cast<size_t>(role)].fifos[static_cast<size_t>(fifo)].one_a_look = true;
  }
  /// `times` messages in every FIFO of a kind. Flows of one chain come in the order in which they are made here, those
  /// of different chains in any.
  int flow(int role, int fifo, int chain, int64_t times = 1);
  /// The same with a place of its own in the chain; those at the same place come in any order.
  int flow_at(int role, int fifo, int chain, int place);
  /// Flows of a FIFO with the same number can leave in the same look, `leads` first.
  void look(int flow, int number, bool leads) {
    flows_[static_cast<size_t>(flow)].look = number;
    flows_[static_cast<size_t>(flow)].leads = leads;
  }
  /// In their FIFO the one flow is always before the other, whatever their chains.
  void in_order(int before, int behind) { flows_[static_cast<size_t>(before)].never_behind.push_back(behind); }
  /// The flow comes between these cycles.
  void comes(int flow, int64_t least, int64_t most);
  /// A message of the flow leaves when one of `cause` is served, and is there `least` to `most` cycles after that look.
  void follows(int flow, int cause, int64_t least, int64_t most) { follows(flow, cause, least, most, kNoFlow); }
  /// The same, but only as long as `before` has not been served.
  void follows(int flow, int cause, int64_t least, int64_t most, int before);
  /// As follows(); any message of `instead` to the same router would do as well. So until it leaves none of them is
  /// served.
  void follows_first(int flow, int cause, int64_t least, int64_t most, std::vector<int> instead);
  /// Of several causes all, or only the first, have to be served before a message of the flow leaves. Without a word
  /// any of them will do: the bounds are those of the union.
  enum class When : uint8_t { any, all, first };
  void leaves(int flow, When when) { flows_[static_cast<size_t>(flow)].when = when; }
  /// A message of the flow leaves before one of `other` is served, or never: it is there `most` cycles after that look.
  void precedes(int flow, int other, int64_t most, std::vector<int> instead = {}) {
    limits_[static_cast<size_t>(flow)].push_back({other, 0, most, kNoFlow, std::move(instead)});
  }
  /// As follows(), but not earlier than what other causes say; one more cause.
  void follows_late(int flow, int cause, int64_t most) { follows(flow, cause, kNever, most); }

  /// What routers of a group tell each other (lemma 2).
  struct Relay {
    int first = -1;               ///< who tells has served this; the last of all causes is in an FIFO of the same class
    int64_t alike = 0;            ///< further messages of the kind that one of the two serves, at most
    int64_t least = 0, most = 0;  ///< from the look of who tells to the arrival at who is told
  };
  void mates_tell(int told, int kind, const Relay& relay);
  /// Counts as such a message: who has told a mate has served it.
  void of_kind(int flow, int kind) { flows_[static_cast<size_t>(flow)].kind = kind; }

  /// What a look at the flow does is done earlier than ServerTimes::effect.
  void effect(int flow, int64_t cycles) { flows_[static_cast<size_t>(flow)].effect = cycles; }

  /// The last effect of any message.
  int64_t solve();
  /// When a message of a flow comes, and when it is looked at at the latest. `least > most`: it cannot come.
  struct Span {
    int64_t least = 0, most = 0, look = 0;
  };
  Span span(int flow) const {
    const Flow& f = flows_[static_cast<size_t>(flow)];
    return {f.least, f.most, done_[static_cast<size_t>(flow)]};
  }

 private:
  struct Flow {
    int role = 0, fifo = 0, chain = 0, place = 0;
    int kind = 0;  ///< of what mates tell; 0: it is nothing of that
    When when = When::any;
    int look = -1;
    bool leads = false;
    std::vector<int> never_behind{};
    int64_t times = 1, effect = 0;
    int64_t source_least = kNever, source_most = -1;
    int64_t least = 0, most = kNever;  ///< arrival
  };
  struct Cause {
    int flow = 0;
    int64_t least = 0, most = 0;
    int before = kNoFlow;
    std::vector<int> absent{};  ///< from the second one on: served neither before `flow` nor before `before`
  };
  static constexpr int kNoPort = -1, kNoPlace = -1;
  struct Fifo {
    int64_t count = 0;
    bool global = false, one_a_look = false;
    int port = kNoPort, place = kNoPlace;
    std::vector<int> flows{};
  };
  struct Role {
    int64_t available = 0, least = 0;
    std::vector<Fifo> fifos{};
    std::vector<int> in_order{};  ///< FIFOs with known ports, in the order of these
  };
  /// Messages of a FIFO that are there from the beginning, and such as may come later.
  struct Others {
    int64_t early = 0, late = 0;
  };
  /// The last look at every flow, as far as it is known.
  using Done = std::vector<int64_t>;
  const Role& role_of(const Flow& f) const { return roles_[static_cast<size_t>(f.role)]; }
  const Fifo& fifo_of(const Flow& f) const { return role_of(f).fifos[static_cast<size_t>(f.fifo)]; }
  bool in_the_way(int flow, const Done& done, int64_t from, int64_t until) const {
    const auto i = static_cast<size_t>(flow);
    return flows_[i].least <= until && done[i] + t_.service > from;
  }
  bool can_precede(int other, const Flow& f) const;
  int64_t last_arrival(const Fifo& fifo, const Fifo& waiting, int64_t until) const;
  int64_t empty_looks(int64_t rounds, int64_t services) const;
  /// A message waits for `rounds` rounds of the poll from a cycle on. Of the flows in `absent` one message of the first
  /// one is not there, and no message of the others.
  struct Wait {
    size_t flow = 0;
    int64_t rounds = 1, from = 0;
    bool at_work = false;  ///< an earlier message of the same FIFO may be
    std::vector<int> absent{};
  };
  std::vector<Wait> rows(size_t flow, const Done& done) const;
  int64_t in_front_of(const Wait& wait, const Done& done, int64_t until) const;
  int64_t round_by_round(const Wait& wait, const Done& done) const;
  int64_t busy_since(const Wait& row, const Wait& wait, const Done& done) const;
  int64_t port_by_port(const Wait& wait, const Done& done) const;
  int64_t waits_from(const Wait& wait, const Done& done) const;
  int64_t waits(Wait wait, const Done& done) const;
  Done done_while_waiting(size_t flow) const;
  int64_t served(size_t flow, const Done& done, const std::vector<int>& absent = {}) const;
  int64_t looked(int flow, const std::vector<int>& absent) const;
  int64_t others_in_front(size_t flow, int64_t from) const;
  std::vector<Others> others(const Flow& waiting, int kind, int64_t rounds, bool one_a_round, int64_t from,
                             int64_t until) const;
  int64_t once_a_place(const Flow& first, const Flow& told, const std::vector<Others>& teller,
                       const std::vector<Others>& listener) const;
  int64_t told_by_all(size_t flow, const Relay& relay) const;
  bool possible(const Flow& f) const { return f.least <= f.most; }
  void arrive(size_t flow);
  bool improve(size_t flow);

  ServerTimes t_;
  std::vector<Role> roles_;
  std::vector<Flow> flows_;
  std::vector<std::vector<Cause>> causes_;  ///< by flow
  std::vector<std::vector<Cause>> limits_;  ///< by flow
  std::vector<std::vector<Relay>> relays_;  ///< by flow
  Done done_;                               ///< by flow
};

}  // namespace odonata::fault
