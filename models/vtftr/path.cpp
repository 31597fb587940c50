// SPDX-License-Identifier: Apache-2.0
#include "models/vtftr/path.h"

#include <algorithm>

#include "models/common/lfsr.h"

namespace odonata::vtftr {

namespace {

DropReason reason_of(LeafKind kind) {
  if (kind == LeafKind::loop) return DropReason::loop;
  return kind == LeafKind::second_turn ? DropReason::turn : DropReason::address;
}

DropReason reason_of(RootKind kind) {
  switch (kind) {
    case RootKind::dead:
      return DropReason::dead;
    case RootKind::no_turn_left:
      return DropReason::virtual_channel;
    case RootKind::none:
      return DropReason::no_port;
    default:
      return DropReason::address;
  }
}

/// Where a packet stands and how it came there.
struct Position {
  LeafId at;
  From from = From::node;
  int vc = 0;
};

class Walker {
 public:
  Walker(const Scene& scene, LeafId to, int node) : scene_(scene), to_(to), node_(node) {}

  LeafDecision leaf(const Position& p) const {
    const FatTree& t = scene_.tree;
    return decide_leaf({p.at.x, p.at.y, t.columns(), t.rows(), t.p(), scene_.mode.safe},
                       scene_.known.leaf(p.at.x, p.at.y), {to_.x, to_.y, node_, p.from, p.vc});
  }
  RootChoice root(const Position& p, const LeafDecision& d) const {
    const bool row = d.dimension == kRow;
    const int own = row ? p.at.y : p.at.x;
    const RootConfig config{d.dimension, own, scene_.tree.columns(), scene_.tree.rows(), scene_.mode};
    return choose_root(config, {dead_links(scene_.dead, d.dimension, own), scene_.known.mask(d.dimension)},
                       {to_.x, to_.y, row ? p.at.x : p.at.y, d.vc});
  }
  static Position follow(const Position& p, const LeafDecision& d, int port) {
    return d.dimension == kRow ? Position{{port, p.at.y}, From::row, d.vc}
                               : Position{{p.at.x, port}, From::column, d.vc};
  }

 private:
  const Scene& scene_;
  LeafId to_;
  int node_;
};

class Enumeration {
 public:
  Enumeration(const Scene& scene, LeafId to, int node, int most) : walker_(scene, to, node), most_(most) {}

  void visit(const Position& at, double probability) {
    const LeafDecision d = walker_.leaf(at);
    if (d.kind == LeafKind::eject) return end(Outcome::delivered, DropReason::none, probability);
    if (dropped(d.kind)) return end(Outcome::dropped, reason_of(d.kind), probability);
    if (static_cast<int>(hops_.size()) == most_) return end(Outcome::endless, DropReason::none, probability);
    const RootChoice choice = walker_.root(at, d);
    if (dropped(choice.kind)) return end(Outcome::dropped, reason_of(choice.kind), probability);
    const double share = probability / choice.ports.count();
    choice.ports.for_each([&](int port) {
      const Position next = Walker::follow(at, d, port);
      hops_.push_back({d.dimension, next.at, d.vc, d.kind, choice.kind});
      visit(next, share);
      hops_.pop_back();
    });
  }
  std::vector<Path> take() { return std::move(found_); }

 private:
  void end(Outcome outcome, DropReason reason, double probability) {
    found_.push_back({hops_, outcome, reason, probability});
  }

  Walker walker_;
  int most_;
  std::vector<Routing> hops_;
  std::vector<Path> found_;
};

}  // namespace

Path walk(const Scene& scene, LeafId from, LeafId to, int node, uint16_t lfsr) {
  const Walker walker(scene, to, node);
  Path path;
  Position at{from, From::node, 0};
  for (int routings = 0;; ++routings) {
    const LeafDecision d = walker.leaf(at);
    if (d.kind == LeafKind::eject) return path;
    path.outcome = Outcome::dropped;
    if (dropped(d.kind)) {
      path.reason = reason_of(d.kind);
      return path;
    }
    if (routings == kMostRoutings) {
      path.outcome = Outcome::endless;
      return path;
    }
    const RootChoice choice = walker.root(at, d);
    if (dropped(choice.kind)) {
      path.reason = reason_of(choice.kind);
      return path;
    }
    at = Walker::follow(at, d, pick(choice.ports, lfsr));
    lfsr = lfsr_next(lfsr);
    path.hops.push_back({d.dimension, at.at, d.vc, d.kind, choice.kind});
    path.outcome = Outcome::delivered;
  }
}

std::vector<Path> all_paths(const Scene& scene, LeafId from, LeafId to, int node, int most) {
  Enumeration all(scene, to, node, most);
  all.visit({from, From::node, 0}, 1.0);
  std::vector<Path> paths = all.take();
  std::stable_sort(paths.begin(), paths.end(),
                   [](const Path& a, const Path& b) { return a.probability > b.probability; });
  return paths;
}

std::string_view to_string(Outcome outcome) {
  constexpr std::string_view kNames[] = {"delivered", "dropped", "endless"};
  return kNames[static_cast<int>(outcome)];
}

std::string_view to_string(DropReason reason) {
  constexpr std::string_view kNames[] = {"", "loop", "turn", "address", "dead", "vc", "none"};
  return kNames[static_cast<int>(reason)];
}

}  // namespace odonata::vtftr
