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

/// The files that a word of an option stands for: FILE, or KIND:..|FILE, or NAME that may be trace:FILE, or PREFIX.
std::vector<std::string> files_of(const CLI::Option& option, const std::string& word) {
  const std::string& type = option.get_type_name();
  if (type.rfind("FILE", 0) == 0) return {word};
  for (const std::string_view mark : {"file:", "trace:"})
    if (word.starts_with(mark)) return {word.substr(mark.size())};
  std::error_code ignored;
  if (type.find("FILE") != std::string::npos && std::filesystem::is_regular_file(word, ignored)) return {word};
  if (type == "PREFIX" && option.check_name("--chakra")) return {word + ".0.et"};
  if (type != "PREFIX" || !option.check_name("--out")) return {};
  return {word + ".jsonl", word + ".csv", word + ".json", word + ".html"};
}

/// Files of a prefix would lie hidden in a folder, or beside a device.
void check_prefix(const CLI::Option& option, const std::string& word) {
  std::error_code ignored;
  const auto kind = std::filesystem::status(word, ignored).type();
  using enum std::filesystem::file_type;
  const std::string last = std::filesystem::path(word).filename().string();
  if (last.empty() || last == "." || last == ".." || kind == character || kind == block || kind == fifo ||
      kind == socket)
    throw Error(option.get_name() + " " + word + ": expected a prefix of file names, for example out/name");
}

/// However a file is named, through links as well.
std::string file_itself(const std::string& word) {
  std::error_code failed;
  std::filesystem::path file = std::filesystem::absolute(word, failed);
  for (int links = 0; links < 40 && std::filesystem::is_symlink(file, failed); ++links)  // also one to nothing yet
    file = file.parent_path() / std::filesystem::read_symlink(file, failed);
  file = std::filesystem::weakly_canonical(file, failed);
  return failed ? word : file.string();
}

/// Refuses a file that two options name: one result would take the other's place. To go on from a checkpoint and to
/// replace it is meant; devices take whatever comes.
void check_files(const CLI::App& app) {
  std::map<std::string, std::string> options;  // by file
  const auto checkpoint = [](const std::string& a, const std::string& b) {
    return a == "--checkpoint" && b == "--resume";
  };
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& word : option->results()) {
      if (option->get_type_name() == "PREFIX") check_prefix(*option, word);
      for (const std::string& name : files_of(*option, word)) {
        const std::string file = file_itself(name);
        if (name.starts_with("/dev/") || file.starts_with("/dev/")) continue;
        const auto [other, fresh] = options.emplace(file, option->get_name());
        if (fresh || other->second == option->get_name() || checkpoint(other->second, option->get_name())) continue;
        throw Error(other->second + " and " + option->get_name() + ": both name '" + name + "'");
      }
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

void Command::refuse(std::initializer_list<const char*> options, const std::string& why) const {
  for (const char* option : options) {
    if (given(option)) throw Error(std::string(option) + ": " + why);
  }
}

void Command::refuse_others(std::initializer_list<const char*> kept, const std::string& why) const {
  for (const CLI::Option* option : app_->get_options()) {
    const bool looked_at =
        std::any_of(kept.begin(), kept.end(), [option](const char* k) { return option->check_name(k); });
    if (option->count() != 0 && !looked_at) throw Error(option->get_name() + ": " + why);
  }
}

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
