// SPDX-License-Identifier: Apache-2.0
#include "sim/common/command.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>

#include "models/common/error.h"

namespace odonata::cli {

namespace {

/// `take` with its Error as the parser's own.
std::function<void(const std::string&)> as_parser_error(std::function<void(const std::string&)> take) {
  return [take = std::move(take)](const std::string& word) {
    try {
      take(word);
    } catch (const Error& error) {
      throw CLI::ValidationError(error.what(), CLI::ExitCodes::ValidationError);
    }
  };
}

/// A word that a shell's empty variable left out is no value.
std::string not_empty(const std::string& word) { return word.empty() ? "the value is empty" : ""; }

/// Refuses a file that two options name: one result would take the other's place. To go on from a checkpoint and to
/// replace it is meant; devices take whatever comes.
void check_files(const CLI::App& app) {
  std::map<std::string, std::string> options;  // by file
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_type_name().rfind("FILE", 0) != 0 || option->check_name("--resume")) continue;
    for (const std::string& word : option->results()) {
      const std::string file = std::filesystem::absolute(word).lexically_normal().string();
      const auto [other, fresh] = options.emplace(file, option->get_name());
      if (!fresh && file.rfind("/dev/", 0) != 0 && other->second != option->get_name())
        throw Error(other->second + " and " + option->get_name() + ": both name '" + word + "'");
    }
  }
}

}  // namespace

Option& Option::type_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}
Option& Option::group(const std::string& name) {
  option_->group(name);
  return *this;
}
Option& Option::description(const std::string& text) {
  option_->description(text);
  return *this;
}
Option& Option::default_str(const std::string& text) {
  option_->default_str(text);
  return *this;
}
Option& Option::delimiter(char mark) {
  option_->delimiter(mark);
  return *this;
}
Option& Option::required() {
  option_->required();
  return *this;
}
Option& Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

Option& Option::needs(const Option& other) {
  option_->needs(other.option_);
  return *this;
}

Option Command::add_option(const std::string& name, std::string& value, const std::string& text) {
  CLI::Option* option = app_->add_option(name, value, text)->check(not_empty);
  return Option(value.empty() ? option : option->default_str(value));
}

Option Command::add_option(const std::string& name, std::vector<std::string>& values, const std::string& text) {
  return Option(app_->add_option(name, values, text));
}

Option Command::add_flag(const std::string& name, bool& value, const std::string& text) {
  return Option(app_->add_flag(name, value, text));
}

Option Command::add_option(const std::string& name, std::function<void(const std::string&)> take,
                           const std::string& text) {
  return Option(app_->add_option_function<std::string>(name, as_parser_error(std::move(take)), text));
}

Option Command::add_options(const std::string& name, std::function<void(const std::string&)> take,
                            const std::string& text) {
  const auto take_all = [one = as_parser_error(std::move(take))](const std::vector<std::string>& words) {
    for (const std::string& word : words) one(word);
  };
  return Option(app_->add_option_function<std::vector<std::string>>(name, take_all, text));
}

Option Command::add_flag(const std::string& name, std::function<void()> take, const std::string& text) {
  return Option(app_->add_flag_function(
      name, [take = std::move(take)](int64_t) { take(); }, text));
}

Option Command::get_option(const std::string& name) { return Option(app_->get_option(name)); }

bool Command::given(const std::string& name) const { return app_->count(name) != 0; }

void Command::callback(std::function<void()> run) {
  app_->callback([app = app_, run = std::move(run)] {
    check_files(*app);
    run();
  });
}

Command add_command(CLI::App& app, const std::string& name, const std::string& text, const std::string& examples) {
  CLI::App* command = app.add_subcommand(name, text);
  command->footer("Examples:\n" + examples);
  static std::string ignored;  // --config is read before the command line is parsed, see config_file.h
  command
      ->add_option("--config", ignored, "TOML file with options: keys are the long option names; the command line wins")
      ->type_name("FILE");
  return Command(*command);
}

}  // namespace odonata::cli
