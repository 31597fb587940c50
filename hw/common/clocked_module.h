// SPDX-License-Identifier: Apache-2.0
// What clocked modules have in common: methods at the edge compute, one method publishes when the edge has settled.
#pragma once

#include <functional>
#include <string>
#include <type_traits>

#include "hw/common/tick.h"

namespace odonata::hw {

/// Gives the input pins that the present edge samples: what published outputs hold before it settles. The reference
/// stays valid until then.
template <class In>
using Drive = std::function<const In&()>;

/// A module whose clocked methods read the present registers and write the next ones; settle() makes those the present
/// ones. So the order in which the kernel runs the methods of an edge does not matter, within a module and between
/// modules.
template <class Registers>
class ClockedModule : public sc_core::sc_module {
 protected:
  ClockedModule(const sc_core::sc_module_name& name, Tick& tick) : sc_module(name), tick_(tick) {
    using Self = ClockedModule;
    SC_HAS_PROCESS(Self);
    SC_METHOD(settle);
    sensitive << tick.settled();
    dont_initialize();
  }
  /// The rising edge: what the clocked methods (SC_METHOD) of a derived class are sensitive to.
  const sc_core::sc_event& edge() const { return tick_.edge(); }
  const Registers& now() const { return now_; }
  Registers& next() { return next_; }
  /// Adds a signal of at most 64 bits to a waveform as NAME.signal; `value` has to live as long as the module.
  template <class T>
  void trace_signal(sc_core::sc_trace_file* file, const T& value, const std::string& signal, int width) const {
    const std::string full = std::string(name()) + "." + signal;
    if constexpr (std::is_same_v<T, bool>) {
      sc_core::sc_trace(file, value, full);
    } else {
      sc_core::sc_trace(file, value, full, width);
    }
  }
  /// Called when the registers have loaded.
  virtual void publish() {}
  /// Reset, from publish(): all registers are as in `registers`, by default 0.
  void clear(const Registers& registers = {}) { now_ = next_ = registers; }

 private:
  void settle() {
    now_ = next_;
    publish();
  }
  Tick& tick_;
  Registers now_{}, next_{};
};

}  // namespace odonata::hw
