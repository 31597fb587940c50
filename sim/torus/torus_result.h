// SPDX-License-Identifier: Apache-2.0
// The torus in the commands `route`, `deadlock` and `fault`: their options, results as JSON and in words.
#pragma once

#include <string>
#include <vector>

#include "models/torus/dependency.h"
#include "sim/common/command.h"
#include "sim/common/output.h"

namespace odonata::cli {

/// --torus and what goes with it; empty `torus`: the command is about something else.
struct TorusOptions {
  std::string torus;
  std::string rule = "any";
  std::string routing = "safe6_ring";
  std::vector<std::string> fail;  ///< node:X,Y or link:X,Y,x+, several with ';' between
  bool all_sets = false;          ///< deadlock: every set of faulty nodes
  bool to_disabled = false;       ///< deadlock: packets for disabled nodes, too

  bool given() const { return !torus.empty(); }
  /// The regions of the faults; throws Error when an option is wrong or no node is left healthy.
  torus::FaultMap map() const;
};
/// Adds --torus and --rule; returns --torus, which the other options need.
Option add_torus_options(Command& command, TorusOptions& options);
/// All of the torus in `route`: these and --routing; returns --torus. --fail belongs to the command.
Option add_torus_route_options(Command& command, TorusOptions& options);
/// All of the torus in `deadlock`: the same, --all-sets, --to-disabled.
void add_torus_deadlock_options(Command& command, TorusOptions& options);

/// What every result starts with.
Json torus_head(std::string_view command, const TorusOptions& options, const torus::FaultMap& map);

/// The way of one packet: `outcome`, `links`, `hops`, `end`. Throws Error when source or destination is disabled.
Json torus_route(const torus::FaultMap& map, torus::Variant variant, int from, int to);
/// The dependency graph and who is served: `channels`, `dependencies`, `acyclic`, `cycle`, `pairs`, `lost_pairs`,
/// `unreachable_pairs`.
Json torus_deadlock(const torus::FaultMap& map, torus::Variant variant, torus::Destinations destinations);
/// The same, summed over every set of faulty nodes through its closure: `sets`, `cyclic_sets`, `incomplete_sets`, ...
Json torus_deadlock_all_sets(const Torus& torus, torus::Rule rule, torus::Variant variant,
                             torus::Destinations destinations);
/// The regions and how the distributed units come to them: `rounds`, `marked_in_round`, `regions`, `walls`, `healthy`,
/// `cycles`, `last_change`. Two dimensions.
Json torus_fault(const torus::FaultMap& map, const torus::Faults& faults);

/// The commands: print the result, write it to a file (empty: none), finish with 1 when what is checked does not hold.
void run_torus_route(const TorusOptions& options, const std::string& from, const std::string& to,
                     const std::string& json);
void run_torus_deadlock(const TorusOptions& options, const std::string& json);
void run_torus_fault(const TorusOptions& options, const std::string& json);

}  // namespace odonata::cli
