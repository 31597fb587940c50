// SPDX-License-Identifier: Apache-2.0
#include "hw/arb_request/input_port_module.h"

#include <fstream>

#include "models/common/error.h"

namespace odonata::arb_request {

/// A small VCD writer: sc_trace needs a running kernel, a device that is stepped has none.
struct InputPortModule::Trace {
  std::ofstream file;
  uint64_t time = 0;

  void variable(const char* name, int bits, char id) { file << "$var wire " << bits << ' ' << id << ' ' << name << " $end\n"; }
  void value(uint64_t v, char id) {
    file << 'b';
    for (int bit = 63; bit >= 0; --bit) file << ((v >> bit & 1) ? '1' : '0');
    file << ' ' << id << '\n';
  }
};

InputPortModule::InputPortModule(const sc_core::sc_module_name& name, const PortSize& size) : sc_module(name), size_(size) { validate(size); }

InputPortModule::~InputPortModule() = default;

bool InputPortModule::ready() const {
  for (int q = 0; q < size_.queues; ++q)
    if (!now_.occupied[q]) return true;
  return false;
}

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

int InputPortModule::next_window(const Lane* winner) const { return (winner ? winner->queue + 1 : now_.window + size_.subset) % size_.queues; }

void InputPortModule::select(const Lane* winner, Registers& next) const {
  next.request = PortRequest{};
  if (!winner) return;
  next.request.valid = true;
  next.request.queue = static_cast<uint8_t>(winner->queue);
  const Requests& requests = winner->requests;
  if (requests.eject()) {
    next.request.eject = true;
    return;
  }
  Query query = now_.query;
  query.dest = now_.dest[winner->queue];
  const int d = now_.selector.choose(requests.candidates(), selected_credit(query), known(now_.policy), size_.dimensions);
  next.selector.advance(d, size_.dimensions);
  next.request.dimension = static_cast<uint8_t>(d);
  next.request.minus = (requests.plus >> d & 1) == 0;
  next.request.high = (requests.high >> d & 1) != 0;
  next.request.need = next.request.high ? requests.z : 1;
}

void InputPortModule::store(const PortInputs& in, Registers& next) const {
  next.credit = now_.request.valid && in.grant;
  if (next.credit) next.occupied[now_.request.queue] = false;
  if (!in.in_valid || !ready()) return;
  int q = 0;
  while (now_.occupied[q]) ++q;  // the lowest that was free before the edge
  next.occupied[q] = true;
  next.dest[q] = in.in_dest;
}

void InputPortModule::load_inputs(const PortInputs& in, Registers& next) const {
  next.query.at = in.at;
  next.query.credit_plus = in.credit_plus;
  next.query.credit_minus = in.credit_minus;
  next.scheme = in.scheme;
  next.policy = in.policy;
}

void InputPortModule::step(const PortInputs& in, PortOutputs& out) {
  Registers next = now_;
  if (!in.reset_n) {
    const auto kept = now_.dest;
    next = Registers{};
    next.dest = kept;
  } else {
    std::array<Lane, kMaxQueues> lanes;
    const Lane* winner = nullptr;
    uint64_t asking = 0;
    for (int k = 0; k < size_.subset; ++k) {
      lanes[k] = lane(k);
      if (!lanes[k].asks) continue;
      asking |= uint64_t{1} << lanes[k].queue;
      if (!winner) winner = &lanes[k];
    }
    select(winner, next);
    const Requests seen = winner ? winner->requests : Requests{};
    next.probe = seen.remaining | uint64_t{seen.high} << 8 | uint64_t{seen.low} << 16 | uint64_t{seen.plus} << 24 | uint64_t{seen.z} << 32 |
                 static_cast<uint64_t>(now_.window) << 36 | asking << 40;
    next.window = next_window(winner);
    store(in, next);
    load_inputs(in, next);
  }
  now_ = next;
  out.in_ready = ready();
  out.request = now_.request;
  out.credit = now_.credit;
  out.probe = now_.probe;
  if (trace_) show();
}

void InputPortModule::open_trace(const std::string& path) {
  trace_ = std::make_unique<Trace>();
  trace_->file.open(path);
  if (!trace_->file) throw Error(path + ": cannot be written");
  trace_->file << "$timescale 1ns $end\n$scope module input_port $end\n";
  trace_->variable("occupied", 16, 'a');
  trace_->variable("window", 4, 'b');
  trace_->variable("req_valid", 1, 'c');
  trace_->variable("req_queue", 4, 'd');
  trace_->variable("req_eject", 1, 'e');
  trace_->variable("req_dim", 3, 'f');
  trace_->variable("req_minus", 1, 'g');
  trace_->variable("req_high", 1, 'h');
  trace_->variable("req_need", 4, 'i');
  trace_->variable("credit", 1, 'j');
  trace_->variable("probe", 64, 'k');
  trace_->file << "$upscope $end\n$enddefinitions $end\n";
}

void InputPortModule::show() const {
  uint64_t occupied = 0;
  for (int q = 0; q < size_.queues; ++q) occupied |= static_cast<uint64_t>(now_.occupied[q]) << q;
  const PortRequest& r = now_.request;
  const uint64_t values[] = {
      occupied, static_cast<uint64_t>(now_.window), r.valid, r.queue, r.eject, r.dimension, r.minus, r.high, r.need, now_.credit, now_.probe};
  trace_->file << '#' << trace_->time++ << '\n';
  char id = 'a';
  for (uint64_t v : values) trace_->value(v, id++);
}

void InputPortModule::close_trace() { trace_.reset(); }

}  // namespace odonata::arb_request
