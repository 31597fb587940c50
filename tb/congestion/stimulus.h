// SPDX-License-Identifier: Apache-2.0
// Where the input pins of the congestion blocks' lockstep come from: corner cases in phases, or the traffic of a whole
// group.
#pragma once

#include <memory>
#include <vector>

#include "models/common/random.h"
#include "models/congestion/group_load.h"
#include "tb/congestion/bitmap_collector_block.h"
#include "tb/congestion/bitmap_sender_block.h"
#include "tb/congestion/congestion_plane_block.h"
#include "tb/congestion/credit_monitor_block.h"
#include "tb/congestion/pcs_transport_block.h"
#include "tb/harness/stimulus.h"

namespace odonata::cosim {

/// Random corner cases of one monitor: phases with their own rates and configuration, resets and changes in flight.
/// Never more packets depart than were sent; those that have not departed make a queue.
class MonitorCorner final : public Stimulus<congestion::MonitorInputs, congestion::MonitorOutputs> {
 public:
  explicit MonitorCorner(uint64_t seed, congestion::MonitorLimits limits = {}) : random_(seed), limits_(limits) {}
  bool next(const congestion::MonitorOutputs& last, congestion::MonitorInputs& in) override;

 private:
  void new_phase(const congestion::MonitorOutputs& last);
  Random random_;
  congestion::MonitorLimits limits_;
  congestion::MonitorInputs config_;
  double send_ = 0, credit_ = 0, depart_ = 0, fail_ = 0, illegal_ = 0;
  int left_ = 0, queue_ = 0;
  bool near_threshold_ = false;
};

/// Random corner cases of one sender.
class SenderCorner final : public Stimulus<congestion::SenderInputs, congestion::SenderOutputs> {
 public:
  SenderCorner(const Dragonfly& d, uint64_t seed) : ports_(d.a() - 1), h_(d.h()), random_(seed) {}
  bool next(const congestion::SenderOutputs& last, congestion::SenderInputs& in) override;

 private:
  int ports_, h_;
  Random random_;
  congestion::SenderInputs config_;
  double flit_ = 0, tail_ = 0;
  int left_ = 0;
};

/// Random corner cases of one collector, frames of both phases.
class CollectorCorner final : public Stimulus<congestion::CollectorInputs, congestion::CollectorOutputs> {
 public:
  CollectorCorner(const Dragonfly& d, uint64_t seed) : a_(d.a()), h_(d.h()), random_(seed) {}
  bool next(const congestion::CollectorOutputs& last, congestion::CollectorInputs& in) override;

 private:
  void new_phase();
  int a_, h_;
  Random random_;
  congestion::CollectorInputs config_;
  double frame_ = 0, bad_ = 0;
  uint32_t talking_ = 0;
  int left_ = 0;
};

/// Random frames into a PCS: bursts, gaps of about its latency, resets with frames in flight; pins without a frame
/// carry anything.
class PcsCorner final : public Stimulus<congestion::PcsInputs, congestion::Frame> {
 public:
  explicit PcsCorner(uint64_t seed) : random_(seed) {}
  bool next(const congestion::Frame& last, congestion::PcsInputs& in) override;

 private:
  Random random_;
  double frame_ = 0;
  int left_ = 0;
};

/// Random corner cases of a router's plane: operations on the register map among traffic, failures, frames good and
/// bad.
class PlaneCorner final : public Stimulus<congestion::PlaneInputs, congestion::PlaneOutputs> {
 public:
  PlaneCorner(const Dragonfly& d, uint64_t seed);
  bool next(const congestion::PlaneOutputs& last, congestion::PlaneInputs& in) override;

 private:
  void operation(congestion::PlaneInputs& in);
  void depart(congestion::RouterEvents& e);
  Dragonfly d_;
  Random random_;
  PortMap failed_ = 0;
  double send_ = 0.5, credit_ = 0.5, depart_ = 0.5, frame_ = 0.1;
  int left_ = 0;
  std::array<int, 64> queue_{};  // by port: packets sent and not departed
  std::array<uint8_t, congestion::kMaxLocalPorts> neighbour_{};
};

/// What a group carries: the same on every port, or what a traffic pattern puts on each (of group 0,
/// models/traffic/channel_load.h).
struct GroupDemand {
  double load = 0.8;              ///< flits a cycle and port
  std::vector<double> port_load;  ///< congestion::LoadConfig::port_load
  GroupDemand(double load_of_all) : load(load_of_all) {}
  /// Pattern "ur": the same on every port; else as models/traffic/pattern.h. Throws Error on an unknown pattern.
  GroupDemand(const Dragonfly& d, const std::string& pattern, double load, uint64_t seed);
  /// The network port of router 0 that carries most; the first global one when all are equal.
  int busiest_port(const Dragonfly& d) const;
};

/// A loaded group (models/congestion/group_load.h) as the pins of router 0's blocks see it.
class GroupTraffic {
 public:
  GroupTraffic(const Dragonfly& d, const GroupDemand& demand, uint64_t seed);
  void step();
  const congestion::RouterEvents& events() const { return events_[0]; }
  const congestion::GroupPlane& plane() const { return plane_; }
  const congestion::PlaneConfig& config() const { return plane_.config(); }
  const congestion::RouterEvents* all_events() const { return events_; }

 private:
  congestion::GroupPlane plane_;
  congestion::GroupLoad load_;
  const congestion::RouterEvents* events_ = nullptr;
};

/// The monitor of router 0's busiest port under that load.
class MonitorLoad final : public Stimulus<congestion::MonitorInputs, congestion::MonitorOutputs> {
 public:
  MonitorLoad(const Dragonfly& d, const GroupDemand& demand, uint64_t seed);
  bool next(const congestion::MonitorOutputs& last, congestion::MonitorInputs& in) override;

 private:
  int port_;
  GroupTraffic traffic_;
  bool started_ = false;
};

/// The sender of router 0 under that load.
class SenderLoad final : public Stimulus<congestion::SenderInputs, congestion::SenderOutputs> {
 public:
  SenderLoad(const Dragonfly& d, const GroupDemand& demand, uint64_t seed) : traffic_(d, demand, seed) {}
  bool next(const congestion::SenderOutputs& last, congestion::SenderInputs& in) override;

 private:
  GroupTraffic traffic_;
  bool started_ = false;
};

/// The PCS of the link from router 0 to router 1 under that load: what the golden sender of router 0 sends there.
class PcsLoad final : public Stimulus<congestion::PcsInputs, congestion::Frame> {
 public:
  PcsLoad(const Dragonfly& d, const GroupDemand& demand, uint64_t seed) : inner_(d, demand, seed), sender_(d.a() - 1) {}
  bool next(const congestion::Frame& last, congestion::PcsInputs& in) override;

 private:
  SenderLoad inner_;
  congestion::BitmapSender sender_;
};

/// The collector of router 0 under that load: every neighbour's golden sender, PCS and link are in front of it.
class CollectorLoad final : public Stimulus<congestion::CollectorInputs, congestion::CollectorOutputs> {
 public:
  CollectorLoad(const Dragonfly& d, const GroupDemand& demand, uint64_t seed);
  bool next(const congestion::CollectorOutputs& last, congestion::CollectorInputs& in) override;

 private:
  GroupTraffic traffic_;
  std::vector<congestion::BitmapSender> senders_;  // of routers 1..a-1
  std::vector<congestion::PcsTransport> links_;
  std::vector<Random> random_;
  bool started_ = false;
};

}  // namespace odonata::cosim
