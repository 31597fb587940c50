// SPDX-License-Identifier: Apache-2.0
#include "sim/pipeline/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <toml++/toml.h>

#include "models/common/error.h"
#include "tb/harness/files.h"

namespace odonata::cli {

namespace {

toml::table parse(const std::string& path) {
  try {
    return toml::parse(read_text(path), path);
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("{}:{}: {}", path, error.source().begin.line, error.description()));
  }
}

int cycles(const std::string& path, std::string_view key, const toml::node& value, int least) {
  const auto number = value.value<int64_t>();
  if (!value.is_integer() || *number < least || *number > 1000)
    throw Error(fmt::format("{}: {}: expected a number of cycles {}..1000", path, key, least));
  return static_cast<int>(*number);
}

[[noreturn]] void refuse_key(const std::string& path, std::string_view key, const std::vector<std::string>& known) {
  std::string names;
  for (size_t k = 0; k < known.size(); ++k) names += (k == 0 ? "" : k + 1 == known.size() ? " or " : ", ") + known[k];
  throw Error(fmt::format("{}: unknown key '{}', expected {}", path, key, names));
}

std::string figure(const std::string& path, const FigureKey& key, const toml::node& value) {
  if (key.rate) {
    const auto rate = value.value<double>();
    if (!value.is_number() || !(*rate >= 0 && *rate <= 1))
      throw Error(fmt::format("{}: {}: expected a rate 0..1", path, key.name));
    return fmt::format("{:.3f}", *rate);
  }
  const toml::array* range = value.as_array();
  if (range == nullptr) return std::to_string(cycles(path, key.name, value, 0));
  if (range->size() != 2)
    throw Error(fmt::format("{}: {}: expected a number of cycles or [least, most]", path, key.name));
  const int least = cycles(path, key.name, *range->get(0), 0), most = cycles(path, key.name, *range->get(1), 0);
  if (least > most) throw Error(fmt::format("{}: {}: least {} is more than most {}", path, key.name, least, most));
  return least == most ? std::to_string(least) : fmt::format("{}..{}", least, most);
}

}  // namespace

Expectation read_expectation(const std::string& path, const Expectation& specification) {
  Expectation out = specification;
  if (path.empty()) return out;
  std::vector<std::string> known{"latency", "initiation_interval"};
  if (!out.stages.empty()) known.emplace_back("stages");
  if (out.writes) known.emplace_back("writes");
  out.says = path + " says";
  for (const auto& [key, value] : parse(path)) {
    if (std::find(known.begin(), known.end(), key.str()) == known.end()) refuse_key(path, key.str(), known);
    if (key == "latency") {
      out.latency = cycles(path, "latency", value, 1);
    } else if (key == "initiation_interval") {
      out.interval = cycles(path, "initiation_interval", value, 1);
    } else if (key == "stages") {
      const toml::array* stages = value.as_array();
      if (stages == nullptr || stages->size() != out.stages.size())
        throw Error(fmt::format("{}: stages: expected {} numbers", path, out.stages.size()));
      for (size_t k = 0; k < out.stages.size(); ++k) out.stages[k] = cycles(path, "stages", *stages->get(k), 1);
    } else {
      const std::string word = value.value_or("");
      if (word != "first_free" && word != "any") throw Error(path + ": writes: expected \"first_free\" or \"any\"");
      out.writes = word == "any" ? WriteRule::any : WriteRule::first_free;
    }
  }
  return out;
}

std::map<std::string, std::string> read_figures(const std::string& path, const std::vector<FigureKey>& keys) {
  std::map<std::string, std::string> out;
  for (const auto& [key, value] : parse(path)) {
    const auto found =
        std::find_if(keys.begin(), keys.end(), [name = key.str()](const FigureKey& k) { return k.name == name; });
    if (found == keys.end()) {
      std::vector<std::string> known;
      for (const FigureKey& k : keys) known.push_back(k.name);
      refuse_key(path, key.str(), known);
    }
    out[found->name] = figure(path, *found, value);
  }
  return out;
}

}  // namespace odonata::cli
