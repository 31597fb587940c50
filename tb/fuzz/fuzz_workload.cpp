// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: the readers of programs. Whatever the bytes, they return a job or throw Error; so do the checks of
// what was read.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "models/common/error.h"
#include "models/workload/chakra.h"
#include "models/workload/goal.h"
#include "models/workload/netrace.h"

namespace {

using odonata::workload::Job;

/// Reads, checks, and returns whether all of it was accepted.
template <class Read>
bool accepted(Job& job, const Read& read) {
  try {
    job = read();
    check_order(job, match(job), 0);
    return true;
  } catch (const odonata::Error&) {
    return false;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  Job job;
  if (accepted(job, [&] { return odonata::workload::read_goal(bytes); })) {
    // What was read has to survive a round trip.
    std::string text;
    write_goal(job, [&text](std::string_view part) { text += part; });
    if (odonata::workload::read_goal(text).ranks != job.ranks) std::abort();
  }
  accepted(job, [&] { return odonata::workload::read_chakra({bytes, bytes}); });
  accepted(job, [&] { return odonata::workload::read_netrace(bytes); });
  return 0;
}
