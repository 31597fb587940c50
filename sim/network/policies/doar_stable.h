// SPDX-License-Identifier: Apache-2.0
// doar_stable: DOAR with a second, lower threshold for non-minimal candidates and the minimal port when nothing is free
// (docs/network.md §12). The decision is the golden model's, with Rule kStableRule; Doar keeps the second congestion
// plane, this tells it what the first one is told.
#pragma once

#include "sim/network/policies/doar.h"

namespace odonata::network {

inline constexpr const char* kDoarStableText =
    "doar without collapse: detours only to ports below a second threshold, else minimal (own rule)";

/// `Base`: Doar, DoarLive or DoarPiped.
template <class Base>
class Stable : public Base {
 public:
  using Base::Base;

  void begin_cycle(uint32_t cycle) {
    Base::begin_cycle(cycle);
    this->busy_->begin_cycle(cycle);
  }
  [[gnu::always_inline]] void credit(int output) {
    Base::credit(output);
    this->busy_->credit(output);
  }
  void settle() {
    Base::settle();
    this->busy_->settle();
  }
  [[gnu::always_inline]] void sent(int output, bool between, uint32_t cycle, uint32_t departed) {
    Base::sent(output, between, cycle, departed);
    this->busy_->sent(output, departed);
  }
  void rides(int output, uint32_t cycle) {
    Base::rides(output, cycle);
    this->busy_->rides(output, cycle);
  }
};

}  // namespace odonata::network
