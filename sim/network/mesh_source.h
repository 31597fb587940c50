// SPDX-License-Identifier: Apache-2.0
// Who creates packets on a mesh: Bernoulli processes with the destinations of a pattern and a mix of lengths, or a trace (docs/mesh.md §4, §5).
#pragma once

#include <algorithm>
#include <numeric>
#include <optional>

#include "models/traffic/mesh_pattern.h"
#include "sim/network/traffic_source.h"

namespace odonata::network {

class MeshSource {
 public:
  static constexpr uint32_t kLast = PatternSource::kLast;

  explicit MeshSource(const Config& config) : lengths_(config.mesh.lengths), gap_(config.load / mean_length(config.mesh.lengths)) {
    const arb_request::Mesh mesh(config.mesh.radix);
    if (!config.mesh.trace) {
      pattern_ = traffic::MeshPattern::parse(mesh, config.traffic, config.seed);
      return;
    }
    trace_.resize(static_cast<size_t>(mesh.routers()));
    for (const traffic::TracePacket& p : config.mesh.trace->packets) trace_[p.source].push_back({p.cycle, p.dest, p.flits});
  }
  /// The packet after one that was created in cycle `before`; `before` = -1 cast to unsigned for the first.
  Packet next(uint32_t node, uint32_t before, Random& random) const {
    if (!pattern_) return next_of_trace(trace_[node], before + 1);
    const uint32_t gap = gap_.draw(random);
    if (gap == GeometricGap::kNever || before + gap > kLast) return {kLast, 0, 1};
    const auto dest = static_cast<uint32_t>(pattern_->destination(static_cast<int>(node), random));
    const size_t length = lengths_.size() == 1 ? 0 : random.below(static_cast<uint32_t>(lengths_.size()));
    return {before + gap, dest, static_cast<uint8_t>(lengths_[length])};
  }

 private:
  static double mean_length(const std::vector<int>& lengths) {
    return std::accumulate(lengths.begin(), lengths.end(), 0.0) / static_cast<double>(lengths.size());
  }
  static Packet next_of_trace(const std::vector<Packet>& list, uint32_t from) {
    const auto found = std::lower_bound(list.begin(), list.end(), from, [](const Packet& p, uint32_t cycle) { return p.born < cycle; });
    return found == list.end() ? Packet{kLast, 0, 1} : *found;
  }

  std::vector<int> lengths_;
  GeometricGap gap_;
  std::optional<traffic::MeshPattern> pattern_;
  std::vector<std::vector<Packet>> trace_;  // by node, in order; when there is no pattern
};

}  // namespace odonata::network
