// SPDX-License-Identifier: Apache-2.0
#include "hw/congestion/congestion_plane.h"

#include <bit>
#include <string>

namespace odonata::congestion {

// ---- CongestionPlane ----

CongestionPlane::CongestionPlane(const sc_core::sc_module_name& name, const Dragonfly& d) : sc_module(name), dragonfly_(d), shadow_(d) {
  config_socket.register_b_transport(this, &CongestionPlane::config_blocking);
  config_socket.register_transport_dbg(this, &CongestionPlane::config_debug);
}

const PlaneInputs& CongestionPlane::drive() {
  in_ = {};
  in_.reset = reset_.sample();
  in_.events = events_.sample();
  for (int k = 0; k < dragonfly_.a() - 1; ++k) {
    if (rx_[k]) in_.rx[k] = rx_[k]();
  }
  if (!in_.reset && !offered_.empty() && offered_.front()->since < sc_core::sc_time_stamp()) {
    Call* call = offered_.front();
    offered_.pop_front();
    taken_.push_back(call);
    in_.cfg_valid = true;
    in_.cfg_write = call->payload->is_write();
    in_.cfg_addr = static_cast<uint16_t>(call->payload->get_address() / hw::kWordBytes);
    in_.cfg_wdata = in_.cfg_write ? hw::load_word(*call->payload) : 0;
  }
  return in_;
}

void CongestionPlane::deliver() {
  if (in_.reset) {  // operations in flight are dropped
    shadow_.reset();
    for (Call* call : taken_) {
      call->payload->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      call->done = true;
    }
    if (!taken_.empty()) config_done_.notify();
    taken_.clear();
    return;
  }
  if (!out().cfg_ack || taken_.empty()) return;
  Call* call = taken_.front();
  taken_.pop_front();
  tlm::tlm_generic_payload& payload = *call->payload;
  if (out().cfg_err) {
    payload.set_response_status(refusal(payload));
  } else {
    if (payload.is_read()) hw::store_word(payload, out().cfg_rdata);
    else shadow_.write(static_cast<uint32_t>(payload.get_address() / hw::kWordBytes), hw::load_word(payload));
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  call->done = true;
  config_done_.notify();
}

void CongestionPlane::config_blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  hw::synchronise(delay);
  const tlm::tlm_response_status status = hw::check_access(payload, reg::kEnd);
  if (status != tlm::TLM_OK_RESPONSE) {
    payload.set_response_status(status);
    return;
  }
  Call call{&payload, sc_core::sc_time_stamp()};
  offered_.push_back(&call);
  while (!call.done) wait(config_done_);
}

/// Why an operation was refused: no such word, a write to a read-only word, or a value that may not be written.
tlm::tlm_response_status CongestionPlane::refusal(const tlm::tlm_generic_payload& payload) const {
  const auto address = static_cast<uint32_t>(payload.get_address());
  if (shadow_.refused(false, address / hw::kWordBytes, 0)) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const bool read_only = address == reg::kId || address == reg::kSize || (address >= reg::kCounters && address < reg::kNeighbour);
  return read_only ? tlm::TLM_COMMAND_ERROR_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
}

unsigned CongestionPlane::config_debug(tlm::tlm_generic_payload& payload) {
  return hw::debug_words(payload, reg::kEnd, [this](bool write, uint32_t word_address, uint64_t& data) {
    return !write && !shadow_.refused(false, word_address, 0) && debug_read(word_address, data);
  });
}

// ---- DevicePlane ----

DevicePlane::DevicePlane(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d, std::unique_ptr<PlaneDevice> device)
    : CongestionPlane(name, d), device_(std::move(device)) {
  SC_HAS_PROCESS(DevicePlane);
  SC_METHOD(clock);
  sensitive << tick.edge();
  dont_initialize();
  SC_METHOD(settle);
  sensitive << tick.settled();
  dont_initialize();
}

/// The counters are only in the device: they are read over the bus.
bool DevicePlane::debug_read(uint32_t word_address, uint64_t& data) const {
  const uint32_t address = word_address * hw::kWordBytes;
  if (address >= reg::kCounters && address < reg::kNeighbour) return false;
  data = shadow().read(word_address);
  return true;
}

// ---- StructuralPlane ----

/// The pins between the modules: what each of them samples at an edge.
struct StructuralPlane::Wiring final : InputPins<SenderInputs>, InputPins<CollectorInputs>, InputPins<ConfigInputs> {
  explicit Wiring(StructuralPlane& p) : plane(p) {}
  const SenderInputs& drive_sender() {
    const Registers& regs = plane.config_->registers();
    const Dragonfly& d = plane.dragonfly();
    const PlaneInputs& in = plane_pins();
    sender = {};
    sender.reset = in.reset;
    sender.interval = regs.interval();
    sender.own_bid = static_cast<uint8_t>(regs.own_bid());
    sender.congested = own_bits();
    sender.flit = local(in.events.flit);
    sender.tail = local(in.events.tail);
    (void)d;
    return sender;
  }
  const CollectorInputs& drive_collector() {
    const Registers& regs = plane.config_->registers();
    const PlaneInputs& in = plane_pins();
    collector = {};
    collector.reset = in.reset;
    collector.interval = regs.interval();
    collector.stale_enable = regs.stale_enable();
    collector.stale_limit = regs.stale_limit();
    collector.own_bid = static_cast<uint8_t>(regs.own_bid());
    collector.own_bits = own_bits();
    collector.neighbour = regs.neighbours();
    collector.failed = local(in.events.failed);
    for (int k = 0; k < plane.dragonfly().a() - 1; ++k) {
      collector.valid |= static_cast<uint32_t>(in.rx[k].valid) << k;
      collector.bits[k] = in.rx[k].bits;
      collector.crc[k] = in.rx[k].crc;
    }
    return collector;
  }
  const ConfigInputs& drive_config() {
    const PlaneInputs& in = plane_pins();
    config = {in.reset, in.cfg_valid, in.cfg_write, in.cfg_addr, in.cfg_wdata, {}};
    const SenderOutputs& s = plane.sender_->out();
    const CollectorOutputs& c = plane.collector_->out();
    config.events[reg::kFramesInTails] = std::popcount(s.valid & ~s.idle);
    config.events[reg::kIdleFrames] = std::popcount(s.idle);
    config.events[reg::kStolenSlots] = std::popcount(s.stolen);
    config.events[reg::kGoodFrames] = std::popcount(c.good);
    config.events[reg::kBadFrames] = std::popcount(c.bad);
    for (const auto& m : plane.monitors_) {
      config.events[reg::kUnderflows] += std::popcount(m->out().underflow);
      config.events[reg::kOverflows] += std::popcount(m->out().overflow);
    }
    return config;
  }
  // Which drive() is meant follows from the type of the pins; they share a name, so each base is overridden through a small adapter below.
  template <class In>
  struct Adapter final : InputPins<In> {
    Adapter(Wiring& w, const In& (Wiring::*f)()) : wiring(w), function(f) {}
    const In& drive() override { return (wiring.*function)(); }
    Wiring& wiring;
    const In& (Wiring::*function)();
  };

  /// The pins of the router at this edge, made once an edge by whoever asks first.
  const PlaneInputs& plane_pins() {
    if (pins_time != sc_core::sc_time_stamp()) {
      pins_time = sc_core::sc_time_stamp();
      pins = &plane.drive();
    }
    return *pins;
  }
  uint16_t own_bits() const { return static_cast<uint16_t>(plane.out_.cong_local >> plane.dragonfly().first_global()); }
  uint32_t local(PortMap m) const { return static_cast<uint32_t>(m >> plane.dragonfly().p() & low_mask(plane.dragonfly().a() - 1)); }

  StructuralPlane& plane;
  SenderInputs sender;
  CollectorInputs collector;
  ConfigInputs config;
  const PlaneInputs* pins = nullptr;
  sc_core::sc_time pins_time = sc_core::SC_ZERO_TIME;
};

}  // namespace odonata::congestion
