// SPDX-License-Identifier: Apache-2.0
#include "sim/congestion/measure.h"

#include <cmath>
#include <numeric>

namespace odonata::cli {

using namespace congestion;

std::string_view to_string(LinkTraffic traffic) {
  constexpr std::string_view kNames[] = {"idle", "tails", "mixed"};
  return kNames[static_cast<int>(traffic)];
}

bool AgeMeasurement::agrees() const {
  for (int i = 0; i < kNumStages; ++i) {
    const auto s = static_cast<Stage>(i);
    const Range range = closed_form(parameters, s);
    if (stage(s).min() != range.min || stage(s).max() != range.max) return false;
    // Sums of at most 2^40 terms in double precision: the rounding of the mean stays far below this.
    if (exact_mean() && std::abs(stage(s).mean() - closed_form_mean(parameters, s)) > 1e-9) return false;
  }
  return true;
}

bool AgeMeasurement::within() const {
  for (int i = 0; i < kNumStages; ++i) {
    const auto s = static_cast<Stage>(i);
    const Range range = closed_form(parameters, s);
    if (stage(s).samples() == 0 || stage(s).min() < range.min || stage(s).max() > range.max) return false;
  }
  return true;
}

namespace {

/// Keeps the samples of the first change of router 0's first global port.
void keep_first(AgeMeasurement& m, const AgeSample& s) {
  if (s.source == 0 && s.bit == 0 && (m.first.empty() || m.first.front().changed == s.changed)) m.first.push_back(s);
}

void sweep_phases(GroupPlane& plane, std::vector<RouterEvents>& events, const AgeParameters& p) {
  const Dragonfly& d = plane.dragonfly();
  const int period = std::lcm(p.interval, p.routers);
  // Time for a change to arrive everywhere, and a step of one phase from change to change.
  int gap = closed_form(p, Stage::total).max + 4;
  while (gap % period != 1 % period) ++gap;
  for (int phase = 0; phase < period; ++phase) {
    for (RouterEvents& e : events) e.failed ^= PortMap{1} << d.first_global();
    for (int i = 0; i < gap; ++i) plane.step(events.data());
  }
}

void mix(GroupPlane& plane, std::vector<RouterEvents>& events, int64_t cycles, uint64_t seed) {
  const Dragonfly& d = plane.dragonfly();
  Random random(seed);
  for (int64_t i = 0; i < cycles; ++i) {
    for (RouterEvents& e : events) {
      e.flit = random.next() | random.next();
      e.tail = random.next() & random.next() & random.next();
      if (random.below(120) == 0)
        e.failed ^= PortMap{1} << d.global_port(static_cast<int>(random.below(static_cast<uint32_t>(d.h()))));
    }
    plane.step(events.data());
  }
}

}  // namespace

AgeMeasurement measure_age(const Dragonfly& d, PlaneConfig config, LinkTraffic traffic, int64_t cycles, uint64_t seed) {
  config.seed = seed;
  if (traffic != LinkTraffic::mixed) config.faults = {};
  AgeMeasurement m;
  m.traffic = traffic;
  m.parameters = config.age_parameters(d);
  if (traffic == LinkTraffic::idle) m.parameters.frame_wait_min = config.interval;
  if (traffic == LinkTraffic::tails) m.parameters.frame_wait_max = 1;
  GroupPlane plane(d, config);
  plane.measure([&m](const AgeSample& s) { keep_first(m, s); });
  std::vector<RouterEvents> events(d.a());
  if (traffic == LinkTraffic::tails) {
    for (RouterEvents& e : events) e.flit = e.tail = low_mask(d.num_ports());
  }
  if (traffic == LinkTraffic::mixed)
    mix(plane, events, cycles, seed);
  else
    sweep_phases(plane, events, m.parameters);
  m.statistics = plane.statistics();
  m.counters = plane.counters();
  m.cycles = plane.now();
  return m;
}

GroupCounters measure_overhead(const Dragonfly& d, const PlaneConfig& config, const LoadConfig& load, int64_t cycles) {
  GroupPlane plane(d, config);
  GroupLoad traffic(d, config, load);
  for (int64_t i = 0; i < cycles; ++i) plane.step(traffic.next());
  return plane.counters();
}

}  // namespace odonata::cli
