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
  int64_t service = 0;        ///< D: from a look that hits to the next possible look, at most
  int64_t stations = 0;       ///< S: of a round of the poll
  int64_t poll_width = 1;     ///< W
  int64_t mates = 0;          ///< routers of a group that tell each other
  int64_t between_mates = 0;  ///< from a look to the arrival at another router of the group, at most
};

/// Messages of one kind that come to routers of one role. Everything is a bound that holds
/// for every order of events; solve() makes the bounds smaller until they stand still.
class FlowBound {
 public:
  explicit FlowBound(const ServerTimes& times) : t_(times) {}

  /// Routers that get the same kinds of messages. They serve nothing before `available`; nothing has an effect as of a
  /// look before `least`.
  int role(int64_t available = 0, int64_t least = 0);
  /// Input FIFOs of a role that are alike.
  int fifo(int role, int64_t count);
  /// `times` messages in every FIFO of a kind. Flows of one chain come in the order in which they are made here, those
  /// of different chains in any.
  int flow(int role, int fifo, int chain, int64_t times = 1);
  /// The flow comes between these cycles.
  void comes(int flow, int64_t least, int64_t most);
  /// A message of the flow leaves when one of `cause` is served, and is there `least` to `most` cycles after that look.
  void follows(int flow, int cause, int64_t least, int64_t most);
  /// As follows(), but not earlier than what other causes say; one more cause.
  void follows_late(int flow, int cause, int64_t most) { follows(flow, cause, kNever, most); }
  /// `told` are what mates say to each other when they have served `first` (lemma 2).
  void mates_tell(int first, int told) { first_of_[static_cast<size_t>(told)] = first; }

  /// The last look at any message.
  int64_t solve();

 private:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max() / 4;
  struct Flow {
    int role = 0, fifo = 0, chain = 0, place = 0;
    int64_t times = 1;
    int64_t source_least = kNever, source_most = -1;
    int64_t least = 0, most = kNever;  ///< arrival
    int64_t done = kNever;             ///< the last look
  };
  struct Cause {
    int flow = 0;
    int64_t least = 0, most = 0;
  };
  struct Fifo {
    int64_t count = 0;
    std::vector<int> flows;
  };
  struct Role {
    int64_t available = 0, least = 0;
    std::vector<Fifo> fifos;
  };
  const Fifo& fifo_of(const Flow& f) const {
    return roles_[static_cast<size_t>(f.role)].fifos[static_cast<size_t>(f.fifo)];
  }
  bool in_the_way(const Flow& f, int64_t from, int64_t until) const {
    return f.least <= until && f.done + t_.service > from;
  }
  bool can_precede(const Flow& other, const Flow& f) const { return other.chain != f.chain || other.place < f.place; }
  int64_t messages_in_the_way(const Fifo& fifo, int64_t from, int64_t until) const;
  int64_t empty_looks(int64_t rounds, int64_t services) const;
  int64_t waits(const Flow& f, int64_t rounds, int64_t from, bool at_work) const;
  int64_t waits_from(const Flow& f, int64_t rounds, int64_t from, bool at_work) const;
  int64_t served(size_t flow) const;
  int64_t told_by_all(size_t flow) const;
  void arrive(Flow& f, const std::vector<Cause>& causes) const;

  ServerTimes t_;
  std::vector<Role> roles_;
  std::vector<Flow> flows_;
  std::vector<std::vector<Cause>> causes_;  ///< by flow
  std::vector<int> first_of_;               ///< by flow, -1: mates do not tell it each other
};

}  // namespace odonata::fault
