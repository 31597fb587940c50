// SPDX-License-Identifier: Apache-2.0
// The ports of somebody else's RTL, held against the pins of a unit.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tb/harness/pin_words.h"

namespace odonata::cli {

/// A port of the RTL's top.
struct Port {
  std::string name;
  int bits = 0;
  bool output = false;
  std::string model;  ///< what Verilator calls it, where __, $ and the keywords of C++ cannot stand
};

/// The ports in the header of a model that Verilator wrote. Throws Error for an inout and for an unpacked array.
std::vector<Port> ports_of_model(const std::string& header);

/// What a file for --map says.
struct PinMap {
  std::string clock = "clk_i", reset = "rst_ni";
  bool reset_high = false;                  ///< the reset of the RTL is active high: "!rst"
  std::map<std::string, std::string> pins;  ///< pin of the unit to port of the RTL, where they differ
  std::map<std::string, uint64_t> tied;     ///< inputs of the RTL that stay at a value
};
/// Throws Error "FILE: ..." for what it does not know.
PinMap read_pin_map(const std::string& path, const cosim::UnitPins& pins);

/// A port with the pin that it stands for.
struct Match {
  Port port;
  cosim::Pin pin;
};

/// Every pin with its port. Throws Error, one line: missing, extra, of another width or direction.
std::vector<Match> match_ports(const std::string& top, const std::vector<Port>& ports, const cosim::UnitPins& pins,
                               const PinMap& map);

}  // namespace odonata::cli
