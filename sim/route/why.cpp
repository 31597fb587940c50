// SPDX-License-Identifier: Apache-2.0
#include "sim/route/why.h"

#include <fmt/format.h>

#include <bit>

namespace odonata::cli {

using route_compute::Congestion;
using route_compute::DecisionRecord;
using route_compute::Hop;
using route_compute::HopClass;
using route_compute::NetworkTables;
using route_compute::Outcome;
using route_compute::Path;
using route_compute::port_name;
using route_compute::UnitConfig;

std::string router_name(RouterId router) { return fmt::format("g{}.r{}", router.gid, router.bid); }

const char* to_string(Outcome outcome) {
  constexpr const char* kNames[] = {"delivered", "unroutable", "too_long", "lost_on_failed_link"};
  return kNames[static_cast<int>(outcome)];
}

std::vector<RouterId> minimal_routers(const Dragonfly& d, const Address& from, const Address& to) {
  std::vector<RouterId> out{from.router()};
  const auto visit = [&out](RouterId next) {
    if (!(out.back() == next)) out.push_back(next);
  };
  if (from.gid != to.gid) {
    visit({from.gid, d.attached_router(from.gid, to.gid)});
    visit({to.gid, d.attached_router(to.gid, from.gid)});
  }
  visit(to.router());
  return out;
}

std::string minimal_shape(const Dragonfly& d, const Address& from, const Address& to) {
  const std::vector<RouterId> routers = minimal_routers(d, from, to);
  std::string out;
  for (size_t i = 1; i < routers.size(); ++i) {
    out += out.empty() ? "" : "-";
    out += routers[i].gid == routers[i - 1].gid ? 'L' : 'G';
  }
  return out;
}

bool is_minimal(const Dragonfly& d, const Path& path, const Address& from, const Address& to) {
  return path.outcome == Outcome::delivered &&
         path.links() + 1 == static_cast<int>(minimal_routers(d, from, to).size());
}

namespace {

/// Why the minimal candidates that are options are not free.
std::string minimal_blocked(const UnitConfig& config, const DecisionRecord& r) {
  const Dragonfly& d = config.dragonfly();
  std::vector<std::string> parts;
  for (int j = 0; j < d.group_ports(); ++j) {
    if (!r.global_options.ga.test(j) || r.global_free.ga.test(j)) continue;
    const int router = j / d.h();
    const bool own = router == config.own().bid;
    std::string cause = r.congestion.global.test(j) ? "is congested in the group's map" : "";
    if (own && (r.congestion.local >> d.global_port(j % d.h()) & 1) != 0) cause = "is congested here at this router";
    if (!own && (config.ports_c(router) & ~r.congestion.local) == 0) {
      cause += fmt::format("{}cannot be reached because every local port to router {} is congested",
                           cause.empty() ? "" : " and ", router);
    }
    parts.push_back(fmt::format("global port {} of router {} (to group {}) {}", d.global_port(j % d.h()), router,
                                d.group_of_port(config.own().gid, j), cause));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string ports(const UnitConfig& config, PortMap map) {
  std::vector<std::string> parts;
  for (; map != 0; map &= map - 1) {
    parts.push_back(port_name(config.dragonfly(), config.own(), std::countr_zero(map)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

const char* class_meaning(HopClass hop_class) {
  constexpr const char* kMeaning[] = {"",
                                      "minimal, 3 hops",
                                      "own global port and a shortcut at the destination, 3 hops",
                                      "own global port or a shortcut at the destination, 4 hops",
                                      "any other intermediate group, 5 hops",
                                      "",
                                      "",
                                      ""};
  return kMeaning[static_cast<int>(hop_class)];
}

std::string why_rta(const UnitConfig& config, const DecisionRecord& r) {
  const HopClass hop_class = r.decision.hop_class;
  if (hop_class == HopClass::ga) return "the minimal global port was free (class GA)";
  const std::string minimal = r.global_options.ga.any() ? "the minimal " + minimal_blocked(config, r)
                                                        : "the tables hold no minimal option (it has failed)";
  if (hop_class == HopClass::fallback) {
    return minimal + ", and so is every other candidate; with nothing free, one of all valid options is drawn";
  }
  const GroupMap free[] = {r.global_free.ga, r.global_free.gb, r.global_free.gc, r.global_free.gd};
  return fmt::format("{}; the lowest class with a free candidate was {} ({}), with {} to choose from", minimal,
                     to_string(hop_class), class_meaning(hop_class), free[static_cast<int>(hop_class) - 1].count());
}

std::string why_rtb(const UnitConfig& config, const DecisionRecord& r) {
  if (r.decision.hop_class == HopClass::le) return "table A leads on along the minimal path (class LE)";
  const bool fallback = r.decision.hop_class == HopClass::fallback;
  const std::string first = r.local_options_a == 0
                                ? "table A has no option here"
                                : fmt::format("{} (table A) is congested", ports(config, r.local_options_a));
  if (fallback)
    return fmt::format("{}, and {}; with nothing free, one of all valid options is drawn", first,
                       r.local_options_a == 0 ? "everything in table B is congested" : "so is everything in table B");
  return fmt::format("{}, so table B serves (class LF), with {} free to choose from", first,
                     std::popcount(r.local_free.s2));
}

/// The intermediate group of a path, or -1.
int intermediate_group(const Path& path, const Address& from, const Address& to) {
  for (const Hop& hop : path.hops) {
    if (hop.router.gid != from.gid && hop.router.gid != to.gid) return hop.router.gid;
  }
  return -1;
}

std::string verdict(const Dragonfly& d, const Path& path, const Address& from, const Address& to) {
  const RouterId last = path.hops.back().router;
  switch (path.outcome) {
    case Outcome::unroutable:
      return fmt::format("The packet was dropped at {}: no valid option was left.", router_name(last));
    case Outcome::lost_on_failed_link:
      return fmt::format("The packet was lost on a failed link of {}.", router_name(last));
    case Outcome::too_long:
      return "The packet wandered longer than any valid path.";
    default:
      break;
  }
  if (path.links() == 0) return "The packet stayed in its router: source and destination are neighbours at one router.";
  const std::string shape = path.shape(d), minimal = minimal_shape(d, from, to);
  if (is_minimal(d, path, from, to)) {
    const int via = intermediate_group(path, from, to);
    if (via < 0)
      return fmt::format("The packet took a minimal path: {} ({} link{}).", shape, path.links(),
                         path.links() == 1 ? "" : "s");
  }
  const int via = intermediate_group(path, from, to);
  return fmt::format("The packet went non-minimal{}: {} ({} links); the minimal path is {} ({} link{}).",
                     via < 0 ? "" : fmt::format(" through group {}", via), shape, path.links(), minimal,
                     (minimal.size() + 1) / 2, minimal.size() == 1 ? "" : "s");
}

}  // namespace

std::string why_hop(const UnitConfig& config, const Hop& hop) {
  const DecisionRecord& r = hop.record;
  if (r.decision.hop_class == HopClass::unroutable) {
    const bool any = r.decoded.rta ? r.global_options.any.any() : (r.local_options_a | r.local_options_b) != 0;
    return any ? "every option would need a fifth virtual channel" : "the tables hold no option for this destination";
  }
  if (r.decoded.zone == table::Zone::node) return "this is the destination's router";
  return r.decoded.rta ? why_rta(config, r) : why_rtb(config, r);
}

std::vector<std::string> why_path(NetworkTables& network, const Path& path, const Address& from, const Address& to) {
  std::vector<std::string> out{verdict(network.dragonfly(), path, from, to)};
  for (const Hop& hop : path.hops) {
    const HopClass hop_class = hop.record.decision.hop_class;
    if (hop_class == HopClass::le || hop.record.decoded.zone == table::Zone::node) continue;
    out.push_back(
        fmt::format("At {}: {}.", router_name(hop.router), why_hop(network.config(hop.router, hop.in_port), hop)));
  }
  return out;
}

}  // namespace odonata::cli
