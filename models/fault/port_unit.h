// SPDX-License-Identifier: Apache-2.0
// The port unit of the fault plane, cycle by cycle (docs/fault.md §5, §6.1): travel, match, action, accessibility,
// output queue.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "models/common/cycle_device.h"
#include "models/fault/entry.h"
#include "models/fault/fault_port_pins.h"
#include "models/fault/packet.h"

namespace odonata::fault {

/// Command kinds of the ring, 2 bits.
enum class CommandKind : uint8_t { link_down = 0, link_up = 1, diagnosis = 2, recovery = 3 };

inline constexpr int kMaxBanks = 8;  ///< rows that a step of a banked travel handles at most

/// The classes of an entry about which something has to be done.
struct Speech {
  bool changes[2] = {false, false};  ///< told differs from level
  bool message[2] = {false, false};  ///< and a message leaves
};
/// What a port says about an entry with these marks. `others_full`: told of all other B entries of the port is full.
/// `across`: a B entry of a global port.
Speech speech_about(const Marks& marks, PortClass at, Recovery recovery, bool across, bool others_full);

/// Commands that can wait in front of a unit when the scheduler is pipelined (docs/fault.md §6.1).
constexpr int command_depth(int stations, int ring_hop) { return 1 + ((stations - 1) * ring_hop + 2) / 4; }

/// Whether a command at a unit walks all rows: link events, and FRs of a whole port.
inline bool command_travels(const PortInputs& c) {
  return c.cmd_kind < 2 || (c.cmd_kind == 3 && (c.port_level || decode_message(c.cmd_message).prefix == 0));
}
/// Ports that have not been heard after a command has been taken (docs/fault.md §4).
PortMap unheard_after(const Dragonfly& d, const PortInputs& command, PortMap unheard);
/// The scope of a command, and the level that it gives to option Fp of an entry.
Scope scope_of_command(const Dragonfly& d, const PortInputs& command);
Level level_of_command(const PortInputs& command, EntryId id);
/// Whether the unit's link has come up, so that an end mark follows what it tells.
inline bool announces(const PortInputs& c) {
  return c.cmd_kind == 1 && c.cmd_port == c.own_port && !c.port_level &&
         c.port_class != static_cast<uint8_t>(PortClass::node);
}

class PortUnit final : public CycleDevice<PortInputs, PortOutputs> {
 public:
  enum class State : uint8_t { idle = 0, read = 1, execute = 2, second = 3, tell = 4, tell_second = 5, port_tell = 6 };
  static constexpr int kQueueDepth = 8;

  /// `banks`: rows a step of a travel, 1..kMaxBanks. `command_depth`: commands that may wait, 0 without a pipelined
  /// scheduler.
  explicit PortUnit(const Dragonfly& d, int banks = 1, int command_depth = 0);
  void step(const PortInputs& in, PortOutputs& out) override;
  std::vector<std::string> describe() const override;

  // For a table outside (docs/router.md §3.2), while the unit is idle:
  /// Configures a row and clears its marks.
  void configure(int row, const Options& options);
  /// Clears all marks.
  void forget_marks();

  // For tests and coverage: what the unit did in the cycle that ended at the last edge.
  State state() const { return state_; }
  const PortInputs& command() const { return command_; }
  const Marks& marks(int row) const { return marks_[row]; }
  const Options& configured(int row) const { return configured_[row]; }
  PortMap unheard() const { return unheard_; }
  int queue_size() const { return static_cast<int>(queue_.size()); }
  int row() const { return row_; }
  int rows() const { return static_cast<int>(configured_.size()); }
  const PortInputs& sampled() const { return in_; }

 private:
  bool restores() const { return command_.cmd_kind == 1 || command_.cmd_kind == 3; }
  bool travels() const { return command_travels(command_); }
  bool full() const { return queue_.size() >= kQueueDepth; }
  int lanes() const { return travels() ? std::min(banks_, rows() - row_) : 1; }
  RowConfig row_config_of(int row) const;
  void cycle(PortOutputs& out);
  void idle(PortOutputs& out);
  void take_command();
  void read();
  void execute(PortOutputs& out);
  bool act(int row);
  void show_write(int lane, PortOutputs& out) const;
  void tell();
  void save();
  void restore();
  bool speak();
  void judge(int row);
  void say_next();
  void port_tell();
  bool group_accessible(int row) const;
  bool all_accessible() const;
  void next_step();
  void finish_pass();

  Dragonfly d_;
  int banks_, depth_;
  std::vector<Options> configured_;
  std::vector<Marks> marks_;
  std::array<Marks, kMaxBanks> saved_;  ///< marks of the step before this cycle
  std::deque<uint32_t> queue_, due_;    ///< output queue; messages of the step at work
  std::deque<PortInputs> commands_;
  PortInputs in_;       ///< the input registers
  PortInputs command_;  ///< the command at work
  State state_ = State::idle;
  int row_ = 0;          ///< first row of the step
  PortMap unheard_ = 0;  ///< ports whose neighbour has not said everything since the link came up
  bool check_tag_ = false;
  uint16_t fd_count_ = 0, fr_count_ = 0, wait_ram_ = 0, wait_queue_ = 0;
};

}  // namespace odonata::fault
