// SPDX-License-Identifier: Apache-2.0
// How long a running network waits for the answer of a device in the loop (docs/network.md §9).
#pragma once

namespace odonata::network {

inline constexpr int kLongestAnswer = 16;  ///< cycles in which every unit has answered

}  // namespace odonata::network
