// SPDX-License-Identifier: Apache-2.0
#include "models/fault/types.h"

namespace odonata::fault {

std::string_view to_string(Mode mode) { return mode == Mode::paper ? "paper" : "safe"; }
std::string_view to_string(Recovery recovery) { return recovery == Recovery::per_entry ? "per_entry" : "port_level"; }
std::string_view to_string(Level level) {
  constexpr const char* kNames[] = {"full", "partial", "lost", "gateway only"};
  return kNames[static_cast<int>(level)];
}

std::string to_string(const Message& m) {
  const auto field = [&](int prefix, int value) {
    return m.prefix >= prefix ? std::to_string(value) : std::string("*");
  };
  return std::string(m.kind == Kind::diagnosis ? "FD" : "FR") + (m.message_class == MessageClass::d ? " D <" : " S <") +
         field(1, m.gid) + "," + field(2, m.bid) + "," + field(3, m.nid) + ">/" + std::to_string(m.prefix) +
         (m.prefix == 2 && m.nid == kGatewayOnly ? " gateway only" : "");
}

Mode parse_mode(std::string_view text) {
  if (text == "paper") return Mode::paper;
  if (text == "safe") return Mode::safe;
  throw Error("mode '" + std::string(text) + "' is unknown, expected paper or safe");
}

Recovery parse_recovery(std::string_view text) {
  if (text == "per_entry") return Recovery::per_entry;
  if (text == "port_level") return Recovery::port_level;
  throw Error("recovery '" + std::string(text) + "' is unknown, expected per_entry or port_level");
}

}  // namespace odonata::fault
