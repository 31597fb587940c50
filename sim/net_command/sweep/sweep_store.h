// SPDX-License-Identifier: Apache-2.0
// Results of a sweep on disk: a line of JSON a finished run, each with a checksum, so that a sweep that was killed goes
// on where it was. The parts of a sweep whose runs are made in many places (sweep_plan.h) have the same lines, with the
// build that made them.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "sim/common/output.h"
#include "sim/net_command/sweep/sweep_file.h"

namespace odonata::cli {

class SweepStore {
 public:
  enum class Use { read, append };

  /// Reads what is there; lines that are damaged (a kill in the middle of writing) are passed over and counted. To
  /// append, the file is locked until the store dies. Throws Error when it cannot be written or another sweep appends
  /// to it, or with a `build` when a line is of another one. An empty path: in memory only.
  SweepStore(const std::string& path, Use use, const std::string& build = "");
  ~SweepStore();
  SweepStore(const SweepStore&) = delete;
  SweepStore& operator=(const SweepStore&) = delete;

  /// The result of a run, with the files that it names as they are now, or nullptr. Valid as long as the store.
  const Json* find(const Settings& settings) const;
  /// Keeps a finished run, in memory and, opened to append, on disk. Throws Error when it cannot be written.
  const Json& add(const Settings& settings, const Json& result);
  /// Knows the runs of another store, too; with `keep` they are added. Throws Error when a run has other results there,
  /// and takes nothing then.
  void take(const SweepStore& other, bool keep);
  size_t damaged() const { return damaged_; }
  size_t found() const { return found_; }

 private:
  struct Entry {
    Settings settings;
    std::string files;  ///< what is in the files that the settings name
    Json result;
  };
  std::string contents(const Settings& settings) const;
  const Json& put(const Entry& entry);
  void append(const std::string& line);
  void read(const std::string& text);

  std::string path_, build_;
  std::map<std::string, Entry> results_;
  mutable std::map<std::string, std::string> sums_;  ///< of files, as they were when first asked for
  int file_ = -1;                                    ///< descriptor; a lock belongs to it
  bool torn_ = false;                                ///< the last line was written in part
  size_t damaged_ = 0, found_ = 0;
  mutable std::mutex mutex_;
};

/// Says on stderr how many damaged lines of a store were passed over, if any; `results`: what they were, such as
/// "runs".
void tell_damaged(const std::string& what, size_t damaged, const std::string& results);

}  // namespace odonata::cli
