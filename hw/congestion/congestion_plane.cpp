// SPDX-License-Identifier: Apache-2.0
#include "hw/congestion/congestion_plane.h"

#include <bit>
#include <string>

namespace odonata::congestion {

// ---- CongestionPlane ----

CongestionPlane::CongestionPlane(const sc_core::sc_module_name& name, const Dragonfly& d)
    : sc_module(name), dragonfly_(d), shadow_(d) {
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
  if (const tlm::tlm_generic_payload* payload = in_.reset ? nullptr : operations_.offered()) {
    hw::drive_operation(in_, *payload);
    operations_.take();
  }
  return in_;
}

void CongestionPlane::deliver() {
  if (in_.reset) {  // operations in flight are dropped
    shadow_.reset();
    return operations_.abort();
  }
  if (!out().cfg_ack || operations_.taken() == nullptr) return;
  tlm::tlm_generic_payload& payload = *operations_.taken();
  if (out().cfg_err) return operations_.finish(refusal(payload));
  if (payload.is_read())
    hw::store_word(payload, out().cfg_rdata);
  else
    shadow_.write(static_cast<uint32_t>(payload.get_address() / hw::kWordBytes), hw::load_word(payload));
  operations_.finish(tlm::TLM_OK_RESPONSE);
}

void CongestionPlane::config_blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  hw::synchronise(delay);
  const tlm::tlm_response_status status = hw::check_access(payload, reg::kEnd);
  if (status != tlm::TLM_OK_RESPONSE) return payload.set_response_status(status);
  operations_.serve(payload);
}

/// Why an operation was refused: no such word, a write to a read-only word, or a value that may not be written.
tlm::tlm_response_status CongestionPlane::refusal(const tlm::tlm_generic_payload& payload) const {
  const auto address = static_cast<uint32_t>(payload.get_address());
  if (shadow_.refused(false, address / hw::kWordBytes, 0)) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const bool read_only =
      address == reg::kId || address == reg::kSize || (address >= reg::kCounters && address < reg::kNeighbour);
  return read_only ? tlm::TLM_COMMAND_ERROR_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
}

unsigned CongestionPlane::config_debug(tlm::tlm_generic_payload& payload) {
  return hw::debug_words(payload, reg::kEnd, [this](bool write, uint32_t word_address, uint64_t& data) {
    return !write && !shadow_.refused(false, word_address, 0) && debug_read(word_address, data);
  });
}

// ---- DevicePlane ----

DevicePlane::DevicePlane(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                         std::unique_ptr<PlaneDevice> device)
    : CongestionPlane(name, d), device_(std::move(device)) {
  PlaneInputs reset;
  reset.reset = true;
  device_->step(reset, out_);  // RTL has no defined state before its first reset
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

StructuralPlane::StructuralPlane(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d)
    : CongestionPlane(name, d),
      config_("config", tick, d, [this]() -> const ConfigInputs& { return drive_config(); }),
      sender_("bitmap_sender", tick, d.a() - 1, [this]() -> const SenderInputs& { return drive_sender(); }),
      collector_("bitmap_collector", tick, d, [this]() -> const CollectorInputs& { return drive_collector(); }) {
  wires_.monitor.resize(d.num_ports());
  for (int port = d.p(); port < d.num_ports(); ++port) {
    const std::string unit = "credit_monitor_" + std::to_string(port);
    monitors_.push_back(std::make_unique<CreditMonitorModule>(
        unit.c_str(), tick, [this, port]() -> const MonitorInputs& { return drive_monitor(port); }));
  }
  out_.cfg_ready = 1;
  SC_HAS_PROCESS(StructuralPlane);
  SC_METHOD(settle);
  sensitive << published_;
  dont_initialize();
  SC_METHOD(announce);
  sensitive << tick.settled();
  dont_initialize();
}

/// The pins of the router at this edge, made once by the first module that asks.
const PlaneInputs& StructuralPlane::pins() {
  if (pins_ == nullptr || pins_time_ != sc_core::sc_time_stamp()) {
    pins_time_ = sc_core::sc_time_stamp();
    pins_ = &drive();
  }
  return *pins_;
}

const SenderInputs& StructuralPlane::drive_sender() {
  const PlaneInputs& in = pins();
  SenderInputs& to = wires_.sender;
  to.reset = in.reset;
  to.interval = config_.registers().interval();
  to.own_bid = static_cast<uint8_t>(config_.registers().own_bid());
  to.alternate = config_.registers().alternate();
  to.congested = own_bits();
  to.busy = own_busy();
  to.flit = local(in.events.flit);
  to.tail = local(in.events.tail);
  return to;
}

const CollectorInputs& StructuralPlane::drive_collector() {
  const PlaneInputs& in = pins();
  CollectorInputs& to = wires_.collector;
  to.reset = in.reset;
  to.interval = config_.registers().interval();
  to.stale_enable = config_.registers().stale_enable();
  to.stale_limit = config_.registers().stale_limit();
  to.own_bid = static_cast<uint8_t>(config_.registers().own_bid());
  to.own_bits = own_bits();
  to.own_busy = own_busy();
  to.neighbour = config_.registers().neighbours();
  to.failed = local(in.events.failed);
  to.valid = to.phase = 0;
  for (int k = 0; k < dragonfly().a() - 1; ++k) {
    to.valid |= static_cast<uint32_t>(in.rx[k].valid) << k;
    to.bits[k] = in.rx[k].bits;
    to.crc[k] = in.rx[k].crc;
    to.phase |= static_cast<uint32_t>(in.rx[k].phase & 1) << k;
  }
  return to;
}

const ConfigInputs& StructuralPlane::drive_config() {
  const PlaneInputs& in = pins();
  ConfigInputs& to = wires_.config;
  to = {in.reset, in.cfg_valid, in.cfg_write, in.cfg_addr, in.cfg_wdata, {}};
  const SenderOutputs& s = sender_.out();
  const CollectorOutputs& c = collector_.out();
  to.events[reg::kFramesInTails] = std::popcount(s.valid & ~s.idle);
  to.events[reg::kIdleFrames] = std::popcount(s.idle);
  to.events[reg::kStolenSlots] = std::popcount(s.stolen);
  to.events[reg::kGoodFrames] = std::popcount(c.good);
  to.events[reg::kBadFrames] = std::popcount(c.bad);
  for (const auto& m : monitors_) {
    to.events[reg::kUnderflows] += std::popcount(m->out().underflow);
    to.events[reg::kOverflows] += std::popcount(m->out().overflow);
  }
  return to;
}

const MonitorInputs& StructuralPlane::drive_monitor(int port) {
  const PlaneInputs& in = pins();
  MonitorInputs& to = wires_.monitor[port];
  config_.registers().fill(to, port >= dragonfly().first_global());
  to.reset = in.reset;
  to.departed = in.events.departed >> port & 1;
  to.failed = in.events.failed >> port & 1;
  to.sent = to.credit = 0;
  for (int v = 0; v < kNumVcs; ++v) {
    to.sent |= static_cast<uint8_t>((in.events.sent[v] >> port & 1) << v);
    to.credit |= static_cast<uint8_t>((in.events.credit[v] >> port & 1) << v);
  }
  return to;
}

/// Collects what the modules have published.
void StructuralPlane::settle() {
  const PlaneInputs& in = pins();
  out_.sender = sender_.out();
  out_.collector = collector_.out();
  out_.cong_local = out_.busy_local = in.reset ? 0 : failed_nodes_;
  failed_nodes_ = in.reset ? 0 : in.events.failed & low_mask(dragonfly().p());
  out_.error = 0;
  for (size_t i = 0; i < monitors_.size(); ++i) {
    const MonitorOutputs& m = monitors_[i]->out();
    out_.cong_local |= static_cast<PortMap>(m.congested) << (dragonfly().p() + static_cast<int>(i));
    out_.busy_local |= static_cast<PortMap>(m.busy) << (dragonfly().p() + static_cast<int>(i));
    out_.error |= (m.underflow | m.overflow) != 0;
  }
  out_.cfg_ack = config_.out().ack;
  out_.cfg_err = config_.out().error;
  out_.cfg_rdata = config_.out().data;
  deliver();
}

bool StructuralPlane::debug_read(uint32_t word_address, uint64_t& data) const {
  data = config_.registers().read(word_address);
  return true;
}

std::vector<std::pair<uint32_t, uint64_t>> configuration_words(const Dragonfly& d, const PlaneConfig& config,
                                                               int own_bid) {
  const auto word = [](int low, int middle, int high = 0, int top = 0) {
    return static_cast<uint64_t>(low) | static_cast<uint64_t>(middle) << 16 | static_cast<uint64_t>(high) << 32 |
           static_cast<uint64_t>(top) << 48;
  };
  std::vector<std::pair<uint32_t, uint64_t>> out{
      {reg::kRouterId, static_cast<uint64_t>(own_bid)},
      {reg::kInterval, static_cast<uint64_t>(config.interval) | static_cast<uint64_t>(config.alternate) << 8},
      {reg::kWindow,
       word(config.local_window, config.local_window_enable, config.global_window, config.global_window_enable)},
      {reg::kThreshold, word(config.local_threshold, config.global_threshold, config.local_busy_threshold,
                             config.global_busy_threshold)},
      {reg::kCapacity, word(config.local_capacity, config.global_capacity)},
      {reg::kStale, static_cast<uint64_t>(config.stale_limit) | static_cast<uint64_t>(config.stale_enable) << 8}};
  for (int k = 0; k < d.a() - 1; ++k)
    out.emplace_back(reg::kNeighbour + 8u * static_cast<uint32_t>(k), static_cast<uint64_t>(k < own_bid ? k : k + 1));
  return out;
}

void StructuralPlane::load(const PlaneConfig& config, int own_bid) {
  for (const auto& [address, data] : configuration_words(dragonfly(), config, own_bid)) {
    if (shadow().refused(true, address / hw::kWordBytes, data))
      throw Error("congestion plane: a value of the configuration is out of range");
    config_.poke(address / hw::kWordBytes, data);
    shadow().write(address / hw::kWordBytes, data);
  }
}

// ---- GroupCongestionPlane ----

GroupCongestionPlane::GroupCongestionPlane(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                                           const PlaneConfig& config, const MakePlane& make)
    : sc_module(name) {
  config.check();
  for (int r = 0; r < d.a(); ++r) {
    const std::string unit = "router_" + std::to_string(r);
    routers_.push_back(make ? make(unit.c_str(), tick, d, r)
                            : std::make_unique<StructuralPlane>(unit.c_str(), tick, d));
  }
  for (int r = 0; r < d.a(); ++r) {
    for (int k = 0; k < d.a() - 1; ++k) {
      const int to = k < r ? k : k + 1, at = r < to ? r : r - 1;
      const std::string unit = "link_" + std::to_string(r) + "_" + std::to_string(to);
      CongestionPlane* sender = routers_[r].get();
      links_.push_back(std::make_unique<LocalLinkModule>(unit.c_str(), tick, config.pcs, config.link, d.h(),
                                                         config.faults, mix_seed(config.seed, r, k),
                                                         [sender, k] { return transmitted(sender->out(), k); }));
      LocalLinkModule* link = links_.back().get();
      routers_[to]->connect(at, [link] { return link->out(); });
    }
  }
}

}  // namespace odonata::congestion
