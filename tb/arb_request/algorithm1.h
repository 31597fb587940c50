// SPDX-License-Identifier: Apache-2.0
// The second, independent version of the request logic: D2RA Algorithm 1 line by line, on plain integers. Slow,
// obvious, used only by tests; it shares nothing with models/arb_request.
#pragma once

#include <vector>

namespace odonata::arb_request::tests {

struct Entry {  // an element of the set E
  int dimension;
  int direction;  // +1 or -1
  bool high_priority;
  bool operator==(const Entry&) const = default;
};

struct Algorithm1Result {
  int z = 0;
  bool absorbed = false;
  std::vector<Entry> e;
  bool operator==(const Algorithm1Result&) const = default;
};

inline int sign(int a) { return a > 0 ? 1 : a < 0 ? -1 : 0; }

/// u, v: current and destination node; credit[i][0] of direction +, credit[i][1] of direction -.
/// scheme 0: dimension-order routing only (eq. 9, 10); 1: DBRA only (eq. 6-8); 2: D2RA.
inline Algorithm1Result algorithm_1(const std::vector<int>& u, const std::vector<int>& v,
                                    const std::vector<std::vector<int>>& credit, int scheme) {
  const int n = static_cast<int>(u.size());
  Algorithm1Result result;  // line 1: E := {}
  int z = 0, g = -1;
  for (int i = n - 1; i >= 0; --i)
    if (sign(v[i] - u[i]) != 0) ++z, g = i;  // lines 2 and 7: z = num(RDD), g = min(RDS)
  result.z = z;
  if (z == 0) {  // lines 3-5
    result.absorbed = true;
    return result;
  }
  for (int i = 0; i < n; ++i) {                  // line 8
    const int a = sign(v[i] - u[i]);             // line 9
    if (a == +1 || a == -1) {                    // line 10
      const int m = credit[i][a == +1 ? 0 : 1];  // lines 11-13
      const bool dbra = m >= z, dor = g == i && m >= 1;
      if (scheme == 2) {
        if (dbra) {  // lines 14-16
          result.e.push_back({i, a, true});
        } else if (dor) {  // lines 17-19
          result.e.push_back({i, a, false});
        }
      } else if (scheme == 1) {
        if (dbra) result.e.push_back({i, a, true});
      } else if (dor) {
        result.e.push_back({i, a, dbra});  // the class stays a fact about the credit
      }
    }
  }
  return result;
}

}  // namespace odonata::arb_request::tests
