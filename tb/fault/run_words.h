// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tb/harness/lockstep.h"

namespace odonata::cosim {

/// A run's first mismatch in a line, for the message of a failed test.
inline std::string words(const RunResult& r) {
  if (!r.mismatch) return "no mismatch; " + std::to_string(r.compared) + " compared";
  std::string text = "cycle " + std::to_string(r.mismatch->cycle) + ":";
  for (const Difference& x : r.mismatch->differences) {
    text += " " + x.probe + " expected " + std::to_string(x.expected) + " got " + std::to_string(x.got) + ";";
  }
  for (const std::string& line : r.mismatch->reasons) text += " | " + line;
  return text;
}

}  // namespace odonata::cosim
