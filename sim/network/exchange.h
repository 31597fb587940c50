// SPDX-License-Identifier: Apache-2.0
// Several processes (ranks) run one network: each has some of its domains, and they trade the mail between windows
// (docs/network.md §4). How they talk is behind an interface: sim/network/mpi has the one over MPI, the tests one
// between threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace odonata::network {

/// Every rank calls the same functions in the same order.
class Exchange {
 public:
  using Bytes = std::vector<std::byte>;
  virtual ~Exchange() = default;
  virtual int ranks() const = 0;
  virtual int own() const = 0;  ///< number of this rank
  /// Sends to[r] to every rank r of `peers`, and takes from[r] from each of them; a peer has this rank among its peers.
  virtual void swap(const std::vector<int>& peers, const std::vector<Bytes>& to, std::vector<Bytes>& from) = 0;
  /// Sums over the ranks, and the largest, in place and the same on all of them.
  virtual void sum(std::span<uint64_t> values) = 0;
  virtual void largest(std::span<uint64_t> values) = 0;
  /// What every rank gives, by rank, the same on all of them.
  virtual std::vector<Bytes> gather(const Bytes& own) = 0;
};

/// Throws Error "what: rank 2 has NAME '..', rank 0 '..'" on every rank when the texts, lines of NAME=VALUE, differ.
void check_equal(Exchange& exchange, const std::string& what, const std::string& text);
/// Whether it is true on any rank; `exchange` may be null.
bool any(Exchange* exchange, bool value);
/// The text of the first rank that has one.
std::string first_text(Exchange* exchange, const std::string& own);

/// Whose domains are whose: at first blocks of nearly the same number. Without an exchange all are here.
class Share {
 public:
  /// Throws Error when there are more ranks than domains.
  Share(Exchange* exchange, int domains);
  /// The same ranks with other owners; each has a domain.
  Share(const Share& before, std::vector<int> owner);
  Exchange* exchange() const { return exchange_; }
  /// Of every domain, the rank.
  const std::vector<int>& owners() const { return rank_of_; }
  /// The domains of this rank, rising.
  const std::vector<int>& own() const { return own_; }
  bool here(int domain) const { return rank_of_[static_cast<size_t>(domain)] == rank_; }
  int rank_of(int domain) const { return rank_of_[static_cast<size_t>(domain)]; }
  int ranks() const { return ranks_; }
  /// Of the rank that has the most.
  int most() const { return most_; }
  /// Whether this rank is the one that writes and prints.
  bool first() const { return rank_ == 0; }

 private:
  void count();
  Exchange* exchange_;
  int ranks_ = 1, rank_ = 0, most_ = 0;
  std::vector<int> rank_of_, own_;
};

/// Numbers that are summed over the ranks, all at once.
class RankSums {
 public:
  void operator()(uint64_t& n) { sums_.push_back(&n); }
  template <size_t kSize>
  void operator()(std::array<uint64_t, kSize>& list) {
    for (uint64_t& n : list) (*this)(n);
  }
  void operator()(std::vector<uint32_t>& list) { lists_.push_back(&list); }
  void largest(uint32_t& n) { largest_.push_back(&n); }
  void run(Exchange& exchange);

 private:
  std::vector<uint64_t*> sums_;
  std::vector<std::vector<uint32_t>*> lists_;
  std::vector<uint32_t*> largest_;
};

}  // namespace odonata::network
