// SPDX-License-Identifier: Apache-2.0
// Whole routers behind their pins (docs/router.md §3.1), golden parts or Verilated RTL, with nothing but wires and
// nodes between them: all routers of a dragonfly, or those of some groups, with the rest of the network told from
// outside.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "hw/router/router_device.h"
#include "sim/network/worker_pool.h"
#include "tb/network/happenings.h"

namespace odonata::cosim {

/// What is in the slot of a link.
struct Slot {
  uint8_t kind = router::kSlotIdle;
  router::FlitWords words;
  uint32_t source = 0, born = 0;  ///< of the packet of a poisoned tail, whose words do not say it
};
/// Slots of an input port's virtual channels that became free.
using Freed = std::array<uint16_t, router::kNumVcs>;

/// The routers that are not in the network, as far as it has links to them; asked for every cycle once, in order.
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  /// What was on the link out of a router's port in `cycle`.
  virtual Slot sent(int router, int port, int64_t cycle) = 0;
  virtual Freed freed(int router, int port, int64_t cycle) = 0;
};

class RouterNetwork {
 public:
  struct Options {
    explicit Options(router::Parameters p) : parameters(std::move(p)) {}
    router::Parameters parameters;
    std::function<bool(int group)> here;   ///< whose routers are in the network; empty: all
    router::MakeRouterDevice make;         ///< of a router by its number
    Surroundings* surroundings = nullptr;  ///< not null when some groups are not here
    int threads = 1;
    /// What else there is to do up to and with cycle `last`, on one of the threads while the routers run there. May be
    /// null.
    std::function<void(int64_t last)> beside;
  };
  /// Makes and configures the routers; the next edge is that of cycle 0. `source` is asked about a node by one thread
  /// at a time, and about several nodes at once. Throws Error when the parameters are not the hardware's.
  RouterNetwork(const Options& options, router::Source& source);
  ~RouterNetwork();

  /// The next edge and the cycle that begins with it.
  void step();
  /// The present cycle; -1 before the first.
  int64_t cycle() const { return now_; }
  /// What has happened in it, in no order. Valid until the next step.
  const Happenings& happenings() const { return happenings_; }
  bool here(int router) const { return routers_[static_cast<size_t>(router)] != nullptr; }
  int num_here() const { return static_cast<int>(present_.size()); }
  /// Edges of a router that is configured from its reset on, of the one that takes most.
  uint64_t configuration_edges() const { return configuration_edges_; }

 private:
  struct Port;
  struct Router;
  void build(int router, const router::MakeRouterDevice& make);
  uint64_t configure_place(int bid);
  void run_block();
  void run_block(Router& r);
  void apply_faults();
  bool link_state(int router, int port) const;
  void update_links();
  bool takes_packets(Router& r, int k) const;
  void inject(Router& r);
  void die(Router& r);
  void cut(Router& r);
  void cut_packet(Router& r, Port& p, size_t vc);
  bool finds_room(Port& p);
  router::Flit flit_of(const Slot& slot) const;
  void hand_over(Router& r, Port& p, const router::Flit& flit, bool up);
  void edge(Router& r);
  void gather(Router& r);
  void gather_link(Router& r, int k);
  void gather_frames(Router& r);
  void leave(Router& r);
  void give_up(Router& r, int k, int phase);
  void check_freed(const Router& r) const;
  [[noreturn]] void fail(const Router& r, const std::string& what) const;

  const router::Parameters p_;
  const Dragonfly d_;
  router::Source& source_;
  Surroundings* surroundings_;
  int threads_;
  network::WorkerPool pool_;
  std::function<void(int64_t last)> beside_;
  int frame_latency_;
  int64_t now_ = -1;
  /// All routers are here: what a router puts on a wire reaches nobody before so many cycles are over, so each may run
  /// through them in one go, while its state is in the processor's caches. Otherwise 1.
  int block_ = 1;
  int64_t first_ = 0, length_ = 0;  ///< the cycles that the routers have run through last
  uint64_t configuration_edges_ = 0;
  std::vector<std::unique_ptr<Router>> routers_;  ///< by number; null: not here
  std::vector<Router*> present_;
  // Links, of all routers.
  std::vector<fault::ScheduledFault> faults_;  ///< by cycle
  size_t next_fault_ = 0;
  std::vector<uint8_t> alive_, joins_;
  std::vector<PortMap> failed_, up_;
  Happenings happenings_;
};

}  // namespace odonata::cosim
