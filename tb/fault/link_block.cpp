// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/link_block.h"

namespace odonata::cosim {

using namespace fault;

void NoisyWire::carry(uint8_t valid, uint64_t frame, bool& to_valid, uint64_t& to_frame) {
  to_valid = valid;
  to_frame = valid ? frame : 0;
  if (!valid || !random_.chance(rate_)) return;
  if (random_.below(4) == 0) {
    to_valid = 0;
    return;
  }
  for (uint32_t flips = 1 + random_.below(3); flips > 0; --flips) to_frame ^= 1ull << random_.below(40);
}

void LinkStimulus::new_phase() {
  constexpr double kTalk[] = {1, 0.3, 0.02}, kRoom[] = {1, 1, 0.5, 0.05}, kNoise[] = {0, 0.01, 0.1, 0.9},
                   kInject[] = {0, 0, 0.02}, kFlap[] = {0, 0, 0.002, 0.02};
  talk_ = kTalk[random_.below(3)];
  room_ = kRoom[random_.below(4)];
  inject_ = kInject[random_.below(3)];
  flap_ = kFlap[random_.below(4)];
  const double noise = kNoise[random_.below(4)];
  out_.set_rate(noise);
  back_.set_rate(noise);
}

/// Mostly well-formed.
uint32_t LinkStimulus::message() {
  if (random_.below(16) == 0) return random_.below(1 << 22);
  if (random_.below(16) == 0) return 1u << 21;  // the whole port
  Message m;
  m.kind = static_cast<Kind>(random_.below(2));
  m.message_class = static_cast<MessageClass>(random_.below(2));
  m.prefix = static_cast<uint8_t>(1 + random_.below(3));
  m.gid = static_cast<uint16_t>(random_.below(static_cast<uint32_t>(d_.g())));
  if (m.prefix >= 2) m.bid = static_cast<uint8_t>(random_.below(static_cast<uint32_t>(d_.a())));
  if (m.prefix == 3) m.nid = static_cast<uint8_t>(random_.below(static_cast<uint32_t>(d_.p())));
  const uint32_t bits = encode_message(m);
  return random_.below(16) == 0 ? bits ^ 1u << random_.below(22) : bits;
}

bool LinkStimulus::next(const LinkOutputs& last, LinkInputs& in) {
  if (cycle_++ % 4000 == 0) new_phase();
  LinkInputs far;
  in = {};
  if (cycle_ == 1 || random_.below(20000) == 0) in.reset = far.reset = 1;
  if (random_.chance(up_ ? flap_ : 0.05)) up_ ^= 1;
  in.link_up = far.link_up = up_;
  in.msg_valid = random_.chance(talk_);
  in.msg = message();
  far.msg_valid = random_.chance(talk_);
  far.msg = message();
  in.in_ready = random_.chance(room_);
  out_.carry(last.frame_valid, last.frame, far.frame_valid, far.frame);
  back_.carry(partner_last_.frame_valid, partner_last_.frame, in.frame_valid, in.frame);
  partner_.step(far, partner_last_);
  if (const std::optional<Frame> f = decode_frame(last.frame); last.frame_valid && f->type != FrameType::message)
    expected_ = f->sequence;
  if (random_.chance(inject_) &&
      random_.below(2) == 0) {  // a message that has been taken, also at the edges of what counts as repeated
    const auto sequence =
        static_cast<uint8_t>((expected_ - (random_.below(2) == 0 ? 1 + random_.below(15) : 7 + random_.below(3))) & 15);
    in.frame_valid = 1;
    in.frame = encode_frame({FrameType::message, sequence, decode_message(message())});
  } else if (random_.chance(inject_)) {
    in.frame_valid = 1;
    const uint32_t low = random_.below(1 << 16) << 16 | random_.below(1 << 16);
    const uint32_t plain = random_.below(4) == 0   ? low
                           : random_.below(2) == 0 ? low & 0xFC000000
                                                   : low << 30 >> 0 | (low & 0x3FFFFF0);
    in.frame = static_cast<uint64_t>(crc8(plain)) << 32 | plain;
  }
  return true;
}

// ---- coverage

LinkCoverage::LinkCoverage() {
  received_ = coverage_.declare("received", {{"what",
                                              {"not a whole frame", "acknowledge", "ask again", "message taken",
                                               "no room for it", "malformed message", "other number", "whole port"}}});
  sent_ = coverage_.declare("sent", {{"what", {"message", "acknowledge", "ask again"}}});
  numbers_ = coverage_.declare("message with another number",
                               {{"numbers back", {"1", "2 to 7", "8: the last that is repeated", "9", "10 to 15"}}});
  special_ = coverage_.declare(
      "special",
      {{"what", {"window full", "link down with messages kept", "sent again as asked", "sent again after a timeout"}}});
}

/// The frame that was in the input register in the cycle that has ended.
void LinkCoverage::judged(const LinkInputs& in, const LinkOutputs& out) {
  const std::optional<Frame> f = decode_frame(frame_);
  const bool again = out.again != last_.again;
  const bool asked = came_ && f && f->type == FrameType::ask_again;
  if (again) coverage_.hit(special_ + (asked ? 2 : 3));
  if (!came_) return;
  if (!f) {
    coverage_.hit(received_);
  } else if (f->type != FrameType::message) {
    coverage_.hit(received_ + (asked ? 2 : 1));
  } else if (last_.in_valid) {
    coverage_.hit(received_ + (!in.in_ready ? 4 : f->message.prefix == 0 ? 7 : 3));
  } else {
    const bool malformed = out.malformed != last_.malformed;
    coverage_.hit(received_ + (malformed ? 5 : 6));
    const int back = (expected_ - f->sequence) & 15;
    if (!malformed) coverage_.hit(numbers_ + (back == 1 ? 0 : back < 8 ? 1 : back < 10 ? back - 6 : 4));
  }
}

void LinkCoverage::sample(const LinkInputs& in, const LinkOutputs& out, const LinkUnit& unit) {
  const bool alive = !in.reset && in.link_up;
  if (alive) judged(in, out);
  expected_ = alive ? expected_ + (came_ && last_.in_valid && in.in_ready) : 0;
  if (!in.link_up && !in.reset && kept_ > 0) coverage_.hit(special_ + 1);
  if (out.frame_valid) {
    const std::optional<Frame> f = decode_frame(out.frame);
    coverage_.hit(sent_ + (f->type == FrameType::message ? 0 : f->type == FrameType::acknowledge ? 1 : 2));
  }
  kept_ = unit.end().waiting();
  if (kept_ == LinkEnd::kWindow) coverage_.hit(special_);
  came_ = alive && in.frame_valid;
  frame_ = in.frame;
  last_ = out;
}

}  // namespace odonata::cosim
