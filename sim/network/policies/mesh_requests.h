// SPDX-License-Identifier: Apache-2.0
// DOR, DBRA, D2RA, DyXY_D2RA and Footprint_D2RA on a mesh, and two unsafe variants. Which outputs a packet may ask for
// is decided by the request logic of models/arb_request (D2RA Alg. 1, Fig. 4, eq. 6-13); nothing of it is written here.
// docs/mesh.md §3.
//
//   credit of DBRA, D2RA and the unsafe variants: idle VCs behind an output (a VC is a sub-queue of one packet, any
//     packet may take any of them);
//   DOR: every VC that is not held and has room counts (VcReuse::tail: several packets may wait in a VC).
//   High and low requests of different packets compete as equals (docs/arb_request.md §5, step 3); a packet asks low
//     only if it has no high request.
#pragma once

#include <memory>

#include "sim/network/logic_lockstep.h"
#include "sim/network/policies/common/mesh_policy.h"

namespace odonata::network {

class MeshRequests : public MeshPolicy {
 public:
  explicit MeshRequests(const MeshSetup& setup)
      : MeshPolicy(setup),
        changes_(static_cast<size_t>(setup.routers), 1),
        nothing_(changes_.size() * static_cast<size_t>(state_.ports() * setup.vcs)) {
    keep_answers();
  }
  MeshRequests(const Context& context, int domain) : MeshRequests(mesh_setup(context, domain)) {
    const int router = context.config.requests.device_router - state_.name(0);
    if (context.config.requests.device && router >= 0 && router < state_.routers())
      device_ = std::make_unique<LogicLockstep>(context.config.requests.device(), context.config.requests.device_router,
                                                mesh_),
      answers_.clear();
  }

  /// Answers of the device in the loop that were equal to the golden ones.
  uint64_t compared() const { return device_ ? device_->compared() : 0; }

  template <class Outputs>
  [[gnu::always_inline]] Ask ask(const Flit& flit, const Place& at, const Outputs& outputs) const {
    const int dest = static_cast<int>(flit.dest);
    if (dest == state_.name(at.router)) return {static_cast<uint8_t>(state_.node_port()), 0};
    if (answers_.empty()) return ask_logic(flit, at, outputs);
    const MeshState::Heading heading = state_.heading(at.router, dest);
    const uint8_t candidates = answers_[static_cast<size_t>(heading.remaining) << (2 * state_.dimensions()) |
                                        state_.few_slots(at.router, heading)];
    if (candidates == 0) return {};
    return ask_one_of(candidates, {.remaining = heading.remaining, .plus = heading.plus}, {}, flit, at, outputs);
  }

  /// A device wants to hear every request.
  bool steady() const { return !device_; }

  /// A slot became free.
  void idle(int router, int port, int vc) {
    MeshPolicy::idle(router, port, vc);
    ++changes_[static_cast<size_t>(router)];
  }

  template <class Visit>
  void visit_state(Visit&& visit) {
    MeshPolicy::visit_state(visit);
    visit_sized(visit, changes_, "requests without an answer"),
        visit_sized(visit, nothing_, "requests without an answer");
  }
  size_t bytes() const { return MeshPolicy::bytes() + answers_.size() + 4 * changes_.size() + 8 * nothing_.size(); }

  /// Why a packet cannot move: the outputs that it could ever ask for, in bits 2 * dimension + minus.
  uint64_t possible(int router, uint32_t dest) const {
    const Requests all = state_.unlimited(router, static_cast<int>(dest), arb_request::Scheme::kDbra);
    uint8_t dimensions = all.remaining;
    if (routing_ == MeshRouting::dor) dimensions = all.lowest();
    if (routing_ == MeshRouting::mixed_dor) dimensions = ends_of(all.remaining);
    return outputs_of(dimensions, all.plus);
  }

 private:
  static uint8_t ends_of(uint8_t map) {
    return map == 0 ? uint8_t{0} : static_cast<uint8_t>((map & -map) | std::bit_floor(map));
  }
  static uint32_t outputs_of(uint8_t dimensions, uint8_t plus) {
    uint32_t out = 0;
    for (uint32_t left = dimensions; left != 0; left &= left - 1) {
      const int d = std::countr_zero(left);
      out |= 1u << mesh_port(d, (plus >> d & 1) == 0);
    }
    return out;
  }
  /// Asks the request logic, or goes in order.
  template <class Outputs>
  [[gnu::noinline]] Ask ask_logic(const Flit& flit, const Place& at, const Outputs& outputs) const {
    if (routing_ == MeshRouting::dor) return ask_in_order(flit, at, outputs);
    const int dest = static_cast<int>(flit.dest);
    const bool remembers = !queues_ && !(device_ && state_.name(at.router) == device_->router());
    uint64_t& nothing = nothing_[static_cast<size_t>((at.router * state_.ports() + at.port) * state_.vcs() + at.vc)];
    const uint64_t now = uint64_t{changes_[static_cast<size_t>(at.router)]} << 32 | flit.dest;
    if (remembers && nothing == now) return {};
    const arb_request::Query query =
        queues_ ? queue_query(at.router, dest, outputs, need(flit)) : state_.query(at.router, dest);
    const Requests requests = permitted(state_.name(at.router), query);
    if (requests.candidates() == 0) {
      nothing = now;
      return {};
    }
    return ask_one_of(requests.candidates(), requests, query, flit, at, outputs);
  }
  /// The choice among several dimensions, and a VC.
  template <class Outputs>
  Ask ask_one_of(uint8_t candidates, const Requests& requests, const arb_request::Query& query, const Flit& flit,
                 const Place& at, const Outputs& outputs) const {
    if ((candidates & (candidates - 1)) != 0) candidates = preferred(candidates, requests.plus, flit, at, outputs);
    const int dimension =
        state_.selector(at.router, at.port).choose(candidates, credits(requests, query), policy(), state_.dimensions());
    const int port = mesh_port(requests, dimension);
    return {static_cast<uint8_t>(port),
            static_cast<uint8_t>(first_open(outputs, at.router, port, low_bits(), need(flit)))};
  }
  /// The candidates of all packets in all states of the slots, by the request logic: in three dimensions three free
  /// slots are as good as more.
  void keep_answers() {
    const int n = state_.dimensions();
    if (queues_ || routing_ == MeshRouting::dor || selection_ == arb_request::Policy::kMostCredits ||
        n > MeshState::kCountable)
      return;
    for (uint32_t remaining = 0; remaining < 1u << n; ++remaining) {
      for (uint32_t slots = 0; slots < 1u << (2 * n); ++slots) {
        arb_request::Query query{};
        for (int d = 0; d < n; ++d) {
          arb_request::set_lane(query.dest, d, static_cast<uint8_t>(remaining >> d & 1));
          arb_request::set_lane(query.credit_plus, d, static_cast<uint8_t>(slots >> (2 * d) & 3));
        }
        answers_.push_back(permitted(-1, query).candidates());
      }
    }
  }
  /// What flow control permits now. `router`: in the mesh.
  Requests permitted(int router, const arb_request::Query& query) const {
    using arb_request::Scheme;
    if (routing_ == MeshRouting::dbra_lowered) return lowered(query);
    if (routing_ == MeshRouting::mixed_dor) return both_orders(query);
    const Scheme scheme = routing_ == MeshRouting::dbra ? Scheme::kDbra : Scheme::kD2ra;
    const Requests golden = evaluate(query, scheme);
    if (device_ && router == device_->router()) [[unlikely]]
      return device_->decide(query, scheme, golden);
    return golden;
  }
  /// z - 1 for z: one credit more wherever there is one.
  static Requests lowered(arb_request::Query q) {
    using namespace arb_request::detail;
    q.credit_plus += non_zero(q.credit_plus) >> 7;
    q.credit_minus += non_zero(q.credit_minus) >> 7;
    Requests out = evaluate(q, arb_request::Scheme::kDbra);
    out.high &= gather(non_zero(selected_credit(q)));
    return out;
  }
  /// Ascending dimension order, and descending: the same logic with the dimensions in reverse.
  static Requests both_orders(const arb_request::Query& q) {
    const auto reverse = [](Lanes v) { return __builtin_bswap64(v); };
    Requests out = evaluate(q, arb_request::Scheme::kDor);
    const Requests down = evaluate({reverse(q.at), reverse(q.dest), reverse(q.credit_plus), reverse(q.credit_minus)},
                                   arb_request::Scheme::kDor);
    for (uint32_t left = down.request(); left != 0; left &= left - 1)
      out.low |= static_cast<uint8_t>(0x80u >> std::countr_zero(left));
    out.high |= out.low;  // one class
    out.low = 0;
    return out;
  }
  /// Dimension order into any VC with room.
  template <class Outputs>
  Ask ask_in_order(const Flit& flit, const Place& at, const Outputs& outputs) const {
    const MeshState::Heading minimal = state_.heading(at.router, static_cast<int>(flit.dest));
    const int dimension = std::countr_zero(minimal.remaining);
    const int port = mesh_port(dimension, (minimal.plus >> dimension & 1) == 0);
    const int vc = first_open(outputs, at.router, port, low_bits(), need(flit));
    if (vc < 0) return {};
    return {static_cast<uint8_t>(port), static_cast<uint8_t>(vc)};
  }
  uint32_t low_bits() const { return (1u << state_.vcs()) - 1; }
  /// The rule of DyXY or Footprint among several candidates.
  template <class Outputs>
  uint8_t preferred(uint8_t candidates, uint8_t plus, const Flit& flit, const Place& at, const Outputs& outputs) const {
    if (routing_ == MeshRouting::dyxy_d2ra) return least_occupied(candidates, plus, outputs, state_.vcs());
    if (routing_ == MeshRouting::footprint_d2ra)
      return most_idle_then_footprints(candidates, plus, state_, at.router, flit.dest, low_bits());
    return candidates;
  }
  /// Ties of DyXY and Footprint are broken at random.
  arb_request::Policy policy() const {
    return routing_ == MeshRouting::dyxy_d2ra || routing_ == MeshRouting::footprint_d2ra ? arb_request::Policy::kRandom
                                                                                         : selection_;
  }
  Lanes credits(const Requests& requests, const arb_request::Query& query) const {
    if (selection_ != arb_request::Policy::kMostCredits) return 0;
    Lanes out = 0;
    for (int d = 0; d < state_.dimensions(); ++d)
      arb_request::set_lane(
          out, d, arb_request::lane((requests.plus >> d & 1) != 0 ? query.credit_plus : query.credit_minus, d));
    return out;
  }
  /// VcReuse::tail: a VC that no packet holds and that has room counts as a slot, even if packets wait in it.
  template <class Outputs>
  arb_request::Query queue_query(int router, int dest, const Outputs& outputs, int need) const {
    arb_request::Query out = state_.query(router, dest);
    const auto slots = [&](int port) {
      return static_cast<uint8_t>(std::popcount(open_vcs(outputs, port, low_bits(), need)));
    };
    for (int d = 0; d < state_.dimensions(); ++d) {
      arb_request::set_lane(out.credit_plus, d, slots(mesh_port(d, false)));
      arb_request::set_lane(out.credit_minus, d, slots(mesh_port(d, true)));
    }
    return out;
  }

  // A head that got no answer gets none until a slot of its router becomes free, so it is not computed again. (Not
  // where several packets wait in a VC: there more than slots counts; nor beside a device, which hears every request.)
  std::vector<uint8_t>
      answers_;  // by dimensions that remain and few_slots(): candidates; empty: the request logic is asked every time
  std::vector<uint32_t> changes_;  // by router: slots that became free, + 1
  mutable std::vector<uint64_t>
      nothing_;  // by input VC: changes_ << 32 | destination of the last head without an answer
  std::unique_ptr<LogicLockstep> device_;
};

}  // namespace odonata::network
