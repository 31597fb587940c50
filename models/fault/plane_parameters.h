// SPDX-License-Identifier: Apache-2.0
// Parameters of the fault planes of a network: timing, ordering rules, modes (docs/fault.md §5 to §7).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/fault/link.h"
#include "models/fault/types.h"
#include "models/table/configuration.h"

namespace odonata::fault {

/// Structure of the scheduler, the ring and the units (cycles of the router clock unless said otherwise).
struct Timing {
  bool ideal =
      false;  ///< true: constant service times, messages leave when the service ends (the arithmetic of DOAR §4.2)
  int64_t ideal_local = 1300;     ///< t_ld
  int64_t ideal_message = 100;    ///< t_gd
  int64_t ideal_recovery = 2000;  ///< t_r
  int stations = 64;              ///< ports of the router hardware: length of the poll round and of the ring
  int poll_width = 1;             ///< input queues looked at in a cycle
  int ring_hop = 1;               ///< cycles from one station of the command ring to the next
  int base_b = 16;                ///< first hardware entry of zone B; zone N starts at 0
  int base_g = 48;                ///< first hardware entry of zone G
  int entries = 560;              ///< et_num: entries that a travel walks
  int banks = 1;                  ///< entries a step of a travel (beyond the paper)
  bool pipelined = false;         ///< fetch the next command while the units work (beyond the paper)
  int local_latency = 10;         ///< link latency
  int global_latency = 100;
  double load = 0;    ///< probability that route compute takes a port's table RAM in a cycle
  uint64_t seed = 1;  ///< of the route traffic

  /// The entries and stations of a router built for just this dragonfly (the SystemC and RTL of size tiny).
  static Timing native(const Dragonfly& d);
  /// The router that `hardware` names: "full" (64 stations, 560 rows, whatever the dragonfly), "native", or
  /// "STATIONS,ROWS" (zones without gaps, unused rows last; "64,560" is full). Throws Error "'...' ..., expected ...".
  static Timing of(const Dragonfly& d, std::string_view hardware);

  int steps() const { return (entries + banks - 1) / banks; }  ///< of a travel
  /// Cycles from the first look of a poll to the one that hits, both included: the mean over all positions of the
  /// pointer.
  double mean_poll() const;
  /// Cycles from the look that finds a command to the next possible one, of a router with so many ports: until the
  /// command is through the ring and through the last port unit, which it keeps busy for `work` cycles.
  int64_t service(int ports, int64_t work) const;
};
/// "64 stations, 560 rows, poll width 1, ring hop 1, 1 bank, one command at a time, load 0"
std::string to_string(const Timing& timing);

/// Whether route compute has the table RAM of a port in a cycle: the route traffic of timing.load, the same for every
/// model.
bool route_reads(const Timing& timing, int router, int port, int64_t cycle);

/// The ordering rules of docs/fault.md §6; switched off only to show what breaks.
struct OrderingRules {
  bool one_fifo = true;     ///< FD and FR of an input port share one FIFO
  bool event_first = true;  ///< a port's link event is served before its messages
  bool end_marks = true;    ///< recovery per_entry: a repaired port serves only when its neighbour has said everything
};

/// What a network of fault planes is built from.
struct Parameters {
  Mode mode = Mode::safe;
  Recovery recovery = Recovery::per_entry;
  Timing timing;
  OrderingRules rules;
  table::ConfigurationPolicy policy;
  LinkLevel link;
  /// Whether repaired ports wait for the end mark.
  bool waits_for_end_mark() const { return rules.end_marks && recovery == Recovery::per_entry; }
  bool record = false;  ///< keep every service and message (timeline page, trace)
  /// By group, not 0: its planes are part of this network; empty: all. Then FaultPlaneNetwork::take_leaving() says what
  /// goes to the others. Not with the link level; counts by port, and what the neighbours in other groups know, are not
  /// kept.
  std::vector<uint8_t> groups;
};

}  // namespace odonata::fault
