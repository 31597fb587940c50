// SPDX-License-Identifier: Apache-2.0
#include "sim/network/balance.h"

#include <algorithm>
#include <ctime>
#include <numeric>

namespace odonata::network {

namespace {

/// A domain costs something, also where the clock has not seen it.
uint64_t cost_of(uint64_t measured) { return std::max<uint64_t>(measured, 1); }

}  // namespace

uint64_t thread_nanoseconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(t.tv_nsec);
}

double imbalance(const std::vector<uint64_t>& cost, const std::vector<int>& owner, int ranks) {
  std::vector<uint64_t> load(static_cast<size_t>(ranks));
  for (size_t d = 0; d != cost.size(); ++d) load[static_cast<size_t>(owner[d])] += cost_of(cost[d]);
  const double mean = static_cast<double>(std::accumulate(load.begin(), load.end(), uint64_t{0})) / ranks;
  return static_cast<double>(*std::max_element(load.begin(), load.end())) / mean;
}

std::vector<int> balance(const std::vector<uint64_t>& cost, const std::vector<int>& owner, int ranks) {
  constexpr double kWorth = 0.95;  // moving takes time as well
  std::vector<size_t> order(cost.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return cost[a] > cost[b]; });
  uint64_t sum = 0;
  for (const uint64_t c : cost) sum += cost_of(c);
  std::vector<uint64_t> load(static_cast<size_t>(ranks));
  std::vector<int> out(cost.size());
  for (const size_t d : order) {
    auto rank = static_cast<size_t>(owner[d]);
    if ((load[rank] + cost_of(cost[d])) * static_cast<uint64_t>(ranks) > sum) {
      const auto least = static_cast<size_t>(std::min_element(load.begin(), load.end()) - load.begin());
      if (load[least] != load[rank]) rank = least;
    }
    load[rank] += cost_of(cost[d]);
    out[d] = static_cast<int>(rank);
  }
  return imbalance(cost, out, ranks) < kWorth * imbalance(cost, owner, ranks) ? out : owner;
}

}  // namespace odonata::network
