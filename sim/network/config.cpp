// SPDX-License-Identifier: Apache-2.0
#include "sim/network/config.h"

#include <algorithm>

#include "models/arb_request/mesh.h"
#include "models/common/error.h"

namespace odonata::network {

namespace {

void check_range(const char* name, uint64_t value, uint64_t low, uint64_t high) {
  if (value >= low && value <= high) return;
  throw Error(std::string("network: ") + name + " is " + std::to_string(value) + ", must be " + std::to_string(low) + ".." + std::to_string(high));
}

void check_int(const char* name, int value, int low, int high) {
  if (value >= low && value <= high) return;
  throw Error(std::string("network: ") + name + " is " + std::to_string(value) + ", must be " + std::to_string(low) + ".." + std::to_string(high));
}

void check_mesh(const MeshConfig& mesh, const RouterConfig& router) {
  const arb_request::Mesh built(mesh.radix);  // refuses what is no mesh
  check_int("mesh depth", mesh.depth, 1, 32'768);
  if (mesh.lengths.empty()) throw Error("network: no packet length is given");
  for (int length : mesh.lengths) {
    check_int("packet length", length, 1, 64);
    if (length > mesh.depth && router.switching == Switching::cut_through) {
      throw Error("network: a packet of " + std::to_string(length) + " flits does not fit into a buffer of " + std::to_string(mesh.depth));
    }
  }
  if (mesh.trace && mesh.trace->nodes != built.routers()) {
    throw Error("network: the trace is for " + std::to_string(mesh.trace->nodes) + " nodes, mesh " + built.name() + " has " +
                std::to_string(built.routers()));
  }
  if (mesh.device) check_int("router of the device", mesh.device_router, 0, built.routers() - 1);
}

}  // namespace

void Config::check() const {
  if (trace && trace->nodes != dragonfly.num_nodes()) {
    throw Error("network: the trace is for " + std::to_string(trace->nodes) + " nodes, " + dragonfly.name() + " has " +
                std::to_string(dragonfly.num_nodes()));
  }
  if (!mesh.radix.empty()) check_mesh(mesh, router);
  check_int("phases", router.phases, 1, 4);
  check_int("output_fifo", router.output_fifo, 0, 1'000'000);
  check_int("packet_flits", router.packet_flits, 1, 64);
  const int most = 32'768 / router.packet_flits;  // positions in a ring have 16 bits
  check_int("node_buffer", router.node_buffer, 1, most);
  check_int("local_buffer", router.local_buffer, 1, most);
  check_int("global_buffer", router.global_buffer, 1, most);
  check_int("local_latency", router.local_latency, 1, 255);
  check_int("global_latency", router.global_latency, 1, 1023);
  if (!(load >= 0 && load <= 1)) throw Error("network: load is " + std::to_string(load) + ", must be 0..1 flits a node and cycle");
  check_range("warmup", warmup, 0, 1'000'000'000);
  check_range("sample", sample, 1, 1'000'000'000);
  check_range("drain", drain, 0, 100'000'000);
  check_int("bias", bias, -100'000, 100'000);
  check_int("threads", threads, 1, 1024);
  plane.check();
  if (router.packet_flits != 1 && piped()) {
    throw Error("network: packet_flits is " + std::to_string(router.packet_flits) + ", the route-compute pipeline needs packets of 1 flit");
  }
  if (watch != nullptr && (!piped() || threads != 1)) {
    throw Error("network: packets are watched with the route-compute pipeline and one thread only");
  }
  check_faults();
}

uint64_t Config::least_dead_time() const {
  const int buffer = std::max({router.node_buffer, router.local_buffer, router.global_buffer});
  return kLeastDeadTime + static_cast<uint64_t>(router.packet_flits - 1) * static_cast<uint64_t>(router.vcs * buffer);
}

/// A router that dies forgets its queues; so that nothing of them can still be due afterwards it stays dead for a while.
void Config::check_faults() const {
  for (const TimedFault& down : faults.events) {
    check_range("cycle of a fault", down.cycle, 1, 1'000'000'000);
    for (const TimedFault& up : faults.events) {
      if (down.repair || !up.repair || !down.fault.is_router || !(down.fault == up.fault) || up.cycle < down.cycle) continue;
      check_range("repair of a router, cycles after its fault", up.cycle - down.cycle, least_dead_time(), 1'000'000'000);
    }
  }
}

}  // namespace odonata::network
