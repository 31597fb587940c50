// SPDX-License-Identifier: Apache-2.0
// Real packet streams on real tables, with the congestion, table writes, failures and resets of a working router.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "models/table/configuration.h"
#include "models/traffic/channel_load.h"
#include "models/traffic/port_stream.h"
#include "tb/harness/stimulus.h"
#include "tb/route_compute/config_driver.h"
#include "tb/route_compute/plane_maps.h"

namespace odonata::cosim {

/// Where the congestion maps come from: drawn by a queue model (models/traffic/channel_load.h), or carried by the
/// congestion plane of a loaded group.
enum class MapSource { drawn, plane };

/// Rates are events a cycle, 0 = never.
struct TrafficOptions {
  std::string pattern = "ur";  ///< ur, adv+I, rp
  double load = 0.8;           ///< requests a cycle at the port, and flits a cycle and node for the congestion; 0..1
  uint64_t seed = 1;
  std::optional<RouterId> router;  ///< default: changes during the run
  std::optional<int> port;         ///< default: changes during the run, half of the time a node port
  bool both_arrangements =
      true;             ///< a quarter of the assignments uses the other arrangement (only when the router is not given)
  uint64_t cycles = 0;  ///< ends after so many cycles; 0 = no limit
  uint64_t transactions = 0;       ///< ends after so many responses; 0 = no limit
  uint64_t assignment_cycles = 0;  ///< time at one router and port; 0 = 40 times the length of a configuration
  double table_write_rate = 1.0 / 200;
  double read_rate = 1.0 / 500;
  double refused_rate = 1.0 / 5000;
  double failure_rate =
      1.0 / 4000;  ///< a port fails at once, its options leave the tables a little later; it is repaired later
  double reset_rate = 1.0 / 100'000;  ///< resets in mid-flight beside those of a new assignment
  int patience = 64;                  ///< cycles that an operation waits before the driver leaves a gap in the requests
  table::ConfigurationPolicy policy;
  MapSource maps = MapSource::drawn;
};

/// Endless unless limited. Deterministic: same dragonfly and options, same cycles.
class TrafficStimulus final : public Stimulus<route_compute::UnitInputs, route_compute::UnitOutputs> {
 public:
  /// Throws Error for a bad pattern, load, router or port.
  TrafficStimulus(const Dragonfly& d, const TrafficOptions& options);
  bool next(const route_compute::UnitOutputs& last, route_compute::UnitInputs& in) override;
  /// "group 3 router 1 port 5 (local), direct, ur at load 0.8"
  std::string describe() const;
  uint64_t assignments() const { return assignments_; }

 private:
  /// The network as one of the two arrangements cables it.
  struct Network {
    Network(const Dragonfly& d, const TrafficOptions& options);
    Dragonfly d;
    traffic::Pattern pattern;
    traffic::NetworkLoad load;
  };
  struct Failure {
    int port = -1;        // own port, or
    int group_port = -1;  // another router's global port
    int step = 0;         // 0 failed, 1 out of the tables, 2 repaired
    uint64_t next = 0;    // cycle of the next step
  };
  struct PoolRequest {
    uint32_t dest = 0;
    uint16_t src_gid = 0;
    uint8_t vc = 0;
  };
  enum Event { kTableWrite, kRead, kRefused, kFailure, kReset, kAssignment, kNumEvents };

  const Network& network(Arrangement arrangement);
  void choose_assignment();
  void assign();
  void start_reset();
  void start_configuration(double load);
  void finish_configuration();
  PoolRequest draw_request();

  uint64_t gap(double rate);
  void schedule(Event event);
  void handle_events();
  void handle(Event event);
  void random_table_write();
  void set_word(uint32_t base, std::vector<uint64_t>& table, size_t index, uint64_t word);
  uint64_t changed_word(uint32_t base, size_t index, uint64_t present, uint64_t wanted);
  void fail_a_port();
  void advance(Failure& failure);
  void show_failures();
  void show_maps();
  void aim_tables();
  void drive_request();

  Dragonfly d_;
  TrafficOptions options_;
  Random random_;
  std::array<std::unique_ptr<Network>, 2> networks_;  // by arrangement

  // The present assignment.
  const Network* network_ = nullptr;
  RouterId own_;
  int port_ = 0;
  uint64_t assignments_ = 0;
  table::PortTables pristine_, present_;  // fault-free, and what the unit holds when all operations are done
  std::optional<traffic::PortStream> stream_;
  std::optional<traffic::CongestionModel> congestion_;  // drawn maps
  std::optional<PlaneMaps> plane_;                      // or maps of the plane
  std::vector<PoolRequest> pool_;
  std::vector<Failure> failures_;

  ConfigDriver driver_;
  bool configuring_ = false;
  uint64_t request_threshold_ = 0;  // of 2^32
  int reset_cycles_ = 0;
  int map_age_ = 0;
  uint64_t cycle_ = 0, responses_ = 0;
  std::array<uint64_t, kNumEvents> event_at_{};
  uint64_t next_event_ = 0;
  route_compute::UnitInputs pins_;
};

}  // namespace odonata::cosim
