// SPDX-License-Identifier: Apache-2.0
// The parameters of a run (sim/network/parameters.h) as options of a command.
#pragma once

#include <string>

#include "sim/common/command.h"
#include "sim/common/output.h"
#include "sim/network/parameters.h"

namespace odonata::cli {

/// Seconds: a call of somebody else's unit that takes longer hangs.
inline constexpr int kDeviceSeconds = 60;

/// RTL that decides in the running network.
struct DeviceOptions {
  std::string device = "none", at, plant, device_lib;
};

/// The options that determine a run.
struct NetOptions {
  network::Settings defaults;  ///< of the command, where they are others than those of the table
  network::Settings given;     ///< by the user
  DeviceOptions rtl;
  bool own_faults = false;  ///< the command adds faults itself

  /// Throws Error.
  network::Config make() const;
};
void add_net_options(Command& command, NetOptions& options);

/// The run that settings describe, traces read, checked. Throws Error that names the parameter.
network::Config make_config(const network::Settings& settings);

/// Head of a result of a command about networks: the network, and every parameter by its name.
Json net_head(const network::Config& config, std::string_view command = "net");

}  // namespace odonata::cli
