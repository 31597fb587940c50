// SPDX-License-Identifier: Apache-2.0
// SystemC: configuration registers and counters of a router's congestion plane (docs/congestion.md §6).
#pragma once

#include "hw/congestion/clocked_module.h"
#include "models/congestion/registers.h"

namespace odonata::congestion {

/// Pins of the configuration block.
struct ConfigInputs {
  bool reset = false, valid = false, write = false;
  uint16_t address = 0;  ///< 12 bits, words
  uint64_t data = 0;
  std::array<int, reg::kNumCounters> events{};  ///< pulses of this cycle a counter
};

struct ConfigRegisters {
  bool c0_valid = false, c0_write = false;
  uint16_t c0_address = 0;
  uint64_t c0_data = 0;
  bool c1_valid = false, c1_error = false, ack = false, error = false;
  uint64_t c1_data = 0, data = 0;
};

class CongestionConfigModule : public ClockedModule<ConfigRegisters> {
 public:
  CongestionConfigModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                         Drive<ConfigInputs> pins)
      : ClockedModule(name, tick), pins_(std::move(pins)), registers_(d), shown_(d) {
    SC_HAS_PROCESS(CongestionConfigModule);
    SC_METHOD(operate);
    sensitive << edge();
    dont_initialize();
  }
  /// The registers since the last edge settled.
  const Registers& registers() const { return shown_; }
  const ConfigRegisters& out() const { return now(); }
  /// A write without time, for transport_dbg; the caller has checked it.
  void poke(uint32_t word_address, uint64_t data) {
    registers_.write(word_address, data);
    shown_.write(word_address, data);
  }

 private:
  void operate() {
    const ConfigInputs& in = pins_();
    reset_ = in.reset;
    next().ack = now().c1_valid;
    next().error = now().c1_error;
    next().data = now().c1_data;
    const bool refused = now().c0_valid && registers_.refused(now().c0_write, now().c0_address, now().c0_data);
    next().c1_valid = now().c0_valid;
    next().c1_error = refused;
    next().c1_data = now().c0_valid && !refused && !now().c0_write ? registers_.read(now().c0_address) : 0;
    if (now().c0_valid && now().c0_write && !refused) registers_.write(now().c0_address, now().c0_data);
    for (int k = 0; k < reg::kNumCounters; ++k) registers_.counter(k) += in.events[k];
    next().c0_valid = in.valid;
    next().c0_write = in.write;
    next().c0_address = in.address;
    next().c0_data = in.data;
  }
  void publish() override {
    if (reset_) {
      clear();
      registers_.reset();
    }
    shown_ = registers_;
  }

  Drive<ConfigInputs> pins_;
  Registers registers_, shown_;
  bool reset_ = false;
};

}  // namespace odonata::congestion
