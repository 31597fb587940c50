// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/node_pattern.h"

#include <charconv>
#include <numeric>

#include "models/common/error.h"

namespace odonata::traffic {

NodePattern NodePattern::parse(int nodes, std::string_view text, uint64_t seed) {
  NodePattern out(nodes);
  if (text == "uniform") return out;
  out.to_.resize(static_cast<size_t>(nodes));
  std::iota(out.to_.begin(), out.to_.end(), 0);
  if (text == "randperm") {
    Random random(mix_seed(seed, 0x7065726D));
    for (size_t i = out.to_.size() - 1; i > 0; --i)
      std::swap(out.to_[i], out.to_[random.below(static_cast<uint32_t>(i + 1))]);
    return out;
  }
  int shift = 0;
  constexpr std::string_view kShift = "shift+";
  if (text.starts_with(kShift)) {
    const auto [end, error] = std::from_chars(text.data() + kShift.size(), text.data() + text.size(), shift);
    if (error != std::errc{} || end != text.data() + text.size()) shift = 0;
  }
  if (shift < 1 || shift >= nodes) {
    throw Error("traffic pattern '" + std::string(text) +
                "' is unknown, expected uniform, randperm or shift+I with I in 1.." + std::to_string(nodes - 1));
  }
  for (int& to : out.to_) to = (to + shift) % nodes;
  return out;
}

}  // namespace odonata::traffic
