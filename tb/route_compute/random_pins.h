// SPDX-License-Identifier: Apache-2.0
// Random pins of a route-compute unit: requests, congestion, valid and refused configuration operations, resets.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "models/common/random.h"
#include "models/route_compute/unit.h"
#include "tb/common/random_bits.h"
#include "tb/harness/stimulus.h"

namespace odonata::cosim {

/// Starts with a reset and the whole configuration of a random port; then the loads change every few hundred cycles. A
/// configuration operation is held until the unit takes it. After a random reset the unit is configured anew, in part,
/// during traffic.
class RandomPins final : public Stimulus<route_compute::UnitInputs, route_compute::UnitOutputs> {
 public:
  using Inputs = route_compute::UnitInputs;
  using Outputs = route_compute::UnitOutputs;

  RandomPins(const Dragonfly& d, uint64_t seed) : d_(d), random_(seed) { new_port(); }

  bool next(const Outputs& last, Inputs& in) override {
    if (cycle_++ % 256 == 0) new_phase();
    // What the last cycle offered was taken at its edge if the unit was ready before that edge.
    in.reset = cycle_ <= 2 || (started_ && random_.chance(reset_rate_));
    if (in.reset && cycle_ > 2) new_port();
    request(in);
    congestion(in);
    operation(last.cfg_ready != 0 || cycle_ <= 2, in);
    return true;
  }

 private:
  int below(int n) { return static_cast<int>(random_.below(static_cast<uint32_t>(n))); }
  bool chance(double p) { return random_.chance(p); }

  void new_phase() {
    constexpr double kLoads[] = {0, 0.1, 0.5, 0.9, 1};
    constexpr double kRates[] = {0, 0.05, 0.5, 1};
    load_ = kLoads[below(5)];
    operation_rate_ = kRates[below(4)];
    local_density_ = below(5);
    global_density_ = below(5);
    reset_rate_ = chance(0.1) ? 0.01 : 0;
  }
  void new_port() {
    own_ = {below(d_.g()), below(d_.a())};
    const int port = chance(0.5) ? below(d_.p()) : below(d_.num_ports());
    writes_ = route_compute::configuration_writes(d_, own_, port, table::configure(d_, own_, port),
                                                  static_cast<uint16_t>(1 + below(65535)));
    written_ = 0;
    started_ = false;
    pending_.reset();
  }

  void request(Inputs& in) {
    in.req_valid = started_ && chance(load_);
    Address to{below(d_.g()), below(d_.a()), below(d_.p())};
    if (chance(0.3)) to.gid = own_.gid;
    if (chance(0.3)) to.bid = own_.bid;
    in.req_dest = chance(0.05) ? static_cast<uint32_t>(below(1 << 18)) : route_compute::pack_address(to);
    in.req_src_gid = static_cast<uint16_t>(chance(0.5) ? own_.gid : below(512));
    in.req_vc = static_cast<uint8_t>(below(4));
  }
  void congestion(Inputs& in) {
    in.congestion.local = random_bits(random_, local_density_) & low_mask(d_.num_ports());
    GroupMap map = GroupMap::low(d_.group_ports());
    for (uint64_t& word : map.word) word &= word != 0 ? random_bits(random_, global_density_) : 0;
    in.congestion.global = map;
    in.congestion.busy_local = random_bits(random_, local_density_) & low_mask(d_.num_ports());
    for (uint64_t& word : map.word) word = random_bits(random_, global_density_);
    in.congestion.busy_global = map & GroupMap::low(d_.group_ports());
  }

  void operation(bool ready, Inputs& in) {
    if (!pending_ && !in.reset) pending_ = new_operation();
    in.cfg_valid = pending_.has_value() && !in.reset;
    if (!in.cfg_valid) return;
    in.cfg_write = pending_->cfg_write;
    in.cfg_addr = pending_->cfg_addr;
    in.cfg_wdata = pending_->cfg_wdata;
    if (ready) pending_.reset();
  }
  std::optional<Inputs> new_operation() {
    if (written_ < writes_.size()) {
      // The whole configuration at the start, the rest of it during traffic after a reset.
      if (cycle_ > 10000 && written_ > 4 && chance(0.02)) started_ = true;
      return write(writes_[written_++]);
    }
    started_ = true;
    if (!chance(operation_rate_)) return std::nullopt;
    switch (below(8)) {
      case 0:
        return read();
      case 1:
        return garbage();
      case 2:
        return write({route_compute::reg::kTableC + 8 * static_cast<uint32_t>(below(d_.a())), entry_c()});
      case 3:
        return write(register_write());
      default:
        return write(writes_[static_cast<size_t>(below(static_cast<int>(writes_.size())))]);
    }
  }
  static Inputs write(const route_compute::RegisterWrite& w) {
    Inputs in;
    in.cfg_write = true;
    in.cfg_addr = static_cast<uint16_t>(w.address / 8);
    in.cfg_wdata = w.data;
    return in;
  }
  Inputs read() {
    Inputs in;
    in.cfg_addr = address();
    in.cfg_wdata = random_.next();
    return in;
  }
  Inputs garbage() {
    Inputs in;
    in.cfg_write = true;
    in.cfg_addr = address();
    in.cfg_wdata = random_.next() & random_.next() & (chance(0.5) ? ~0ull : low_mask(below(64)));
    return in;
  }
  uint16_t address() {
    if (chance(0.3)) return static_cast<uint16_t>(below(4096));
    if (chance(0.4)) return static_cast<uint16_t>(route_compute::reg::kId / 8 + static_cast<uint32_t>(below(20)));
    return static_cast<uint16_t>(writes_[static_cast<size_t>(below(static_cast<int>(writes_.size())))].address / 8 +
                                 static_cast<uint32_t>(below(2)));
  }
  uint64_t entry_c() {
    table::EntryC c;
    for (int& port : c.port) port = chance(0.5) ? d_.first_local() + below(d_.a() - 1) : -1;
    return c.encode();
  }
  route_compute::RegisterWrite register_write() {
    namespace reg = route_compute::reg;
    switch (below(5)) {
      case 3:
        return {reg::kRule, static_cast<uint64_t>(below(8))};
      case 0:
        return {reg::kRouterId, static_cast<uint64_t>(below(d_.g()) << 5 | below(d_.a()))};
      case 1:
        return {reg::kPort, static_cast<uint64_t>(below(8))};
      case 2:
        return {reg::kThreshold, random_.next() & 0xFFFFFFFF};
      default:
        return {reg::kLfsr, static_cast<uint64_t>(below(65536))};
    }
  }

  const Dragonfly d_;
  Random random_;
  RouterId own_;
  std::vector<route_compute::RegisterWrite> writes_;
  size_t written_ = 0;
  bool started_ = false;
  uint64_t cycle_ = 0;
  double load_ = 0, operation_rate_ = 0, reset_rate_ = 0;
  int local_density_ = 0, global_density_ = 0;  // of random_bits
  std::optional<Inputs> pending_;
};

}  // namespace odonata::cosim
