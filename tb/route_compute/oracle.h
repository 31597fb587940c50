// SPDX-License-Identifier: Apache-2.0
// A second, slow version of the route computation for the tests: DOAR Algorithm 1 line by line on sets of port numbers.
// Written from the paper and docs/route_compute.md only; it shares no code with models/route_compute beyond plain data
// types.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <set>
#include <string>
#include <vector>

#include "models/route_compute/decide.h"

namespace odonata::route_compute::oracle {

using Ports = std::set<int>;

/// Everything that one decision depends on.
struct Situation {
  DragonflySize size;
  bool absolute = false;
  RouterId own;
  PortClass port_class = PortClass::node;
  std::vector<uint64_t> table_c;  ///< a words
  Request request;
  uint64_t entry_a = 0, entry_b = 0;  ///< what is stored where the request looks
  Ports cong_local, cong_global;      ///< physical ports; group-wide ports
  uint16_t lfsr = 1;
  Ports busy_local, busy_global;  ///< by the second threshold
  Rule rule;
};
std::ostream& operator<<(std::ostream& out, const Situation& situation);

/// The decision and all sets on the way to it.
struct Answer {
  char zone = '?';  ///< N, B, G or '-' (invalid)
  bool rta = false, transit = false;
  Ports ga, gb, gc, gd;  ///< RTA: free candidates by hop class
  Ports s1, s2;          ///< RTB: free options of tables A and B
  Ports any;             ///< options when nothing is free: group-wide ports (RTA) or physical ports (RTB)
  Decision decision;
};

Answer answer(const Situation& situation);

}  // namespace odonata::route_compute::oracle
