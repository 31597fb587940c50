// SPDX-License-Identifier: Apache-2.0
// Shortcuts past decide() for network simulation, inline: the virtual channel of all outputs at once, RTB's table A
// alone, and RTA while the minimal class has a free candidate. decide() is the meaning; a test holds the answers
// together.
#pragma once

#include <bit>

#include "models/route_compute/decide.h"

namespace odonata::route_compute {

/// The virtual-channel rule at the input ports of a class, for all outputs at once.
class NextVc {
 public:
  NextVc(const Dragonfly& d, PortClass input) : kept_(input == PortClass::node ? 0 : ~0) {
    for (int p = 0; p < d.num_ports(); ++p) rises_ |= static_cast<PortMap>(next_vc(input, d.port_class(p), 0)) << p;
  }
  /// next_vc() of a packet that came on channel `vc` and leaves through port `output`.
  int operator()(int output, int vc) const { return (vc & kept_) + static_cast<int>(rises_ >> output & 1); }

 private:
  PortMap rises_ = 0;  // outputs where the channel's number rises by one
  int kept_;           // 0 at node ports, where every packet starts with channel 0
};

/// The port that RTB answers when class LE has a free candidate; kNoPort otherwise.
inline int pick_free_a(const PortMaps& maps, uint64_t entry_a, PortMap congested, uint16_t lfsr) {
  const PortMap s1 = entry_a & maps.all & ~congested;
  return s1 == 0 ? kNoPort : pick_word(s1, lfsr);
}

/// The port that RTA answers when class GA has a free candidate and one local port leads to its router, which goes to
/// `router`; virtual channel 0, as at every node port. kNoPort: decide() has to be asked. Only at node ports in zone G.
inline int pick_minimal(const UnitConfig& config, uint64_t entry_a, PortMap cong_local, const GroupMap& cong_global,
                        uint16_t lfsr, int& router) {
  const Dragonfly& d = config.dragonfly();
  const table::GlobalEntryA min = table::GlobalEntryA::decode(entry_a);
  const int own = config.own().bid, h = d.h();
  if (min.own_router) [[unlikely]] {
    router = own;
    const uint32_t busy = cong_global.field(own * h, h) | static_cast<uint32_t>(cong_local >> d.first_global());
    const uint32_t open = min.global_ports & config.offered(own) & ~busy;
    return open == 0 ? kNoPort : d.global_port(pick_hi(open, lfsr));
  }
  if (!d.is_local_port(min.port)) return kNoPort;
  router = d.neighbour(own, min.port);
  const uint64_t way = config.ports_c(router);
  const uint32_t open = min.global_ports & config.offered(router) & ~cong_global.field(router * h, h);
  return open == 0 || !std::has_single_bit(way) || (way & cong_local) != 0 ? kNoPort : std::countr_zero(way);
}

/// The same as a Decision: sets hop class, port, router and virtual channel of `out` as decide() would (not `nonempty`)
/// and returns true; false: decide() has to be asked.
inline bool decide_minimal(const UnitConfig& config, const Entries& entries, PortMap cong_local,
                           const GroupMap& cong_global, uint16_t lfsr, Decision& out) {
  int router = 0;
  const int port = pick_minimal(config, entries.a, cong_local, cong_global, lfsr, router);
  if (port == kNoPort) return false;
  out.hop_class = HopClass::ga;
  out.port = static_cast<uint8_t>(port);
  out.router = static_cast<uint8_t>(router);
  out.vc = 0;
  return true;
}

}  // namespace odonata::route_compute
