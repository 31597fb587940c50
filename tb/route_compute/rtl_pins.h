// SPDX-License-Identifier: Apache-2.0
// The pins of the Verilated route-compute unit (docs/route_compute.md §2).
#pragma once

#include "tb/harness/verilated_device.h"
#include "tb/route_compute/rtl_device.h"

namespace odonata::cosim {

template <class Model>
struct RouteComputePins {
  using In = route_compute::UnitInputs;
  using Out = route_compute::UnitOutputs;
  static void drive(Model& m, const In& in) {
    m.rst_ni = !in.reset;
    m.req_valid_i = in.req_valid;
    m.req_dest_i = in.req_dest;
    m.req_src_gid_i = in.req_src_gid;
    m.req_vc_i = in.req_vc;
    drive_wide(m.cong_local_i, &in.congestion.local);
    drive_wide(m.cong_global_i, in.congestion.global.word.data());
    m.cfg_valid_i = in.cfg_valid;
    m.cfg_write_i = in.cfg_write;
    m.cfg_addr_i = in.cfg_addr;
    m.cfg_wdata_i = in.cfg_wdata;
  }
  static void sample(const Model& m, Out& out) {
    out.cfg_rdata = m.cfg_rdata_o;
    out.probe = m.probe_o;
    out.threshold = static_cast<uint32_t>(m.global_threshold_o) << 16 | m.local_threshold_o;
    out.resp_valid = m.resp_valid_o;
    out.resp_hop_class = m.resp_hop_class_o;
    out.resp_port = m.resp_port_o;
    out.resp_vc = m.resp_vc_o;
    out.resp_router = m.resp_router_o;
    out.cfg_ready = m.cfg_ready_o;
    out.cfg_ack = m.cfg_ack_o;
    out.cfg_err = m.cfg_err_o;
  }
};

}  // namespace odonata::cosim
