// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: the reader of checkpoints. Whatever the bytes, load() returns or throws Error; behind right
// checksums, too.
#include <cstdint>
#include <sstream>

#include "models/common/error.h"
#include "sim/network/simulation.h"
#include "sim/network/topologies/dragonfly.h"
#include "sim/network/parameters.h"
#include "sim/network/state_file.h"

namespace {

using odonata::network::Simulation;

odonata::network::Config smallest() {
  odonata::network::Config config = odonata::network::on_dragonfly(odonata::Dragonfly::parse("1,2,1,3"));
  config.router.vcs = 4;
  for (odonata::network::LinkClass& l : config.links) l.buffer = 1;
  return config;
}

constexpr uint64_t kPieces = 4;  // three groups and what they share

/// A good checkpoint's states, a piece each.
const std::vector<std::string>& good_states() {
  static const std::vector<std::string> states = [] {
    std::stringstream file;
    odonata::network::make_simulation(smallest())->save(file);
    odonata::network::CheckpointReader reader(file, describe_text(smallest()));
    std::vector<std::string> out;
    for (uint64_t i = 0; i < kPieces; ++i) {
      odonata::network::StateReader state = reader.read(i);
      out.emplace_back();
      for (char c = 0; !state.at_end(); out.back() += c) state(c);
    }
    return out;
  }();
  return states;
}

/// A file with right checksums whose states are those.
std::string packed(const std::vector<std::string>& states) {
  std::ostringstream to;
  odonata::network::CheckpointWriter writer(to, describe_text(smallest()), kPieces);
  for (uint64_t i = 0; i < kPieces; ++i) {
    odonata::network::StateWriter state;
    for (const char c : states[i]) state(c);
    writer.add({pack_piece(i, state)});
  }
  writer.finish();
  return to.str();
}

/// '!': the other bytes are the state of domain 0. '?': the other bytes, five at a time, overwrite a byte each of the
/// good states (four of position, one of value).
std::string repacked(const uint8_t* data, size_t size) {
  std::vector<std::string> states = good_states();
  if (data[0] == '!') states[1].assign(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (size_t i = 1; data[0] == '?' && i + 5 <= size; i += 5) {
    const uint32_t at = data[i] | data[i + 1] << 8 | data[i + 2] << 16 | static_cast<uint32_t>(data[i + 3]) << 24;
    std::string& state = states[at % kPieces];
    state[at / kPieces % state.size()] = static_cast<char>(data[i + 4]);
  }
  return packed(states);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::unique_ptr<Simulation> simulation = odonata::network::make_simulation(smallest());
  const bool repack = size > 0 && (data[0] == '!' || data[0] == '?');
  std::istringstream from(repack ? repacked(data, size) : std::string(reinterpret_cast<const char*>(data), size));
  try {
    simulation->load(from);
  } catch (const odonata::Error&) {
  }
  return 0;
}
