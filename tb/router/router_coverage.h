// SPDX-License-Identifier: Apache-2.0
// What has to be seen where the blocks of a router meet: fault plane, table, look-ups, slots, configuration
// (docs/router.md §3).
#pragma once

#include "tb/harness/coverage.h"
#include "tb/router/golden_router.h"

namespace odonata::cosim {

class WholeRouterCoverage {
 public:
  explicit WholeRouterCoverage(const Dragonfly& d);
  /// Call once a cycle, after the golden router has stepped with `in`.
  void sample(const router::RouterInputs& in, const router::RouterOutputs& out, const GoldenRouter& golden);
  const Coverage& coverage() const { return bins_; }

 private:
  int port_class(int port) const { return static_cast<int>(d_.port_class(port)); }
  void sample_look_up(int port, const GoldenRouter& golden);
  void sample_messages(int port, const router::RouterInputs& in, const router::RouterOutputs& out,
                       const GoldenRouter& golden);
  void sample_configuration(int port, const router::RouterInputs& in, const router::RouterOutputs& out,
                            const GoldenRouter& golden);
  void sample_life(const router::RouterInputs& in, const router::RouterOutputs& out, const GoldenRouter& golden);

  Dragonfly d_;
  Coverage bins_;
  int served_ = 0, isolated_ = 0, written_ = 0, look_ = 0, unheard_ = 0, special_ = 0, edge_ = 0, slot_ = 0,
      arrives_ = 0, held_ = 0, cleared_ = 0, life_ = 0;
  bool alive_ = true;
  PortMap busy_ = 0;  // in the cycle before
};

}  // namespace odonata::cosim
