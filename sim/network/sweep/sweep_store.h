// SPDX-License-Identifier: Apache-2.0
// Results of a sweep on disk: a line of JSON a finished run, each with a checksum, so that a sweep that was killed goes on where it was.
#pragma once

#include <fstream>
#include <map>
#include <mutex>
#include <string>

#include "sim/common/output.h"
#include "sim/network/sweep/sweep_file.h"

namespace odonata::cli {

class SweepStore {
 public:
  /// Reads what is there; lines that are damaged (a kill in the middle of writing) are dropped and counted. Throws Error when it cannot be written.
  explicit SweepStore(const std::string& path);

  /// The result of a run, or nullptr. Valid as long as the store.
  const Json* find(const Settings& settings) const;
  /// Keeps a finished run, in memory and on disk. Throws Error when it cannot be written.
  const Json& add(const Settings& settings, const Json& result);
  size_t dropped() const { return dropped_; }
  size_t found() const { return found_; }

 private:
  std::string path_;
  std::map<std::string, Json> results_;
  std::ofstream file_;
  size_t dropped_ = 0, found_ = 0;
  mutable std::mutex mutex_;
};

}  // namespace odonata::cli
