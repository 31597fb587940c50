// SPDX-License-Identifier: Apache-2.0
// A sub-command and its options. The parser (CLI11) is seen by the files of sim/common only: it takes long to compile.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace odonata::cli {

/// An option that was added; functions change how it reads in the help, or what it needs.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  Option& type_name(const std::string& name);  ///< what stands for its value, such as FILE
  Option& group(const std::string& name);      ///< heading in the help
  Option& description(const std::string& text);
  Option& default_str(const std::string& text);
  Option& delimiter(char mark);  ///< between the values of one word
  Option& required();
  Option& excludes(const Option& other);
  Option& needs(const Option& other);

 private:
  CLI::Option* option_;
};

/// A handle of a sub-command; values that options point to have to live until it is run.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}
  Option add_option(const std::string& name, std::string& value, const std::string& text);
  Option add_option(const std::string& name, std::vector<std::string>& values, const std::string& text);
  Option add_flag(const std::string& name, bool& value, const std::string& text);
  /// Tells `take` every value as it was typed; an Error that it throws is one about the command line.
  Option add_option(const std::string& name, std::function<void(const std::string&)> take, const std::string& text);
  Option add_options(const std::string& name, std::function<void(const std::string&)> take, const std::string& text);
  Option add_flag(const std::string& name, std::function<void()> take, const std::string& text);
  Option get_option(const std::string& name);
  /// Whether the command line or the configuration file has the option.
  bool given(const std::string& name) const;
  /// Throws Error "OPTION: why" for the first of these that is given: nothing would look at it.
  void refuse(std::initializer_list<const char*> options, const std::string& why) const;
  /// The same for each that is given and not among these.
  void refuse_others(std::initializer_list<const char*> kept, const std::string& why) const;
  void callback(std::function<void()> run);

 private:
  CLI::App* app_;
};

/// Adds the sub-command `name` with its text, examples for the end of its --help, and --config.
Command add_command(CLI::App& app, const std::string& name, const std::string& text, const std::string& examples);

}  // namespace odonata::cli
