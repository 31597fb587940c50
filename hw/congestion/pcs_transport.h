// SPDX-License-Identifier: Apache-2.0
// SystemC: a local link of the group in one direction, with the physical coding sublayer in front of it (docs/congestion.md §4).
#pragma once

#include <functional>
#include <vector>

#include "hw/congestion/clocked_module.h"
#include "models/congestion/pcs_transport.h"

namespace odonata::congestion {

/// A pipeline of pcs + link cycles with the frames in flight; the link may lose or damage frames.
class LocalLinkModule : public ClockedModule<Frame> {
 public:
  /// `sender` gives the frame at the sender's pins. Latencies in cycles: pcs >= 1, link >= 0.
  LocalLinkModule(const sc_core::sc_module_name& name, hw::Tick& tick, int pcs, int link, int h, LinkFaults faults, uint64_t seed,
                  std::function<Frame()> sender)
      : ClockedModule(name, tick), pipe_(pcs + link), h_(h), faults_(faults), random_(seed), sender_(std::move(sender)) {
    SC_HAS_PROCESS(LocalLinkModule);
    SC_METHOD(move);
    sensitive << edge();
    dont_initialize();
  }
  /// The frame at the receiver's pins.
  const Frame& out() const { return now(); }

 private:
  void move() { next() = pipe_.step(pass_link(sender_(), h_, faults_, random_)); }

  PcsTransport pipe_;
  const int h_;
  const LinkFaults faults_;
  Random random_;
  std::function<Frame()> sender_;
};

}  // namespace odonata::congestion
