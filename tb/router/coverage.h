// SPDX-License-Identifier: Apache-2.0
// What has to be seen of the data path before a campaign counts as complete (docs/router.md §2).
#pragma once

#include "models/router/data_path.h"
#include "tb/harness/coverage.h"

namespace odonata::cosim {

class DataCoverage {
 public:
  explicit DataCoverage(const router::DataConfig& config);
  /// Call once a cycle, after the golden data path has stepped with `in`.
  void sample(const router::DataInputs& in, const router::DataPath& path);
  const Coverage& coverage() const { return bins_; }

 private:
  /// What input port gave up in a phase.
  struct GivenUp {
    bool any = false, dropped = false;
    int in_vc = 0, out_port = 0, out_vc = 0;
  };
  /// What of a virtual channel the next sample has to know.
  struct Before {
    int flits = 0, answered = 0;
    bool begun = false, tail = false;  ///< the first flit is no head, is a tail
    bool poisoned = false;
    int come = 0;
  };
  static GivenUp given_up(const router::DataOutputs& out, int port, int phase);
  int port_class(int port) const {
    return config_.is_node(port) ? 0 : port < config_.nodes + config_.routers - 1 ? 1 : 2;
  }
  void sample_input(int port, const router::DataInputs& in, const router::DataPath& path);
  void sample_pair(int port, const GivenUp& a, const GivenUp& b);
  void sample_waits(int port, const router::DataOutputs& out, const router::DataPath& path);
  void sample_output(int port, const router::DataInputs& in, const router::DataPath& path);
  void sample_arrival(int port, const router::DataInputs& in, const router::DataPath& path);
  void sample_cuts(const router::DataInputs& in, const router::DataPath& path);
  void sample_death(const router::DataInputs& in);
  void remember(const router::DataInputs& in, const router::DataPath& path);

  router::DataConfig config_;
  Coverage bins_;
  int grant_ = 0, drop_ = 0, pair_ = 0, into_ = 0, at_once_ = 0, waits_ = 0, refused_ = 0, fifo_ = 0, back_ = 0,
      freed_ = 0, death_ = 0, cut_ = 0, reset_ = 0, turn_ = 0, slot_ = 0, length_ = 0, in_two_ = 0, poison_ = 0,
      alone_ = 0;
  // Of the cycle before.
  std::array<std::array<Before, router::kNumVcs>, router::kMaxPorts> before_{};
  std::array<std::array<int, 4>, router::kMaxPorts> asking_{};
  std::array<std::array<int, router::kNumVcs>, router::kMaxPorts> credits_{};
  std::array<int, router::kMaxPorts> fifo_before_{}, last_input_{}, last_vc_{};
  router::DataOutputs out_before_;
  std::array<unsigned, router::kMaxPorts> fresh_{};  // poisoned tails that it has made, by VC
  bool alive_before_ = true, any_held_ = false;
};

}  // namespace odonata::cosim
