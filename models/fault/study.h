// SPDX-License-Identifier: Apache-2.0
// One sample of a fault study: faults of a class, drawn with everything that decides how long their diagnosis takes
// (docs/fault.md §7.2).
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "models/fault/critical_chain.h"
#include "models/fault/fault_name.h"

namespace odonata::fault {

enum class FaultClass : uint8_t { local, global, node, router };
inline constexpr int kFaultClasses = 4;
inline constexpr std::array<const char*, kFaultClasses> kFaultClassNames{"local", "global", "node", "router"};

/// How many different faults of a class there are, and the one with a number.
int64_t num_faults(const Dragonfly& d, FaultClass fault_class);
Fault numbered_fault(const Dragonfly& d, FaultClass fault_class, int64_t number);

/// What samples are drawn from.
struct StudySettings {
  int faults = 1;                        ///< of the class, at once
  double least_load = 0, most_load = 0;  ///< of the route traffic: drawn evenly between them, once a sample
  bool draw_poll = true;                 ///< where every router's poll is when the faults happen; false: at 0
  bool every = false;                    ///< sample i has fault i, not a drawn one
  bool recovery = true;                  ///< also repair everything once the network is quiet
  uint64_t seed = 1;
};

/// What a sample has taken. Cycles from the faults (recovery: from the repairs) on; -1: it did not happen.
struct StudySample {
  int64_t fault = 0;  ///< number of the first fault
  int64_t detection = -1, local_travel = -1, last_fd = -1, last_write = -1;
  int64_t diagnosis = -1;  ///< the last service
  int64_t recovery = -1;
  Shares chain{};  ///< of the last table write: adds up to last_write
  bool operator==(const StudySample&) const = default;
};

/// Makes samples one after the other on one network.
class Study {
 public:
  /// `parameters` gives mode, structure and latencies; its load and seed are those of the samples.
  Study(const Dragonfly& d, const Parameters& parameters, const StudySettings& settings);
  /// Sample `number` of a class: the same whatever was made before.
  StudySample sample(FaultClass fault_class, int64_t number);
  /// The network as the last sample left it.
  const FaultPlaneNetwork& network() const { return network_; }

 private:
  std::vector<Fault> draw(FaultClass fault_class, int64_t number, uint64_t seed, int64_t& first) const;
  Dragonfly d_;
  StudySettings settings_;
  FaultPlaneNetwork network_;
};

}  // namespace odonata::fault
