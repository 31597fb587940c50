// SPDX-License-Identifier: Apache-2.0
// What a domain does in a window and in a cycle: mail, arrivals, credits (docs/network.md §2, §4). Definitions of
// Domain; included by domain.h only.
#pragma once

#include <span>

#include "sim/network/domain.h"
#include "sim/network/prefetch.h"

namespace odonata::network {

template <class Policy, class Source, bool kPackets>
Domain<Policy, Source, kPackets>::Domain(const Context& context, int number, const Source& source, Post& post)
    : State(context, number),
      source_(source),
      post_(post),
      cut_through_(context.config.router.switching == Switching::cut_through),
      fifo_(context.config.router.output_fifo != 0 ? static_cast<uint32_t>(context.config.router.output_fifo)
                                                   : kUnbounded),
      phases_(context.config.router.phases),
      turn_cycles_(static_cast<uint32_t>(context.config.router.turn_cycles)),
      at_arrival_(context.config.route_compute == RouteCompute::arrival),
      longest_(static_cast<uint32_t>(context.config.router.packet_flits())),
      sample_first_(context.sample_first),
      sample_length_(context.sample_last - context.sample_first),
      policy_(context, number),
      pipe_(static_cast<size_t>(routers_) * static_cast<size_t>(ports_), kStride),
      backlog_(static_cast<size_t>(routers_) * static_cast<size_t>(ports_) * kStride, context.config.router.phases) {
  find_ends(post);
  if (context.loop != nullptr) nics_ = std::make_unique<Nics>(*context.loop, number);
  sees_deliveries_ = nics_ != nullptr;
  if constexpr (kSleeps) sleeps_ = policy_.steady();
  for (uint32_t n = 0; n != nodes_.size(); ++n) {
    Node& node = nodes_[n];
    node.next = nics_ != nullptr && nics_->has_rank(n) ? nics_->head(n) : source.next(node.number, ~0u, node.random);
  }
}

template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::find_ends(const Post& post) {
  const auto own = [this](const Post::End& end) { return end.domain == static_cast<uint32_t>(number_); };
  first_end_ = static_cast<uint32_t>(std::find_if(post.ends().begin(), post.ends().end(), own) - post.ends().begin());
}

template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::run(const Window& window, Scratch& scratch, const AnyDomain* next) {
  const uint64_t hops = statistics_.flit_hops;
  window_last_ = window.last;
  outbox_ = &scratch.outbox;
  freed_by_grants_ = &scratch.freed;
  requests_ = &scratch.requests;
  requests_->open(inputs_.size());
  outbox_->open(static_cast<uint32_t>(between_.size()));
  scratch.prefetch.clear();
  if (next != nullptr) next->list_memory(scratch.prefetch, window.half);
  const size_t lines = scratch.prefetch.lines() / (window.last - window.first) + 1;
  collect_mail(window);
  if constexpr (kFaults) policy_.begin_window();
  for (uint32_t now = window.first; now != window.last; ++now) {
    if ((now - window.first) % DueBits::kDays == 0) begin_round(now);
    scratch.prefetch.ask(lines);
    cycle(now);
  }
  keep_late_mail();
  busy_ = statistics_.flit_hops - hops > inputs_.size() * (window.last - window.first) / 16;
  outbox_->deliver(post_, window.half, static_cast<uint32_t>(number_), first_end_);
}

/// What a window touches in any case, or nearly.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::list_memory(Prefetch& out, size_t half) const {
  const size_t depth = busy_ ? 4 : 1;       // slots of a ring that are in use now and then
  auto& self = const_cast<Domain&>(*this);  // one list of the state for both directions, and for this
  out(inputs_), out(outputs_), out(output_credits_), out(waiting_), out(kinds_), out(nodes_), out(between_), out(late_);
  for (const Rings& rings : rings_)
    out.add(&flits_[rings.first], std::min<size_t>(rings.mask + 1u, depth) * rings.stride * sizeof(Flit));
  const auto see = [&out](const void* first, size_t bytes) { out.add(first, bytes); };
  arrivals_.visit_hot(see), credits_.visit_hot(see);
  self.queued_arrivals_.visit_hot(out), self.arrivals_between_.visit_hot(out), self.queued_credits_.visit_hot(out);
  self.injections_.visit_hot(out);
  if constexpr (requires { self.policy_.visit_hot(out, see); }) {
    self.policy_.visit_hot(out, see);
  } else {
    self.policy_.visit_state(out);
  }
  for (uint32_t k = 0; k < between_.size(); ++k) {
    const auto flits = post_.flits(1 - half, first_end_ + k, between_[k].sender);
    const auto credits = post_.credits(1 - half, first_end_ + k, between_[k].sender);
    out.add(flits.data(), flits.size_bytes());
    out.add(credits.data(), credits.size_bytes());
  }
}

/// Takes in what the other domains sent in the window before.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::collect_mail(const Window& window) {
  for (uint32_t k = 0; k < between_.size(); ++k) {
    Between& from = between_[k];
    const auto flits = post_.flits(1 - window.half, first_end_ + k, from.sender);
    from.next = from.listed = flits.data();
    from.end = from.next + flits.size();
    from.late_listed = from.next_late;
    for (const CreditMessage& m : post_.credits(1 - window.half, first_end_ + k, from.sender)) {
      const uint32_t due = window.first + static_cast<uint16_t>(m.due - window.first);
      queued_credits_.add(due, ((from.port << kShift) + m.vc) | (m.tail ? kTailBit : 0));
    }
  }
}

/// The next cycles of a window, as many as DueBits can list: who injects, which links from other domains bring a flit.
/// Where the order of injections counts they are listed for the whole window.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::begin_round(uint32_t now) {
  const uint32_t last = std::min(window_last_ - now, DueBits::kDays) + now;
  if (order_free<Policy>() || round_last_ <= now) {
    round_last_ = order_free<Policy>() ? last : window_last_;
    wake_nodes(now, round_last_);
  }
  for (uint32_t link = 0; link < between_.size(); ++link) {
    Between& from = between_[link];
    for (; from.late_listed != from.end_late && late_[from.late_listed].due < last; ++from.late_listed)
      arrivals_between_.add(late_[from.late_listed].due, link);
    for (; from.listed != from.end && from.listed->due < last; ++from.listed)
      arrivals_between_.add(from.listed->due, link);
  }
}

template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::keep_late_mail() {
  later_.clear();
  for (Between& link : between_) {
    const auto first = static_cast<uint32_t>(later_.size());
    if (link.next_late == link.end_late && link.next == link.end) [[likely]] {
      link.next_late = link.end_late = first;
      continue;
    }
    later_.insert(later_.end(), late_.begin() + link.next_late, late_.begin() + link.end_late);
    later_.insert(later_.end(), link.next, link.end);
    link.next_late = first;
    link.end_late = static_cast<uint32_t>(later_.size());
  }
  late_.swap(later_);
}

/// What arrives in a cycle. Of the flits over links inside those that waited in a FIFO were granted first.
template <class Policy, class Source, bool kPackets>
[[gnu::noinline]] void Domain<Policy, Source, kPackets>::arrive_all(uint32_t now) {
  const Arrays all = this->arrays();
  auto batch = this->batch();
  Between* const between = between_.data();
  arrivals_between_.serve(
      now, [&](uint32_t number) __attribute__((always_inline)) {
        Between& link = between[number];
        const Flit& flit = link.next_late != link.end_late ? late_[link.next_late++].flit : (link.next++)->flit;
        prefetch_behind(link.next, 4);  // the one after the following
        arrive<LinkKind::between>(all, batch, (link.port << kShift) + flit.vc, flit);
      });
  queued_arrivals_.serve(
      now, [&](const Arrival& a)
               __attribute__((noinline)) { arrive<LinkKind::inside>(all, batch, a.input_vc, a.flit); });
  if (is_far()) arrivals_.expect([&all](const Arrival& a) { __builtin_prefetch(&all.inputs[a.input_vc >> kShift]); });
  arrivals_.serve([&](const Arrival& a)
                      __attribute__((always_inline)) { arrive<LinkKind::inside>(all, batch, a.input_vc, a.flit); });
  batch.finish();
}

template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::cycle(uint32_t now) {
  now_ = now;
  in_sample_ = now - sample_first_ < sample_length_;
  enter(Part::plane);
  policy_.begin_cycle(now);
  enter(Part::credits);
  credits_.serve([this](uint32_t event) __attribute__((always_inline)) { give_credit(event); });
  queued_credits_.serve(now, [this](uint32_t event) { give_credit(event); });
  enter(Part::plane);
  if constexpr (kHeldNodes) backlog_.serve([this](uint32_t vc) { policy_.credit(static_cast<int>(vc >> kShift)); });
  if constexpr (Policy::kMonitors) policy_.settle();
  enter(Part::arrival);
  if constexpr (kFaults) serve_faults(now);
  arrive_all(now);
  enter(Part::injection);
  inject_all(now);
  if constexpr (kPiped) serve_pipe(now);
  enter(Part::requests);
  switch_routers(now);
  if constexpr (kCuts) {
    for (uint32_t index : cuts_) cut_packets(index);
    cuts_.clear();
  }
  if (nics_ != nullptr && nics_->due(now)) [[unlikely]]
    run_programs(now);
  enter(Part::credits);
  tell_freed(now);
  enter(Part::window);
}

/// Whoever waits for a slot that became free in this cycle hears of it; outputs inside at the usual distance know of
/// those of grants already.
template <class Policy, class Source, bool kPackets>
void Domain<Policy, Source, kPackets>::tell_freed(uint32_t now) {
  const auto tell = [this](uint8_t kind, auto hear) {
    for (uint32_t event : freed_by_grants_->of(kind)) hear(event);
    for (uint32_t event : freed_[kind]) hear(event);
    freed_[kind].clear();
  };
  constexpr auto kBetween = static_cast<uint8_t>(LinkKind::between);
  const auto tell_output = [&](uint32_t event) {
    queued_credits_.add(now + outputs_[(event & ~kTailBit) >> kShift].latency + 1, event);
  };
  for (uint32_t event : freed_[static_cast<size_t>(LinkKind::inside)]) tell_output(event);
  freed_[static_cast<size_t>(LinkKind::inside)].clear();
  tell(kUnusual, tell_output);
  const Between* const between = between_.data();
  auto credits = outbox_->credits(freed_by_grants_->of(kBetween).size() + freed_[kBetween].size());
  tell(kBetween, [&](uint32_t event) {
    const uint32_t link = (event & ~kTailBit) >> kShift;
    const auto due = static_cast<uint16_t>(now + between[link].latency + 1u);
    credits.add(link, {due, static_cast<uint8_t>(event & (kStride - 1)), (event & kTailBit) != 0});
  });
  outbox_->finish(credits);
  if (blocked_ != 0) {
    tell(static_cast<uint8_t>(LinkKind::node),
         [&](uint32_t event) { wake_node((event & ~kTailBit) >> kShift, now + 1); });
  }
  freed_[static_cast<size_t>(LinkKind::node)].clear();
}

template <class Policy, class Source, bool kPackets>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::give_credit(uint32_t event) {
  const uint32_t vc = event & ~kTailBit;
  const uint32_t credits = ++output_credits_[vc];
  if constexpr (Policy::kAsks) {
    const InputPort& port = inputs_[vc >> kShift];
    const uint32_t v = vc & (kStride - 1);
    if constexpr (kSleeps) wake_router((vc >> kShift) - port.port);
    if (credits == port.buffer && (outputs_[vc >> kShift].held >> v & 1) == 0)
      policy_.idle(port.router, port.port, static_cast<int>(v));
  }
  if constexpr (Policy::kMonitors) {
    if constexpr (kHeldNodes) {
      backlog_.add(vc);
    } else {
      if (!kPackets || (event & kTailBit) != 0) policy_.credit(static_cast<int>(vc >> kShift));
    }
  }
}

/// A flit goes into its buffer; an empty buffer starts anew, so that little memory is used.
template <class Policy, class Source, bool kPackets>
template <LinkKind kFrom, class Batch>
[[gnu::always_inline]] inline void Domain<Policy, Source, kPackets>::arrive(const Arrays& all, Batch& batch,
                                                                            uint32_t input_vc, const Flit& flit) {
  if constexpr (kFaults) {
    if (lose_arrival(input_vc, flit, now_)) return;
  }
  InputPort& port = all.inputs[input_vc >> kShift];
  const uint32_t v = input_vc & (kStride - 1);
  InputVc& vc = port.vcs[v];
  if constexpr (kChecked)
    invariant(vc.count < port.buffer + (kCuts && vc.count != 0 && first(port, v).uncredited() ? 1 : 0),
              "a buffer holds more flits than it has slots");
  if (vc.count != 0) {
    const uint32_t position = all.wrap(port, vc.head + uint32_t{vc.count++});
    Flit& last = all.flits[all.slot(port, v, position)];
    last = flit;
    if constexpr (kPiped) ask_at_arrival(port, v, position, last);
    if constexpr (kAtArrival) route_arrival(port, v, last);
    return;
  }
  vc.head = 0;
  vc.count = 1;
  Flit& head = all.flits[all.slot(port, v, 0)];
  head = flit;
  if constexpr (kPiped) ask_at_arrival(port, v, 0, head);
  if constexpr (kAtArrival) route_arrival(port, v, head);
  route_head<kFrom>(all, batch, port, input_vc >> kShift, v, head);
}

}  // namespace odonata::network
