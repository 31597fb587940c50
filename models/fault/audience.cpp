// SPDX-License-Identifier: Apache-2.0
#include "models/fault/audience.h"

#include <algorithm>
#include <map>

namespace odonata::fault {

namespace {

/// A router as seen from a group: through how many of its global ports it hears of each router of that group.
struct Ear {
  struct Source {
    int end = 0, early = 0, late = 0;
    bool operator<(const Source& o) const { return std::tie(end, early, late) < std::tie(o.end, o.early, o.late); }
  };
  int attached_to = -1;  ///< router of the group; -1: none
  int cabled = 0;        ///< global ports
  std::vector<Source> sources;
  bool operator<(const Ear& o) const {
    return std::tie(attached_to, cabled, sources) < std::tie(o.attached_to, o.cabled, o.sources);
  }
};

Ear ear_of(const Dragonfly& d, RouterId router, int group) {
  Ear ear;
  for (int port = d.first_global(); port < d.num_ports(); ++port) {
    const Dragonfly::Peer peer = d.peer(router, port);
    if (!peer.connected) continue;
    ++ear.cabled;
    if (peer.router.gid == group) {
      ear.attached_to = peer.router.bid;
      continue;
    }
    const int j = d.port_to_group(group, peer.router.gid);
    if (!d.usable(group, j)) continue;
    auto source =
        std::find_if(ear.sources.begin(), ear.sources.end(), [&](const auto& s) { return s.end == j / d.h(); });
    if (source == ear.sources.end()) source = ear.sources.insert(source, {j / d.h(), 0, 0});
    const bool early = d.attached_router(peer.router.gid, group) == peer.router.bid;
    ++(early ? source->early : source->late);
  }
  return ear;
}

/// What the router hears of the link between routers x and y of the group.
Listeners listener(const Ear& ear, int x, int y) {
  Listeners out;
  out.attached = ear.attached_to >= 0 && (ear.attached_to == x || ear.attached_to == y);
  for (const Ear::Source& s : ear.sources) {
    if (s.end != x && s.end != y) continue;
    out.early += s.early;
    out.late += s.late;
  }
  out.speaks = ear.cabled > 0 && out.early + out.late + (out.attached ? 1 : 0) == ear.cabled;
  out.routers = 1;
  return out;
}

Audience audience(const std::vector<Ear>& ears, int x, int y) {
  std::map<Listeners, int> kinds;
  for (const Ear& ear : ears) ++kinds[listener(ear, x, y)];
  Audience out;
  for (const auto& [kind, routers] : kinds) {
    out.push_back(kind);
    out.back().routers = routers;
  }
  return out;
}

bool hears(const Listeners& l) { return l.attached || l.early + l.late > 0; }

}  // namespace

std::set<Audience> audiences(const Dragonfly& d) {
  std::set<std::vector<Ear>> seen;
  std::set<Audience> out;
  for (int group = 0; group < d.g(); ++group) {
    for (int other = 0; other < d.g(); ++other) {
      if (other == group) continue;
      std::vector<Ear> ears;
      for (int bid = 0; bid < d.a(); ++bid) ears.push_back(ear_of(d, {other, bid}, group));
      std::sort(ears.begin(), ears.end());
      if (!seen.insert(ears).second) continue;
      for (int x = 0; x < d.a(); ++x) {
        for (int y = x + 1; y < d.a(); ++y) {
          const Audience a = audience(ears, x, y);
          if (std::any_of(a.begin(), a.end(), hears)) out.insert(a);
        }
      }
    }
  }
  return out;
}

}  // namespace odonata::fault
