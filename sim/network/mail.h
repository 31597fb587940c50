// SPDX-License-Identifier: Apache-2.0
// The messages that domains exchange between windows (docs/network.md §4): flits for the router at the other end of a
// link, credits for its output.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "models/common/append_list.h"
#include "sim/network/exchange.h"
#include "sim/network/flit.h"
#include "sim/network/wiring.h"

namespace odonata::network {

struct FlitMessage {
  Flit flit;
  uint32_t due = 0;  ///< cycle in which it can first be granted there
};
struct CreditMessage {
  uint16_t due = 0;  ///< cycle from which it can be used, modulo 2^16
  uint8_t vc = 0;
  bool tail = false;  ///< of a packet's tail
};

/// All messages of two windows, by the window's parity: the one that is written, the one that is read. What a domain
/// has sent lies in one piece, link after link. A link has two *ends*, each a port; those of the domains here are
/// numbered domain by domain in the order of the ports.
class Post {
 public:
  /// The ends of the domains of this rank and, behind them, those that their links lead to in others.
  Post(const Wiring& wiring, const Share& share);

  struct End {
    uint32_t port = 0;  ///< over all domains
    uint32_t domain = 0;
    uint32_t peer = 0;  ///< the link's other end
  };
  const std::vector<End>& ends() const { return ends_; }
  /// The first ones of ends(): those of domains that are here. They rise by their ports, and so do the others behind
  /// them.
  uint32_t own_ends() const { return own_ends_; }
  /// Number of a port's end, which has to be there.
  uint32_t end_of(uint32_t port) const;
  /// What arrives at an end, whose peer belongs to domain `sender`.
  std::span<const FlitMessage> flits(size_t half, uint32_t end, uint32_t sender) const {
    const Parcel& p = parcels_[half][end];
    return {sent_[half][sender].first_flit + p.first_flit, p.flits};
  }
  std::span<const CreditMessage> credits(size_t half, uint32_t end, uint32_t sender) const {
    const Parcel& p = parcels_[half][end];
    return {sent_[half][sender].first_credit + p.first_credit, p.credits};
  }
  size_t bytes() const {
    size_t n = ends_.size() * (sizeof(End) + 2 * sizeof(Parcel));
    for (const auto& half : sent_) {
      for (const Sent& s : half)
        n += s.flits.capacity() * sizeof(FlitMessage) + s.credits.capacity() * sizeof(CreditMessage);
    }
    return n;
  }
  /// Everything that arrives at a domain, for a checkpoint.
  struct Arrivals {
    std::vector<uint32_t> counts;  ///< by end: flits, credits
    std::vector<FlitMessage> flits;
    std::vector<CreditMessage> credits;
  };
  Arrivals arrivals(size_t half, uint32_t domain) const;
  /// Empties a half, and puts arrivals into it. Throws Error when they are not those of such a domain.
  void clear(size_t half);
  void put(size_t half, uint32_t domain, const Arrivals& arrivals);

 private:
  friend class Outbox;
  friend class RankMail;
  /// What arrives at an end, in the lists of its sender.
  struct Parcel {
    uint32_t first_flit = 0, first_credit = 0, flits = 0, credits = 0;
  };
  /// What a domain has sent: its lists, or those in a message of the rank that has it (RankMail).
  struct Sent {
    std::vector<FlitMessage> flits;
    std::vector<CreditMessage> credits;
    const FlitMessage* first_flit = nullptr;
    const CreditMessage* first_credit = nullptr;
    void show_lists() { first_flit = flits.data(), first_credit = credits.data(); }
  };
  std::vector<End> ends_;
  uint32_t own_ends_ = 0;
  std::vector<Sent> sent_[2];       // by domain
  std::vector<Parcel> parcels_[2];  // by end
};

/// Takes the messages of a domain in the order in which they are made, and at the end of its window puts them into the
/// post, link by link. Empty between windows: the domains of a thread share one, which so stays in the cache.
class Outbox {
  template <class Message>
  struct Posted {
    Message message;
    uint32_t link = 0;
  };
  struct Counts {
    uint32_t flits = 0, credits = 0;  // later: where the next one goes
  };

 public:
  /// Links of the domain: 0..links-1 in the order of its ports.
  void open(uint32_t links) {
    counts_.assign(links, {});
    flits_.clear();
    credits_.clear();
  }
  /// Where messages go, with room for a number of them that is known before.
  template <class Message>
  class Writer {
   public:
    /// A message for a link, to be written.
    [[gnu::always_inline]] Message& room(uint32_t link) {
      ++(counts_[link].*kCount);
      end_->link = link;
      return (end_++)->message;
    }
    [[gnu::always_inline]] void add(uint32_t link, const Message& message) { room(link) = message; }

   private:
    friend class Outbox;
    static constexpr auto kCount = std::is_same_v<Message, FlitMessage> ? &Counts::flits : &Counts::credits;
    Writer(Posted<Message>* end, Counts* counts) : end_(end), counts_(counts) {}
    Posted<Message>* end_;
    Counts* counts_;
  };
  /// Until finish() nobody else writes flits (credits).
  Writer<FlitMessage> flits(size_t most) { return {flits_.open(most), counts_.data()}; }
  Writer<CreditMessage> credits(size_t most) { return {credits_.open(most), counts_.data()}; }
  void finish(const Writer<FlitMessage>& writer) { flits_.finish(writer.end_); }
  void finish(const Writer<CreditMessage>& writer) { credits_.finish(writer.end_); }
  /// `first`: end number of link 0.
  void deliver(Post& post, size_t half, uint32_t domain, uint32_t first);

 private:
  std::vector<Counts> counts_;  // by link
  AppendList<Posted<FlitMessage>> flits_;
  AppendList<Posted<CreditMessage>> credits_;
};

}  // namespace odonata::network
