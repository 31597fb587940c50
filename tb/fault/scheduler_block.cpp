// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/scheduler_block.h"

namespace odonata::cosim {

using namespace fault;

uint64_t SchedulerStimulus::waiting() const {
  uint64_t n = 0;
  for (int f : fifo_) n += static_cast<uint64_t>(f);
  return n;
}

bool SchedulerStimulus::next(const SchedulerOutputs& last, SchedulerInputs& in) {
  in = {};
  if (cycle_++ == 0) {
    in.reset = 1;
    in.joins = random_.below(2);
    return true;
  }
  if (last.pop) {
    --fifo_[last.cmd_port];
    ++popped_;
  }
  if (cycle_ % 2000 == 0) {
    constexpr double kRates[] = {0.00002, 0.0005, 0.005, 0.05}, kFlaps[] = {0, 0.00002, 0.001, 0.02};
    rate_ = kRates[random_.below(4)];
    flap_ = kFlaps[random_.below(4)];
    for (int& f : fifo_) {  // no backlog from before
      flushed_ += static_cast<uint64_t>(f);
      f = 0;
    }
    if (random_.below(4) == 0) link_ = random_.below(2) ? ~0ull : ~locals_;  // all links back, or all local ones gone
  }
  if (last.cmd_valid) {
    const int work = random_.below(8) == 0 ? 60 : 3;
    const bool quiet = random_.below(4) == 0;  // done before the command has left the ring
    for (int p = 0; p < ports_; ++p) busy_[p] = quiet ? 0 : 1 + p + work + static_cast<int>(random_.below(3));
    if (random_.below(4) == 0) busy_[random_.below(static_cast<uint32_t>(ports_))] += 20;  // all wait for one
  } else if (random_.below(100) == 0) {
    busy_[random_.below(static_cast<uint32_t>(ports_))] += 3;  // without a command it does not matter
  }
  in.joins = random_.below(4) == 0;  // only in reset does it matter
  if (random_.below(3000) == 0) in.reset = 1;
  for (int p = 0; p < ports_; ++p) {
    const PortMap bit = 1ull << p;
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

// ---- coverage

SchedulerCoverage::SchedulerCoverage(const Dragonfly& d, const SchedulerConfig& config) : d_(d), config_(config) {
  const bool wide = config.poll_width > 1;
  served_ = coverage_.declare("served",
                              {{"what", {"link down", "link up", "message"}},
                               {"other events", {"none", "some"}},
                               {"messages wait", {"none", "some"}}},
                              [](std::span<const int> v) -> std::string {
                                return v[0] == 2 && v[1] == 1 ? "link events are served before messages" : "";
                              });
  poll_ = coverage_.declare(
      "poll",
      {{"result", {"hit at the pointer", "hit further on", "hit behind the wrap", "miss", "miss over the wrap"}}},
      [wide](std::span<const int> v) -> std::string {
        return !wide && (v[0] == 1 || v[0] == 2) ? "one FIFO is looked at in a cycle" : "";
      });
  waits_ = coverage_.declare("wait", {{"after", {"link down", "link up", "message"}}, {"for", {"ring", "units"}}});
  const bool spare = config.stations > d.num_ports();
  special_ = coverage_.declare(
      "special",
      {{"what",
        {"event while a command is at work", "down and up before it is served", "reset of a router that joins",
         "FIFO of a dead link", "last station served", "event in the cycle that serves the port's event"}}},
      [spare](std::span<const int> v) -> std::string {
        return v[0] == 4 && spare ? "the last station has no port" : "";
      });
}

void SchedulerCoverage::sample(const SchedulerInputs& in, const SchedulerOutputs& out, const SchedulerUnit& unit) {
  const PortMap ports = low_mask(d_.num_ports()), waiting = in.queue_valid & in.link_up & ports,
                changed = (in.link_up ^ link_) & ports;
  if (in.reset) {
    link_ = ~0ull;
    if (in.joins) coverage_.hit(special_ + 2);
    serving_ = false;
    events_ = 0;
    return;
  }
  if ((changed & events_) != 0) coverage_.hit(special_ + 1);
  if (served_bit_ & changed) coverage_.hit(special_ + 5);
  if (changed != 0 && out.working) coverage_.hit(special_);
  served_bit_ = 0;
  events_ = unit.events();
  link_ = in.link_up;
  ++since_;
  if (out.working) return;
  if (serving_) coverage_.hit(waits_ + kind_ * 2 + (since_ > 3 + (config_.stations - 1) * config_.ring_hop));
  serving_ = out.cmd_valid;
  if (!out.cmd_valid) {
    coverage_.hit(poll_ + (out.pointer + config_.poll_width >= config_.stations ? 4 : 3));
    if ((in.queue_valid & ~in.link_up & ports) != 0) coverage_.hit(special_ + 3);
    return;
  }
  const PortMap bit = 1ull << out.cmd_port;
  kind_ = out.cmd_kind;
  since_ = 0;
  if (!out.pop) served_bit_ = bit;
  events_ &= ~served_bit_;
  const bool more = (waiting & ~(out.pop ? bit : 0)) != 0;
  coverage_.hit(served_ + (kind_ * 2 + ((unit.events() & ~(out.pop ? 0 : bit)) != 0)) * 2 + more);
  if (!out.pop) return;
  coverage_.hit(poll_ + (out.cmd_port == out.pointer ? 0 : out.cmd_port > out.pointer ? 1 : 2));
  if (out.cmd_port == config_.stations - 1) coverage_.hit(special_ + 4);
}

fault::SchedulerConfig scheduler_config(const Dragonfly& d) {
  fault::SchedulerConfig c;
  if (d.num_ports() < 64 / 2)
    c.stations = d.num_ports();
  else
    c.poll_width = 4;
  return c;
}

}  // namespace odonata::cosim
