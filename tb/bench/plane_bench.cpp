// SPDX-License-Identifier: Apache-2.0
// Speed of the golden planes: a congestion plane of a whole group at paper size, in nanoseconds a cycle (a target of
// its specification is 200,000 cycles a second when nothing changes and 50,000 under full traffic), and the network of
// fault planes, in nanoseconds a service.
#include "models/congestion/group_load.h"
#include "models/fault/fault_name.h"
#include "models/fault/plane_network.h"
#include "tb/bench/measurement.h"

namespace odonata {
namespace {

uint64_t run_idle(const Dragonfly& d) {
  congestion::GroupPlane plane(d, {});
  const std::vector<congestion::RouterEvents> nothing(d.a());
  for (int i = 0; i < 100'000; ++i) plane.step(nothing.data());
  return 100'000;
}

uint64_t run_full_traffic(const Dragonfly& d) {
  congestion::GroupPlane plane(d, {});
  congestion::GroupLoad load(d, {}, {});
  for (int i = 0; i < 30'000; ++i) plane.step(load.next());
  return 30'000;
}

uint64_t run_traffic_alone(const Dragonfly& d) {
  congestion::GroupLoad load(d, {}, {});
  for (int i = 0; i < 30'000; ++i) load.next();
  return 30'000;
}

/// The faults and then their repairs. Returns the services.
uint64_t run_faults(const Dragonfly& d, const char* names) {
  Random random(7);
  const std::vector<fault::Fault> faults = fault::parse_faults(d, names, random);
  fault::FaultPlaneNetwork network(d, {});
  for (const bool repair : {false, true}) {
    for (const fault::Fault& f : faults) fault::apply(network, f, repair, network.now() + 1000);
    network.run();
  }
  return network.statistics().services;
}

}  // namespace
}  // namespace odonata

int main() {
  using namespace odonata;
  const Dragonfly paper = Dragonfly::named("paper"), full = Dragonfly::named("full");
  std::vector<cosim::Measurement> planes{
      {"congestion plane, idle", [&] { return run_idle(paper); }},
      {"congestion plane, full traffic", [&] { return run_full_traffic(paper); }},
      {"its traffic generator alone", [&] { return run_traffic_alone(paper); }},
  };
  cosim::measure(planes);
  cosim::show(planes, 0);
  std::vector<cosim::Measurement> networks{
      {"50 links at paper size (a service)", [&] { return run_faults(paper, "random-links:50"); }},
      {"a global link at full size", [&] { return run_faults(full, "global:G0-G2"); }},
      {"a local link at full size", [&] { return run_faults(full, "local:G0.s1-G0.s3"); }},
  };
  cosim::measure(networks);
  cosim::show(networks, 0);
}
