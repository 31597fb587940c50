// SPDX-License-Identifier: Apache-2.0
#include "hw/torus/torus_output.h"

#include <string>

#include "hw/torus/torus_output_signals.h"

namespace odonata::torus {

TorusOutputModule::TorusOutputModule(const sc_core::sc_module_name& name, hw::Tick& tick, int slots, int inputs,
                                     hw::Drive<OutputInputs> pins)
    : ClockedModule(name, tick), slots_(slots), inputs_(inputs), pins_(std::move(pins)) {
  SC_HAS_PROCESS(TorusOutputModule);
  SC_METHOD(work);
  sensitive << edge();
  dont_initialize();
}

/// A head needs a channel that nobody has; every flit needs a slot.
bool TorusOutputModule::may(const OutputInputs& in, int input) const {
  const unsigned channel = in.vc[static_cast<size_t>(input)];
  if ((in.ask >> input & 1) == 0 || channel >= kVcs || now().out.credit[channel] == 0) return false;
  const bool head = (in.head >> input & 1) != 0, owned = (now().out.owned >> channel & 1) != 0;
  return !(head && owned);
}

int TorusOutputModule::winner(const OutputInputs& in) const {
  for (int turn = 0; turn < inputs_; ++turn) {
    const int input = (now().pointer + turn) % inputs_;
    if (may(in, input)) return input;
  }
  return -1;
}

void TorusOutputModule::work() {
  const OutputInputs& in = pins_();
  if (in.reset) {
    next() = {};
    next().out.credit.fill(static_cast<uint8_t>(slots_));
    return;
  }
  for (unsigned v = 0; v < kVcs; ++v)
    next().out.credit[v] = static_cast<uint8_t>(now().out.credit[v] + (in.credit_back >> v & 1));
  const int input = winner(in);
  if (input < 0) return;
  const unsigned channel = in.vc[static_cast<size_t>(input)], bit = 1u << channel;
  --next().out.credit[channel];
  const bool tail = (in.tail >> input & 1) != 0;
  next().out.owned = static_cast<uint8_t>(tail ? now().out.owned & ~bit : now().out.owned | bit);
  next().pointer = static_cast<uint8_t>((input + 1) % inputs_);
}

/// The grant is of the same cycle: what the registers that have just loaded make of the pins that stand there.
void TorusOutputModule::publish() {
  shown_ = now().out;
  const int input = winner(pins_());
  shown_.grant = static_cast<uint8_t>(input < 0 ? 0 : 1 << input);
}

void TorusOutputModule::trace(sc_core::sc_trace_file* file) const {
  trace_pins(file, shown_, std::string(name()) + ".");
}

}  // namespace odonata::torus
