// SPDX-License-Identifier: Apache-2.0
// What a command hands out: a table on stdout, a JSON file that appears whole or not at all, progress on a terminal.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "models/topology/dragonfly.h"
#include "tb/harness/files.h"

namespace odonata::cli {

/// JSON that keeps the order in which keys are written.
using Json = nlohmann::ordered_json;

/// A document of somebody else; discarded (is_discarded()) when it is no JSON, or nested deeper than any of ours.
Json parse_json(const std::string& text);

/// An OutputFile for JSON (the option --json).
class JsonFile {
 public:
  explicit JsonFile(std::string path) : file_(std::move(path)) {}
  void write(const Json& document) const;

 private:
  OutputFile file_;
};

/// A text for people on stderr. What cannot be told there is not told: it is no result.
void tell(const std::string& text);

/// "1 round", "2 rounds"; `plural` where an s is not enough.
std::string counted(uint64_t number, const std::string& what, const std::string& plural = "");

/// Columns of text, each as wide as its widest cell; numbers to the right, words to the left.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Writes "what: 43 %, 12 s left" on stderr, at most ten times a second, and only when stderr is a terminal.
class Progress {
 public:
  Progress(std::string what, uint64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// `note`: something more to say, such as a rate.
  void at(uint64_t done, std::string_view note = {});

 private:
  std::string what_;
  uint64_t total_;
  bool terminal_;
  bool shown_ = false;
  uint64_t first_ = 0;  // done at the first call: what a resumed run starts with
  std::chrono::steady_clock::time_point start_, next_;
};

/// Seconds since construction.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// {"name": "dfly(2,4,2,8) direct", "p": 2, ...}
Json to_json(const Dragonfly& d);

/// What every result starts with: the command, its whole command line, the version of the program; and the dragonfly.
Json result_head(std::string_view command);
Json result_head(std::string_view command, const Dragonfly& d);
/// The end of a command that judges: adds result, sections, verdict and headline to the head, writes the file, prints
/// the headline; kFailed when it is not good.
void finish_result(const JsonFile& file, Json head, const Json& result, const std::string& headline, bool good,
                   Json sections = {});

}  // namespace odonata::cli
