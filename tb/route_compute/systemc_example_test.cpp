// SPDX-License-Identifier: Apache-2.0
// The example of docs/systemc.md, compiled and run: a route-compute unit in somebody else's platform.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "hw/route_compute/pipeline_target.h"

namespace {

using namespace odonata;
using namespace odonata::route_compute;

/// Router 2 of group 1 of a dfly(2,4,2,8): what its node port 0 does with one packet.
struct Platform : sc_core::sc_module {
  const Dragonfly dragonfly = Dragonfly::named("tiny");
  hw::Tick tick{"tick", sc_core::sc_time(1, sc_core::SC_NS)};
  PipelineTarget unit{"unit", tick,
                      dragonfly};  // or CycleTarget{..., std::make_unique<GoldenDevice>(dragonfly)}, or with the RTL
  tlm_utils::simple_initiator_socket<Platform, hw::kBusWidth> route{"route"}, config{"config"},
      congestion{"congestion"};
  Decision decision;
  sc_core::sc_time answered_after;

  explicit Platform(const sc_core::sc_module_name& name) : sc_module(name) {
    route.bind(unit.route_socket);
    config.bind(unit.config_socket);
    congestion.bind(unit.congestion_socket);
    SC_HAS_PROCESS(Platform);
    SC_THREAD(main);
  }

  void write(auto& socket, uint64_t address, void* data, unsigned bytes) {
    tlm::tlm_generic_payload payload;
    payload.set_write();
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    if (payload.is_response_error()) SC_REPORT_ERROR("platform", payload.get_response_string().c_str());
  }

  void main() {
    const RouterId own{1, 2};
    const int port = 0;
    for (RegisterWrite w : configuration_writes(dragonfly, own, port, table::configure(dragonfly, own, port), 0xACE1)) {
      write(config, w.address, &w.data, 8);
    }
    PortMap congested = 0b0000100;  // physical port 2
    write(congestion, congestion_map::kLocal, &congested, 8);

    RouteExtension extension;
    extension.request = {.dest = {.gid = 3, .bid = 0, .nid = 1}, .src_gid = 1, .vc = 0};
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_IGNORE_COMMAND);
    payload.set_extension(&extension);
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): what it refers to goes on
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    sc_core::sc_time delay;
    route->b_transport(payload, delay);  // five cycles: up to the next edge, then four
    payload.clear_extension(&extension);
    decision = extension.decision;
    answered_after = sc_core::sc_time_stamp() - start;
    sc_core::sc_stop();
  }
};

TEST(Example, APlatformWithOneUnit) {
  Platform platform("platform");
  sc_core::sc_start();
  // Group 3 hangs on router 1 (group-wide port 3), which local port 3 of router 2 leads to; that port is free.
  EXPECT_EQ(platform.decision.hop_class, HopClass::ga);
  EXPECT_EQ(platform.decision.router, 1);
  EXPECT_EQ(platform.decision.port, 3);
  EXPECT_EQ(platform.decision.vc, 0);
  EXPECT_EQ(platform.answered_after, sc_core::sc_time(5, sc_core::SC_NS));
}

}  // namespace
