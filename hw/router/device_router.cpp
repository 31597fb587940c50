// SPDX-License-Identifier: Apache-2.0
#include "hw/router/device_router.h"

#include <stdexcept>

#include "hw/router/router_device.h"
#include "models/common/error.h"

namespace odonata::router {

DataConfig data_config(const Parameters& p) {
  DataConfig config(p.dragonfly);
  config.node_depth = p.node_buffer;
  config.local_depth = p.local_buffer;
  config.global_depth = p.global_buffer;
  config.output_fifo = p.output_fifo;
  config.turn_cycles = p.turn_cycles;
  return config;
}

DeviceRouterModule::DeviceRouterModule(const sc_core::sc_module_name& name, hw::Tick& tick, const Parameters& p,
                                       int router, Source& source, Observer& observer,
                                       congestion::CongestionPlane& plane, const fault::FaultPlane& fault_plane,
                                       const fault::FaultRouterModule* fault_router, const MakePipeline& make,
                                       std::unique_ptr<DataDevice> device)
    : RouterModule(name, tick, p, router, source, observer, plane, fault_plane, fault_router, make),
      d_(p.dragonfly),
      config_(data_config(p)),
      device_(std::move(device)) {
  if (!p.ask_at_arrival) throw Error("a data path as a device needs routes that are asked at arrival");
  if (p.phases != 2 || p.vcs != kNumVcs)
    throw Error("a data path as a device has two phases and " + std::to_string(kNumVcs) + " virtual channels");
  if (device_ == nullptr) return;
  DataInputs reset;
  reset.reset = true;
  device_->step(reset, out_);
}

void DeviceRouterModule::fail(const std::string& what) const {
  throw std::logic_error(std::string(name()) + ": the data path " + what);
}

/// Credits that arrived in the cycle before are sampled by the edge of this one.
void DeviceRouterModule::take_credits(int64_t now) {
  for (int k = config_.nodes; k < config_.num_ports(); ++k) {
    for (int v = 0; v < kNumVcs; ++v)
      in_.credit[static_cast<size_t>(kNumVcs * k + v)] = static_cast<uint16_t>(ports()[k].landed[v]);
  }
  RouterModule::take_credits(now);
}

/// What the edge of the next cycle samples; a node's packet has been put into a VC outside.
void DeviceRouterModule::arrived(int port, const Flit& flit, bool cut) {
  uint64_t* word = &in_.in_flit[static_cast<size_t>(port * config_.words)];
  const FlitWords words = pack_flit(d_, flit);
  word[0] = words.low;
  word[1] = words.high;
  in_.in_valid |= 1ull << port;
  if (cut) in_.in_cut |= 1ull << port;
}

void DeviceRouterModule::take_answers() {
  for (int k = 0; k < config_.num_ports(); ++k) {
    Port& p = ports()[k];
    const route_compute::UnitOutputs& answer = p.unit->out();
    if (answer.resp_valid) p.requests.pop_front();
    in_.ans_port[k] = answer.resp_port;
    in_.ans_vc[k] = answer.resp_vc;
  }
}

const DataOutputs& DeviceRouterModule::clock(const LinkState& state) {
  take_answers();
  in_.packet_last = static_cast<uint8_t>(head_room() - 1);
  in_.slot_taken = messages();
  in_.link_down = ~state.up & low_mask(config_.num_ports());
  device_->step(in_, out_);
  in_ = {};
  return out_;
}

void DeviceRouterModule::move_flits(int64_t now, const LinkState& state) {
  shown_ = &clock(state);
  leave_links(now, state);
  for (int phase = 0; phase < 2; ++phase) {
    for (int k = 0; k < config_.num_ports(); ++k) give_up(k, phase, now);
  }
  for (int k = 0; k < config_.num_ports(); ++k) {
    Port& p = ports()[k];
    for (int v = 0; v < kNumVcs; ++v)
      p.sent += p.out != nullptr ? shown_->sent[static_cast<size_t>(kNumVcs * k + v)] : 0;
    p.departed = (shown_->departed >> k & 1) == 0;
  }
}

/// The flits on the links, as the device shows them.
void DeviceRouterModule::leave_links(int64_t now, const LinkState& state) {
  for (int k = 0; k < config_.num_ports(); ++k) {
    if ((shown_->out_valid >> k & 1) == 0) continue;
    if (ports()[k].fifo.empty()) fail("sends a flit that was not granted");
    const Flit granted = ports()[k].fifo.front();
    ports()[k].fifo.pop_front();
    const uint64_t* word = &shown_->out_flit[static_cast<size_t>(k * config_.words)];
    if (is_poisoned(word[0]) != granted.poisoned()) fail("sends a poisoned tail too much or too few");
    leaves(k, granted.poisoned() ? granted : unpack_flit(d_, {word[0], word[1]}), now, state);
  }
}

/// What an input gives up in a phase: a grant, or a drop.
void DeviceRouterModule::give_up(int port, int phase, int64_t now) {
  const unsigned what = shown_->grant[2 * port + phase];
  if (what == 0) return;
  const int v = static_cast<int>(what >> 8 & 3);
  if (ports()[port].vc[v].buffer.empty()) fail("gives up a flit that it does not have");
  if ((what >> 10 & 1) != 0) {
    drop(ports()[port], v, now);
  } else {
    move(port, v, static_cast<int>(what >> 2 & 63), static_cast<int>(what & 3), now);
  }
}

void DeviceRouterModule::pay_credits(int64_t now) {
  for (int k = config_.nodes; k < config_.num_ports(); ++k) {
    Port& p = ports()[k];
    p.owed.clear();
    for (int v = 0; v < kNumVcs; ++v) {
      for (int n = shown_->credit[static_cast<size_t>(kNumVcs * k + v)]; n > 0; --n) p.in->send_credit(v, now);
    }
  }
}

}  // namespace odonata::router
