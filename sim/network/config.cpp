// SPDX-License-Identifier: Apache-2.0
#include "sim/network/config.h"

#include "models/common/error.h"

namespace odonata::network {

namespace {

void check_range(const char* name, uint64_t value, uint64_t low, uint64_t high) {
  if (value >= low && value <= high) return;
  throw Error(std::string("network: ") + name + " is " + std::to_string(value) + ", must be " + std::to_string(low) + ".." + std::to_string(high));
}

void check_int(const char* name, int value, int low, int high) {
  if (value >= low && value <= high) return;
  throw Error(std::string("network: ") + name + " is " + std::to_string(value) + ", must be " + std::to_string(low) + ".." + std::to_string(high));
}

}  // namespace

void Config::check() const {
  check_int("phases", router.phases, 1, 4);
  check_int("output_fifo", router.output_fifo, 0, 1'000'000);
  check_int("packet_flits", router.packet_flits, 1, 64);
  const int most = 32'768 / router.packet_flits;  // positions in a ring have 16 bits
  check_int("node_buffer", router.node_buffer, 1, most);
  check_int("local_buffer", router.local_buffer, 1, most);
  check_int("global_buffer", router.global_buffer, 1, most);
  check_int("local_latency", router.local_latency, 1, 255);
  check_int("global_latency", router.global_latency, 1, 1023);
  if (!(load >= 0 && load <= 1)) throw Error("network: load is " + std::to_string(load) + ", must be 0..1 flits a node and cycle");
  check_range("warmup", warmup, 0, 1'000'000'000);
  check_range("sample", sample, 1, 1'000'000'000);
  check_range("drain", drain, 0, 100'000'000);
  check_int("bias", bias, -100'000, 100'000);
  check_int("threads", threads, 1, 1024);
  plane.check();
}

}  // namespace odonata::network
