// SPDX-License-Identifier: Apache-2.0
// The fault planes of the routers beside the engine: the golden network of models/fault, run ahead of the traffic, and
// what of it concerns each group. With several ranks each has those of its groups, and they trade the messages that go
// from group to group. FDs and FRs have priority on the links and nothing else of the traffic touches the planes, so
// they can be known in advance; for the flits they are link slots that are taken (docs/network.md §8).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/common/part_list.h"
#include "models/fault/plane_network.h"
#include "models/route_compute/decide.h"
#include "sim/network/config.h"
#include "sim/network/exchange.h"
#include "sim/network/result.h"

namespace odonata::network {

/// The two readings of an entry: of packets from the own group [0], and in transit [1].
struct SidedEntries {
  route_compute::Entries side[2];
};

/// Something that happens in a group in a cycle.
struct FaultEvent {
  enum class Kind : uint8_t {
    router,
    link,
    open,
    entry
  };  // served in this order; open: a node port of a router that is back takes packets
  uint32_t cycle = 0;
  Kind kind = Kind::link;
  bool up = false;  ///< router, link
  uint8_t port = 0;
  uint16_t router = 0;  ///< inside the group
  uint16_t row = 0;
  uint32_t life = 0;  ///< open, entry: how often the router had died when it was decided; what a dead router had
                      ///< decided does not happen
  SidedEntries words;
};

/// The routers whose fault planes run beside the engine. Throws Error "--option ...".
fault::Timing fault_timing(const Config& config);
/// By fault event of the plan: the cycle from which packets can be for the nodes concerned, or no longer. That of the
/// event, but for a repaired router the one in which all fault planes have done what follows from it.
std::vector<uint64_t> traffic_cycles(const Config& config);

class FaultFeed final : public fault::Observer {
 public:
  /// `share`: whose groups are whose; null: all are here. With other ranks advance(), messages(), quiet() and result()
  /// are called by all of them.
  explicit FaultFeed(const Config& config, const Share* share = nullptr);

  /// Knows everything up to `last` and, of the slots, far enough for any output queue. Events and slots before `first`
  /// are forgotten.
  void advance(uint32_t first, uint32_t last);
  /// The next events of a group in [first, last), in order.
  const std::vector<FaultEvent>& events(int group) const { return due_[static_cast<size_t>(group)]; }
  /// The first cycle from `cycle` on in which no message is on the link of an output: router of the group * ports +
  /// port.
  uint32_t free_slot(int group, size_t output, uint32_t cycle) const;
  /// Cycles first..last-1 in which a message is on that link.
  int taken_slots(int group, size_t output, uint32_t first, uint32_t last) const;
  /// Whether a node port's link is up in `cycle`, which may be ahead as in free_slot().
  bool node_link_up(int group, size_t output, uint32_t cycle) const;
  /// Bytes that it may come to use here, beside what the planes have changed.
  size_t bytes() const;

  /// What an entry of a group that is here has to be now, as the model has it.
  SidedEntries words(int router, int port, int row) const;
  /// Whether every event before `now` was the last one for the present: nothing is on its way.
  bool quiet(uint32_t now) const;
  /// FDs and FRs that have arrived before `now`.
  std::pair<uint64_t, uint64_t> messages(uint32_t now) const;
  FaultResult result(uint32_t now) const;

  void link(int router, int port, bool up, int64_t cycle) override;
  void router(int router, bool alive, int64_t cycle) override;
  void written(int router, int row, int port, int64_t cycle) override;
  void heard(int router, int port, int fp, bool unheard, int64_t cycle) override;
  void opened(int router, int port, int64_t cycle) override;
  void sent(int router, int port, const fault::Message& message, int64_t cycle) override;
  void arrived(int router, int port, const fault::Message& message, int64_t cycle) override;
  void served(int router, fault::ServiceKind kind, int port, const fault::Message& message, int64_t cycle) override;

 private:
  bool run(int64_t limit);
  uint64_t sum(uint64_t n) const;
  fault::Phases phases() const;
  void add(int router, FaultEvent event);
  void entry(int router, int row, int port, int64_t cycle);
  const table::PortTables& tables(int router, int port) const;

  const Config config_;
  const Dragonfly& dragonfly_;
  Exchange* exchange_;  ///< null: no other ranks
  uint32_t margin_;
  int64_t lookahead_;   ///< cycles after which groups hear of each other
  int64_t next_ = 0;    ///< with other ranks: the next event of any of them
  uint32_t known_ = 0;  ///< everything up to here has been told
  bool done_ = false;   ///< nothing comes after that
  std::unique_ptr<fault::FaultPlaneNetwork> network_;
  std::vector<std::vector<FaultEvent>> pending_, due_;  // by group
  PartList<std::vector<uint32_t>> slots_;               // by output, ascending
  PartList<std::vector<uint32_t>> node_changes_;  // by output: cycles in which a node link goes down, up, down, ...
  PartList<uint32_t> life_;                       // by router
  FaultTap* tap_;
  std::vector<std::pair<uint32_t, fault::Kind>> arrivals_;
  uint64_t fd_ = 0, fr_ = 0;  // before the last advance
  mutable PartList<std::unique_ptr<table::PortTables>>
      tables_;  // made when first asked for; one for all node ports of a router
};

}  // namespace odonata::network
