// SPDX-License-Identifier: Apache-2.0
#include "models/route_compute/explain.h"

namespace odonata::route_compute {

using table::Zone;

DecisionRecord explain(const UnitConfig& config, const Request& request, const Entries& entries,
                       const Congestion& congestion, uint16_t lfsr) {
  DecisionRecord r;
  r.request = request;
  r.decoded = decode(config, request);
  r.congestion = congestion;
  if (r.decoded.rta) {
    const GroupMap min = unit_a1(config, entries.a), nonmin = unit_a2(config, entries.b, min);
    r.global_options = unit_b(config, request.dest, min, nonmin, min | nonmin);
    r.global_free = stage3_rta(config, request.dest, entries, congestion);
    r.decision = stage4_rta(config, r.global_free, congestion.local, request.vc, lfsr);
  } else {
    r.local_options_a = entries.a & config.all_ports();
    r.local_options_b = entries.b & unit_f(config, r.decoded);
    r.local_free = stage3_rtb(config, r.decoded, entries, congestion);
    r.decision = stage4_rtb(config, r.local_free, request.vc, lfsr);
  }
  return r;
}

std::string port_name(const Dragonfly& d, RouterId own, int port) {
  const std::string number = std::to_string(port);
  switch (d.port_class(port)) {
    case PortClass::node:
      return "node port " + number;
    case PortClass::local:
      return "local port " + number + " to router " + std::to_string(d.neighbour(own.bid, port));
    default:
      break;
  }
  const int group = d.group_of_port(own.gid, own.bid * d.h() + port - d.first_global());
  return "global port " + number + (group < 0 ? " (not cabled)" : " to group " + std::to_string(group));
}

namespace {

std::string address(const Address& a) {
  return "group " + std::to_string(a.gid) + ", router " + std::to_string(a.bid) + ", node " + std::to_string(a.nid);
}

std::string list_groups(const UnitConfig& config, const GroupMap& ports) {
  constexpr int kShown = 12;
  const Dragonfly& d = config.dragonfly();
  std::string out;
  int shown = 0;
  for (int j = 0; j < d.group_ports(); ++j) {
    if (!ports.test(j)) continue;
    if (++shown > kShown) return out + ", ... (" + std::to_string(ports.count()) + " in all)";
    out += (out.empty() ? "" : ", ") + std::to_string(j) + " (router " + std::to_string(j / d.h()) + " to group " +
           std::to_string(d.group_of_port(config.own().gid, j)) + ")";
  }
  return out.empty() ? "none" : out;
}

std::string list_ports(const UnitConfig& config, PortMap ports) {
  std::string out;
  for (; ports != 0; ports &= ports - 1) {
    out += (out.empty() ? "" : ", ") + port_name(config.dragonfly(), config.own(), std::countr_zero(ports));
  }
  return out.empty() ? "none" : out;
}

void global_words(const UnitConfig& config, const DecisionRecord& r, std::vector<std::string>& out) {
  struct Row {
    const char* text;
    const GroupMap &options, &free;
  };
  const Row rows[] = {
      {"GA minimal, 3 hops", r.global_options.ga, r.global_free.ga},
      {"GB own port and shortcut at the destination, 3 hops", r.global_options.gb, r.global_free.gb},
      {"GC own port or shortcut at the destination, 4 hops", r.global_options.gc, r.global_free.gc},
      {"GD any other intermediate group, 5 hops", r.global_options.gd, r.global_free.gd},
  };
  for (const Row& row : rows) {
    out.push_back(std::string(row.text) + ": " + list_groups(config, row.options) + "; free: " +
                  (row.free == row.options && row.options.any() ? "all of them" : list_groups(config, row.free)));
  }
}

std::string winner_words(const UnitConfig& config, const DecisionRecord& r) {
  const Decision& won = r.decision;
  if (won.hop_class == HopClass::unroutable) return "No valid option: the packet is unroutable and is dropped.";
  const bool minimal = r.decoded.rta ? config.rule().minimal_global && r.global_options.ga.any()
                                     : config.rule().minimal_local && r.local_options_a != 0;
  std::string out = won.hop_class != HopClass::fallback
                        ? std::string("Lowest class with a free candidate is ") + to_string(won.hop_class) + ": "
                    : minimal ? "Everything is congested: a minimal option is taken: "
                              : "Everything is congested: one of all valid options is taken at random: ";
  if (r.decoded.rta) out += "router " + std::to_string(won.router) + ", through ";
  return out + port_name(config.dragonfly(), config.own(), won.port) + ", virtual channel " + std::to_string(won.vc) +
         ".";
}

}  // namespace

std::vector<std::string> in_words(const UnitConfig& config, const DecisionRecord& r) {
  constexpr const char* kZones[] = {"N (own router)", "B (own group)", "G (other group)",
                                    "invalid (outside the network)"};
  std::vector<std::string> out;
  out.push_back("Destination " + address(r.request.dest) + " seen from group " + std::to_string(config.own().gid) +
                ", router " + std::to_string(config.own().bid) + " at a " +
                std::string(to_string(config.port_class())) + " port: zone " +
                kZones[static_cast<int>(r.decoded.zone)] + ", unit " + (r.decoded.rta ? "RTA" : "RTB") + ".");
  if (r.decoded.rta) {
    global_words(config, r, out);
  } else {
    out.push_back("LE table A: " + list_ports(config, r.local_options_a) +
                  "; free: " + list_ports(config, r.local_free.s1));
    std::string filter;
    if (r.decoded.zone == Zone::global)
      filter = r.decoded.transit ? ", in transit: local ports only" : ", in the source group: global ports only";
    out.push_back("LF table B" + filter + ": " + list_ports(config, r.local_options_b) +
                  "; free: " + list_ports(config, r.local_free.s2));
  }
  out.push_back(winner_words(config, r));
  return out;
}

}  // namespace odonata::route_compute
