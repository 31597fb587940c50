// SPDX-License-Identifier: Apache-2.0
#include "models/fault/critical_chain.h"

#include <algorithm>

namespace odonata::fault {

int64_t ChainStep::sum() const {
  int64_t sum = 0;
  for (int64_t c : cycles) sum += c;
  return sum;
}

Shares CriticalChain::total() const {
  Shares total{};
  for (const ChainStep& step : steps) {
    for (int i = 0; i < kShares; ++i) total[i] += step.cycles[i];
  }
  return total;
}

namespace {

/// A step: `unit` has worked up to `done`, and the message arrives in `arrived`.
ChainStep make_step(const FaultPlaneNetwork& network, size_t service, const UnitSpan& unit, int64_t done,
                    int64_t arrived) {
  const Service& s = network.services()[service];
  const ServiceCycles& c = network.service_cycles()[service];
  const int64_t hop = network.parameters().timing.ring_hop, looked = s.start + 1, at_unit = looked + unit.port * hop;
  ChainStep step{s.router, s.kind, s.port, s.message, c.waiting_since, arrived, {}};
  const auto share = [&step](Share share) -> int64_t& { return step.cycles[static_cast<size_t>(share)]; };
  share(Share::poll) = c.looks;
  share(Share::fifo_wait) = looked - c.waiting_since - c.looks;
  share(Share::ring) = at_unit - looked;
  share(Share::queue_wait) = unit.start - at_unit;
  share(Share::ram_wait) = unit.ram_wait;
  share(Share::unit) = done - unit.start - unit.ram_wait;
  share(Share::wire) = arrived - done;
  return step;
}

}  // namespace

CriticalChain critical_chain(const FaultPlaneNetwork& network, bool recovery) {
  const auto& services = network.services();
  const auto& cycles = network.service_cycles();
  CriticalChain chain;
  size_t last = services.size();
  for (size_t i = 0; i < services.size(); ++i) {
    if (network.incidents()[cycles[i].incident].repair != recovery) continue;
    if (cycles[i].written >= 0 && (last == services.size() || cycles[i].written > cycles[last].written)) last = i;
  }
  if (last == services.size()) return chain;
  chain.steps.push_back(make_step(network, last, cycles[last].writer, cycles[last].written, cycles[last].written));
  for (size_t i = last; services[i].source >= 0; i = static_cast<size_t>(services[i].source)) {
    chain.steps.push_back(make_step(network, static_cast<size_t>(services[i].source), cycles[i].sender, cycles[i].sent,
                                    cycles[i].waiting_since));
  }
  std::reverse(chain.steps.begin(), chain.steps.end());
  return chain;
}

}  // namespace odonata::fault
