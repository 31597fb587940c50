// SPDX-License-Identifier: Apache-2.0
// Drives the golden unit cycle by cycle in tests.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "models/route_compute/path.h"
#include "models/route_compute/unit.h"

namespace odonata::route_compute::test {

/// A unit and the cycles that it has seen. After step number k (from 0) the pins show what follows from the edge number
/// k.
class UnitBench {
 public:
  explicit UnitBench(const Dragonfly& d) : d_(d), unit_(d) {}

  const UnitOutputs& step(const UnitInputs& in = {}) {
    unit_.step(in);
    ++edges_;
    return unit_.out();
  }
  void idle(int cycles) {
    for (int k = 0; k < cycles; ++k) step();
  }
  /// A configuration operation to its end; a request may be offered in the same cycle as the handshake.
  UnitOutputs operate(bool write, uint32_t byte_address, uint64_t data = 0) {
    UnitInputs in = operation(write, byte_address, data);
    while (!unit_.out().cfg_ready) step();
    step(in);
    for (int k = 0; k < 20; ++k) {
      if (step().cfg_ack) return unit_.out();
    }
    ADD_FAILURE() << "no acknowledgement for address 0x" << std::hex << byte_address;
    return {};
  }
  bool write(uint32_t byte_address, uint64_t data) { return operate(true, byte_address, data).cfg_err == 0; }
  uint64_t read(uint32_t byte_address) {
    const UnitOutputs out = operate(false, byte_address);
    EXPECT_EQ(out.cfg_err, 0);
    return out.cfg_rdata;
  }
  /// Writes the configured tables of a port.
  void configure(RouterId own, int port, uint16_t lfsr = 1) {
    for (const RegisterWrite& w : configuration_writes(d_, own, port, table::configure(d_, own, port), lfsr)) {
      ASSERT_TRUE(write(w.address, w.data)) << std::hex << w.address << " " << w.data;
    }
  }
  static UnitInputs operation(bool write, uint32_t byte_address, uint64_t data = 0) {
    UnitInputs in;
    in.cfg_valid = true;
    in.cfg_write = write;
    in.cfg_addr = static_cast<uint16_t>(byte_address / 8);
    in.cfg_wdata = data;
    return in;
  }
  static UnitInputs request(const Address& to, int src_gid = 0, int vc = 0) {
    UnitInputs in;
    in.req_valid = true;
    in.req_dest = pack_address(to);
    in.req_src_gid = static_cast<uint16_t>(src_gid);
    in.req_vc = static_cast<uint8_t>(vc);
    return in;
  }
  static UnitInputs reset() {
    UnitInputs in;
    in.reset = true;
    return in;
  }

  const Dragonfly& dragonfly() const { return d_; }
  Unit& unit() { return unit_; }
  const UnitOutputs& out() const { return unit_.out(); }
  int edges() const { return edges_; }

 private:
  Dragonfly d_;
  Unit unit_;
  int edges_ = 0;
};

}  // namespace odonata::route_compute::test
