// SPDX-License-Identifier: Apache-2.0
// SystemC: bitmap sender of a router (docs/congestion.md §3; DOAR §3.1). Clocked methods: sample, latch (interval and
// bitmap), send (frames).
#pragma once

#include "hw/congestion/clocked_module.h"
#include "models/congestion/bitmap_sender.h"

namespace odonata::congestion {

struct SenderRegisters {
  SenderInputs r0;
  int count = 0;
  uint16_t latched = 0;
  bool phase = false;  // of what is latched
  uint8_t crc = 0;
  uint32_t pending = 0;
  SenderOutputs frames;
};

class BitmapSenderModule : public ClockedModule<SenderRegisters> {
 public:
  BitmapSenderModule(const sc_core::sc_module_name& name, hw::Tick& tick, int local_ports, Drive<SenderInputs> pins);
  const SenderOutputs& out() const { return now().frames; }
  /// All registers.
  void trace(sc_core::sc_trace_file* file) const override;

 protected:
  virtual void sample();
  virtual void latch();
  virtual void send();
  void publish() override;

 private:
  bool last() const { return interval_ends(now().count, now().r0.interval); }
  uint32_t ride() const { return now().pending & now().r0.flit & now().r0.tail; }

  const int local_ports_;
  const uint32_t all_ports_;
  Drive<SenderInputs> pins_;
};

}  // namespace odonata::congestion
