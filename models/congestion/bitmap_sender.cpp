// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/bitmap_sender.h"

namespace odonata::congestion {

void BitmapSender::step(const SenderInputs& in) {
  if (in.reset) {
    r0_ = {};
    count_ = 0;
    latched_ = 0;
    phase_ = false;
    crc_ = 0;
    pending_ = 0;
    out_ = {};
    return;
  }
  const bool last = interval_ends(count_, r0_.interval);
  const uint32_t ride = pending_ & r0_.flit & r0_.tail;
  const uint32_t idle = last ? pending_ & ~ride : 0;
  out_.valid = ride | idle;
  out_.idle = idle;
  out_.stolen = idle & r0_.flit;
  out_.bits = out_.valid ? latched_ : 0;
  out_.crc = out_.valid ? crc_ : 0;
  out_.phase = out_.valid != 0 && phase_;
  out_.latch = last;
  if (last) {
    count_ = 0;
    phase_ = r0_.alternate && !phase_;
    latched_ = phase_ ? r0_.busy : r0_.congested;
    crc_ = frame_crc(r0_.own_bid, latched_, phase_);
    pending_ = all_;
  } else {
    count_ = (count_ + 1) & 255;
    pending_ &= ~out_.valid;
  }
  r0_ = in;
}

}  // namespace odonata::congestion
