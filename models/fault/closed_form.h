// SPDX-License-Identifier: Apache-2.0
// What the tables have to be once the fault plane is quiet: the closed form of docs/readings.md §5.9 (mode paper) and
// the rules of mode safe, computed from the state of the links alone. Shares no code with the entries' marks, so it can
// serve as an oracle.
#pragma once

#include <string>
#include <vector>

#include "models/fault/plane_network.h"

namespace odonata::fault {

/// What every table has to hold once all messages have arrived, from the links alone (docs/readings.md §5.9).
class ClosedForm {
 public:
  /// Takes the links as they are in `network` now. `withdraws`: mode safe, FDs about dead routers are taken back.
  explicit ClosedForm(const FaultPlaneNetwork& network, bool withdraws = true);

  /// Level of the way out of port `out` of an entry at input port `in`, for the table that lists it (`table_b`: table
  /// B).
  Level option(int router, EntryId id, int in, int out, bool table_b) const;

  // The terms of docs/readings.md §5.9.
  Level direct(int gid, int to) const { return direct_[at(gid, to)]; }
  /// D(G, s, X): router s as the second router of a detour in intermediate group G.
  Level detour(RouterId s, int to) const { return detour_[at(d_.router_index(s), to)]; }
  /// I(G, r, X): group G entered at r, on the way to X.
  Level intermediate(RouterId r, int to) const { return intermediate_[at(d_.router_index(r), to)]; }
  /// gp(G, r, j, X): the own global port to group j.
  Level global_port(int gid, int group, int to) const;
  /// S(G, s, X): some own global port of s.
  Level source(RouterId s, int to) const { return source_[at(d_.router_index(s), to)]; }
  bool live(RouterId r, int bid) const;  ///< the local link r - bid; true for r itself
  bool live_global(int gid, int to) const;

 private:
  size_t at(int i, int to) const { return static_cast<size_t>(i) * d_.g() + to; }
  Level direct_level(int gid, int to) const;
  Dragonfly d_;
  Mode mode_;
  bool withdraws_;
  std::vector<PortMap> up_;
  std::vector<Level> direct_, detour_, intermediate_, source_;
};

/// Compares every option of every live router of the network, or of its part, with the closed form. Empty when all
/// agree, else the first difference in words. Recovery port_level has no FR about one entry, so whether an FD about a
/// dead router stands depends on whether it was dead at once: an option may have any level between both forms.
std::string compare_with_closed_form(const FaultPlaneNetwork& network);

}  // namespace odonata::fault
