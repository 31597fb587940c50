// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/network/config.h"

namespace odonata::network {

std::string describe(const Config& c) {
  const RouterConfig& r = c.router;
  const congestion::PlaneConfig& p = c.plane;
  return fmt::format(
      "{} {} bias {} {} load {} seed {} cycles {}+{}+{} vcs {} phases {} fifo {} buffers {}/{}/{} latencies {}/{} packet {} switching {} watchdog {} "
      "interval {} "
      "plane {} {} {}/{} {}{} {}/{} tables {} {}",
      c.dragonfly.name(), c.routing, c.bias, c.traffic, c.load, c.seed, c.warmup, c.sample, c.drain, r.vcs, r.phases, r.output_fifo, r.node_buffer,
      r.local_buffer, r.global_buffer, r.local_latency, r.global_latency, r.packet_flits, static_cast<int>(r.switching), c.watchdog, c.interval,
      p.interval, p.pcs, p.local_window, p.global_window, p.local_window_enable, p.global_window_enable, p.local_threshold, p.global_threshold,
      table::to_string(c.tables.neighbours), table::to_string(c.tables.minimal_router));
}

}  // namespace odonata::network
