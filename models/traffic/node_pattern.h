// SPDX-License-Identifier: Apache-2.0
// Traffic patterns over numbered nodes, for networks without coordinates.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/common/random.h"

namespace odonata::traffic {

/// Who sends to whom.
class NodePattern {
 public:
  /// "uniform" (every other node equally likely), "randperm" (one permutation of all nodes, drawn from the seed),
  /// "shift+I" (node n to n + I, I in 1..nodes-1). Throws Error for another word.
  static NodePattern parse(int nodes, std::string_view text, uint64_t seed);

  /// The destination of a packet that node `source` sends.
  int destination(int source, Random& random) const {
    if (!to_.empty()) return to_[static_cast<size_t>(source)];
    if (nodes_ == 1) return 0;
    const int other = static_cast<int>(random.below(static_cast<uint32_t>(nodes_ - 1)));
    return other + (other >= source ? 1 : 0);
  }

 private:
  explicit NodePattern(int nodes) : nodes_(nodes) {}
  int nodes_;
  std::vector<int> to_;  // empty: uniform
};

}  // namespace odonata::traffic
