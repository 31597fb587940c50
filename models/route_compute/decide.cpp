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
}

void UnitConfig::derive_usable() {
  const int cabled = absolute() ? dragonfly_.g() - 1 : dragonfly_.g();
  usable_ = GroupMap::low(std::min(cabled, dragonfly_.group_ports()));
  if (!absolute()) usable_.clear(own_.gid);
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

/// Bits low..high-1 of a field whose bit 0 stands for position `base`, cut to 32 bits; empty when low >= high.
uint32_t interval(int base, int low, int high) {
  const int from = low > base ? low - base : 0, to = high - base;
  return to <= from ? 0 : static_cast<uint32_t>(low_mask(to) & ~low_mask(from));
}

/// Case 3: those of router r's h global ports that lead to a group to which the destination router has a global port.
uint32_t shortcut_field(const UnitConfig& config, const Address& dest, int r) {
  const int h = config.dragonfly().h();
  const uint32_t all = static_cast<uint32_t>(low_mask(h));
  if (!config.absolute()) return r == dest.bid ? all : 0;
  // A port y of the destination group and the own group's port to the same group differ by -1, 0 or 1: three pieces.
  const int gs = config.own().gid, gd = dest.gid, base = r * h, low = dest.bid * h, high = low + h;
  const int first = std::min(gs, gd), last = std::max(gs, gd);
  uint32_t field = interval(base, low, std::min(high, first));
  if (gd < gs) {
    field |= interval(base, std::max(low, gd) + 1, std::min(high, gs - 1) + 1);
  } else {
    field |= interval(base, std::max(low, gs + 1) - 1, std::min(high, gd) - 1);
  }
  return (field | interval(base, std::max(low, last), high)) & all;
}

/// The routers that a global entry B names through its neighbour ports, as a map.
uint32_t neighbour_map(const Dragonfly& d, int own, uint64_t entry_b) {
  uint32_t map = 0;
  for (int k = 0; k < table::kNeighboursB; ++k, entry_b >>= 6) {
    const int port = static_cast<int>(entry_b & 63);
    if (d.is_local_port(port)) map |= 1u << d.neighbour(own, port);
  }
  return map;
}

/// Stages 3 and 4 of RTA, router by router.
class GlobalDecision {
 public:
  GlobalDecision(const UnitConfig& config, const Request& request, const Entries& entries, const Congestion& congestion)
      : config_(config), request_(request), congestion_(congestion), own_(config.own().bid), h_(config.dragonfly().h()) {
    const Dragonfly& d = config.dragonfly();
    const GlobalEntryA min = GlobalEntryA::decode(entries.a);
    const int min_router = min.own_router ? own_ : d.is_local_port(min.port) ? d.neighbour(own_, min.port) : -1;
    uint32_t min_field = 0;
    if (min_router >= 0) {
      min_field = min.global_ports & usable(min_router);
      add_minimal(min_router, min_field);
    }
    const uint32_t own_map = static_cast<uint32_t>(entries.b >> 48);
    for (uint32_t left = neighbour_map(d, own_, entries.b); left != 0; left &= left - 1) {
      const int r = std::countr_zero(left);
      const uint32_t all = static_cast<uint32_t>(low_mask(h_));
      add_nonminimal(r, all & usable(r) & ~(r == min_router ? min_field : 0));
    }
    add_nonminimal(own_, own_map & usable(own_) & ~(own_ == min_router ? min_field : 0));
  }

  Decision pick(uint16_t lfsr) const {
    Decision out;
    int chosen = kAny;
    for (int c = kAny; c >= 0; --c) {
      if (routers_[c] == 0) continue;
      chosen = c;
      out.nonempty |= c == kAny ? 64 : 1 << c;
    }
    if (routers_[chosen] == 0) return out;
    const Dragonfly& d = config_.dragonfly();
    const int winner = rotating_pick(routers_[chosen], start8lo(lfsr, d.a()));
    out.hop_class = chosen == kAny ? HopClass::fallback : static_cast<HopClass>(chosen + 1);
    out.router = static_cast<uint8_t>(winner);
    out.port = static_cast<uint8_t>(winner == own_ ? d.global_port(rotating_pick(own_field_[chosen], start8hi(lfsr, h_)))
                                                   : local_port(winner, lfsr));
    return out;
  }

 private:
  static constexpr int kAny = 4;  // after the classes GA, GB, GC, GD

  uint32_t usable(int r) const { return config_.usable().field(r * h_, h_); }

  /// The free ones of router r's ports `options`: neither globally nor locally congested (N1, N2 with C1). Notes them as valid options.
  uint32_t free_ports(int r, uint32_t options) {
    const uint32_t open = options & ~congestion_.global.field(r * h_, h_);
    if (r == own_) {
      note(kAny, r, options);
      return open & ~static_cast<uint32_t>(congestion_.local >> config_.dragonfly().first_global());
    }
    const uint64_t ports = config_.ports_c(r);
    if (ports == 0) return 0;
    note(kAny, r, options);
    return (ports & ~congestion_.local) != 0 ? open : 0;
  }
  void note(int c, int r, uint32_t field) {
    if (field == 0) return;
    routers_[c] |= 1u << r;
    if (r == own_) own_field_[c] |= field;
  }
  void add_minimal(int r, uint32_t options) { note(0, r, free_ports(r, options)); }
  void add_nonminimal(int r, uint32_t options) {
    const uint32_t open = free_ports(r, options);
    if (open == 0) return;
    const uint32_t shortcut = open & shortcut_field(config_, request_.dest, r);
    note(r == own_ ? 1 : 2, r, shortcut);
    note(r == own_ ? 2 : 3, r, open & ~shortcut);
  }
  /// M and P2: a local port of table C towards the winner, an uncongested one if there is one.
  int local_port(int winner, uint16_t lfsr) const {
    const table::EntryC c = table::EntryC::decode(config_.table_c(winner));
    uint64_t valid = 0, open = 0;
    for (int k = 0; k < table::kPortsC; ++k) {
      if (c.port[k] < 0) continue;
      valid |= 1ull << k;
      if ((congestion_.local >> c.port[k] & 1) == 0) open |= 1ull << k;
    }
    return c.port[rotating_pick(open != 0 ? open : valid, start8hi(lfsr, table::kPortsC))];
  }

  const UnitConfig& config_;
  const Request& request_;
  const Congestion& congestion_;
  const int own_, h_;
  std::array<uint32_t, 5> routers_{};    // routers with a request, a map a class
  std::array<uint32_t, 5> own_field_{};  // the own router's ports in each class
};

/// Stages 3 and 4 of RTB.
Decision decide_local(const UnitConfig& config, const Decoded& decoded, const Entries& entries, const Congestion& congestion,
                      uint16_t lfsr) {
  const PortMap keep = decoded.zone != Zone::global ? config.all_ports()
                       : decoded.transit            ? config.local_ports()
                                                    : config.global_ports();
  const PortMap le = entries.a & config.all_ports(), lf = entries.b & keep;
  const PortMap s1 = le & ~congestion.local, s2 = lf & ~congestion.local, any = le | lf;
  Decision out;
  out.nonempty = static_cast<uint8_t>((s1 ? 16 : 0) | (s2 ? 32 : 0) | (any ? 64 : 0));
  if (any == 0) return out;
  out.hop_class = s1 ? HopClass::le : s2 ? HopClass::lf : HopClass::fallback;
  out.port = static_cast<uint8_t>(
      rotating_pick(s1 ? s1 : s2 ? s2 : any, start16(lfsr, config.dragonfly().num_ports())));
  return out;
}

}  // namespace

Decision decide(const UnitConfig& config, const Request& request, const Decoded& decoded, const Entries& entries,
                const Congestion& congestion, uint16_t lfsr) {
  Decision out = decoded.rta ? GlobalDecision(config, request, entries, congestion).pick(lfsr)
                             : decide_local(config, decoded, entries, congestion, lfsr);
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
