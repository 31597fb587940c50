// SPDX-License-Identifier: Apache-2.0
// Speed of the network engine on the paper's network, and what an almost idle network costs. Processor time; the ratios belong to one run.
#include <fmt/format.h>

#include <string>

#include "sim/network/make_engine.h"
#include "sim/network/policies/doar.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/dragonfly.h"

using namespace odonata;

namespace {

network::Config configuration(const std::string& routing, double load, int threads, uint64_t cycles) {
  network::Config c = network::on_dragonfly(Dragonfly::named("paper"));
  c.routing = routing;
  c.load = load;
  c.warmup = cycles / 2;
  c.sample = cycles / 2;
  c.drain = 0;
  c.threads = threads;
  return c;
}

network::Result measure(const std::string& routing, double load, int threads, uint64_t cycles) {
  const network::Result r = network::simulate(configuration(routing, load, threads, cycles));
  const double per_cpu_second = static_cast<double>(r.timed_cycles) / r.cpu_seconds, hops = static_cast<double>(r.flit_hops);
  fmt::print(
      "{:5} ur {:.2f} {} thread(s): {:8.0f} cycles a second, {:8.0f} a processor second, {:6.1f} ns and {:5.1f} M flit-hops a processor second, "
      "{:4.0f} MB\n",
      routing, load, threads, r.cycles_per_second(), per_cpu_second, 1e9 * r.cpu_seconds / hops, hops / r.cpu_seconds / 1e6,
      static_cast<double>(r.memory_bytes) / 1e6);
  return r;
}

/// DOAR in an engine that reads the clock whenever it begins something else.
class ProfiledDoar : public network::Doar {
 public:
  using Doar::Doar;
  struct Batch : Doar::Batch {
    using Doar::Batch::Batch;
    using Of = ProfiledDoar;
  };
  Batch batch() { return Batch(*this); }
  static inline network::Profile profile;
};

void print_profile(double load, uint64_t cycles) {
  network::Config c = configuration("doar", load, 1, cycles);
  c.router.vcs = network::Doar::kVcs;
  const auto simulation = network::make_engine<ProfiledDoar, network::DragonflyTopology>(c);
  ProfiledDoar::profile.clear();
  const network::Result r = network::simulate(*simulation);
  const double per_hop = 1e9 * r.cpu_seconds / static_cast<double>(r.flit_hops);
  fmt::print("profile of doar ur {:.2f}, {:.0f} cycles a processor second with the clock readings: share of the time, ns a flit-hop\n", load,
             static_cast<double>(r.timed_cycles) / r.cpu_seconds);
  for (int part = 0; part < network::kParts; ++part) {
    const double share = ProfiledDoar::profile.share(part);
    fmt::print("  {:22} {:5.1f} % {:7.1f}\n", network::kPartNames[static_cast<size_t>(part)], 100 * share, share * per_hop);
  }
}

}  // namespace

int main() {
  measure("min", 0.5, 1, 2000);
  const network::Result one = measure("doar", 0.5, 1, 2000);
  const network::Result two = measure("doar", 0.5, 2, 2000);
  const network::Result idle = measure("doar", 0.01, 1, 10'000);
  const double busy = static_cast<double>(one.timed_cycles) / one.cpu_seconds;
  fmt::print("two threads: {:.2f} times as fast, {}\n", one.seconds / two.seconds,
             one.digest == two.digest ? "the same result bit for bit" : "ANOTHER RESULT");
  fmt::print("load 0.01: {:.1f} times the rate of load 0.5\n", static_cast<double>(idle.timed_cycles) / idle.cpu_seconds / busy);
  print_profile(0.5, 2000);
  print_profile(0.01, 10'000);
  return one.digest == two.digest ? 0 : 1;
}
