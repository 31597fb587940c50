// SPDX-License-Identifier: Apache-2.0
// Credits on their way to the monitors of the hardware, which take two a virtual channel and cycle (docs/router.md §3),
// in a switch of more than two phases as many as those: when a link cuts a packet in two, more come at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/common/state_check.h"

namespace odonata::network {

class MonitorBacklog {
 public:
  MonitorBacklog(size_t channels, int phases) : waiting_(channels), most_(static_cast<uint16_t>(std::max(phases, 2))) {}
  void add(uint32_t channel) {
    if (waiting_[channel]++ == 0) channels_.push_back(channel);
  }
  /// Tells those of a cycle, by channel.
  template <class Tell>
  void serve(Tell tell) {
    size_t left = 0;
    for (const uint32_t channel : channels_) {
      const uint16_t told = std::min(waiting_[channel], most_);
      for (uint16_t n = 0; n != told; ++n) tell(channel);
      waiting_[channel] = static_cast<uint16_t>(waiting_[channel] - told);
      if (waiting_[channel] != 0) channels_[left++] = channel;
    }
    channels_.resize(left);
  }
  template <class Visit>
  void visit_state(Visit&& visit) {
    visit_sized(visit, waiting_, "credits for monitors");
    visit(channels_);
    if constexpr (kReadsState<Visit>) check();
  }

 private:
  /// Just those channels are listed where some wait, each once.
  void check() const {
    std::vector<bool> listed(waiting_.size());
    for (const uint32_t channel : channels_) {
      expect_state(channel < waiting_.size() && waiting_[channel] != 0 && !listed[channel], "credits for monitors");
      listed[channel] = true;
    }
    const auto waits = std::count_if(waiting_.begin(), waiting_.end(), [](uint16_t n) { return n != 0; });
    expect_state(channels_.size() == static_cast<size_t>(waits), "credits for monitors");
  }

  std::vector<uint16_t> waiting_;   // by port index << shift | VC
  std::vector<uint32_t> channels_;  // where some wait
  uint16_t most_;                   // of a channel in a cycle
};

/// In its place where monitors take all at once.
struct NoBacklog {
  NoBacklog(size_t, int) {}
  template <class Visit>
  void visit_state(Visit&&) {}
};

}  // namespace odonata::network
