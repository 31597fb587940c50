// SPDX-License-Identifier: Apache-2.0
// Why a packet asks for what it asks for: the decision record of one evaluation, in fields and in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/arb_request/request.h"
#include "models/arb_request/select.h"

namespace odonata::arb_request {

/// "dor", "dbra", "d2ra"; throws Error for another word.
Scheme scheme_from_name(std::string_view name);
std::string_view name_of(Scheme scheme);
/// "round-robin", "random", "most-credits"; throws Error for another word.
Policy policy_from_name(std::string_view name);
std::string_view name_of(Policy policy);

/// "x", "y", "z", "w", "d4".."d7" for dimension 0..7 (the paper's dimension 1 is 0).
std::string dimension_name(int dimension);
/// "x+", "y-", ...
std::string output_name(int dimension, bool minus);

/// One dimension of a decision.
struct DimensionRecord {
  int dimension = 0;
  bool remaining = false;
  bool minus = false;      ///< direction, when remaining
  int credit = 0;          ///< packet slots free in that direction, when remaining
  int dbra_threshold = 0;  ///< z
  bool lowest = false;     ///< the DOR threshold of 1 holds here
  bool high = false;
  bool low = false;
  std::string reason;  ///< one sentence
};

/// One decision with everything that led to it.
struct Explanation {
  Scheme scheme = Scheme::kD2ra;
  Policy policy = Policy::kRoundRobin;
  int z = 0;
  bool eject = false;
  std::vector<DimensionRecord> dimensions;
  int selected = -1;    ///< dimension, -1: none (eject, or nothing may be asked for)
  std::string summary;  ///< one sentence
};

/// Explains the decision for a query in N = 1..8 dimensions with the given state of the selector.
Explanation explain(const Query& query, Scheme scheme, Policy policy, int dimensions, const Selector& selector = {});

}  // namespace odonata::arb_request
