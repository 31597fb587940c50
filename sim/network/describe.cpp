// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/network/config.h"

namespace odonata::network {

namespace {

/// What counts on a mesh.
std::string describe_mesh(const Config& c) {
  const MeshConfig& m = c.mesh;
  return fmt::format(
      "mesh {} {} {} load {} seed {} cycles {}+{}+{} vcs {} phases {} fifo {} depth {} latency {} packets {} switching {} watchdog {} "
      "interval {} selection {} reuse {} escape {} trace {}",
      fmt::join(m.radix, "x"), c.routing, c.traffic, c.load, c.seed, c.warmup, c.sample, c.drain, c.router.vcs, c.router.phases, c.router.output_fifo,
      m.depth, c.router.local_latency, fmt::join(m.lengths, ","), static_cast<int>(c.router.switching), c.watchdog, c.interval,
      static_cast<int>(m.selection), static_cast<int>(m.reuse), m.equal_escape, m.trace ? m.trace->packets.size() : 0);
}

}  // namespace

std::string describe(const Config& c) {
  if (!c.mesh.radix.empty()) return describe_mesh(c);
  const RouterConfig& r = c.router;
  const congestion::PlaneConfig& p = c.plane;
  std::string faults;
  for (const TimedFault& f : c.faults.events)
    faults += fmt::format(" {}{}@{}", f.repair ? "+" : "-", fault::to_string(c.dragonfly, f.fault), f.cycle);
  if (!faults.empty())
    faults += fmt::format(" {} {}", fault::to_string(c.faults.mode), fault::to_string(c.faults.recovery)) + (c.faults.native ? " native" : "") +
              (c.faults.pipelined ? " pipelined" : "") + (c.faults.live_traffic ? " live traffic" : "");
  return fmt::format(
      "{} {}{} bias {} {} load {} seed {} cycles {}+{}+{} vcs {} phases {} fifo {} buffers {}/{}/{} latencies {}/{} packet {} switching {} watchdog "
      "{} "
      "interval {} "
      "plane {} {} {}/{} {}{} {}/{} tables {} {} faults{}",
      c.dragonfly.name(), c.routing,
      c.route_compute == RouteCompute::pipeline ? " piped"
      : c.piped()                               ? " piped at arrival"
                                                : "",
      c.bias, c.traffic, c.load, c.seed, c.warmup, c.sample, c.drain, r.vcs, r.phases, r.output_fifo, r.node_buffer, r.local_buffer, r.global_buffer,
      r.local_latency, r.global_latency, r.packet_flits, static_cast<int>(r.switching), c.watchdog, c.interval, p.interval, p.pcs, p.local_window,
      p.global_window, p.local_window_enable, p.global_window_enable, p.local_threshold, p.global_threshold, table::to_string(c.tables.neighbours),
      table::to_string(c.tables.minimal_router), faults);
}

}  // namespace odonata::network
