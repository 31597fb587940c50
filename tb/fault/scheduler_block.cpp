// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/scheduler_block.h"

namespace odonata::cosim {

using namespace fault;

std::span<const Probe<SchedulerOutputs>> FaultSchedulerBlock::probes() {
  using enum ProbeKind;
  using Out = SchedulerOutputs;
  static constexpr Probe<Out> kProbes[] = {
      {"command", "look", cycle_exact, [](const Out& o) -> uint64_t { return o.cmd_valid; }},
      {"kind", "look", cycle_exact, [](const Out& o) -> uint64_t { return o.cmd_kind; }},
      {"port", "look", cycle_exact, [](const Out& o) -> uint64_t { return o.cmd_port; }},
      {"isolated", "look", cycle_exact, [](const Out& o) -> uint64_t { return o.cmd_isolated; }},
      {"pop", "poll", cycle_exact, [](const Out& o) -> uint64_t { return o.pop; }},
      {"working", "wait", cycle_exact, [](const Out& o) -> uint64_t { return o.working; }},
      {"pointer", "poll", cycle_exact, [](const Out& o) -> uint64_t { return o.pointer; }},
  };
  return kProbes;
}

uint64_t SchedulerStimulus::waiting() const {
  uint64_t n = 0;
  for (int f : fifo_) n += static_cast<uint64_t>(f);
  return n;
}

bool SchedulerStimulus::next(const SchedulerOutputs& last, SchedulerInputs& in) {
  in = {};
  if (cycle_++ == 0) {
    in.reset = 1;
    return true;
  }
  if (cycle_ % 2000 == 0) {
    constexpr double kRates[] = {0.0005, 0.005, 0.05}, kFlaps[] = {0, 0.001, 0.02};
    rate_ = kRates[random_.below(3)];
    flap_ = kFlaps[random_.below(3)];
  }
  if (last.pop) {
    --fifo_[last.cmd_port];
    ++popped_;
  }
  if (last.cmd_valid) {
    const int work = random_.below(8) == 0 ? 60 : 3;
    const bool quiet = random_.below(4) == 0;  // done before the command has left the ring
    for (int p = 0; p < ports_; ++p) busy_[p] = quiet ? 0 : 1 + p + work + static_cast<int>(random_.below(3));
  }
  for (int p = 0; p < ports_; ++p) {
    const PortMap bit = 1ull << p;
    // Local links of small routers all die from time to time.
    if (random_.chance(flap_)) link_ ^= bit;
    if (!(link_ & bit)) {
      flushed_ += static_cast<uint64_t>(fifo_[p]);
      fifo_[p] = 0;
    } else if (random_.chance(rate_)) {
      ++fifo_[p];
      ++offered_;
    }
    // What a dead link's FIFO shows while it is being emptied does not matter.
    if (fifo_[p] > 0 || (!(link_ & bit) && random_.below(2) == 0)) in.queue_valid |= bit;
    if (busy_[p] > 0) {
      --busy_[p];
      in.unit_busy |= bit;
    }
  }
  in.link_up = link_;
  return true;
}

}  // namespace odonata::cosim
