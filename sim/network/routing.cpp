// SPDX-License-Identifier: Apache-2.0
#include "sim/network/routing.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/common/error.h"
#include "sim/network/topology.h"

namespace odonata::network {

namespace {

bool has_timing(const Routing& r, const Config& c) {
  if (c.route_compute == RouteCompute::arrival) return r.arrival;
  return c.route_compute == RouteCompute::ideal || r.pipeline;
}

bool offers(const Routing& r, const Config& c) {
  return has_timing(r, c) && ((c.faults.events.empty() && c.taps.empty()) || r.faults);
}

/// "a, b" of those for the topology that `wanted` picks.
std::string list_of(const std::string& topology, const std::function<bool(const Routing&)>& wanted = {}) {
  return fmt::format("{}", fmt::join(routing_names(topology, wanted), ", "));
}

/// Why there is none.
[[noreturn]] void refuse(const Config& c, bool known) {
  const std::string kind = c.topology->kind();
  if (!known) {
    throw Error("routing '" + c.routing + "' is unknown on a " + kind + ", expected one of " + list_of(kind));
  }
  const std::string piped = list_of(kind, [&](const Routing& r) { return has_timing(r, c); });
  const std::string live = list_of(kind, [&](const Routing& r) { return r.faults && has_timing(r, c); });
  const bool timed = std::any_of(known_routings().begin(), known_routings().end(), [&](const Routing& r) {
    return r.name == c.routing && r.topology == kind && has_timing(r, c);
  });
  if (piped.empty() && !list_of(kind, [](const Routing& r) { return r.arrival; }).empty())
    throw Error("--route-compute pipeline: a " + kind + " knows ideal and arrival (docs/crosscheck.md §5)");
  if (piped.empty()) throw Error("network: a " + kind + " has no route-compute pipeline");
  if (!timed) throw Error("routing '" + c.routing + "' has no route-compute pipeline, expected " + piped);
  if (live.empty()) throw Error("network: a " + kind + " has no tables that faults change or taps watch");
  throw Error("routing '" + c.routing + "' has no tables that faults change or taps watch, expected " + live);
}

}  // namespace

void register_routing(Routing routing, std::vector<Routing>& all) {
  const auto is_kind = [&](const TopologyKind& k) { return k.name == routing.topology; };
  if (std::none_of(known_topologies().begin(), known_topologies().end(), is_kind))
    throw Error("routing '" + routing.name + "' is for a '" + routing.topology + "', which is no kind of topology");
  if (!routing.make) throw Error("routing '" + routing.name + "' makes no engine, expected .make");
  const auto hides = [&routing](const Routing& r) {
    return r.name == routing.name && r.topology == routing.topology && r.arrival >= routing.arrival &&
           r.pipeline >= routing.pipeline && r.faults >= routing.faults;
  };
  if (std::any_of(all.begin(), all.end(), hides))
    throw Error("routing '" + routing.name + "' of a " + routing.topology + " is there already");
  all.push_back(std::move(routing));
}

const Routing& find_routing(const Config& config) {
  bool known = false;
  for (const Routing& r : known_routings()) {
    if (r.name != config.routing || r.topology != config.topology->kind()) continue;
    if (offers(r, config)) return r;
    known = true;
  }
  refuse(config, known);
}

const Routing* named_routing(const Config& config) {
  for (const Routing& r : known_routings()) {
    if (r.name == config.routing && r.topology == config.topology->kind()) return &r;
  }
  return nullptr;
}

std::vector<std::string> routing_names(const std::string& topology, const std::function<bool(const Routing&)>& wanted) {
  std::vector<std::string> out;
  for (const Routing& r : known_routings()) {
    if (r.topology != topology || (wanted && !wanted(r)) || std::find(out.begin(), out.end(), r.name) != out.end())
      continue;
    out.push_back(r.name);
  }
  return out;
}

int virtual_channels(const Config& config) {
  if (config.router.vcs != 0) return config.router.vcs;
  const Routing& routing = find_routing(config);
  return routing.vcs_of != nullptr ? routing.vcs_of(config) : routing.vcs;
}

void check_parts(const Config& config) {
  const Routing& routing = find_routing(config);
  if (config.router.vcs != 0 && config.router.vcs < routing.vcs) {
    throw Error("routing '" + routing.name + "' needs " + std::to_string(routing.vcs) + " virtual channels " +
                routing.reason + ", --vcs gives " + std::to_string(config.router.vcs));
  }
  if (!config.trace) config.topology->check_traffic(config);
  if (routing.check != nullptr) routing.check(config);
}

}  // namespace odonata::network
