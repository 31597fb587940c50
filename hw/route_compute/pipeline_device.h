// SPDX-License-Identifier: Apache-2.0
// The SystemC pipeline as a CycleDevice, for the lockstep harness.
#pragma once

#include "hw/common/module_device.h"
#include "hw/route_compute/pipeline.h"

namespace odonata::route_compute {

/// The pipeline with somebody at its pins.
template <class Pipeline>
class PipelineCore final : private UnitPins {
 public:
  PipelineCore(hw::Tick& tick, hw::Drive<UnitInputs> pins, const Dragonfly& d)
      : pins_(std::move(pins)), pipeline_("route_compute", tick, d, static_cast<UnitPins&>(*this)) {}
  const UnitOutputs& out() const { return out_; }
  void open_trace(const std::string& path) { pipeline_.open_trace(path); }
  void close_trace() { pipeline_.close_trace(); }

 private:
  const UnitInputs& drive() override { return pins_(); }
  void deliver(const UnitOutputs& out) override { out_ = out; }

  hw::Drive<UnitInputs> pins_;
  UnitOutputs out_{};
  Pipeline pipeline_;
};

/// `Pipeline` is RouteComputePipeline or, in tests, a subclass with a planted bug.
template <class Pipeline>
struct BasicPipelineDevice final : hw::ModuleDevice<PipelineCore<Pipeline>, UnitInputs, UnitOutputs> {
  explicit BasicPipelineDevice(const Dragonfly& d)
      : hw::ModuleDevice<PipelineCore<Pipeline>, UnitInputs, UnitOutputs>(
            [&](hw::Tick& tick, hw::Drive<UnitInputs> pins) {
              return std::make_unique<PipelineCore<Pipeline>>(tick, std::move(pins), d);
            }) {}
};

using PipelineDevice = BasicPipelineDevice<RouteComputePipeline>;

}  // namespace odonata::route_compute
