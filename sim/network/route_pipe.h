// SPDX-License-Identifier: Apache-2.0
// The route-compute pipelines of a domain's input ports, for RouteCompute::pipeline and arrival (docs/network.md §11):
// which packets wait for a request, and the requests that are in the pipelines.
#pragma once

#include <cstdint>
#include <vector>

#include "models/common/state_check.h"
#include "sim/network/policy.h"

namespace odonata::network {

class RoutePipe {
 public:
  static constexpr uint32_t kForgotten = ~0u;
  static constexpr uint32_t kLatency = 4;  ///< cycles from the edge that samples a request to its answer
  struct Request {
    uint32_t input_vc = kForgotten;  ///< port index * stride + VC
    uint16_t lfsr = 0;
    uint16_t position = 0;  ///< arrival: the packet's place in the ring of its VC
    Route route;
  };

  RoutePipe(size_t ports, uint32_t stride) : stride_(stride), wants_(ports), pointer_(ports) {}

  /// The head of an input VC needs a route; it can ask from the next call of ask() on.
  void want(uint32_t input_vc) {
    uint16_t& wants = wants_[input_vc / stride_];
    if (wants == 0) ports_.push_back(input_vc / stride_);
    wants |= static_cast<uint16_t>(1u << (input_vc % stride_));
  }
  /// The edge that begins `cycle`: every port asks for one VC, round-robin. `draw(input_vc)` gives the LFSR's value.
  template <class Draw>
  void ask(uint32_t cycle, Draw draw) {
    std::vector<Request>& asked = stage(cycle);
    asked.clear();
    size_t left = 0;
    for (const uint32_t port : ports_) {
      uint16_t& wants = wants_[port];
      if (wants == 0) continue;  // its router has died
      const int v = rotating_pick(wants, pointer_[port]);
      pointer_[port] = static_cast<uint8_t>((v + 1) & 15);
      wants = static_cast<uint16_t>(wants & ~(1u << v));
      const uint32_t input_vc = port * stride_ + static_cast<uint32_t>(v);
      asked.push_back({input_vc, draw(input_vc), 0, {}});
      if (wants != 0) ports_[left++] = port;
    }
    ports_.resize(left);
  }
  /// RouteCompute::arrival: a packet that the edge which begins `cycle` has written into its buffer asks with that
  /// edge.
  void arrived(uint32_t input_vc, uint32_t position) {
    arrived_.push_back({input_vc, 0, static_cast<uint16_t>(position), {}});
  }
  template <class Draw>
  void ask_arrived(uint32_t cycle, Draw draw) {
    for (Request& r : arrived_) r.lfsr = draw(r.input_vc);
    stage(cycle).swap(arrived_);
    arrived_.clear();
  }
  /// The requests that the edge of a cycle has sampled, at most seven cycles ago.
  std::vector<Request>& stage(uint32_t cycle) { return stages_[cycle & 7]; }
  /// The packet at this place of an input VC is no more: its answer has no meaning.
  void forget(uint32_t input_vc, uint32_t position) {
    for (auto& stage : stages_) {
      for (Request& r : stage) {
        if (r.input_vc == input_vc && r.position == position) r.input_vc = kForgotten;
      }
    }
  }
  /// A router dies: ports first..last-1 forget everything.
  void forget_all(uint32_t first, uint32_t last) {
    for (uint32_t port = first; port != last; ++port) wants_[port] = 0;
    std::erase_if(ports_, [&](uint32_t port) { return port >= first && port < last; });
    for (auto& stage : stages_) {
      for (Request& r : stage) {
        if (r.input_vc / stride_ >= first && r.input_vc / stride_ < last) r.input_vc = kForgotten;
      }
    }
  }
  template <class Visit>
  void visit_state(Visit&& visit) {
    visit_sized(visit, wants_, "ports that ask for a route"),
        visit_below(visit, pointer_, 16, "ports that ask for a route");
    visit(ports_);
    for (auto& stage : stages_) visit(stage);
    if constexpr (kReadsState<Visit>) {
      for (const uint32_t port : ports_) expect_state(port < wants_.size(), "ports that ask for a route");
    }
  }
  /// All input VCs that wait for a request, and all requests without an answer before `cycle`: wants(port index, VCs),
  /// asked(request).
  template <class Wants, class Asked>
  void for_each(uint32_t cycle, Wants wants, Asked asked) const {
    for (uint32_t port = 0; port != wants_.size(); ++port) wants(port, wants_[port]);
    for (uint32_t ago = 1; ago <= kLatency; ++ago) {
      for (const Request& r : stages_[(cycle - ago) & 7]) {
        if (r.input_vc != kForgotten) asked(r);
      }
    }
  }
  size_t bytes() const { return wants_.size() * 3; }

 private:
  uint32_t stride_;
  std::vector<uint16_t> wants_;   // by port index: VCs
  std::vector<uint8_t> pointer_;  // by port index: round-robin
  std::vector<uint32_t> ports_;   // port indices with such VCs
  std::vector<Request> stages_[8];
  std::vector<Request> arrived_;  // in the present cycle; empty between cycles
};

/// In its place when routes are decided at once.
struct NoRoutePipe {
  NoRoutePipe(size_t, uint32_t) {}
  void want(uint32_t) {}
  void arrived(uint32_t, uint32_t) {}
  void forget(uint32_t, uint32_t) {}
  void forget_all(uint32_t, uint32_t) {}
  template <class Visit>
  void visit_state(Visit&&) {}
  template <class Wants, class Asked>
  void for_each(uint32_t, Wants, Asked) const {}
  size_t bytes() const { return 0; }
};

}  // namespace odonata::network
