// SPDX-License-Identifier: Apache-2.0
// Which rank gets which domain when they do not cost the same (docs/network.md §4).
#pragma once

#include <cstdint>
#include <vector>

namespace odonata::network {

/// Processor time of the calling thread, ns.
uint64_t thread_nanoseconds();

/// What the busiest rank has to do, over the mean. `cost` and `owner` by domain.
double imbalance(const std::vector<uint64_t>& cost, const std::vector<int>& owner, int ranks);

/// New owners: the longest domain first, each to the rank with the least; one stays where it is as long as that rank so
/// has no more than the mean. Every rank has a domain. Nothing changes where that would give the busiest rank less than
/// 5 % less to do.
std::vector<int> balance(const std::vector<uint64_t>& cost, const std::vector<int>& owner, int ranks);

}  // namespace odonata::network
