// SPDX-License-Identifier: Apache-2.0
#include "models/route_compute/decide.h"

#include <algorithm>
#include <bit>

namespace odonata::route_compute {

using table::GlobalEntryA;
using table::Zone;

const char* to_string(HopClass hop_class) {
  constexpr std::array<const char*, 8> names{"unroutable", "GA", "GB", "GC", "GD", "LE", "LF", "fallback"};
  return names[static_cast<int>(hop_class)];
}

UnitConfig::UnitConfig(const Dragonfly& d) : dragonfly_(d) { derive_usable(); }

void UnitConfig::set_own(RouterId own) {
  own_ = own;
  derive_usable();
}

void UnitConfig::set_port(PortClass port_class, bool absolute) {
  port_class_ = port_class;
  const Arrangement arrangement = absolute ? Arrangement::absolute : Arrangement::direct;
  if (arrangement != dragonfly_.arrangement()) dragonfly_ = dragonfly_.with(arrangement);
  derive_usable();
}

void UnitConfig::set_table_c(int router, uint64_t word) {
  table_c_[router] = word;
  uint64_t ports = 0;
  for (int port : table::EntryC::decode(word).port) {
    if (port >= 0) ports |= 1ull << port;
  }
  ports_c_[router] = ports;
  derive_offered(router);
}

void UnitConfig::derive_usable() {
  const int cabled = absolute() ? dragonfly_.g() - 1 : dragonfly_.g();
  usable_ = GroupMap::low(std::min(cabled, dragonfly_.group_ports()));
  if (!absolute()) usable_.clear(own_.gid);
  for (int r = 0; r < dragonfly_.a(); ++r) derive_offered(r);
}

void UnitConfig::derive_offered(int router) {
  const bool reachable = router == own_.bid || ports_c_[router] != 0;
  offered_[router] = reachable ? usable_.field(router * dragonfly_.h(), dragonfly_.h()) : 0;
}

Decoded decode(const UnitConfig& config, const Request& request) {
  const Dragonfly& d = config.dragonfly();
  Decoded out;
  out.zone = table::zone_of(d, config.own(), request.dest);
  out.rta = config.port_class() == PortClass::node && out.zone == Zone::global;
  out.transit = request.src_gid != config.own().gid;
  out.index_a = out.zone == Zone::invalid ? 0 : table::index_a(d, out.zone, request.dest);
  const bool in_b = out.zone == Zone::group_local || out.zone == Zone::global;
  out.index_b = in_b ? table::index_b(d, out.zone, request.dest) : 0;
  return out;
}

namespace {

/// Case 3: the ports of the own group that lead to a group to which the destination router has a global port. They lie
/// close together, at most h of them among h+2 neighbouring positions, whatever the arrangement: a short word and its
/// position.
class Shortcut {
 public:
  Shortcut(const UnitConfig& config, const Address& dest) {
    const int h = config.dragonfly().h(), low = dest.bid * h, high = low + h;
    if (!config.absolute()) {
      at_ = low;
      bits_ = low_mask(h);
      return;
    }
    // Port y of the destination group and the own group's port to the same group differ by -1, 0 or 1: three pieces.
    at_ = low - 1;
    const int gs = config.own().gid, gd = dest.gid, first = std::min(gs, gd), last = std::max(gs, gd);
    bits_ = interval(low, std::min(high, first)) | interval(std::max(low, last), high);
    bits_ |= gd < gs ? interval(std::max(low, gd) + 1, std::min(high, gs - 1) + 1)
                     : interval(std::max(low, gs + 1) - 1, std::min(high, gd) - 1);
  }
  /// The map of the router whose ports start at `base`; bits above its h ports are arbitrary.
  uint32_t field(int base) const {
    const int up = at_ - base + 32;  // the word is at most 18 bits long: further than 32 away nothing of it is left
    return up >= 0 && up < 64 ? static_cast<uint32_t>(bits_ << up >> 32) : 0;
  }

 private:
  uint64_t interval(int low, int high) const { return high <= low ? 0 : low_mask(high - at_) & ~low_mask(low - at_); }
  int at_ = 0;
  uint64_t bits_ = 0;
};

/// Stages 3 and 4 of RTA, router by router. No branch depends on the congestion: it is not predictable.
class GlobalDecision {
 public:
  GlobalDecision(const UnitConfig& config, const Request& request, const Entries& entries, const Congestion& congestion)
      : config_(config),
        congestion_(congestion),
        busy_local_(config.rule().second_maps ? congestion.busy_local : congestion.local),
        busy_global_(config.rule().second_maps ? congestion.busy_global : congestion.global),
        own_(config.own().bid),
        h_(config.dragonfly().h()) {
    const Dragonfly& d = config.dragonfly();
    const Shortcut shortcut(config, request.dest);
    const GlobalEntryA min = GlobalEntryA::decode(entries.a);
    const int min_router = min.own_router ? own_ : d.is_local_port(min.port) ? d.neighbour(own_, min.port) : own_;
    const bool named = min.own_router || d.is_local_port(min.port);
    const uint32_t min_field = named ? min.global_ports & config.offered(min_router) : 0;

    uint64_t neighbour_ports = entries.b;
    for (int k = 0; k < table::kNeighboursB; ++k, neighbour_ports >>= 6) {
      const int port = static_cast<int>(neighbour_ports & 63);
      if (!d.is_local_port(port)) continue;
      const int r = d.neighbour(own_, port);
      const uint32_t options = config.offered(r) & ~(r == min_router ? min_field : 0);
      const uint32_t open = options & free_remote(r, busy_local_, busy_global_), near = shortcut.field(r * h_);
      note(kAny, r, options);
      note(2, r, open & near);
      note(3, r, open & ~near);
    }
    const uint32_t own_map = static_cast<uint32_t>(entries.b >> 48);
    const uint32_t options = own_map & config.offered(own_) & ~(own_ == min_router ? min_field : 0);
    const uint32_t open = options & free_own(busy_local_, busy_global_), near = shortcut.field(own_ * h_);
    own_field_ = {0, open & near, open & ~near, 0, options};
    if (min_router == own_) {
      own_field_[0] = min_field & free_own(congestion.local, congestion.global);
      own_field_[kAny] |= min_field;
    } else {
      note(kAny, min_router, min_field);
      note(0, min_router, min_field & free_remote(min_router, congestion.local, congestion.global));
    }
    if (config.rule().minimal_global && min_field != 0) {
      routers_[kAny] = 1u << min_router;
      own_field_[kAny] = min_router == own_ ? min_field : 0;
    }
    for (int c = 0; c <= kAny; ++c) note(c, own_, own_field_[c]);
  }

  Decision pick(uint16_t lfsr) const {
    Decision out;
    uint32_t nonempty = 0;
    for (int c = 0; c <= kAny; ++c) nonempty |= static_cast<uint32_t>(routers_[c] != 0) << c;
    if (nonempty == 0) return out;
    out.nonempty = static_cast<uint8_t>((nonempty & 15) | 64);
    const int chosen = std::countr_zero(nonempty);
    const Dragonfly& d = config_.dragonfly();
    const int winner = pick_lo(routers_[chosen], lfsr);
    out.hop_class = chosen == kAny ? HopClass::fallback : static_cast<HopClass>(chosen + 1);
    out.router = static_cast<uint8_t>(winner);
    out.port = static_cast<uint8_t>(winner == own_ ? d.global_port(pick_hi(own_field_[chosen], lfsr))
                                                   : local_port(winner, lfsr));
    return out;
  }

 private:
  static constexpr int kAny = 4;  // after the classes GA, GB, GC, GD

  void note(int c, int r, uint32_t field) { routers_[c] |= static_cast<uint32_t>(field != 0) << r; }
  /// N1, N2 with C1: the ports of a router that are neither globally nor locally congested; bits above its h ports are
  /// arbitrary.
  uint32_t free_remote(int r, PortMap local, const GroupMap& global) const {
    const uint32_t way_free = (config_.ports_c(r) & ~local) != 0 ? ~0u : 0;
    return ~global.field(r * h_, h_) & way_free;
  }
  uint32_t free_own(PortMap local, const GroupMap& global) const {
    return ~global.field(own_ * h_, h_) & ~static_cast<uint32_t>(local >> config_.dragonfly().first_global());
  }
  /// M and P2: a local port of table C towards the winner, an uncongested one if there is one.
  int local_port(int winner, uint16_t lfsr) const {
    const uint64_t ports = config_.ports_c(winner);
    if (std::has_single_bit(ports)) return std::countr_zero(ports);
    const table::EntryC c = table::EntryC::decode(config_.table_c(winner));
    uint64_t valid = 0, open = 0;
    for (int k = 0; k < table::kPortsC; ++k) {
      if (c.port[k] < 0) continue;
      valid |= 1ull << k;
      if ((congestion_.local >> c.port[k] & 1) == 0) open |= 1ull << k;
    }
    return c.port[pick_hi(open != 0 ? open : valid, lfsr)];
  }

  const UnitConfig& config_;
  const Congestion& congestion_;
  const PortMap busy_local_;  // of non-minimal candidates, as the rule says
  const GroupMap& busy_global_;
  const int own_, h_;
  std::array<uint32_t, 5> routers_{};    // routers with a request, a map a class
  std::array<uint32_t, 5> own_field_{};  // the own router's ports in each class
};

}  // namespace

Decision decide(const UnitConfig& config, const Request& request, const Decoded& decoded, const Entries& entries,
                const Congestion& congestion, uint16_t lfsr) {
  const Rule& rule = config.rule();
  const PortMap busy = rule.second_maps ? congestion.busy_local : congestion.local;
  Decision out = decoded.rta ? GlobalDecision(config, request, entries, congestion).pick(lfsr)
                             : decide_local(PortMaps(config.dragonfly()), decoded.zone, decoded.transit, entries,
                                            congestion.local, busy, rule.minimal_local, lfsr);
  if (out.port == kNoPort) return out;
  const int vc = next_vc(config.port_class(), config.dragonfly().port_class(out.port), request.vc);
  if (vc < kNumVcs) {
    out.vc = static_cast<uint8_t>(vc);
  } else {
    out = Decision{.nonempty = out.nonempty};
  }
  return out;
}

}  // namespace odonata::route_compute
