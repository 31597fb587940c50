// SPDX-License-Identifier: Apache-2.0
// When the changes of a fat-tree are served and the last table is written, of failures and of returns.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/network/result.h"

namespace odonata::network {

/// Cycles of the engine; 0: it does not happen.
class TableTimes {
 public:
  void serve(bool failure, uint32_t cycle) { keep(served_[failure], cycle); }
  void write(bool failure, uint32_t cycle) { keep(written_[failure], cycle); }
  /// The cycle if it lies before `now`, else -1.
  static int64_t seen(uint32_t now, uint32_t cycle) {
    return cycle != 0 && cycle < now ? static_cast<int64_t>(cycle) : -1;
  }
  /// Nothing is written any more.
  bool over(uint32_t now) const { return std::max(written_[false], written_[true]) < now; }
  void tell(uint32_t now, FaultResult& out) const {
    out.diagnosis_done = seen(now, served_[true]);
    out.last_write = seen(now, written_[true]);
    out.recovery_done = seen(now, served_[false]);
    out.recovery_write = seen(now, written_[false]);
  }

 private:
  static void keep(uint32_t& last, uint32_t cycle) { last = std::max(last, cycle); }

  std::array<uint32_t, 2> served_{}, written_{};  // by whether it is a failure
};

}  // namespace odonata::network
