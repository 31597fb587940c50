// SPDX-License-Identifier: Apache-2.0
#include "sim/network/closed_loop.h"

#include <cstring>

#include "sim/network/closed_loop_state.h"
#include "sim/network/result.h"

namespace odonata::network {

using loop::Happens;
using loop::Host;
using loop::Out;
using loop::Part;
using loop::Queue;
using workload::Op;

bool Nics::knows(const Flit& flit) const { return state_->is_packet(flit.source, flit.born & ~kMark, flit.dest); }

Nics::Nics(const LoopPlan& plan, int domain) : state_(std::make_unique<State>(plan, next_event_)) {
  const size_t ports = static_cast<size_t>(plan.wiring.routers) * plan.wiring.ports;
  for (size_t i = static_cast<size_t>(domain) * ports; i != (static_cast<size_t>(domain) + 1) * ports; ++i) {
    const PortWire& wire = plan.wiring.wire[i];
    if (wire.kind != LinkKind::node) continue;
    Host h;
    h.rank = plan.rank_at(wire.peer);
    has_rank_.push_back(h.rank != LoopPlan::kNone);
    if (has_rank_.back() != 0) {
      const size_t ops = plan.ranks[h.rank].program->ops.size();
      h.needs_left.resize(ops);
      h.started.resize(ops);
      h.status.resize(ops);
      if (plan.resends()) h.got.resize(ops);
      ++state_->ranks_left;
    }
    state_->hosts.push_back(std::move(h));
  }
  state_->is_touched.resize(has_rank_.size());
  for (uint32_t n = 0; n < has_rank_.size(); ++n) {
    if (has_rank(n)) state_->happens(plan.delay(state_->hosts[n].rank, 0), n, Happens::begin);
    if (has_rank(n)) state_->hosts[n].busy = plan.delay(state_->hosts[n].rank, 0);
  }
  if (state_->heap.empty()) next_event_ = kNever;
}

Nics::~Nics() = default;

const std::vector<uint32_t>& Nics::serve(uint32_t now) {
  state_->serve(now);
  return state_->touched;
}

Packet Nics::head(uint32_t n) const {
  const Host& h = state_->hosts[n];
  if (h.control.empty() && h.data.empty()) return {GeometricGap::kNever, 0, 1};
  const Out& out = state_->next_out(h);
  const Op& o = state_->op(h, out.op);
  const uint32_t dest = state_->peer(h, o).address;
  if (out.part != Part::data) return {out.queued, dest, 1};
  return {std::max(out.queued, static_cast<uint32_t>(h.free >> LoopPlan::kPaceBits)), dest,
          state_->plan.flits_of(o.amount, out.sent)};
}

uint32_t Nics::take(uint32_t n, uint32_t now) { return state_->take(n, now); }

void Nics::entered(uint32_t n, uint32_t now) {
  Host& h = state_->hosts[n];
  if (h.leaving == LoopPlan::kNone) return;
  state_->happens(now, n, Happens::sent, h.leaving);
  h.leaving = LoopPlan::kNone;
}

void Nics::delivered(uint32_t n, const Flit& flit, uint32_t cycle) {
  if (is_own(flit)) state_->delivered(n, flit.source, flit.born & ~kMark, cycle - kUncountedCycles);
}

uint64_t Nics::waiting(uint32_t n) const {
  uint64_t out = 0;
  for (const Queue<Out>* queue : {&state_->hosts[n].control, &state_->hosts[n].data}) {
    for (const Out& o : *queue) out += o.packets - o.sent;
  }
  return out;
}

uint32_t Nics::ranks_left() const { return state_->ranks_left; }

bool Nics::gave_up() const { return state_->gave_up != 0; }

bool Nics::will_act(uint32_t now) const {
  const auto waits_for_its_pace = [now](const Host& h) {
    return !h.data.empty() && h.free >> LoopPlan::kPaceBits > now;
  };
  return !state_->heap.empty() || std::any_of(state_->hosts.begin(), state_->hosts.end(), waits_for_its_pace);
}

namespace {

/// The state as bytes, and back; the same visitor as a checkpoint's.
class ToBytes {
 public:
  template <class T>
  void operator()(const std::vector<T>& list) {
    static_assert(std::is_trivially_copyable_v<T>);
    (*this)(list.size());
    add(list.data(), list.size() * sizeof(T));
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(const T& number) { add(&number, sizeof number); }
  std::vector<char> bytes;

 private:
  void add(const void* data, size_t size) {
    bytes.insert(bytes.end(), static_cast<const char*>(data), static_cast<const char*>(data) + size);
  }
};

class FromBytes {
 public:
  [[maybe_unused]] static constexpr bool kReads = true;
  explicit FromBytes(const std::vector<char>& bytes) : bytes_(bytes) {}
  bool at_end() const { return at_ == bytes_.size(); }
  template <class T>
  void operator()(std::vector<T>& list) {
    size_t size = 0;
    (*this)(size);
    expect_state(size <= (bytes_.size() - at_) / sizeof(T), "a list of a program");
    list.resize(size);
    take(list.data(), size * sizeof(T));
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& number) { take(&number, sizeof number); }

 private:
  void take(void* data, size_t size) {
    expect_state(size <= bytes_.size() - at_, "a number of a program");
    if (size != 0) std::memcpy(data, bytes_.data() + at_, size);
    at_ += size;
  }
  const std::vector<char>& bytes_;
  size_t at_ = 0;
};

}  // namespace

std::vector<char> Nics::save() const {
  ToBytes to;
  state_->visit_state(to);
  return std::move(to.bytes);
}

void Nics::load(const std::vector<char>& bytes) {
  FromBytes from(bytes);
  state_->visit_state(from);
  state_->resumed = true;
  expect_state(from.at_end(), "the length of the state of programs");
  state_->check_state();
  next_event_ = state_->heap.empty() ? kNever : state_->heap.front().cycle;
}

}  // namespace odonata::network
