// SPDX-License-Identifier: Apache-2.0
// A topology as a part of the engine: what it is called, how it is cabled, which classes of links and which traffic it
// has. A file pair in topologies/ that also registers it (docs/adding.md).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/common/random.h"
#include "sim/network/config.h"
#include "sim/network/wiring.h"

namespace odonata::network {

enum class ParameterGroup;

class Topology {
 public:
  virtual ~Topology() = default;
  /// What a Routing names: "dragonfly", "mesh", ...
  virtual std::string kind() const = 0;
  /// Of this very network, with its size.
  virtual std::string name() const = 0;
  virtual int nodes() const = 0;
  /// What a checkpoint is of, and the ranks of a run have in common: the name, and what that leaves open.
  virtual std::string identity(const Config& config) const;
  /// Port classes by name with their defaults; first the node ports.
  virtual std::vector<LinkClass> link_classes() const = 0;
  /// What a run is by default: `routing` and `traffic` at least.
  virtual void set_defaults(Config& config) const = 0;
  /// Throws Error when `links` or the lengths of packets do not fit.
  virtual void check(const Config& config) const = 0;
  /// Throws Error when `traffic` is no pattern of this topology.
  virtual void check_traffic(const Config& config) const = 0;
  /// Whether it has what the parameters of a group are about (parameters.h); asked for those that not every network
  /// has.
  virtual bool has(ParameterGroup group) const;
  /// With Config::domains domains, if it has none of its own and can be cut.
  virtual Wiring wire(const Config& config) const = 0;
  /// Domains with which one thread is fastest, of a network that can be cut.
  virtual int domains() const { return 1; }
  /// Links that a packet takes at the very most, if it does not walk in circles: who walks longer is caught (watchdog).
  virtual int longest_way() const { return 64; }
  /// Whether faults of which no cycle is told are there from the start (FaultPlan::standing), not from the first cycle
  /// of the sample.
  virtual bool faults_stand() const { return false; }
  /// Whether links inside a domain are counted window by window too (link_windows.h): not where a picture shows
  /// domains, not their routers.
  virtual bool windows_of_local_links() const { return true; }
  /// The faults that a name means (fault_name.h). Throws Error, where nothing can fail always.
  virtual std::vector<fault::Fault> parse_faults(std::string_view text, Random& random,
                                                 const std::vector<fault::Fault>& taken) const;
  /// The name of such a fault, as parse_faults() reads it.
  virtual std::string fault_name(const fault::Fault& fault) const;
};

/// A kind of topology that `--topology KIND:ARGUMENT` builds.
struct TopologyKind {
  std::string name;
  std::string argument;  ///< what follows the colon, for help: "KxK.."
  std::string text;
  std::shared_ptr<const Topology> (*parse)(const std::string& argument);  ///< null: only a command reads it
};
/// All that files in topologies/ register, by file name, then those added.
const std::vector<TopologyKind>& known_topologies();
/// Adds a kind to a list. Throws Error when a kind of that name is there already.
void register_topology(TopologyKind kind, std::vector<TopologyKind>& all);
/// One more, of a program that uses the engine as a library (docs/examples/topology.md); before its routings are added.
/// Throws Error, also for one that has no `parse`.
void add_topology(TopologyKind kind);
/// From "mesh:8x8". Throws Error.
std::shared_ptr<const Topology> make_topology(const std::string& text);

}  // namespace odonata::network
