// SPDX-License-Identifier: Apache-2.0
// Credits on their way to the monitors of the hardware, which take two a virtual channel and cycle (docs/router.md §3):
// when a link cuts a packet in two, more come at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace odonata::network {

class MonitorBacklog {
 public:
  explicit MonitorBacklog(size_t channels) : waiting_(channels) {}
  void add(uint32_t channel) {
    if (waiting_[channel]++ == 0) channels_.push_back(channel);
  }
  /// Tells those of a cycle, by channel.
  template <class Tell>
  void serve(Tell tell) {
    size_t left = 0;
    for (const uint32_t channel : channels_) {
      const uint16_t told = std::min<uint16_t>(waiting_[channel], 2);
      for (uint16_t n = 0; n != told; ++n) tell(channel);
      waiting_[channel] = static_cast<uint16_t>(waiting_[channel] - told);
      if (waiting_[channel] != 0) channels_[left++] = channel;
    }
    channels_.resize(left);
  }
  template <class Visit>
  void visit_state(Visit&& visit) {
    visit(waiting_), visit(channels_);
  }

 private:
  std::vector<uint16_t> waiting_;   // by port index << shift | VC
  std::vector<uint32_t> channels_;  // where some wait
};

/// In its place where monitors take all at once.
struct NoBacklog {
  explicit NoBacklog(size_t) {}
  template <class Visit>
  void visit_state(Visit&&) {}
};

}  // namespace odonata::network
