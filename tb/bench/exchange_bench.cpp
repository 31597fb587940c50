// SPDX-License-Identifier: Apache-2.0
// What the ranks of a network trade at the end of a window, without the waiting for each other: mpirun -n 2
// exchange_bench [BYTES].
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "sim/network/mpi/mpi_exchange.h"

using namespace odonata::network;

namespace {

/// Microseconds of a swap of so many bytes with every other rank, all of which have just met: the median, the least.
std::pair<double, double> swap_microseconds(Exchange& exchange, size_t bytes) {
  constexpr int kTimes = 301;
  const auto ranks = static_cast<size_t>(exchange.ranks());
  std::vector<int> peers;
  for (int r = 0; r != exchange.ranks(); ++r) {
    if (r != exchange.own()) peers.push_back(r);
  }
  std::vector<Exchange::Bytes> to(ranks, Exchange::Bytes(bytes)), from(ranks);
  std::vector<double> times;
  for (int i = 0; i != kTimes; ++i) {
    for (Exchange::Bytes& message : to)
      std::fill(message.begin(), message.end(), static_cast<std::byte>(i));  // packed a moment ago
    any(&exchange, false);
    const auto start = std::chrono::steady_clock::now();
    exchange.swap(peers, to, from);
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front()};
}

}  // namespace

int main(int argc, char** argv) {
  const size_t bytes = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1'581'832;  // paper size, UR 0.5, 2 ranks
  const auto exchange = join_ranks();
  if (exchange == nullptr) {
    fmt::print("alone: to be started as mpirun -n 2 exchange_bench\n");
    return 0;
  }
  const auto [median, least] = swap_microseconds(*exchange, bytes);
  if (exchange->own() == 0)
    fmt::print("{} ranks, {} bytes from each to each: {:.0f} us, at best {:.0f} us\n", exchange->ranks(), bytes, median,
               least);
  leave_ranks();
  return 0;
}
