// SPDX-License-Identifier: Apache-2.0
// The one exception type for bad input: its message names the file, line or field and what was expected.
#pragma once

#include <stdexcept>
#include <string>

namespace odonata {

/// Bad input from outside (configuration, trace, command line, table write). Programs print it in one line and exit
/// with 2.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace odonata
