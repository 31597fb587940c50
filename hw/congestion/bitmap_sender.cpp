// SPDX-License-Identifier: Apache-2.0
#include "hw/congestion/bitmap_sender.h"

#include "hw/congestion/bitmap_sender_signals.h"
#include "models/common/bits.h"

namespace odonata::congestion {

BitmapSenderModule::BitmapSenderModule(const sc_core::sc_module_name& name, hw::Tick& tick, int local_ports,
                                       Drive<SenderInputs> pins)
    : ClockedModule(name, tick),
      local_ports_(local_ports),
      all_ports_(static_cast<uint32_t>(low_mask(local_ports))),
      pins_(std::move(pins)) {
  SC_HAS_PROCESS(BitmapSenderModule);
  SC_METHOD(sample);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(latch);
  sensitive << edge();
  dont_initialize();
  SC_METHOD(send);
  sensitive << edge();
  dont_initialize();
}

void BitmapSenderModule::sample() {
  const SenderInputs& in = pins_();
  next().r0 = in;
  if (!in.reset) return;
  next().r0 = {};
  next().r0.reset = true;
}

/// Counts the interval; at its end one of the bitmaps that r0 holds becomes the one to send.
void BitmapSenderModule::latch() {
  next().count = last() ? 0 : (now().count + 1) % 256;
  if (!last()) return;
  const bool busy = now().r0.alternate && !now().phase;
  next().phase = busy;
  next().latched = busy ? now().r0.busy : now().r0.congested;
  next().crc = frame_crc(now().r0.own_bid, next().latched, busy);
}

/// A tail takes the frame along; in the last cycle of the interval an idle frame does.
void BitmapSenderModule::send() {
  SenderOutputs& o = next().frames;
  o = {};
  o.idle = last() ? now().pending & ~ride() : 0;
  o.valid = ride() | o.idle;
  o.stolen = o.idle & now().r0.flit;
  o.latch = last();
  if (o.valid != 0) {
    o.bits = now().latched;
    o.crc = now().crc;
    o.phase = now().phase;
  }
  next().pending = last() ? all_ports_ : now().pending & ~ride();
}

void BitmapSenderModule::publish() {
  if (!now().r0.reset) return;
  clear();
}

void BitmapSenderModule::trace(sc_core::sc_trace_file* file) const {
  const SenderRegisters& r = now();
  trace_pins(file, r.r0, std::string(name()) + ".r0.");
  trace_signal(file, r.count, "count", 8);
  trace_signal(file, r.latched, "latched", 16);
  trace_signal(file, r.crc, "crc", kCrcBits);
  trace_signal(file, r.phase, "phase", 1);
  trace_signal(file, r.pending, "pending", local_ports_);
  trace_pins(file, r.frames, std::string(name()) + ".frame.");
}

}  // namespace odonata::congestion
