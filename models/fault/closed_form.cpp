// SPDX-License-Identifier: Apache-2.0
#include "models/fault/closed_form.h"

namespace odonata::fault {

ClosedForm::ClosedForm(const FaultPlaneNetwork& network, bool withdraws)
    : d_(network.dragonfly()), mode_(network.parameters().mode), withdraws_(withdraws) {
  const int routers = d_.num_routers();
  up_.resize(routers);
  for (int r = 0; r < routers; ++r) {
    for (int port = 0; port < d_.num_ports(); ++port) {
      if (network.link_up(r, port)) up_[r] |= 1ull << port;
    }
  }
  direct_.resize(static_cast<size_t>(d_.g()) * d_.g());
  detour_.resize(static_cast<size_t>(routers) * d_.g());
  intermediate_ = source_ = detour_;
  for (int x = 0; x < d_.g(); ++x) {
    for (int to = 0; to < d_.g(); ++to) {
      if (x != to) direct_[at(x, to)] = direct_level(x, to);
    }
  }
  const auto each = [&](auto&& f) {
    for (int r = 0; r < routers; ++r) {
      for (int to = 0; to < d_.g(); ++to) {
        if (to != d_.router(r).gid) f(d_.router(r), to, d_.attached_router(d_.router(r).gid, to), at(r, to));
      }
    }
  };
  each([&](RouterId s, int to, int attached, size_t i) {
    const Level way = direct(s.gid, to);
    detour_[i] = s.bid == attached ? way : live(s, attached) && way == Level::full ? Level::full : Level::lost;
  });
  each([&](RouterId r, int to, int attached, size_t i) {
    const bool minimal = r.bid == attached;
    Level level = minimal || live(r, attached) ? direct(r.gid, to) : Level::lost;
    for (int s = 0; s < d_.a() && !minimal; ++s) {
      const bool other = s != r.bid && s != attached;
      if (other && live(r, s) && detour({r.gid, s}, to) == Level::full) level = Level::full;
    }
    intermediate_[i] = level;
  });
  each([&](RouterId s, int to, int, size_t i) {
    Level level = Level::lost;
    for (int k = 0; k < d_.h(); ++k) {
      const int group = d_.group_of_port(s.gid, s.bid * d_.h() + k);
      if (group >= 0) level = best(level, global_port(s.gid, group, to));
    }
    source_[i] = level;
  });
}

bool ClosedForm::live(RouterId r, int bid) const {
  return r.bid == bid || (up_[d_.router_index(r)] >> d_.local_port(r.bid, bid) & 1) != 0;
}

bool ClosedForm::live_global(int gid, int to) const {
  const int j = d_.port_to_group(gid, to);
  return up_[d_.router_index({gid, j / d_.h()})] >> d_.global_port(j % d_.h()) & 1;
}

Level ClosedForm::direct_level(int gid, int to) const {
  if (!live_global(gid, to)) return Level::lost;
  const RouterId entry{to, d_.attached_router(to, gid)};
  bool any_local = false, harmed = false;
  for (int b = 0; b < d_.a(); ++b) any_local |= b != entry.bid && live(entry, b);
  for (int b = 0; b < d_.a(); ++b) {
    if (b == entry.bid || live(entry, b)) continue;
    bool detours = false;
    for (int s = 0; s < d_.a(); ++s) detours |= s != entry.bid && s != b && live(entry, s) && live({to, s}, b);
    harmed |= !withdraws_ || mode_ == Mode::paper || detours || !any_local;  // otherwise b is dead: withdrawn
  }
  if (!harmed) return Level::full;
  if (mode_ == Mode::paper) return Level::lost;
  return any_local ? Level::partial : Level::gateway;
}

Level ClosedForm::global_port(int gid, int group, int to) const {
  if (group == to) return direct(gid, to);
  if (!live_global(gid, group)) return Level::lost;
  return intermediate({group, d_.attached_router(group, gid)}, to);
}

Level ClosedForm::option(int router, EntryId id, int in, int out, bool table_b) const {
  const RouterId own = d_.router(router);
  const PortClass at = d_.port_class(in), through = d_.port_class(out);
  const auto level = [](bool ok) { return ok ? Level::full : Level::lost; };
  if (id.zone == Zone::node) return level(up_[router] >> out & 1);
  const int next = through == PortClass::local ? d_.neighbour(own.bid, out) : own.bid;
  if (id.zone == Zone::group_local) return level(live(own, next) && (!table_b || live({own.gid, next}, id.index)));
  const int to = id.index;
  if (through == PortClass::global) {
    return global_port(own.gid, d_.group_of_port(own.gid, own.bid * d_.h() + out - d_.first_global()), to);
  }
  if (!live(own, next)) return Level::lost;
  if (at == PortClass::node) return table_b ? source({own.gid, next}, to) : direct(own.gid, to);
  if (at == PortClass::global && !table_b) return direct(own.gid, to);
  // Class D of a local port, and detours in an intermediate group: partial counts as lost.
  return level(at == PortClass::local ? direct(own.gid, to) == Level::full
                                      : detour({own.gid, next}, to) == Level::full);
}

namespace {

bool between(Level best, Level x, Level worst) { return rank(best) <= rank(x) && rank(x) <= rank(worst); }

std::string difference(const Dragonfly& d, int router, EntryId id, int in, int out, char table, Level want,
                       Level have) {
  const RouterId r = d.router(router);
  const char zone = id.zone == Zone::node ? 'N' : id.zone == Zone::group_local ? 'B' : 'G';
  return "G" + std::to_string(r.gid) + ".s" + std::to_string(r.bid) + " port " + std::to_string(in) + ", zone " + zone +
         " entry " + std::to_string(id.index) + ", table " + table + ", option port " + std::to_string(out) +
         ": closed form says " + std::string(to_string(want)) + ", the table has " + std::string(to_string(have));
}

}  // namespace

std::string compare_with_closed_form(const FaultPlaneNetwork& network) {
  const Dragonfly& d = network.dragonfly();
  const ClosedForm form(network), least(network, network.parameters().recovery == Recovery::per_entry);
  for (int router = 0; router < d.num_routers(); ++router) {
    if (!network.here(router) || !network.alive(router)) continue;
    for (int row = 0; row < num_rows(d); ++row) {
      const RowConfig config = network.config(router, row);
      for (int s = 0; s < network.num_slots(); ++s) {
        const int in = network.port_of_slot(s);
        const Options o = config.at(d, in);
        const Marks m = network.marks(router, row, in);
        if (o.a != 0) {
          const int out = std::countr_zero(o.a);
          const Level want = form.option(router, config.id, in, out, false);
          if (want != m.a && !between(want, m.a, least.option(router, config.id, in, out, false)))
            return difference(d, router, config.id, in, out, 'A', want, m.a);
        }
        for (PortMap left = o.b; left != 0; left &= left - 1) {
          const int out = std::countr_zero(left);
          const Level want = form.option(router, config.id, in, out, true);
          const Level have = m.level_b(1ull << out);
          if (want != have && !between(want, have, least.option(router, config.id, in, out, true)))
            return difference(d, router, config.id, in, out, 'B', want, have);
        }
      }
    }
  }
  return "";
}

}  // namespace odonata::fault
