// SPDX-License-Identifier: Apache-2.0
// The input port of a D2RA mesh router in SystemC (docs/arb_request.md §4, §5): V packet-sized sub-queues, S request-logic lanes over a
// rotating subset, input arbitration, selection. What a unit computes is a pure function of models/arb_request; here are time and structure.
//
//   pins -> input registers ----+-> lane 0..S-1 (Fig. 4 b, c + class) -> first that asks -> selection -> request registers -> switch
//        -> sub-queues (V) -----+      ^ window                                                            |
//              ^-------------------------------------------- grant: leave --------------------------------+
#pragma once

#include <memory>
#include <systemc>

#include "models/arb_request/golden_device.h"

namespace odonata::arb_request {

/// One rank of registers, one edge a step. It sits inside a router or a bench that has the clock and the sockets.
class InputPortModule : public sc_core::sc_module, public PortDevice {
 public:
  /// Throws Error on a bad size.
  InputPortModule(const sc_core::sc_module_name& name, const PortSize& size);
  ~InputPortModule() override;

  void step(const PortInputs& in, PortOutputs& out) override;
  /// VCD of the registers, a time step a nanosecond; works without a running kernel.
  void open_trace(const std::string& path) override;
  void close_trace() override;
  const PortSize& size() const { return size_; }

 protected:
  /// All registers.
  struct Registers {
    Query query;  // coordinates and credits; `dest` unused
    Scheme scheme = Scheme::kDor;
    Policy policy = Policy::kRoundRobin;
    std::array<bool, kMaxQueues> occupied{};
    std::array<Lanes, kMaxQueues> dest{};
    int window = 0;
    Selector selector;
    PortRequest request;
    bool credit = false;
    uint64_t probe = 0;
  };
  /// What a lane finds at one edge.
  struct Lane {
    int queue = 0;
    bool asks = false;
    Requests requests;
  };

  // The units. Virtual, so that a test can plant a bug.
  virtual Lane lane(int k) const;                                   ///< request logic of window position k
  virtual int next_window(const Lane* winner) const;                ///< rotating subset
  virtual void select(const Lane* winner, Registers& next) const;   ///< eq. 13 and the request registers
  virtual void store(const PortInputs& in, Registers& next) const;  ///< sub-queues: leave and arrive

  const Registers& now() const { return now_; }
  bool ready() const;

 private:
  void load_inputs(const PortInputs& in, Registers& next) const;
  void show() const;

  const PortSize size_;
  Registers now_;
  struct Trace;
  std::unique_ptr<Trace> trace_;
};

}  // namespace odonata::arb_request
