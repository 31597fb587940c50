// SPDX-License-Identifier: Apache-2.0
#include "models/router/data_path.h"

#include <algorithm>

namespace odonata::router {

namespace {

/// place % size. Not divided: it is rarely more than the size, and several divisions a flit would cost more than all
/// else.
int wrapped(int place, int size) {
  while (place >= size) place -= size;
  return place;
}

}  // namespace

DataPath::DataPath(const DataConfig& config) : config_(config), ports_(config.num_ports()) {
  size_t slots = 0;
  for (int k = 0; k < ports_; ++k) {
    base_[k] = slots;
    slots += static_cast<size_t>(kNumVcs * config_.depth(k));
  }
  routes_.resize(slots);
  flits_.resize(slots * static_cast<size_t>(config_.words));
  fifos_.resize(static_cast<size_t>(ports_ * config_.output_fifo * config_.words));
  reset();
}

void DataPath::reset() {
  inputs_.assign(static_cast<size_t>(ports_ * kNumVcs), {});
  outputs_.assign(static_cast<size_t>(ports_), {});
  for (int k = 0; k < ports_; ++k) outputs_[k].credits.fill(config_.depth(k));
  tags_ = {};
  vc_pointer_ = {};
  ready_ = {};
  packet_last_ = 0;
  turn_ = turn_age_ = 0;
}

void DataPath::step(const DataInputs& in) {
  clear_pins();
  cuts_.clear();
  if (in.reset) return reset();
  packet_last_ = in.packet_last;
  if (!in.alive) die();
  if (in.alive) take_answers(in);
  take_flits(in);
  take_credits(in);
  send(in.slot_taken);
  for (int phase = 0; phase < 2; ++phase) switch_phase(phase);
  if (in.link_down != 0) cut(in.link_down);
  if (++turn_age_ >= config_.turn_cycles) {
    turn_age_ = 0;
    turn_ = wrapped(turn_ + 1, kNumVcs * ports_);
  }
}

/// Pins beyond the ports are 0 always.
void DataPath::clear_pins() {
  std::fill_n(out_.out_flit.begin(), ports_ * config_.words, 0);
  std::fill_n(out_.credit.begin(), ports_ * kNumVcs, 0);
  std::fill_n(out_.sent.begin(), ports_ * kNumVcs, 0);
  std::fill_n(out_.grant.begin(), ports_ * 2, 0);
  out_.out_valid = out_.departed = 0;
}

/// Whatever waits is lost; its slots are free.
void DataPath::die() {
  for (int k = 0; k < ports_; ++k) {
    for (int v = 0; v < kNumVcs; ++v) {
      out_.credit[kNumVcs * k + v] = static_cast<uint16_t>(input(k, v).count);
      input(k, v) = {};
    }
    tags_[k] = 0;
    ready_[k] = 0;
    outputs_[k].held = 0;
  }
}

/// The answers to the heads of four edges ago, in their order; the others move on.
void DataPath::take_answers(const DataInputs& in) {
  for (int k = 0; k < ports_; ++k) {
    if (const int due = asking(k, 3); due >= 0) {
      InputVc& vc = input(k, due);
      routes_[slot(k, due, wrapped(vc.first_route + vc.routes++, config_.depth(k)))] = {in.ans_port[k], in.ans_vc[k]};
      note_ready(k, due);
    }
    tags_[k] <<= 8;
  }
}

/// A flit that is no head goes where the one before it went: into its buffer, or nowhere.
void DataPath::take_flits(const DataInputs& in) {
  for (PortMap left = in.in_valid & low_mask(ports_); left != 0; left &= left - 1) {
    const int k = std::countr_zero(left);
    const uint64_t* flit = &in.in_flit[static_cast<size_t>(k * config_.words)];
    const int v = flit_vc(flit[0]);
    InputVc& vc = input(k, v);
    if (!in.alive || (in.in_cut >> k & 1) != 0 || (!flit_head(flit[0]) && vc.come == 0)) {
      ++out_.credit[kNumVcs * k + v];
      continue;
    }
    vc.come = flit_tail(flit[0]) ? 0 : vc.come + 1;
    std::copy_n(flit, config_.words, words(k, v, wrapped(vc.first + vc.count++, config_.depth(k))));
    note_ready(k, v);
    if (flit_head(flit[0])) tags_[k] |= kTagValid | static_cast<unsigned>(v);
  }
}

void DataPath::take_credits(const DataInputs& in) {
  for (int k = config_.nodes; k < ports_; ++k) {
    for (int v = 0; v < kNumVcs; ++v) outputs_[k].credits[v] += in.credit[kNumVcs * k + v];
  }
}

/// Every FIFO puts its first flit onto the link, unless an FD or FR has the slot.
void DataPath::send(PortMap slot_taken) {
  for (int k = 0; k < ports_; ++k) {
    Output& o = outputs_[k];
    const bool was_empty = o.count == 0;
    bool left = false;
    if (!was_empty && (slot_taken >> k & 1) == 0) {
      std::copy_n(fifo_words(k, o.first), config_.words, &out_.out_flit[static_cast<size_t>(k * config_.words)]);
      out_.out_valid |= 1ull << k;
      o.first = wrapped(o.first + 1, config_.output_fifo);
      --o.count;
      left = true;
    }
    // A flit that becomes first by its own grant is added in grant().
    if (left && o.count != 0) out_.departed |= 1ull << k;
  }
}

/// Why the first flit of a virtual channel cannot move now. One without an option needs nothing.
Hindrance DataPath::hindrance(int port, int vc) const {
  const InputVc& in = input(port, vc);
  if (!in.poison) {
    if (in.count == 0) return Hindrance::empty;
    if (in.routes == 0) return Hindrance::unanswered;
  }
  const Route& to = route(port, vc);
  if (to.port >= ports_) return Hindrance::none;
  const Output& o = outputs_[to.port];
  if (o.count >= config_.output_fifo) return Hindrance::fifo_full;
  const bool head = !in.begun && !in.poison;
  if (head && (o.held >> to.vc & 1) != 0) return Hindrance::held;
  if (config_.is_node(to.port)) return Hindrance::none;
  return o.credits[to.vc] > (head ? packet_last_ : 0) ? Hindrance::none : Hindrance::credits;
}

int DataPath::pick_vc(int port) const {
  // From the pointer on: the ready VCs twice in a row, so that none below it is forgotten.
  for (unsigned left = (ready_[port] * ((1u << kNumVcs) + 1)) >> vc_pointer_[port] & low_mask(kNumVcs); left != 0;
       left &= left - 1) {
    const int v = (vc_pointer_[port] + std::countr_zero(left)) % kNumVcs;
    if (hindrance(port, v) == Hindrance::none) return v;
  }
  return -1;
}

/// The virtual channel whose turn it is goes first, if it can move: both searches begin at it.
void DataPath::take_turn() {
  const int port = turn_ / kNumVcs, vc = turn_ % kNumVcs;
  if (config_.turn_cycles == 0 || hindrance(port, vc) != Hindrance::none) return;
  vc_pointer_[port] = vc;
  if (const Route& to = route(port, vc); to.port < ports_) outputs_[to.port].pointer = port;
}

/// One iteration of separable input-first allocation.
void DataPath::switch_phase(int phase) {
  take_turn();
  std::array<int, kMaxPorts> picked;
  std::array<PortMap, kMaxPorts> asking;  // by output, of those that are asked
  PortMap asked = 0, drops = 0;
  for (int k = 0; k < ports_; ++k) {
    picked[k] = pick_vc(k);
    if (picked[k] < 0) continue;
    const int to = route(k, picked[k]).port;
    if (to >= ports_) {
      drops |= 1ull << k;
      continue;
    }
    asking[to] = (asked >> to & 1 ? asking[to] : 0) | 1ull << k;
    asked |= 1ull << to;
  }
  for (; drops != 0; drops &= drops - 1) {
    const int k = std::countr_zero(drops);
    show_grant(k, phase, 1u << 10 | static_cast<unsigned>(picked[k]) << 8);
    give_up(k, picked[k]);
  }
  for (; asked != 0; asked &= asked - 1) {
    const int o = std::countr_zero(asked);
    const PortMap behind = asking[o] & ~low_mask(outputs_[o].pointer);
    const int k = std::countr_zero(behind != 0 ? behind : asking[o]);
    outputs_[o].pointer = wrapped(k + 1, ports_);
    grant(k, picked[k], o, phase);
  }
}

/// The first flit of an input's virtual channel goes into an output's FIFO.
void DataPath::grant(int in_port, int vc, int out_port, int phase) {
  const InputVc& in = input(in_port, vc);
  const Route to = route(in_port, vc);
  Output& o = outputs_[out_port];
  show_grant(in_port, phase, static_cast<unsigned>(vc) << 8 | static_cast<unsigned>(out_port) << 2 | to.vc);
  uint64_t* flit = fifo_words(out_port, wrapped(o.first + o.count, config_.output_fifo));
  if (in.poison) {
    std::fill_n(flit, config_.words, 0);
    flit[0] = kPoisonedTail;
  } else {
    std::copy_n(words(in_port, vc, in.first), config_.words, flit);
  }
  flit[0] = (flit[0] & ~3ull) | to.vc;
  if (o.count++ == 0) out_.departed |= 1ull << out_port;
  const unsigned bit = 1u << to.vc;
  o.held = flit_tail(flit[0]) ? o.held & ~bit : o.held | bit;
  if (!config_.is_node(out_port)) --o.credits[to.vc];
  ++out_.sent[kNumVcs * out_port + to.vc];
  give_up(in_port, vc);
}

/// The first flit leaves its buffer, with the tail its route.
void DataPath::give_up(int port, int v) {
  InputVc& in = input(port, v);
  if (in.poison) {
    in.poison = false;
  } else {
    in.begun = !first_is_tail(port, v);
    in.first = wrapped(in.first + 1, config_.depth(port));
    --in.count;
    ++out_.credit[kNumVcs * port + v];
    if (!in.begun) {
      in.first_route = wrapped(in.first_route + 1, config_.depth(port));
      --in.routes;
    }
  }
  note_ready(port, v);
  vc_pointer_[port] = (v + 1) % kNumVcs;
}

/// The links into these ports are down: packets that are arriving over them end here.
void DataPath::cut(PortMap down) {
  for (PortMap left = down & low_mask(ports_); left != 0; left &= left - 1) {
    const int k = std::countr_zero(left);
    for (int v = 0; v < kNumVcs; ++v) {
      if (input(k, v).come != 0) cut_packet(k, v);
    }
  }
}

/// What waits here of the packet is lost. If its head has gone on to an output a poisoned tail follows.
void DataPath::cut_packet(int port, int v) {
  InputVc& in = input(port, v);
  const bool gone = in.count < in.come;
  const int lost = gone ? in.count : in.come;
  in.count -= lost;
  out_.credit[kNumVcs * port + v] = static_cast<uint16_t>(out_.credit[kNumVcs * port + v] + lost);
  in.come = 0;
  if (gone) {  // it is the first one, and nothing else waits
    in.poison_way = routes_[slot(port, v, in.first_route)];
    in.poison = in.poison_way.port < ports_;
    in.begun = false;
  }
  const int age = forget_request(port, v);
  if (age < 0) --in.routes;
  cuts_.push_back({static_cast<uint8_t>(port), static_cast<uint8_t>(v), gone, gone && in.poison, lost, age});
  note_ready(port, v);
}

/// The youngest head of a virtual channel that has asked and has no answer: its age. -1: there is none.
int DataPath::forget_request(int port, int v) {
  for (int age = 0; age < 4; ++age) {
    if (asking(port, age) != v) continue;
    tags_[port] &= ~(255u << 8 * age);
    return age;
  }
  return -1;
}

std::vector<std::string> reasons(const DataPath& path) {
  constexpr const char* kHindrance[] = {"could move",       "empty",          "no answer yet",
                                        "output FIFO full", "output VC held", "no credits"};
  std::vector<std::string> out;
  const DataOutputs& pins = path.out();
  for (int k = 0; k < path.config().num_ports(); ++k) {
    std::string line = "Input port " + std::to_string(k) + ":";
    for (int phase = 0; phase < 2; ++phase) {
      const unsigned g = pins.grant[2 * k + phase];
      if (g == 0) continue;
      line += " phase " + std::to_string(phase) + " VC " + std::to_string(g >> 8 & 3);
      line += (g >> 10 & 1) != 0 ? " dropped;"
                                 : " to port " + std::to_string(g >> 2 & 63) + " VC " + std::to_string(g & 3) + ";";
    }
    line += " left:";
    for (int v = 0; v < kNumVcs; ++v) {
      line += std::string(v == 0 ? " " : ", ") + (path.poisoned(k, v) ? "poisoned tail, " : "") +
              std::to_string(path.flits(k, v)) + " flits (" + kHindrance[static_cast<size_t>(path.hindrance(k, v))] +
              ")";
    }
    out.push_back(line);
  }
  return out;
}

}  // namespace odonata::router
