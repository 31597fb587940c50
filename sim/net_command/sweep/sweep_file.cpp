// SPDX-License-Identifier: Apache-2.0
#include "sim/net_command/sweep/sweep_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "models/common/error.h"
#include "models/common/joined.h"
#include "sim/net_command/net_options.h"
#include "sim/net_command/sweep/sweep_report.h"

namespace odonata::cli {

std::string to_text(const Settings& settings) {
  return joined(
      settings, [](const auto& setting) { return setting.first + "=" + setting.second; }, " ");
}

network::Config make_config(const Settings& settings, const std::string& what) {
  try {
    return make_config(settings);
  } catch (const Error& e) {
    throw Error(what + ": " + e.what());
  }
}

int SaturationSearch::loads() const {
  constexpr double kRounding = 1e-6;  // of a step: 0.1 + 9 * 0.1 is 1
  return static_cast<int>(std::floor((high - low) / step + kRounding)) + 1;
}
int SaturationSearch::index(double value) const {
  return std::clamp(static_cast<int>(std::lround((value - low) / step)), 0, loads() - 1);
}
std::string SaturationSearch::load(int index) const { return fmt::format("{:.6g}", low + step * index); }

bool SweepPart::is_panel(const std::string& key) const {
  return std::find(panels.begin(), panels.end(), key) != panels.end();
}

std::vector<Settings> SweepPart::combinations() const {
  std::vector<Settings> out{fixed};
  for (const auto& [key, values] : vary) {
    std::vector<Settings> next;
    for (const Settings& s : out) {
      for (const std::string& value : values) {
        next.push_back(s);
        next.back()[key] = value;
      }
    }
    out = std::move(next);
  }
  return out;
}

namespace {

/// Turns a TOML document into a SweepFile; every message names file and line.
class SweepReader {
 public:
  explicit SweepReader(std::string path) : path_(std::move(path)) {}

  SweepFile read(const toml::table& document, bool quick) {
    SweepFile out;
    out.name = std::filesystem::path(path_).stem().string();
    check_keys(document, {"command", "title", "text", "net", "quick", "part", "paper"});
    if (const toml::node* command = document.get("command");
        command != nullptr && command->value_or(std::string()) != "sweep") {
      fail(*command, "the file is not for 'odonata sweep'");
    }
    out.title = text_of(document, "title", out.name);
    out.text = text_of(document, "text", "");
    const Settings common = settings_of(document.get("net"));
    const Settings shorter = settings_of(document.get("quick")), over = quick ? shorter : Settings{};
    check_values(shorter, document.get("quick"));
    if (quick && over.empty())
      throw Error(path_ + ": no [quick], expected the settings that --quick puts over all parts");
    if (quick) out.quick = to_text(over);
    for (const toml::table* part : tables_of(document, "part")) out.parts.push_back(part_of(*part, common, over));
    if (out.parts.empty()) throw Error(path_ + ": no [[part]]: nothing to run");
    expect_used(common_, path_ + ": [net]");
    for (const auto& [key, value] : common) {
      if (common_.count(key) == 0 && over.count(key) == 0)
        fail(*document["net"][key].node(), fmt::format("'{}': every part has another", key));
    }
    for (const toml::table* value : tables_of(document, "paper")) out.paper.push_back(paper_of(*value));
    return out;
  }

 private:
  [[noreturn]] void fail(const toml::node& node, const std::string& text) const {
    throw Error(fmt::format("{}:{}: {}", path_, node.source().begin.line, text));
  }
  void check_keys(const toml::table& table, const std::vector<std::string>& known) const {
    for (const auto& [key, value] : table) {
      if (std::find(known.begin(), known.end(), key.str()) == known.end())
        fail(value, fmt::format("unknown key '{}'", key.str()));
    }
  }
  std::string text_of(const toml::table& table, const char* key, const std::string& otherwise) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) return otherwise;
    if (!node->is_string()) fail(*node, fmt::format("key '{}': expected a string", key));
    return node->as_string()->get();
  }
  double number_of(const toml::table& table, const char* key) const {
    const toml::node* node = table.get(key);
    const auto number = node == nullptr ? std::nullopt : node->value<double>();
    if (!number || !std::isfinite(*number))
      fail(node == nullptr ? static_cast<const toml::node&>(table) : *node,
           fmt::format("key '{}': expected a number", key));
    return *number;
  }
  int whole_of(const toml::table& table, const char* key, int low, int high) const {
    const double number = number_of(table, key);
    if (number < low || number > high || number != std::floor(number))
      fail(*table.get(key), fmt::format("key '{}': expected a number {}..{}", key, low, high));
    return static_cast<int>(number);
  }
  std::string scalar(const toml::node& node) const {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
    if (const auto* real = node.as_floating_point()) return fmt::format("{}", real->get());
    if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
    fail(node, "expected a string, a number, true or false");
  }
  Settings settings_of(const toml::node* node) const {
    Settings out;
    if (node == nullptr) return out;
    if (!node->is_table()) fail(*node, "expected a table");
    for (const auto& [key, value] : *node->as_table()) out[std::string(key.str())] = scalar(value);
    return out;
  }
  void check_values(const Settings& settings, const toml::node* node) const {
    for (const auto& [key, value] : settings) {
      const toml::node& at = *node->as_table()->get(key);
      const network::Parameter* parameter = network::find_parameter(key);
      if (parameter == nullptr) fail(at, fmt::format("--{}: there is no such parameter", key));
      try {
        network::check_value(*parameter, value);
      } catch (const Error& e) {
        fail(at, e.what());
      }
    }
  }
  std::vector<const toml::table*> tables_of(const toml::table& document, const char* key) const {
    std::vector<const toml::table*> out;
    const toml::node* node = document.get(key);
    if (node == nullptr) return out;
    if (!node->is_array_of_tables()) fail(*node, fmt::format("expected [[{}]]", key));
    for (const toml::node& item : *node->as_array()) out.push_back(item.as_table());
    return out;
  }

  SweepPart part_of(const toml::table& table, const Settings& common, const Settings& over) {
    check_keys(table, {"title", "net", "vary", "saturation", "panels", "log", "saturated_runs", "compare", "slurm"});
    SweepPart out;
    out.title = text_of(table, "title", "");
    out.fixed = common;
    for (const auto& [key, value] : settings_of(table.get("net"))) out.fixed[key] = value;
    for (const auto& [key, value] : over) out.fixed[key] = value;
    if (const toml::node* vary = table.get("vary")) {
      if (!vary->is_table()) fail(*vary, "expected a table of lists");
      for (const auto& [key, list] : *vary->as_table()) {
        if (table["net"].as_table() != nullptr && table["net"].as_table()->contains(key.str()))
          fail(list, fmt::format("'{}' is in [part.net], too", key.str()));
        if (over.count(std::string(key.str())) == 0) out.vary.emplace_back(key.str(), list_of(list));
      }
    }
    if (const toml::node* search = table.get("saturation")) {
      out.saturation = search_of(*search);
      for (const char* own : {"net", "vary"}) {
        const toml::table* loads = table[own].as_table();
        if (const toml::node* load = loads == nullptr ? nullptr : loads->get("load"))
          fail(*load, "'load' beside 'saturation': a search chooses its loads itself");
      }
    }
    if (const toml::node* panels = table.get("panels")) out.panels = panels_of(*panels, table);
    if (const toml::node* log = table.get("log")) {
      if (!log->is_boolean()) fail(*log, "key 'log': expected true or false");
      out.log = log->as_boolean()->get();
    }
    if (const toml::node* saturated = table.get("saturated_runs")) {
      out.saturated_runs = whole_of(table, "saturated_runs", 0, 1000);
      if (!varies(table, "load")) fail(*saturated, "'saturated_runs' counts loads, expected them in [part.vary]");
    }
    if (const toml::node* compare = table.get("compare")) read_compare(*compare, out);
    if (const toml::node* slurm = table.get("slurm")) out.ranks = ranks_of(*slurm);
    check(out, common, fmt::format("{}:{}", path_, table.source().begin.line));
    return out;
  }
  static bool varies(const toml::table& part, std::string_view key) {
    const toml::table* varied = part["vary"].as_table();
    return varied != nullptr && varied->contains(key);
  }
  std::vector<std::string> panels_of(const toml::node& node, const toml::table& part) const {
    std::vector<std::string> out = list_of(node);
    if (part.get("compare") == nullptr) fail(node, "'panels' without 'compare': they are charts of pairs");
    for (const std::string& name : out)
      if (!varies(part, name)) fail(node, fmt::format("'{}' is not among the parameters that vary", name));
    return out;
  }
  /// Every run can be made, and some run makes use of what the part says; common_ tells of what all of them share.
  void check(const SweepPart& part, const Settings& common, const std::string& where) {
    std::map<std::string, Use> own;
    for (const Settings& s : part.combinations()) {
      const network::Config config = make_config(s, where);
      if (part.saturation && config.trace) throw Error(where + ": a trace has its own load, expected no 'saturation'");
      for (const auto& [key, value] : s) {
        const auto at = common.find(key);
        (at != common.end() && at->second == value ? common_ : own)[key].look(config, key, s);
      }
    }
    expect_used(own, where);
  }
  /// Whether a run makes use of a setting; else why the last one does not.
  struct Use {
    bool used = false;
    std::string complaint;
    void look(const network::Config& config, const std::string& key, const Settings& all) {
      Settings of;
      for (const std::string& name : {key, std::string("fail"), std::string("repair")}) {
        if (all.count(name) != 0) of[name] = all.at(name);
      }
      try {
        network::check_unused(config, of);
        used = true;
      } catch (const Error& e) {
        complaint = e.what();
      }
    }
  };
  static void expect_used(const std::map<std::string, Use>& settings, const std::string& where) {
    for (const auto& [key, use] : settings) {
      if (!use.used) throw Error(where + ": " + use.complaint);
    }
  }
  /// 0.1 and "0.10" are one value.
  static bool is_same(const std::string& a, const std::string& b) {
    const auto number = [](const std::string& text) {
      double value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
    };
    return a == b || (number(a) && number(a) == number(b));
  }
  std::vector<std::string> list_of(const toml::node& node) const {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty()) fail(node, "expected a list of values");
    std::vector<std::string> out;
    for (const toml::node& item : *list) {
      out.push_back(scalar(item));
      const auto same = [&out](const std::string& other) { return is_same(other, out.back()); };
      if (std::count_if(out.begin(), out.end(), same) > 1) fail(item, "'" + out.back() + "' is in the list twice");
    }
    return out;
  }
  SaturationSearch search_of(const toml::node& node) const {
    if (!node.is_table()) fail(node, "expected a table: low, high, step, latency");
    const toml::table& table = *node.as_table();
    check_keys(table, {"low", "high", "step", "latency"});
    const double latency = table.get("latency") == nullptr ? 0 : number_of(table, "latency");
    const SaturationSearch out{number_of(table, "low"), number_of(table, "high"), number_of(table, "step"), latency};
    if (!(out.low >= 0 && out.low < out.high && out.high <= 1 && out.step >= 0.001 && latency >= 0))
      fail(node, "expected 0 <= low < high <= 1, step >= 0.001 and latency >= 0");
    return out;
  }
  int ranks_of(const toml::node& node) const {
    if (!node.is_table()) fail(node, "expected a table: ranks");
    check_keys(*node.as_table(), {"ranks"});
    return whole_of(*node.as_table(), "ranks", 1, 4096);
  }
  /// { measure = "latency" | "throughput", pairs = [["dbra", "d2ra"], ...] }
  void read_compare(const toml::node& node, SweepPart& part) const {
    if (!node.is_table()) fail(node, "expected a table: measure, pairs");
    const toml::table& table = *node.as_table();
    check_keys(table, {"measure", "pairs"});
    const std::string measure = text_of(table, "measure", "latency");
    if (measure != "latency" && measure != "throughput")
      fail(node, "measure '" + measure + "': expected latency or throughput");
    part.throughput = measure == "throughput";
    const toml::node* pairs = table.get("pairs");
    if (pairs == nullptr || !pairs->is_array() || pairs->as_array()->empty())
      fail(node, "key 'pairs': expected a list of pairs of routings");
    const auto varied =
        std::find_if(part.vary.begin(), part.vary.end(), [](const auto& item) { return item.first == "routing"; });
    for (const toml::node& pair : *pairs->as_array()) {
      const std::vector<std::string> names = list_of(pair);
      if (names.size() != 2) fail(pair, "expected two routings");
      for (const std::string& name : names) {
        const bool known = varied != part.vary.end() &&
                           std::find(varied->second.begin(), varied->second.end(), name) != varied->second.end();
        if (!known) fail(pair, "routing '" + name + "' is not among those that vary");
      }
      part.pairs.emplace_back(names[0], names[1]);
    }
  }
  PaperValue paper_of(const toml::table& table) const {
    check_keys(table, {"quantity", "where", "value", "source", "explanation"});
    PaperValue out{text_of(table, "quantity", "latency"), settings_of(table.get("where")), number_of(table, "value"),
                   text_of(table, "source", ""), text_of(table, "explanation", "")};
    if (!is_quantity(out.quantity)) fail(table, "quantity '" + out.quantity + "' is unknown");
    for (const auto& [key, value] : out.where) {
      if (network::find_parameter(key) == nullptr) fail(*table.get("where"), "'" + key + "' is no parameter of a run");
    }
    return out;
  }

  std::string path_;
  std::map<std::string, Use> common_;
};

}  // namespace

SweepFile read_sweep(const std::string& path, bool quick) {
  return parse_sweep(read_text(path, 1u << 20), path, quick);
}

SweepFile parse_sweep(const std::string& text, const std::string& path, bool quick) {
  try {
    return SweepReader(path).read(toml::parse(text, path), quick);
  } catch (const toml::parse_error& e) {
    throw Error(fmt::format("{}:{}: no valid TOML: {}", path, e.source().begin.line, e.description()));
  }
}

}  // namespace odonata::cli
