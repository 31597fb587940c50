// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/port_stream.h"

#include <algorithm>

namespace odonata::traffic {

namespace {

int draw_in(NodeRange range, Random& random) {
  return range.first + static_cast<int>(random.below(static_cast<uint32_t>(range.size())));
}
int draw_between(int low, int high, Random& random) {
  return low + static_cast<int>(random.below(static_cast<uint32_t>(high - low + 1)));
}

}  // namespace

PortStream::PortStream(const Pattern& pattern, RouterId own, int port)
    : pattern_(&pattern), d_(pattern.dragonfly()), own_(own), port_(port), class_(d_.port_class(port)) {
  if (class_ == PortClass::node) return;
  const Dragonfly::Peer peer = d_.peer(own, port);
  if (!peer.connected)
    throw Error("traffic: port " + std::to_string(port) + " has no link, so no packet arrives there");
  from_ = peer.router;
  if (class_ == PortClass::global) {
    groups_behind_ = {from_.gid};
    return;
  }
  for (int i = 0; i < d_.h(); ++i) {
    const int group = d_.group_of_port(own.gid, from_.bid * d_.h() + i);
    if (group >= 0) groups_behind_.push_back(group);
  }
}

route_compute::Request PortStream::draw(Random& random) const {
  Request out;
  if (class_ == PortClass::node) {
    const int source = d_.node_index({own_.gid, own_.bid, port_});
    return {d_.node(pattern_->destination(source, random)), own_.gid, 0};
  }
  for (int attempt = 0; attempt < 64; ++attempt) {
    if (class_ == PortClass::local ? draw_local(random, out) : draw_global(random, out)) return out;
  }
  // The pattern sends (nearly) nothing this way: a packet for a node of this router.
  return {d_.node(draw_in(nodes_of(d_, own_), random)), from_.gid, 0};
}

bool PortStream::draw_local(Random& random, Request& out) const {
  switch (random.below(8)) {
    case 0:
      return at_second_router(random, out);
    case 1:
    case 2:
      return to_own_group(random, nodes_of(d_, own_), out);
    case 3:
    case 4: {
      if (groups_behind_.empty()) return false;
      const uint32_t k = random.below(static_cast<uint32_t>(groups_behind_.size()));
      return through_group(random, groups_behind_[k], out);
    }
    default:
      return in_source_group(random, out);
  }
}

bool PortStream::draw_global(Random& random, Request& out) const {
  return random.below(2) == 0 ? to_own_group(random, nodes_of_group(d_, own_.gid), out)
                              : through_group(random, from_.gid, out);
}

/// Sent by a node of the neighbour: the first local hop, L0.
bool PortStream::in_source_group(Random& random, Request& out) const {
  const int source = draw_in(nodes_of(d_, from_), random);
  const Address dest = d_.node(pattern_->destination(source, random));
  out = {dest, own_.gid, 0};
  return dest.router() != from_;
}

/// A packet inside the group that took its detour at the neighbour: L0, then L1 to its router.
bool PortStream::at_second_router(Random& random, Request& out) const {
  const int dest = draw_in(nodes_of(d_, own_), random);
  const RouterId source = d_.node(pattern_->source(dest, random)).router();
  out = {d_.node(dest), own_.gid, 1};
  return source.gid == own_.gid && source != from_ && source != own_;
}

/// In the destination group, after the last global hop: a minimal path came on G0 or G1, a non-minimal one on G1, G2 or
/// G3.
bool PortStream::to_own_group(Random& random, NodeRange destinations, Request& out) const {
  const int dest = draw_in(destinations, random);
  const int source_group = d_.node(pattern_->source(dest, random)).gid;
  const bool minimal = std::find(groups_behind_.begin(), groups_behind_.end(), source_group) != groups_behind_.end();
  const bool other_way_in = class_ == PortClass::global || groups_behind_.size() > (minimal ? 1u : 0u);
  out = {d_.node(dest), source_group, minimal ? draw_between(0, 1, random) : draw_between(1, 3, random)};
  return source_group != own_.gid && (minimal || other_way_in);
}

/// In an intermediate group: came from the source group on G0 or G1; at a local port after one local hop, or the
/// detour's second router.
bool PortStream::through_group(Random& random, int from_group, Request& out) const {
  const int source = draw_in(nodes_of_group(d_, from_group), random);
  const Address dest = d_.node(pattern_->destination(source, random));
  out = {dest, from_group, draw_between(0, 1, random)};
  if (dest.gid == own_.gid || dest.gid == from_group) return false;
  if (class_ == PortClass::global) return true;
  const int egress = d_.attached_router(own_.gid, dest.gid);
  if (egress == own_.bid) out.vc += draw_between(0, 1, random);
  return egress != from_.bid;
}

}  // namespace odonata::traffic
