// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tb/network/crosscheck.h"

namespace odonata::cosim {

/// Where a crosscheck's sides differ, for the message of a failed test; empty: nowhere.
inline std::string text(const CrossCheckResult& r) {
  std::string out;
  for (const std::string& line : r.difference) out += line + "\n";
  return out;
}

}  // namespace odonata::cosim
