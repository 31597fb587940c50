// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/sweep/sweep_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

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

SweepStore::SweepStore(const std::string& path, Use use) : path_(path) {
  if (use == Use::append) {
    file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file_ < 0) throw Error("'" + path + "': cannot be written");
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
      ::close(file_);
      throw Error("'" + path + "': another sweep is writing to it; wait for it, or give another --out");
    }
  }
  const std::string text = std::filesystem::exists(path) ? read_text(path) : "";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const Json entry = Json::parse(line, nullptr, false);
    const bool shaped = entry.is_object() && entry.contains("settings") && entry.contains("result") && entry["settings"].is_object();
    Settings settings;
    if (shaped) {
      for (const auto& [key, value] : entry["settings"].items()) settings[key] = value.is_string() ? value.get<std::string>() : "";
    }
    if (shaped && line_of(settings, entry["result"]) == line + "\n") {
      results_[to_text(settings)] = entry["result"];
    } else {
      ++damaged_;
    }
  }
  found_ = results_.size();
  if (use == Use::append && !text.empty() && text.back() != '\n') append("\n");
}

SweepStore::~SweepStore() {
  if (file_ >= 0) ::close(file_);
}

void SweepStore::append(const std::string& text) {
  if (::write(file_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) throw Error("'" + path_ + "': cannot be written");
}

const Json* SweepStore::find(const Settings& settings) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto at = results_.find(to_text(settings));
  return at == results_.end() ? nullptr : &at->second;
}

const Json& SweepStore::add(const Settings& settings, const Json& result) {
  const std::lock_guard<std::mutex> lock(mutex_);
  append(line_of(settings, result));
  return results_[to_text(settings)] = result;
}

}  // namespace odonata::cli
