// SPDX-License-Identifier: Apache-2.0
#include "sim/network/sweep/sweep_store.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "models/common/error.h"

namespace odonata::cli {

namespace {

/// FNV-1a, 64 bits.
std::string checksum(const std::string& text) {
  uint64_t sum = 0xCBF29CE484222325ull;
  for (const char c : text) sum = (sum ^ static_cast<uint8_t>(c)) * 0x100000001B3ull;
  return fmt::format("{:016x}", sum);
}

std::string line_of(const Settings& settings, const Json& result) {
  const std::string body = Json{{"settings", settings}, {"result", result}}.dump();
  return fmt::format("{{\"sum\":\"{}\",{}\n", checksum(body), body.substr(1));
}

}  // namespace

SweepStore::SweepStore(const std::string& path) : path_(path) {
  std::string good;
  if (std::filesystem::exists(path)) {
    std::istringstream lines(read_text(path));
    for (std::string line; std::getline(lines, line);) {
      const Json entry = Json::parse(line, nullptr, false);
      const bool shaped = entry.is_object() && entry.contains("settings") && entry.contains("result") && entry["settings"].is_object();
      Settings settings;
      if (shaped) {
        for (const auto& [key, value] : entry["settings"].items()) settings[key] = value.is_string() ? value.get<std::string>() : "";
      }
      if (!shaped || line_of(settings, entry["result"]) != line + "\n") {
        ++dropped_;
        continue;
      }
      results_[to_text(settings)] = entry["result"];
      good += line + "\n";
    }
  }
  found_ = results_.size();
  OutputFile(path).write(good);
  file_.open(path, std::ios::app);
}

const Json* SweepStore::find(const Settings& settings) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto at = results_.find(to_text(settings));
  return at == results_.end() ? nullptr : &at->second;
}

const Json& SweepStore::add(const Settings& settings, const Json& result) {
  const std::lock_guard<std::mutex> lock(mutex_);
  file_ << line_of(settings, result) << std::flush;
  if (!file_) throw Error("'" + path_ + "': cannot be written");
  return results_[to_text(settings)] = result;
}

}  // namespace odonata::cli
