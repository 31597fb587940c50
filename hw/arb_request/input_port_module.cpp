// SPDX-License-Identifier: Apache-2.0
#include "hw/arb_request/input_port_module.h"

#include "hw/common/vcd_file.h"

namespace odonata::arb_request {

/// A copy of the registers at fixed addresses for sc_trace.
struct InputPortModule::View {
  uint16_t occupied = 0;
  uint8_t window = 0, dimension_pointer = 0;
  uint16_t lfsr = 0;
  PortRequest request;
  bool in_ready = false, credit = false;
  uint64_t probe = 0;
};

InputPortModule::InputPortModule(const sc_core::sc_module_name& name, hw::Tick& tick, const PortSize& size,
                                 PortPins pins)
    : sc_module(name), size_(size), pins_(std::move(pins)) {
  validate(size);
  SC_HAS_PROCESS(InputPortModule);
  const auto clocked = [&](const sc_core::sc_event& event) {
    sensitive << event;
    dont_initialize();
  };
  SC_METHOD(sample);
  clocked(tick.edge());
  SC_METHOD(examine);
  clocked(tick.edge());
  SC_METHOD(store);
  clocked(tick.edge());
  SC_METHOD(settle);
  clocked(tick.settled());
  out_.in_ready = true;
}

InputPortModule::~InputPortModule() { close_trace(); }

// The clocked methods.

void InputPortModule::sample() {
  const PortInputs& in = pins();
  next_.query.at = in.at;
  next_.query.credit_plus = in.credit_plus;
  next_.query.credit_minus = in.credit_minus;
  next_.scheme = in.scheme;
  next_.policy = in.policy;
}

void InputPortModule::examine() {
  Lane winner;
  uint64_t asking = 0;
  for (int k = 0; k < size_.subset; ++k) {
    const Lane found = lane(k);
    if (!found.asks) continue;
    if (asking == 0) winner = found;  // the first lane that asks
    asking |= uint64_t{1} << found.queue;
  }
  next_.request = asking ? select(winner, next_.selector) : PortRequest{};
  next_.window = next_window(asking ? &winner : nullptr);
  const Requests& seen = winner.requests;  // zero when nothing asks
  next_.probe = seen.remaining | uint64_t{seen.high} << 8 | uint64_t{seen.low} << 16 | uint64_t{seen.plus} << 24 |
                uint64_t{seen.z} << 32 | static_cast<uint64_t>(now_.window) << 36 | asking << 40;
}

void InputPortModule::store() {
  const PortInputs& in = pins();
  next_.credit = now_.request.valid && in.grant;
  if (next_.credit) next_.occupied[now_.request.queue] = false;
  if (!in.in_valid || !ready()) return;
  int q = 0;
  while (now_.occupied[q]) ++q;  // the lowest that was free before the edge
  next_.occupied[q] = true;
  next_.dest[q] = in.in_dest;
}

// The units.

InputPortModule::Lane InputPortModule::lane(int k) const {
  Lane lane;
  lane.queue = (now_.window + k) % size_.queues;
  const bool visible = now_.request.valid && now_.request.queue == lane.queue;  // may be granted at this edge
  if (!now_.occupied[lane.queue] || visible) return lane;
  Query query = now_.query;
  query.dest = now_.dest[lane.queue];
  lane.requests = evaluate(query, known(now_.scheme));
  lane.asks = lane.requests.eject() || lane.requests.request() != 0;
  return lane;
}

int InputPortModule::next_window(const Lane* winner) const {
  return (winner ? winner->queue + 1 : now_.window + size_.subset) % size_.queues;
}

PortRequest InputPortModule::select(const Lane& winner, Selector& selector) const {
  PortRequest request;
  request.valid = true;
  request.queue = static_cast<uint8_t>(winner.queue);
  const Requests& requests = winner.requests;
  request.eject = requests.eject();
  if (request.eject) return request;
  Query query = now_.query;
  query.dest = now_.dest[winner.queue];
  const int d =
      now_.selector.choose(requests.candidates(), selected_credit(query), known(now_.policy), size_.dimensions);
  selector.advance(d, size_.dimensions);
  request.dimension = static_cast<uint8_t>(d);
  request.minus = (requests.plus >> d & 1) == 0;
  request.high = (requests.high >> d & 1) != 0;
  request.need = request.high ? requests.z : 1;
  return request;
}

bool InputPortModule::ready() const {
  for (int q = 0; q < size_.queues; ++q)
    if (!now_.occupied[q]) return true;
  return false;
}

// The edge has passed.

/// All registers load, and the pins show them.
void InputPortModule::settle() {
  if (!pins().reset_n) {
    next_ = Registers{};
    next_.dest = now_.dest;
  }
  now_ = next_;
  out_.in_ready = ready();
  out_.request = now_.request;
  out_.credit = now_.credit;
  out_.probe = now_.probe;
  if (view_) fill_view();
}

// The waveform.

void InputPortModule::open_trace(const std::string& path) {
  close_trace();
  trace_file_ = hw::open_vcd(path);
  view_ = std::make_unique<View>();
  fill_view();
  const std::string prefix = std::string(name()) + ".";
  const auto bits = [&](const auto& value, const char* signal, int width) {
    sc_core::sc_trace(trace_file_, value, prefix + signal, width);
  };
  const auto bit = [&](const bool& value, const char* signal) {
    sc_core::sc_trace(trace_file_, value, prefix + signal);
  };
  bits(view_->occupied, "occupied", size_.queues);
  bit(view_->in_ready, "in_ready");
  bits(view_->window, "window", 4);
  bits(view_->dimension_pointer, "dim_ptr", 3);
  bits(view_->lfsr, "lfsr", 16);
  bit(view_->request.valid, "request.valid");
  bits(view_->request.queue, "request.queue", 4);
  bit(view_->request.eject, "request.eject");
  bits(view_->request.dimension, "request.dim", 3);
  bit(view_->request.minus, "request.minus");
  bit(view_->request.high, "request.high");
  bits(view_->request.need, "request.need", 4);
  bit(view_->credit, "credit");
  bits(view_->probe, "probe", 64);
}

void InputPortModule::fill_view() {
  View& v = *view_;
  v.occupied = 0;
  for (int q = 0; q < size_.queues; ++q) v.occupied = static_cast<uint16_t>(v.occupied | now_.occupied[q] << q);
  v.window = static_cast<uint8_t>(now_.window);
  v.dimension_pointer = now_.selector.dimension_pointer;
  v.lfsr = now_.selector.lfsr;
  v.request = now_.request;
  v.in_ready = out_.in_ready;
  v.credit = now_.credit;
  v.probe = now_.probe;
}

void InputPortModule::close_trace() {
  if (trace_file_ == nullptr) return;
  sc_core::sc_close_vcd_trace_file(trace_file_);
  trace_file_ = nullptr;
  view_.reset();
}

}  // namespace odonata::arb_request
