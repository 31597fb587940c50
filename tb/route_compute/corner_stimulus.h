// SPDX-License-Identifier: Apache-2.0
// Random corner cases: short scenes, each with its own extremes of tables, congestion, request rate and operations.
#pragma once

#include <array>
#include <cstddef>

#include "models/common/random.h"
#include "tb/harness/stimulus.h"
#include "tb/route_compute/config_driver.h"

namespace odonata::cosim {

struct CornerOptions {
  uint64_t seed = 1;
  uint64_t cycles = 0;     ///< ends after so many cycles; 0 = no limit
  int scene_cycles = 200;  ///< mean length of a scene
  bool bare = false;       ///< most resets leave the identity as it is then: requests meet the registers' reset values
};

/// Endless unless limited. It starts with a reset and a full configuration, so that no RAM word is read before it was
/// written; after that anything valid may stand anywhere. A scene begins with a new identity (router, port class,
/// arrangement), half of the time, with or without a reset, and with new entries for a few destinations, the focus,
/// which most requests of the scene go to.
class CornerStimulus final : public Stimulus<route_compute::UnitInputs, route_compute::UnitOutputs> {
 public:
  CornerStimulus(const Dragonfly& d, const CornerOptions& options);
  bool next(const route_compute::UnitOutputs& last, route_compute::UnitInputs& in) override;

 private:
  enum class CongestionKind {
    none,
    all,
    half,
    dense,
    sparse,
    local_all,
    global_all,
    one_local_free,
    one_global_free,
    count
  };

  void begin_scene();
  void write_identity(bool all);
  void write_entries();
  void write_focus_entry(const Address& to);
  void choose_focus();
  void random_operation();
  void random_register_write();
  void random_entry_write();
  void drive_request();
  Address just_outside();
  void draw_congestion();
  bool due(uint32_t sixteenths) { return random_.below(16) < sixteenths; }
  void write(uint32_t base, int index, uint64_t word) {
    driver_.push({true, base + 8 * static_cast<uint32_t>(index), word});
  }

  Dragonfly d_;
  CornerOptions options_;
  Random random_;
  ConfigDriver driver_;
  // Identity after all queued operations.
  RouterId own_;
  PortClass class_ = PortClass::node;
  bool configured_ = false;
  std::array<Address, 4> focus_{};
  uint32_t request_rate_ = 0, operation_rate_ = 0;  // of 16
  CongestionKind congestion_ = CongestionKind::none;
  int congestion_hold_ = 1, congestion_age_ = 0;
  uint64_t cycle_ = 0, scene_end_ = 0;
  int reset_cycles_ = 2;
  route_compute::UnitInputs pins_;
};

}  // namespace odonata::cosim
