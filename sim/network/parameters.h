// SPDX-License-Identifier: Apache-2.0
// The one table of what a run has as parameters: it feeds the command line, configuration files, sweeps, the head of
// results and checkpoints, and the table in docs/cli.md.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/network/topology.h"

namespace odonata::network {

/// Values by the names of parameters, as text.
using Settings = std::map<std::string, std::string>;

/// A run while it is being set up: what is there before a Config, the Config, and faults that still are names.
struct Setup {
  std::string size = "paper", dragonfly, arrangement, topology, mesh, torus,
              fat_tree;                   ///< which network; see make_setup()
  std::vector<std::string> fail, repair;  ///< names, with @CYCLE or without
  uint64_t fail_at = 0, repair_at = 0;
  std::optional<Config> config;  ///< set when the network is known
};

/// What only some networks have. A parameter of a group that its network lacks is refused.
enum class ParameterGroup {
  network,
  traffic,
  programs,
  router,
  links,
  congestion_plane,
  faults,
  fault_planes,
  fault_regions,
  fat_tree,
  tables,
  requests,
  run
};
inline constexpr int kParameterGroups = 13;
const char* title_of(ParameterGroup group);

/// A value that is one of some words.
struct Word {
  std::vector<std::string> choices;
  int (*get)(const Config&);
  void (*set)(Config&, int);
};

/// Where the value is; null where this network has no such thing.
using Member =
    std::variant<uint64_t* (*)(Setup&), int* (*)(Setup&), double* (*)(Setup&), bool* (*)(Setup&),
                 std::string* (*)(Setup&), std::vector<std::string>* (*)(Setup&), std::vector<int>* (*)(Setup&), Word>;

/// A setting of a run: the source of the command line, TOML, JSON heads, checkpoint heads and docs.
struct Parameter {
  std::string name;  ///< as on the command line, without dashes
  ParameterGroup group = ParameterGroup::run;
  Member member;
  double low = 0, high = 0;      ///< of numbers; both 0: any
  std::string unit;              ///< of numbers; of text: its form
  std::string text;              ///< what it is, in half a sentence
  bool zero_is_default = false;  ///< 0 leaves what the network or the routing needs
  bool of_state = true;          ///< a checkpoint belongs to its value

  bool is_flag() const;  ///< true or false
  bool is_list() const { return std::holds_alternative<std::vector<std::string>* (*)(Setup&)>(member); }
  bool is_number() const;
  bool is_fraction() const { return std::holds_alternative<double* (*)(Setup&)>(member); }
  /// "0..16", "true or false", "own|empty|tail".
  std::string range() const;
};

/// All of them, in the order in which they are set and shown.
const std::vector<Parameter>& parameters();
/// Null: there is none of that name.
const Parameter* find_parameter(std::string_view name);

/// Throws Error "--name: ..." when the text is no value of the parameter, in whatever network.
void check_value(const Parameter& parameter, const std::string& text);
/// The value as text that check_value() takes; nothing where the network has no such parameter.
std::optional<std::string> value_of(const Parameter& parameter, const Setup& setup);

/// Builds the network with `make` (from KIND:SIZE) and sets everything that `settings` gives (lists: separated by
/// commas); faults stay names. Throws Error that names the parameter.
using MakeTopology = std::function<std::shared_ptr<const Topology>(const std::string&)>;
Setup make_setup(const Settings& settings, const MakeTopology& make = make_topology);
/// The names of faults become events, and what depends on other values gets its value. Throws Error.
Config finish(Setup setup, const Settings& settings);
/// Throws Error for a setting that nothing in this run looks at. Of single runs: the table of a sweep may have what is
/// for some of its runs. With `fails` there will be faults that the configuration does not have yet.
void check_unused(const Config& config, const Settings& settings, bool fails = false);

/// What a checkpoint has in common with the run that goes on from it: lines "name=value".
std::string describe_text(const Config& config);
struct Difference {
  std::string name, left, right;  ///< no name: there is none
};
/// Other programs come before what follows from them, such as the default of `load`.
Difference first_difference(const std::string& left, const std::string& right);

/// The table in Markdown, a heading and rows for each group.
std::string parameters_markdown();

}  // namespace odonata::network
