// SPDX-License-Identifier: Apache-2.0
// --config FILE.toml: options of a sub-command from a file. Keys are the long option names without the dashes.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace odonata::cli {

/// The command line with the options of the configuration file added.
struct ExpandedArguments {
  std::vector<std::string> arguments;
  std::map<std::string, std::string> from_file;  ///< "--seed" -> "route.toml:3", for error messages
};

/// Finds the sub-command and its --config in `arguments` and adds the file's options that the command line does not
/// give. Throws Error "file:line: ..." for an unknown key, a value of the wrong type, or text that is no TOML.
ExpandedArguments expand_configuration(CLI::App& app, const std::vector<std::string>& arguments);

/// The same for a file's text that is already read; `name` stands for the file in messages.
ExpandedArguments expand_configuration_text(CLI::App& app, const std::vector<std::string>& arguments,
                                            const std::string& name, const std::string& text);

}  // namespace odonata::cli
