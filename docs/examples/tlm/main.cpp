// SPDX-License-Identifier: Apache-2.0
// A TLM-2.0 platform with two route-compute units behind the same sockets, which answer alike: SystemC and golden unit.
#include <tlm_utils/simple_initiator_socket.h>
#include <cstdio>
#include "hw/route_compute/cycle_target.h"
#include "hw/route_compute/pipeline_target.h"
#include "models/route_compute/golden_device.h"

using namespace odonata;
using namespace odonata::route_compute;
struct Platform : sc_core::sc_module {
  using Socket = tlm_utils::simple_initiator_socket<Platform, hw::kBusWidth>;
  const Dragonfly dragonfly = Dragonfly::named("tiny");
  const RouterId own{1, 2};
  hw::Tick tick{"tick", sc_core::sc_time(1, sc_core::SC_NS)};
  PipelineTarget pipeline{"pipeline", tick, dragonfly};
  CycleTarget golden{"golden", tick, dragonfly, std::make_unique<GoldenDevice>(dragonfly)};
  Socket route[2], config[2], congestion[2];
  explicit Platform(const sc_core::sc_module_name& name) : sc_module(name) {
    connect(pipeline, 0), connect(golden, 1);
    SC_HAS_PROCESS(Platform);
    SC_THREAD(main);
  }
  void connect(auto& unit, int i) {
    route[i].bind(unit.route_socket), config[i].bind(unit.config_socket), congestion[i].bind(unit.congestion_socket);
  }
  void write(Socket& socket, RegisterWrite w) {
    tlm::tlm_generic_payload payload;
    sc_core::sc_time delay;
    payload.set_write(), payload.set_address(w.address), payload.set_data_length(8), payload.set_streaming_width(8);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&w.data));
    socket->b_transport(payload, delay);
  }
  Decision ask(Socket& socket, const Request& request) {
    RouteExtension extension;
    tlm::tlm_generic_payload payload;
    sc_core::sc_time delay;
    extension.request = request;
    payload.set_command(tlm::TLM_IGNORE_COMMAND), payload.set_extension(&extension);
    socket->b_transport(payload, delay);  // up to the next edge, then four cycles
    payload.clear_extension(&extension);
    return extension.decision;
  }
  void main() {
    for (RegisterWrite w : configuration_writes(dragonfly, own, 0, table::configure(dragonfly, own, 0), 0xACE1))
      write(config[0], w), write(config[1], w);
    for (uint16_t group = 0; group < dragonfly.g(); ++group) {
      const Request request{.dest = {.gid = group, .bid = 0, .nid = 1}, .src_gid = 1, .vc = 0};
      const Decision a = ask(route[0], request), b = ask(route[1], request);
      const char* same = a == b ? "agrees" : "DIFFERS";
      std::printf("to group %d: %s port %d; the golden unit %s\n", group, to_string(a.hop_class), a.port, same);
    }
    sc_core::sc_stop();
  }
};
int sc_main(int, char**) {
  Platform platform("platform");
  sc_core::sc_start();
  return 0;
}
