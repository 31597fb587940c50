// SPDX-License-Identifier: Apache-2.0
// Configuration of the congestion plane of a group; all that a network simulation has to know of it (docs/congestion.md
// §6).
#pragma once

#include <cstdint>

#include "models/congestion/age.h"
#include "models/topology/dragonfly.h"

namespace odonata::congestion {

struct MonitorInputs;

inline constexpr int kPcsLatency = 30;  ///< cycles, default (DOAR §3.1: about 30)

/// What a link does to frames. Probabilities a frame.
struct LinkFaults {
  double loss = 0;        ///< the frame disappears
  double corruption = 0;  ///< 1 to 3 bits of bitmap and CRC are flipped
};

/// Configuration of a group; the defaults are the reset values of the register map.
struct PlaneConfig {
  int interval = 10;                           ///< cycles, 1..255
  int pcs = kPcsLatency;                       ///< cycles, 1..255
  int link = 10;                               ///< cycles, 0..255
  int local_window = 20, global_window = 200;  ///< cycles, 0..512
  bool local_window_enable = true, global_window_enable = true;
  int local_threshold = 10, global_threshold = 30;            ///< packets
  int local_busy_threshold = 10, global_busy_threshold = 30;  ///< packets; the second thresholds
  bool alternate = false;                          ///< frames carry the `busy` and the `cong` bitmaps in turn
  int local_capacity = 32, global_capacity = 256;  ///< packets a VC
  bool stale_enable = true;
  int stale_limit = 8;  ///< intervals, 1..255
  LinkFaults faults;
  uint64_t seed = 1;  ///< of the link faults

  /// Throws Error that names the field out of range.
  void check() const;
  /// The configuration pins of a local or a global port's monitor.
  void fill(MonitorInputs& in, bool global) const;
  AgeParameters age_parameters(const Dragonfly& d) const;
};

}  // namespace odonata::congestion
