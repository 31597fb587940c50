// SPDX-License-Identifier: Apache-2.0
// One entry of a port's tables A and B as the fault plane sees it: configured options, their marks, and what they
// amount to (docs/readings.md §5; docs/fault.md §4). Options are physical output ports whatever the encoding of the
// table word.
#pragma once

#include "models/fault/types.h"
#include "models/table/configuration.h"

namespace odonata::fault {

using table::Zone;

/// Options of one entry. Table A names at most one port.
struct Options {
  PortMap a = 0;
  PortMap b = 0;
  bool operator==(const Options&) const = default;
};

/// The marks of an entry and what the neighbour behind the port was told. All zero: as configured. An option of B that
/// is marked lost and partial is *gateway only*.
struct Marks {
  PortMap lost_b = 0;
  PortMap partial_b = 0;  ///< always 0 in mode paper
  Level a = Level::full;
  Level level[2] = {Level::full, Level::full};  ///< accessibility, by class
  Level told[2] = {Level::full, Level::full};   ///< what the last message said, by class
  bool operator==(const Marks&) const = default;

  PortMap gateway_b() const { return lost_b & partial_b; }  ///< gateway only
  Level level_b(PortMap option) const {
    const bool lost = (lost_b & option) != 0, partial = (partial_b & option) != 0;
    return lost ? (partial ? Level::gateway : Level::lost) : partial ? Level::partial : Level::full;
  }
};

/// An entry's address in the tables: zone and index in it (nid, bid or gid). Rows are numbered N, B, G without gaps:
/// 0..p+a+g-1.
struct EntryId {
  Zone zone = Zone::node;
  int index = 0;
  bool operator==(const EntryId&) const = default;
};
inline int num_rows(const Dragonfly& d) { return d.p() + d.a() + d.g(); }
/// `row`: 0..num_rows()-1.
EntryId entry_of_row(const Dragonfly& d, int row);
int row_of_entry(const Dragonfly& d, EntryId id);
/// Function Aim (Alg. 2): the row that covers a message's address seen from router `own`.
EntryId aim(const Message& message, RouterId own);

/// What an entry contains at every port of a router. Ports differ only by what they leave out: the port itself (no
/// U-turns).
struct RowConfig {
  EntryId id;
  Options node, local, global;
  PortMap local_ports = 0, global_ports = 0;  ///< all local, all cabled global ports of the router

  /// The configured options at one port; empty at a port without a cable (zone G).
  Options at(const Dragonfly& d, int port) const;
};
/// Options of entry `id` at the ports of router `own`, as table::configure has them. In mode safe global ports also get
/// a B-zone table B: the emergency detours.
RowConfig row_config(const Dragonfly& d, RouterId own, EntryId id, Mode mode,
                     const table::ConfigurationPolicy& policy = {});

/// Which options of Fp a command touches: everything (link events, global Fp, own group), those of one class, or none
/// (end mark).
enum class Scope : uint8_t { all, d, s, none };
/// The scope of a message that arrived through port `fp`.
Scope scope_of(const Message& message, const Dragonfly& d, RouterId own, int fp);
/// The level that a message gives to option Fp of the entry it hits.
Level level_of(const Message& message, Mode mode, EntryId id);

/// Sets option Fp of an entry at a port of class `at` to a level. At local ports and in table B of global ports a local
/// port has no partial and no gateway: it counts as lost. Returns whether a mark changed.
bool set_option(const Dragonfly& d, PortClass at, const Options& configured, int fp, Level level, Scope scope,
                Marks& marks);

/// The marks as they count: options of *unheard* ports, whose neighbour has not said everything since the link came up,
/// are lost whatever their marks.
Marks without_unheard(const Options& configured, const Marks& marks, PortMap unheard);

/// Recomputes marks.level from the marks as they count. `isolated`: no local link of the router serves (only zone B of
/// global ports in mode safe asks).
void update_level(const RowConfig& row, PortClass at, const Options& configured, Mode mode, bool isolated,
                  PortMap unheard, Marks& marks);

/// The options that route compute may use: those that are full or partial, or, when there is none of these, those that
/// are gateway only. `transit`: the packet's source group is not the own one (side D of a local port's G entry). The
/// emergency detours show only when A is lost, and to packets that came on a channel `vc` <= kHighestDetourVc.
Options effective(const RowConfig& row, PortClass at, const Options& configured, const Marks& marks, bool transit,
                  int vc);
/// An emergency detour takes two more virtual channels of level local (docs/fault.md §4; docs/readings.md §5.11).
inline constexpr int kHighestDetourVc = 2;

/// The encoded table words without the options that are not in `keep` (for a node port's G entries the global format).
struct EntryWords {
  uint64_t a = 0, b = 0;
};
EntryWords masked_words(const Dragonfly& d, PortClass at, EntryId id, EntryWords configured, const Options& keep);

/// The options that two table words name, at ports of class `at`.
Options options_of_words(const Dragonfly& d, PortClass at, EntryId id, const EntryWords& words);

}  // namespace odonata::fault
