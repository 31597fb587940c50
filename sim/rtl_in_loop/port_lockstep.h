// SPDX-License-Identifier: Apache-2.0
// RTL in the loop: the route-compute unit of one port of a running network, in lockstep with its golden unit and with
// what the engine decided, on the port's live requests, tables, congestion maps and LFSR (docs/network.md §9).
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "models/table/configuration.h"
#include "sim/network/decision_tap.h"
#include "tb/harness/campaign.h"
#include "tb/harness/unit_bench.h"
#include "tb/route_compute/block.h"

namespace odonata::network {

class PortLockstep final : public DecisionTap {
 public:
  struct Options {
    Dragonfly dragonfly;
    RouterId router;
    int port = 0;
    table::ConfigurationPolicy tables;
    route_compute::Rule rule;  ///< what register RULE gets
    bool rtl = true;           ///< false: only the golden unit and the record
    std::string plant;         ///< a planted bug of the RTL by name
    std::string device_lib;    ///< a device of your own in the place of the RTL: any latency and interval, which are
                               ///< measured first
    bool keep = false;         ///< keep every cycle for record()
  };
  /// Throws Error when there is no RTL of this size or no such plant.
  explicit PortLockstep(const Options& options);

  void cycle(uint32_t now) override;
  void decided(const Seen& seen) override;
  /// Serves what still waits and is in the pipeline.
  void finish();

  uint64_t compared() const { return compared_; }
  bool failed() const { return failed_; }
  /// The mismatch in words, shrunk, recorded in folder `artifacts`, with the command that replays it.
  std::vector<std::string> report(const std::string& artifacts) const;
  /// All cycles of the unit's pins as `odonata cosim --block route_compute --trace-in` reads them.
  std::string record() const;

 private:
  using Block = cosim::RouteComputeBlock;
  /// The pins of a cycle; `snapshot` are the maps that a request meets two cycles later.
  struct Step {
    Block::Inputs in;
    route_compute::Congestion snapshot;
  };
  void configure(uint16_t lfsr);
  void write_row(const Seen& seen);
  void push_idle(int cycles);
  void step(const Step& next);
  void compare(const Block::Inputs& in);
  void fail(const std::vector<cosim::Difference>& differences);
  std::unique_ptr<cosim::RouteComputeDevice> make_device() const;
  cosim::CampaignRequest request() const;
  std::map<std::string, std::string> meta() const;

  Options options_;
  int plant_;
  cosim::UnitBench<Block> bench_;
  cosim::detail::OwnDevice<Block> own_;
  int drain_;  ///< idle cycles after which no request and no operation is in a unit
  route_compute::GoldenDevice reference_;
  std::unique_ptr<cosim::detail::CampaignReference<Block>>
      shown_;  ///< the golden unit as the pins of the device have to show it
  std::unique_ptr<cosim::RouteComputeDevice> device_;
  cosim::Comparator<Block::Outputs> comparator_;
  table::PortTables written_;  ///< the tables of the units
  bool configured_ = false;
  std::deque<Step> waiting_;
  std::deque<route_compute::Congestion> snapshots_;  ///< of the requests in the last two steps, oldest first
  std::deque<route_compute::Decision> expected_;     ///< of the engine, oldest first
  route_compute::Congestion maps_;
  std::vector<Block::Inputs> log_;
  cosim::Mismatch mismatch_;
  bool engine_differs_ = false;
  std::atomic<bool> failed_ = false;
  uint64_t compared_ = 0;
};

}  // namespace odonata::network
