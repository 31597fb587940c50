// SPDX-License-Identifier: Apache-2.0
// DOAR with the timing of the hardware's route-compute pipeline (docs/network.md §11): the engine asks, decides a cycle
// later and has the answer four cycles later.
#pragma once

#include "sim/network/policies/doar_live.h"

namespace odonata::network {

class DoarPiped : public DoarLive {
 public:
  static constexpr bool kPiped = true;
  using DoarLive::DoarLive;

  /// Stage 1: the LFSR value of a request.
  uint16_t ask(const Place& at) { return draw(at); }
  /// Stages 2 to 4 of a request that asked in the cycle before, with the tables and maps of the present one.
  Route answer(const Flit& flit, const Place& at, uint16_t lfsr) { return decide_live(flit, at, lfsr); }
};

}  // namespace odonata::network
