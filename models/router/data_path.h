// SPDX-License-Identifier: Apache-2.0
// Golden model of the data path of a router (docs/router.md §2): buffers, two-phase separable switch, credits, output
// FIFOs, cycle by cycle.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "models/common/bits.h"
#include "models/router/data_config.h"
#include "models/router/router_data_pins.h"

namespace odonata::router {

/// What keeps the first flit of a virtual channel from moving.
enum class Hindrance : uint8_t { none, empty, unanswered, fifo_full, held, credits };

class DataPath {
 public:
  explicit DataPath(const DataConfig& config = {});
  /// One edge and the cycle that begins with it.
  void step(const DataInputs& in);
  const DataOutputs& out() const { return out_; }

  const DataConfig& config() const { return config_; }
  /// Of the packet that is first in a virtual channel, once it is answered.
  struct Route {
    uint8_t port, vc;
  };
  Hindrance hindrance(int port, int vc) const;
  /// Only with a route: hindrance() is neither `empty` nor `unanswered`.
  const Route& route(int port, int vc) const {
    const InputVc& in = input(port, vc);
    return in.poison ? in.poison_way : routes_[slot(port, vc, in.first_route)];
  }
  int flits(int port, int vc) const { return input(port, vc).count; }
  /// A poisoned tail is in front of them, in a slot of its own.
  bool poisoned(int port, int vc) const { return input(port, vc).poison; }
  int answered(int port, int vc) const { return input(port, vc).routes; }  ///< packets
  /// The first flit is no head; it is a tail (when there is one).
  bool begun(int port, int vc) const { return input(port, vc).begun || input(port, vc).poison; }
  bool first_is_tail(int port, int vc) const {
    const InputVc& in = input(port, vc);
    return in.poison || flit_tail(flits_[slot(port, vc, in.first) * static_cast<size_t>(config_.words)]);
  }
  /// Flits of the packet that is arriving; 0: none is.
  int come(int port, int vc) const { return input(port, vc).come; }
  int credits(int port, int vc) const { return outputs_[port].credits[vc]; }
  bool held(int port, int vc) const { return (outputs_[port].held >> vc & 1) != 0; }
  int fifo(int port) const { return outputs_[port].count; }
  int packet_last() const { return packet_last_; }
  /// A packet that the last cycle has cut in two.
  struct Cut {
    uint8_t port = 0, vc = 0;
    bool gone = false;      ///< its head has left
    bool poisoned = false;  ///< a poisoned tail follows
    int lost = 0;           ///< flits
    int age = -1;           ///< edges since its head has asked, 0..3; -1: it has been answered
  };
  const std::vector<Cut>& cuts() const { return cuts_; }
  /// VC of the head that asked `stage` edges ago; -1: none did.
  int asking(int port, int stage) const {
    const unsigned tag = tags_[port] >> 8 * stage & 255;
    return tag != 0 ? static_cast<int>(tag & ~kTagValid) : -1;
  }

 private:
  struct InputVc {
    int first = 0, count = 0;         // flits, a ring
    int first_route = 0, routes = 0;  // packets, a ring of the same size
    int come = 0;                     // flits that were taken in of the packet that is arriving
    bool begun = false;               // the head of the first packet has left
    bool poison = false;              // a poisoned tail is in front of the flits
    Route poison_way{};               // where it goes
  };
  struct Output {
    std::array<int, kNumVcs> credits{};
    unsigned held = 0;
    int pointer = 0;
    int first = 0, count = 0;  // of the FIFO, a ring
  };
  static constexpr unsigned kTagValid = 4;
  void reset();
  void clear_pins();
  void die();
  void take_answers(const DataInputs& in);
  void take_flits(const DataInputs& in);
  void take_credits(const DataInputs& in);
  void send(PortMap slot_taken);
  void take_turn();
  void switch_phase(int phase);
  int pick_vc(int port) const;
  void grant(int in_port, int vc, int out_port, int phase);
  void give_up(int port, int vc);
  void cut(PortMap down);
  void cut_packet(int port, int vc);
  int forget_request(int port, int vc);
  void show_grant(int port, int phase, unsigned what) {
    out_.grant[2 * port + phase] = static_cast<uint16_t>(1u << 11 | what);
  }

  /// After a change of the flits or the answered packets of a virtual channel.
  void note_ready(int port, int vc) {
    const InputVc& in = input(port, vc);
    const bool ready = in.poison || (in.count != 0 && in.routes != 0);
    ready_[port] = (ready_[port] & ~(1u << vc)) | static_cast<unsigned>(ready) << vc;
  }
  const InputVc& input(int port, int vc) const { return inputs_[kNumVcs * port + vc]; }
  InputVc& input(int port, int vc) { return inputs_[kNumVcs * port + vc]; }
  size_t slot(int port, int vc, int position) const {
    return base_[port] + static_cast<size_t>(vc * config_.depth(port) + position);
  }
  uint64_t* words(int port, int vc, int position) { return &flits_[slot(port, vc, position) * config_.words]; }
  uint64_t* fifo_words(int port, int position) {
    return &fifos_[static_cast<size_t>(port * config_.output_fifo + position) * static_cast<size_t>(config_.words)];
  }

  DataConfig config_;
  int ports_;
  int packet_last_ = 0;
  int turn_ = 0, turn_age_ = 0;           // whose turn it is, 4 * port + VC; cycles of it that are over
  std::array<size_t, kMaxPorts> base_{};  // of a port's VC 0, in slots
  std::vector<InputVc> inputs_;           // by port and VC
  std::vector<Output> outputs_;
  std::array<uint32_t, kMaxPorts> tags_{};  // byte i: kTagValid and the VC of the head that asked i edges ago, or 0
  std::array<int, kMaxPorts> vc_pointer_{};
  std::array<unsigned, kMaxPorts> ready_{};  // bit v: VC v has a flit and an answer; the others need no look
  std::vector<uint64_t> flits_, fifos_;
  std::vector<Route> routes_;
  std::vector<Cut> cuts_;
  DataOutputs out_;
};

/// What every input port gave up in the present cycle, in words.
std::vector<std::string> reasons(const DataPath& path);

}  // namespace odonata::router
