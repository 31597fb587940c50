// SPDX-License-Identifier: Apache-2.0
// What is said about what is refused.
#pragma once

#include <string>

#include "models/common/error.h"

namespace odonata {

/// The message of the Error that `action` throws; empty: it throws none.
template <class Action>
std::string error_text(const Action& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

}  // namespace odonata
