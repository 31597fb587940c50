// SPDX-License-Identifier: Apache-2.0
// The traffic of `odonata net` on a dragonfly: a pattern of models/traffic, or a mixture of uniform traffic with
// another one (DOAR §5.1).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/traffic/pattern.h"

namespace odonata::network {

/// Mixtures "r_mixed_ua:F", "n_mixed_ur:F", ...: the share F (0..1) of adv+1 (ua) or rp (ur), the rest uniform. The
/// first letter says who differs: r: all nodes of a router do the same, n: nodes differ, p: every packet is drawn.
/// Which routers or nodes: round(F * all), drawn from the seed.
class MixedPattern {
 public:
  /// Also everything that traffic::Pattern::parse() knows. Throws Error.
  static MixedPattern parse(const Dragonfly& d, std::string_view text, uint64_t seed);

  [[gnu::always_inline]] int destination(int source, Random& random) const {
    if (!other_) return base_.destination(source, random);
    Random copy = random;  // only its address leaves the caller's registers
    const int out = mixed_destination(source, copy);
    random = copy;
    return out;
  }

 private:
  explicit MixedPattern(traffic::Pattern base) : base_(std::move(base)) {}
  void draw_units(int nodes, int unit, uint64_t seed);
  [[gnu::noinline]] int mixed_destination(int source, Random& random) const {
    const bool use_other = by_packet_ ? random.chance(share_) : is_other_[source];
    return (use_other ? *other_ : base_).destination(source, random);
  }

  traffic::Pattern base_;
  std::optional<traffic::Pattern> other_;
  bool by_packet_ = false;
  double share_ = 0;
  std::vector<bool> is_other_;  // by node
};

}  // namespace odonata::network
