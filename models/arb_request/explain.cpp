// SPDX-License-Identifier: Apache-2.0
#include "models/arb_request/explain.h"

#include <array>

#include "models/common/error.h"

namespace odonata::arb_request {
namespace {

constexpr std::array<std::string_view, 3> kSchemeNames{"dor", "dbra", "d2ra"};
constexpr std::array<std::string_view, 3> kPolicyNames{"round-robin", "random", "most-credits"};

template <class Enum>
Enum from_name(std::string_view name, const std::array<std::string_view, 3>& names, const char* what) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<Enum>(i);
  throw Error(std::string(what) + " \"" + std::string(name) + "\" is not one of " + std::string(names[0]) + ", " +
              std::string(names[1]) + ", " + std::string(names[2]));
}

std::string reason_for(const DimensionRecord& d, Scheme scheme) {
  const std::string name = output_name(d.dimension, d.minus);
  const std::string have = "credit " + std::to_string(d.credit), z = std::to_string(d.dbra_threshold);
  if (!d.remaining) return dimension_name(d.dimension) + ": no hop left";
  if (d.high) return name + ": high, " + have + " >= z = " + z;
  if (d.low) return name + ": low, " + have + " >= 1 and lowest remaining dimension, but " + have + " < z = " + z;
  if (scheme == Scheme::kDor && !d.lowest) return name + ": no request, not the lowest remaining dimension";
  if (d.lowest && scheme != Scheme::kDbra) return name + ": no request, the next queue is full";
  return name + ": no request, " + have + " < z = " + z;
}

std::string summary_of(const Explanation& e) {
  if (e.eject) return "arrived: eject";
  if (e.selected < 0) return "nothing may be asked for: the packet waits";
  const DimensionRecord& d = e.dimensions[e.selected];
  return "asks for " + output_name(d.dimension, d.minus) + (d.high ? " (high)" : " (low: no high request exists)");
}

}  // namespace

Scheme scheme_from_name(std::string_view name) { return from_name<Scheme>(name, kSchemeNames, "scheme"); }
std::string_view name_of(Scheme scheme) { return kSchemeNames[static_cast<int>(known(scheme))]; }
Policy policy_from_name(std::string_view name) { return from_name<Policy>(name, kPolicyNames, "policy"); }
std::string_view name_of(Policy policy) { return kPolicyNames[static_cast<int>(known(policy))]; }

std::string dimension_name(int dimension) {
  return dimension < 4 ? std::string(1, "xyzw"[dimension]) : "d" + std::to_string(dimension);
}

std::string output_name(int dimension, bool minus) { return dimension_name(dimension) + (minus ? "-" : "+"); }

Explanation explain(const Query& query, Scheme scheme, Policy policy, int dimensions, const Selector& selector) {
  scheme = known(scheme);
  const Requests answer = evaluate(query, scheme);
  const Lanes credit = selected_credit(query);
  Explanation e{scheme, policy, answer.z, answer.eject(), {}, -1, {}};
  for (int i = 0; i < dimensions; ++i) {
    const uint8_t bit = static_cast<uint8_t>(1u << i);
    DimensionRecord d;
    d.dimension = i;
    d.remaining = answer.remaining & bit;
    d.minus = d.remaining && !(answer.plus & bit);
    d.credit = d.remaining ? lane(credit, i) : 0;
    d.dbra_threshold = answer.z;
    d.lowest = answer.lowest() & bit;
    d.high = answer.high & bit;
    d.low = answer.low & bit;
    d.reason = reason_for(d, scheme);
    e.dimensions.push_back(d);
  }
  if (answer.candidates()) e.selected = selector.choose(answer.candidates(), credit, policy, dimensions);
  e.summary = summary_of(e);
  return e;
}

}  // namespace odonata::arb_request
