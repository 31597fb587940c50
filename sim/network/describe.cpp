// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/network/topology.h"

namespace odonata::network {

namespace {

std::string describe_links(const Config& c) {
  std::string out;
  for (const LinkClass& l : c.links) out += fmt::format(" {} {}/{}", l.name, l.latency, l.buffer);
  return out;
}

std::string describe_faults(const FaultPlan& plan) {
  if (plan.events.empty()) return "";
  std::string out = " faults";
  for (const TimedFault& f : plan.events) {
    out += fmt::format(" {}{}.{}", f.repair ? "+" : "-", f.fault.router.gid, f.fault.router.bid);
    if (!f.fault.is_router) out += fmt::format(".{}", f.fault.port);
    out += fmt::format("@{}", f.cycle);
  }
  return out + fmt::format(" {} {}", fault::to_string(plan.mode), fault::to_string(plan.recovery)) + (plan.native ? " native" : "") +
         (plan.pipelined ? " pipelined" : "") + (plan.live_traffic ? " live traffic" : "");
}

}  // namespace

std::string describe(const Config& c) {
  const RouterParameters& r = c.router;
  const congestion::PlaneConfig& p = c.plane;
  return fmt::format(
             "{} {} route compute {} bias {} {} load {} trace {} seed {} cycles {}+{}+{} vcs {} phases {} fifo {} packets {} switching {} links{} "
             "watchdog {} interval {} ",
             c.topology->name(), c.routing, static_cast<int>(c.route_compute), c.bias, c.traffic, c.load, c.trace ? c.trace->packets.size() : 0,
             c.seed, c.warmup, c.sample, c.drain, r.vcs, r.phases, r.output_fifo, fmt::join(r.lengths, ","), static_cast<int>(r.switching),
             describe_links(c), c.watchdog, c.interval) +
         fmt::format("selection {} reuse {} escape {} plane {} {} {}/{} {}{} {}/{} tables {} {}{}", static_cast<int>(c.requests.selection),
                     static_cast<int>(c.requests.reuse), c.requests.equal_escape, p.interval, p.pcs, p.local_window, p.global_window,
                     p.local_window_enable, p.global_window_enable, p.local_threshold, p.global_threshold, table::to_string(c.tables.neighbours),
                     table::to_string(c.tables.minimal_router), describe_faults(c.faults));
}

}  // namespace odonata::network
