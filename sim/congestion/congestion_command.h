// SPDX-License-Identifier: Apache-2.0
// `odonata congestion`: how old congestion information is, stage by stage, measured and by closed form.
#pragma once

namespace CLI {
class App;
}

namespace odonata::cli {

void add_congestion_command(CLI::App& app);

}  // namespace odonata::cli
