// SPDX-License-Identifier: Apache-2.0
#include "sim/fault_command/router_options.h"

#include <fmt/format.h>

#include <bit>

namespace odonata::cli {

using fault::Timing;

void add_structure_options(Command& command, RouterOptions& o, const std::string& standard) {
  command
      .add_option(
          "--hardware", o.hardware,
          "router under test: full (64 stations, 560 rows), native (as the dragonfly has) or STATIONS,ROWS; default: " +
              standard)
      .type_name("WORD");
  add_number(command, "--poll-width", o.poll_width, "input queues looked at in a cycle", 1, 64);
  add_number(command, "--ring-hop", o.ring_hop, "cycles from one port to the next on the command ring", 0, 64);
  add_number(command, "--banks", o.banks, "entries a step of a travel: 1, 2, 4 or 8 (beyond the paper)", 1, 8);
}

void add_pipelined_option(Command& command, RouterOptions& o) {
  command.add_flag("--pipelined", o.pipelined, "fetch the next command while the units work (beyond the paper)");
}

Timing make_timing(const RouterOptions& o, const Dragonfly& d, const std::string& standard) {
  Timing t;
  try {
    t = Timing::of(d, o.hardware.empty() ? standard : o.hardware);
  } catch (const Error& e) {
    throw Error(fmt::format("--hardware {}", e.what()));
  }
  if (!std::has_single_bit(o.banks)) throw Error(fmt::format("--banks: '{}' is unknown, expected 1, 2, 4, 8", o.banks));
  t.poll_width = static_cast<int>(o.poll_width);
  t.ring_hop = static_cast<int>(o.ring_hop);
  t.banks = static_cast<int>(o.banks);
  t.pipelined = o.pipelined;
  return t;
}

Json to_json(const Timing& t) {
  return {{"text", to_string(t)},   {"stations", t.stations}, {"rows", t.entries},        {"poll_width", t.poll_width},
          {"ring_hop", t.ring_hop}, {"banks", t.banks},       {"pipelined", t.pipelined}, {"load", t.load}};
}

}  // namespace odonata::cli
