// SPDX-License-Identifier: Apache-2.0
#include "sim/wrap/ports.h"

#include <fmt/format.h>

#include <cstdlib>
#include <regex>
#include <map>
#include <toml++/toml.h>

#include "models/common/bits.h"
#include "models/common/error.h"
#include "tb/harness/files.h"

namespace odonata::cli {

using cosim::Pin;
using cosim::UnitPins;

namespace {

/// The name in SystemVerilog of what Verilator calls so: __0XX stands for a character, __SYM__ before a keyword of C++.
std::string source_name(const std::string& model) {
  static const std::regex kKeyword("^__SYM__"), kCode("^__0([0-9A-Fa-f]{2})");
  const std::string name = std::regex_replace(model, kKeyword, "");
  std::string out;
  std::smatch code;
  for (size_t at = 0; at < name.size();) {
    const std::string rest = name.substr(at);
    const bool coded = std::regex_search(rest, code, kCode);
    out += coded ? static_cast<char>(std::stoi(code[1], nullptr, 16)) : name[at];
    at += coded ? 5 : 1;
  }
  return out;
}

}  // namespace

std::vector<Port> ports_of_model(const std::string& header) {
  static const std::regex kPort(R"(VL_(IN|OUT|INOUT)(?:8|16|64|W)?\((?:&|\(&)(\w+)\)?(\[\d+\])*,(\d+),(\d+))");
  static const std::regex kOther(R"(\n    (?:double|std::string) &(\w+);)");
  if (std::smatch found; std::regex_search(header, found, kOther))
    throw Error(fmt::format("wrap: port {} has no bits (real, string), expected a packed one", source_name(found[1])));
  std::vector<Port> out;
  for (std::sregex_iterator found(header.begin(), header.end(), kPort), end; found != end; ++found) {
    const std::smatch& m = *found;
    const std::string name = source_name(m[2]);
    if (m[1] == "INOUT") throw Error(fmt::format("wrap: port {} is an inout, expected inputs and outputs", name));
    if (m[3].matched) throw Error(fmt::format("wrap: port {} is an unpacked array, expected a packed one", name));
    out.push_back({name, std::abs(std::stoi(m[4]) - std::stoi(m[5])) + 1, m[1] == "OUT", m[2]});
  }
  return out;
}

namespace {

std::string known_pins(const UnitPins& pins) {
  std::string out = "clk_i, rst_ni";
  for (const Pin& pin : pins.inputs) out += ", " + pin.name;
  for (const Pin& pin : pins.outputs) out += ", " + pin.name;
  return out;
}

bool is_pin(const UnitPins& pins, const std::string& name) {
  const auto named = [&](const Pin& pin) { return pin.name == name; };
  return std::any_of(pins.inputs.begin(), pins.inputs.end(), named) ||
         std::any_of(pins.outputs.begin(), pins.outputs.end(), named);
}

void read_pins(const std::string& path, const toml::table& table, const UnitPins& pins, PinMap& map) {
  for (const auto& [key, value] : table) {
    const std::string pin(key.str());
    const auto port = value.value<std::string>();
    if (!port || port->empty() || *port == "!")
      throw Error(fmt::format("{}: pins.{}: expected the name of a port", path, pin));
    if (pin == "clk_i") {
      map.clock = *port;
    } else if (pin == "rst_ni") {
      map.reset_high = port->front() == '!';
      map.reset = map.reset_high ? port->substr(1) : *port;
    } else if (is_pin(pins, pin)) {
      map.pins[pin] = *port;
    } else {
      throw Error(
          fmt::format("{}: pins.{}: {} has no such pin, expected one of {}", path, pin, pins.unit, known_pins(pins)));
    }
  }
}

void read_tied(const std::string& path, const toml::table& table, PinMap& map) {
  for (const auto& [key, value] : table) {
    const auto number = value.value<int64_t>();
    if (!number || *number < 0)
      throw Error(fmt::format("{}: tie.{}: expected a number from 0 on", path, std::string(key.str())));
    map.tied[std::string(key.str())] = static_cast<uint64_t>(*number);
  }
}

}  // namespace

PinMap read_pin_map(const std::string& path, const UnitPins& pins) {
  PinMap map;
  toml::table table;
  try {
    table = toml::parse(read_text(path), path);
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("{}:{}: {}", path, error.source().begin.line, error.description()));
  }
  for (const auto& [key, value] : table) {
    const toml::table* part = value.as_table();
    if (key != "pins" && key != "tie")
      throw Error(fmt::format("{}: unknown key '{}', expected the tables pins and tie", path, std::string(key.str())));
    if (part == nullptr) throw Error(fmt::format("{}: {}: expected a table", path, std::string(key.str())));
    key == "pins" ? read_pins(path, *part, pins, map) : read_tied(path, *part, map);
  }
  return map;
}

namespace {

/// Finds the port of a pin and notes what is wrong with it.
class Matcher {
 public:
  Matcher(const std::vector<Port>& ports, const PinMap& map) : ports_(ports), map_(map) {}

  /// `pin`: of the unit, as messages call it.
  const Port* find(const std::string& name, const std::string& pin, int bits, bool output, bool optional) {
    const auto port = std::find_if(ports_.begin(), ports_.end(), [&](const Port& p) { return p.name == name; });
    if (port == ports_.end()) {
      if (!optional)
        add(missing_,
            fmt::format("{} ({} {}{})", name, bits, bits == 1 ? "bit" : "bits", name == pin ? "" : ", for " + pin));
      return nullptr;
    }
    if (const auto taken = used_.emplace(name, pin); !taken.second)
      add(wrong_, fmt::format("{} stands for {} and {}", name, taken.first->second, pin));
    if (port->output != output)
      add(wrong_, fmt::format("{} is an {}, expected an {}", name, port->output ? "output" : "input",
                              output ? "output" : "input"));
    if (port->bits != bits)
      add(wrong_, fmt::format("{} has {} {}, expected {}", name, port->bits, port->bits == 1 ? "bit" : "bits", bits));
    return &*port;
  }
  /// Throws Error when anything was wrong.
  void check(const std::string& top, const UnitPins& pins) {
    for (const Port& port : ports_) {
      if (!port.output && used_.count(port.name) == 0 && map_.tied.count(port.name) == 0) add(extra_, port.name);
    }
    for (const auto& [name, value] : map_.tied) {
      const int bits = std::min(port_bits(name), 64);
      find(name, "a tied value", bits, false, false);
      if (value > low_mask(bits))
        add(wrong_, fmt::format("{} is tied to {}, expected at most {}", name, value, low_mask(bits)));
    }
    std::string text;
    if (!missing_.empty()) text += "; missing: " + missing_;
    if (!extra_.empty()) text += "; inputs that the unit does not have: " + extra_ + " (--map can rename or tie them)";
    if (!wrong_.empty()) text += "; " + wrong_;
    if (!text.empty()) throw Error(fmt::format("wrap: {} is no {} of this size{}", top, pins.unit, text));
  }

 private:
  static void add(std::string& text, const std::string& item) { text += (text.empty() ? "" : ", ") + item; }
  int port_bits(const std::string& name) const {
    for (const Port& port : ports_) {
      if (port.name == name) return port.bits;
    }
    return 1;
  }
  const std::vector<Port>& ports_;
  const PinMap& map_;
  std::map<std::string, std::string> used_;  ///< ports, and what each stands for
  std::string missing_, extra_, wrong_;
};

}  // namespace

std::vector<Match> match_ports(const std::string& top, const std::vector<Port>& ports, const UnitPins& pins,
                               const PinMap& map) {
  Matcher matcher(ports, map);
  std::vector<Match> out;
  matcher.find(map.clock, "clk_i", 1, false, false);
  matcher.find(map.reset, "rst_ni", 1, false, false);
  const auto match = [&](const Pin& pin, bool output) {
    const auto renamed = map.pins.find(pin.name);
    const bool named = renamed != map.pins.end();
    const Port* port =
        matcher.find(named ? renamed->second : pin.name, pin.name, pin.bits, output, pin.optional && !named);
    if (port != nullptr) out.push_back({*port, pin});
  };
  for (const Pin& pin : pins.inputs) match(pin, false);
  for (const Pin& pin : pins.outputs) match(pin, true);
  matcher.check(top, pins);
  return out;
}

}  // namespace odonata::cli
