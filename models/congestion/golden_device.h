// SPDX-License-Identifier: Apache-2.0
// The golden units behind the interface that all levels share.
#pragma once

#include "models/common/golden.h"
#include "models/congestion/pcs_transport.h"
#include "models/congestion/router_plane.h"

namespace odonata::congestion {

// Why the outputs are what they are, a line a statement.
std::vector<std::string> reasons(const CreditMonitor& unit);
std::vector<std::string> reasons(const BitmapSender& unit);
std::vector<std::string> reasons(const BitmapCollector& unit);
std::vector<std::string> reasons(const PcsTransport& unit);
std::vector<std::string> reasons(const RouterPlane& unit);

struct GoldenMonitor final : Golden<CreditMonitor, MonitorInputs, MonitorOutputs> {
  explicit GoldenMonitor(MonitorLimits limits = {}) : Golden(limits) {}
};

struct GoldenSender final : Golden<BitmapSender, SenderInputs, SenderOutputs> {
  explicit GoldenSender(const Dragonfly& d) : Golden(d.a() - 1) {}
};

struct GoldenCollector final : Golden<BitmapCollector, CollectorInputs, CollectorOutputs> {
  explicit GoldenCollector(const Dragonfly& d) : Golden(d.a(), d.h(), d.num_ports()) {}
};

/// While no frame is shown, bits and CRC are 0.
class GoldenPcs final : public CycleDevice<PcsInputs, Frame> {
 public:
  explicit GoldenPcs(int latency = kPcsLatency) : unit_(latency) {}
  void step(const PcsInputs& in, Frame& out) override {
    if (in.reset) unit_.reset();
    out = in.reset ? Frame{} : unit_.step(in.frame.valid ? in.frame : Frame{});
  }
  std::vector<std::string> describe() const override { return reasons(unit_); }
  const PcsTransport& unit() const { return unit_; }

 private:
  PcsTransport unit_;
};

/// The plane of a router.
struct GoldenPlane final : Golden<RouterPlane, PlaneInputs, PlaneOutputs> {
  explicit GoldenPlane(const Dragonfly& d) : Golden(d) {}
};

}  // namespace odonata::congestion
