// SPDX-License-Identifier: Apache-2.0
// Whoever wants to hear all that the fault planes of a run do: RTL in the loop (docs/network.md §9).
#pragma once

#include "models/fault/observer.h"

namespace odonata::network {

/// Hears what fault::Observer says, of all routers; called by one thread.
class FaultTap : public fault::Observer {
 public:
  /// Everything that happens before cycle `last` has been told.
  virtual void known(int64_t last) = 0;
};

}  // namespace odonata::network
