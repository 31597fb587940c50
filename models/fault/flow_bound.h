// SPDX-License-Identifier: Apache-2.0
// The latest cycle in which messages of given kinds can be served, whatever the order in which they come (docs/fault.md
// §7.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
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
  explicit FlowBound(const ServerTimes& times) : t_(times) {}

  /// Routers that get the same kinds of messages. They serve nothing before `available`; nothing has an effect as of a
  /// look before `least`.
  int role(int64_t available = 0, int64_t least = 0);
  /// Input FIFOs of a role that are alike, each with one sender: of local links, or of global ones.
  int fifo(int role, int64_t count, bool global = false);
  /// No look of the sender sends two messages to such a FIFO.
  void one_a_look(int role, int fifo) {
    roles_[static_cast<size_t>(role)].fifos[static_cast<size_t>(fifo)].one_a_look = true;
  }
  /// `times` messages in every FIFO of a kind. Flows of one chain come in the order in which they are made here, those
  /// of different chains in any.
  int flow(int role, int fifo, int chain, int64_t times = 1);
  /// The flow comes between these cycles.
  void comes(int flow, int64_t least, int64_t most);
  /// A message of the flow leaves when one of `cause` is served, and is there `least` to `most` cycles after that look.
  void follows(int flow, int cause, int64_t least, int64_t most);
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

 private:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max() / 4;
  static constexpr int kNoFlow = -1;
  struct Flow {
    int role = 0, fifo = 0, chain = 0, place = 0;
    int kind = 0;  ///< of what mates tell; 0: it is nothing of that
    int64_t times = 1, effect = 0;
    int64_t source_least = kNever, source_most = -1;
    int64_t least = 0, most = kNever;  ///< arrival
  };
  struct Cause {
    int flow = 0;
    int64_t least = 0, most = 0;
  };
  struct Fifo {
    int64_t count = 0;
    bool global = false, one_a_look = false;
    std::vector<int> flows{};
  };
  struct Role {
    int64_t available = 0, least = 0;
    std::vector<Fifo> fifos;
  };
  /// Messages that are there from the beginning, and such as may come later.
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
  bool can_precede(const Flow& other, const Flow& f) const { return other.chain != f.chain || other.place < f.place; }
  int64_t last_arrival(const Fifo& fifo, const Fifo& waiting, int64_t until) const;
  int64_t empty_looks(int64_t rounds, int64_t services) const;
  int64_t in_front_of(const Flow& f, int64_t rounds, const Done& done, int64_t from, int64_t until, int without) const;
  int64_t waits_from(const Flow& f, int64_t rounds, const Done& done, int64_t from, bool at_work, int without) const;
  int64_t waits(size_t flow, int64_t rounds, const Done& done, int64_t from, bool at_work, int without) const;
  Done done_while_waiting(size_t flow) const;
  int64_t served(size_t flow, const Done& done, int without = kNoFlow) const;
  int64_t others_in_front(size_t flow, int64_t from) const;
  Others others(const Flow& waiting, int kind, int64_t rounds, bool one_a_round, int64_t from, int64_t until) const;
  int64_t told_by_all(size_t flow) const;
  void arrive(Flow& f, const std::vector<Cause>& causes) const;

  ServerTimes t_;
  std::vector<Role> roles_;
  std::vector<Flow> flows_;
  std::vector<std::vector<Cause>> causes_;  ///< by flow
  std::vector<Relay> relays_;               ///< by flow
  Done done_;                               ///< by flow
};

}  // namespace odonata::fault
