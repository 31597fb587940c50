// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: the reader of configuration files (--config). Whatever the bytes, it returns arguments or throws
// Error.
#include <CLI/App.hpp>
#include <cstdint>
#include <string>

#include "models/common/error.h"
#include "sim/commands.h"
#include "sim/common/config_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static CLI::App* app = [] {
    auto* a = new CLI::App("fuzz");
    odonata::cli::add_all_commands(*a);
    return a;
  }();
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const char* command : {"route", "cosim", "pipeline"}) {
    try {
      odonata::cli::expand_configuration_text(*app, {command, "--config", "fuzz.toml"}, "fuzz.toml", text);
    } catch (const odonata::Error&) {
    }
  }
  return 0;
}
