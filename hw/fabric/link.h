// SPDX-License-Identifier: Apache-2.0
// SystemC networks: what a link carries in one direction, and the credits that come back on it (docs/network.md §2,
// §8).
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace odonata::fabric {

/// A flit with its packet's header. A packet is named by its source and the cycle of its creation.
struct Flit {
  static constexpr uint8_t kPoisoned =
      255;  ///< as index: no flit of the packet, it closes what a fault has cut off (docs/network_faults.md §2)
  uint32_t source = 0;  ///< number of the node
  uint32_t dest = 0;    ///< number of the node; in a dragonfly its packed address, 18 bits
  uint32_t born = 0;    ///< cycle of creation
  uint8_t length = 1, index = 0;
  uint8_t vc = 0;
  uint8_t header = 0;       ///< of the route units; a dragonfly has none
  bool cut = false;         ///< its link was down while it was on it
  bool uncredited = false;  ///< poisoned, and where it was made
  bool head() const { return index == 0; }
  bool tail() const { return index + 1 == length || poisoned(); }
  bool poisoned() const { return index == kPoisoned; }
};

/// A delay line of `latency` cycles, flits one way and credits the other. Flits die on a link that is down, credits do
/// not.
class Link {
 public:
  explicit Link(int latency) : latency_(latency) {}

  /// The flit that is on the link first in `cycle`; one a cycle.
  void send(const Flit& flit, int64_t cycle) { flits_.push_back({flit, cycle + latency_}); }
  /// A credit that leaves the receiver in `cycle`.
  void send_credit(int vc, int64_t cycle) { credits_.push_back({vc, cycle + latency_}); }
  /// The link is down: whatever is on it is lost.
  void cut() {
    for (OnLink& f : flits_) f.flit.cut = true;
  }
  /// The flit that arrives in `cycle`; null: none, or it is lost.
  const Flit* arriving(int64_t cycle) const {
    for (const OnLink& f : flits_) {
      if (f.arrival == cycle) return f.flit.cut ? nullptr : &f.flit;
    }
    return nullptr;
  }
  /// Takes the flit that arrives in `cycle`; false: none.
  bool receive(int64_t cycle, Flit& flit) {
    if (flits_.empty() || flits_.front().arrival != cycle) return false;
    flit = flits_.front().flit;
    flits_.pop_front();
    return true;
  }
  /// The virtual channels of the credits that arrive in `cycle`.
  std::vector<int> receive_credits(int64_t cycle) {
    std::vector<int> out;
    for (; !credits_.empty() && credits_.front().arrival == cycle; credits_.pop_front())
      out.push_back(credits_.front().vc);
    return out;
  }

 private:
  struct OnLink {
    Flit flit;
    int64_t arrival;
  };
  struct Credit {
    int vc;
    int64_t arrival;
  };
  int latency_;
  std::deque<OnLink> flits_;
  std::deque<Credit> credits_;
};

}  // namespace odonata::fabric
