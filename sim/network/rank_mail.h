// SPDX-License-Identifier: Apache-2.0
// The mail that crosses from rank to rank at the end of a window: one message a pair of ranks.
#pragma once

#include <vector>

#include "sim/network/exchange.h"
#include "sim/network/mail.h"

namespace odonata::network {

class RankMail {
 public:
  RankMail(const Post& post, const Share& share);
  /// The domains have other owners.
  void lay(const Post& post, const Share& share);
  /// Sends what the own domains wrote for others. What came stays in its messages, where their receivers look for it
  /// until the next trade.
  void trade(Post& post, size_t half);
  /// Adds to `width` numbers of every own end what the ranks have that its link leads to: `numbers` by end of the post,
  /// the others' behind the own.
  void add(size_t width, std::vector<uint32_t>& numbers);
  double packing_seconds() const {
    return static_cast<double>(packing_ns_) * 1e-9;
  }                                            ///< processor time of packing and unpacking
  uint64_t bytes() const { return bytes_; }    ///< sent so far
  size_t memory() const;                       ///< bytes of the messages
  double seconds() const { return seconds_; }  ///< of packing, waiting and unpacking

 private:
  /// Links between this rank and another, in the order of the ports that send; the ends that receive.
  struct Links {
    int rank = 0;
    std::vector<uint32_t> out, in;
  };
  void pack(const Post& post, size_t half, const Links& links);
  void unpack(Post& post, size_t half, const Links& links) const;

  Exchange& exchange_;
  std::vector<Links> links_;  // by rank, those that there are
  std::vector<int> peers_;
  std::vector<Exchange::Bytes> to_, from_;  // by rank
  uint64_t bytes_ = 0;
  double seconds_ = 0;
  uint64_t packing_ns_ = 0;
};

}  // namespace odonata::network
