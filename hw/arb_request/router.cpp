// SPDX-License-Identifier: Apache-2.0
#include "hw/arb_request/router.h"

#include <string>

namespace odonata::arb_request {

using sc_core::sc_time;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

namespace {

void protocol_error(const sc_core::sc_module& where, const std::string& what) {
  SC_REPORT_ERROR("/odonata/arb_request", (std::string(where.name()) + ": " + what).c_str());
}

PacketExtension& packet_of(tlm::tlm_generic_payload& payload) { return *payload.get_extension<PacketExtension>(); }

}  // namespace

MeshRouter::MeshRouter(const sc_core::sc_module_name& name, hw::Tick& tick, const MeshRouterConfig& config,
                       const CoreMaker& make)
    : sc_module(name),
      config_(config),
      ports_(2 * config.size.dimensions + 1),
      registers_(config.size, config.slots, config.settings) {
  config_socket.register_b_transport(this, &MeshRouter::config_blocking);
  config_socket.register_transport_dbg(this, &MeshRouter::config_debug);
  for (int p = 0; p < ports_; ++p) {
    in_.push_back(std::make_unique<InSocket>(("in_" + std::to_string(p)).c_str()));
    out_.push_back(std::make_unique<OutSocket>(("out_" + std::to_string(p)).c_str()));
    in_.back()->register_nb_transport_fw(this, &MeshRouter::forward, p);
    out_.back()->register_nb_transport_bw(this, &MeshRouter::backward, p);
    port_.emplace_back();
    port_.back().core = make(p, config.size);
    port_.back().out.in_ready = true;
    output_.push_back({SwitchOutput(ports_, config.slots, p == ports_ - 1), -1, {}, false});
  }
  SC_HAS_PROCESS(MeshRouter);
  SC_METHOD(clock);
  sensitive << tick.edge();
  dont_initialize();
}

// The clock edge: the switch's decision of the ending cycle is sampled together with the packets that were offered
// before it.
void MeshRouter::clock() {
  ++edge_;
  reset_ = reset_line_.sample();
  for (Output& o : output_) {
    const bool returned = !o.returns.empty() && o.returns.front() < sc_core::sc_time_stamp();
    if (returned) o.returns.pop_front();
    if (reset_) {
      o.returns.clear();
      o.arbiter = SwitchOutput(ports_, config_.slots, &o == &output_.back());
    } else {
      o.arbiter.step(o.winner, returned);
    }
    o.winner = -1;
  }
  for (int p = 0; p < ports_; ++p) {
    Port& port = port_[p];
    const PortOutputs before = port.out;
    drive(port);
    port.core->step(port.pins, port.out);
    reset_ ? abort(p) : settle(p, before);
    port.pins.grant = false;
  }
  operate();
  for (int p = 0; p < ports_; ++p) respond(p);
  arbitrate();
}

void MeshRouter::drive(Port& port) {
  PortInputs& pins = port.pins;  // the grant is there already
  pins.reset_n = !reset_;
  pins.at = registers_.settings().at;
  pins.scheme = registers_.settings().scheme;
  pins.policy = registers_.settings().policy;
  for (int d = 0; d < config_.size.dimensions; ++d) {
    set_lane(pins.credit_plus, d, static_cast<uint8_t>(output_[2 * d].arbiter.credit()));
    set_lane(pins.credit_minus, d, static_cast<uint8_t>(output_[2 * d + 1].arbiter.credit()));
  }
  pins.in_valid = !port.offers.empty() && port.offers.front().since < sc_core::sc_time_stamp();
  pins.in_dest = pins.in_valid ? packet_of(*port.offers.front().payload).dest : 0;
}

/// What the edge did to the packets of a port.
void MeshRouter::settle(int p, const PortOutputs& before) {
  Port& port = port_[p];
  uint32_t held = 0;  // before the edge
  for (int q = 0; q < config_.size.queues; ++q) held |= static_cast<uint32_t>(port.held[q] != nullptr) << q;
  const bool left = before.request.valid && port.pins.grant;
  if (left != port.out.credit) protocol_error(*this, "the core's credit does not match the grant");
  if (before.request.valid) registers_.count(p, reg::kRequests);
  if (left) leave(p, before.request);
  if (port.pins.in_valid) registers_.count(p, before.in_ready ? reg::kTaken : reg::kWaits);
  if (port.pins.in_valid && before.in_ready) {
    Payload& payload = *port.offers.front().payload;
    port.offers.pop_front();
    port.held[std::countr_one(held)] = &payload;
    take(p, payload);
  }
  const PortRequest& r = port.out.request;
  if (!r.valid) return;
  if (port.held[r.queue] == nullptr) return protocol_error(*this, "the core asks for an empty sub-queue");
  PacketExtension& packet = packet_of(*port.held[r.queue]);
  if (packet.requested == 0) packet.requested = edge_;
}

void MeshRouter::take(int p, Payload& payload) {
  PacketExtension& packet = packet_of(payload);
  packet.taken = edge_;
  packet.requested = packet.granted = 0;
  if (p != ports_ - 1) return;  // a link port has ended the request already
  port_[p].requesting = nullptr;
  tlm_phase phase = tlm::END_REQ;
  sc_time delay = sc_core::SC_ZERO_TIME;
  in(p)->nb_transport_bw(payload, phase, delay);
}

void MeshRouter::leave(int p, const PortRequest& request) {
  Payload& payload = *port_[p].held[request.queue];
  port_[p].held[request.queue] = nullptr;
  PacketExtension& packet = packet_of(payload);
  packet.granted = edge_;
  packet.request = request;
  registers_.count(p, request.eject ? reg::kEjected : request.high ? reg::kGrantedHigh : reg::kGrantedLow);
  send(wanted(request), packet);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  port_[p].left.push_back(&payload);
}

void MeshRouter::send(int o, const PacketExtension& packet) {
  Payload& payload = pool_.allocate();
  PacketExtension& next = packet_of(payload);
  next.dest = packet.dest;
  next.id = packet.id;
  next.hops = packet.hops + 1;
  next.taken = packet.taken;
  next.requested = packet.requested;
  next.granted = packet.granted;
  next.request = packet.request;
  tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = sc_core::SC_ZERO_TIME;
  output_[o].busy = true;
  const tlm_sync_enum answer = out(o)->nb_transport_fw(payload, phase, delay);
  if (answer == tlm::TLM_ACCEPTED) return;
  output_[o].busy = false;
  if (answer == tlm::TLM_UPDATED && phase == tlm::END_REQ) return;
  // Completed at once: a node that absorbs without delay, or an error.
  if (o != ports_ - 1) output_[o].returns.push_back(sc_core::sc_time_stamp());
  if (payload.is_response_error()) protocol_error(*this, "the next router refused a packet");
  payload.release();
}

tlm_sync_enum MeshRouter::backward(int o, Payload& payload, tlm_phase& phase, sc_time&) {
  if (phase == tlm::END_REQ) {
    output_[o].busy = false;
    return tlm::TLM_ACCEPTED;
  }
  if (phase != tlm::BEGIN_RESP) protocol_error(*this, "phase of an initiator on the backward path");
  output_[o].busy = false;  // BEGIN_RESP implies END_REQ
  // A packet that a reset destroyed gives no credit: the counter was reset with it.
  if (o != ports_ - 1 && !payload.is_response_error()) output_[o].returns.push_back(sc_core::sc_time_stamp());
  payload.release();
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

// Packets that come in.

tlm_sync_enum MeshRouter::forward(int p, Payload& payload, tlm_phase& phase, sc_time& delay) {
  Port& port = port_[p];
  if (phase == tlm::END_RESP) {
    if (port.responding != &payload) protocol_error(*this, "END_RESP without BEGIN_RESP");
    port.responding = nullptr;
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ) protocol_error(*this, "phase of a target on the forward path");
  if (port.requesting != nullptr)
    protocol_error(*this, "BEGIN_REQ before END_REQ of the request before (exclusion rule)");
  const bool command = payload.get_command() == tlm::TLM_IGNORE_COMMAND,
             header = payload.get_extension<PacketExtension>() != nullptr;
  if (!command || !header) {
    payload.set_response_status(command ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_COMMAND_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  if (payload.has_mm()) payload.acquire();
  port.offers.push_back({&payload, sc_core::sc_time_stamp() + delay});
  if (p != ports_ - 1) {
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  port.requesting = &payload;
  return tlm::TLM_ACCEPTED;
}

void MeshRouter::respond(int p) {
  Port& port = port_[p];
  if (port.left.empty() || port.responding != nullptr) return;
  Payload& payload = *port.left.front();
  port.left.pop_front();
  port.responding = &payload;
  tlm_phase phase = tlm::BEGIN_RESP;
  sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm_sync_enum answer = in(p)->nb_transport_bw(payload, phase, delay);
  if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP)) port.responding = nullptr;
  if (payload.has_mm()) payload.release();
}

void MeshRouter::abort(int p) {
  // What was on a link is lost too; what a node offers stays offered.
  for (; p != ports_ - 1 && !port_[p].offers.empty(); port_[p].offers.pop_front()) {
    port_[p].offers.front().payload->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    port_[p].left.push_back(port_[p].offers.front().payload);
  }
  for (Payload*& held : port_[p].held) {
    if (held == nullptr) continue;
    held->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    port_[p].left.push_back(held);
    held = nullptr;
  }
}

/// Between two edges: the outputs choose among the requests that are visible now; an output that still offers its last
/// packet waits.
void MeshRouter::arbitrate() {
  for (int o = 0; o < ports_; ++o) {
    Output& output = output_[o];
    if (output.busy && o == ports_ - 1) continue;
    uint32_t ask = 0;
    uint8_t need[32] = {};
    for (int p = 0; p < ports_; ++p) {
      const PortRequest& r = port_[p].out.request;
      if (r.valid && wanted(r) == o) ask |= 1u << p, need[p] = r.need;
    }
    output.winner = output.arbiter.grant(ask, need);
    if (output.winner >= 0) port_[output.winner].pins.grant = true;
  }
}

// Configuration.

namespace {

tlm::tlm_response_status response_of(Access access) {
  switch (access) {
    case Access::ok:
      return tlm::TLM_OK_RESPONSE;
    case Access::no_such_word:
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    case Access::read_only:
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    default:
      return tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
}

/// Performs an access that is allowed.
Access serve(RouterRegisters& registers, bool write, uint32_t word, uint64_t& data) {
  const Access access = registers.check(write, word, data);
  if (access != Access::ok) return access;
  if (write) {
    registers.write(word, data);
  } else {
    data = registers.read(word);
  }
  return access;
}

}  // namespace

/// At the end of the edge: the input ports have sampled what the registers were before it.
void MeshRouter::operate() {
  if (reset_) return registers_.reset();
  for (int o = 0; o < ports_ - 1; ++o) registers_.show_credit(o, output_[o].arbiter.credit());
  if (operations_.offered() == nullptr) return;
  Payload& payload = *operations_.offered();
  operations_.take();
  uint64_t data = payload.is_write() ? hw::load_word(payload) : 0;
  const Access access =
      serve(registers_, payload.is_write(), static_cast<uint32_t>(payload.get_address() / hw::kWordBytes), data);
  if (access == Access::ok && payload.is_read()) hw::store_word(payload, data);
  operations_.finish(response_of(access));
}

void MeshRouter::config_blocking(Payload& payload, sc_time& delay) {
  const tlm::tlm_response_status status = hw::check_access(payload, reg::kEnd);
  if (status != tlm::TLM_OK_RESPONSE) return payload.set_response_status(status);
  hw::synchronise(delay);
  operations_.serve(payload);
}

unsigned MeshRouter::config_debug(Payload& payload) {
  return hw::debug_words(payload, reg::kEnd, [this](bool write, uint32_t word, uint64_t& data) {
    return serve(registers_, write, word, data) == Access::ok;
  });
}

}  // namespace odonata::arb_request
