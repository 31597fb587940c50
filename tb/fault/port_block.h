// SPDX-License-Identifier: Apache-2.0
// How the port unit of the fault plane plugs into the lockstep harness, its stimulus and its coverage.
#pragma once

#include <memory>

#include "models/common/random.h"
#include "models/fault/port_unit.h"
#include "tb/fault/fault_port_block.h"
#include "tb/harness/coverage.h"
#include "tb/harness/stimulus.h"

namespace odonata::cosim {

using FaultPortDevice = RtlDevice<FaultPortBlock>;

/// Random commands at a random port of a random router, on real tables: an episode starts with a reset and a
/// configuration and keeps its mode, RAM contention and back-pressure; its commands keep to a few rows, so that entries
/// run empty and come back. In some episodes identity and tables are any, so that every bit of an address and every
/// combination of options occurs.
class PortStimulus final : public Stimulus<fault::PortInputs, fault::PortOutputs> {
 public:
  /// `command_depth`: commands that may be sent while the unit works.
  PortStimulus(const Dragonfly& d, uint64_t seed, int command_depth = 0)
      : d_(d), random_(seed), depth_(command_depth) {}
  bool next(const fault::PortOutputs& last, fault::PortInputs& in) override;
  /// From now on every episode walks: all rows with an FD and its FR, all ports with link down, link up and end mark;
  /// the classes of port and the modes take turns.
  void walk() { episode_ = 0; }

 private:
  void new_episode();
  void begin_walk();
  void step_walk(fault::PortInputs& in);
  void load(fault::PortInputs& in);
  void command(fault::PortInputs& in);
  void undo(fault::PortInputs& in);
  void end_mark(fault::PortInputs& in);
  void note(const fault::PortInputs& in);
  fault::Message message(fault::EntryId id, fault::Kind kind);
  Dragonfly d_;
  Random random_;
  int depth_;
  fault::PortInputs base_;  ///< the quasi-static pins
  RouterId own_;
  fault::Mode mode_ = fault::Mode::safe;
  bool wild_ = false;                   ///< any identity, any table
  bool narrow_ = false;                 ///< and one or two options a row
  bool undoes_ = false;                 ///< every failure is repaired at once
  fault::PortInputs last_;              ///< the last command; cmd_valid: it failed something
  std::vector<fault::Options> loaded_;  ///< by row
  double read_ = 0, ready_ = 1, travels_ = 0.1, failing_ = 0.5;
  bool open_ = true;        ///< the link takes messages (ready_ < 0: for a while all, for a while none)
  std::vector<int> rows_;   ///< favourites of the episode
  std::vector<int> ports_;  ///< and failing ports
  PortMap unheard_ = 0;     ///< ports that wait for an end mark
  int episode_ = -1;        ///< of the walk; -1: none
  int walked_ = 0;          ///< commands of the walk so far
  int step_ = 0, commands_ = 0, gap_ = 0;
};

/// Functional coverage of the unit; fed with what the golden unit is doing.
class PortCoverage {
 public:
  explicit PortCoverage(const Dragonfly& d);
  void sample(const fault::PortInputs& in, const fault::PortOutputs& out, const fault::PortUnit& unit);
  const Coverage& coverage() const { return coverage_; }

 private:
  Dragonfly d_;
  Coverage coverage_;
  int commands_ = 0, writes_ = 0, messages_ = 0, waits_ = 0, levels_ = 0, aims_ = 0, special_ = 0, unheard_ = 0;
  PortMap last_unheard_ = 0;
  int last_row_ = 0;
  uint16_t last_wait_ram_ = 0, last_wait_queue_ = 0, last_fd_ = 0, last_fr_ = 0;
  fault::PortUnit::State last_state_ = fault::PortUnit::State::idle;
};

/// What a walk has to reach at any size (docs/verification.md): every row with an FD and an FR that change its marks,
/// at every class of port; every port as Fp of every kind of command; own groups and messages with every bit of the
/// address.
class PortReach {
 public:
  explicit PortReach(const Dragonfly& d)
      : d_(d), rows_(static_cast<size_t>(fault::num_rows(d)) * 3), ports_(static_cast<size_t>(d.num_ports())) {}
  void sample(const fault::PortOutputs& out, const fault::PortUnit& unit);
  /// What is missing, in words; empty: nothing.
  std::string missing() const;

 private:
  Dragonfly d_;
  std::vector<uint8_t> rows_;      ///< by row and class of port: bit 0 an FD, bit 1 an FR
  std::vector<uint8_t> ports_;     ///< by port: a bit a kind of command, bit 4 the end mark
  uint32_t ones_ = 0, zeros_ = 0;  ///< bits of the addresses of messages that hit
};

/// The port unit with four banks and a command queue of three (tiny only).
inline constexpr int kBeyondBanks = 4, kBeyondCommandDepth = 3;
inline RtlParameters beyond_parameters(const Dragonfly& d) {
  RtlParameters wanted = rtl_parameters(d);
  wanted["Banks"] = kBeyondBanks;
  return wanted;
}

}  // namespace odonata::cosim
