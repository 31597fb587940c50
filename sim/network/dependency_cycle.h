// SPDX-License-Identifier: Apache-2.0
// What the watchdog prints: buffers whose first packets wait for each other in a circle.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

namespace odonata::network {

/// Every blocked input VC waits for one other input VC.
class DependencyGraph {
 public:
  /// `from` waits for `to`; `text` says so.
  void add(uint64_t from, uint64_t to, std::string text) { edges_[from] = {to, std::move(text)}; }
  bool empty() const { return edges_.empty(); }
  /// The texts of one circle, a line each; empty when there is none.
  std::string describe_cycle() const;

 private:
  struct Edge {
    uint64_t to = 0;
    std::string text;
  };
  std::unordered_map<uint64_t, Edge> edges_;
};

}  // namespace odonata::network
