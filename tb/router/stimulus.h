// SPDX-License-Identifier: Apache-2.0
// Stimuli of the data path: neighbours that keep the rules of docs/router.md §2.6.
#pragma once

#include <array>
#include <vector>

#include "models/common/random.h"
#include "models/router/data_config.h"
#include "models/router/router_data_pins.h"
#include "tb/harness/stimulus.h"

namespace odonata::cosim {

/// What the neighbours do; probabilities a cycle where nothing else is said.
struct DataDemand {
  double load = 0.5;     ///< of a link, flits
  int packet = 1;        ///< flits of the longest packet
  bool all_long = true;  ///< every packet has so many
  double drops = 0;      ///< packets without an option
  double hot = 0;        ///< packets for `hot_port`, VC `hot_vc`
  int hot_port = 0, hot_vc = 0;
  double taken = 0;       ///< slots for FDs and FRs
  int credit_delay = 10;  ///< cycles from the link to the credit
  int credit_bunch = 1;   ///< credits come back in every so many cycles only
  double cuts = 0;        ///< packets that a dead link has cut before they begin
  double falls = 0;       ///< a link goes down, for some cycles
  double poisons = 0;     ///< of flits that are no heads: a poisoned tail comes in their place
  double resets = 0, deaths = 0, repairs = 1;
  bool one_vc = false;  ///< every sender uses only its VC 0
};

/// Packets of up to 64 flits, which is more than shallow buffers hold: all bits of lengths and positions.
inline DataDemand longest_packets() {
  DataDemand out;
  out.load = 0.8;
  out.packet = 64;
  out.all_long = false;
  out.drops = 0.3;
  out.credit_delay = 1;
  out.cuts = 0.05;
  out.deaths = 0.001;
  out.resets = 0.0005;
  return out;
}
/// The same over links that fail: packets are cut when they have filled their buffer, and when most of them has gone.
inline std::vector<DataDemand> longest_packets_cut() {
  std::vector<DataDemand> out;
  for (const int delay : {1, 60}) {
    for (const double hot : {0.0, 0.9}) {
      out.push_back(longest_packets());
      out.back().falls = 0.005;
      out.back().poisons = 0.01;
      out.back().credit_delay = delay;
      out.back().hot = hot;
      out.back().hot_port = 3;
    }
  }
  return out;
}

/// Senders with credit counters and packets on four VCs, receivers that give credits back after a while.
class DataTraffic final : public Stimulus<router::DataInputs, router::DataOutputs> {
 public:
  /// `changing`: a new demand every some hundred cycles; otherwise `demand` for ever.
  DataTraffic(const router::DataConfig& config, const DataDemand& demand, bool changing, uint64_t seed);
  bool next(const router::DataOutputs& last, router::DataInputs& in) override;

 private:
  /// A link's sender: packets that it is sending, free slots behind it.
  struct Sender {
    struct Channel {
      int room = 0;
      int left = 0, length = 0;  ///< flits to send of the packet, all its flits
      bool cut = false;
    };
    std::array<Channel, router::kNumVcs> vc;
    int down = 0;   ///< cycles that the link will be down
    int drain = 0;  ///< cycles in which what arrives was on the link then
  };
  struct Credit {
    uint8_t port = 0, vc = 0;
  };
  static constexpr uint64_t kDays = 512;  // more than any delay
  static constexpr int kWire = 4;         // cycles on a link
  static constexpr uint64_t kRest =
      64;  // cycles without a flit at the start: what goes wrong has a reset of its own in front (tb/harness/shrink.h)
  void new_demand();
  void restart();
  void abandon();
  void return_credits(const router::DataOutputs& last, router::DataInputs& in);
  void send(int port, router::DataInputs& in);
  bool is_down(int port);
  void fail(int port, router::DataInputs& in);
  int below(int n) { return static_cast<int>(random_.below(static_cast<uint32_t>(n))); }
  int smallest_depth() const;
  int longest_moved() const;

  router::DataConfig config_;
  DataDemand demand_;
  bool changing_;
  Random random_;
  uint64_t cycle_ = 0, until_ = 0;
  bool alive_ = true;
  int packet_last_ = 0;
  std::vector<Sender> senders_;
  std::array<std::vector<Credit>, kDays> credits_;  // of flits that are gone, by the cycle in which they come back
};

/// A packet is cut in every cycle of its life: at all kinds of ports, of all ages, with its way free, closed for a
/// while, without an option or without credits (in shallow buffers), alone or behind others; its rest and a new packet
/// come afterwards. Each scene from a reset on.
class CutScenes final : public Stimulus<router::DataInputs, router::DataOutputs> {
 public:
  explicit CutScenes(const router::DataConfig& config) : config_(config) {}
  bool next(const router::DataOutputs& last, router::DataInputs& in) override;
  /// All scenes, in cycles.
  uint64_t cycles() const { return kScenes * kLength; }

 private:
  static constexpr int kLength = 56, kAges = 14;
  static constexpr uint64_t kScenes = 3 * 4 * 2 * kAges * 3 * 2 * 2;
  void flit(int port, int vc, bool head, bool tail, router::DataInputs& in) const;

  router::DataConfig config_;
  uint64_t cycle_ = 0;
  int credits_ = 0;  // of flits that have left the output
};

}  // namespace odonata::cosim
