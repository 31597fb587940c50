// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <toml++/toml.h>

#include "models/common/error.h"
#include "sim/pipeline/measure.h"
#include "tb/harness/files.h"

namespace odonata::cli {

namespace {

int cycles(const std::string& path, std::string_view key, const toml::node& value) {
  const auto number = value.value<int64_t>();
  if (!value.is_integer() || *number < 1 || *number > 1000) throw Error(fmt::format("{}: {}: expected a number of cycles 1..1000", path, key));
  return static_cast<int>(*number);
}

}  // namespace

Expectation read_expectation(const std::string& path) {
  toml::table table;
  try {
    table = toml::parse(read_text(path), path);
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("{}:{}: {}", path, error.source().begin.line, error.description()));
  }
  Expectation out;
  out.says = path + " says";
  for (const auto& [key, value] : table) {
    if (key == "latency") {
      out.latency = cycles(path, "latency", value);
    } else if (key == "initiation_interval") {
      out.interval = cycles(path, "initiation_interval", value);
    } else if (key == "stages") {
      const toml::array* stages = value.as_array();
      if (stages == nullptr || stages->size() != kStages) throw Error(fmt::format("{}: stages: expected {} numbers", path, kStages));
      for (size_t k = 0; k < kStages; ++k) out.stages[k] = cycles(path, "stages", *stages->get(k));
    } else if (key == "writes") {
      const std::string word = value.value_or("");
      if (word != "first_free" && word != "any") throw Error(path + ": writes: expected \"first_free\" or \"any\"");
      out.writes = word == "any" ? WriteRule::any : WriteRule::first_free;
    } else {
      throw Error(fmt::format("{}: unknown key '{}', expected latency, initiation_interval, stages or writes", path, std::string(key.str())));
    }
  }
  return out;
}

}  // namespace odonata::cli
