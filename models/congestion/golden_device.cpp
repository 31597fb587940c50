// SPDX-License-Identifier: Apache-2.0
#include "models/congestion/golden_device.h"

namespace odonata::congestion {

namespace {
std::string number(uint64_t x) { return std::to_string(x); }
}  // namespace

std::vector<std::string> reasons(const CreditMonitor& unit) {
  const MonitorOutputs& o = unit.out();
  const MonitorInputs& r0 = unit.sampled();
  std::string use;
  for (int v = 0; v < kNumVcs; ++v) use += (v ? " " : "") + number(vc_in_use(o, v));
  return {"In use a VC: " + use + " of " + number(unit.capacity()) + "; occupancy " + number(o.occupancy) +
              ", window of " + number(unit.window()) + " cycles holds " + number(o.window) + ".",
          "Corrected occupancy " + number(o.corrected) + (o.congested ? " (congested)" : " (not congested)") +
              ", threshold " + number(r0.threshold) + (o.busy ? "; busy" : "; not busy") + ", second threshold " +
              number(r0.busy_threshold) + (r0.failed ? "; the port has failed" : "") + "."};
}

std::vector<std::string> reasons(const BitmapSender& unit) {
  const SenderOutputs& o = unit.out();
  return {"Cycle " + number(unit.count()) + " of the interval; frames leave on ports " + number(o.valid) +
          " (bit map), idle frames " + number(o.idle) + ", stolen slots " + number(o.stolen) + "; still to send: " +
          number(unit.pending()) + (unit.phase() ? " (a busy bitmap)." : " (a congested bitmap).")};
}

std::vector<std::string> reasons(const BitmapCollector& unit) {
  const CollectorOutputs& o = unit.out();
  return {"Multiplex slot " + number(unit.slot()) + "; good frames " + number(o.good) + ", bad frames " +
          number(o.bad) + ", silent neighbours " + number(o.stale) + " (bit maps of local ports)."};
}

std::vector<std::string> reasons(const PcsTransport& unit) {
  const Frame& o = unit.out();
  const std::string latency = number(static_cast<uint64_t>(unit.latency()));
  return {o.valid ? (o.phase ? "A frame with busy bitmap " : "A frame with bitmap ") + number(o.bits) + " and CRC " +
                        number(o.crc) + " arrives, " + latency + " cycles after it was sent."
                  : "No frame was sent " + latency + " cycles ago.",
          number(static_cast<uint64_t>(unit.in_flight())) + " frames are in flight."};
}

std::vector<std::string> reasons(const RouterPlane& unit) {
  const PlaneOutputs& o = unit.out();
  std::vector<std::string> lines{
      "Congested ports " + number(o.cong_local) + ", above the second threshold " + number(o.busy_local) +
          (o.error ? " (bit maps of ports); a monitor has a packet or a credit too many." : " (bit maps of ports)."),
      "Frames leave on local ports " + number(o.sender.valid) + ", stolen slots " + number(o.sender.stolen) +
          "; good frames came in from " + number(o.collector.good) + ", bad frames from " + number(o.collector.bad) +
          ", silent are " + number(o.collector.stale) + " (bit maps of local ports)."};
  for (int port = unit.dragonfly().p(); port < unit.dragonfly().num_ports(); ++port) {
    if ((o.cong_local >> port & 1) != 0)
      lines.push_back("Port " + std::to_string(port) + ": " + reasons(unit.monitor(port)).back());
  }
  if (o.cfg_ack)
    lines.emplace_back(o.cfg_err ? "A configuration operation is refused." : "A configuration operation is done.");
  return lines;
}

}  // namespace odonata::congestion
