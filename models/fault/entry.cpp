// SPDX-License-Identifier: Apache-2.0
#include "models/fault/entry.h"

namespace odonata::fault {

namespace {

PortMap bit(int port) { return 1ull << port; }

/// Cabled global ports of router `own` that do not lead to group `to` (to = -1: all cabled).
PortMap global_ports_but(const Dragonfly& d, RouterId own, int to) {
  PortMap map = 0;
  for (int i = 0; i < d.h(); ++i) {
    const int group = d.group_of_port(own.gid, own.bid * d.h() + i);
    if (group >= 0 && group != to) map |= bit(d.global_port(i));
  }
  return map;
}

void fill_global_zone(const Dragonfly& d, RouterId own, int to, const table::ConfigurationPolicy& policy,
                      RowConfig& row) {
  if (to == own.gid) return;
  const int direct = d.port_to_group(own.gid, to), attached = direct / d.h();
  const bool minimal = attached == own.bid;
  const PortMap way = minimal ? bit(d.global_port(direct % d.h())) : bit(d.local_port(own.bid, attached));
  const PortMap others = global_ports_but(d, own, to);
  row.node.a = way;
  row.node.b = others;
  for (int port : table::nonminimal_neighbours(d, own, to, policy)) row.node.b |= bit(port);
  row.global.a = way;
  if (minimal) {
    row.local.a = way;
    if (policy.minimal_router == table::MinimalRouterPolicy::examples) row.local.b = others;
  } else {
    row.local.b = others | way;
    row.global.b = row.local_ports & ~way;
  }
}

}  // namespace

EntryId entry_of_row(const Dragonfly& d, int row) {
  if (row < d.p()) return {Zone::node, row};
  if (row < d.p() + d.a()) return {Zone::group_local, row - d.p()};
  return {Zone::global, row - d.p() - d.a()};
}

int row_of_entry(const Dragonfly& d, EntryId id) {
  if (id.zone == Zone::node) return id.index;
  return id.zone == Zone::group_local ? d.p() + id.index : d.p() + d.a() + id.index;
}

EntryId aim(const Message& m, RouterId own) {
  if (m.prefix == 1 || m.gid != own.gid) return {Zone::global, m.gid};
  if (m.prefix == 2 || m.bid != own.bid) return {Zone::group_local, m.bid};
  return {Zone::node, m.nid};
}

Options RowConfig::at(const Dragonfly& d, int port) const {
  switch (d.port_class(port)) {
    case PortClass::node:
      return node;
    case PortClass::local:
      return {local.a & ~bit(port), local.b & ~bit(port)};
    default:
      break;
  }
  if (id.zone == Zone::global && !(global_ports >> port & 1)) return {};
  const PortMap a = global.a & ~bit(port);
  return {a, a != 0 ? global.b : 0};
}

RowConfig row_config(const Dragonfly& d, RouterId own, EntryId id, Mode mode,
                     const table::ConfigurationPolicy& policy) {
  RowConfig row;
  row.id = id;
  row.local_ports = low_mask(d.a() - 1) << d.first_local();
  row.global_ports = global_ports_but(d, own, -1);
  if (id.zone == Zone::node) {
    row.node.a = row.local.a = row.global.a = bit(id.index);
  } else if (id.zone == Zone::global) {
    fill_global_zone(d, own, id.index, policy, row);
  } else if (id.index != own.bid) {
    const PortMap way = bit(d.local_port(own.bid, id.index));
    row.node.a = row.local.a = row.global.a = way;
    row.node.b = row.local_ports & ~way;
    if (mode == Mode::safe) row.global.b = row.node.b;
  }
  return row;
}

Scope scope_of(const Message& m, const Dragonfly& d, RouterId own, int fp) {
  if (!d.is_local_port(fp) || (m.gid == own.gid && m.prefix >= 2) || m.prefix == 0) return Scope::all;
  return m.message_class == MessageClass::d ? Scope::d : Scope::s;
}

Level level_of(const Message& m, Mode mode, EntryId id) {
  if (m.kind == Kind::recovery) return Level::full;
  if (mode == Mode::paper || m.prefix < 2 || id.zone != Zone::global) return Level::lost;
  return m.prefix == 2 && m.nid == kGatewayOnly ? Level::gateway : Level::partial;
}

bool set_option(const Dragonfly& d, PortClass at, const Options& configured, int fp, Level level, Scope scope,
                Marks& marks) {
  if (scope == Scope::none) return false;
  const PortMap f = bit(fp);
  bool changed = false;
  if ((configured.a & f) != 0 && scope != Scope::s && marks.a != level) {
    marks.a = level;
    changed = true;
  }
  const bool hits_b = scope == Scope::all || (scope == Scope::d) == (at != PortClass::node);
  if ((configured.b & f) == 0 || !hits_b) return changed;
  if (level != Level::full && at != PortClass::node && d.is_local_port(fp)) level = Level::lost;
  const PortMap lost = level == Level::lost || level == Level::gateway ? marks.lost_b | f : marks.lost_b & ~f;
  const PortMap partial =
      level == Level::partial || level == Level::gateway ? marks.partial_b | f : marks.partial_b & ~f;
  changed |= lost != marks.lost_b || partial != marks.partial_b;
  marks.lost_b = lost;
  marks.partial_b = partial;
  return changed;
}

namespace {

Level level_of_set(PortMap set, const Marks& m) {
  if ((set & ~m.lost_b & ~m.partial_b) != 0) return Level::full;
  if ((set & ~m.lost_b) != 0) return Level::partial;
  return (set & m.gateway_b()) != 0 ? Level::gateway : Level::lost;
}

/// Level of table A together with a part of table B; full when nothing is configured.
Level level_of_options(bool has_a, PortMap set_b, const Marks& m) {
  if (!has_a && set_b == 0) return Level::full;
  return best(has_a ? m.a : Level::lost, level_of_set(set_b, m));
}

}  // namespace

Marks without_unheard(const Options& o, const Marks& marks, PortMap unheard) {
  Marks m = marks;
  m.lost_b |= o.b & unheard;
  m.partial_b &= ~unheard;
  if ((o.a & unheard) != 0) m.a = Level::lost;
  return m;
}

void update_level(const RowConfig& row, PortClass at, const Options& o, Mode mode, bool isolated, PortMap unheard,
                  Marks& marks) {
  if (at == PortClass::node || row.id.zone == Zone::node) return;
  const bool has_a = o.a != 0;
  const Marks m = without_unheard(o, marks, unheard);
  if (row.id.zone == Zone::group_local) {
    if (at == PortClass::local || mode == Mode::paper || !has_a || m.a == Level::full) {
      marks.level[0] = has_a ? m.a : Level::full;
    } else if (isolated) {
      marks.level[0] = Level::gateway;
    } else if ((o.a & unheard) == 0 ||
               marks.a != Level::full) {  // else as it was: the way round is no news, the end mark will decide
      marks.level[0] = (o.b & ~m.lost_b) != 0 ? Level::partial : Level::full;  // full: withdrawn, the router is dead
    }
  } else if (at == PortClass::local) {
    marks.level[0] = level_of_options(has_a, o.b & row.local_ports, m);
    marks.level[1] = level_of_options(has_a, o.b & row.global_ports, m);
  } else {
    marks.level[0] = level_of_options(has_a, o.b, m);
  }
}

Options effective(const RowConfig& row, PortClass at, const Options& o, const Marks& m, bool transit, int vc) {
  const bool sides = row.id.zone == Zone::global && at == PortClass::local;
  const PortMap side = sides ? (transit ? row.local_ports : row.global_ports) : ~PortMap{0};
  Options valid{m.a == Level::lost || m.a == Level::gateway ? 0 : o.a, o.b & side & ~m.lost_b};
  if ((valid.a | valid.b) == 0) valid = {m.a == Level::gateway ? o.a : 0, o.b & side & m.gateway_b()};
  const bool detours = row.id.zone == Zone::group_local && at == PortClass::global;
  return {valid.a, detours && (valid.a != 0 || vc > kHighestDetourVc) ? 0 : valid.b};
}

EntryWords masked_words(const Dragonfly& d, PortClass at, EntryId id, EntryWords configured, const Options& keep) {
  if (at != PortClass::node || id.zone != Zone::global) return {configured.a & keep.a, configured.b & keep.b};
  table::GlobalEntryA a = table::GlobalEntryA::decode(configured.a);
  if (a.own_router) a.global_ports &= static_cast<uint32_t>(keep.a >> d.first_global());
  if (a.own_router ? a.global_ports == 0 : (a.port == kNoPort || !(keep.a >> a.port & 1))) a = {};
  table::GlobalEntryB b = table::GlobalEntryB::decode(configured.b);
  b.own_global_ports &= static_cast<uint32_t>(keep.b >> d.first_global());
  for (int& port : b.port) {
    if (port != kNoPort && !(keep.b >> port & 1)) port = kNoPort;
  }
  return {a.encode(), b.encode()};
}

Options options_of_words(const Dragonfly& d, PortClass at, EntryId id, const EntryWords& words) {
  if (at != PortClass::node || id.zone != Zone::global) return {words.a, words.b};
  const table::GlobalEntryA a = table::GlobalEntryA::decode(words.a);
  const table::GlobalEntryB b = table::GlobalEntryB::decode(words.b);
  Options o;
  if (a.own_router) {
    o.a = static_cast<PortMap>(a.global_ports) << d.first_global();
  } else if (a.port != kNoPort && words.a != 0) {
    o.a = 1ull << a.port;
  }
  if (words.b == 0) return o;
  o.b = static_cast<PortMap>(b.own_global_ports) << d.first_global();
  for (const int port : b.port) {
    if (port != kNoPort) o.b |= 1ull << port;
  }
  return o;
}

}  // namespace odonata::fault
