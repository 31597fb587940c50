// SPDX-License-Identifier: Apache-2.0
#include "sim/common/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "models/common/error.h"

namespace odonata::cli {

Dragonfly DragonflyOptions::make() const {
  const Dragonfly d = parameters.empty() ? Dragonfly::named(size) : Dragonfly::parse(parameters);
  if (arrangement.empty()) return d;
  return {d.size(), arrangement == "direct" ? Arrangement::direct : Arrangement::absolute};
}

void add_dragonfly_options(Command& command, DragonflyOptions& options) {
  const Option size = add_choice(command, "--size", options.size, {"tiny", "paper", "full"},
                                 "dragonfly: tiny (2,4,2,8), paper (6,12,6,73) or full (16,32,16,512)");
  const auto take = [&options](const std::string& text) {
    try {
      Dragonfly::parse(text);
    } catch (const Error& error) {
      const std::string message = error.what(), head = "dragonfly: ";
      throw Error("--dragonfly: " + (message.rfind(head, 0) == 0 ? message.substr(head.size()) : message));
    }
    options.parameters = text;
  };
  command.add_option("--dragonfly", take, "nodes a router, routers a group, global ports a router, groups")
      .type_name("P,A,H,G")
      .excludes(size);
  add_choice(command, "--arrangement", options.arrangement, {"direct", "absolute"},
             "global cabling; default: absolute when g = a*h+1, else direct");
}

std::string given_dragonfly(const Command& command, const DragonflyOptions& options) {
  if (command.given("--dragonfly")) return "--dragonfly " + options.parameters;
  if (command.given("--size")) return "--size " + options.size;
  return command.given("--arrangement") ? "--arrangement " + options.arrangement : "";
}

uint64_t parse_number(const std::string& option, const std::string& text, uint64_t low, uint64_t high) {
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, value);
  const bool number = error == std::errc{} && next == end;
  if (!number || value < low || value > high) {
    const std::string range = high == std::numeric_limits<uint64_t>::max() ? fmt::format("{} or more", low)
                                                                           : fmt::format("{}..{}", low, high);
    throw Error(fmt::format("{}: '{}' is not a number {}", option, text, range));
  }
  return value;
}

Option add_number(Command& command, const std::string& name, uint64_t& value, const std::string& text, uint64_t low,
                  uint64_t high) {
  const auto take = [&value, name, low, high](const std::string& word) { value = parse_number(name, word, low, high); };
  return command.add_option(name, take, text).type_name("UINT").default_str(std::to_string(value));
}

Option add_fraction(Command& command, const std::string& name, double& value, const std::string& text, double low,
                    double high) {
  const auto take = [&value, name, low, high](const std::string& word) {
    double parsed = 0;
    const char* end = word.data() + word.size();
    const auto [next, error] = std::from_chars(word.data(), end, parsed);
    if (error != std::errc{} || next != end || !(parsed >= low && parsed <= high)) {
      throw Error(fmt::format("{}: '{}' is not a number {}..{}", name, word, low, high));
    }
    value = parsed;
  };
  return command.add_option(name, take, text).type_name("FLOAT").default_str(fmt::format("{}", value));
}

Option add_choice(Command& command, const std::string& name, std::string& value,
                  const std::vector<std::string>& choices, const std::string& text) {
  std::vector<std::string> named;  // an empty choice means: not given
  for (const std::string& choice : choices) {
    if (!choice.empty()) named.push_back(choice);
  }
  const std::string words = fmt::format("{}", fmt::join(named, "|"));
  const auto take = [&value, name, named](const std::string& word) {
    if (std::find(named.begin(), named.end(), word) == named.end()) {
      throw Error(fmt::format("{}: '{}' is unknown, expected {}", name, word, fmt::join(named, ", ")));
    }
    value = word;
  };
  return command.add_option(name, take, text).type_name(words).default_str(value);
}

Option add_seed(Command& command, uint64_t& seed) {
  return add_number(command, "--seed", seed, "seed of every random draw; the same seed gives the same result");
}

Option add_json(Command& command, std::string& path) {
  return command.add_option("--json", path, "write the result as JSON; the file appears whole or not at all")
      .type_name("FILE");
}

Address parse_address(const Dragonfly& d, const std::string& option, const std::string& text) {
  int value[3] = {};
  const char* at = text.data();
  const char* end = at + text.size();
  for (int i = 0; i < 3; ++i) {
    const auto [next, error] = std::from_chars(at, end, value[i]);
    if (error != std::errc{} || (i == 2 ? next != end : next == end || *next != ',')) {
      throw Error(
          fmt::format("{}: '{}' is no address, expected g,b,n (group, router, node) such as 0,1,2", option, text));
    }
    at = next + 1;
  }
  constexpr const char* kNames[] = {"group", "router", "node"};
  const int limit[3] = {d.g(), d.a(), d.p()};
  for (int i = 0; i < 3; ++i) {
    if (value[i] >= 0 && value[i] < limit[i]) continue;
    throw Error(
        fmt::format("{}: {} {} is out of range 0..{} in {}", option, kNames[i], value[i], limit[i] - 1, d.name()));
  }
  return {value[0], value[1], value[2]};
}

}  // namespace odonata::cli
