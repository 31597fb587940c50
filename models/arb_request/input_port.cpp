// SPDX-License-Identifier: Apache-2.0
#include "models/arb_request/input_port.h"

#include <string>

#include "models/common/bits.h"
#include "models/common/error.h"

namespace odonata::arb_request {
namespace {

void check_range(const char* name, int value, int low, int high) {
  if (value < low || value > high)
    throw Error(std::string("arb_request: ") + name + " is " + std::to_string(value) + ", must be " +
                std::to_string(low) + ".." + std::to_string(high));
}

uint64_t probe_word(const Requests& a, int window, uint32_t asking) {
  return static_cast<uint64_t>(a.remaining) | static_cast<uint64_t>(a.high) << 8 | static_cast<uint64_t>(a.low) << 16 |
         static_cast<uint64_t>(a.plus) << 24 | static_cast<uint64_t>(a.z) << 32 | static_cast<uint64_t>(window) << 36 |
         static_cast<uint64_t>(asking) << 40;
}

}  // namespace

void validate(const PortSize& size) {
  check_range("dimensions", size.dimensions, 1, kMaxDimensions);
  check_range("coordinate bits", size.coordinate_bits, 1, 8);
  check_range("credit bits", size.credit_bits, 1, 8);
  check_range("sub-queues", size.queues, 1, kMaxQueues);
  check_range("subset", size.subset, 1, size.queues);
}

InputPort::InputPort(const PortSize& size) : size_(size) {
  validate(size);
  reset();
}

void InputPort::reset() {
  occupied_ = 0;
  window_ = 0;
  selector_ = Selector{};
  query_ = Query{};
  scheme_ = Scheme::kDor;
  policy_ = Policy::kRoundRobin;
  last_ = Examination{};
  out_ = PortOutputs{};
  out_.in_ready = true;
}

void InputPort::look() {
  const uint32_t run = static_cast<uint32_t>(low_mask(size_.subset)) << window_;
  const uint32_t map = (run | run >> size_.queues) & static_cast<uint32_t>(low_mask(size_.queues)) & occupied_;
  // The one whose request is visible may be granted at this very edge.
  const uint32_t visible = out_.request.valid ? 1u << out_.request.queue : 0;
  last_.query = query_;
  last_.scheme = scheme_;
  last_.policy = policy_;
  last_.selector = selector_;
  last_.window = window_;
  last_.looked_at = map & ~visible;
  last_.excluded = map & visible;
  last_.asking = 0;
  last_.picked = -1;
}

void InputPort::load_request(int queue, const Requests& answer) {
  PortRequest& r = out_.request;
  r = PortRequest{};
  r.valid = true;
  r.queue = static_cast<uint8_t>(queue);
  r.eject = answer.eject();
  if (r.eject) return;
  query_.dest = dest_[queue];
  const int d = selector_.choose(answer.candidates(), selected_credit(query_), policy_, size_.dimensions);
  r.dimension = static_cast<uint8_t>(d);
  r.minus = !((answer.plus >> d) & 1);
  r.high = (answer.high >> d) & 1;
  r.need = r.high ? answer.z : 1;
  selector_.advance(d, size_.dimensions);
}

void InputPort::examine() {
  look();
  for (uint32_t left = last_.looked_at; left; left &= left - 1) {
    const int q = std::countr_zero(left);
    query_.dest = dest_[q];
    const Requests answer = last_.answer[q] = evaluate(query_, scheme_);
    if (answer.eject() || answer.request()) last_.asking |= 1u << q;
  }
  out_.request = PortRequest{};
  Requests picked;
  int next = window_ + size_.subset;
  if (last_.asking) {
    const int q = last_.picked = pick(last_.asking, window_);  // the first lane that asks
    picked = last_.answer[q];
    load_request(q, picked);
    next = q + 1;
  }
  out_.probe = probe_word(picked, window_, last_.asking);
  window_ = static_cast<uint8_t>(next % size_.queues);
}

void InputPort::step(const PortInputs& pins) {
  if (!pins.reset_n) return reset();
  const bool leaves = out_.request.valid && pins.grant;
  const uint32_t left = leaves ? 1u << out_.request.queue : 0;
  const int free = out_.in_ready ? std::countr_one(occupied_) : 0;
  const uint32_t arrived = pins.in_valid && out_.in_ready ? 1u << free : 0;
  examine();
  if (arrived) dest_[free] = pins.in_dest;
  occupied_ = (occupied_ & ~left) | arrived;
  out_.credit = leaves;
  out_.in_ready = occupied_ != low_mask(size_.queues);
  query_.at = pins.at;
  query_.credit_plus = pins.credit_plus;
  query_.credit_minus = pins.credit_minus;
  scheme_ = known(pins.scheme);
  policy_ = known(pins.policy);
}

SwitchOutput::SwitchOutput(int inputs, int slots, bool ejection)
    : inputs_(inputs), slots_(slots), ejection_(ejection), credit_(slots) {
  check_range("input ports", inputs, 1, 31);
  check_range("packet slots", slots, 1, 255);
}

int SwitchOutput::grant(uint32_t ask, const uint8_t* need) const {
  uint32_t able = 0;
  for (uint32_t left = ask; left; left &= left - 1) {
    const int p = std::countr_zero(left);
    if (ejection_ || credit_ >= need[p]) able |= 1u << p;
  }
  return able ? pick(able, pointer_) : -1;
}

void SwitchOutput::step(int granted, bool credit_returned) {
  if (!ejection_) {
    credit_ += (credit_returned ? 1 : 0) - (granted >= 0 ? 1 : 0);
    if (credit_ < 0 || credit_ > slots_) throw Error("arb_request: credit counter left its range");
  }
  if (granted >= 0) pointer_ = granted + 1 == inputs_ ? 0 : granted + 1;
}

}  // namespace odonata::arb_request
