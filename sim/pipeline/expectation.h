// SPDX-License-Identifier: Apache-2.0
// What `odonata pipeline` holds a unit against: the specification, or the user's own (--expect FILE).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace odonata::cli {

/// When a table write is executed while route requests use the table.
enum class WriteRule { first_free, any };

/// What a pipeline from requests to responses has to keep.
struct Expectation {
  std::string says = "the specification says";  ///< who wants it, for problems
  int latency = 0;                  ///< cycles from a request to its response, as the unit's specification counts them
  int interval = 1;                 ///< cycles between two requests
  std::vector<int> stages;          ///< cycles a stage, through the probe bits; empty: the unit shows none
  std::optional<WriteRule> writes;  ///< empty: the unit has no such table
};
/// From a TOML file: latency, initiation_interval, stages = [1, 1, ...], writes = "first_free" or "any"; the last two
/// of units that have them. What the file does not say is as the specification has it. An empty path: the
/// specification. Throws Error "FILE: ...".
Expectation read_expectation(const std::string& path, const Expectation& specification);

/// A figure that a file may say: a number of cycles, [least, most], or a rate.
struct FigureKey {
  std::string name;
  bool rate = false;
};
/// Figures by name as `pipeline` shows them: "5", "5..10", rates "1.000". Throws Error "FILE: ...".
std::map<std::string, std::string> read_figures(const std::string& path, const std::vector<FigureKey>& keys);

}  // namespace odonata::cli
