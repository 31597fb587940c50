// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: the reader of stimulus traces. Whatever the bytes, it returns cycles or throws Error; it never
// crashes or hangs.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "models/common/frame.h"
#include "tb/harness/trace_file.h"
#include "tb/route_compute/block.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using odonata::cosim::RouteComputeBlock;
  std::string text(reinterpret_cast<const char*>(data), size);
  // Random bytes never have a right CRC: with the first byte as a switch the reader gets behind that check.
  if (size > 0 && data[0] == '!') {
    text.erase(0, 1);
    const size_t end = text.rfind("end ");
    if (end != std::string::npos) {
      const size_t crc = text.find("crc32 ", end);
      const std::string right = odonata::cosim::to_hex(odonata::crc32(std::string_view(text).substr(0, end)));
      if (crc != std::string::npos) text = text.substr(0, crc) + "crc32 " + right + "\n";
    }
  }
  try {
    const auto cycles = odonata::cosim::read_trace<RouteComputeBlock>("fuzz", text);
    // What was read has to survive a round trip.
    const std::string again = odonata::cosim::write_trace<RouteComputeBlock>({}, cycles);
    if (odonata::cosim::read_trace<RouteComputeBlock>("again", again).size() != cycles.size()) std::abort();
  } catch (const odonata::Error&) {
  }
  return 0;
}
