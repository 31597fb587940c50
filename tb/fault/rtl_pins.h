// SPDX-License-Identifier: Apache-2.0
// The pins of the Verilated port unit (docs/fault.md §5).
#pragma once

#include "tb/fault/port_block.h"
#include "tb/harness/verilated_device.h"

namespace odonata::cosim {

template <class Model>
struct FaultPortPins {
  using In = fault::PortInputs;
  using Out = fault::PortOutputs;
  static void drive(Model& m, const In& in) {
    m.rst_ni = !in.reset;
    m.own_gid_i = in.own_gid;
    m.own_bid_i = in.own_bid;
    m.own_port_i = in.own_port;
    m.class_i = in.port_class;
    m.safe_i = in.safe;
    m.port_level_i = in.port_level;
    m.cfg_valid_i = in.cfg_valid;
    m.cfg_row_i = in.cfg_row;
    m.cfg_has_a_i = in.cfg_has_a;
    m.cfg_a_i = in.cfg_a;
    drive_wide(m.cfg_b_i, &in.cfg_b);
    m.cmd_valid_i = in.cmd_valid;
    m.cmd_kind_i = in.cmd_kind;
    m.cmd_port_i = in.cmd_port;
    m.cmd_message_i = in.cmd_message;
    m.cmd_isolated_i = in.cmd_isolated;
    m.route_read_i = in.route_read;
    m.out_ready_i = in.out_ready;
  }
  static void sample(const Model& m, Out& out) {
    out.busy = m.busy_o;
    out.msg_valid = m.msg_valid_o;
    out.msg = m.msg_o;
    out.write = m.write_o;
    out.write_row = m.write_row_o;
    out.write_level_a = m.write_level_a_o;
    out.write_lost[0] = m.write_lost_o;
    out.write_partial[0] = m.write_partial_o;
    out.cfg_ack = m.cfg_ack_o;
    out.fd_count = m.fd_count_o;
    out.fr_count = m.fr_count_o;
    out.wait_ram = m.wait_ram_o;
    out.wait_queue = m.wait_queue_o;
    out.probe = m.probe_o;
  }
};

}  // namespace odonata::cosim
