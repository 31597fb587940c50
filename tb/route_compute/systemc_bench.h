// SPDX-License-Identifier: Apache-2.0
// Everything around a route-compute target in a test: clock, an approximately timed initiator, threads for the other
// sockets.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <deque>
#include <functional>
#include <vector>

#include "hw/common/payload_pool.h"
#include "hw/route_compute/cycle_target.h"
#include "hw/route_compute/pipeline_target.h"
#include "tb/route_compute/block.h"

namespace odonata::route_compute::bench {

using sc_core::sc_time;
using sc_core::sc_time_stamp;
using tlm::tlm_generic_payload;

inline sc_time ns(double value) { return {value, sc_core::SC_NS}; }

/// How the initiator ends a response.
enum class EndResp { completed, updated, updated_later, same_time, after };

/// One transaction with the times of its phases.
struct Trip {
  Request request;
  Decision decision;
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  sc_time begin_req, end_req, begin_resp;
};

/// Sends requests as fast as the exclusion rule allows and writes down when each phase happened. Rule violations go to
/// `violations`.
class AtInitiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<AtInitiator, hw::kBusWidth> socket{"socket"};
  std::vector<Trip> trips;
  std::vector<std::string> violations;
  EndResp end_resp = EndResp::completed;
  sc_time later = ns(2.5);  ///< of EndResp::after and updated_later
  sc_time annotated;        ///< delay of BEGIN_REQ
  hw::PayloadPool<RouteExtension> pool;

  explicit AtInitiator(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(AtInitiator);
    socket.register_nb_transport_bw(this, &AtInitiator::backward);
    SC_METHOD(end_response);
    sensitive << end_resp_event_;
    dont_initialize();
  }
  /// Queues a request; BEGIN_REQ now or as soon as the one before has got END_REQ.
  void send(const Request& request) {
    todo_.push_back(request);
    if (requesting_ == nullptr) begin();
  }
  size_t pending() const { return todo_.size() + active_.size(); }

 private:
  struct Active {
    tlm_generic_payload* payload;
    size_t trip;
    bool accepted = false;
  };

  void begin() {
    tlm_generic_payload& payload = pool.allocate();
    RouteExtension& extension = *payload.get_extension<RouteExtension>();
    extension.request = todo_.front();
    todo_.pop_front();
    trips.push_back({.request = extension.request, .begin_req = sc_time_stamp() + annotated});
    active_.push_back({&payload, trips.size() - 1});
    requesting_ = &payload;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = annotated;
    const tlm::tlm_sync_enum answer = socket->nb_transport_fw(payload, phase, delay);
    if (answer != tlm::TLM_COMPLETED) return;
    requesting_ = nullptr;
    trips.back().status = payload.get_response_status();
    active_.pop_back();
    payload.release();
  }
  tlm::tlm_sync_enum backward(tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_time& delay) {
    if (phase == tlm::END_REQ) {
      if (requesting_ != &payload) violations.push_back("END_REQ for a transaction that does not request");
      requesting_ = nullptr;
      active_.back().accepted = true;
      trips[active_.back().trip].end_req = sc_time_stamp() + delay;
      if (!todo_.empty()) begin();
      return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP) violations.push_back("unexpected phase");
    return respond(payload, phase, delay);
  }
  tlm::tlm_sync_enum respond(tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_time& delay) {
    if (responding_ != nullptr) violations.push_back("BEGIN_RESP before END_RESP of the response before");
    if (active_.empty() || active_.front().payload != &payload) violations.push_back("response out of order");
    if (!active_.front().accepted) violations.push_back("BEGIN_RESP before END_REQ");
    Trip& trip = trips[active_.front().trip];
    trip.begin_resp = sc_time_stamp() + delay;
    trip.decision = payload.get_extension<RouteExtension>()->decision;
    trip.status = payload.get_response_status();
    active_.pop_front();
    if (end_resp <= EndResp::updated_later) {
      payload.release();
      phase = tlm::END_RESP;
      if (end_resp == EndResp::updated_later) delay = later;
      return end_resp == EndResp::completed ? tlm::TLM_COMPLETED : tlm::TLM_UPDATED;
    }
    responding_ = &payload;
    end_resp_event_.notify(end_resp == EndResp::same_time ? sc_core::SC_ZERO_TIME : later);
    return tlm::TLM_ACCEPTED;
  }
  void end_response() {
    tlm_generic_payload& payload = *responding_;
    responding_ = nullptr;
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(payload, phase, delay);
    payload.release();
  }

  std::deque<Request> todo_;
  std::deque<Active> active_;
  tlm_generic_payload *requesting_ = nullptr, *responding_ = nullptr;
  sc_core::sc_event end_resp_event_;
};

/// Threads that run test code, and plain calls on the memory-mapped sockets.
class Driver : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Driver, hw::kBusWidth> config{"config"}, congestion{"congestion"};

  explicit Driver(const sc_core::sc_module_name& name) : sc_module(name) {}

  tlm::tlm_response_status write(uint64_t address, uint64_t data) { return access(config, true, address, &data, 8); }
  tlm::tlm_response_status read(uint64_t address, uint64_t& data) { return access(config, false, address, &data, 8); }
  tlm::tlm_response_status congest_local(PortMap map) {
    return access(congestion, true, congestion_map::kLocal, &map, 8);
  }
  tlm::tlm_response_status congest_global(GroupMap map) {
    return access(congestion, true, congestion_map::kGlobal, map.word.data(), 64);
  }
  void configure(const std::vector<RegisterWrite>& writes) {
    for (const RegisterWrite& w : writes) {
      if (write(w.address, w.data) != tlm::TLM_OK_RESPONSE) SC_REPORT_ERROR("test", "configuration write refused");
    }
  }
  template <class Socket>
  static tlm::tlm_response_status access(Socket& socket, bool is_write, uint64_t address, void* data, unsigned length) {
    tlm_generic_payload payload;
    fill(payload, is_write, address, data, length);
    sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(payload, delay);
    return payload.get_response_status();
  }
  template <class Socket>
  static unsigned debug(Socket& socket, bool is_write, uint64_t address, void* data, unsigned length) {
    tlm_generic_payload payload;
    fill(payload, is_write, address, data, length);
    return socket->transport_dbg(payload);
  }
  static void fill(tlm_generic_payload& payload, bool is_write, uint64_t address, void* data, unsigned length) {
    payload.set_command(is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(length);
    payload.set_streaming_width(length);
  }
};

// The three cores behind the same sockets.
struct SystemcCore {
  static constexpr bool kDebugWrites = true;
  static std::unique_ptr<RouteComputeTarget> make(hw::Tick& tick, const Dragonfly& d) {
    return std::make_unique<PipelineTarget>("dut", tick, d);
  }
};
struct GoldenCore {
  static constexpr bool kDebugWrites = false;
  static std::unique_ptr<RouteComputeTarget> make(hw::Tick& tick, const Dragonfly& d) {
    return std::make_unique<CycleTarget>("dut", tick, d, std::make_unique<GoldenDevice>(d));
  }
};
struct RtlCore {
  static constexpr bool kDebugWrites = false;
  static std::unique_ptr<RouteComputeTarget> make(hw::Tick& tick, const Dragonfly& d) {
    return std::make_unique<CycleTarget>("dut", tick, d, cosim::make_rtl<cosim::RouteComputeBlock>(d));
  }
};

/// A platform of one unit. Edges are at 1, 2, 3, ... ns; the unit is in reset until 1.5 ns.
class Bench {
 public:
  hw::Tick tick{"tick"};
  std::unique_ptr<RouteComputeTarget> dut;
  AtInitiator initiator{"initiator"};
  Driver driver{"driver"};
  const Dragonfly d;

  template <class Core>
  Bench(Core, const Dragonfly& dragonfly) : dut(Core::make(tick, dragonfly)), d(dragonfly) {
    initiator.socket.bind(dut->route_socket);
    driver.config.bind(dut->config_socket);
    driver.congestion.bind(dut->congestion_socket);
  }
  /// Runs `body` in a thread after the reset, until it returns and everything is answered, or for `limit`.
  void run(const std::function<void()>& body, const sc_time& limit = ns(100'000)) {
    sc_core::sc_spawn([this, body] {
      dut->set_reset(true);
      sc_core::wait(ns(1.5));
      dut->set_reset(false);
      body();
      while (initiator.pending() != 0) sc_core::wait(ns(1));
      sc_core::wait(ns(10));
      finished_ = true;
      sc_core::sc_stop();
    });
    sc_core::sc_start(limit);
  }
  bool finished() const { return finished_; }
  /// Asks once a nanosecond.
  static void wait_until(const std::function<bool()>& done) {
    while (!done()) sc_core::wait(ns(1));
  }
  /// A second thread beside the body of run().
  static void also(const std::function<void()>& body) { sc_core::sc_spawn(body); }
  /// Identity and tables of a port, written word by word.
  void configure(RouterId own, int port, uint16_t lfsr = 0xACE1) {
    driver.configure(configuration_writes(d, own, port, table::configure(d, own, port), lfsr));
  }
  uint64_t peek(uint32_t address) {
    uint64_t data = 0;
    Driver::debug(driver.config, false, address, &data, 8);
    return data;
  }
  /// Every readable word of the map.
  std::vector<uint64_t> snapshot() {
    std::vector<uint64_t> words;
    for (uint32_t address = 0; address < reg::kEnd; address += 8) words.push_back(peek(address));
    return words;
  }

 private:
  bool finished_ = false;
};

}  // namespace odonata::route_compute::bench
