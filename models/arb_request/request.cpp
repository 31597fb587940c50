// SPDX-License-Identifier: Apache-2.0
#include "models/arb_request/request.h"

namespace odonata::arb_request {

void evaluate_all(const Query* queries, Requests* answers, size_t count, Scheme scheme) {
  for (size_t i = 0; i < count; ++i) answers[i] = evaluate(queries[i], scheme);
}

}  // namespace odonata::arb_request
