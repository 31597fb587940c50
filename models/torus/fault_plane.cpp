// SPDX-License-Identifier: Apache-2.0
#include "models/torus/fault_plane.h"

#include <algorithm>
#include <tuple>

namespace odonata::torus {

FaultPlane::FaultPlane(const Torus& torus, Rule rule)
    : rule_(rule),
      dead_(static_cast<size_t>(torus.nodes())),
      fail_link_(dead_.size()),
      region_(dead_.size()),
      side_(dead_.size(), SideUnit(torus)) {
  for (int n = 0; n < torus.nodes(); ++n) {
    wall_.emplace_back(torus);
    at_.push_back({static_cast<uint8_t>(torus.coordinate(n, 0)), static_cast<uint8_t>(torus.coordinate(n, 1))});
    for (int p = 0; p < kLinkPorts; ++p) peer_.push_back(torus.neighbour(n, p));
  }
  for (std::vector<int64_t>* last : {&last_mark_, &last_wall_, &last_side_, &last_view_, &last_side_view_})
    last->resize(dead_.size());
}

void FaultPlane::fail(const Faults& faults) {
  for (const int n : faults.nodes) dead_[static_cast<size_t>(n)] = true;
  for (const Link& l : faults.links) {
    fail_link_[static_cast<size_t>(l.node)] |= static_cast<uint8_t>(1 << 2 * l.dimension);
    fail_link_[static_cast<size_t>(peer(l.node, 2 * l.dimension))] |= static_cast<uint8_t>(2 << 2 * l.dimension);
  }
}

RegionInputs FaultPlane::region_inputs(int node) const {
  RegionInputs in;
  in.rule = rule_ == Rule::kDim;
  in.fail_link = fail_link_[static_cast<size_t>(node)];
  for (int p = 0; p < kLinkPorts; ++p) {
    const size_t m = static_cast<size_t>(peer(node, p));
    if (dead_[m] || region_before_[m].out().bad) in.peer_bad |= static_cast<uint8_t>(1 << p);
  }
  return in;
}

WallInputs FaultPlane::wall_inputs(int node) const {
  WallInputs in;
  std::tie(in.at_x, in.at_y) = at_[static_cast<size_t>(node)];
  in.blocked = region_before_[static_cast<size_t>(node)].out().blocked;
  for (int p = 0; p < kLinkPorts; ++p) {
    const size_t i = static_cast<size_t>(p), m = static_cast<size_t>(peer(node, p));
    if (dead_[m]) continue;  // reads as 0, and the port is blocked
    in.peer_wall_x[i] = wall_before_[m].out().wall_x;
    in.peer_wall_y[i] = wall_before_[m].out().wall_y;
  }
  for (size_t p = 0; p < kLinkPorts; ++p) {  // runs of x ports come along y, those of y ports along x
    const size_t m = static_cast<size_t>(peer(node, p < 2 ? 3 : 1));
    if (!dead_[m]) in.run[p] = wall_before_[m].out().run[p];
  }
  return in;
}

SideInputs FaultPlane::side_inputs(int node) const {
  SideInputs in;
  in.blocked = region_before_[static_cast<size_t>(node)].out().blocked;
  in.run = wall_before_[static_cast<size_t>(node)].out().run;
  for (size_t p = 0; p < kLinkPorts; ++p) {
    const size_t m = static_cast<size_t>(peer(node, p < 2 ? 2 : 0));
    if (!dead_[m]) in.peer_run[p] = side_before_[m].out().run[p];
  }
  return in;
}

void FaultPlane::step() {
  ++cycle_;
  region_before_ = region_;
  wall_before_ = wall_;
  side_before_ = side_;
  for (size_t n = 0; n < dead_.size(); ++n) {
    if (dead_[n]) continue;
    const int node = static_cast<int>(n);
    region_[n].step(region_inputs(node));
    wall_[n].step(wall_inputs(node));
    side_[n].step(side_inputs(node));
    if (region_[n].out().changed) last_mark_[n] = cycle_;
    if (wall_[n].out() != wall_before_[n].out()) last_wall_[n] = cycle_;
    if (side_[n].out() != side_before_[n].out()) last_side_[n] = cycle_;
    const WallOutputs &walls = wall_[n].out(), &before = wall_before_[n].out();
    if (region_[n].out().blocked != region_before_[n].out().blocked || walls.wall_x != before.wall_x ||
        walls.wall_y != before.wall_y)
      last_view_[n] = cycle_;
    if (side_[n].out().sides != side_before_[n].out().sides) last_side_view_[n] = cycle_;
  }
}

int64_t FaultPlane::settle() {
  const auto last = [&] {
    int64_t at = 0;
    for (const std::vector<int64_t>* each : {&last_mark_, &last_wall_, &last_side_})
      at = std::max(at, *std::max_element(each->begin(), each->end()));
    return at;
  };
  do step();
  while (last() == cycle_);
  return last();
}

}  // namespace odonata::torus
