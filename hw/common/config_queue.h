// SPDX-License-Identifier: Apache-2.0
// Configuration operations on their way from b_transport to the clock edges that serve them, in order.
#pragma once

#include <deque>
#include <systemc>
#include <tlm>

#include "hw/common/memory_map.h"

namespace odonata::hw {

/// An operation is offered, taken by the clocked core, and finished with a response; what is offered at time t is seen
/// by the first edge after t.
class ConfigQueue {
 public:
  using Payload = tlm::tlm_generic_payload;

  /// From b_transport: offers an operation and returns when it is finished.
  void serve(Payload& payload) {
    Call call{&payload, sc_core::sc_time_stamp()};
    offered_.push_back(&call);
    while (!call.done) sc_core::wait(done_);
  }
  /// The oldest operation that the present edge sees and nobody has taken; null: none.
  Payload* offered() const {
    return offered_.empty() || offered_.front()->since >= sc_core::sc_time_stamp() ? nullptr
                                                                                   : offered_.front()->payload;
  }
  /// Takes offered(): it is no longer offered.
  void take() {
    taken_.push_back(offered_.front());
    offered_.pop_front();
  }
  /// The oldest operation that was taken and is not finished; null: none.
  Payload* taken() const { return taken_.empty() ? nullptr : taken_.front()->payload; }
  /// Ends taken().
  void finish(tlm::tlm_response_status status) {
    Call& call = *taken_.front();
    taken_.pop_front();
    call.payload->set_response_status(status);
    call.done = true;
    done_.notify();
  }
  /// A reset: all operations that were taken end with an error.
  void abort() {
    while (!taken_.empty()) finish(tlm::TLM_GENERIC_ERROR_RESPONSE);
  }

 private:
  /// Lives on the stack of the thread that waits for it.
  struct Call {
    Payload* payload;
    sc_core::sc_time since;
    bool done = false;
  };
  std::deque<Call*> offered_, taken_;
  sc_core::sc_event done_;
};

/// The configuration pins of an operation, for units with cfg_valid, cfg_write, cfg_addr (words) and cfg_wdata.
template <class Pins>
void drive_operation(Pins& pins, const tlm::tlm_generic_payload& payload) {
  pins.cfg_valid = true;
  pins.cfg_write = payload.is_write();
  pins.cfg_addr = static_cast<uint16_t>(payload.get_address() / kWordBytes);
  pins.cfg_wdata = payload.is_write() ? load_word(payload) : 0;
}

}  // namespace odonata::hw
