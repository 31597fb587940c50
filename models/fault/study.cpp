// SPDX-License-Identifier: Apache-2.0
#include "models/fault/study.h"

#include <algorithm>

namespace odonata::fault {

namespace {

constexpr int64_t kRepairPause = 1000;  // cycles from quiet to the repair

Parameters with_record(Parameters p) {
  p.record = true;
  return p;
}

/// The pair number `number` of 0 <= x < y < n, in order of x.
std::pair<int, int> numbered_pair(int n, int64_t number) {
  int x = 0;
  while (number >= n - 1 - x) number -= n - 1 - x++;
  return {x, static_cast<int>(x + 1 + number)};
}

}  // namespace

int64_t num_faults(const Dragonfly& d, FaultClass fault_class) {
  const int64_t a = d.a(), g = d.g();
  switch (fault_class) {
    case FaultClass::local:
      return g * a * (a - 1) / 2;
    case FaultClass::global:
      return g * (g - 1) / 2;
    case FaultClass::node:
      return d.num_nodes();
    default:
      return d.num_routers();
  }
}

Fault numbered_fault(const Dragonfly& d, FaultClass fault_class, int64_t number) {
  if (fault_class == FaultClass::local) {
    const int64_t in_group = static_cast<int64_t>(d.a()) * (d.a() - 1) / 2;
    const auto [x, y] = numbered_pair(d.a(), number % in_group);
    return {false, {static_cast<int>(number / in_group), x}, d.local_port(x, y)};
  }
  if (fault_class == FaultClass::global) {
    const auto [x, y] = numbered_pair(d.g(), number);
    const int j = d.port_to_group(x, y);
    return {false, {x, j / d.h()}, d.global_port(j % d.h())};
  }
  if (fault_class == FaultClass::node)
    return {false, d.router(static_cast<int>(number / d.p())), static_cast<int>(number % d.p())};
  return {true, d.router(static_cast<int>(number)), 0};
}

Study::Study(const Dragonfly& d, const Parameters& parameters, const StudySettings& settings)
    : d_(d), settings_(settings), network_(d, with_record(parameters)) {}

std::vector<Fault> Study::draw(FaultClass fault_class, int64_t number, uint64_t seed, int64_t& first) const {
  const int64_t all = num_faults(d_, fault_class);
  Random random(seed);
  first = settings_.every ? number % all : static_cast<int64_t>(random.below(static_cast<uint32_t>(all)));
  std::vector<Fault> faults{numbered_fault(d_, fault_class, first)};
  while (static_cast<int>(faults.size()) < settings_.faults) {
    const Fault f = numbered_fault(d_, fault_class, static_cast<int64_t>(random.below(static_cast<uint32_t>(all))));
    if (std::find(faults.begin(), faults.end(), f) == faults.end()) faults.push_back(f);
  }
  return faults;
}

StudySample Study::sample(FaultClass fault_class, int64_t number) {
  const uint64_t seed = mix_seed(settings_.seed, static_cast<uint64_t>(fault_class), static_cast<uint64_t>(number));
  StudySample sample;
  const std::vector<Fault> faults = draw(fault_class, number, mix_seed(seed, 1), sample.fault);
  const double part = static_cast<double>(mix_seed(seed, 2) >> 11) * 0x1.0p-53;
  network_.reset(settings_.least_load + part * (settings_.most_load - settings_.least_load), mix_seed(seed, 3));
  if (settings_.draw_poll) network_.draw_poll(mix_seed(seed, 4));
  for (const Fault& f : faults) apply(network_, f, false, 0);
  network_.run();
  const CriticalChain chain = critical_chain(network_);
  sample.chain = chain.total();
  sample.detection = network_.services().empty() ? -1 : network_.services().front().start;
  const Phases& p = network_.statistics().phases;
  sample.local_travel = p.local_done;
  sample.last_fd = p.last_fd;
  sample.last_write = p.last_write;
  sample.diagnosis = p.diagnosis_done;
  if (!settings_.recovery) return sample;
  const int64_t repair = network_.now() + kRepairPause;
  for (const Fault& f : faults) apply(network_, f, true, repair);
  network_.run();
  sample.recovery = network_.statistics().phases.recovery_done - repair;
  return sample;
}

}  // namespace odonata::fault
