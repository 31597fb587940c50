// SPDX-License-Identifier: Apache-2.0
// A run of the network engine as a caller sees it: advance it, look at the result, save and resume it.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/network/config.h"
#include "sim/network/flit.h"
#include "sim/network/result.h"

namespace odonata::network {

/// The end of a packet's way: the tail flit and the cycle in which it reached its node.
struct Delivery {
  Flit flit;
  uint32_t cycle = 0;
  uint32_t latency() const { return cycle - flit.born - kUncountedCycles; }
};

/// With Config::exchange every rank has a Simulation and calls the same functions in the same order; what they return
/// is the same on all, but for the speed.
class Simulation {
 public:
  virtual ~Simulation() = default;
  /// Shows every delivered packet to `see`, window by window: by cycle and node; of a dragonfly by domain and in the
  /// order of the grants. Slow.
  virtual void on_delivery(std::function<void(const Delivery&)> see) = 0;
  /// Runs one window (at most the lookahead). Returns false when the run is over: sample drained, drain limit reached,
  /// or deadlock.
  virtual bool advance() = 0;
  virtual uint64_t now() const = 0;
  /// Packets delivered so far and the sum of their latencies.
  virtual std::pair<uint64_t, uint64_t> delivered() const = 0;
  /// The numbers so far; looks at every buffer (conservation).
  virtual Result result() const = 0;
  /// Writes the whole state between two windows; load() into a Simulation of the same configuration goes on exactly as
  /// if nothing had been, with any number of threads and ranks. With ranks each has a stream of its own to the same
  /// file, which can seek: it writes its part, and reads its part of what others wrote.
  virtual void save(std::ostream& to) const = 0;
  virtual void load(std::istream& from) = 0;
};

/// Checks the configuration (Error names what is wrong) and builds the network.
std::unique_ptr<Simulation> make_simulation(const Config& config);

/// Runs to the end. `go_on(now)` is asked between windows; false interrupts.
Result simulate(Simulation& simulation, const std::function<bool(uint64_t)>& go_on = {});
Result simulate(const Config& config);

}  // namespace odonata::network
