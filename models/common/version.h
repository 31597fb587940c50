// SPDX-License-Identifier: Apache-2.0
// What this program is: its version and the commit that it was built from.
#pragma once

#include <string>

namespace odonata {

/// "0.2.0 (commit 0123456789ab)"; the commit is "unknown" outside a git tree.
const std::string& version_text();

}  // namespace odonata
