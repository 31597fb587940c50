// SPDX-License-Identifier: Apache-2.0
#include "hw/fault/fault_plane.h"

#include <bit>

#include "hw/common/write_word.h"

namespace odonata::fault {

FaultPlane::FaultPlane(const sc_core::sc_module_name& name, const Dragonfly& d)
    : sc_module(name),
      dragonfly_(d),
      arrived_(d.num_ports()),
      options_(static_cast<size_t>(d.num_ports()) * num_rows(d)),
      staged_(options_.size()) {
  config_socket.register_b_transport(this, &FaultPlane::config_blocking);
  config_socket.register_transport_dbg(this, &FaultPlane::config_debug);
  link_socket.register_b_transport(this, &FaultPlane::link_blocking);
  for (int k = 0; k < d.num_ports(); ++k) {
    in_.push_back(std::make_unique<InSocket>(("in_" + std::to_string(k)).c_str()));
    in_.back()->register_b_transport(this, &FaultPlane::message_blocking, k);
    out_.push_back(std::make_unique<OutSocket>(("out_" + std::to_string(k)).c_str()));
  }
}

// ---- pins

const RouterInputs& FaultPlane::drive() {
  if (driven_) return in_pins_;
  driven_ = true;
  RouterInputs& in = in_pins_;
  in = {};
  in.reset = reset_.sample();
  in.link_up = link_up_.sample();
  in.route_read = route_read_.sample();
  in.out_ready = ~PortMap{0};  // links take every message
  const uint64_t own = own_.sample(), mode = mode_.sample();
  in.own_gid = own & 0x1FF;
  in.own_bid = own >> 16 & 0x1F;
  in.safe = mode & 1;
  in.port_level = mode >> 1 & 1;
  in.joins = mode >> 2 & 1;
  for (int k = 0; k < dragonfly_.num_ports(); ++k) {
    auto& offered = arrived_[k];
    if (offered.empty() || offered.front().second >= sc_core::sc_time_stamp()) continue;
    in.in_valid |= 1ull << k;
    in.in_message[k] = offered.front().first;
    offered.pop_front();
  }
  const tlm::tlm_generic_payload* row = in.reset || offering_ ? nullptr : rows_.offered();
  if (row != nullptr) {
    const auto index = static_cast<int>((row->get_address() - plane_map::kOptions) / 16);
    const Options options{staged_[index], hw::load_word(*row)};
    in = configuration_write(in, index / num_rows(dragonfly_), index % num_rows(dragonfly_), options);
  }
  offering_ = row != nullptr;
  return in;
}

/// The outputs stand: messages leave, a configuration write ends.
void FaultPlane::deliver() {
  driven_ = false;
  served_ += out().serve;
  if (in_pins_.reset) served_ = 0;
  if (const tlm::tlm_generic_payload* row = out().cfg_ack ? rows_.offered() : nullptr) {
    const auto index = static_cast<size_t>((row->get_address() - plane_map::kOptions) / 16);
    options_[index] = {staged_[index], hw::load_word(*row)};
    rows_.take();
    rows_.finish(tlm::TLM_OK_RESPONSE);
  }
  send();
}

/// What stands at an output queue leaves in this cycle if the edge saw the link ready.
void FaultPlane::send() {
  for (PortMap left = out().out_valid & in_pins_.out_ready; left != 0; left &= left - 1) {
    const int k = std::countr_zero(left);
    if (!hw::write_word(*out_[k], out().out_message[k])) SC_REPORT_ERROR(name(), "a message was not taken by the link");
  }
}

// ---- sockets

void FaultPlane::message_blocking(int port, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  tlm::tlm_response_status status = hw::check_access(payload, hw::kWordBytes);
  if (status == tlm::TLM_OK_RESPONSE && !payload.is_write()) status = tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (status == tlm::TLM_OK_RESPONSE &&
      (hw::load_word(payload) >> 22 != 0 || delay != sc_core::SC_ZERO_TIME || !(out().in_ready >> port & 1))) {
    status = tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  if (status == tlm::TLM_OK_RESPONSE)
    arrived_[port].emplace_back(static_cast<uint32_t>(hw::load_word(payload)), sc_core::sc_time_stamp());
  payload.set_response_status(status);
}

void FaultPlane::link_blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  tlm::tlm_response_status status = hw::check_access(payload, hw::kWordBytes);
  if (status == tlm::TLM_OK_RESPONSE) {
    if (delay != sc_core::SC_ZERO_TIME) hw::synchronise(delay);
    if (payload.is_read()) {
      hw::store_word(payload, link_up_.driven());
    } else {
      link_up_.drive(hw::load_word(payload));
    }
  }
  payload.set_response_status(status);
}

bool FaultPlane::read_only(uint32_t address) const {
  return address < plane_map::kOptions && address != plane_map::kOwn && address != plane_map::kMode;
}

uint64_t FaultPlane::read_register(uint32_t address) const {
  using namespace plane_map;
  const RouterOutputs& o = out();
  switch (address) {
    case kId:
      return kIdWord;
    case kSize:
      return static_cast<uint64_t>(dragonfly_.p()) | static_cast<uint64_t>(dragonfly_.a()) << 8 |
             static_cast<uint64_t>(dragonfly_.h()) << 16 | static_cast<uint64_t>(dragonfly_.g()) << 24;
    case kOwn:
      return own_.driven();
    case kMode:
      return mode_.driven();
    case kBusy:
      return o.busy;
    case kLate:
      return o.late;
    case kServed:
      return served_;
    case kMask:
      return o.port_mask;
    default:
      break;
  }
  if (address >= kOptions) {
    const auto index = (address - kOptions) / 16;
    return (address & 8) == 0 ? staged_[index] : options_[index].b;
  }
  const size_t port = (address - kCounters) / 32;
  if (port >= o.unit.size()) return 0;
  const PortOutputs& u = o.unit[port];
  const uint16_t counter[4] = {u.fd_count, u.fr_count, u.wait_ram, u.wait_queue};
  return counter[(address - kCounters) / 8 % 4];
}

/// Between the counters of the last port and the options there is nothing.
bool FaultPlane::is_hole(uint32_t address) const {
  return address >= plane_map::kCounters + 32u * static_cast<uint32_t>(dragonfly_.num_ports()) &&
         address < plane_map::kOptions;
}

/// Ports that exist; of table A one at most.
bool FaultPlane::are_options(uint64_t word, bool of_b) const {
  return (word & ~low_mask(dragonfly_.num_ports())) == 0 && (of_b || std::popcount(word) <= 1);
}

/// Everything but the write of a row, which takes time.
tlm::tlm_response_status FaultPlane::access(tlm::tlm_generic_payload& payload, bool& row) {
  const tlm::tlm_response_status status = hw::check_access(payload, plane_map::end(dragonfly_));
  if (status != tlm::TLM_OK_RESPONSE) return status;
  const auto address = static_cast<uint32_t>(payload.get_address());
  if (is_hole(address)) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (payload.is_read()) {
    hw::store_word(payload, read_register(address));
    return tlm::TLM_OK_RESPONSE;
  }
  if (read_only(address)) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const uint64_t word = hw::load_word(payload);
  if (address == plane_map::kOwn) {
    if ((word & 0x1FF) >= static_cast<uint64_t>(dragonfly_.g()) ||
        (word >> 16 & 0x1F) >= static_cast<uint64_t>(dragonfly_.a()) || (word & ~0x1F01FFull) != 0) {
      return tlm::TLM_GENERIC_ERROR_RESPONSE;
    }
    own_.drive(word);
  } else if (address == plane_map::kMode) {
    if (word > 7) return tlm::TLM_GENERIC_ERROR_RESPONSE;
    mode_.drive(word);
  } else {
    const bool b = (address & 8) != 0;
    if (!are_options(word, b)) return tlm::TLM_GENERIC_ERROR_RESPONSE;
    if (!b) staged_[(address - plane_map::kOptions) / 16] = word;
    row = b;
  }
  return tlm::TLM_OK_RESPONSE;
}

void FaultPlane::config_blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  hw::synchronise(delay);
  bool row = false;
  payload.set_response_status(access(payload, row));
  if (!row) return;
  rows_.serve(payload);
}

unsigned FaultPlane::config_debug(tlm::tlm_generic_payload& payload) {
  return hw::debug_words(payload, plane_map::end(dragonfly_),
                         [this](bool write, uint32_t word_address, uint64_t& data) {
                           const uint32_t address = word_address * hw::kWordBytes;
                           if (!write) {
                             if (is_hole(address)) return false;
                             data = read_register(address);
                             return true;
                           }
                           if (address < plane_map::kOptions || !reset_.driven()) return false;
                           if (!are_options(data, (address & 8) != 0)) return false;
                           const size_t index = (address - plane_map::kOptions) / 16;
                           if ((address & 8) == 0) {
                             staged_[index] = data;
                             return true;
                           }
                           options_[index] = {staged_[index], data};
                           debug_write(static_cast<int>(index) / num_rows(dragonfly_),
                                       static_cast<int>(index) % num_rows(dragonfly_), options_[index]);
                           return true;
                         });
}

void FaultPlane::load(RouterId own, Mode mode, Recovery recovery, const table::ConfigurationPolicy& policy,
                      bool joins) {
  own_.force(static_cast<uint64_t>(own.gid) | static_cast<uint64_t>(own.bid) << 16);
  mode_.force((mode == Mode::safe ? 1u : 0u) | (recovery == Recovery::port_level ? 2u : 0u) | (joins ? 4u : 0u));
  debug_reset();
  for (int row = 0; row < num_rows(dragonfly_); ++row) {
    const RowConfig config = row_config(dragonfly_, own, entry_of_row(dragonfly_, row), mode, policy);
    for (int port = 0; port < dragonfly_.num_ports(); ++port) {
      const size_t index = static_cast<size_t>(port) * num_rows(dragonfly_) + row;
      options_[index] = config.at(dragonfly_, port);
      staged_[index] = options_[index].a;
      debug_write(port, row, options_[index]);
    }
  }
}

// ---- cores

DeviceFaultPlane::DeviceFaultPlane(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                                   std::unique_ptr<CycleDevice<RouterInputs, RouterOutputs>> device)
    : FaultPlane(name, d), device_(std::move(device)) {
  DeviceFaultPlane::debug_reset();  // RTL has no defined state before its first reset
  SC_HAS_PROCESS(DeviceFaultPlane);
  SC_METHOD(clock);
  sensitive << tick.edge();
  dont_initialize();
  SC_METHOD(settle);
  sensitive << tick.settled();
  dont_initialize();
}

void DeviceFaultPlane::debug_reset() {
  RouterInputs reset;
  reset.reset = 1;
  device_->step(reset, out_);
}

/// The write, the cycle that performs it; the reset that the plane is in comes again with the next edge.
void DeviceFaultPlane::debug_write(int port, int row, const Options& options) {
  RouterOutputs ignored;
  const RouterInputs idle;
  device_->step(configuration_write(idle, port, row, options), ignored);
  device_->step(idle, ignored);
}

StructuralFaultPlane::StructuralFaultPlane(const sc_core::sc_module_name& name, hw::Tick& tick, const Dragonfly& d,
                                           const FaultRouterConfig& config, const FaultRouterModule::MakeRam& make_ram)
    : FaultPlane(name, d),
      router_(
          "router", tick, d, config, [this]() -> const RouterInputs& { return drive(); }, make_ram) {
  SC_HAS_PROCESS(StructuralFaultPlane);
  SC_METHOD(settle);
  sensitive << router_.published();
  dont_initialize();
}

}  // namespace odonata::fault
