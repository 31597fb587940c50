// SPDX-License-Identifier: Apache-2.0
// SystemC: one output link of the torus router: credits and owners of its channels, round robin over the input ports
// (docs/torus.md §8).
#pragma once

#include "hw/common/clocked_module.h"
#include "models/torus/units.h"

namespace odonata::torus {

/// The registers, and what they grant to the pins.
struct OutputRegisters {
  OutputOutputs out;  ///< the grant is that of the pins since the last edge
  uint8_t pointer = 0;
};

class TorusOutputModule : public hw::ClockedModule<OutputRegisters> {
 public:
  TorusOutputModule(const sc_core::sc_module_name& name, hw::Tick& tick, int slots, int inputs,
                    hw::Drive<OutputInputs> pins);
  /// The pins since the last edge settled.
  const OutputOutputs& out() const { return shown_; }
  void trace(sc_core::sc_trace_file* file) const override;

 protected:
  void publish() override;
  // The clocked method, and what an input may have. Virtual, so that a test can plant a bug.
  virtual void work();
  virtual bool may(const OutputInputs& in, int input) const;

 private:
  int winner(const OutputInputs& in) const;  ///< -1: nobody
  int slots_, inputs_;
  hw::Drive<OutputInputs> pins_;
  OutputOutputs shown_;
};

}  // namespace odonata::torus
