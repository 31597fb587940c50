// SPDX-License-Identifier: Apache-2.0
// SystemC: a local link of the group in one direction, with the physical coding sublayer in front of it
// (docs/congestion.md §4).
#pragma once

#include <functional>
#include <vector>

#include "hw/congestion/clocked_module.h"
#include "models/congestion/pcs_transport.h"

namespace odonata::congestion {

struct PcsRegisters {
  Frame out;
  bool reset = false;  ///< at the last edge; publish() clears everything
};

/// The physical coding sublayer alone: a pipeline of `latency` >= 1 cycles.
class PcsTransportModule : public ClockedModule<PcsRegisters> {
 public:
  PcsTransportModule(const sc_core::sc_module_name& name, hw::Tick& tick, int latency, Drive<PcsInputs> pins)
      : ClockedModule(name, tick), pipe_(latency), pins_(std::move(pins)) {
    SC_HAS_PROCESS(PcsTransportModule);
    SC_METHOD(move);
    sensitive << edge();
    dont_initialize();
  }
  /// The frame at the output pins.
  const Frame& out() const { return now().out; }
  void trace(sc_core::sc_trace_file* file) const override {
    trace_signal(file, out().valid, "valid", 1);
    trace_signal(file, out().bits, "bits", 16);
    trace_signal(file, out().crc, "crc", kCrcBits);
    trace_signal(file, out().phase, "phase", 1);
  }

 protected:
  virtual void move() {
    const PcsInputs& in = pins_();
    next() = {pipe_.step(in.frame.valid ? in.frame : Frame{}), in.reset};
  }
  void publish() override {
    if (!now().reset) return;
    clear();
    pipe_.reset();
  }

 private:
  PcsTransport pipe_;
  Drive<PcsInputs> pins_;
};

/// A pipeline of pcs + link cycles with the frames in flight; the link may lose or damage frames.
class LocalLinkModule : public ClockedModule<Frame> {
 public:
  /// `sender` gives the frame at the sender's pins. Latencies in cycles: pcs >= 1, link >= 0.
  LocalLinkModule(const sc_core::sc_module_name& name, hw::Tick& tick, int pcs, int link, int h, LinkFaults faults,
                  uint64_t seed, std::function<Frame()> sender)
      : ClockedModule(name, tick),
        pipe_(pcs + link),
        h_(h),
        faults_(faults),
        random_(seed),
        sender_(std::move(sender)) {
    SC_HAS_PROCESS(LocalLinkModule);
    SC_METHOD(move);
    sensitive << edge();
    dont_initialize();
  }
  /// The frame at the receiver's pins.
  const Frame& out() const { return now(); }

 private:
  void move() { next() = pipe_.step(pass_link(sender_(), h_, faults_, random_)); }

  PcsTransport pipe_;
  const int h_;
  const LinkFaults faults_;
  Random random_;
  std::function<Frame()> sender_;
};

}  // namespace odonata::congestion
