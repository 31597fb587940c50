// SPDX-License-Identifier: Apache-2.0
#include "models/fault/link.h"

#include <bit>

#include "models/common/random.h"

namespace odonata::fault {

uint64_t pass_wire(uint64_t word, const LinkLevel& link, int router, int port, int64_t cycle) {
  if (link.corrupt <= 0) return word;
  Random random(mix_seed(link.seed, static_cast<uint64_t>(router) * 64 + port, static_cast<uint64_t>(cycle)));
  if (!random.chance(link.corrupt)) return word;
  if (random.below(4) == 0)
    return encode_frame(
        {FrameType::message, static_cast<uint8_t>(word >> 26 & 15), {Kind::diagnosis, MessageClass::d, 0, 0, 0, 0}});
  const int wrong_bits = 1 + static_cast<int>(random.below(3));
  uint64_t damage = 0;
  while (std::popcount(damage) < wrong_bits) damage |= 1ull << random.below(40);
  return word ^ damage;
}

bool LinkEnd::push(const Message& message, int queue_limit) {
  if (waiting() >= queue_limit) return false;
  queue_.push_back(message);
  return true;
}

void LinkEnd::reset() {
  const uint64_t dropped = dropped_, malformed = malformed_, again = sent_again_;
  *this = LinkEnd(d_);
  dropped_ = dropped;
  malformed_ = malformed;
  sent_again_ = again;
}

std::optional<uint64_t> LinkEnd::transmit(int64_t cycle) {
  if (owes_ask_) {
    owes_ask_ = false;
    asked_ = true;
    return encode_frame({FrameType::ask_again, expected_, {Kind::diagnosis, MessageClass::d, 0, 0, 0, 0}});
  }
  if (owes_ack_) {
    owes_ack_ = false;
    return encode_frame({FrameType::acknowledge, expected_, {Kind::diagnosis, MessageClass::d, 0, 0, 0, 0}});
  }
  if (flying_ > 0 && cycle - last_progress_ > kTimeout) go_back(base_, cycle);
  if (flying_ >= kWindow || flying_ >= waiting()) return std::nullopt;
  if (flying_ == 0) last_progress_ = cycle;
  const uint8_t sequence = (base_ + flying_) & 15;
  return encode_frame({FrameType::message, sequence, queue_[static_cast<size_t>(flying_++)]});
}

/// The other end has everything before `sequence` and nothing from it on.
void LinkEnd::go_back(int sequence, int64_t cycle) {
  const int done = (sequence - base_) & 15;
  if (done > flying_) return;  // not a number that is on its way
  for (int i = 0; i < done; ++i) queue_.pop_front();
  base_ = static_cast<uint8_t>(sequence);
  sent_again_ += static_cast<uint64_t>(flying_ - done);
  flying_ = 0;
  last_progress_ = cycle;
}

std::optional<Message> LinkEnd::receive(uint64_t word, int64_t cycle) {
  const std::optional<Frame> f = decode_frame(word);
  const auto drop = [&]() -> std::optional<Message> {
    ++dropped_;
    if (!asked_) owes_ask_ = true;
    return std::nullopt;
  };
  if (!f) return drop();
  if (f->type == FrameType::acknowledge) {
    const int done = (f->sequence - base_) & 15;
    for (int i = 0; i < done && done <= flying_; ++i) queue_.pop_front();
    if (done > 0 && done <= flying_) {
      flying_ -= done;
      base_ = f->sequence;
      last_progress_ = cycle;
    }
    return std::nullopt;
  }
  if (f->type == FrameType::ask_again) {
    go_back(f->sequence, cycle);
    return std::nullopt;
  }
  if (!well_formed(f->message, d_)) {
    ++malformed_;
    return drop();
  }
  if (f->sequence != expected_) {
    const bool repeated = ((expected_ - f->sequence) & 15) <= kWindow;
    if (!repeated) return drop();
    ++dropped_;
    owes_ack_ = true;
    return std::nullopt;
  }
  expected_ = (expected_ + 1) & 15;
  asked_ = false;
  owes_ack_ = true;
  return f->message;
}

}  // namespace odonata::fault
