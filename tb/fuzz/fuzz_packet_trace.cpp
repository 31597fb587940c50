// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: the readers of packet traces, binary and text. Whatever the bytes, they return packets or throw
// Error.
#include <cstdint>
#include <cstdlib>

#include "models/common/error.h"
#include "models/traffic/packet_trace.h"
#include "tb/fuzz/reframe.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace odonata;  // one function
  try {
    const traffic::PacketTrace trace = traffic::decode(reframed(data, size, "ODTRACE2"));
    // What was read has to survive a round trip.
    if (traffic::decode(traffic::encode(trace)).packets != trace.packets) std::abort();
  } catch (const Error&) {
  }
  try {
    traffic::from_text(std::string_view(reinterpret_cast<const char*>(data), size), 16);
  } catch (const Error&) {
  }
  return 0;
}
