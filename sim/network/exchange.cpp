// SPDX-License-Identifier: Apache-2.0
#include "sim/network/exchange.h"

#include <algorithm>

#include "models/common/error.h"
#include "sim/network/parameters.h"

namespace odonata::network {

void check_equal(Exchange& exchange, const std::string& what, const std::string& text) {
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  const std::vector<Exchange::Bytes> all = exchange.gather({bytes, bytes + text.size()});
  const auto words = [&all](size_t rank) {
    return std::string(reinterpret_cast<const char*>(all[rank].data()), all[rank].size());
  };
  for (size_t r = 1; r < all.size(); ++r) {
    if (all[r] == all[0]) continue;
    const Difference d = first_difference(words(r), words(0));
    throw Error(what + ": rank " + std::to_string(r) + " has " + d.name + " '" + d.left + "', rank 0 '" + d.right +
                "'");
  }
}

bool any(Exchange* exchange, bool value) {
  uint64_t count = value ? 1 : 0;
  if (exchange != nullptr) exchange->sum({&count, 1});
  return count != 0;
}

std::string first_text(Exchange* exchange, const std::string& own) {
  if (exchange == nullptr) return own;
  const auto* bytes = reinterpret_cast<const std::byte*>(own.data());
  for (const Exchange::Bytes& text : exchange->gather({bytes, bytes + own.size()})) {
    if (!text.empty()) return {reinterpret_cast<const char*>(text.data()), text.size()};
  }
  return "";
}

Share::Share(Exchange* exchange, int domains) : exchange_(exchange), rank_of_(static_cast<size_t>(domains)) {
  if (exchange != nullptr) ranks_ = exchange->ranks(), rank_ = exchange->own();
  if (ranks_ > domains) {
    throw Error(std::to_string(ranks_) + " ranks, but the network has " +
                (domains == 1 ? "one domain" : std::to_string(domains) + " domains") +
                ": expected at most as many ranks");
  }
  for (int d = 0; d < domains; ++d)
    rank_of_[static_cast<size_t>(d)] = static_cast<int>(static_cast<int64_t>(d) * ranks_ / domains);
  count();
}

Share::Share(const Share& before, std::vector<int> owner)
    : exchange_(before.exchange_), ranks_(before.ranks_), rank_(before.rank_), rank_of_(std::move(owner)) {
  count();
}

void Share::count() {
  std::vector<int> count(static_cast<size_t>(ranks_));
  for (size_t d = 0; d < rank_of_.size(); ++d) {
    ++count[static_cast<size_t>(rank_of_[d])];
    if (rank_of_[d] == rank_) own_.push_back(static_cast<int>(d));
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
