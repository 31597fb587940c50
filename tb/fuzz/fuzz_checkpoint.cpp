// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: the reader of checkpoints. Whatever the bytes, load() returns or throws Error; behind a right frame and head, too.
#include <cstdint>
#include <sstream>

#include "models/common/error.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/dragonfly.h"
#include "tb/fuzz/reframe.h"

namespace {

using odonata::network::Simulation;

std::unique_ptr<Simulation> smallest() {
  odonata::network::Config config = odonata::network::on_dragonfly(odonata::Dragonfly::parse("1,2,1,3"));
  for (odonata::network::LinkClass& l : config.links) l.buffer = 1;
  return odonata::network::make_simulation(config);
}

/// Mark and content of a good checkpoint.
const std::string& good_content() {
  static const std::string content = [] {
    std::ostringstream to;
    smallest()->save(to);
    const std::string all = to.str();
    return all.substr(odonata::kFrameMark, all.size() - odonata::kFrameMark - odonata::kFrameEnd);
  }();
  return content;
}

/// '?': the other bytes, five at a time, overwrite a byte each of the good content (four of position, one of value).
std::string patched(const uint8_t* data, size_t size) {
  std::string content = good_content();
  for (size_t i = 1; i + 5 <= size; i += 5) {
    const uint32_t at = data[i] | data[i + 1] << 8 | data[i + 2] << 16 | static_cast<uint32_t>(data[i + 3]) << 24;
    content[at % content.size()] = static_cast<char>(data[i + 4]);
  }
  return odonata::frame("ODCHECK2", content);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::unique_ptr<Simulation> simulation = smallest();
  std::istringstream from(size > 0 && data[0] == '?' ? patched(data, size) : odonata::reframed(data, size, "ODCHECK2"));
  try {
    simulation->load(from);
  } catch (const odonata::Error&) {
  }
  return 0;
}
