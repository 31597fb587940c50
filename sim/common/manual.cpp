// SPDX-License-Identifier: Apache-2.0
#include "sim/common/manual.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "models/common/version.h"

namespace odonata::cli {

namespace {

std::vector<const CLI::App*> commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// Text that roff takes as it is.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else {
      out += c == '-' ? "\\-" : std::string(1, c);
    }
    if (c == '\n') out += "\\&";  // a line may start with a dot
  }
  return "\\&" + out;
}

std::string type_of(const CLI::Option& option) { return option.get_type_size() == 0 ? "" : option.get_type_name(); }

std::string option_entry(const CLI::Option& option) {
  std::string head = "\\fB" + roff(option.get_name(false, true)) + "\\fR";
  if (const std::string type = type_of(option); !type.empty()) head += " \\fI" + roff(type) + "\\fR";
  std::string text = option.get_description();
  if (!option.get_default_str().empty()) text += " [" + option.get_default_str() + "]";
  return ".TP\n" + head + "\n" + roff(text) + "\n";
}

/// The words of a type such as "tiny|paper|full"; none for FILE and the like.
std::string choices(const CLI::Option& option) {
  std::string type = type_of(option);
  if (type.find('|') == std::string::npos || type.find_first_of(" ,:[") != std::string::npos) return "";
  std::replace(type.begin(), type.end(), '|', ' ');
  return type;
}

}  // namespace

std::string man_page(const CLI::App& app) {
  std::string out = ".\\\" SPDX-License-Identifier: Apache-2.0\n.\\\" Written by odonata --man.\n";
  out += fmt::format(
      ".TH ODONATA 1 \"\" \"odonata {}\"\n.SH NAME\nodonata \\- executable specification of adaptive, self\\-healing "
      "routers\n",
      roff(version_text()));
  out +=
      ".SH SYNOPSIS\n.B odonata\n.I COMMAND\n[\\fIOPTION\\fR]...\n.br\n.B odonata\n\\-\\-help | \\-\\-version | "
      "\\-\\-man | \\-\\-completion\n";
  out +=
      ".SH DESCRIPTION\nGolden models, SystemC modules and RTL of the routers of a dragonfly, a torus, a mesh and a "
      "fat\\-tree, each level held "
      "against the others, "
      "and the networks made of them. Every command has \\-\\-help with examples.\n.SH COMMANDS\n";
  for (const CLI::App* command : commands(app)) {
    out += fmt::format(".SS {}\n{}\n", roff(command->get_name()), roff(command->get_description()));
    for (const CLI::Option* option : command->get_options()) {
      if (!option->get_group().empty() && option->get_name() != "--help") out += option_entry(*option);
    }
    out += ".PP\n.nf\n" + roff(command->get_footer()) + "\n.fi\n";
  }
  return out + ".SH EXIT STATUS\n0: good; 1: a check failed; 2: bad input; 130: interrupted.\n";
}

std::string bash_completion(const CLI::App& app) {
  std::string names, options, values;
  for (const CLI::App* command : commands(app)) {
    names += (names.empty() ? "" : " ") + command->get_name();
    std::string words;
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        words += (words.empty() ? "--" : " --") + name;
        if (const std::string list = choices(*option); !list.empty())
          values += fmt::format("    \"{} --{}\") words=\"{}\" ;;\n", command->get_name(), name, list);
      }
    }
    options += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(), words);
  }
  return fmt::format(
      R"(# SPDX-License-Identifier: Apache-2.0
# Completion for bash, written by odonata --completion.
_odonata() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}} words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{0} --help --version --man --completion" -- "$current"))
    return
  fi
  case "$command ${{COMP_WORDS[COMP_CWORD - 1]}}" in
{2}  esac
  if [ -z "$words" ] && [[ "$current" == -* ]]; then
    case "$command" in
{1}    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _odonata odonata
)",
      names, options, values);
}

}  // namespace odonata::cli
