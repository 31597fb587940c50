// SPDX-License-Identifier: Apache-2.0
// One self-contained HTML page from results: no network access, no files beside it.
#pragma once

#include <string>
#include <vector>

#include "sim/common/output.h"

namespace odonata::cli {

/// The page for results in the order given. Every result is one command's JSON; its "report" array holds the sections
/// to show (docs/adding.md lists the section types), its "verdict", "problems" and scalars go into the banner and the
/// run facts.
std::string report_page(const std::string& title, const std::vector<Json>& results);

}  // namespace odonata::cli
