// SPDX-License-Identifier: Apache-2.0
#include "hw/router/data_path.h"

#include <algorithm>
#include <utility>

namespace odonata::router {

DataPathModule::DataPathModule(const sc_core::sc_module_name& name, const sc_core::sc_event& edge,
                               const sc_core::sc_event& settled, const DataConfig& config, hw::Drive<DataInputs> pins)
    : sc_module(name), config_(config), pins_(std::move(pins)) {
  reset();
  SC_HAS_PROCESS(DataPathModule);
  SC_METHOD(receive);
  sensitive << edge;
  dont_initialize();
  SC_METHOD(cycle);
  sensitive << settled;
  dont_initialize();
}

void DataPathModule::reset() {
  cycle_ = 0;
  inputs_.assign(static_cast<size_t>(config_.num_ports()), {});
  outputs_.assign(static_cast<size_t>(config_.num_ports()), {});
  for (int k = 0; k < ports(); ++k) {
    outputs_[k].node = config_.is_node(k);
    outputs_[k].credits.fill(config_.depth(k));
  }
}

// The edge.

void DataPathModule::receive() {
  const DataInputs& in = pins_();
  reset_ = in.reset;
  if (reset_) return reset();
  longest_ = in.packet_last + 1;
  slot_taken_ = in.slot_taken;
  link_down_ = in.link_down;
  for (Input& port : inputs_) port.freed = {};
  if (!in.alive) die();
  take_answers(in);
  take_flits(in);
  take_credits(in);
}

void DataPathModule::die() {
  for (Input& port : inputs_) {
    for (int v = 0; v < kNumVcs; ++v) {
      for (const Flit& flit : port.buffer[v]) port.freed[v] += !flit.poisoned;
    }
    port.buffer = {};
    port.arriving = {};
    port.asked = {};
  }
  for (Output& out : outputs_) out.held = {};
}

void DataPathModule::take_answers(const DataInputs& in) {
  for (int k = 0; k < ports(); ++k) {
    auto& asked = inputs_[k].asked;
    if (asked.back()) {
      asked.back()->answered = true;
      asked.back()->out_port = in.ans_port[k];
      asked.back()->out_vc = in.ans_vc[k];
    }
    std::rotate(asked.begin(), asked.end() - 1, asked.end());
    asked.front() = nullptr;
  }
}

void DataPathModule::take_flits(const DataInputs& in) {
  for (int k = 0; k < ports(); ++k) {
    if ((in.in_valid >> k & 1) == 0) continue;
    Input& port = inputs_[k];
    Flit flit;
    std::copy_n(in.in_flit.begin() + k * config_.words, config_.words, flit.words.begin());
    flit.head = (flit.words[0] & 4) != 0;
    flit.tail = (flit.words[0] & 8) != 0;
    const int v = static_cast<int>(flit.words[0] % kNumVcs);
    const bool follows = flit.head || port.arriving[v] != nullptr;
    if (!in.alive || (in.in_cut >> k & 1) != 0 || !follows) {
      ++port.freed[v];
      continue;
    }
    if (flit.head) {
      port.arriving[v] = std::make_shared<Packet>();
      port.arriving[v]->vc = v;
      port.asked.front() = port.arriving[v];
    }
    flit.packet = port.arriving[v];
    if (flit.tail) port.arriving[v] = nullptr;
    port.buffer[v].push_back(std::move(flit));
  }
}

void DataPathModule::take_credits(const DataInputs& in) {
  for (int k = 0; k < ports(); ++k) {
    for (int v = 0; v < kNumVcs && !outputs_[k].node; ++v) outputs_[k].credits[v] += in.credit[kNumVcs * k + v];
  }
}

// The cycle.

void DataPathModule::cycle() {
  out_ = {};
  if (reset_) return;
  link(slot_taken_);
  for (int phase = 0; phase < 2; ++phase) switch_phase(phase);
  for (int k = 0; k < ports(); ++k) {
    for (int v = 0; v < kNumVcs; ++v) {
      if ((link_down_ >> k & 1) != 0 && inputs_[k].arriving[v] != nullptr) cut(inputs_[k], v);
    }
  }
  ++cycle_;
  for (int k = 0; k < ports(); ++k) {
    for (int v = 0; v < kNumVcs; ++v) out_.credit[kNumVcs * k + v] = static_cast<uint16_t>(inputs_[k].freed[v]);
    if (!outputs_[k].fifo.empty() && !std::exchange(outputs_[k].shown, true)) out_.departed |= 1ull << k;
  }
}

void DataPathModule::link(PortMap slot_taken) {
  for (int k = 0; k < ports(); ++k) {
    Output& o = outputs_[k];
    if (o.fifo.empty() || (slot_taken >> k & 1) != 0) continue;
    out_.out_valid |= 1ull << k;
    std::copy_n(o.fifo.front().begin(), config_.words, out_.out_flit.begin() + k * config_.words);
    o.fifo.pop_front();
    o.shown = false;
  }
}

/// Whether an output takes a flit now.
bool DataPathModule::is_open(const Output& out, const Flit& flit) const {
  if (static_cast<int>(out.fifo.size()) == config_.output_fifo) return false;
  const int vc = flit.packet->out_vc;
  if (flit.head && out.held[vc]) return false;
  return out.node || out.credits[vc] >= (flit.head ? longest_ : 1);
}

/// The VC that an input picks; -1: none can move.
int DataPathModule::choose(const Input& in) const {
  for (int i = 0; i < kNumVcs; ++i) {
    const int v = (in.next_vc + i) % kNumVcs;
    if (in.buffer[v].empty()) continue;
    const Flit& flit = in.buffer[v].front();
    const Packet& packet = *flit.packet;
    if (packet.answered && (!has_way(packet) || is_open(outputs_[packet.out_port], flit))) return v;
  }
  return -1;
}

/// Every virtual channel of the router has its turn, for some cycles: then it is first wherever it could be.
void DataPathModule::give_turn() {
  if (cycles_of_a_turn() == 0) return;
  const auto turn = static_cast<int>(cycle_ / cycles_of_a_turn() % (kNumVcs * ports()));
  Input& in = inputs_[turn / kNumVcs];
  const auto& buffer = in.buffer[turn % kNumVcs];
  if (buffer.empty() || !buffer.front().packet->answered) return;
  const Packet& packet = *buffer.front().packet;
  if (has_way(packet)) {
    if (!is_open(outputs_[packet.out_port], buffer.front())) return;
    outputs_[packet.out_port].next_input = turn / kNumVcs;
  }
  in.next_vc = turn % kNumVcs;
}

void DataPathModule::switch_phase(int phase) {
  give_turn();
  std::vector<int> chosen;
  for (const Input& in : inputs_) chosen.push_back(choose(in));
  std::vector<std::deque<int>> asking(outputs_.size());  // inputs, by output
  for (int k = 0; k < ports(); ++k) {
    if (chosen[k] < 0) continue;
    const Packet& packet = *inputs_[k].buffer[chosen[k]].front().packet;
    if (has_way(packet)) {
      asking[packet.out_port].push_back(k);
    } else {
      drop(k, chosen[k], phase);
    }
  }
  for (int o = 0; o < ports(); ++o) {
    if (asking[o].empty()) continue;
    // Inputs below the pointer come after those from it on.
    const auto from_pointer = [&](int k) { return k >= outputs_[o].next_input; };
    std::stable_partition(asking[o].begin(), asking[o].end(), from_pointer);
    const int winner = asking[o].front();
    grant(winner, chosen[winner], o, phase);
  }
}

/// The first flit of a VC leaves its buffer; the VC's turn is over.
DataPathModule::Flit DataPathModule::give_up(int port, int vc) {
  Input& in = inputs_[port];
  Flit flit = std::move(in.buffer[vc].front());
  in.buffer[vc].pop_front();
  if (flit.head) flit.packet->begun = true;
  if (!flit.poisoned) ++in.freed[vc];
  in.next_vc = (vc + 1) % kNumVcs;
  return flit;
}

/// The link behind which a packet comes is down. What has come and waits is lost, and nobody waits for its route any
/// more. If its head is on its way a tail has to follow.
void DataPathModule::cut(Input& in, int vc) {
  const std::shared_ptr<Packet> packet = std::move(in.arriving[vc]);
  std::deque<Flit>& buffer = in.buffer[vc];
  for (; !buffer.empty() && buffer.back().packet == packet; buffer.pop_back()) ++in.freed[vc];
  std::replace(in.asked.begin(), in.asked.end(), packet, std::shared_ptr<Packet>());
  if (!packet->begun || !has_way(*packet)) return;
  Flit tail;
  tail.words[0] = kPoisonedTail;
  tail.tail = tail.poisoned = true;
  tail.packet = packet;
  buffer.push_back(std::move(tail));
}

void DataPathModule::drop(int port, int vc, int phase) {
  give_up(port, vc);
  out_.grant[2 * port + phase] = static_cast<uint16_t>(0xC00 | vc << 8);
}

void DataPathModule::grant(int in_port, int vc, int out_port, int phase) {
  Flit flit = give_up(in_port, vc);
  Output& o = outputs_[out_port];
  const int out_vc = flit.packet->out_vc;
  flit.words[0] = flit.words[0] / kNumVcs * kNumVcs + static_cast<uint64_t>(out_vc);
  o.fifo.push_back(flit.words);
  o.held[out_vc] = !flit.tail;
  if (!o.node) --o.credits[out_vc];
  o.next_input = next_input(in_port);
  ++out_.sent[kNumVcs * out_port + out_vc];
  out_.grant[2 * in_port + phase] = static_cast<uint16_t>(0x800 | vc << 8 | out_port << 2 | out_vc);
}

void DataPathModule::trace(sc_core::sc_trace_file* file) const {
  sc_core::sc_trace(file, out_.out_valid, std::string(name()) + ".out_valid");
  sc_core::sc_trace(file, out_.departed, std::string(name()) + ".departed");
  for (int i = 0; i < 2 * ports(); ++i) {
    sc_core::sc_trace(file, out_.grant[i],
                      std::string(name()) + ".grant_" + std::to_string(i / 2) + "_" + std::to_string(i % 2));
  }
}

}  // namespace odonata::router
