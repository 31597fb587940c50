// SPDX-License-Identifier: Apache-2.0
// The input port of a D2RA mesh router in SystemC (docs/arb_request.md §4, §5): V packet-sized sub-queues, S
// request-logic lanes over a rotating subset, input arbitration, selection. What a unit computes is a pure function of
// models/arb_request; here are time and structure.
//
//   pins  sample: input registers --+  examine: lane 0..S-1 (Fig. 4 b, c + class)
//         store: sub-queues (V) ----+      -> first that asks -> selection -> request registers -> switch
//              ^                           ^ window                                                |
//              +---------------------------------------- grant: leave -----------------------------+
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <systemc>

#include "hw/common/tick.h"
#include "models/arb_request/input_port.h"

namespace odonata::arb_request {

/// Gives the pins that the present edge samples: the same to every method of that edge.
using PortPins = std::function<const PortInputs&()>;

/// One rank of registers and a clocked method for each group of them. All methods of an edge read the present registers
/// and write the next ones, which become the present ones when the edge has settled; so the order in which the kernel
/// runs them does not matter.
class InputPortModule : public sc_core::sc_module {
 public:
  /// Throws Error on a bad size. Power-up state is the reset state.
  InputPortModule(const sc_core::sc_module_name& name, hw::Tick& tick, const PortSize& size, PortPins pins);
  ~InputPortModule() override;

  /// The output pins since the last edge settled.
  const PortOutputs& out() const { return out_; }

  /// Writes the registers to a VCD file, from now on until close_trace(). Throws Error when the file cannot be written.
  void open_trace(const std::string& path);
  void close_trace();

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

  // The clocked methods and the units inside examine(). Virtual, so that a test can plant a bug.
  virtual void sample();           ///< pins -> input registers
  virtual void examine();          ///< sub-queues of the window -> request registers, window, selector
  virtual void store();            ///< sub-queues: leave and arrive
  virtual Lane lane(int k) const;  ///< request logic of window position k
  virtual int next_window(const Lane* winner) const;  ///< rotating subset; null: nothing asks
  virtual PortRequest select(const Lane& winner,
                             Selector& selector) const;  ///< eq. 13; the selector advances when it was used

  const Registers& now() const { return now_; }
  Registers& next() { return next_; }
  const PortInputs& pins() const { return pins_(); }

 private:
  struct View;  // what the waveform shows

  bool ready() const;
  void settle();
  void fill_view();

  const PortSize size_;
  PortPins pins_;
  Registers now_, next_;
  PortOutputs out_;
  std::unique_ptr<View> view_;
  sc_core::sc_trace_file* trace_file_ = nullptr;
};

}  // namespace odonata::arb_request
