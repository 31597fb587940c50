// SPDX-License-Identifier: Apache-2.0
// Man page and shell completion, made from the options of the commands.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace odonata::cli {

/// odonata(1) in roff: `odonata --man | man -l -`.
std::string man_page(const CLI::App& app);

/// For bash: `source <(odonata --completion)`.
std::string bash_completion(const CLI::App& app);

}  // namespace odonata::cli
