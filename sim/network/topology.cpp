// SPDX-License-Identifier: Apache-2.0
#include "sim/network/topology.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/common/error.h"
#include "models/common/joined.h"

namespace odonata::network {

std::string Topology::identity(const Config&) const { return name(); }

bool Topology::has(ParameterGroup) const { return false; }

std::vector<fault::Fault> Topology::parse_faults(std::string_view, Random&, const std::vector<fault::Fault>&) const {
  throw Error("--fail and --repair: a " + kind() + " has no fault planes");
}

std::string Topology::fault_name(const fault::Fault&) const {
  throw std::logic_error("a fault where nothing can fail");
}

void register_topology(TopologyKind kind, std::vector<TopologyKind>& all) {
  if (std::any_of(all.begin(), all.end(), [&kind](const TopologyKind& k) { return k.name == kind.name; }))
    throw Error("topology '" + kind.name + "' is there already");
  all.push_back(std::move(kind));
}

std::shared_ptr<const Topology> make_topology(const std::string& text) {
  const size_t colon = text.find(':');
  for (const TopologyKind& k : known_topologies())
    if (colon != std::string::npos && text.substr(0, colon) == k.name && k.parse != nullptr)
      return k.parse(text.substr(colon + 1));
  const auto form = [](const TopologyKind& k) { return (k.parse != nullptr ? k.name + ":" : "") + k.argument; };
  throw Error("topology '" + text + "' is unknown, expected " + joined(known_topologies(), form));
}

}  // namespace odonata::network
