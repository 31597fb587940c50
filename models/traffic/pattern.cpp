// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/pattern.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace odonata::traffic {

namespace {

constexpr std::string_view kAdversarial = "adv+";

/// The I of "adv+I", or -1.
int parse_shift(std::string_view text) {
  if (text.substr(0, kAdversarial.size()) != kAdversarial) return -1;
  const char* end = text.data() + text.size();
  int shift = -1;
  const auto [at, error] = std::from_chars(text.data() + kAdversarial.size(), end, shift);
  return error == std::errc{} && at == end ? shift : -1;
}

}  // namespace

Pattern Pattern::parse(const Dragonfly& d, std::string_view text, uint64_t seed) {
  if (text == "ur") return {d, Kind::uniform};
  if (text == "rp") {
    Pattern out(d, Kind::permutation);
    out.draw_permutation(seed);
    return out;
  }
  Pattern out(d, Kind::adversarial);
  out.shift_ = parse_shift(text);
  if (out.shift_ >= 1 && out.shift_ < d.g()) return out;
  throw Error("traffic pattern '" + std::string(text) + "' is unknown, expected ur, rp or adv+I with I in 1.." +
              std::to_string(d.g() - 1));
}

std::string Pattern::name() const {
  if (kind_ == Kind::adversarial) return std::string(kAdversarial) + std::to_string(shift_);
  return kind_ == Kind::uniform ? "ur" : "rp";
}

/// Fisher-Yates; a node that would send to itself changes places with its successor, which leaves no fixed point.
void Pattern::draw_permutation(uint64_t seed) {
  Random random(mix_seed(seed, 0x7270));
  const int n = d_.num_nodes();
  to_.resize(n);
  std::iota(to_.begin(), to_.end(), 0);
  for (int i = n - 1; i > 0; --i) std::swap(to_[i], to_[random.below(static_cast<uint32_t>(i + 1))]);
  for (int i = 0; i < n; ++i) {
    if (to_[i] == i) std::swap(to_[i], to_[(i + 1) % n]);
  }
  from_.resize(n);
  for (int i = 0; i < n; ++i) from_[to_[i]] = i;
}

double Pattern::flow(NodeRange from, NodeRange to) const {
  if (kind_ == Kind::adversarial) return adversarial_flow(from, to);
  if (kind_ == Kind::permutation) return permutation_flow(from, to);
  const int both = std::max(0, std::min(from.last, to.last) - std::max(from.first, to.first));
  return (static_cast<double>(from.size()) * to.size() - both) / (d_.num_nodes() - 1);
}

double Pattern::adversarial_flow(NodeRange from, NodeRange to) const {
  const int nodes = d_.a() * d_.p();
  if (to.size() == d_.num_nodes()) return from.size();
  if (from.size() == d_.num_nodes()) return to.size();  // every group sends to exactly one group
  if ((from.first / nodes + shift_) % d_.g() != to.first / nodes) return 0;
  return static_cast<double>(from.size()) * to.size() / nodes;
}

double Pattern::permutation_flow(NodeRange from, NodeRange to) const {
  const bool forward = from.size() <= to.size();
  const NodeRange few = forward ? from : to, many = forward ? to : from;
  const std::vector<int>& partner = forward ? to_ : from_;
  const auto inside = [&many](int node) { return many.contains(node); };
  return static_cast<double>(std::count_if(partner.begin() + few.first, partner.begin() + few.last, inside));
}

std::vector<float> Pattern::group_flows() const {
  const int g = d_.g(), nodes = d_.a() * d_.p();
  std::vector<float> out(static_cast<size_t>(g) * g);
  if (kind_ == Kind::permutation) {
    for (int s = 0; s < g; ++s) {
      for (int i = s * nodes; i < (s + 1) * nodes; ++i) out[s * g + to_[i] / nodes] += 1;
    }
    return out;
  }
  for (int s = 0; s < g; ++s) {
    for (int t = 0; t < g; ++t) out[s * g + t] = static_cast<float>(flow(nodes_of_group(d_, s), nodes_of_group(d_, t)));
  }
  return out;
}

}  // namespace odonata::traffic
