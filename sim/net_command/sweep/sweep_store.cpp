// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/sweep/sweep_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string_view>
#include <vector>

#include "models/common/error.h"
#include "sim/workload/workload_file.h"

namespace odonata::cli {

namespace {

constexpr std::string_view kBegin = "{\"sum\":";  // of every line

/// FNV-1a, 64 bits.
std::string checksum(const std::string& text) {
  uint64_t sum = 0xCBF29CE484222325ull;
  for (const char c : text) sum = (sum ^ static_cast<uint8_t>(c)) * 0x100000001B3ull;
  return fmt::format("{:016x}", sum);
}

/// The files that a run reads: of a graph, a trace, programs and places.
std::vector<std::string> files_of(const Settings& settings) {
  std::vector<std::string> named, out;
  const auto behind = [&named](const std::string& text, std::string_view begin) {
    if (text.starts_with(begin)) named.push_back(text.substr(begin.size()));
  };
  for (const auto& [key, value] : settings) {
    if (key == "topology") named.push_back(value);
    if (key == "traffic") behind(value, "trace:");
    if (key == "mapping") behind(value, "file:");
    if (key != "workload") continue;
    const std::vector<std::string> programs = workload_files(value);
    named.insert(named.end(), programs.begin(), programs.end());
  }
  std::error_code ignored;
  std::copy_if(named.begin(), named.end(), std::back_inserter(out),
               [&ignored](const std::string& path) { return std::filesystem::is_regular_file(path, ignored); });
  return out;
}

/// `files`: what is in the files of the run.
std::string key_of(const Settings& settings, const std::string& files) {
  return to_text(settings) + (files.empty() ? "" : " of files " + files);
}

std::string line_of(const Settings& settings, const Json& result, const std::string& build, const std::string& files) {
  Json entry = Json::object();
  if (!build.empty()) entry["build"] = build;
  if (!files.empty()) entry["files"] = files;
  entry.update({{"settings", settings}, {"result", result}});
  const std::string body = entry.dump();
  return fmt::format("{}\"{}\",{}\n", kBegin, checksum(body), body.substr(1));
}

}  // namespace

SweepStore::SweepStore(const std::string& path, Use use, const std::string& build) : path_(path), build_(build) {
  if (use == Use::append) {
    file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file_ < 0) throw Error("'" + path + "': cannot be written: " + std::strerror(errno));
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0 &&
        errno == EWOULDBLOCK) {  // a file system without locks is no reason to stop
      ::close(file_);
      throw Error("'" + path + "': another run is writing to it; wait for it, or give another file");
    }
  }
  const std::string text = !path.empty() && may_exist(path) ? read_text(path) : "";
  try {
    read(text);
    // Nothing is appended to a file of something else; the first line of a store may have been cut off.
    const std::string_view begin = std::string_view(text).substr(0, kBegin.size());
    if (use == Use::append && results_.empty() && !kBegin.starts_with(begin))
      throw Error("'" + path + "': this is no store of results, expected one, or a new file");
  } catch (...) {
    if (file_ >= 0) ::close(file_);
    throw;
  }
  found_ = results_.size();
  if (use == Use::append && !text.empty() && text.back() != '\n') append("\n");
}

void SweepStore::read(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const Json entry = Json::parse(line, nullptr, false);
    const bool shaped =
        entry.is_object() && entry.contains("settings") && entry.contains("result") && entry["settings"].is_object();
    Settings settings;
    if (shaped) {
      for (const auto& [key, value] : entry["settings"].items())
        settings[key] = value.is_string() ? value.get<std::string>() : "";
    }
    const auto text_at = [&](const char* key) {
      return shaped && entry.contains(key) && entry[key].is_string() ? entry[key].get<std::string>() : "";
    };
    const std::string build = text_at("build"), files = text_at("files");
    if (!shaped || line_of(settings, entry["result"], build, files) != line + "\n") {
      ++damaged_;
      continue;
    }
    if (!build_.empty() && build != build_) {
      throw Error(fmt::format("'{}': made by another program, '{}', this is '{}'; remove the folder to begin anew",
                              path_, build, build_));
    }
    results_[key_of(settings, files)] = {settings, files, entry["result"]};
  }
}

void tell_damaged(const std::string& what, size_t damaged, const std::string& results) {
  if (damaged != 0)
    tell(fmt::format("{}: {} damaged lines passed over, these {} are made again\n", what, damaged, results));
}

SweepStore::~SweepStore() {
  if (file_ >= 0) ::close(file_);
}

void SweepStore::append(const std::string& line) {
  const std::string text = (torn_ ? "\n" : "") + line;
  for (std::string_view left = text; !left.empty();) {  // what is written in part tells why in the next try
    const ssize_t written = ::write(file_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      torn_ = torn_ || left.size() != text.size();
      throw Error("'" + path_ + "': cannot be written: " + std::strerror(errno));
    }
    left.remove_prefix(static_cast<size_t>(written));
  }
  torn_ = false;
}

std::string SweepStore::contents(const Settings& settings) const {
  std::string out;
  for (const std::string& path : files_of(settings)) {
    std::string& sum = sums_[path];
    if (sum.empty()) sum = checksum(read_text(path));
    out += (out.empty() ? "" : " ") + sum;
  }
  return out;
}

const Json* SweepStore::find(const Settings& settings) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto at = results_.find(key_of(settings, contents(settings)));
  return at == results_.end() ? nullptr : &at->second.result;
}

const Json& SweepStore::add(const Settings& settings, const Json& result) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return put({settings, contents(settings), result});
}

const Json& SweepStore::put(const Entry& entry) {
  if (file_ >= 0) append(line_of(entry.settings, entry.result, build_, entry.files));
  return (results_[key_of(entry.settings, entry.files)] = entry).result;
}

void SweepStore::take(const SweepStore& other, bool keep) {
  for (const auto& [text, entry] : other.results_) {
    const auto known = results_.find(text);
    if (known != results_.end() && known->second.result != entry.result) {
      throw Error(fmt::format("'{}': other results than known of the same run: {}", other.path_, text));
    }
  }
  for (const auto& [text, entry] : other.results_) {
    if (results_.count(text) != 0) continue;
    if (keep) {
      put(entry);
    } else {
      results_[text] = entry;
    }
  }
}

}  // namespace odonata::cli
