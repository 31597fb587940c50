// SPDX-License-Identifier: Apache-2.0
// Oracle of the data path: docs/router.md §2.2 and §2.3 sentence by sentence, slowly, without a line of the model.
#pragma once

#include <vector>

#include "models/common/cycle_device.h"
#include "models/router/data_config.h"
#include "models/router/router_data_pins.h"

namespace odonata::cosim {

class DataOracle final : public CycleDevice<router::DataInputs, router::DataOutputs> {
 public:
  explicit DataOracle(const router::DataConfig& config) : c_(config), n_(config.num_ports()) { after_reset(); }
  void step(const router::DataInputs& in, router::DataOutputs& out) override;

 private:
  using FlitWords = std::vector<uint64_t>;
  struct RouteEntry {
    int port, vc;
  };
  struct Tag {
    bool valid = false;
    int vc = 0;
  };
  template <class T>
  using ByVc = std::vector<std::vector<T>>;  // [port][vc]

  void after_reset();
  void edge(const router::DataInputs& in);
  void phase(int number, router::DataOutputs& out);
  void cut(int k, int v, router::DataOutputs& out);
  bool can_move(int k, int v) const;
  RouteEntry way(int k, int v) const { return poison_[k][v].empty() ? routes_[k][v].front() : poison_[k][v].front(); }
  bool is_node(int k) const { return k < c_.nodes; }
  static std::vector<int> turn(int first, int n);

  router::DataConfig c_;
  int n_;
  ByVc<std::vector<FlitWords>> flits_;
  ByVc<std::vector<RouteEntry>> routes_;
  ByVc<std::vector<RouteEntry>> poison_;  // none or one
  ByVc<int> come_, credits_, owed_;
  ByVc<bool> begun_, held_;
  std::vector<std::vector<Tag>> tag_;
  std::vector<int> vc_pointer_, input_pointer_;
  std::vector<std::vector<FlitWords>> fifo_;
  int packet_last_ = 0;
  int64_t cycle_ = 0;
};

}  // namespace odonata::cosim
