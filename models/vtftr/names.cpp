// SPDX-License-Identifier: Apache-2.0
#include "models/vtftr/decide.h"

namespace odonata::vtftr {

std::string_view to_string(From from) {
  constexpr std::string_view kNames[] = {"node", "row", "column"};
  return kNames[static_cast<int>(from)];
}

std::string_view to_string(LeafKind kind) {
  constexpr std::string_view kNames[] = {"eject",
                                         "direct",
                                         "xy",
                                         "yx",
                                         "both blocked, row first",
                                         "both blocked, column first",
                                         "row to column",
                                         "turn",
                                         "drop: loop",
                                         "drop: second turn",
                                         "drop: bad address",
                                         "drop: no rail"};
  return kNames[static_cast<int>(kind)];
}

std::string_view to_string(RootKind kind) {
  constexpr std::string_view kNames[] = {"direct",     "misroute",           "masked",     "bounce",
                                         "drop: dead", "drop: no turn left", "drop: none", "drop: bad address"};
  return kNames[static_cast<int>(kind)];
}

}  // namespace odonata::vtftr
