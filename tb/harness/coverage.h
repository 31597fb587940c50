// SPDX-License-Identifier: Apache-2.0
// Functional coverage of any block: named bins and crosses of bins, counted, reported, with justified unreachable bins.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace odonata::cosim {

/// One dimension of a cross: its name and the names of its values.
struct Axis {
  std::string name;
  std::vector<std::string> values;
};
/// An axis with the values first..first+n-1.
Axis number_axis(std::string name, int n, int first = 0);

/// Says for one combination of values (one index an axis) why it cannot occur; empty when it can.
using ReachRule = std::function<std::string(std::span<const int> value)>;

/// Counts hits of declared bins. A hit is one increment, so that it can be called in every cycle of a long run.
class Coverage {
 public:
  /// Declares the cross of all `axes`; returns the number of its first bin. The bin of values v0, v1, ... is
  /// first + ((v0 * n1 + v1) * n2 + v2) ... with n = the axes' sizes. `unreachable` may be null.
  int declare(std::string group, std::vector<Axis> axes, const ReachRule& unreachable = nullptr);
  void hit(int bin) { ++count_[bin]; }

  int num_bins() const { return static_cast<int>(count_.size()); }
  uint64_t count(int bin) const { return count_[bin]; }
  bool reachable(int bin) const { return why_[bin] < 0; }
  /// "group: axis=value axis=value"
  std::string name(int bin) const;
  /// Adds the counts of another run of the same declarations.
  void merge(const Coverage& other);
  void clear();

  /// Reached share of the reachable bins, 0..100; exactly 100 only when every one is reached.
  double percent() const;
  /// Reachable bins that were not hit.
  std::vector<int> unreached() const;
  /// Unreachable bins that were hit: the justification, the model or the stimulus is wrong.
  std::vector<int> contradicted() const;
  /// The justification of an unreachable bin.
  const std::string& justification(int bin) const { return reasons_[why_[bin]]; }
  /// One line a contradicted bin; empty when all is well.
  std::string errors() const;

  /// {percent, bins, reached, unreachable, groups: [...], unreached: [names], contradicted: [{bin, justification,
  /// hits}], justifications: [{text, bins}]}
  nlohmann::json to_json() const;
  /// A short table: a line a group, then at most `max_names` unreached bins.
  std::string to_text(int max_names = 10) const;

 private:
  struct Group {
    std::string name;
    std::vector<Axis> axes;
    int first = 0;
    int size = 0;
  };
  struct Summary {
    int bins = 0, reached = 0, unreachable = 0;
    uint64_t hits = 0;
  };
  int reason(const std::string& text);
  static std::vector<int> values_of(const Group& group, int bin);
  const Group& group_of(int bin) const;
  Summary summarise(int first, int size) const;

  std::vector<Group> groups_;
  std::vector<uint64_t> count_;
  std::vector<int> why_;  // index of the justification, -1 = reachable
  std::vector<std::string> reasons_;
};

}  // namespace odonata::cosim
