// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: the reader of checkpoints. Whatever the bytes, load() takes them or throws Error; behind right
// checksums, too. With what it has taken the engine runs for some hundred cycles.
//
// The first byte of an input says what the others are, the second which run (tb/network/damaged_state.h):
//   0      a file
//   1      the state of a piece, whose number is the third byte
//   other  eight bytes each: where a good state is changed (four, over all pieces), how many bytes (one: 1, 2, 4 or 8,
//          and whether they are replaced or added to), what with (three, the highest one again for all above)
#include <cstdint>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "models/common/error.h"
#include "sim/network/routing.h"
#include "tb/network/damaged_state.h"

namespace {

using namespace odonata::network;  // one program

/// A run, its good states, and a network to load into.
struct Target {
  const SavedRun* run = nullptr;
  std::vector<std::string> states;
  std::unique_ptr<StatePacker> pack;
  size_t bytes = 0;
  std::unique_ptr<Simulation> simulation;
};

Target& target(size_t number) {
  static const std::vector<SavedRun> runs = [] {  // those whose routing is in this build
    std::vector<SavedRun> out = saved_runs();
    std::erase_if(out, [](const SavedRun& run) {
      try {
        return find_routing(run.config).make == nullptr;
      } catch (const odonata::Error&) {
        return true;
      }
    });
    return out;
  }();
  static std::vector<Target> all(runs.size());
  Target& out = all[number % runs.size()];
  if (out.states.empty()) {
    out.run = &runs[number % runs.size()];
    out.states = states_of(*out.run);
    for (const std::string& s : out.states) out.bytes += s.size();
    out.pack = std::make_unique<StatePacker>(*out.run, out.states);
    std::istringstream good((*out.pack)(out.states));
    make_simulation(out.run->config)->load(good);  // has to be taken
  }
  if (!out.simulation) out.simulation = make_simulation(out.run->config);
  return out;
}

/// Changes one number of the states.
void damage(std::vector<std::string>& states, size_t bytes, const uint8_t* how) {
  uint32_t at = 0;
  std::memcpy(&at, how, sizeof at);
  at %= static_cast<uint32_t>(bytes);
  for (std::string& state : states) {
    if (at >= state.size()) {
      at -= static_cast<uint32_t>(state.size());
      continue;
    }
    const size_t length = std::min<size_t>(size_t{1} << (how[4] & 3), state.size() - at);
    uint64_t value = 0, with = how[5] | static_cast<uint64_t>(how[6]) << 8;
    for (int i = 2; i != 8; ++i) with |= static_cast<uint64_t>(how[7]) << (8 * i);
    std::memcpy(&value, &state[at], length);
    value = (how[4] & 4) != 0 ? value + with : with;
    std::memcpy(&state[at], &value, length);
    return;
  }
}

std::string file_of(Target& t, const uint8_t* data, size_t size) {
  const std::string rest(reinterpret_cast<const char*>(data) + 2, size - 2);
  if (data[0] == 0) return rest;
  std::vector<std::string> states = t.states;
  if (data[0] == 1) {
    states[size > 2 ? data[2] % states.size() : 0] = size > 2 ? rest.substr(1) : rest;
  } else {
    for (size_t i = 2; i + 8 <= size; i += 8) damage(states, t.bytes, data + i);
  }
  return (*t.pack)(states);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr uint64_t kCycles = 200;
  if (size < 2 || (data[0] > 1 && size < 10)) return 0;
  Target& t = target(data[1]);
  std::istringstream from(file_of(t, data, size));
  try {
    t.simulation->load(from);
  } catch (const odonata::Error&) {
    return 0;
  }
  try {
    const uint64_t end = t.simulation->now() + kCycles;
    while (t.simulation->now() < end && t.simulation->advance()) {
    }
    t.simulation->result();
  } catch (const std::logic_error&) {  // an invariant that only debug builds look at, such as the order of channels
  }
  t.simulation.reset();  // what has run does not go back
  return 0;
}
