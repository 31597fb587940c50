// SPDX-License-Identifier: Apache-2.0
// A second cycle model of the unit for the tests, written from docs/route_compute.md §2-§4 and §7 around a history of
// requests (what was sampled at which edge) instead of pipeline registers; decisions come from the set-based oracle.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "models/route_compute/unit.h"
#include "tb/route_compute/oracle.h"

namespace odonata::route_compute::oracle {

class UnitOracle {
 public:
  UnitOracle(DragonflySize size, bool absolute_at_reset);
  /// One rising edge.
  UnitOutputs step(const UnitInputs& in);

 private:
  /// A request on its way, with what the stages have found for it so far.
  struct Flight {
    Situation situation;
    Answer answer;
    int index_a = 0, index_b = 0;
  };
  struct Operation {
    bool write = false;
    int word = 0;
    uint64_t data = 0;
  };
  struct Acknowledge {
    bool error = false;
    uint64_t data = 0;
  };

  void reset();
  void stage1(Flight& flight);
  void stage2(Flight& flight);
  void stage3(Flight& flight);
  bool waits(const Operation& op) const;
  bool refused(const Operation& op) const;
  bool refused_entry(int word, uint64_t data) const;
  bool defined(int word) const;
  void execute();
  UnitOutputs outputs(const std::optional<Flight>& leaving, const std::optional<Acknowledge>& acknowledged) const;
  uint32_t probe() const;
  Flight* in_stage(int stage) { return flights_.count(edge_ - stage) ? &flights_.at(edge_ - stage) : nullptr; }
  bool busy(int stage) const { return flights_.count(edge_ - stage) > 0; }

  const DragonflySize size_;
  const bool absolute_at_reset_;
  long edge_ = 0;                   // number of the next edge: up to it stage s works on what was sampled at edge_ - s
  std::map<long, Flight> flights_;  // by the edge at which they were sampled
  std::map<int, uint64_t> memory_;  // all writable words, by word address
  std::array<uint32_t, 11> counter_{};
  Ports cong_local_, cong_global_, busy_local_, busy_global_;
  std::optional<Operation> operation_;
  std::optional<Acknowledge> acknowledge_;
};

}  // namespace odonata::route_compute::oracle
