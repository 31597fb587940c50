// SPDX-License-Identifier: Apache-2.0
// A domain as the engine sees it, whatever its routing, its sources and its packets are: what it runs and what it looks
// at between two windows. The engine is compiled once; what is compiled for every routing is behind this (domain.h).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/network/bit_list.h"
#include "sim/network/closed_loop.h"
#include "sim/network/mail.h"
#include "sim/network/policy.h"
#include "sim/network/prefetch.h"
#include "sim/network/simulation.h"
#include "sim/network/state_file.h"
#include "sim/network/statistics.h"

namespace odonata::network {

/// Cycles first..last-1 that a domain runs by itself: a window, or a step of it in a network that is cut.
struct Window {
  uint32_t first = 0, last = 0;
  size_t half = 0;  ///< of the post, which is written; the other one is read
};

/// Slots that the grants of a cycle freed, as in DomainState::Freed, by InputPort::freed. There is room for all before
/// the first one.
class FreedByGrants {
 public:
  using Ends = std::array<uint32_t*, 5>;
  /// Room for `most` of each; where they go.
  Ends open(size_t most) {
    Ends out;
    for (size_t kind = 0; kind != out.size(); ++kind) {
      if (events_[kind].size() < most) events_[kind].resize(most);
      out[kind] = events_[kind].data();
    }
    return out;
  }
  void finish(const Ends& ends) { ends_ = ends; }
  std::span<const uint32_t> of(size_t kind) const { return {events_[kind].data(), ends_[kind]}; }

 private:
  std::array<std::vector<uint32_t>, 5> events_;
  Ends ends_{};
};

/// The requests of a switch phase, by port index.
struct Requests {
  std::vector<uint32_t> ports;  // those in hand
  std::vector<uint64_t> asked;  // 64 outputs in a word: those with a request; none between phases

  void open(size_t count) {
    if (ports.size() < count + kBitListSlack) ports.resize(count + kBitListSlack), asked.resize((count + 63) / 64);
  }
};

/// The addresses that nodes have.
class Addresses {
 public:
  explicit Addresses(const std::vector<uint32_t>& all) {
    for (const uint32_t address : all) {
      if (address >= has_.size()) has_.resize(address + 1);
      has_[address] = true;
    }
  }
  bool contains(uint32_t address) const { return address < has_.size() && has_[address]; }

 private:
  std::vector<bool> has_;
};

/// What the domains of a thread use one after the other.
struct Scratch {
  Outbox outbox;
  Prefetch prefetch;
  FreedByGrants freed;
  Requests requests;
};

/// One domain. Ports are indices over all domains (Wiring::wire) where nothing else is said.
class AnyDomain {
 public:
  virtual ~AnyDomain() = default;

  virtual int number() const = 0;
  virtual int vcs() const = 0;
  /// The post has been laid anew.
  virtual void find_ends(const Post& post) = 0;
  /// Runs a window. `next`: the domain that this thread runs next (or null), whose memory is asked for meanwhile.
  virtual void run(const Window& window, Scratch& scratch, const AnyDomain* next) = 0;
  /// What a window that writes that half of the post touches in any case, or nearly.
  virtual void list_memory(Prefetch& out, size_t half) const = 0;

  /// From now on deliveries are kept until take_deliveries() hands them over.
  virtual void record_deliveries() = 0;
  virtual void take_deliveries(const std::function<void(const Delivery&)>& see) = 0;

  virtual const Statistics& statistics() const = 0;
  /// The programs; null: an open loop.
  virtual const Nics* nics() const = 0;
  /// Adds what the policy counts: decisions, drops, compared answers.
  virtual void add_counts(Result& out) const = 0;
  /// With Policy::kFaults: whether the policy's tables are what the fault planes' marks say.
  virtual bool tables_ok() const = 0;
  /// With Policy::kOwnFaults.
  virtual FaultResult fault_result(uint32_t now) const = 0;
  virtual size_t bytes() const = 0;

  // Looking at everything that waits, between windows.
  /// Flits that were granted in the sample to an output, by port index in the domain.
  virtual uint32_t carried(int output) const = 0;
  /// Every node: see(port, its flits that entered in the sample).
  virtual void for_each_node(const std::function<void(size_t port, uint32_t sent)>& see) const = 0;
  /// Every flit in a buffer or on a link: see(flit, port of the buffer).
  virtual void for_each_flit(const std::function<void(const Flit& flit, size_t port)>& see) const = 0;
  /// Packets whose tail has not entered the network but whose head has.
  virtual uint64_t unsent_packets() const = 0;
  /// Credits that outputs have.
  virtual void for_each_output_vc(const std::function<void(size_t port, int vc, uint32_t credits)>& see) const = 0;
  /// Credits that are on their way to outputs of this domain, one by one.
  virtual void for_each_credit(const std::function<void(size_t port, int vc)>& see) const = 0;
  /// Whether the output VCs that are held are those of packets that are partly through, and no packet is arriving over
  /// a dead link.
  virtual bool channels_kept() const = 0;
  /// Packets created before `cycle` that wait in source queues; those of the sample; the sample of the processes ends
  /// with `cycle`. Packets in source queues; of the sample only those of nodes that can inject.
  struct Waiting {
    uint64_t packets = 0, sampled = 0, sampled_flits = 0, age = 0;
  };
  virtual Waiting waiting(uint32_t cycle) const = 0;
  /// Whether a packet of the sample waits in the source queue of a node that can inject.
  virtual bool sample_waits() const = 0;
  /// What the head packet of an input VC waits for, as the input VC at the other end: router over all domains, port,
  /// VC.
  struct Wait {
    bool blocked = false;
    uint32_t router = 0;
    uint8_t port = 0, vc = 0, out_port = 0;
    uint32_t dest = 0;
  };
  virtual Wait waits_for(int router, int port, int vc) const = 0;
  /// That in words.
  virtual std::string describe_wait(int router, int port, int vc, const Wait& wait) const = 0;

  // Checkpoints: one list of the state for both directions.
  virtual void visit_state(StateWriter& to) = 0;
  virtual void visit_state(StateReader& from) = 0;
  /// What visit_state() and the post have just read, before cycle `now`: throws Error that names what cannot be.
  /// `half`: of the post.
  virtual void check_state(const Addresses& addresses, uint32_t now, size_t half) const = 0;
  /// The links to other domains, as the ends in the post: the cycle in which the last flit that comes over link k is
  /// due (0: none is on it), and the last in which one that has been sent can be.
  virtual uint32_t last_due(uint32_t k, size_t half) const = 0;
  virtual uint32_t last_sent(uint32_t k) const = 0;
  virtual uint32_t first_end() const = 0;
};

/// The domains of a network: how they are made, and what the engine must know of their policy (policy.h).
struct DomainKind {
  std::function<std::unique_ptr<AnyDomain>(const Context& context, int number, Post& post)> make;
  std::shared_ptr<const std::vector<uint32_t>> addresses;  ///< packed, of the nodes by number
  int max_vcs = 0;                                         ///< Policy::kMaxVcs
  bool pieces = false;                                     ///< Policy::kPieces
  bool board = false;                                      ///< Policy::kBoard
  bool faults = false;                                     ///< Policy::kFaults
  bool own_faults = false;                                 ///< Policy::kOwnFaults
  bool checked = false;                                    ///< the engine's invariants are checked after every window
};

}  // namespace odonata::network
