// SPDX-License-Identifier: Apache-2.0
// SystemC: bitmap collector of a router with its ring (docs/congestion.md §5; DOAR §3.1, Fig. 5).
//
//   pins  r0  sample  |  store (CRC, latest value, silence)  |  multiplex (slot -> ring word)
//                     |  ring (word by word from stop to stop)
#pragma once

#include <vector>

#include "hw/congestion/clocked_module.h"
#include "models/congestion/bitmap_collector.h"

namespace odonata::congestion {

/// What goes round the ring: a router's H congested and H busy bits.
struct RingWord {
  bool valid = false;
  uint8_t bid = 0;
  uint16_t bits = 0, busy = 0;
};

struct CollectorRegisters {
  CollectorInputs r0;
  int count = 0, slot = 0;
  std::array<uint16_t, kMaxLocalPorts> latest{}, latest_busy{};
  std::array<uint8_t, kMaxLocalPorts> silent{};
  uint32_t good = 0, bad = 0;
  std::array<RingWord, kMaxRingStops> ring{};  // [k] is the input of stop k
};

class BitmapCollectorModule : public ClockedModule<CollectorRegisters> {
 public:
  BitmapCollectorModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                        Drive<CollectorInputs> pins);
  const CollectorOutputs& out() const { return out_; }
  /// All registers, and the maps at ring stop 0 (words of 64 bits).
  void trace(sc_core::sc_trace_file* file) const override;

 protected:
  virtual void sample();
  virtual void store();
  virtual void multiplex();
  virtual void ring();
  void publish() override;

 private:
  bool stale(int port) const;

  const int a_, h_, stops_;
  Drive<CollectorInputs> pins_;
  std::array<GroupMap, kMaxRingStops> map_{}, busy_map_{};  // written by ring() only; shown by publish()
  CollectorOutputs out_;
};

}  // namespace odonata::congestion
