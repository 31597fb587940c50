// SPDX-License-Identifier: Apache-2.0
#include "hw/route_compute/target.h"

#include <string>

namespace odonata::route_compute {

using hw::check_access;
using sc_core::sc_time;
using sc_core::sc_time_stamp;
using tlm::tlm_phase;
using tlm::tlm_response_status;
using tlm::tlm_sync_enum;

namespace {

constexpr const char* kMessageType = "/odonata/route_compute";

/// What cannot happen with a core and an initiator that keep to their rules.
void protocol_error(const sc_core::sc_module& where, const std::string& what) {
  SC_REPORT_ERROR(kMessageType, (std::string(where.name()) + ": " + what).c_str());
}

}  // namespace

RouteComputeTarget::RouteComputeTarget(const sc_core::sc_module_name& name, const Dragonfly& d)
    : sc_module(name), dragonfly_(d), shadow_(d) {
  out_.cfg_ready = 1;
  out_.threshold = shadow_.registers().threshold_word();
  route_socket.register_nb_transport_fw(this, &RouteComputeTarget::route_forward);
  route_socket.register_b_transport(this, &RouteComputeTarget::route_blocking);
  config_socket.register_b_transport(this, &RouteComputeTarget::config_blocking);
  config_socket.register_transport_dbg(this, &RouteComputeTarget::config_debug);
  congestion_socket.register_b_transport(this, &RouteComputeTarget::congestion_blocking);
  congestion_socket.register_transport_dbg(this, &RouteComputeTarget::congestion_debug);
}

// The clock edge.

const UnitInputs& RouteComputeTarget::drive() {
  in_.reset = reset_.sample();
  in_.req_valid = in_.cfg_valid = false;
  if (congested_local_.changed()) in_.congestion.local = congested_local_.sample();
  if (congested_global_.changed()) in_.congestion.global = congested_global_.sample();
  if (busy_local_.changed()) in_.congestion.busy_local = busy_local_.sample();
  if (busy_global_.changed()) in_.congestion.busy_global = busy_global_.sample();
  if (!in_.reset) {
    if (!offered_.empty()) offer_request();
    offer_operation();
  }
  return in_;
}

void RouteComputeTarget::offer_request() {
  const RouteCall& call = offered_.front();
  if (call.since >= sc_time_stamp()) return;
  const Request& request = call.extension->request;
  in_.req_valid = true;
  in_.req_dest = pack_address(request.dest);
  in_.req_src_gid = static_cast<uint16_t>(request.src_gid);
  in_.req_vc = static_cast<uint8_t>(request.vc);
  sampled_ = call;
  offered_.pop_front();
}

void RouteComputeTarget::offer_operation() {
  const Payload* payload = operations_.offered();
  if (payload == nullptr) return;
  hw::drive_operation(in_, *payload);
  if (out_.cfg_ready) operations_.take();
}

void RouteComputeTarget::deliver(const UnitOutputs& out) {
  shadow_.step(in_, out_, out);
  out_ = out;
  if (in_.reset) abort_in_flight();
  take_responses();
  if (out_.cfg_ack) take_acknowledge();
  send_response();
}

/// Of the present edge: the response of the request that was sampled four edges ago, END_REQ of the one that was
/// sampled now.
void RouteComputeTarget::take_responses() {
  RouteCall& slot = in_flight_[edge_++ % kLatency];
  if ((slot.payload != nullptr) != (out_.resp_valid != 0)) {
    protocol_error(*this, slot.payload ? "the core lost a response" : "the core invented a response");
  }
  if (slot.payload != nullptr) {
    slot.extension->decision = {.hop_class = static_cast<HopClass>(out_.resp_hop_class),
                                .port = out_.resp_port,
                                .vc = out_.resp_vc,
                                .router = out_.resp_router};
    finish(slot, tlm::TLM_OK_RESPONSE);
  }
  slot = sampled_;
  sampled_ = {};
  if (slot.payload != nullptr && !slot.blocking) send_end_request(slot);
}

void RouteComputeTarget::abort_in_flight() {
  for (int k = 0; k < kLatency; ++k) {
    RouteCall& slot = in_flight_[(edge_ + k) % kLatency];
    if (slot.payload != nullptr) finish(slot, tlm::TLM_GENERIC_ERROR_RESPONSE);
    slot = {};
  }
  operations_.abort();
}

// Route socket.

tlm_sync_enum RouteComputeTarget::route_forward(Payload& payload, tlm_phase& phase, sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) return begin_request(payload, delay);
  if (phase == tlm::END_RESP) return end_response(payload, delay);
  if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP) protocol_error(*this, "phase of a target on the forward path");
  return tlm::TLM_ACCEPTED;  // an extended phase, which may be ignored
}

namespace {

tlm_response_status check_request(const tlm::tlm_generic_payload& payload) {
  if (payload.get_command() != tlm::TLM_IGNORE_COMMAND) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const RouteExtension* extension = payload.get_extension<RouteExtension>();
  if (extension == nullptr) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  return fits_pins(extension->request) ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

}  // namespace

tlm_sync_enum RouteComputeTarget::begin_request(Payload& payload, const sc_time& delay) {
  if (requesting_ != nullptr) protocol_error(*this, "BEGIN_REQ before END_REQ of the request before (exclusion rule)");
  const tlm_response_status status = check_request(payload);
  if (status != tlm::TLM_OK_RESPONSE) {
    payload.set_response_status(status);
    return tlm::TLM_COMPLETED;
  }
  if (payload.has_mm()) payload.acquire();
  requesting_ = &payload;
  offered_.push_back({&payload, payload.get_extension<RouteExtension>(), false, sc_time_stamp() + delay});
  return tlm::TLM_ACCEPTED;
}

void RouteComputeTarget::send_end_request(const RouteCall& call) {
  requesting_ = nullptr;
  tlm_phase phase = tlm::END_REQ;
  sc_time delay = sc_core::SC_ZERO_TIME;
  route_socket->nb_transport_bw(*call.payload, phase, delay);
}

void RouteComputeTarget::finish(const RouteCall& call, tlm_response_status status) {
  call.payload->set_response_status(status);
  if (call.blocking) {
    route_done_.notify();
  } else {
    responses_.push_back(call);
  }
}

/// At most one BEGIN_RESP an edge, and none before the END_RESP of the one before.
void RouteComputeTarget::send_response() {
  if (responses_.empty() || responding_ != nullptr) return;
  if (response_closed_ && response_free_ >= sc_time_stamp()) return;
  Payload& payload = *responses_.front().payload;
  responses_.pop_front();
  responding_ = &payload;
  response_closed_ = false;
  tlm_phase phase = tlm::BEGIN_RESP;
  sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm_sync_enum answer = route_socket->nb_transport_bw(payload, phase, delay);
  if (responding_ != &payload) return;  // END_RESP came during the call
  const bool ended = answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  if (ended) end_response(payload, answer == tlm::TLM_UPDATED ? delay : sc_core::SC_ZERO_TIME);
}

tlm_sync_enum RouteComputeTarget::end_response(Payload& payload, const sc_time& delay) {
  if (responding_ != &payload) {
    protocol_error(*this, "END_RESP without BEGIN_RESP");
    return tlm::TLM_ACCEPTED;
  }
  responding_ = nullptr;
  response_closed_ = true;
  response_free_ = sc_time_stamp() + delay;
  if (payload.has_mm()) payload.release();
  return tlm::TLM_COMPLETED;
}

void RouteComputeTarget::route_blocking(Payload& payload, sc_time& delay) {
  const tlm_response_status status = check_request(payload);
  if (status != tlm::TLM_OK_RESPONSE) return payload.set_response_status(status);
  hw::synchronise(delay);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  offered_.push_back({&payload, payload.get_extension<RouteExtension>(), true, sc_time_stamp()});
  while (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) sc_core::wait(route_done_);
}

// Configuration socket.

void RouteComputeTarget::config_blocking(Payload& payload, sc_time& delay) {
  const tlm_response_status status = check_access(payload, reg::kEnd);
  if (status != tlm::TLM_OK_RESPONSE) return payload.set_response_status(status);
  hw::synchronise(delay);
  operations_.serve(payload);
}

void RouteComputeTarget::take_acknowledge() {
  Payload* payload = operations_.taken();
  if (payload == nullptr) return protocol_error(*this, "the core acknowledged an operation that nobody started");
  if (payload->is_read() && !out_.cfg_err) hw::store_word(*payload, out_.cfg_rdata);
  operations_.finish(out_.cfg_err ? refusal(*payload) : tlm::TLM_OK_RESPONSE);
}

/// Why the unit refused an operation: no such word, a write to a read-only word, or a value that may not be written.
tlm_response_status RouteComputeTarget::refusal(const Payload& payload) const {
  const uint32_t word = static_cast<uint32_t>(payload.get_address() / hw::kWordBytes);
  switch (shadow_.registers().target(false, word, 0)) {
    case Target::refused:
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    case Target::constant:
    case Target::counter:
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    default:
      return tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
}

unsigned RouteComputeTarget::config_debug(Payload& payload) {
  return hw::debug_words(payload, reg::kEnd, [this](bool write, uint32_t word_address, uint64_t& data) {
    return write ? debug_write(word_address, data) : debug_read(word_address, data);
  });
}

bool RouteComputeTarget::debug_read(uint32_t word_address, uint64_t& data) const {
  const Registers& regs = shadow_.registers();
  const Target target = regs.target(false, word_address, 0);
  data = regs.read(target, word_address);
  return target != Target::refused;
}

bool RouteComputeTarget::debug_write(uint32_t, uint64_t) { return false; }

// Congestion socket.

namespace {

bool is_global(uint64_t address) {
  return address == congestion_map::kGlobal || address == congestion_map::kBusyGlobal;
}
bool is_map(uint64_t address) {
  return is_global(address) || address == congestion_map::kLocal || address == congestion_map::kBusyLocal;
}

}  // namespace

void RouteComputeTarget::congestion_blocking(Payload& payload, sc_time& delay) {
  const uint64_t address = payload.get_address();
  const bool global = is_global(address);
  const bool inside = address <= congestion_map::kGlobal ||
                      (address >= congestion_map::kBusyLocal && address <= congestion_map::kBusyGlobal);
  tlm_response_status status = inside ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (status == tlm::TLM_OK_RESPONSE) {
    status = check_access(payload, congestion_map::kEnd,
                          global ? congestion_map::kGlobalBytes : congestion_map::kLocalBytes);
  }
  if (status == tlm::TLM_OK_RESPONSE) {
    hw::synchronise(delay);
    status = access_congestion(payload, false);
  }
  payload.set_response_status(status);
}

/// One of the four maps, whole. Refused, without change: a bit of a port that does not exist.
tlm_response_status RouteComputeTarget::access_congestion(Payload& payload, bool at_once) {
  const bool global = is_global(payload.get_address()), second = payload.get_address() >= congestion_map::kBusyLocal;
  hw::EdgeInput<PortMap>& local_map = second ? busy_local_ : congested_local_;
  hw::EdgeInput<GroupMap>& global_map = second ? busy_global_ : congested_global_;
  if (payload.is_read()) {
    if (!global) hw::store_word(payload, local_map.driven());
    for (int w = 0; global && w < GroupMap::kWords; ++w) hw::store_word(payload, global_map.driven().word[w], w);
    return tlm::TLM_OK_RESPONSE;
  }
  if (!global) {
    const PortMap map = hw::load_word(payload);
    if ((map & ~low_mask(dragonfly_.num_ports())) != 0) return tlm::TLM_GENERIC_ERROR_RESPONSE;
    at_once ? local_map.force(map) : local_map.drive(map);
    if (at_once) (second ? in_.congestion.busy_local : in_.congestion.local) = map;
    return tlm::TLM_OK_RESPONSE;
  }
  GroupMap map;
  for (int w = 0; w < GroupMap::kWords; ++w) map.word[w] = hw::load_word(payload, w);
  if ((map & ~GroupMap::low(dragonfly_.group_ports())).any()) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  at_once ? global_map.force(map) : global_map.drive(map);
  if (at_once) (second ? in_.congestion.busy_global : in_.congestion.global) = map;
  return tlm::TLM_OK_RESPONSE;
}

unsigned RouteComputeTarget::congestion_debug(Payload& payload) {
  const uint64_t address = payload.get_address();
  if (!is_map(address)) return 0;
  const unsigned bytes = is_global(address) ? congestion_map::kGlobalBytes : congestion_map::kLocalBytes;
  const bool plain = (payload.is_read() || payload.is_write()) && payload.get_data_ptr() != nullptr;
  if (!plain || payload.get_data_length() < bytes) return 0;
  return access_congestion(payload, true) == tlm::TLM_OK_RESPONSE ? bytes : 0;
}

}  // namespace odonata::route_compute
