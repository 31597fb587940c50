// SPDX-License-Identifier: Apache-2.0
#include "tb/route_compute/oracle.h"

#include <map>
#include <ostream>

namespace odonata::route_compute::oracle {
namespace {

Ports both(const Ports& x, const Ports& y) {
  Ports result;
  for (int port : x) {
    if (y.count(port)) result.insert(port);
  }
  return result;
}

Ports either(const Ports& x, const Ports& y) {
  Ports result = x;
  result.insert(y.begin(), y.end());
  return result;
}

Ports without(const Ports& x, const Ports& y) {
  Ports result;
  for (int port : x) {
    if (!y.count(port)) result.insert(port);
  }
  return result;
}

Ports range(int first, int count) {
  Ports result;
  for (int k = 0; k < count; ++k) result.insert(first + k);
  return result;
}

/// Positions of the ones among the lowest `count` bits.
Ports ones(uint64_t word, int count) {
  Ports result;
  for (int k = 0; k < count; ++k) {
    if ((word >> k) % 2 == 1) result.insert(k);
  }
  return result;
}

/// Member number floor(size * fraction / whole), in ascending order.
int pick(const Ports& ports, int fraction, int whole) {
  const int rank = static_cast<int>(ports.size()) * fraction / whole;
  return *std::next(ports.begin(), rank);
}

/// One router's view; the names are those of Algorithm 1.
class Router {
 public:
  explicit Router(const Situation& s)
      : s_(s),
        p_(s.size.p),
        a_(s.size.a),
        h_(s.size.h),
        g_(s.size.g),
        rs_(s.own.bid),
        gs_(s.own.gid),
        rd_(s.request.dest.bid),
        gd_(s.request.dest.gid) {
    for (int router = 0; router < a_; ++router) table_c_[router] = valid_ports(s.table_c[router]);
  }

  Answer run() const {
    Answer result;
    result.zone = zone();
    result.transit = s_.request.src_gid != gs_;
    result.rta = s_.port_class == PortClass::node && result.zone == 'G';
    if (result.rta) {
      between_groups(result);
    } else {
      all_other(result);
    }
    return result;
  }

 private:
  // ---- numbers

  bool is_local(int port) const { return p_ <= port && port < p_ + a_ - 1; }
  int first_global() const { return p_ + a_ - 1; }
  int num_ports() const { return p_ + a_ - 1 + h_; }
  /// The routers of the group without the own one, ascending, sit on the local ports.
  int router_at(int local_port) const {
    std::vector<int> others;
    for (int router = 0; router < a_; ++router) {
      if (router != rs_) others.push_back(router);
    }
    return others[local_port - p_];
  }
  int level(int port) const { return port < p_ ? 0 : is_local(port) ? 1 : 2; }

  /// The group behind group-wide port j of group x; -1 when there is none.
  int group_behind(int x, int j) const {
    const int group = s_.absolute ? (j < x ? j : j + 1) : j;
    return group < g_ && group != x ? group : -1;
  }
  Ports usable() const {
    Ports result;
    for (int j = 0; j < a_ * h_; ++j) {
      if (group_behind(gs_, j) >= 0) result.insert(j);
    }
    return result;
  }

  std::vector<int> valid_ports(uint64_t word) const {
    std::vector<int> result;  // with -1 for invalid bytes, so that positions stay
    for (int k = 0; k < 6; ++k) {
      const int byte = static_cast<int>((word >> (8 * k)) % 256);
      result.push_back(byte >= 128 ? byte % 64 : -1);
    }
    return result;
  }

  char zone() const {
    const Address& to = s_.request.dest;
    if (to.gid >= g_ || to.bid >= a_ || to.nid >= p_) return '-';
    if (gd_ != gs_) return 'G';
    return rd_ != rs_ ? 'B' : 'N';
  }

  // ---- Algorithm 1, lines 1 to 16

  /// Sel_min(tableA, Cd), before reachability.
  Ports sel_min() const {
    const int lpc0 = static_cast<int>((s_.entry_a >> 16) % 64);
    const bool own = (s_.entry_a >> 22) % 2 == 1;
    Ports result;
    if (!own && !is_local(lpc0)) return result;
    const int router = own ? rs_ : router_at(lpc0);
    for (int i : ones(s_.entry_a, h_)) result.insert(router * h_ + i);
    return both(result, usable());
  }

  /// Sel_nm(tableB, Cd), before reachability.
  Ports sel_nm() const {
    Ports result;
    for (int k = 1; k <= 8; ++k) {
      const int lpc = static_cast<int>((s_.entry_b >> (6 * (k - 1))) % 64);
      if (is_local(lpc)) result = either(result, range(router_at(lpc) * h_, h_));
    }
    for (int i : ones(s_.entry_b >> 48, h_)) result.insert(rs_ * h_ + i);
    return without(both(result, usable()), sel_min());
  }

  Ports reachable_part(const Ports& ports) const {
    Ports result;
    for (int g : ports) {
      bool reachable = g / h_ == rs_;
      for (int l : table_c_.at(g / h_)) reachable = reachable || l >= 0;
      if (reachable) result.insert(g);
    }
    return result;
  }

  /// CongL(Lport(tableC, g)): no way to the port's router is free, or the own global port itself is full.
  bool locally_congested(int g, const Ports& local) const {
    if (g / h_ == rs_) return local.count(first_global() + g % h_) > 0;
    for (int l : table_c_.at(g / h_)) {
      if (l >= 0 && !local.count(l)) return false;
    }
    return true;
  }

  /// The ports that pass the tests of lines 9, 11, 13, 15.
  Ports free(const Ports& ports, const Ports& local, const Ports& global) const {
    Ports result;
    for (int g : ports) {
      if (!global.count(g) && !locally_congested(g, local)) result.insert(g);
    }
    return result;
  }
  /// What says whether a non-minimal option is free: the second maps if the rule has them.
  const Ports& detour_local() const { return s_.rule.second_maps ? s_.busy_local : s_.cong_local; }
  const Ports& detour_global() const { return s_.rule.second_maps ? s_.busy_global : s_.cong_global; }

  /// Case 3: the port leads to a group that has a link to the destination router.
  Ports case3() const {
    if (!s_.absolute) return range(h_ * rd_, h_);
    Ports result;
    for (int j : usable()) {
      const int gi = group_behind(gs_, j);
      if (gi == gd_) continue;
      for (int i = 0; i < h_; ++i) {
        if (group_behind(gd_, rd_ * h_ + i) == gi) result.insert(j);
      }
    }
    return result;
  }

  void between_groups(Answer& result) const {
    const Ports min = reachable_part(sel_min()), nm = without(reachable_part(sel_nm()), min);
    const Ports g2 = both(nm, range(h_ * rs_, h_));        // line 3
    const Ports g3 = both(nm, case3());                    // line 4
    const Ports gb = both(g2, g3);                         // line 5
    const Ports gc = without(either(g2, g3), gb);          // line 6
    const Ports gd = without(nm, either(g2, g3));          // line 7
    result.ga = free(min, s_.cong_local, s_.cong_global);  // lines 8 to 15
    result.gb = free(gb, detour_local(), detour_global());
    result.gc = free(gc, detour_local(), detour_global());
    result.gd = free(gd, detour_local(), detour_global());
    result.any = either(min, nm);  // line 16
    if (s_.rule.minimal_global && !min.empty()) result.any = min;
    Decision& decision = result.decision;
    flag(decision, result.ga, 0), flag(decision, result.gb, 1), flag(decision, result.gc, 2),
        flag(decision, result.gd, 3);
    flag(decision, result.any, 6);
    if (!result.ga.empty()) return route_to(result.ga, HopClass::ga, decision);
    if (!result.gb.empty()) return route_to(result.gb, HopClass::gb, decision);
    if (!result.gc.empty()) return route_to(result.gc, HopClass::gc, decision);
    if (!result.gd.empty()) return route_to(result.gd, HopClass::gd, decision);
    if (!result.any.empty()) return route_to(result.any, HopClass::fallback, decision);
  }

  /// "route with {l}": one router of the chosen set, then one local port to it or one own global port.
  void route_to(const Ports& chosen, HopClass hop_class, Decision& decision) const {
    std::map<int, Ports> by_router;
    for (int g : chosen) by_router[g / h_].insert(g % h_);
    Ports routers;
    for (const auto& entry : by_router) routers.insert(entry.first);
    const int low_byte = s_.lfsr % 256, high_byte = s_.lfsr / 256;
    const int winner = pick(routers, low_byte, 256);
    int port;
    if (winner == rs_) {
      port = first_global() + pick(by_router[winner], high_byte, 256);
    } else {
      Ports free_places, places;
      for (int k = 0; k < 6; ++k) {
        const int l = table_c_.at(winner)[k];
        if (l < 0) continue;
        places.insert(k);
        if (!s_.cong_local.count(l)) free_places.insert(k);
      }
      port = table_c_.at(winner)[pick(free_places.empty() ? places : free_places, high_byte, 256)];
    }
    leave(port, hop_class, winner, decision);
  }

  // ---- Algorithm 1, lines 17 to 22

  void all_other(Answer& result) const {
    Ports le, lf;
    if (result.zone != '-') le = ones(s_.entry_a, num_ports());                        // line 18
    if (result.zone == 'B' || result.zone == 'G') lf = ones(s_.entry_b, num_ports());  // line 19
    if (result.zone == 'G') {                                                          // filter F
      lf = both(lf, result.transit ? range(p_, a_ - 1) : range(first_global(), h_));
    }
    result.s1 = without(le, s_.cong_local);   // line 20
    result.s2 = without(lf, detour_local());  // line 21
    result.any = either(le, lf);              // line 22
    if (s_.rule.minimal_local && !le.empty()) result.any = le;
    Decision& decision = result.decision;
    flag(decision, result.s1, 4), flag(decision, result.s2, 5), flag(decision, result.any, 6);
    if (!result.s1.empty()) return leave(pick(result.s1, s_.lfsr, 65536), HopClass::le, 0, decision);
    if (!result.s2.empty()) return leave(pick(result.s2, s_.lfsr, 65536), HopClass::lf, 0, decision);
    if (!result.any.empty()) return leave(pick(result.any, s_.lfsr, 65536), HopClass::fallback, 0, decision);
  }

  // ---- the end of both

  static void flag(Decision& decision, const Ports& ports, int bit) {
    if (!ports.empty()) decision.nonempty = static_cast<uint8_t>(decision.nonempty + (1 << bit));
  }

  /// The channel rule of §3.2; a packet that would need a fifth channel stays unroutable.
  void leave(int port, HopClass hop_class, int router, Decision& decision) const {
    const int in = static_cast<int>(s_.port_class), out = level(port);
    int vc = 0;
    if (in > 0) vc = out >= in ? s_.request.vc + 1 : s_.request.vc;
    if (vc > 3) return;
    decision.hop_class = hop_class;
    decision.port = static_cast<uint8_t>(port);
    decision.vc = static_cast<uint8_t>(vc);
    decision.router = static_cast<uint8_t>(router);
  }

  const Situation& s_;
  const int p_, a_, h_, g_, rs_, gs_, rd_, gd_;
  std::map<int, std::vector<int>> table_c_;
};

std::ostream& operator<<(std::ostream& out, const Ports& ports) {
  out << "{";
  for (int port : ports) out << " " << port;
  return out << " }";
}

}  // namespace

Answer answer(const Situation& situation) { return Router(situation).run(); }

std::ostream& operator<<(std::ostream& out, const Situation& s) {
  const Address& to = s.request.dest;
  out << "dfly(" << s.size.p << "," << s.size.a << "," << s.size.h << "," << s.size.g << ")"
      << (s.absolute ? " absolute" : " direct") << ", router " << s.own.bid << " of group " << s.own.gid << ", "
      << to_string(s.port_class) << " port, destination " << to.gid << "." << to.bid << "." << to.nid
      << ", source group " << s.request.src_gid << ", VC " << s.request.vc << std::hex << ", entry A 0x" << s.entry_a
      << ", entry B 0x" << s.entry_b << ", LFSR 0x" << s.lfsr << ", table C";
  for (uint64_t word : s.table_c) out << " 0x" << word;
  out << std::dec << ", congested local " << s.cong_local << ", congested global " << s.cong_global;
  return out << ", busy local " << s.busy_local << ", busy global " << s.busy_global << ", rule " << s.rule.second_maps
             << s.rule.minimal_global << s.rule.minimal_local;
}

}  // namespace odonata::route_compute::oracle
