// SPDX-License-Identifier: Apache-2.0
// RTL in the loop: the fault plane of one router of a running network, in lockstep with its golden unit pin by pin, and
// with what the fault planes behind the engine's tables do: every service, message and table write in its cycle
// (docs/network.md §9).
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/network/fault_tap.h"
#include "tb/fault/router_block.h"
#include "tb/harness/campaign.h"

namespace odonata::network {

class RouterLockstep final : public FaultTap {
 public:
  struct Options {
    Dragonfly dragonfly;
    RouterId router;
    fault::Mode mode = fault::Mode::safe;
    fault::Recovery recovery = fault::Recovery::per_entry;
    table::ConfigurationPolicy tables;
    cosim::RouterVariant variant =
        cosim::RouterVariant::plain;  ///< planted: has planted bugs, and at size tiny input FIFOs of 4 messages
    std::string plant;                ///< a planted bug by name; needs variant planted
    bool keep = false;                ///< keep every cycle for record()
  };
  /// Throws Error when there is no RTL of this size or no such plant.
  explicit RouterLockstep(const Options& options);

  void link(int router, int port, bool up, int64_t cycle) override;
  void router(int router, bool alive, int64_t cycle) override;
  void written(int router, int row, int port, int64_t cycle) override;
  void heard(int router, int port, int fp, bool unheard, int64_t cycle) override;
  void opened(int, int, int64_t) override {}  // what nodes send comes from the engine
  void sent(int router, int port, const fault::Message& message, int64_t cycle) override;
  void arrived(int router, int port, const fault::Message& message, int64_t cycle) override;
  void served(int router, fault::ServiceKind kind, int port, const fault::Message& message, int64_t cycle) override;
  void known(int64_t last) override;

  /// Services, messages and table writes that the engine's fault planes, the golden unit and the RTL have in the same
  /// cycle.
  uint64_t compared() const { return compared_; }
  bool failed() const { return failed_; }
  /// The mismatch in words, shrunk, recorded in folder `artifacts`, with the command that replays it.
  std::vector<std::string> report(const std::string& artifacts) const;
  /// All cycles of the router's pins as `odonata cosim --block fault_router --trace-in` reads them.
  std::string record() const;

 private:
  using Block = cosim::FaultRouterBlock;
  /// What the pins show in a cycle, a word each.
  using Happenings = std::vector<uint64_t>;
  bool own(int router) const { return router == index_; }
  void load();
  void cycle();
  void step(const fault::RouterInputs& in);
  Happenings shown();
  void join_next_time();
  void compare_with_engine();
  void fail(const std::vector<cosim::Difference>& differences);
  std::map<std::string, std::string> meta() const;

  Options options_;
  int index_, plant_;
  fault::FaultRouterConfig config_;
  fault::RouterUnit reference_;
  std::unique_ptr<cosim::FaultRouterDevice> device_;
  cosim::Comparator<fault::RouterOutputs> comparator_;
  fault::RouterInputs base_;  ///< identity, mode, links
  fault::RouterOutputs expected_, got_;
  int64_t now_;  ///< the next edge
  bool alive_ = true;
  std::vector<PortMap> unheard_;                                ///< of the units, as shown last
  std::map<int64_t, fault::RouterInputs> arrivals_;             ///< by edge; in_valid and in_message
  std::map<int64_t, std::vector<std::pair<int, bool>>> links_;  ///< by edge: port, up
  std::map<int64_t, bool> lives_;                               ///< by edge
  std::map<int64_t, Happenings> engine_;                        ///< by cycle of the pins
  std::vector<fault::RouterInputs> log_;
  cosim::Mismatch mismatch_;
  bool engine_differs_ = false;
  std::atomic<bool> failed_ = false;
  uint64_t compared_ = 0;
};

}  // namespace odonata::network
