// SPDX-License-Identifier: Apache-2.0
// Options that many sub-commands share, with checks that name what is wrong.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "models/topology/dragonfly.h"
#include "sim/common/command.h"

namespace odonata::cli {

/// --size, --dragonfly and --arrangement.
struct DragonflyOptions {
  std::string size = "full";
  std::string parameters;   ///< "p,a,h,g"; overrules size
  std::string arrangement;  ///< "direct", "absolute" or empty: as the size has it
  /// Throws Error when the parameters do not fit the arrangement.
  Dragonfly make() const;
};
void add_dragonfly_options(Command& command, DragonflyOptions& options);
/// The option of these that was given, with its value, such as "--size tiny"; empty: none.
std::string given_dragonfly(const Command& command, const DragonflyOptions& options);

/// An unsigned number low..high in decimal digits; anything else is refused.
Option add_number(Command& command, const std::string& name, uint64_t& value, const std::string& text, uint64_t low = 0,
                  uint64_t high = std::numeric_limits<uint64_t>::max());
/// A number low..high with a fraction.
Option add_fraction(Command& command, const std::string& name, double& value, const std::string& text, double low = 0,
                    double high = 1);
/// One of a few words.
Option add_choice(Command& command, const std::string& name, std::string& value,
                  const std::vector<std::string>& choices, const std::string& text);
/// --seed N, default 1.
Option add_seed(Command& command, uint64_t& seed);
/// --json FILE.
Option add_json(Command& command, std::string& path);

/// Parses "g,b,n" (group, router, node) and checks it against the network. `option` names it in errors.
Address parse_address(const Dragonfly& d, const std::string& option, const std::string& text);
/// Parses decimal digits, nothing else; throws Error "option: ...".
uint64_t parse_number(const std::string& option, const std::string& text, uint64_t low, uint64_t high);

}  // namespace odonata::cli
