// SPDX-License-Identifier: Apache-2.0
#include "sim/network/rank_mail.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>

#include "models/common/error.h"
#include "sim/network/balance.h"

namespace odonata::network {

namespace {

/// A message: for every link the two counts, then all flits, then all credits.
struct Counts {
  uint16_t flits = 0, credits = 0;
};

template <class T>
void put(std::byte*& at, const T* data, size_t count) {
  if (count != 0) std::memcpy(at, data, count * sizeof(T));
  at += count * sizeof(T);
}

/// `count` messages where they are.
template <class T>
const T* take(const std::byte*& at, size_t count) {
  static_assert(alignof(T) <= sizeof(Counts) && sizeof(T) % alignof(T) == 0);
  const T* const first =
      reinterpret_cast<const T*>(at);  // aligned: the counts before it are words, and so is what a T is made of
  at += count * sizeof(T);
  return first;
}

[[noreturn]] void foreign(int rank) {
  throw Error("the mail of rank " + std::to_string(rank) + " is not for this network");
}

}  // namespace

RankMail::RankMail(const Post& post, const Share& share) : exchange_(*share.exchange()) {
  to_.resize(static_cast<size_t>(exchange_.ranks()));
  from_.resize(static_cast<size_t>(exchange_.ranks()));
  lay(post, share);
}

void RankMail::lay(const Post& post, const Share& share) {
  links_.clear();
  peers_.clear();
  std::map<int, Links> by_rank;
  const std::vector<Post::End>& ends = post.ends();
  for (uint32_t e = 0; e != ends.size(); ++e) {
    const int there = share.rank_of(static_cast<int>(ends[e].domain)),
              sender = share.rank_of(static_cast<int>(ends[ends[e].peer].domain));
    if (there == sender) continue;
    if (share.here(static_cast<int>(ends[e].domain))) by_rank[sender].in.push_back(e);
    if (!share.here(static_cast<int>(ends[e].domain))) by_rank[there].out.push_back(e);
  }
  const auto by_sender = [&ends](uint32_t a, uint32_t b) { return ends[ends[a].peer].port < ends[ends[b].peer].port; };
  for (auto& [rank, links] : by_rank) {
    links.rank = rank;
    std::sort(links.out.begin(), links.out.end(), by_sender);
    std::sort(links.in.begin(), links.in.end(), by_sender);
    peers_.push_back(rank);
    links_.push_back(std::move(links));
  }
}

size_t RankMail::memory() const {
  size_t n = 0;
  for (const auto* list : {&to_, &from_}) {
    for (const Exchange::Bytes& message : *list) n += message.capacity();
  }
  return n;
}

void RankMail::add(size_t width, std::vector<uint32_t>& numbers) {
  std::vector<Exchange::Bytes> to(to_.size()), from(from_.size());
  for (const Links& links : links_) {
    Exchange::Bytes& out = to[static_cast<size_t>(links.rank)];
    out.resize(links.out.size() * width * sizeof(uint32_t));
    std::byte* at = out.data();
    for (const uint32_t end : links.out) put(at, numbers.data() + end * width, width);
  }
  exchange_.swap(peers_, to, from);
  for (const Links& links : links_) {
    const Exchange::Bytes& in = from[static_cast<size_t>(links.rank)];
    if (in.size() != links.in.size() * width * sizeof(uint32_t)) foreign(links.rank);
    const std::byte* at = in.data();
    for (const uint32_t end : links.in) {
      for (size_t i = 0; i != width; ++i, at += sizeof(uint32_t)) {
        uint32_t more = 0;
        std::memcpy(&more, at, sizeof more);
        numbers[end * width + i] += more;
      }
    }
  }
}

void RankMail::trade(Post& post, size_t half) {
  const auto start = std::chrono::steady_clock::now();
  uint64_t begin = thread_nanoseconds();
  for (const Links& links : links_) pack(post, half, links);
  packing_ns_ += thread_nanoseconds() - begin;
  exchange_.swap(peers_, to_, from_);
  begin = thread_nanoseconds();
  for (const Links& links : links_) unpack(post, half, links);
  packing_ns_ += thread_nanoseconds() - begin;
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void RankMail::pack(const Post& post, size_t half, const Links& links) {
  size_t flits = 0, credits = 0;
  for (const uint32_t end : links.out)
    flits += post.parcels_[half][end].flits, credits += post.parcels_[half][end].credits;
  Exchange::Bytes& out = to_[static_cast<size_t>(links.rank)];
  out.resize(links.out.size() * sizeof(Counts) + flits * sizeof(FlitMessage) + credits * sizeof(CreditMessage));
  bytes_ += out.size();
  std::byte* counts = out.data();
  std::byte* flit = counts + links.out.size() * sizeof(Counts);
  std::byte* credit = flit + flits * sizeof(FlitMessage);
  for (const uint32_t end : links.out) {
    const Post::Parcel& p = post.parcels_[half][end];
    const Post::Sent& sent = post.sent_[half][post.ends_[post.ends_[end].peer].domain];
    const Counts n{static_cast<uint16_t>(p.flits), static_cast<uint16_t>(p.credits)};
    if (n.flits != p.flits || n.credits != p.credits)
      throw Error("a link carries more than 65,535 messages in a window");
    put(counts, &n, 1);
    put(flit, sent.first_flit + p.first_flit, p.flits);
    put(credit, sent.first_credit + p.first_credit, p.credits);
  }
}

void RankMail::unpack(Post& post, size_t half, const Links& links) const {
  const Exchange::Bytes& in = from_[static_cast<size_t>(links.rank)];
  const std::byte* counts = in.data();
  std::vector<Counts> n(links.in.size());
  if (in.size() < n.size() * sizeof(Counts)) foreign(links.rank);
  std::memcpy(static_cast<void*>(n.data()), counts, n.size() * sizeof(Counts));
  size_t flits = 0, credits = 0;
  for (const Counts& c : n) flits += c.flits, credits += c.credits;
  if (in.size() != n.size() * sizeof(Counts) + flits * sizeof(FlitMessage) + credits * sizeof(CreditMessage))
    foreign(links.rank);
  const std::byte* flit = counts + n.size() * sizeof(Counts);
  const std::byte* credit = flit + flits * sizeof(FlitMessage);
  for (size_t first = 0, last = 0; first != n.size();
       first = last) {  // a sender's links follow each other, and so do their messages
    const auto sender_of = [&](size_t i) { return post.ends_[post.ends_[links.in[i]].peer].domain; };
    const uint32_t sender = sender_of(first);
    uint32_t flits_of = 0, credits_of = 0;
    for (; last != n.size() && sender_of(last) == sender; ++last) {
      post.parcels_[half][links.in[last]] = {flits_of, credits_of, n[last].flits, n[last].credits};
      flits_of += n[last].flits, credits_of += n[last].credits;
    }
    post.sent_[half][sender].first_flit = take<FlitMessage>(flit, flits_of);
    post.sent_[half][sender].first_credit = take<CreditMessage>(credit, credits_of);
  }
}

}  // namespace odonata::network
