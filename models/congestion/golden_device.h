// SPDX-License-Identifier: Apache-2.0
// The golden units behind the interface that all levels share.
#pragma once

#include <string>
#include <vector>

#include "models/common/cycle_device.h"
#include "models/congestion/pcs_transport.h"
#include "models/congestion/router_plane.h"

namespace odonata::congestion {

/// The credit monitor as a CycleDevice.
class GoldenMonitor final : public CycleDevice<MonitorInputs, MonitorOutputs> {
 public:
  explicit GoldenMonitor(MonitorLimits limits = {}) : unit_(limits) {}
  void step(const MonitorInputs& in, MonitorOutputs& out) override {
    unit_.step(in);
    out = unit_.out();
  }
  std::vector<std::string> describe() const override;
  const CreditMonitor& unit() const { return unit_; }

 private:
  CreditMonitor unit_;
};

/// The bitmap sender as a CycleDevice.
class GoldenSender final : public CycleDevice<SenderInputs, SenderOutputs> {
 public:
  explicit GoldenSender(const Dragonfly& d) : unit_(d.a() - 1) {}
  void step(const SenderInputs& in, SenderOutputs& out) override {
    unit_.step(in);
    out = unit_.out();
  }
  std::vector<std::string> describe() const override;
  const BitmapSender& unit() const { return unit_; }

 private:
  BitmapSender unit_;
};

/// The bitmap collector as a CycleDevice.
class GoldenCollector final : public CycleDevice<CollectorInputs, CollectorOutputs> {
 public:
  explicit GoldenCollector(const Dragonfly& d) : unit_(d.a(), d.h(), d.num_ports()) {}
  void step(const CollectorInputs& in, CollectorOutputs& out) override {
    unit_.step(in);
    out = unit_.out();
  }
  std::vector<std::string> describe() const override;
  const BitmapCollector& unit() const { return unit_; }

 private:
  BitmapCollector unit_;
};

/// The physical coding sublayer as a CycleDevice: while no frame is shown, bits and CRC are 0.
class GoldenPcs final : public CycleDevice<PcsInputs, Frame> {
 public:
  explicit GoldenPcs(int latency = kPcsLatency) : unit_(latency) {}
  void step(const PcsInputs& in, Frame& out) override {
    if (in.reset) unit_.reset();
    out = in.reset ? Frame{} : unit_.step(in.frame.valid ? in.frame : Frame{});
  }
  std::vector<std::string> describe() const override;
  const PcsTransport& unit() const { return unit_; }

 private:
  PcsTransport unit_;
};

/// The plane of a router as a CycleDevice.
class GoldenPlane final : public CycleDevice<PlaneInputs, PlaneOutputs> {
 public:
  explicit GoldenPlane(const Dragonfly& d) : unit_(d) {}
  void step(const PlaneInputs& in, PlaneOutputs& out) override {
    unit_.step(in);
    out = unit_.out();
  }
  const RouterPlane& unit() const { return unit_; }

 private:
  RouterPlane unit_;
};

}  // namespace odonata::congestion
