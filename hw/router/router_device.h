// SPDX-License-Identifier: Apache-2.0
// A whole router as a device behind the pins of docs/router.md §3.1, golden parts or Verilated RTL, for a network of
// them: its configuration and the moment from which it counts.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "hw/router/router.h"
#include "models/common/cycle_device.h"
#include "models/router/data_config.h"
#include "models/router/router_pins.h"

namespace odonata::router {

using RouterDevice = CycleDevice<RouterInputs, RouterOutputs>;
/// Builds the router of a number. Throws Error when there is none of this size.
using MakeRouterDevice = std::function<std::unique_ptr<RouterDevice>(int router)>;

/// Throws Error that names what such a router cannot do: it asks at arrival, has the hardware's buffers and output
/// FIFOs, and sends its congestion frames in intervals of the reset value.
void check_router_device(const Parameters& parameters);

/// The pins of a router to which nothing happens.
RouterInputs quiet_pins(const Parameters& parameters, int router);

/// Resets a router, writes its tables and registers through its configuration pins, and lets it run until all that
/// counts cycles in it stands as after the edge before cycle 0 of a network (docs/crosscheck.md §3). Returns the edges
/// that took. Throws std::logic_error when a write is refused.
uint64_t configure(RouterDevice& device, const Parameters& parameters, int router);

/// A write through the configuration pins of a router.
struct ConfigurationWrite {
  uint8_t unit = 0;
  uint32_t address = 0;  ///< in bytes
  uint64_t data = 0;
  bool operator==(const ConfigurationWrite&) const = default;
};
/// All that configure() writes, in its order.
std::vector<ConfigurationWrite> configuration(const Parameters& parameters, int router);

/// Puts `to` into the state of `from`. False when that cannot be done: they are of different kinds, or this kind keeps
/// its state to itself.
bool copy_state(RouterDevice& from, RouterDevice& to);

/// configure() for a device in the state that the router `like` had after its configuration, `edges` after its reset:
/// what differs is written, and it runs on as there. Returns the edges since that reset.
uint64_t configure_differences(RouterDevice& device, const Parameters& parameters, int router, int like,
                               uint64_t edges);

/// A flit, as the pins have it: its two words. All flits of a packet have the fields of its head, and behind them its
/// length; one that is no head has its index in the place of `last`. And back, if it is no poisoned tail: that names no
/// packet. The flit of a node that does not exist throws std::logic_error.
struct FlitWords {
  uint64_t low = 0, high = 0;
};
FlitWords pack_flit(const Dragonfly& d, const Flit& flit);
/// Whether a lowest word is that of a poisoned tail.
constexpr bool is_poisoned(uint64_t low) { return flit_tail(low) && flit_poison(low); }
Flit unpack_flit(const Dragonfly& d, const FlitWords& words);

}  // namespace odonata::router
