// SPDX-License-Identifier: Apache-2.0
#include "models/fault/link_unit.h"

namespace odonata::fault {

/// The cycle that ends: the frame for the next one is chosen, the received one is judged, a message of the port is
/// stored.
void LinkUnit::cycle(const LinkInputs& in) {
  tx_ = end_.transmit(cycle_);
  if (rx_) {
    const bool no_room = taken_ && !in.in_ready;
    end_.receive(no_room ? *rx_ ^ 1ull << 39 : *rx_, cycle_);  // no room: as if it had been broken
  }
  if (ready_ && up_ && in.msg_valid) end_.push(decode_message(in.msg));
}

void LinkUnit::step(const LinkInputs& in, LinkOutputs& out) {
  const bool ready_after = !up_ || end_.waiting() + (ready_ ? 1 : 0) < LinkEnd::kWindow;
  if (in.reset) {
    end_ = LinkEnd(d_);
  } else if (!in.link_up) {
    end_.reset();
  } else {
    cycle(in);
  }
  const bool alive = !in.reset && in.link_up;
  if (!alive) tx_.reset();
  rx_.reset();
  if (alive && in.frame_valid) rx_ = in.frame;
  ready_ = !in.reset && ready_after;
  up_ = alive;
  ++cycle_;
  taken_.reset();
  if (rx_) taken_ = LinkEnd(end_).receive(*rx_, cycle_);
  out.in_valid = taken_.has_value();
  out.in_message = taken_ ? encode_message(*taken_) : 0;
  out.ready = !up_ || end_.waiting() + (ready_ ? 1 : 0) < LinkEnd::kWindow;
  out.frame_valid = tx_.has_value();
  out.frame = tx_.value_or(0);
  out.dropped = static_cast<uint16_t>(end_.dropped());
  out.malformed = static_cast<uint16_t>(end_.malformed());
  out.again = static_cast<uint16_t>(end_.sent_again());
}

std::vector<std::string> LinkUnit::describe() const {
  return {std::to_string(end_.waiting()) + " messages kept, " +
          (taken_ ? "a message is delivered: " + to_string(*taken_) : "nothing is delivered")};
}

}  // namespace odonata::fault
