// SPDX-License-Identifier: Apache-2.0
#include "tb/torus/oracle.h"

#include <cstdlib>
#include <deque>

namespace odonata::torus::oracle {
namespace {

const std::vector<std::string> kPorts{"x+", "x-", "y+", "y-"};

std::string opposite(std::string port) {
  port[1] = port[1] == '+' ? '-' : '+';
  return port;
}

std::string channel(const std::string& port, int r, int j) {
  return std::string(1, port[0]) + std::to_string(r) + "," + std::to_string(j) + port[1];
}

int modulo(int a, int k) { return ((a % k) + k) % k; }

}  // namespace

// ---- the world

Point World::step(Point at, const std::string& port) const {
  const int s = port[1] == '+' ? 1 : -1;
  return port[0] == 'x' ? Point{modulo(at.x + s, kx), at.y} : Point{at.x, modulo(at.y + s, ky)};
}

bool World::usable(Point at, const std::string& port) const {
  const Point other = step(at, port);
  return !disabled.count(other) && !dead_links.count({port[1] == '+' ? at : other, port[0]});
}

int World::close() {
  for (const Point& p : disabled) round[p] = 0;
  for (int n = 1;; ++n) {
    std::vector<Point> marked;
    for (int x = 0; x < kx; ++x) {
      for (int y = 0; y < ky; ++y) {
        const Point p{x, y};
        if (disabled.count(p)) continue;
        int bad = 0;
        for (const std::string& port : kPorts) bad += !usable(p, port);
        const bool in_x = !usable(p, "x+") || !usable(p, "x-"), in_y = !usable(p, "y+") || !usable(p, "y-");
        if (dim_rule ? in_x && in_y : bad >= 2) marked.push_back(p);
      }
    }
    if (marked.empty()) return n - 1;
    for (const Point& p : marked) disabled.insert(p), round[p] = n;
  }
}

bool World::wall(char dimension, int c) const {
  for (int i = 0; i < (dimension == 'x' ? ky : kx); ++i) {
    const Point p = dimension == 'x' ? Point{c, i} : Point{i, c};
    if (!disabled.count(p) && usable(p, std::string(1, dimension) + "+")) return false;
  }
  return true;
}

int World::span(Point at, const std::string& port, const std::string& towards) const {
  int n = 0;
  for (; n < (towards[0] == 'x' ? kx : ky) && !usable(at, port); ++n) at = step(at, towards);
  return n;
}

std::vector<Point> World::healthy() const {
  std::vector<Point> out;
  for (int y = 0; y < ky; ++y)
    for (int x = 0; x < kx; ++x)
      if (!disabled.count({x, y})) out.push_back({x, y});
  return out;
}

std::map<Point, int> World::distances(Point from) const {
  std::map<Point, int> far{{from, 0}};
  for (std::deque<Point> todo{from}; !todo.empty(); todo.pop_front())
    for (const std::string& port : kPorts)
      if (const Point next = step(todo.front(), port);
          usable(todo.front(), port) && far.try_emplace(next, far[todo.front()] + 1).second)
        todo.push_back(next);
  return far;
}

// ---- as printed

namespace {

/// The head flit and where it is, with the names of the paper.
struct Printed {
  const World& world;
  Point at, to;
  int xr, yr;
  std::string dim = "x", around;
  std::string chn;

  // Routing functions of virtual networks 0 and 1; those of 2 and 3 are the same with x and y exchanged.
  void along_x(const std::string& port, int detour) {
    if (world.usable(at, port)) {
      chn = channel(port, xr, 0);
      around = to.y - at.y > 0 ? "+" : "-";
    } else {
      chn = channel("y" + around, yr, detour);
    }
  }
  void along_y(const std::string& port, int detour) {
    if (world.usable(at, port)) {
      chn = channel(port, yr, 0);
      around = to.x - at.x > 0 ? "+" : "-";
    } else {
      chn = channel("x" + around, xr, detour);
    }
  }
  void algorithm_r() {
    const int xoffs = to.x - at.x, yoffs = to.y - at.y;
    chn = "";
    if (xoffs == 0 && yoffs == 0) {
      chn = "internal";
      return;
    }
    if (dim == "x" && xoffs == 0) dim = "y";
    if (dim == "x") {
      const int radius = world.kx / 2;
      if (xoffs > 0 && std::abs(xoffs) <= radius) along_x("x+", 1);
      if (xoffs > 0 && std::abs(xoffs) > radius) along_x("x-", 2);
      if (xoffs < 0 && std::abs(xoffs) <= radius) along_x("x-", 2);
      if (xoffs < 0 && std::abs(xoffs) > radius) along_x("x+", 1);
    } else {
      const int radius = world.ky / 2;
      if (yoffs > 0 && std::abs(yoffs) <= radius) along_y("y+", 1);
      if (yoffs > 0 && std::abs(yoffs) > radius) along_y("y-", 2);
      if (yoffs < 0 && std::abs(yoffs) <= radius) along_y("y-", 2);
      if (yoffs < 0 && std::abs(yoffs) > radius) along_y("y+", 1);
    }
  }
};

}  // namespace

Way printed(const World& world, Point from, Point to) {
  Printed p{world, from, to, to.x > from.x ? 0 : 1, to.y > from.y ? 0 : 1, "x", to.y - from.y > 0 ? "+" : "-", ""};
  Way way;
  std::set<std::pair<Point, std::string>> seen;
  while (true) {
    p.algorithm_r();
    if (p.chn == "internal") return way.outcome = "delivered", way;
    if (p.chn.empty()) return way.outcome = "stuck", way;
    const std::string port{p.chn.front(), p.chn.back()};
    if (!world.usable(p.at, port)) return way.outcome = "dropped", way;
    if (!seen.insert({p.at, p.chn + p.dim + p.around}).second) return way.outcome = "livelock", way;
    way.steps.push_back({p.at, p.chn});
    p.at = world.step(p.at, port);
  }
}

// ---- repaired

namespace {

class Safe {
 public:
  Safe(const World& world, const Rules& rules, Plant plant, Point from, Point to)
      : w_(world), rules_(rules), plant_(plant), at_(from), to_(to) {
    xr_ = to.x > from.x ? 0 : 1;
    yr_ = to.y > from.y ? 0 : 1;
  }

  Way run() {
    std::set<std::string> seen;
    Way way;
    while (way.outcome.empty()) {
      way.outcome = decide();
      if (!way.outcome.empty()) break;
      if (!w_.usable(at_, port_)) {
        way.outcome = "dropped";
      } else if (!seen.insert(state() + port_).second) {
        way.outcome = "livelock";
      } else {
        way.steps.push_back({at_, channel(port_, r_, j_)});
        at_ = w_.step(at_, port_);
        fresh_ = false;
      }
    }
    return way;
  }

 private:
  bool is(Plant p) const { return plant_ == p; }
  std::string state() const {
    return std::to_string(at_.x) + "," + std::to_string(at_.y) + dim_ + dir_ + around_ + back_;
  }

  /// True if the way from a to d round the ring in the direction crosses a wall.
  bool walled(char dim, int a, int d, char dir) const {
    if (is(Plant::kNoWalls)) return false;
    const int k = dim == 'x' ? w_.kx : w_.ky;
    int c = is(Plant::kMaskOffByOne) ? modulo(a + (dir == '+' ? 1 : -1), k) : a;
    while (c != d) {
      if (w_.wall(dim, dir == '+' ? c : modulo(c - 1, k))) return true;
      c = modulo(c + (dir == '+' ? 1 : -1), k);
    }
    return false;
  }

  bool choose(char dim) {
    const int a = dim == 'x' ? at_.x : at_.y, d = dim == 'x' ? to_.x : to_.y, k = dim == 'x' ? w_.kx : w_.ky;
    const int off = d - a, radius = k / 2 + (is(Plant::kRadiusOffByOne) ? 1 : 0);
    const bool plus = (0 < off && off <= radius) || off < -radius || (is(Plant::kTieSign) && 2 * off == -k);
    dir_ = plus ? '+' : '-';
    if (!walled(dim, a, d, dir_)) return true;
    dir_ = plus ? '-' : '+';
    return !walled(dim, a, d, dir_);
  }

  char x_side() const {
    if (rules_.ring_side || rules_.short_side) {
      const int up = modulo(to_.y - at_.y, w_.ky);
      return 0 < up && up <= w_.ky / 2 ? '+' : '-';
    }
    return to_.y - at_.y > 0 ? '+' : '-';
  }

  void set(const std::string& port, bool detour, int r) {
    port_ = port;
    j_ = !detour ? 0 : rules_.one_detour ? 1 : (dir_ == '+') != is(Plant::kDetoursSwapped) ? 1 : 2;
    r_ = rules_.source_class ? (port[0] == 'x' ? xr_ : yr_) : r;
    if (is(Plant::kOwnClass) && detour) r_ = port[0] == 'x' ? to_.x < at_.x : to_.y < at_.y;
  }

  /// One decision; "" = go on through port_ on channel r_, j_.
  std::string decide() {
    if (at_ == to_) return "delivered";
    if (fresh_) dim_ = 'x', around_ = x_side(), back_ = '0';
    bool begins = fresh_;
    if (is(Plant::kXFirstAgain) && dim_ == 'y' && at_.y == to_.y) dim_ = 'x', begins = true;
    if (dim_ == 'x' && at_.x == to_.x) dim_ = 'y', back_ = '0', begins = true;
    if ((begins || is(Plant::kDirectionEveryHop)) && !choose(dim_)) return "unreachable";
    const int c = dim_ == 'x' ? at_.x : at_.y, d = dim_ == 'x' ? to_.x : to_.y;
    const bool upper_at_equal = dir_ == '-' ? !is(Plant::kMinusClassNotAtEqual) : is(Plant::kPlusClassAtEqual);
    const int r = d < c || (upper_at_equal && d == c);
    return dim_ == 'x' ? decide_x(r) : decide_y(r);
  }

  std::string decide_x(int r) {
    const std::string ahead = std::string("x") + dir_;
    if (w_.usable(at_, ahead)) {
      set(ahead, false, r);
      around_ = x_side();
      back_ = '0';
      return "";
    }
    if (is(Plant::kAroundForgotten)) around_ = around_ == '+' ? '-' : '+';
    if (is(Plant::kAroundSetOnDetour)) around_ = x_side();
    if (rules_.short_side && back_ == '0') {
      const int plus = w_.span(at_, ahead, "y+"), minus = w_.span(at_, ahead, "y-");
      around_ = plus < minus ? '+' : minus < plus ? '-' : x_side();
      back_ = '1';
    }
    set(std::string("y") + around_, true, r);
    return "";
  }

  std::string decide_y(int r) {
    const std::string ahead = std::string("y") + dir_;
    const bool in_column = at_.x == to_.x;
    if (in_column && !is(Plant::kBackKeptInColumn)) back_ = '0';
    if (back_ == '1' && !is(Plant::kNoReturn)) {
      const std::string home =
          is(Plant::kReturnOnWrongSide) ? std::string("x") + around_ : opposite(std::string("x") + around_);
      const bool row = is(Plant::kDropInAnyRow) || at_.y == to_.y;
      if (is(Plant::kRowBeforeReturn) && w_.usable(at_, ahead) && at_.y != to_.y) return set(ahead, false, r), "";
      if (row && !w_.usable(at_, home)) return "dropped";
      if (w_.usable(at_, home)) return set(home, true, r), "";
      return set(ahead, false, r), "";
    }
    const bool free = w_.usable(at_, ahead);
    if (in_column && !is(Plant::kSideOfHeader)) around_ = is(Plant::kSideByNetwork) ? dir_ : '-';
    if (free) {
      if (!in_column) back_ = '1';
      return set(ahead, false, r), "";
    }
    if (in_column && rules_.short_side) around_ = w_.span(at_, ahead, "x+") < w_.span(at_, ahead, "x-") ? '+' : '-';
    return set(std::string("x") + around_, true, r), "";
  }

  const World& w_;
  const Rules& rules_;
  Plant plant_;
  Point at_, to_;
  bool fresh_ = true;
  char dim_ = 'x', dir_ = '+', around_ = '-', back_ = '0';
  int xr_ = 0, yr_ = 0, r_ = 0, j_ = 0;
  std::string port_;
};

}  // namespace

Way safe(const World& world, const Rules& rules, Point from, Point to, Plant plant) {
  return Safe(world, rules, plant, from, to).run();
}

}  // namespace odonata::torus::oracle
