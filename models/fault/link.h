// SPDX-License-Identifier: Apache-2.0
// Link level of the fault plane: one end of a link sends numbered messages until they are acknowledged and takes only
// what comes in order and whole (go-back-N; docs/fault.md §2 "Frame").
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "models/fault/packet.h"

namespace odonata::fault {

/// The link level of a network. Off: a wire that delivers every message, without frames and acknowledgements.
struct LinkLevel {
  bool enabled = false;
  double corrupt = 0;  ///< probability that a frame is damaged on the wire
  uint64_t seed = 1;   ///< of the damage
};

/// What arrives of a frame sent in `cycle` by a port: the frame, or with probability link.corrupt a damaged one. Three
/// of four damaged frames have one to three wrong bits (all are seen by the CRC); the fourth has a right CRC around a
/// content that must not be applied.
uint64_t pass_wire(uint64_t word, const LinkLevel& link, int router, int port, int64_t cycle);

class LinkEnd {
 public:
  static constexpr int kWindow = 8;      ///< messages that may be unacknowledged
  static constexpr int kTimeout = 1024;  ///< cycles without an acknowledgement before everything is sent again

  explicit LinkEnd(const Dragonfly& d) : d_(d) {}

  /// Puts a message into the output queue. Returns false (and takes nothing) when `queue_limit` messages are already
  /// waiting.
  bool push(const Message& message, int queue_limit = 1 << 30);
  /// The frame to put on the wire in this cycle; answers go before messages. 0 (a reserved type) is never sent: nothing
  /// = idle.
  std::optional<uint64_t> transmit(int64_t cycle);
  /// Takes a frame from the wire; a message that arrives in order and well-formed is returned.
  std::optional<Message> receive(uint64_t word, int64_t cycle);
  /// The link went down: both queues are emptied, numbers start at 0.
  void reset();

  /// Whether transmit() has something to send now, a timeout aside.
  bool has_frame() const { return owes_ask_ || owes_ack_ || (flying_ < kWindow && flying_ < waiting()); }
  /// The cycle in which everything is sent again if nothing is acknowledged before; -1: nothing is on its way.
  int64_t timeout() const { return flying_ > 0 ? last_progress_ + kTimeout + 1 : -1; }

  int waiting() const { return static_cast<int>(queue_.size()); }
  uint64_t dropped() const {
    return dropped_;
  }  ///< frames with a wrong CRC, a malformed content or an unexpected number
  uint64_t malformed() const { return malformed_; }  ///< of these: right CRC, but no message that may be applied
  uint64_t sent_again() const { return sent_again_; }

 private:
  void go_back(int sequence, int64_t cycle);
  Dragonfly d_;
  std::deque<Message> queue_;  ///< the first `flying_` are sent and not acknowledged
  int flying_ = 0;
  uint8_t base_ = 0;      ///< number of queue_.front()
  uint8_t expected_ = 0;  ///< number that the receiver wants
  bool asked_ = false, owes_ack_ = false, owes_ask_ = false;
  int64_t last_progress_ = 0;
  uint64_t dropped_ = 0, malformed_ = 0, sent_again_ = 0;
};

}  // namespace odonata::fault
