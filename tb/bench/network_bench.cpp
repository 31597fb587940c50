// SPDX-License-Identifier: Apache-2.0
// Speed of the network engine on the paper's network, what an almost idle network costs, and the other topologies.
// Processor time; ratios to a run stored on this machine.
//   network_bench [--reference FILE [--store]] [--train]
// --store: this run becomes the reference. --train: short runs only, for a build that is guided by their profile (./dev
// build pgo).
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "sim/network/make_engine.h"
#include "sim/network/policies/doar.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/dragonfly.h"
#include "sim/network/topologies/fat_tree.h"
#include "sim/network/topologies/mesh.h"
#include "sim/network/topologies/torus.h"

using namespace odonata;

namespace {

network::Config with(network::Config c, const std::string& routing, double load, uint64_t cycles) {
  c.routing = routing;
  c.load = load;
  c.warmup = cycles / 2;
  c.sample = cycles / 2;
  c.drain = 0;
  return c;
}
network::Config configuration(const std::string& routing, double load, int threads, uint64_t cycles) {
  network::Config c = with(network::on_dragonfly(Dragonfly::named("paper")), routing, load, cycles);
  c.threads = threads;
  return c;
}
network::Config on_mesh(const std::string& routing) {
  network::Config c = with(network::on_mesh(arb_request::Mesh({8, 8})), routing, 0.3, 40'000);
  c.router.vcs = 3;
  return c;
}
network::Config on_torus() {
  network::Config c = with(network::on_torus(Torus({10, 10})), "torus_safe6_ring", 0.2, 40'000);
  c.router.lengths = {32};
  return c;
}
network::Config on_fat_tree() {
  constexpr std::array sizes{16, 16};
  return with(network::on_fat_tree(FatTree(sizes, 16, 16)), "vtftr", 0.5, 1000);
}

/// Cycles a processor second by run, of this run and of one before.
struct Rates {
  std::string machine;
  std::map<std::string, double> of;

  static std::string this_machine() {
    std::ifstream cpus("/proc/cpuinfo");
    for (std::string line; std::getline(cpus, line);) {
      if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 1);
    }
    return " unknown";
  }
  /// A line for the machine, then "name rate" a line; nothing when there is no such file.
  static Rates load(const std::string& path) {
    Rates out;
    std::ifstream from(path);
    std::getline(from, out.machine);
    double rate = 0;
    for (std::string name; from >> name >> rate;) out.of[name] = rate;
    return out;
  }
  bool store(const std::string& path) const {
    const auto folder = std::filesystem::path(path).parent_path();
    std::error_code ignored;
    if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
    std::ofstream to(path);
    to << machine << '\n';
    for (const auto& [name, rate] : of) to << name << ' ' << rate << '\n';
    return static_cast<bool>(to.flush());
  }
};

void print_head(bool ratios) {
  fmt::print("{:16} {:>5} {:>8} {:>10} {:>14} {:>12} {:>13} {:>6}{}\n", "", "load", "threads", "cycles/s",
             "a processor s", "ns/flit-hop", "M flit-hops/s", "MB", ratios ? "   ratio" : "");
}

network::Result measure(const network::Config& c, const Rates& reference, Rates& now) {
  network::Result r = network::simulate(c);
  const double rate = static_cast<double>(r.timed_cycles) / r.cpu_seconds, hops = static_cast<double>(r.flit_hops);
  const std::string name = fmt::format("{}_{:.2f}_{}", c.routing, c.load, c.threads);
  now.of[name] = rate;
  fmt::print("{:16} {:5.2f} {:8} {:10.0f} {:14.0f} {:12.1f} {:13.1f} {:6.0f}", c.routing, c.load, c.threads,
             r.cycles_per_second(), rate, 1e9 * r.cpu_seconds / hops, hops / r.cpu_seconds / 1e6,
             static_cast<double>(r.memory_bytes) / 1e6);
  if (const auto before = reference.of.find(name); before != reference.of.end())
    fmt::print("{:8.2f}", rate / before->second);
  fmt::print("\n");
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
  fmt::print(
      "profile of doar ur {:.2f}, {:.0f} cycles a processor second with the clock readings: share of the time, ns a "
      "flit-hop\n",
      load, static_cast<double>(r.timed_cycles) / r.cpu_seconds);
  for (int part = 0; part < network::kParts; ++part) {
    const double share = ProfiledDoar::profile.share(part);
    fmt::print("  {:22} {:5.1f} % {:7.1f}\n", network::kPartNames[static_cast<size_t>(part)], 100 * share,
               share * per_hop);
  }
}

/// The reference of this machine; says so when there is none.
Rates find_reference(const std::string& path) {
  Rates out = path.empty() ? Rates{} : Rates::load(path);
  if (path.empty()) return out;
  if (out.of.empty()) {
    fmt::print("no reference run in {}: --store keeps this one\n", path);
  } else if (out.machine != Rates::this_machine()) {
    fmt::print("the reference run in {} is of another machine ({} ): no ratios\n", path, out.machine);
    out.of.clear();
  }
  return out;
}

int run(const std::string& path, bool store) {
  const Rates reference = find_reference(path);
  Rates now{Rates::this_machine(), {}};
  print_head(!reference.of.empty());
  measure(configuration("min", 0.5, 1, 2000), reference, now);
  const network::Result one = measure(configuration("doar", 0.5, 1, 2000), reference, now);
  const network::Result two = measure(configuration("doar", 0.5, 2, 2000), reference, now);
  const network::Result idle = measure(configuration("doar", 0.01, 1, 10'000), reference, now);
  for (const char* routing : {"d2ra", "duato"}) measure(on_mesh(routing), reference, now);
  measure(on_torus(), reference, now);
  measure(on_fat_tree(), reference, now);
  const double busy = static_cast<double>(one.timed_cycles) / one.cpu_seconds;
  fmt::print("two threads: {:.2f} times as fast, {}\n", one.seconds / two.seconds,
             one.digest == two.digest ? "the same result bit for bit" : "ANOTHER RESULT");
  fmt::print("load 0.01: {:.1f} times the rate of load 0.5\n",
             static_cast<double>(idle.timed_cycles) / idle.cpu_seconds / busy);
  print_profile(0.5, 2000);
  print_profile(0.01, 10'000);
  if (store && !now.store(path)) {
    fmt::print(stderr, "network_bench: --reference {}: cannot be written\n", path);
    return 2;
  }
  return one.digest == two.digest ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::string reference;
  bool store = false, train = false, known = true;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--reference" && i + 1 < argc) {
      reference = argv[++i];
    } else {
      store |= word == "--store", train |= word == "--train";
      known &= word == "--store" || word == "--train";
    }
  }
  if (!known || (store && reference.empty())) {
    fmt::print(stderr, "network_bench: expected [--reference FILE [--store]] [--train]\n");
    return 2;
  }
  if (!train) return run(reference, store);
  for (const char* routing : {"min", "doar"}) network::simulate(configuration(routing, 0.5, 1, 400));
  return 0;
}
