// SPDX-License-Identifier: Apache-2.0
// A routing algorithm as a part of the engine: its name, for which topology it is, what it needs and the engine that is
// compiled with it. One file in policies/ holds the policy (policy.h) and registers it (docs/adding.md).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/network/simulation.h"

namespace odonata::network {

struct Parameter;  // parameters.h

struct Routing {
  std::string name;
  std::string topology;  ///< Topology::kind()
  std::string text;
  int vcs = 1;                                    ///< virtual channels that it needs at least ...
  std::string reason = "to be free of deadlock";  ///< ... and why
  std::string order;                              ///< the order of its channels, or what else keeps it free of deadlock
  int (*vcs_of)(const Config&) = nullptr;         ///< as many as it needs on this network, where that is no constant
  bool safe = true;                               ///< false: it deadlocks, and is here to be caught
  std::optional<int> bias;                      ///< Config::bias where the user gives none; without: has no use for it
  bool (*ignores)(const Parameter&) = nullptr;  ///< other parameters of its network that it has no use for
  bool arrival = false, pipeline = false;       ///< can run with RouteCompute::arrival, ::pipeline
  bool faults = false;                          ///< can run with faults at run time and with taps
  void (*check)(const Config&) = nullptr;       ///< refuses what it cannot run, with an Error
  std::unique_ptr<Simulation> (*make)(const Config&) = nullptr;
};

/// All that files in policies/ register, by file name. A name comes more than once when other engines run it with
/// pipeline or faults.
const std::vector<Routing>& known_routings();
/// Adds a routing to a list. Throws Error when no run would choose it, because of one before it, or when its topology
/// is of no kind.
void register_routing(Routing routing, std::vector<Routing>& all);
/// One more, of a program that uses the engine as a library (docs/examples/routing.md); before the first run.
void add_routing(Routing routing);
/// The routing of a run: the first of its name and topology that offers what the configuration asks for. Throws Error.
const Routing& find_routing(const Config& config);
/// The first of the name and topology of a run, whatever the configuration asks for: it says which parameters have a
/// use. Null: there is none.
const Routing* named_routing(const Config& config);
/// The names for a topology, each once, of those that `wanted` picks.
std::vector<std::string> routing_names(const std::string& topology,
                                       const std::function<bool(const Routing&)>& wanted = {});
/// Virtual channels of a run: those given, else as many as its routing needs on this network.
int virtual_channels(const Config& config);
/// Throws Error when routing, virtual channels or traffic do not fit the topology.
void check_parts(const Config& config);

}  // namespace odonata::network
