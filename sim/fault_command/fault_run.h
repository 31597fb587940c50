// SPDX-License-Identifier: Apache-2.0
// One run of the network of fault planes: options, the run itself, and what is reported.
#pragma once

#include <string>
#include <vector>

#include "models/fault/critical_chain.h"
#include "models/fault/fault_name.h"
#include "models/fault/verify.h"
#include "sim/common/options.h"
#include "sim/common/output.h"
#include "sim/fault_command/fault_hardware.h"
#include "sim/fault_command/router_options.h"

namespace odonata::cli {

struct FaultOptions {
  DragonflyOptions dragonfly;
  std::vector<std::string> fail, repair;
  std::string mode = "safe", recovery = "per_entry", device = "golden", device_at, json, html, trace;
  RouterOptions router;
  uint64_t at = 0, seed = 1, local_latency = 10, global_latency = 100;
  uint64_t ideal_local = 1300, ideal_message = 100, ideal_recovery = 2000;
  double load = 0, clock_ghz = 0, corrupt = 0;
  bool ideal = false, immediate_mask = false, verify = false, link_level = false;
};

/// A fault with the cycle in which it happens or ends; -1: once the network is quiet.
struct TimedFault {
  fault::Fault fault;
  int64_t cycle = -1;
  int incident = -1;  ///< number in the network
};

/// What became of one fault. Cycles after its failure, those of the recovery after its repair; -1: it did not happen.
struct FaultRecord {
  TimedFault fail;
  int64_t repaired = -1;  ///< cycle of the repair
  int64_t detected = -1, local_done = -1, last_fd = -1, diagnosis_done = -1, last_write = -1, recovery_done = -1,
          recovery_write = -1;
  int64_t exposure = -1;  ///< cycles in which tables of live routers still name the dead port
};

class FaultRun {
 public:
  /// Reads all names and builds the network. Throws Error.
  explicit FaultRun(const FaultOptions& options);
  /// Runs the diagnosis, checks it, then runs the recovery if one is wanted.
  void run();
  void print() const;
  Json json() const;
  std::string chrome_trace() const;  ///< for Perfetto or chrome://tracing
  /// Whether every check that was made passed.
  bool good() const { return good_; }

 private:
  struct Result {
    fault::Statistics statistics;
    int64_t start = 0;  ///< first fault or repair of this part
    uint64_t invalid_options = 0, table_hash = 0;
    double seconds = 0;
  };
  std::vector<TimedFault> parse(const std::vector<std::string>& names, const char* option, int64_t default_cycle,
                                const std::vector<fault::Fault>& all);
  fault::Parameters parameters() const;
  double waits_for_ram(int accesses) const;
  double mean_message_service() const;
  int64_t local_service() const;
  int64_t estimate() const;
  std::vector<FaultRecord> records() const;
  int64_t first_repair() const;
  fault::Phases phases() const;
  void print_phases() const;
  void print_records() const;
  void print_chain() const;
  void print_link_level() const;
  void print_verify() const;
  Json phases_json() const;
  Json records_json() const;
  std::vector<std::string> why_not_the_estimate() const;
  void check();
  void finish(Result& result);
  void run_hardware();
  int device_router() const;
  void print_paths() const;
  void print_hardware() const;
  std::string cell(int64_t cycles) const;
  Json part_json(const Result& r) const;
  Json messages_json(const Result& r) const;
  void add_report(Json& out) const;
  std::string named_faults() const;
  Json spread() const;
  Json map() const;
  Json paths_section() const;
  std::vector<int64_t> service_starts() const;
  Json path_table() const;

  FaultOptions options_;
  Dragonfly d_;
  Random random_;
  std::vector<TimedFault> fails_, repairs_;
  fault::FaultPlaneNetwork network_;
  Result diagnosis_, recovery_;
  fault::CriticalChain chain_;  ///< to the last write of the diagnosis; empty when the services were not recorded
  bool recovered_ = false, good_ = true;
  std::string closed_form_;  ///< first difference, empty: equal
  fault::VerifyReport verify_;
  int stride_ = 1;
  Json paths_;
  HardwareResult hardware_;
};

}  // namespace odonata::cli
