// SPDX-License-Identifier: Apache-2.0
// Is a flow-control rule free of deadlock on a mesh? Two independent answers (docs/arb_request.md §8): an explicit
// search through all configurations with a bounded number of packets in flight, and an exact check for any number of
// packets.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/arb_request/mesh.h"

namespace odonata::arb_request {

/// Which of the raised requests may win in the search.
enum class Selection : uint8_t {
  kAny,     ///< every raised request: more behaviour than any selection function
  kStrict,  ///< eq. 13: a low request only if no high one is raised
};

/// A packet in the network: the input queue that holds it and the router it is going to.
struct Packet {
  int queue = 0;
  int dest = 0;
  bool operator==(const Packet&) const = default;
};

/// How far the explicit search has come.
struct SearchProgress {
  uint64_t states = 0;   ///< configurations found
  uint64_t waiting = 0;  ///< of these, not yet expanded
  uint64_t deadlocks = 0;
  double seconds = 0;
};

struct SearchOptions {
  Rule rule = Rule::kD2ra;
  Selection selection = Selection::kAny;
  int slots = 2;             ///< packets an input queue holds, 1..15
  int packets = 4;           ///< packets in flight at once, 1..32 (within the 128 bits of a packed configuration)
  double time_limit_s = 60;  ///< 0: none
  uint64_t memory_limit = 1ull << 30;  ///< bytes for the set of configurations and the stack
  bool stop_at_first = false;
  bool keep_arrived = false;  ///< with kAny too: let arrived packets wait in their slot (kStrict always does)
  std::function<bool(const SearchProgress&)>
      progress;  ///< called at most ten times a second, false ends the search; may be empty
};

enum class SearchEnd : uint8_t { kComplete, kFirstDeadlock, kTimeLimit, kMemoryLimit, kInterrupted };

struct SearchResult {
  SearchEnd end = SearchEnd::kComplete;
  uint64_t states = 0;     ///< different configurations, the empty one included
  uint64_t steps = 0;      ///< steps between them that were followed
  uint64_t deadlocks = 0;  ///< deadlocked configurations
  double seconds = 0;
  uint64_t memory = 0;          ///< bytes used at the end
  std::vector<Packet> example;  ///< the first deadlocked configuration
};

/// Explores every configuration that packets injected anywhere, at any time, can reach. Throws Error on bad options.
SearchResult search(const Mesh& mesh, const SearchOptions& options);

/// Result of the exact check for any number of packets.
struct UnboundedResult {
  bool deadlock_free = false;
  int64_t kinds = 0;  ///< (queue, destination) pairs looked at
  int64_t stuck = 0;  ///< kinds left when nothing changes any more
  int rounds = 0;
  std::vector<Packet> example;  ///< a small deadlocked configuration, in an order in which it can be injected
};

/// Exact for Selection::kAny, hence sufficient for every selection function. slots >= 1. Throws Error on slots out of
/// range.
UnboundedResult check_unbounded(const Mesh& mesh, Rule rule, int slots);

/// Routers and destinations between which a packet can never start because its rule needs more credit than a queue has
/// slots (DBRA with fewer slots than dimensions); "" if there is none, else one such pair in words.
std::string never_injected(const Mesh& mesh, Rule rule, int slots);

/// True if packets are present and none of them can move, ever; the slow, plain definition on a whole configuration.
bool is_deadlocked(const Mesh& mesh, Rule rule, int slots, const std::vector<Packet>& packets);

/// A deadlocked configuration in words: one line a packet of a cycle of waiting, then one line that closes it.
std::vector<std::string> describe_cycle(const Mesh& mesh, Rule rule, int slots, const std::vector<Packet>& packets);

}  // namespace odonata::arb_request
