// SPDX-License-Identifier: Apache-2.0
// All that the engine tells of some groups of a dragonfly, by cycle; and of the routers around them what comes over the
// links (docs/crosscheck.md §6).
#pragma once

#include <functional>
#include <map>
#include <set>
#include <unordered_map>

#include "models/topology/dragonfly.h"
#include "sim/network/fault_tap.h"
#include "sim/network/packet_watch.h"
#include "tb/network/router_network.h"

namespace odonata::cosim {

class EngineTap final : public network::PacketWatch, public network::FaultTap, public Surroundings {
 public:
  /// `here`: the groups; empty: all. Some of them: packets of one flit.
  EngineTap(const Dragonfly& d, const std::function<bool(int group)>& here);
  /// What happens at the routers here in `cycle`; to be taken once, when the engine is past it.
  Happenings take(int64_t cycle);

  void granted(const network::Flit& flit, uint32_t cycle, uint32_t router, int in_port, int in_vc, int out_port,
               int out_vc, int credits) override;
  void delivered(const network::Flit& flit, uint32_t cycle) override;
  void lost(const network::Flit& flit, uint32_t cycle) override;

  void link(int, int, bool, int64_t) override {}
  void router(int router, bool alive, int64_t cycle) override;
  void written(int router, int row, int port, int64_t cycle) override;
  void heard(int, int, int, bool, int64_t) override {}
  void opened(int, int, int64_t) override {}
  void sent(int router, int port, const fault::Message& message, int64_t cycle) override;
  void arrived(int router, int port, const fault::Message& message, int64_t cycle) override;
  void served(int router, fault::ServiceKind kind, int port, const fault::Message& message, int64_t cycle) override;
  void known(int64_t) override {}

  Slot sent(int router, int port, int64_t cycle) override;
  Freed freed(int router, int port, int64_t cycle) override;

 private:
  /// A link of a router outside to one here.
  struct Border {
    std::map<int64_t, Slot> slots;
    std::map<int64_t, Freed> freed;
    std::set<int64_t> messages;  ///< cycles in which a message has the slot, also of a router that dies before it
    int64_t last = -1;           ///< departure of the last flit
  };
  /// The input buffer in which a packet waits, or to which it is under way.
  struct Place {
    int router = -1, port = -1, vc = 0;
  };
  bool here(int router) const { return here_[static_cast<size_t>(router)]; }
  /// The port of a router outside leads here.
  bool at_border(int router, int port) const {
    return at_border_[static_cast<size_t>(router) * ports_ + static_cast<size_t>(port)];
  }
  void add(int router, const Happening& happening, int64_t cycle) {
    if (here(router)) happenings_[cycle].push_back(happening);
  }
  Place next_place(int router, int out_port, int vc) const;
  void depart(const network::Flit& flit, int64_t granted, int router, int port, int vc);
  static uint64_t key(uint32_t source, uint32_t born) { return static_cast<uint64_t>(source) << 32 | born; }

  const Dragonfly d_;
  const size_t ports_;
  std::vector<bool> here_, at_border_;  ///< by router; by router and port
  bool all_here_;
  std::map<int64_t, Happenings> happenings_;
  std::map<std::pair<int, int>, Border> border_;  ///< by router outside and its port
  std::unordered_map<uint64_t, Place>
      places_;  ///< of packets that come from here or have last been granted into or out of a router here
};

}  // namespace odonata::cosim
