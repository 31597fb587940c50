// SPDX-License-Identifier: Apache-2.0
#include "sim/network/mixed_pattern.h"

#include <charconv>
#include <cmath>
#include <numeric>

#include "models/common/error.h"

namespace odonata::network {

namespace {

double parse_share(std::string_view name, std::string_view text) {
  double share = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), share);
  if (error == std::errc{} && end == text.data() + text.size() && share >= 0 && share <= 1) return share;
  throw Error("traffic pattern '" + std::string(name) + "': the share is '" + std::string(text) + "', expected 0..1");
}

}  // namespace

MixedPattern MixedPattern::parse(const Dragonfly& d, std::string_view text, uint64_t seed) {
  constexpr std::string_view kMark = "_mixed_u";
  const size_t size = 2 + kMark.size() + 1;  // "r" "_mixed_u" "a" ":"
  const bool mixed = text.size() >= size && text.substr(1, kMark.size()) == kMark && text[size - 1] == ':';
  const char unit = mixed ? text[0] : ' ', kind = mixed ? text[size - 2] : ' ';
  if (!mixed || std::string_view("rnp").find(unit) == std::string_view::npos || (kind != 'a' && kind != 'r')) {
    try {
      return MixedPattern(traffic::Pattern::parse(d, text, seed));
    } catch (const Error& e) {
      throw Error(std::string(e.what()) + ", or a mixture r_mixed_ua:F, n_mixed_ur:F, ... with a share F in 0..1");
    }
  }
  MixedPattern out(traffic::Pattern::parse(d, "ur", seed));
  out.other_ = traffic::Pattern::parse(d, kind == 'a' ? "adv+1" : "rp", seed);
  out.share_ = parse_share(text, text.substr(size));
  out.by_packet_ = unit == 'p';
  if (!out.by_packet_) out.draw_units(d.num_nodes(), unit == 'r' ? d.p() : 1, seed);
  return out;
}

/// Chooses round(share * units) of the units of so many consecutive nodes.
void MixedPattern::draw_units(int nodes, int unit, uint64_t seed) {
  Random random(mix_seed(seed, 0x6D6978));
  std::vector<int> order(static_cast<size_t>(nodes / unit));
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random.below(static_cast<uint32_t>(i + 1))]);
  is_other_.resize(static_cast<size_t>(nodes));
  const auto chosen = static_cast<size_t>(std::lround(share_ * static_cast<double>(order.size())));
  for (size_t i = 0; i < chosen; ++i) {
    for (int n = order[i] * unit; n < (order[i] + 1) * unit; ++n) is_other_[static_cast<size_t>(n)] = true;
  }
}

}  // namespace odonata::network
