// SPDX-License-Identifier: Apache-2.0
// SystemC: the data path of a router (docs/router.md §2): packets in buffers, two phases of separable allocation a
// cycle, credits, output FIFOs.
//
//   pins -> receive (the edge): buffers, answers, credits -> | links -> switch, twice -> output FIFOs |
//        (the cycle) -> pins
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "hw/common/clocked_module.h"
#include "hw/common/module_device.h"
#include "models/router/data_config.h"
#include "models/router/router_data_pins.h"

namespace odonata::router {

class DataPathModule : public sc_core::sc_module {
 public:
  DataPathModule(const sc_core::sc_module_name& name, hw::Tick& tick, const DataConfig& config,
                 hw::Drive<DataInputs> pins)
      : DataPathModule(name, tick.edge(), tick.settled(), config, std::move(pins)) {}
  /// Without the registers at its pins: `edge` comes when the pins show what that edge of the clock has made of the
  /// registers before them, `settled` one delta cycle later.
  DataPathModule(const sc_core::sc_module_name& name, const sc_core::sc_event& edge, const sc_core::sc_event& settled,
                 const DataConfig& config, hw::Drive<DataInputs> pins);
  /// The pins since the last edge settled.
  const DataOutputs& out() const { return out_; }
  /// What is on the links, leaves FIFOs and answers.
  void trace(sc_core::sc_trace_file* file) const override;

 protected:
  using Words = std::array<uint64_t, 4>;
  /// Where a packet goes, as soon as route compute has said so; its flits share it.
  struct Packet {
    int vc = 0;
    bool answered = false;
    bool begun = false;  ///< its head has left
    int out_port = 0, out_vc = 0;
  };
  struct Flit {
    Words words{};
    bool head = false, tail = false;
    bool poisoned = false;  ///< made here, in a slot that nobody knows of
    std::shared_ptr<Packet> packet;
  };
  struct Input {
    std::array<std::deque<Flit>, kNumVcs> buffer;
    std::array<std::shared_ptr<Packet>, kNumVcs> arriving;  ///< whose tail has not come; null: none
    std::array<std::shared_ptr<Packet>, 4> asked;           ///< by age of the request; null: none
    std::array<int, kNumVcs> freed{};                       ///< slots, in this cycle
    int next_vc = 0;
  };
  struct Output {
    bool node = false;
    std::array<int, kNumVcs> credits{};
    std::array<bool, kNumVcs> held{};
    std::deque<Words> fifo;
    bool shown = false;  ///< the first flit has been announced to the monitor
    int next_input = 0;
  };
  // Virtual, so that a test can plant a bug.
  virtual void take_credits(const DataInputs& in);
  virtual bool is_open(const Output& out, const Flit& flit) const;
  virtual int next_input(int granted) const { return (granted + 1) % ports(); }
  virtual void die();
  /// The packet that is arriving ends here.
  virtual void cut(Input& in, int vc);
  virtual int64_t cycles_of_a_turn() const { return config_.turn_cycles; }

  int ports() const { return static_cast<int>(inputs_.size()); }
  std::vector<Input>& inputs() { return inputs_; }
  std::vector<Output>& outputs() { return outputs_; }
  int longest() const { return longest_; }  ///< flits of a packet
  bool has_way(const Packet& p) const { return p.out_port < ports(); }

 private:
  void receive();
  void cycle();
  void reset();
  void take_answers(const DataInputs& in);
  void take_flits(const DataInputs& in);
  void link(PortMap slot_taken);
  void give_turn();
  void switch_phase(int phase);
  int choose(const Input& in) const;
  Flit give_up(int port, int vc);
  void drop(int port, int vc, int phase);
  void grant(int in_port, int vc, int out_port, int phase);

  const DataConfig config_;
  hw::Drive<DataInputs> pins_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  int longest_ = 1;
  int64_t cycle_ = 0;  ///< since the reset
  bool reset_ = false;
  PortMap slot_taken_ = 0, link_down_ = 0;
  DataOutputs out_;
};

/// `Module` is DataPathModule or, in tests, a subclass with a planted bug.
template <class Module>
struct BasicDataPathDevice final : hw::ModuleDevice<Module, DataInputs, DataOutputs> {
  explicit BasicDataPathDevice(const DataConfig& config)
      : hw::ModuleDevice<Module, DataInputs, DataOutputs>([&](hw::Tick& tick, hw::Drive<DataInputs> pins) {
          return std::make_unique<Module>("router_data", tick, config, std::move(pins));
        }) {}
};
using DataPathDevice = BasicDataPathDevice<DataPathModule>;

}  // namespace odonata::router
