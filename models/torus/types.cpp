// SPDX-License-Identifier: Apache-2.0
#include "models/torus/types.h"

#include <array>

#include "models/common/error.h"
#include "models/common/joined.h"

namespace odonata::torus {
namespace {

constexpr std::array<std::string_view, kNumVariants> kVariantNames{
    "printed", "ring6", "safe6", "safe6_ring", "safe6_short", "safe4", "safe4_ring", "adaptive", "ecube"};

}  // namespace

Rule rule_from_name(std::string_view name) {
  if (name == "any") return Rule::kAny;
  if (name == "dim") return Rule::kDim;
  throw Error("rule \"" + std::string(name) + "\" is not one of any, dim");
}
std::string_view name_of(Rule rule) { return rule == Rule::kAny ? "any" : "dim"; }

Variant variant_from_name(std::string_view name) {
  const std::string_view bare = name.substr(name.starts_with("torus_") ? 6 : 0);
  for (size_t i = 0; i < kVariantNames.size(); ++i)
    if (kVariantNames[i] == bare) return static_cast<Variant>(i);
  throw Error("routing \"" + std::string(name) + "\" is not one of " + joined(kVariantNames) +
              " (each also with torus_ before it)");
}
std::string_view name_of(Variant variant) { return kVariantNames[static_cast<size_t>(variant)]; }

std::string channel_name(int port, int vc) {
  return std::string(1, "xyz"[port / 2]) + std::to_string(vc / 3) + "," + std::to_string(vc % 3);
}
std::string directed_channel_name(int port, int vc) { return channel_name(port, vc) + (port & 1 ? '-' : '+'); }

}  // namespace odonata::torus
