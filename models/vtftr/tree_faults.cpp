// SPDX-License-Identifier: Apache-2.0
#include "models/vtftr/tree_faults.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <span>

#include "models/common/error.h"
#include "models/common/joined.h"
#include "models/common/split.h"

namespace odonata::vtftr {

namespace {

/// A number below `limit`; throws Error "what 7 is out of range 0..6".
int number(std::string_view word, int limit, const std::string& what) {
  int value = -1;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size())
    throw Error(what + " '" + std::string(word) + "' is no number");
  if (value < 0 || value >= limit)
    throw Error(what + " " + std::string(word) +
                (what == "column" || what == "row" ? " is outside the grid" : " is out of range") + ", expected 0.." +
                std::to_string(limit - 1));
  return value;
}

int dimension_of(const FatTree& tree, std::string_view word) {
  for (int d = 0; d < tree.dimensions(); ++d)
    if (word == dimension_name(d)) return d;
  throw Error("'" + std::string(word) + "' is no dimension, expected row, column" +
              (tree.dimensions() > 2 ? ", 2, ..." : ""));
}

int leaf_of(const FatTree& tree, std::span<const std::string_view> words) {
  FatTree::Point at{};
  for (int d = 0; d < tree.dimensions(); ++d)
    at[static_cast<size_t>(d)] = number(words[static_cast<size_t>(d)], tree.size(d),
                                        d == kRow      ? "column"
                                        : d == kColumn ? "row"
                                                       : "coordinate " + std::to_string(d));
  return tree.leaf(at);
}

TreeFault parse_fault(const FatTree& tree, std::string_view text) {
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string_view kind = text.substr(0, colon);
  const std::vector<std::string_view> words = split(text.substr(std::min(colon + 1, text.size())), ',');
  const auto k = static_cast<size_t>(tree.dimensions());
  TreeFault f;
  if (kind == "leaf" && words.size() == k) {
    f.leaf = leaf_of(tree, words);
    return f;
  }
  if (kind == "root" && words.size() == 3) {
    f.kind = TreeFault::Kind::root;
    f.dimension = dimension_of(tree, words[0]);
    f.line = number(words[1], tree.num_lines(f.dimension), "line");
    f.rail = number(words[2], tree.u(), "rail");
    return f;
  }
  if (kind == "link" && words.size() == k + 2) {
    f.kind = TreeFault::Kind::link;
    f.leaf = leaf_of(tree, words);
    f.dimension = dimension_of(tree, words[k]);
    f.rail = number(words[k + 1], tree.u(), "rail");
    return f;
  }
  throw Error("expected leaf:X,Y (column, row), root:row,LINE,RAIL or link:X,Y,column,RAIL");
}

}  // namespace

std::string dimension_name(int dimension) {
  return dimension == kRow ? "row" : dimension == kColumn ? "column" : std::to_string(dimension);
}

std::string leaf_name(const FatTree& tree, int leaf) {
  const auto point = tree.point(leaf);
  return "(" + joined(std::span(point).first(static_cast<size_t>(tree.dimensions())), {}, ",") + ")";
}

std::vector<TreeFault> parse_tree_faults(const FatTree& tree, std::string_view text) {
  std::vector<TreeFault> out;
  for (const std::string_view part : split(text, ';')) {
    try {
      out.push_back(parse_fault(tree, part));
    } catch (const Error& e) {
      throw Error("fault '" + std::string(part) + "' on a fat-tree: " + e.what());
    }
  }
  return out;
}

std::string to_string(const FatTree& tree, const TreeFault& f) {
  const std::string at = leaf_name(tree, f.leaf), coordinates = at.substr(1, at.size() - 2);
  const std::string rail = dimension_name(f.dimension) + ",";
  if (f.kind == TreeFault::Kind::leaf) return "leaf:" + coordinates;
  if (f.kind == TreeFault::Kind::root) return "root:" + rail + std::to_string(f.line) + "," + std::to_string(f.rail);
  return "link:" + coordinates + "," + rail + std::to_string(f.rail);
}

// ---- faults

TreeFaults::TreeFaults(const FatTree& tree, const std::vector<TreeFault>& faults)
    : tree_(tree),
      leaf_dead_(static_cast<size_t>(tree.num_leaves())),
      root_dead_(static_cast<size_t>(tree.num_roots())),
      link_dead_(root_dead_.size()),
      down_(root_dead_.size()) {
  for (size_t d = 1; d < first_.size(); ++d) {
    const int before = static_cast<int>(d) - 1;
    first_[d] = first_[d - 1] + (before < tree.dimensions() ? tree.num_lines(before) * tree.u() : 0);
  }
  for (const TreeFault& f : faults) set(f);
}

void TreeFaults::set(const TreeFault& f, bool dead) {
  if (f.kind == TreeFault::Kind::leaf) {
    leaf_dead_[static_cast<size_t>(f.leaf)] = dead;
    for (int d = 0; d < tree_.dimensions(); ++d)
      for (int rail = 0; rail < tree_.u(); ++rail) renew(d, tree_.line(f.leaf, d), rail);
    return;
  }
  const int line = f.kind == TreeFault::Kind::root ? f.line : tree_.line(f.leaf, f.dimension);
  const size_t at = root(f.dimension, line, f.rail);
  if (f.kind == TreeFault::Kind::root) {
    uneven_ += dead - root_dead_[at];
    root_dead_[at] = dead;
  } else {
    const int i = tree_.point(f.leaf)[static_cast<size_t>(f.dimension)];
    uneven_ += dead - link_dead_[at].test(i);
    dead ? link_dead_[at].set(i) : link_dead_[at].clear(i);
  }
  renew(f.dimension, line, f.rail);
}

void TreeFaults::renew(int dimension, int line, int rail) {
  const size_t at = root(dimension, line, rail);
  const int size = tree_.size(dimension);
  LineMap down = root_dead_[at] ? LineMap::first(size) : link_dead_[at];
  for (int i = 0; i < size; ++i)
    if (leaf_dead(tree_.leaf_of_line(dimension, line, i))) down.set(i);
  down_[at] = down;
}

int TreeFaults::dead_leaves() const { return static_cast<int>(std::count(leaf_dead_.begin(), leaf_dead_.end(), 1)); }

// ---- knowledge

TreeKnowledge::TreeKnowledge(const TreeFaults& known)
    : known_(known),
      all_(static_cast<uint8_t>((1 << known.tree().dimensions()) - 1)),
      attached_(static_cast<size_t>(known.tree().num_leaves())) {
  const FatTree& tree = known_.tree();
  for (int d = 0; d < tree.dimensions(); ++d)
    for (int line = 0; line < tree.num_lines(d); ++line) attach(d, line);
  for (int leaf = 0; leaf < tree.num_leaves(); ++leaf) {
    if (attached_[static_cast<size_t>(leaf)] == all_) continue;
    const FatTree::Point at = tree.point(leaf);
    for (int d = 0; d < tree.dimensions(); ++d) mask_[static_cast<size_t>(d)].set(at[static_cast<size_t>(d)]);
  }
}

/// Of two leaves of a line without a common rail the one with fewer rails is given up, of equals the later one.
void TreeKnowledge::attach(int dimension, int line) {
  const FatTree& tree = known_.tree();
  const int size = tree.size(dimension);
  std::vector<uint32_t> rails(static_cast<size_t>(size));  // bit r: has rail r
  for (int rail = 0; rail < tree.u(); ++rail) {
    const LineMap up = LineMap::first(size) & ~known_.down(dimension, line, rail);
    up.for_each([&](int i) { rails[static_cast<size_t>(i)] |= 1u << rail; });
  }
  const auto fewer = [](uint32_t a, uint32_t b) { return std::popcount(a) < std::popcount(b); };
  for (size_t i = 0; i < rails.size(); ++i) {
    for (size_t j = 0; j < i && rails[i] != 0; ++j) {
      if (rails[j] == 0 || (rails[i] & rails[j]) != 0) continue;
      (fewer(rails[j], rails[i]) ? rails[j] : rails[i]) = 0;
    }
  }
  for (int i = 0; i < size; ++i)
    if (rails[static_cast<size_t>(i)] != 0)
      attached_[static_cast<size_t>(tree.leaf_of_line(dimension, line, i))] |= static_cast<uint8_t>(1 << dimension);
}

// ---- times

namespace {

/// Numbers of switches, leaves first.
int root_switch(const FatTree& tree, int dimension, int line, int rail) {
  int first = tree.num_leaves();
  for (int d = 0; d < dimension; ++d) first += tree.num_lines(d) * tree.u();
  return first + line * tree.u() + rail;
}

/// Links from a leaf to every switch over what is alive; -1: not reached.
std::vector<int> hops_from(const TreeFaults& faults, int leaf) {
  const FatTree& tree = faults.tree();
  std::vector<int> hops(static_cast<size_t>(tree.num_leaves() + tree.num_roots()), -1);
  std::vector<int> now{leaf};
  hops[static_cast<size_t>(leaf)] = 0;
  for (int h = 0; !now.empty(); h += 2) {
    std::vector<int> next;
    for (const int at : now) {
      for (int d = 0; d < tree.dimensions(); ++d) {
        const int line = tree.line(at, d);
        for (int rail = 0; rail < tree.u(); ++rail) {
          int& root = hops[static_cast<size_t>(root_switch(tree, d, line, rail))];
          if (root >= 0 || !faults.up(at, d, rail)) continue;
          root = h + 1;
          (LineMap::first(tree.size(d)) & ~faults.down(d, line, rail)).for_each([&](int i) {
            const int to = tree.leaf_of_line(d, line, i);
            if (hops[static_cast<size_t>(to)] >= 0) return;
            hops[static_cast<size_t>(to)] = h + 2;
            next.push_back(to);
          });
        }
      }
    }
    now = std::move(next);
  }
  return hops;
}

/// The switches at the ends of what failed that still live.
std::vector<int> detectors(const TreeFaults& faults, const TreeFault& f) {
  const FatTree& tree = faults.tree();
  std::vector<int> out;
  if (f.kind == TreeFault::Kind::root) {
    for (int i = 0; i < tree.size(f.dimension); ++i) out.push_back(tree.leaf_of_line(f.dimension, f.line, i));
  } else if (f.kind == TreeFault::Kind::link) {
    out = {f.leaf, root_switch(tree, f.dimension, tree.line(f.leaf, f.dimension), f.rail)};
  } else {
    for (int d = 0; d < tree.dimensions(); ++d)
      for (int rail = 0; rail < tree.u(); ++rail) out.push_back(root_switch(tree, d, tree.line(f.leaf, d), rail));
  }
  return out;
}

}  // namespace

int64_t TreeTimes::done() const { return at.empty() ? kNever : *std::max_element(at.begin(), at.end()); }

TreeTimes tree_times(const TreeFaults& faults, const TreeFault& change, const ManagerTiming& timing, int64_t waits) {
  const FatTree& tree = faults.tree();
  int manager = 0;
  while (manager < tree.num_leaves() && faults.leaf_dead(manager)) ++manager;
  if (manager == tree.num_leaves()) throw Error("fat-tree: no leaf switch is left alive");
  const std::vector<int> hops = hops_from(faults, manager);
  TreeTimes t;
  t.at.assign(hops.size(), kNever);
  t.detected = timing.detect;
  int report = -1;
  for (const int s : detectors(faults, change)) {
    const int h = hops[static_cast<size_t>(s)];
    if (h >= 0 && (report < 0 || h < report)) report = h;
  }
  if (report < 0) return t;  // nobody is left to tell
  t.reported = t.detected + timing.hop * report + timing.nic;
  t.served = t.reported + waits + timing.service;
  for (size_t s = 0; s < hops.size(); ++s) {
    if (hops[s] < 0) continue;
    const bool leaf = static_cast<int>(s) < tree.num_leaves();
    int size = 0;
    for (int d = 0; d < tree.dimensions() && !leaf; ++d)
      if (static_cast<int>(s) >= root_switch(tree, d, 0, 0)) size = tree.size(d);
    t.at[s] = t.served + timing.nic + timing.hop * hops[s] + (leaf ? timing.leaf_update : timing.root_update(size));
  }
  return t;
}

}  // namespace odonata::vtftr
