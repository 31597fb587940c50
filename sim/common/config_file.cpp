// SPDX-License-Identifier: Apache-2.0
#include "sim/common/config_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "models/common/error.h"
#include "sim/common/output.h"

namespace odonata::cli {

namespace {

constexpr size_t kLongestFile = 1u << 20;

/// The sub-command that the first words name, and its name in full.
CLI::App* find_command(CLI::App& app, const std::vector<std::string>& arguments, std::string& name) {
  CLI::App* command = &app;
  for (const std::string& word : arguments) {
    const auto named = command->get_subcommands([&word](const CLI::App* sub) { return sub->get_name() == word; });
    if (named.empty()) break;
    command = named.front();
    name += (name.empty() ? "" : " ") + word;
  }
  return command;
}

/// The value of --config, or empty.
std::string config_path(const std::vector<std::string>& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].rfind("--config=", 0) == 0) return arguments[i].substr(9);
    if (arguments[i] == "--config" && i + 1 < arguments.size()) return arguments[i + 1];
  }
  return "";
}

/// By its long name or, as -oFILE as well, by its short one.
bool given(const std::vector<std::string>& arguments, const CLI::Option& option) {
  const auto& long_names = option.get_lnames();
  const auto& short_names = option.get_snames();
  return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& word) {
    const std::string name = word.substr(0, word.find('='));
    if (word.starts_with("--"))
      return std::find(long_names.begin(), long_names.end(), name.substr(2)) != long_names.end();
    return word.starts_with("-") && word.size() > 1 &&
           std::find(short_names.begin(), short_names.end(), word.substr(1, 1)) != short_names.end();
  });
}

/// Given itself, or overruled by an option that excludes it (--dragonfly on the command line, size in the file).
bool overruled(const std::vector<std::string>& arguments, const CLI::Option& option) {
  if (given(arguments, option)) return true;
  for (const CLI::Option* other : option.get_excludes()) {
    if (given(arguments, *other)) return true;
  }
  return false;
}

/// Turns TOML values into words of a command line, checking them against the options of one command.
class Expander {
 public:
  Expander(CLI::App& command, std::string command_name, std::string file)
      : command_(command), command_name_(std::move(command_name)), file_(std::move(file)) {}

  void add(const toml::table& table, ExpandedArguments& out) const {
    const std::vector<std::string> typed = out.arguments;
    for (const auto& [key, value] : table) {
      const std::string name(key.str());
      const std::string place = fmt::format("{}:{}", file_, key.source().begin.line);
      if (name == "command") {
        check_command(place, value);
        continue;
      }
      const CLI::Option* option = command_.get_option_no_throw("--" + name);
      if (option == nullptr || name == "config" || name == "help") {
        throw Error(
            fmt::format("{}: unknown key '{}'; 'odonata {} --help' lists the options", place, name, command_name_));
      }
      const std::vector<std::string> words = to_words(place, name, *option, value);
      if (overruled(typed, *option)) continue;
      out.arguments.insert(out.arguments.end(), words.begin(), words.end());
      out.from_file["--" + name] = place;
    }
  }

 private:
  void check_command(const std::string& place, const toml::node& value) const {
    const std::string wanted = value.value_or(std::string("?"));
    if (wanted != command_name_) {
      throw Error(fmt::format("{}: key 'command': the file is for 'odonata {}', not for 'odonata {}'", place, wanted,
                              command_name_));
    }
  }

  [[noreturn]] static void wrong_type(const std::string& place, const std::string& key, std::string_view wanted) {
    throw Error(fmt::format("{}: key '{}': expected {}", place, key, wanted));
  }

  static std::string number(const std::string& place, const std::string& key, const toml::node& value, bool fraction) {
    if (const auto* integer = value.as_integer()) return std::to_string(integer->get());
    const auto* real = value.as_floating_point();
    if (!fraction || real == nullptr) wrong_type(place, key, fraction ? "a number" : "an integer");
    return fmt::format("{}", real->get());
  }

  /// "X,Y,...": one word of several values, which may be an array.
  static bool has_commas(const std::string& type) { return type.find(',') != std::string::npos; }

  static std::string scalar(const std::string& place, const std::string& key, const std::string& type,
                            const toml::node& value) {
    if (type == "UINT" || type == "INT") return number(place, key, value, false);
    if (type == "FLOAT") return number(place, key, value, true);
    const bool numbers = !type.empty() && type[0] >= '0' && type[0] <= '9';  // "1..64", "2|3|4"
    if ((numbers || has_commas(type)) && value.is_integer()) return number(place, key, value, false);
    if (const auto* flag = value.as_boolean(); flag != nullptr && has_commas(type))
      return flag->get() ? "true" : "false";
    const auto* text = value.as_string();
    if (text == nullptr) wrong_type(place, key, "a string");
    if (text->get().empty()) throw Error(fmt::format("{}: key '{}': the value is empty", place, key));
    if (text->get().find('\0') != std::string::npos) wrong_type(place, key, "text without a NUL");
    return text->get();
  }

  static std::vector<std::string> to_words(const std::string& place, const std::string& key, const CLI::Option& option,
                                           const toml::node& value) {
    if (option.get_expected_max() == 0 || option.get_type_size_max() == 0) {
      const auto* flag = value.as_boolean();
      if (flag == nullptr) wrong_type(place, key, "true or false");
      return flag->get() ? std::vector<std::string>{"--" + key} : std::vector<std::string>{};
    }
    const std::string type = option.get_type_name().substr(0, option.get_type_name().find(':'));
    const auto* list = value.as_array();
    if (list == nullptr) return {"--" + key + "=" + scalar(place, key, type, value)};
    if (option.get_items_expected_max() < 2 && has_commas(type) && !list->empty()) {
      std::string word;
      for (const toml::node& item : *list) word += (word.empty() ? "" : ",") + scalar(place, key, type, item);
      return {"--" + key + "=" + word};
    }
    if (option.get_items_expected_max() < 2) wrong_type(place, key, "one value, not a list");
    std::vector<std::string> words;
    for (const toml::node& item : *list) words.push_back("--" + key + "=" + scalar(place, key, type, item));
    return words;
  }

  CLI::App& command_;
  std::string command_name_, file_;
};

}  // namespace

ExpandedArguments expand_configuration_text(CLI::App& app, const std::vector<std::string>& arguments,
                                            const std::string& name, const std::string& text) {
  ExpandedArguments out{arguments, {}};
  std::string command_name;
  CLI::App* command = find_command(app, arguments, command_name);
  try {
    const toml::table table = toml::parse(text, name);
    Expander(*command, command_name, name).add(table, out);
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("{}:{}: no valid TOML: {}", name, error.source().begin.line, error.description()));
  }
  return out;
}

ExpandedArguments expand_configuration(CLI::App& app, const std::vector<std::string>& arguments) {
  const std::string path = config_path(arguments);
  if (path.empty()) return {arguments, {}};
  return expand_configuration_text(app, arguments, path, read_text(path, kLongestFile));
}

}  // namespace odonata::cli
