// SPDX-License-Identifier: Apache-2.0
// The manager of a fat-tree: what it tells the switches when a leaf fails or comes back, and in which cycle each of
// them knows (VTFTR §2.1). docs/vtftr.md §6.
#pragma once

#include <vector>

#include "models/vtftr/knowledge.h"

namespace odonata::vtftr {

/// What a message does; the values are the codes of its field.
enum class UpdateOp : uint8_t { fail = 0, repair = 1, column_first = 2, reserved = 3 };

/// The manager's message about one leaf: 22 bits {op[21:20], x[19:13], y[12:6], column_masked[5], row_masked[4],
/// column_first[3], epoch[2:0]}. It holds the new mask bits, so that no switch has to count faults.
struct UpdateMessage {
  UpdateOp op = UpdateOp::fail;
  int x = 0, y = 0;
  bool column_masked = false, row_masked = false;  ///< column x (row y) holds a fault now
  bool column_first = false;
  int epoch = 0;  ///< number of the message, modulo 8
  bool operator==(const UpdateMessage&) const = default;
};
uint32_t pack(const UpdateMessage& message);
UpdateMessage unpack(uint32_t bits);

/// What a message changes at the leaf (own_x, own_y).
inline void apply(const UpdateMessage& m, int own_x, int own_y, LeafTables& tables) {
  tables.column_first = m.column_first;
  if (m.op > UpdateOp::repair) return;
  const bool dead = m.op == UpdateOp::fail;
  if (m.y == own_y) dead ? tables.row_dead.set(m.x) : tables.row_dead.clear(m.x);
  if (m.x == own_x) dead ? tables.column_dead.set(m.y) : tables.column_dead.clear(m.y);
}
/// What it changes at the roots of a dimension.
inline void apply(const UpdateMessage& m, int dimension, LineMap& mask) {
  if (m.op > UpdateOp::repair) return;
  const bool masked = dimension == kRow ? m.column_masked : m.row_masked;
  const int line = dimension == kRow ? m.x : m.y;
  masked ? mask.set(line) : mask.clear(line);
}

/// The set of faults that the manager knows.
class Manager {
 public:
  explicit Manager(const FatTree& tree) : known_(tree) {}
  /// The message for a leaf that has failed (dead) or come back. Throws Error when it lies outside the grid.
  UpdateMessage serve(LeafId leaf, bool dead);
  /// What a leaf that has come back has missed: after the message of its repair those of the dead leaves of its row and
  /// column again, in the order of their numbers. Of other switches only roots learn by them that have missed messages.
  std::vector<UpdateMessage> again(LeafId back);
  const FaultSet& known() const { return known_; }

 private:
  FaultSet known_;
  int epoch_ = 0;
};

/// Durations in cycles of 1 ns.
struct ManagerTiming {
  int detect = 16;  ///< a root debounces its links
  int hop = 35;     ///< a link and the switch behind it
  int nic = 48;     ///< into or out of the manager's node
  int service = 1000;
  int retry = 200;  ///< until a message is sent again whose leaf does not acknowledge it
  int gap = 80;     ///< between two messages, at least: all copies of the first have come before the second does
  int leaf_update = 2;
  bool mask_form = false;  ///< roots: 2 cycles; else the walk through the table
  int root_update(int size) const { return mask_form ? 2 : size + 3; }
};

inline constexpr int64_t kNever = -1;

/// When the tables of the switches hold what a message says, in cycles after the change that it is about.
struct Reach {
  std::vector<int64_t> leaf;     ///< by number; kNever: not reached
  std::vector<int64_t> line[2];  ///< the same of the roots of a row, of a column (all rails alike)
};

/// When what happens after a leaf has failed or come back, in cycles after that.
struct ReconfigurationTimes : Reach {
  int64_t detected = 0;
  int64_t reported = 0;              ///< the first report has reached the manager; 0 there when none does
  int64_t served = 0;                ///< the message is ready to leave
  int report_hops = 0;               ///< of by_manager() -1: no report has a way
  int root_hops = 0, leaf_hops = 0;  ///< the longest of the broadcast
  std::vector<Reach> again;          ///< of the messages of Manager::again()

  /// The last of all that are told; kNever when none is.
  int64_t roots_done() const;
  int64_t leaves_done() const;
  int64_t done() const { return std::max(roots_done(), leaves_done()); }
  /// Any switch hears of it.
  bool heard() const { return done() != kNever; }
};

/// Hops from a leaf to every live switch: a link and a switch each.
struct Flood {
  std::vector<int> leaf;     ///< -1: not reached
  std::vector<int> line[2];  ///< row roots by row, column roots by column
};
Flood flood(const FatTree& tree, const FaultSet& dead, LeafId from);

/// Where the manager runs: at the live leaf of the lowest number.
LeafId manager_leaf(const FatTree& tree, const FaultSet& dead);

/// Over the manager: detection, report, service, broadcast, update. `dead`: after the change of `leaf`; `waits`: cycles
/// that the report waits until the manager has served others.
ReconfigurationTimes by_manager(const FatTree& tree, const FaultSet& dead, LeafId leaf, const ManagerTiming& timing,
                                int64_t waits = 0);
/// A leaf fails or comes back at a time.
struct LeafChange {
  int64_t ns = 0;
  LeafId leaf;
  bool dead = true;
};
/// Several changes in order of their times, which may follow each other as closely as they like: reports queue at the
/// manager, of those that come at once the one about the lowest leaf first; a message reaches what lives from when it
/// is passed on until its tables hold. One for each change, times after it; of a single one as by_manager().
std::vector<ReconfigurationTimes> by_manager_in_time(const FatTree& tree, std::span<const LeafChange> changes,
                                                     const ManagerTiming& timing);
/// Without a manager: the roots of the leaf's row and column tell their leaves, and these the roots across. Roots and
/// leaves that need not know are not reached.
ReconfigurationTimes by_neighbours(const FatTree& tree, const FaultSet& dead, LeafId leaf, const ManagerTiming& timing);

}  // namespace odonata::vtftr
