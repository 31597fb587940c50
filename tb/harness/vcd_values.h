// SPDX-License-Identifier: Apache-2.0
// What a waveform of SystemC says of a signal: its values one after the other, without repetitions.
#pragma once

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace odonata::cosim {

/// Of the signal whose name with its scopes ends with `signal`; empty when there is none.
inline std::vector<uint64_t> vcd_values(const std::string& path, const std::string& signal) {
  std::ifstream file(path);
  std::vector<uint64_t> out;
  std::string scope, code;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first, second, width, id, name;
    words >> first >> second;
    if (first == "$scope") {
      words >> name;
      scope += "." + name;
    } else if (first == "$upscope") {
      scope.erase(scope.rfind('.'));
    } else if (first == "$var") {
      words >> width >> id >> name;
      if ((scope + "." + name).ends_with("." + signal)) code = id;
    }
    if (code.empty() || first.empty()) continue;
    const bool scalar = second.empty() && first.substr(1) == code, vector = first[0] == 'b' && second == code;
    if (!scalar && !vector) continue;
    const uint64_t value = std::stoull(scalar ? first.substr(0, 1) : first.substr(1), nullptr, 2);
    if (out.empty() || out.back() != value) out.push_back(value);
  }
  return out;
}

}  // namespace odonata::cosim
