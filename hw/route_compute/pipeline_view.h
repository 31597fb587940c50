// SPDX-License-Identifier: Apache-2.0
// The signals of the pipeline's waveform. Private to RouteComputePipeline.
#pragma once

#include "hw/route_compute/pipeline.h"

namespace odonata::route_compute {

/// A copy of what the stages hold, at fixed addresses for sc_trace. Filled after every edge while a waveform is
/// written.
struct RouteComputePipeline::View {
  uint32_t edge = 0;
  bool reset = false;
  struct {
    bool valid = false;
    uint32_t dest = 0;  // 18 bits
    uint16_t src_gid = 0;
    uint8_t vc = 0;
  } s1;
  struct {
    bool valid = false, rta = false, transit = false;
    uint8_t zone = 0;
    uint16_t index_a = 0, index_b = 0, lfsr = 0;
  } s2;
  struct {
    bool valid = false;
    uint64_t entry_a = 0, entry_b = 0, cong_local = 0;
    bool cong_global = false;  // some group-wide port is congested
    uint64_t busy_local = 0;
    bool busy_global = false;  // some is above the second threshold
  } s3;
  struct {
    bool valid = false, rta = false;
    bool ga = false, gb = false, gc = false, gd = false, s1 = false, s2 = false, any = false;
  } s4;
  struct {
    bool valid = false;
    uint8_t hop_class = 0, winner = 0, port = 0, vc = 0;
  } response;
  struct {
    bool valid = false, write = false, waits = false, ack = false, err = false;
    uint8_t target = 0;
    uint16_t address = 0;
    uint64_t data = 0, rdata = 0;
  } cfg;
};

}  // namespace odonata::route_compute
