// SPDX-License-Identifier: Apache-2.0
// The ways of all packets of a network, step by step, and their comparison with those of another one
// (docs/crosscheck.md §2).
#pragma once

#include <compare>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tb/network/crosscheck.h"

namespace odonata::cosim {

/// One step of a flit.
struct Step {
  enum class Kind : uint8_t { granted, delivered, lost };
  static constexpr uint8_t kPoisoned = 255;  ///< as flit
  uint32_t cycle = 0;
  uint8_t flit = 0;  ///< of the packet
  Kind kind = Kind::granted;
  uint32_t router = 0;
  uint8_t in_port = 0, in_vc = 0, out_port = 0, out_vc = 0;
  int credits = 0;                                ///< of the output VC before the grant
  auto operator<=>(const Step&) const = default;  // NOLINT(modernize-use-nullptr): of the compiler
};

/// The steps of one side, by node and cycle of creation of their packet; those from cycle `end` on are left out.
class Ways {
 public:
  explicit Ways(uint32_t end) : end_(end) {}
  void add(uint32_t node, uint32_t born, const Step& step) {
    if (step.cycle < end_) ways_[static_cast<uint64_t>(node) << 32 | born].push_back(step);
  }
  /// Every packet's steps in their order. (What happens to flits of a packet in the same cycle, each side tells in an
  /// order of its own.)
  void sort();
  const std::vector<Step>& of(uint64_t packet) const;
  const std::unordered_map<uint64_t, std::vector<Step>>& all() const { return ways_; }

 private:
  uint32_t end_;
  std::unordered_map<uint64_t, std::vector<Step>> ways_;
};

/// Names of routers and of nodes by number.
struct WayNames {
  std::function<std::string(uint32_t)> router, node;
  std::function<uint32_t(uint32_t)> number = {};  ///< of a node, by its address in the engine's flits; empty: the same
};

/// Compares every packet that either side knows; the first that differs is told in words.
void compare_ways(const WayNames& names, Ways& engine, Ways& systemc, CrossCheckResult& out);

}  // namespace odonata::cosim
