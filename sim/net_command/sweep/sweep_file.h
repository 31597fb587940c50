// SPDX-License-Identifier: Apache-2.0
// The file of `odonata sweep`: which runs to make, and what the paper says about them (docs/cli.md, sweep).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/network/parameters.h"

namespace odonata::cli {

using network::Settings;

/// "load=0.4 routing=doar ..."
std::string to_text(const Settings& settings);

/// The run that settings describe. Throws Error "what: ...".
network::Config make_config(const Settings& settings, const std::string& what);

/// Find the highest load low, low + step, .. high that is not saturated, by bisection; where the file states a
/// published value, in growing steps from there.
struct SaturationSearch {
  double low = 0, high = 1, step = 0.01;
  double latency = 0;  ///< saturated: the mean with unfinished packets is above this; 0: the run says it
  /// Number of loads.
  int loads() const;
  std::string load(int index) const;
  /// Whether it is the highest load of the range: nothing above it was tried.
  bool is_top(double load) const { return load >= std::stod(this->load(loads() - 1)); }
  /// Index of the load next to `value`, inside the range.
  int index(double value) const;
};

/// A product of parameters; without a search the loads are among them.
struct SweepPart {
  std::string title;
  Settings fixed;
  std::vector<std::pair<std::string, std::vector<std::string>>> vary;  ///< in alphabetical order
  std::optional<SaturationSearch> saturation;
  std::vector<std::string> panels;  ///< parameters that get pictures of their own
  bool log = false;                 ///< latencies are drawn by their logarithm
  int ranks = 1;                    ///< processes of a run in a Slurm job (docs/cluster.md); elsewhere one
  int saturated_runs = 0;   ///< of a rising series of loads so many saturated ones are run, then no more; 0: all
  bool throughput = false;  ///< the pairs are compared by throughput, else by latency
  std::vector<std::pair<std::string, std::string>>
      pairs;  ///< routing algorithms: the second is compared with the first

  bool is_panel(const std::string& key) const;
  /// All combinations, the last parameter varying fastest.
  std::vector<Settings> combinations() const;
};

/// A published value and the runs that it is about.
struct PaperValue {
  std::string quantity;  ///< a column of the CSV, or "saturation"
  Settings where;        ///< settings that the runs must have; "": must not have
  double value = 0;
  std::string source;       ///< place in the paper
  std::string explanation;  ///< why the measured value deviates, found by experiment
};

struct SweepFile {
  std::string name;  ///< of the file, without folder and ending
  std::string title, text;
  std::string quick;  ///< what --quick changes, in words; empty: not asked for
  std::vector<SweepPart> parts;
  std::vector<PaperValue> paper;
};

/// Reads and checks the file, with `quick` its table [quick] laid over every part. Throws Error "file: ...".
SweepFile read_sweep(const std::string& path, bool quick);
/// The same for a file whose text is known.
SweepFile parse_sweep(const std::string& text, const std::string& path, bool quick);

}  // namespace odonata::cli
