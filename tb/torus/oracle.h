// SPDX-License-Identifier: Apache-2.0
// A slow second opinion on the torus routing, written from the printed algorithm and from the rules of docs/torus.md
// with coordinates, sets and words; shares nothing with models/torus but the numbering of nodes and ports. Its rules
// can be spoiled on purpose: a suite that does not notice has a hole.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace odonata::torus::oracle {

struct Point {
  int x = 0, y = 0;
  bool operator==(const Point&) const = default;
  bool operator<(const Point& o) const { return std::tie(x, y) < std::tie(o.x, o.y); }
};

/// A torus with faults, as sets.
struct World {
  int kx = 0, ky = 0;
  bool dim_rule = false;
  std::set<Point> disabled;                     ///< after close()
  std::set<std::pair<Point, char>> dead_links;  ///< a link by the node whose + port it is, 'x' or 'y'
  std::map<Point, int> round;                   ///< of the disabled nodes

  /// Marks by the rule, a round at a time, until nothing changes; `disabled` holds the faulty nodes before.
  int close();
  Point step(Point at, const std::string& port) const;
  bool usable(Point at, const std::string& port) const;
  /// The link between coordinate c and c + 1 of the dimension can be taken by no healthy node.
  bool wall(char dimension, int c) const;
  /// Nodes from `at` on towards `towards` whose `port` cannot be used.
  int span(Point at, const std::string& port, const std::string& towards) const;
  std::vector<Point> healthy() const;
  /// Links of a shortest way over healthy nodes from `from` to every node; -1: none.
  std::map<Point, int> distances(Point from) const;
};

struct Step {
  Point at;
  std::string channel;  ///< "x0,1-"
  bool operator==(const Step&) const = default;
};
struct Way {
  std::string outcome;  ///< as name_of(Outcome), or "refused" (no rule says what the packet would have done)
  std::vector<Step> steps;
  bool operator==(const Way&) const = default;
};

/// Algorithm R with the routing functions of VN0 to VN3, as printed; the misprints that docs/torus.md names are
/// corrected.
Way printed(const World& world, Point from, Point to);

/// Which of the rules of docs/torus.md §5 hold.
struct Rules {
  bool source_class = false;  ///< ring6
  bool one_detour = false;    ///< safe4
  bool ring_side = false;     ///< safe6_ring
  bool short_side = false;    ///< safe6_short
};
/// One rule changed. The order is that of docs/torus.md §9.
enum class Plant {
  kNone,
  kRadiusOffByOne,
  kTieSign,
  kPlusClassAtEqual,
  kMinusClassNotAtEqual,
  kOwnClass,
  kDetoursSwapped,
  kAroundForgotten,
  kAroundSetOnDetour,
  kNoReturn,
  kReturnOnWrongSide,
  kBackKeptInColumn,
  kRowBeforeReturn,
  kDirectionEveryHop,
  kMaskOffByOne,
  kNoWalls,
  kDropInAnyRow,
  kSideByNetwork,
  kSideOfHeader,
  kXFirstAgain,
};
inline constexpr int kNumPlants = 20;

/// The repaired variants, rule by rule.
Way safe(const World& world, const Rules& rules, Point from, Point to, Plant plant = Plant::kNone);

}  // namespace odonata::torus::oracle
