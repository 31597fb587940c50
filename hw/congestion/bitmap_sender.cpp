// SPDX-License-Identifier: Apache-2.0
#include "hw/congestion/bitmap_sender.h"

#include "models/common/bits.h"

namespace odonata::congestion {

BitmapSenderModule::BitmapSenderModule(const sc_core::sc_module_name& name, hw::Tick& tick, int local_ports, Drive<SenderInputs> pins)
    : ClockedModule(name, tick), all_ports_(static_cast<uint32_t>(low_mask(local_ports))), pins_(std::move(pins)) {
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

/// Counts the interval; at its end the bitmap that r0 holds becomes the one to send.
void BitmapSenderModule::latch() {
  next().count = last() ? 0 : (now().count + 1) % 256;
  if (!last()) return;
  next().latched = now().r0.congested;
  next().crc = frame_crc(now().r0.own_bid, now().r0.congested);
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
  }
  next().pending = last() ? all_ports_ : now().pending & ~ride();
}

void BitmapSenderModule::publish() {
  if (!now().r0.reset) return;
  clear();
}

}  // namespace odonata::congestion
