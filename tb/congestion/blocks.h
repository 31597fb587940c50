// SPDX-License-Identifier: Apache-2.0
// How the blocks of the congestion plane plug into the lockstep harness: probes, input fields, transactions.
#pragma once

#include <span>

#include "models/congestion/golden_device.h"
#include "tb/harness/probe.h"

namespace odonata::cosim {

/// One credit monitor. A transaction: a cycle in which packets are in use or an error is reported.
struct CreditMonitorBlock {
  using Inputs = congestion::MonitorInputs;
  using Outputs = congestion::MonitorOutputs;
  using Reference = congestion::GoldenMonitor;
  static constexpr std::string_view kName = "credit_monitor";
  static std::span<const Probe<Outputs>> probes();
  static std::span<const Field<Inputs>> fields();
  static Inputs idle(const Inputs& in);
  static bool transaction(const Outputs& o) { return (o.occupancy | o.underflow | o.overflow) != 0; }
  static std::vector<Inputs> preload(const Reference&);
};

/// One bitmap sender. A transaction: a cycle in which frames leave.
struct BitmapSenderBlock {
  using Inputs = congestion::SenderInputs;
  using Outputs = congestion::SenderOutputs;
  using Reference = congestion::GoldenSender;
  static constexpr std::string_view kName = "bitmap_sender";
  static std::span<const Probe<Outputs>> probes();
  static std::span<const Field<Inputs>> fields();
  static Inputs idle(const Inputs& in);
  static bool transaction(const Outputs& o) { return o.valid != 0; }
  static std::vector<Inputs> preload(const Reference&);
};

/// One bitmap collector. A transaction: a cycle in which frames are taken or dropped.
struct BitmapCollectorBlock {
  using Inputs = congestion::CollectorInputs;
  using Outputs = congestion::CollectorOutputs;
  using Reference = congestion::GoldenCollector;
  static constexpr std::string_view kName = "bitmap_collector";
  static std::span<const Probe<Outputs>> probes();
  static std::span<const Field<Inputs>> fields();
  static Inputs idle(const Inputs& in);
  static bool transaction(const Outputs& o) { return (o.good | o.bad) != 0; }
  static std::vector<Inputs> preload(const Reference&);
};

/// The physical coding sublayer of one local link. A transaction: a cycle in which a frame arrives.
struct PcsTransportBlock {
  using Inputs = congestion::PcsInputs;
  using Outputs = congestion::Frame;
  using Reference = congestion::GoldenPcs;
  static constexpr std::string_view kName = "pcs_transport";
  static std::span<const Probe<Outputs>> probes();
  static std::span<const Field<Inputs>> fields();
  static Inputs idle(const Inputs&) { return {}; }
  static bool transaction(const Outputs& o) { return o.valid; }
  static std::vector<Inputs> preload(const Reference&);
};

/// The whole plane of a router; only in the suite. A transaction: frames leave or arrive, or an operation is acknowledged.
struct CongestionPlaneBlock {
  using Inputs = congestion::PlaneInputs;
  using Outputs = congestion::PlaneOutputs;
  using Reference = congestion::GoldenPlane;
  static constexpr std::string_view kName = "congestion_plane";
  static std::span<const Probe<Outputs>> probes();
  static bool transaction(const Outputs& o) { return o.sender.valid != 0 || (o.collector.good | o.collector.bad) != 0 || o.cfg_ack; }
};

}  // namespace odonata::cosim
