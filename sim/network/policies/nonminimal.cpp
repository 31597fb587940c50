// SPDX-License-Identifier: Apache-2.0
#include "sim/network/policies/nonminimal.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "models/common/error.h"
#include "sim/network/make_engine.h"

namespace odonata::network {

DetourRule detour_rule(std::string_view routing) {
  static constexpr std::array<std::pair<std::string_view, DetourRule>, 6> kNames{{{"val", DetourRule::always},
                                                                                  {"ugal_l", DetourRule::local_queue},
                                                                                  {"ugal_g", DetourRule::path_queues},
                                                                                  {"par", DetourRule::twice},
                                                                                  {"par_ph", DetourRule::twice_window},
                                                                                  {"tpr", DetourRule::pattern}}};
  for (const auto& [name, rule] : kNames) {
    if (name == routing) return rule;
  }
  throw Error("routing '" + std::string(routing) + "' has no detour rule");
}

bool is_adversarial(std::span<const uint16_t> sent, std::span<uint8_t> concentrated) {
  const uint32_t others = static_cast<uint32_t>(sent.size()) - 1, all = std::accumulate(sent.begin(), sent.end(), 0u);
  uint32_t many = 0;
  for (size_t g = 0; g < sent.size(); ++g) {
    concentrated[g] = sent[g] >= kPatternLeast && sent[g] * others > 4 * all;
    if (concentrated[g] != 0) many += sent[g];
  }
  return 2 * many > all;
}

template <int kNeeded>
Nonminimal<kNeeded>::Nonminimal(const Context& context, int domain)
    : context_(context),
      d_(dragonfly_of(context.config)),
      rule_(detour_rule(context.config.routing)),
      gid_(domain),
      first_router_(domain * d_.a()),
      ports_(context.wiring.ports),
      nodes_(d_.p()),
      bias_(context.config.bias),
      local_window_(context.config.plane.local_window_enable ? static_cast<uint32_t>(context.config.plane.local_window)
                                                             : kNoWindow),
      global_window_(context.config.plane.global_window_enable
                         ? static_cast<uint32_t>(context.config.plane.global_window)
                         : kNoWindow),
      board_period_(static_cast<uint32_t>(std::max(1, context.wiring.lookahead()))),
      occupancy_(static_cast<size_t>(d_.a()) * ports_),
      recent_(occupancy_.size()),
      departing_(128),
      leaving_(static_cast<size_t>(std::max(context.config.plane.local_window, context.config.plane.global_window)) +
               2) {
  for (int r = 0; r < d_.a(); ++r)
    dice_.push_back({Random(mix_seed(context.config.seed, 0x766961, static_cast<uint64_t>(first_router_ + r)))});
  if (rule_ != DetourRule::pattern) return;
  sent_to_.resize(static_cast<size_t>(d_.a() * d_.g()));
  concentrated_.assign(sent_to_.size(), 1);  // until the first interval has ended
  adversarial_.assign(static_cast<size_t>(d_.a()), 1);
}

template <int kNeeded>
void Nonminimal<kNeeded>::begin_cycle(uint32_t cycle) {
  now_ = cycle;
  departing_.serve(cycle, [this, cycle](uint32_t output) { enter_window(output, cycle); });
  leaving_.serve(cycle, [this](uint32_t output) { --recent_[output]; });
  if (rule_ == DetourRule::pattern && cycle != 0 && cycle % kPatternInterval == 0) infer_pattern();
  if (rule_ != DetourRule::path_queues || cycle % board_period_ != board_period_ - 1) return;
  std::vector<uint16_t>& cells = context_.board->cells[(cycle / board_period_) & 1];
  std::copy(occupancy_.begin(), occupancy_.end(), cells.begin() + static_cast<std::ptrdiff_t>(first_router_) * ports_);
}

template <int kNeeded>
void Nonminimal<kNeeded>::infer_pattern() {
  const auto groups = static_cast<size_t>(d_.g());
  for (size_t r = 0; r < adversarial_.size(); ++r) {
    adversarial_[r] = is_adversarial(std::span(sent_to_).subspan(r * groups, groups),
                                     std::span(concentrated_).subspan(r * groups, groups));
  }
  std::fill(sent_to_.begin(), sent_to_.end(), 0);
}

/// Puts the packet on a detour when the rule says so.
template <int kNeeded>
void Nonminimal<kNeeded>::consider_detour(Flit& flit, int router) {
  if (d_.g() < 3) return;
  const int via = draw_via(gid_of(flit.dest), dice_[router].random);
  bool always = rule_ == DetourRule::always;
  int bias = bias_;
  if (rule_ == DetourRule::pattern) {
    const size_t to = static_cast<size_t>(router * d_.g() + gid_of(flit.dest));
    ++sent_to_[to];
    const bool val = adversarial_[static_cast<size_t>(router)] != 0 && concentrated_[to] != 0;
    const bool gateway = d_.port_to_group(gid_, gid_of(flit.dest)) / d_.h() == router;
    always = val && !gateway;
    if (val) bias = 0;
  }
  if (!always) {
    const RouterId own{gid_, router}, to{gid_of(flit.dest), bid_of(flit.dest)}, by = d_.router(via);
    Cost minimal, detour;
    add_path(own, to, minimal);
    add_path(own, by, detour);
    add_path(by, to, detour);
    if (rule_ != DetourRule::path_queues) {
      minimal.queue = queue(router * ports_ + port_towards(own, to));
      detour.queue = queue(router * ports_ + port_towards(own, by));
    }
    if (minimal.queue * minimal.hops <= detour.queue * detour.hops + bias) return;
  }
  flit.state = kDetour;
  flit.via = static_cast<uint32_t>(via) & 0x3FFF;
}

/// A router outside this group and the destination's (which may be one), all equally likely.
template <int kNeeded>
int Nonminimal<kNeeded>::draw_via(int dest_group, Random& random) const {
  const auto drawn =
      static_cast<int>(random.below(static_cast<uint32_t>((d_.g() - (dest_group == gid_ ? 1 : 2)) * d_.a())));
  const auto [low, high] = std::minmax(gid_, dest_group);
  int group = drawn / d_.a();
  group += group >= low;
  group += dest_group != gid_ && group >= high;
  return group * d_.a() + drawn % d_.a();
}

/// The queue at an output of any group: the own group's as it is, others as they were in the last cycle of the last
/// finished window.
template <int kNeeded>
int Nonminimal<kNeeded>::queue_anywhere(RouterId router, int port) const {
  if (router.gid == gid_) return queue(router.bid * ports_ + port);
  return context_.board
      ->cells[(now_ / board_period_ - 1) & 1][static_cast<size_t>(d_.router_index(router)) * ports_ + port];
}

/// Adds the links of a minimal path, and for UGAL_G their queues.
template <int kNeeded>
void Nonminimal<kNeeded>::add_path(RouterId from, RouterId to, Cost& cost) const {
  while (!(from == to)) {
    const int port = port_towards(from, to);
    ++cost.hops;
    if (rule_ == DetourRule::path_queues) cost.queue += queue_anywhere(from, port);
    from = d_.peer(from, port).router;
  }
}

template class Nonminimal<4>;
template class Nonminimal<5>;

std::vector<Routing> routings_nonminimal() {
  const auto routing = [](const char* name, const char* text, std::optional<int> bias) {
    return Routing{.name = name,
                   .topology = "dragonfly",
                   .text = text,
                   .vcs = Nonminimal<4>::kVcs,
                   .order = kDragonflyOrder,
                   .bias = bias,
                   .ignores = of_hardware,
                   .make = make_engine<Nonminimal<4>, DragonflyTopology>};
  };
  return {routing("val", "minimal to a random router outside both groups, then minimal", {}),
          routing("ugal_l", "minimal or such a detour, by the queues at the source", 0),
          routing("ugal_g", "the same by the queues along both paths (an oracle)", 0),
          routing("tpr", "TPR, reading fitted to DOAR's figures: val or ugal_l, by the inferred traffic pattern", 10)};
}

}  // namespace odonata::network
