// SPDX-License-Identifier: Apache-2.0
// The SystemC pipeline behind the TLM sockets.
#pragma once

#include "hw/route_compute/pipeline.h"
#include "hw/route_compute/target.h"

namespace odonata::route_compute {

/// `Pipeline` is RouteComputePipeline or, in tests, a subclass with a planted bug. transport_dbg reads and writes the
/// unit itself.
template <class Pipeline>
class BasicPipelineTarget : public RouteComputeTarget {
 public:
  BasicPipelineTarget(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d)
      : RouteComputeTarget(name, d), core_("pipeline", tick, d, *this) {}

  RouteComputePipeline& pipeline() { return core_; }

 protected:
  bool debug_read(uint32_t word_address, uint64_t& data) const override { return core_.debug_read(word_address, data); }
  bool debug_write(uint32_t word_address, uint64_t data) override { return core_.debug_write(word_address, data); }

 private:
  Pipeline core_;
};

using PipelineTarget = BasicPipelineTarget<RouteComputePipeline>;

}  // namespace odonata::route_compute
