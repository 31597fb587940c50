// SPDX-License-Identifier: Apache-2.0
// The last cycles before a mismatch as lanes of a waveform: what went in, and where reference and device differ.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tb/harness/shrink.h"
#include "tb/harness/trace_file.h"

namespace odonata::cosim {

inline constexpr uint64_t kExcerptCycles = 14;
inline constexpr size_t kExcerptLanes = 16;  ///< of the inputs, and of the outputs in which both sides agree

/// {first, lanes: [{name, bits?, values, got?}]}: hexadecimal values from cycle `first` to the mismatch; inputs have a
/// width, of an output that differs `got` is what the device gave. Lanes that never change say nothing and are left
/// out.
template <class Block>
nlohmann::json excerpt(const Bench<Block>& bench, const std::vector<typename Block::Inputs>& cycles,
                       const Mismatch& m) {
  using Values = std::vector<std::string>;
  const auto fields = Block::fields();
  const auto probes = Block::probes();
  std::vector<Values> inputs(fields.size()), expected(probes.size()), got(probes.size());
  const uint64_t first = m.cycle + 1 > kExcerptCycles ? m.cycle + 1 - kExcerptCycles : 0;
  auto reference = bench.reference();
  auto device = bench.device();
  typename Block::Inputs in{};
  typename Block::Outputs right{}, given{};
  for (uint64_t cycle = 0; cycle <= m.cycle; ++cycle) {
    if (cycle < cycles.size()) {
      in = cycles[cycle];
    } else if constexpr (requires { Block::idle(in); }) {
      in = Block::idle(in);
    }
    reference->step(in, right);
    device->step(in, given);
    if (cycle < first) continue;
    for (size_t i = 0; i < fields.size(); ++i) inputs[i].push_back(fields[i].get(in));
    for (size_t i = 0; i < probes.size(); ++i) {
      expected[i].push_back(to_hex(probes[i].value(right)));
      got[i].push_back(to_hex(probes[i].value(given)));
    }
  }
  const auto changes = [](const Values& v) {
    return std::adjacent_find(v.begin(), v.end(), std::not_equal_to<>()) != v.end();
  };
  nlohmann::json lanes = nlohmann::json::array(), alike = nlohmann::json::array();
  for (size_t i = 0; i < fields.size() && lanes.size() < kExcerptLanes; ++i) {
    if (changes(inputs[i]))
      lanes.push_back({{"name", fields[i].name}, {"bits", fields[i].bits}, {"values", inputs[i]}});
  }
  for (size_t i = 0; i < probes.size(); ++i) {
    if (expected[i] != got[i]) {
      lanes.push_back({{"name", probes[i].name}, {"values", expected[i]}, {"got", got[i]}});
    } else if (changes(expected[i]) && alike.size() < kExcerptLanes) {
      alike.push_back({{"name", probes[i].name}, {"values", expected[i]}});
    }
  }
  lanes.insert(lanes.end(), alike.begin(), alike.end());
  return {{"first", first}, {"lanes", lanes}};
}

}  // namespace odonata::cosim
