// SPDX-License-Identifier: Apache-2.0
// The congestion plane of a whole group, fast: the same cycles as the golden units wired together (a test compares
// them), on flat arrays.
//
// What is done a cycle depends on what happens: monitors without traffic and without a departure in their window are
// skipped, frames wait in a calendar, and because every ring stop writes what stop 0 wrote one cycle earlier a stop,
// one history of stop 0's map serves all ports.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "models/common/bits.h"
#include "models/congestion/age.h"
#include "models/congestion/pcs_transport.h"
#include "models/congestion/plane_config.h"
#include "models/congestion/router_plane.h"
#include "models/topology/dragonfly.h"

namespace odonata::congestion {

/// The way of one change of one bit to one other router; all times are edges (docs §7).
struct AgeSample {
  int source = 0;       ///< router
  int bit = 0;          ///< own global port of the source, 0..H-1
  int destination = 0;  ///< router
  int64_t changed = 0;  ///< c
  int64_t sent = 0;     ///< S
  int64_t arrived = 0;  ///< R
  int64_t loaded = 0;   ///< M; stop k shows it after M+1+k
  bool value = false;
};

/// Measured ages. Every sample counts once for each ring stop.
struct AgeStatistics {
  std::array<Histogram, kNumStages> stage;
  uint64_t changes = 0;  ///< changes of bits seen by the senders
  uint64_t missed = 0;   ///< undone before the next latch, or overtaken before they were shown
  uint64_t masked = 0;   ///< arrived while the field was forced to congested
  /// Age of what a route-compute input shows, over all inputs, neighbours and cycles since the first frame: now - (time
  /// of the latched sample).
  Histogram information;
};

/// Counted events of the whole group.
struct GroupCounters {
  uint64_t frames_in_tails = 0, idle_frames = 0, stolen_slots = 0;
  uint64_t good_frames = 0, bad_frames = 0, lost_frames = 0, corrupted_frames = 0, undetected_frames = 0;
  uint64_t longest_gap = 0;  ///< most consecutive frames of a link and a phase that were lost or bad
  uint64_t underflows = 0, overflows = 0;
  uint64_t flit_slots = 0;  ///< slots of local links with an offered flit
  bool operator==(const GroupCounters&) const = default;
};

/// All routers of one group with their local links. Power-up state is the state after reset.
class GroupPlane {
 public:
  GroupPlane(const Dragonfly& d, const PlaneConfig& config);
  ~GroupPlane();

  /// One rising edge for all routers. events[r]: pins of router r, r < a.
  void step(const RouterEvents* events);
  /// Edges since reset; the edge just made has this number.
  int64_t now() const { return now_; }

  /// cong_local_i of every route-compute unit of router r.
  PortMap cong_local(int r) const { return routers_[r].congested; }
  /// cong_global_i of the route-compute unit at physical port `port` of router r.
  const GroupMap& cong_global(int r, int port) const { return routers_[r].map[0].stop0[(now_ - port) & 63]; }
  /// busy_local_i, busy_global_i: the same by the second thresholds. Without PlaneConfig::alternate no other router's
  /// bits arrive.
  PortMap busy_local(int r) const { return routers_[r].busy; }
  const GroupMap& busy_global(int r, int port) const { return routers_[r].map[1].stop0[(now_ - port) & 63]; }
  /// Local ports of router r whose silent neighbour reads congested.
  uint32_t stale(int r) const { return routers_[r].stale; }
  /// Packets of an output port that are in use; after subtraction of the window.
  int occupancy(int r, int port) const { return monitor(r, port).occupancy; }
  int corrected(int r, int port) const { return monitor(r, port).corrected; }

  const GroupCounters& counters() const { return counters_; }
  /// Bitmap bits in all frames / (256 bits x frames): the share of a tail slice.
  double overhead_fraction() const { return static_cast<double>(dragonfly_.h()) / kSliceBits; }
  /// Stolen slots / offered flits.
  double stolen_fraction() const;

  /// Starts measuring ages; `on_sample` (optional) sees every sample.
  void measure(std::function<void(const AgeSample&)> on_sample = {});
  /// The statistics so far; measure() must have been called.
  AgeStatistics statistics() const;

  const Dragonfly& dragonfly() const { return dragonfly_; }
  const PlaneConfig& config() const { return config_; }

 private:
  struct Monitor {
    std::array<uint16_t, kNumVcs> in_use{};
    uint16_t occupancy = 0, window = 0, corrected = 0;
    uint16_t head = 0, tail = 0;  // of the departures inside the window, modulo kMaxWindow
  };
  /// What is kept of one of the two maps.
  struct Bitmap {
    uint16_t own_r0 = 0, latched = 0, word_bits = 0;
    GroupMap map0;
    std::array<GroupMap, 64> stop0;
    std::array<uint16_t, kMaxLocalPorts> latest{};
    std::array<uint16_t, kMaxLocalPorts> failures{};  // consecutive frames of this phase that were lost or bad
  };
  struct Router {
    RouterEvents r0;
    PortMap congested = 0, busy = 0;
    PortMap over = 0, over_busy = 0;
    PortMap changed = 0;       // ports whose rank 1 changed at the last edge
    PortMap window_ports = 0;  // ports with a departure inside the window
    uint16_t latched = 0;      // in the frames of this interval
    uint8_t word_bid = 0;
    bool word_valid = false;
    uint8_t crc = 0;
    uint32_t pending = 0, stale = 0;
    std::array<Bitmap, 2> map;  // by phase: cong, busy
    std::array<uint8_t, kMaxLocalPorts> silent{};
  };
  struct Flight {
    uint8_t router = 0, port = 0, source = 0;
    Frame frame;
    bool corrupted = false, phase = false;  // the frame itself may be lost
    uint32_t latch = 0;
  };
  struct Measurement;

  Monitor& monitor(int r, int port) { return monitors_[r * ports_ + port - dragonfly_.p()]; }
  const Monitor& monitor(int r, int port) const { return monitors_[r * ports_ + port - dragonfly_.p()]; }
  void step_ring(Router& router, int r);
  void load_word(Router& router, int r);
  void store_frames(bool tick);
  void step_sender(Router& router, int r, bool last, bool phase);
  void send(Router& router, int r, int k);
  void step_monitors(Router& router, int r);
  void count_credits(Router& router, int r, int port, uint32_t sent, uint32_t credit);
  void move_window(Router& router, int r, int port, bool departed);
  void compare(Router& router, int r);

  Dragonfly dragonfly_;
  PlaneConfig config_;
  int ports_;  // monitored ports a router
  uint32_t all_local_;
  int64_t now_ = 0;
  int count_ = 0, slot_ = 0;
  bool phase_ = false;    // of the latched bitmaps: false cong, true busy
  uint32_t latches_ = 0;  // latches so far
  std::vector<Router> routers_;
  std::vector<Monitor> monitors_;
  std::vector<uint32_t> departures_;           // edges inside the window: kMaxWindow a monitor
  std::vector<std::vector<Flight>> calendar_;  // by store edge
  std::vector<Random> link_random_;
  GroupCounters counters_;
  std::unique_ptr<Measurement> measurement_;
};

}  // namespace odonata::congestion
