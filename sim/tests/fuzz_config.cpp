// SPDX-License-Identifier: Apache-2.0
// libFuzzer: whatever a configuration file contains, it is either taken or refused with an Error.
#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>

#include "models/common/error.h"
#include "sim/common/config_file.h"
#include "sim/common/options.h"
#include "sim/common/program.h"
#include "sim/route/link_list.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace odonata;
  using namespace odonata::cli;
  static const Dragonfly tiny = Dragonfly::named("tiny");
  const std::string text(reinterpret_cast<const char*>(data), size);
  CLI::App app("", "odonata");
  CLI::App* route = add_command(app, "route", "", "");
  DragonflyOptions dragonfly;
  uint64_t seed = 1;
  std::vector<std::string> congested;
  bool brief = false;
  add_dragonfly_options(*route, dragonfly);
  add_seed(*route, seed);
  route->add_option("--congested", congested)->type_name("LIST");
  route->add_flag("--brief", brief);
  try {
    std::vector<std::string> words = expand_configuration_text(app, {"route"}, "fuzz.toml", text).arguments;
    std::reverse(words.begin(), words.end());
    app.parse(words);
    parse_ports(dragonfly.make(), "--congested", congested, seed);
  } catch (const Error&) {
  } catch (const CLI::ParseError&) {
  }
  try {
    parse_links(tiny, "--failed", {text}, 1);
    parse_address(tiny, "--from", text);
  } catch (const Error&) {
  }
  return 0;
}
