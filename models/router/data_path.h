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
  /// The packet that is first in a virtual channel, once it is answered.
  struct Route {
    uint8_t port, vc, last;
  };
  Hindrance hindrance(int port, int vc) const;
  /// Only with a route: hindrance() is neither `empty` nor `unanswered`.
  const Route& route(int port, int vc) const { return routes_[slot(port, vc, input(port, vc).first_route)]; }
  int flits(int port, int vc) const { return input(port, vc).count; }
  int answered(int port, int vc) const { return input(port, vc).routes; }  ///< packets
  int position(int port, int vc) const { return input(port, vc).index; }   ///< of the first flit in its packet
  int credits(int port, int vc) const { return outputs_[port].credits[vc]; }
  bool held(int port, int vc) const { return (outputs_[port].held >> vc & 1) != 0; }
  int fifo(int port) const { return outputs_[port].count; }
  int packet_last() const { return packet_last_; }
  /// VC of the head that asked `stage` edges ago; -1: none did.
  int asking(int port, int stage) const { return tags_[port][stage].valid ? tags_[port][stage].vc : -1; }

 private:
  struct InputVc {
    int first = 0, count = 0;         // flits, a ring
    int first_route = 0, routes = 0;  // packets, a ring of the same size
    int index = 0;
  };
  struct Output {
    std::array<int, kNumVcs> credits{};
    unsigned held = 0;
    int pointer = 0;
    int first = 0, count = 0;  // of the FIFO, a ring
  };
  struct Tag {
    bool valid = false;
    uint8_t vc = 0, last = 0;
  };
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
  void show_grant(int port, int phase, unsigned what) {
    out_.grant[2 * port + phase] = static_cast<uint16_t>(1u << 11 | what);
  }

  /// After a change of the flits or the answered packets of a virtual channel.
  void note_ready(int port, int vc) {
    const bool ready = input(port, vc).count != 0 && input(port, vc).routes != 0;
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
  std::array<std::array<Tag, 4>, kMaxPorts> tags_{};
  std::array<int, kMaxPorts> vc_pointer_{};
  std::array<unsigned, kMaxPorts> ready_{};  // bit v: VC v has a flit and an answer; the others need no look
  std::vector<uint64_t> flits_, fifos_;
  std::vector<Route> routes_;
  DataOutputs out_;
};

/// What every input port gave up in the present cycle, in words.
std::vector<std::string> reasons(const DataPath& path);

}  // namespace odonata::router
