// SPDX-License-Identifier: Apache-2.0
#include "sim/common/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "models/common/error.h"
#include "sim/commands.h"
#include "sim/common/config_file.h"

namespace odonata::cli {

namespace {

std::string g_command_line;  // set once by run(), read by results

std::string quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-+=.,:/%@") == std::string::npos;
  if (plain) return word;
  std::string out = "'";
  for (char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// Help with the default after the type, as in "--size tiny|paper|full  [full]", and no words about exclusions.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(38); }
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string out = option->get_type_size() == 0 ? "" : " " + option->get_type_name();
    if (!option->get_default_str().empty()) out += "  [" + option->get_default_str() + "]";
    return option->get_required() ? out + "  (required)" : out;
  }
};

/// A message in one line: line breaks become spaces.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\r', ' ');
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

int complain(const std::string& message) {
  std::fflush(stdout);
  fmt::print(stderr, "odonata: error: {}\n", one_line(message));
  return kBadInput;
}

/// CLI11's message, with the place in the configuration file when the option at fault came from there.
std::string parse_message(const CLI::ParseError& error, const ExpandedArguments& arguments) {
  const std::string message = error.what();
  for (const auto& [option, place] : arguments.from_file) {
    if (message.find(option + ":") != std::string::npos || message.find(option + " ") != std::string::npos) {
      return place + ": " + message;
    }
  }
  const std::string& command = arguments.arguments.front();
  return fmt::format("{}; 'odonata {} --help' explains the options", message, command);
}

/// The first word has to be a command; said better here than by the parser.
void check_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw Error("a command is needed; 'odonata --help' lists them");
  const std::string& word = arguments.front();
  const auto named = app.get_subcommands([&word](const CLI::App* command) { return command->get_name() == word; });
  if (named.empty() && word != "--help" && word != "-h") {
    throw Error(fmt::format("unknown command '{}'; 'odonata --help' lists them", word));
  }
}

}  // namespace

const std::string& command_line() { return g_command_line; }

void finish_with(int exit_code) { throw CLI::RuntimeError(exit_code); }

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& text, const std::string& examples) {
  CLI::App* command = app.add_subcommand(name, text);
  command->footer("Examples:\n" + examples);
  static std::string ignored;  // --config is read before the command line is parsed, see config_file.h
  command->add_option("--config", ignored, "TOML file with options: keys are the long option names; the command line wins")->type_name("FILE");
  return command;
}

int run(const std::vector<std::string>& arguments) {
  CLI::App app("Odonata: an executable hardware specification of an adaptive, self-healing dragonfly router.", "odonata");
  app.formatter(std::make_shared<HelpFormatter>());
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error&) { return std::string(); });
  app.footer("odonata COMMAND --help explains a command with examples. Exit codes: 0 good, 1 a check failed, 2 bad input.");
  add_all_commands(app);
  g_command_line = "odonata";
  for (const std::string& word : arguments) g_command_line += " " + quoted(word);
  ExpandedArguments expanded;
  try {
    check_command(app, arguments);
    expanded = expand_configuration(app, arguments);
    std::vector<std::string> reversed(expanded.arguments.rbegin(), expanded.arguments.rend());
    app.parse(reversed);
    return kSuccess;
  } catch (const CLI::RuntimeError& end) {
    return end.get_exit_code();
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return complain(parse_message(error, expanded));
  } catch (const Error& error) {
    return complain(error.what());
  } catch (const std::exception& error) {
    complain(std::string("internal: ") + error.what());
    return kFailed;
  }
}

void add_all_commands(CLI::App& app) {
  add_route_command(app);
  add_pipeline_command(app);
  add_cosim_command(app);
  add_arb_commands(app);
  add_fault_command(app);
  add_fault_timing_command(app);
  add_congestion_command(app);
  add_net_command(app);
  add_crosscheck_command(app);
  add_mesh_trace_command(app);
  add_sweep_command(app);
  add_report_command(app);
}

}  // namespace odonata::cli
