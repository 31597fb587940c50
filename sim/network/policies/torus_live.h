// SPDX-License-Identifier: Apache-2.0
// The routings of a torus while nodes and links fail (docs/torus.md §12): routers learn of it as their fault units do.
#pragma once

#include "models/common/state_check.h"
#include "sim/network/policies/torus.h"

namespace odonata::network {

class TorusLive : public TorusRouting {
 public:
  static constexpr bool kFaults = true;
  static constexpr bool kOwnFaults = true;  ///< no fault planes of the engine

  TorusLive(const Context& context, int domain);

  void begin_cycle(uint32_t cycle);
  /// A packet whose way a new wall has crossed since its direction was chosen would go round the ring along it for
  /// ever: it is dropped.
  Route route(Flit& flit, const Place& at) const {
    const Route out = TorusRouting::route(flit, at);
    return steered_ && out.port < kNodePort && heads_for_wall(views_[static_cast<size_t>(at.router)], flit.state)
               ? Route{}
               : out;
  }
  void begin_window() {}
  const FaultEvent* next_event(uint32_t cycle);
  bool port_up(int output) const { return now_ < link_down(output); }
  bool alive(int router) const { return now_ < history_.dead[static_cast<size_t>(first_ + router)]; }
  bool cut_off(int input, uint32_t, uint32_t now) const { return link_down(input) < now; }
  int messages(int, uint32_t, uint32_t) const { return 0; }  // the marks have wires of their own
  bool delivers(int output, uint32_t cycle) const { return cycle < link_down(output); }
  uint32_t free_slot(int, uint32_t cycle) const { return cycle; }
  bool tables_ok() const { return history_.as_map; }
  FaultResult fault_result(uint32_t now) const;

  template <class Visit>
  void visit_state(Visit&& visit) {
    visit_sized(visit, views_, "what routers know"), visit(now_), visit(next_event_), visit(next_change_);
  }
  /// What was read, after so many cycles: what has happened up to then, and what each router knows.
  void check_state(uint32_t cycles) const;

 protected:
  bool is_here(int router) const { return router >= first_ && router < first_ + routers_; }

 private:
  static void learn(TorusView& view, const TorusView& known);
  uint32_t link_down(int port) const {
    return history_.link_down[static_cast<size_t>(first_ * (kNodePort + 1) + port)];
  }
  bool heads_for_wall(const TorusView& view, uint32_t header) const {
    const size_t d = (header & torus::header::kDim) != 0;
    const unsigned k = radix_[d], at = view.at[d],
                   link = (header & torus::header::kDir) == 0 ? at
                          : at == 0                           ? k - 1
                                                              : at - 1;
    return (view.wall[d] >> link & 1) != 0;
  }

  const TorusHistory history_;
  const uint32_t last_change_;  ///< cycle from which every router decides as it will
  const uint32_t lag_;          ///< cycles from what a router knows to the first decision with it
  uint32_t now_ = 0;
  uint64_t next_event_ = 0, next_change_ = 0;  // of the whole torus
  FaultEvent event_;                           // the one that is served
};

}  // namespace odonata::network
