// SPDX-License-Identifier: Apache-2.0
// What a window costs a rank: the model of docs/notes/2026-11-23-network-ranks.md, and an exchange with injected
// latencies that it is checked by.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "sim/network/exchange.h"

namespace odonata::network {

/// Times in us. A message costs its sender `message`, and its bytes the wire and both copies.
struct ExchangeCosts {
  double message = 1, hop = 1;                  ///< hop: of a sum over the ranks, which has 2 ceil(log2 R) of them
  double wire_bytes = 1500, copy_bytes = 5000;  ///< a us
  static constexpr int kSums = 2;               ///< a window: the watchdog's and the one that asks for Ctrl-C
};

/// A window of a rank that sends `bytes` to `peers` others: compute, messages, bytes, copies into and out of messages,
/// sums.
inline double window_microseconds(const ExchangeCosts& c, int ranks, int peers, double compute, double bytes) {
  const int hops = 2 * std::bit_width(static_cast<unsigned>(ranks - 1));
  return compute + peers * c.message + bytes / c.wire_bytes + 2 * bytes / c.copy_bytes +
         ExchangeCosts::kSums * hops * c.hop;
}

/// Ranks whose time is counted, not waited for: every rank has a clock, a message brings its sender's, and who waits
/// takes the later one. A swap is the end of a window, before which the rank has computed.
class TimedExchange final : public Exchange {
 public:
  TimedExchange(Exchange& inner, const ExchangeCosts& costs, double compute)
      : inner_(inner), costs_(costs), compute_(compute) {}
  double clock() const { return clock_; }
  int peers() const { return peers_; }

  int ranks() const override { return inner_.ranks(); }
  int own() const override { return inner_.own(); }
  void swap(const std::vector<int>& peers, const std::vector<Bytes>& to, std::vector<Bytes>& from) override {
    peers_ = static_cast<int>(peers.size());
    clock_ += compute_;
    std::vector<Bytes> stamped(to.size());
    for (const int r : peers) {
      Bytes& message = stamped[static_cast<size_t>(r)] = to[static_cast<size_t>(r)];
      const auto bytes = static_cast<double>(message.size());
      clock_ += costs_.message + bytes / costs_.wire_bytes + bytes / costs_.copy_bytes;
      const auto* stamp = reinterpret_cast<const std::byte*>(&clock_);
      message.insert(message.end(), stamp, stamp + sizeof clock_);
    }
    inner_.swap(peers, stamped, from);
    double in = 0;
    for (const int r : peers) {
      Bytes& message = from[static_cast<size_t>(r)];
      double sent = 0;
      std::memcpy(&sent, message.data() + message.size() - sizeof sent, sizeof sent);
      message.resize(message.size() - sizeof sent);
      clock_ = std::max(clock_, sent);
      in += static_cast<double>(message.size());
    }
    clock_ += in / costs_.copy_bytes;
  }
  void sum(std::span<uint64_t> values) override {
    inner_.sum(values);
    meet();
  }
  void largest(std::span<uint64_t> values) override {
    inner_.largest(values);
    meet();
  }
  std::vector<Bytes> gather(const Bytes& own) override {
    std::vector<Bytes> out = inner_.gather(own);
    meet();
    return out;
  }

 private:
  /// All go on when the last one has come, a tree later.
  void meet() {
    uint64_t latest = std::bit_cast<uint64_t>(clock_);  // rises as the number does, which is not negative
    inner_.largest({&latest, 1});
    clock_ = std::bit_cast<double>(latest) + 2 * std::bit_width(static_cast<unsigned>(ranks() - 1)) * costs_.hop;
  }

  Exchange& inner_;
  ExchangeCosts costs_;
  double compute_, clock_ = 0;
  int peers_ = 0;
};

}  // namespace odonata::network
