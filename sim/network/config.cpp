// SPDX-License-Identifier: Apache-2.0
#include "sim/network/config.h"

#include <algorithm>

#include "models/common/error.h"
#include "models/workload/program.h"
#include "sim/network/topology.h"

namespace odonata::network {

int RouterParameters::packet_flits() const {
  return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
}

void check_range(const std::string& name, int64_t value, int64_t low, int64_t high) {
  if (value >= low && value <= high) return;
  throw Error("network: " + name + " is " + std::to_string(value) + ", must be " + std::to_string(low) + ".." +
              std::to_string(high));
}

void check_whole_packets(const Config& config, int buffer) {
  const int flits = config.router.packet_flits();
  if (config.router.switching != Switching::cut_through || flits <= buffer) return;
  throw Error("network: a packet of " + std::to_string(flits) + " flits does not fit into a buffer of " +
              std::to_string(buffer) + ", expected a larger --depth, a smaller --packet or --switching wormhole");
}

Config::Config(std::shared_ptr<const Topology> of) : topology(std::move(of)), links(topology->link_classes()) {
  topology->set_defaults(*this);
}

LinkClass& Config::link(std::string_view name) {
  for (LinkClass& l : links) {
    if (l.name == name) return l;
  }
  throw Error("network: " + topology->name() + " has no links of class '" + std::string(name) + "'");
}

const LinkClass& Config::link(std::string_view name) const { return const_cast<Config*>(this)->link(name); }

void Config::check() const {
  if (trace && trace->nodes != topology->nodes()) {
    throw Error("network: the trace is for " + std::to_string(trace->nodes) + " nodes, " + topology->name() + " has " +
                std::to_string(topology->nodes()));
  }
  check_range("phases", router.phases, 1, 4);
  check_range("output_fifo", router.output_fifo, 0, 1'000'000);
  if (router.turn_cycles != 0 && topology->kind() != "dragonfly")
    throw Error("--turn-cycles: " + topology->name() + " has no such parameter");
  check_range("turn_cycles", router.turn_cycles, 0, 256);
  if (router.lengths.empty()) throw Error("network: no packet length is given");
  for (int length : router.lengths) check_range("packet length", length, 1, 64);
  topology->check(*this);
  if (!(load >= 0 && load <= 1))
    throw Error("network: load is " + std::to_string(load) + ", must be 0..1 flits a node and cycle");
  check_range("warmup", static_cast<int64_t>(warmup), 0, 1'000'000'000);
  check_range("sample", static_cast<int64_t>(sample), 1, 1'000'000'000);
  check_range("drain", static_cast<int64_t>(drain), 0, 100'000'000);
  check_range("bias", bias, -100'000, 100'000);
  check_range("threads", threads, 1, 1024);
  plane.check();
  if (router.packet_flits() != 1 && route_compute == RouteCompute::pipeline) {
    throw Error("network: packet_flits is " + std::to_string(router.packet_flits()) +
                ", --route-compute pipeline needs packets of 1 flit");
  }
  if (watch != nullptr && (!piped() || threads != 1)) {
    throw Error("network: packets are watched with the route-compute pipeline and one thread only");
  }
  check_faults();
}

bool Config::has_open_traffic() const {
  return load != 0 && (!workload || workload->ranks() < static_cast<size_t>(topology->nodes()));
}
bool Config::has_hardware_buffers() const { return piped() && topology->kind() == "dragonfly"; }

uint64_t Config::least_dead_time() const {
  if (has_hardware_buffers()) return kLeastDeadTime;
  int buffer = 0;
  for (const LinkClass& l : links) buffer = std::max(buffer, l.buffer);
  return kLeastDeadTime + static_cast<uint64_t>(router.packet_flits() - 1) * static_cast<uint64_t>(router.vcs * buffer);
}

/// A router that dies forgets its queues; so that nothing of them can still be due afterwards it stays dead for a
/// while.
void Config::check_faults() const {
  for (const TimedFault& down : faults.events) {
    check_range("cycle of a fault", static_cast<int64_t>(down.cycle), 1, 1'000'000'000);
    for (const TimedFault& up : faults.events) {
      if (down.repair || !up.repair || !down.fault.is_router || !(down.fault == up.fault) || up.cycle < down.cycle)
        continue;
      check_range(topology->fault_name(down.fault) + ": repair of a router, cycles after its fault",
                  static_cast<int64_t>(up.cycle - down.cycle), static_cast<int64_t>(least_dead_time()), 1'000'000'000);
    }
  }
}

}  // namespace odonata::network
