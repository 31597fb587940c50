// SPDX-License-Identifier: Apache-2.0
// What has to be seen of route compute before a campaign counts as complete. Bins follow docs/route_compute.md §3 to
// §5.
#pragma once

#include "models/route_compute/unit.h"
#include "tb/harness/coverage.h"

namespace odonata::cosim {

/// Samples the golden unit after every cycle. Array increments only, nothing is allocated: 20 to 25 ns a response.
class RouteComputeCoverage {
 public:
  /// In long campaigns `stride` > 1 looks at every stride-th response only; operations, resets and timing are always
  /// sampled.
  explicit RouteComputeCoverage(const Dragonfly& d, int stride = 1);
  /// Call once a cycle, after `unit` has stepped with `in`.
  void sample(const route_compute::UnitInputs& in, const route_compute::Unit& unit);
  const Coverage& coverage() const { return bins_; }
  Coverage& coverage() { return bins_; }

 private:
  using UnitInputs = route_compute::UnitInputs;
  using Unit = route_compute::Unit;
  using Record = route_compute::Unit::Record;
  /// An operation between its handshake and its acknowledgement.
  struct Operation {
    bool write = false;
    PortClass port_class = PortClass::node;  // when it was judged
    bool absolute = false;
    uint32_t address = 0;
    uint64_t data = 0;
    uint64_t taken = 0;  // cycle
  };
  struct Written {  // the last executed write of a table
    int index = -1;
    uint64_t cycle = 0;
  };

  void declare_decisions();
  void declare_rta();
  void declare_rtb();
  void declare_configuration();
  void declare_reset();

  void sample_reset(const UnitInputs& in, const Unit& unit);
  void sample_operations(const UnitInputs& in, const Unit& unit);
  void acknowledge(const Operation& op, bool refused, uint64_t rdata);
  void executed_write(const Operation& op);
  void sample_refused(const Operation& op);
  void sample_response(const Record& record);
  void sample_rta(const Record& record);
  void sample_minimal(const Record& record);
  void sample_remote_winner(const Record& record);
  void sample_rtb(const Record& record);
  void sample_fresh(const Record& record);
  void sample_rule(const Record& record);
  GroupMap chosen_ports(const Record& r) const;
  void hit_pick(int pick, int chosen, uint64_t requests);
  int options_rta(const route_compute::Entries& entries) const;
  int target_of(const Operation& op) const;
  int refusal_of(const Operation& op) const;
  int hole_of(uint32_t word_address) const;

  Dragonfly d_;
  int stride_;
  int skipped_ = 0;
  Coverage bins_;
  route_compute::UnitConfig config_;  // as it was before the present cycle's edge
  uint64_t cycle_ = 0;
  uint32_t history_ = 0;  // valid responses of the last cycles
  uint32_t probe_ = 0;    // pins after the last edge
  bool ready_ = true;
  bool reset_ = false;
  bool responded_ = false;
  int last_winner_ = -1;  // remote winner of the response in the last cycle
  std::array<Operation, 4> operations_;
  uint32_t taken_ = 0, acknowledged_ = 0;
  Written written_a_, written_b_, written_c_;
  GroupMap all_global_;

  struct {  // first bins of the groups
    int unit, decision, vc, outside, rule, window;
    int winner, free_classes, minimal, minimal_port, own_port, remote_router, table_c, table_c_byte, forms_a, forms_b,
        extremes;
    int free_local, options_local, filter;
    int output, entry, pick;
    int operation, wait, refused, hole, counter, fresh, fresh_c, class_change, arrangement_change, in_traffic;
    int reset;
  } at_;
};

}  // namespace odonata::cosim
