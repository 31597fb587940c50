// SPDX-License-Identifier: Apache-2.0
// Directed stimuli of the congestion blocks: every bit of every comparison, sum and code is decided both ways, which
// chance seldom does.
#pragma once

#include <vector>

#include "models/congestion/golden_device.h"

namespace odonata::cosim {

/// Every capacity and every threshold bit at several fillings, windows of all interesting lengths, resets in between.
std::vector<congestion::MonitorInputs> directed_monitor(const congestion::MonitorLimits& limits = {});
/// Every interval bit at its count, every bitmap of one or two bits from every router (CRC), all ways of a frame.
std::vector<congestion::SenderInputs> directed_sender(const Dragonfly& d);
/// Every limit bit at every silence, every single-bit error of a frame at every port, every neighbour, failed ports.
std::vector<congestion::CollectorInputs> directed_collector(const Dragonfly& d);

}  // namespace odonata::cosim
