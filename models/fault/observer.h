// SPDX-License-Identifier: Apache-2.0
// What the fault planes of a network do, told as it is computed: for those who carry it over to a network with traffic
// (docs/network.md §8).
#pragma once

#include <cstdint>

#include "models/fault/types.h"

namespace odonata::fault {

/// What the scheduler serves.
enum class ServiceKind : uint8_t { link_down, link_up, diagnosis, recovery };

/// Hears of everything that the network model decides. A call may be about a later cycle than the model has reached,
/// never about an earlier one.
class Observer {
 public:
  virtual ~Observer() = default;
  /// The state of a link changes at one end, in `cycle`; node links too.
  virtual void link(int router, int port, bool up, int64_t cycle) = 0;
  /// A router dies, or starts again as configured.
  virtual void router(int router, bool alive, int64_t cycle) = 0;
  /// The entry in a row of a port's tables is written in `cycle`; its marks have the new value while this is called.
  virtual void written(int router, int row, int port, int64_t cycle) = 0;
  /// A unit does not use options of port `fp` (`unheard`), or uses them again, from the cycle after `cycle` on; the
  /// network model's look-up already says so while this is called.
  virtual void heard(int router, int port, int fp, bool unheard, int64_t cycle) = 0;
  /// A node port of a router that is back takes packets from `cycle` on; from the router's death until then its node
  /// holds them.
  virtual void opened(int router, int port, int64_t cycle) = 0;
  /// A message is on the link in `cycle`.
  virtual void sent(int router, int port, const Message& message, int64_t cycle) = 0;
  /// A message has arrived over a live link, at this router and port.
  virtual void arrived(int router, int port, const Message& message, int64_t cycle) = 0;
  /// The scheduler looks in `cycle` and finds this; the message is that of an FD or FR.
  virtual void served(int router, ServiceKind kind, int port, const Message& message, int64_t cycle) = 0;
};

}  // namespace odonata::fault
