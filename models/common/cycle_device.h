// SPDX-License-Identifier: Apache-2.0
// What the golden cycle model, the SystemC module and the Verilated RTL of a block have in common: a clock edge and
// pins.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace odonata {

/// A synchronous block as its pins show it. One step is one rising clock edge: `in` is sampled, `out` is what the pins
/// show afterwards.
template <class In, class Out>
class CycleDevice {
 public:
  virtual ~CycleDevice() = default;
  virtual void step(const In& in, Out& out) = 0;
  /// Why the present outputs are what they are, a line a statement (a golden model's decision record); empty when it
  /// does not know.
  virtual std::vector<std::string> describe() const { return {}; }
  /// Starts a waveform file; devices without one throw.
  virtual void open_trace(const std::string& path) {
    throw std::runtime_error("this device writes no waveform: " + path);
  }
  /// Finishes the waveform file, if any.
  virtual void close_trace() {}
};

}  // namespace odonata
