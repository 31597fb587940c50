// SPDX-License-Identifier: Apache-2.0
#include "sim/network/exchange.h"

#include <algorithm>

#include "models/common/error.h"
#include "sim/network/parameters.h"

namespace odonata::network {

void check_equal(Exchange& exchange, const std::string& what, const std::string& text) {
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  const std::vector<Exchange::Bytes> all = exchange.gather({bytes, bytes + text.size()});
  const auto words = [&all](size_t rank) { return std::string(reinterpret_cast<const char*>(all[rank].data()), all[rank].size()); };
  for (size_t r = 1; r < all.size(); ++r) {
    if (all[r] == all[0]) continue;
    const Difference d = first_difference(words(r), words(0));
    throw Error(what + ": rank " + std::to_string(r) + " has " + d.name + " '" + d.left + "', rank 0 '" + d.right + "'");
  }
}

bool any(Exchange* exchange, bool value) {
  uint64_t count = value ? 1 : 0;
  if (exchange != nullptr) exchange->sum({&count, 1});
  return count != 0;
}

Share::Share(Exchange* exchange, int domains) : exchange_(exchange), rank_of_(static_cast<size_t>(domains)) {
  const int ranks = exchange == nullptr ? 1 : exchange->ranks();
  if (exchange != nullptr) rank_ = exchange->own();
  if (ranks > domains) {
    throw Error(std::to_string(ranks) + " ranks, but the network has " + (domains == 1 ? "one domain" : std::to_string(domains) + " domains") +
                ": expected at most as many ranks");
  }
  std::vector<int> count(static_cast<size_t>(ranks));
  for (int d = 0; d < domains; ++d) {
    const auto rank = static_cast<int>(static_cast<int64_t>(d) * ranks / domains);
    rank_of_[static_cast<size_t>(d)] = rank;
    ++count[static_cast<size_t>(rank)];
    if (rank == rank_) own_.push_back(d);
  }
  most_ = *std::max_element(count.begin(), count.end());
}

void RankSums::run(Exchange& exchange) {
  std::vector<uint64_t> values, most;
  for (const uint64_t* n : sums_) values.push_back(*n);
  for (const auto* list : lists_) values.insert(values.end(), list->begin(), list->end());
  for (const uint32_t* n : largest_) most.push_back(*n);
  exchange.sum(values);
  exchange.largest(most);
  auto next = values.begin();
  for (uint64_t* n : sums_) *n = *next++;
  for (auto* list : lists_) {
    for (uint32_t& n : *list) n = static_cast<uint32_t>(*next++);
  }
  for (size_t i = 0; i < largest_.size(); ++i) *largest_[i] = static_cast<uint32_t>(most[i]);
}

}  // namespace odonata::network
