// SPDX-License-Identifier: Apache-2.0
//
// The port unit at size full, with all parameters fixed: for synthesis.

module fault_port_full (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [8:0]          own_gid_i,
  input  logic [4:0]          own_bid_i,
  input  logic [5:0]          own_port_i,
  input  logic [1:0]          class_i,
  input  logic                safe_i,
  input  logic                port_level_i,
  input  logic                cfg_valid_i,
  input  logic [9:0]          cfg_row_i,
  input  logic                cfg_has_a_i,
  input  logic [5:0]          cfg_a_i,
  input  logic [62:0] cfg_b_i,
  input  logic                cmd_valid_i,
  input  logic [1:0]          cmd_kind_i,
  input  logic [5:0]          cmd_port_i,
  input  logic [21:0]         cmd_message_i,
  input  logic                cmd_isolated_i,
  input  logic                route_read_i,
  input  logic [9:0]          route_row_i,
  input  logic                out_ready_i,
  output logic                busy_o,
  output logic                msg_valid_o,
  output logic [21:0]         msg_o,
  output logic                write_o,
  output logic [9:0]          write_row_o,
  output logic [1:0]          write_level_a_o,
  output logic [62:0] write_lost_o,
  output logic [62:0] write_partial_o,
  output logic                cfg_ack_o,
  output logic [15:0]         fd_count_o,
  output logic [15:0]         fr_count_o,
  output logic [15:0]         wait_ram_o,
  output logic [15:0]         wait_queue_o,
  output logic [12:0]         probe_o,
  output logic [197:0] route_word_o
);

  logic unused_late;
  fault_port #(.P(16), .A(32), .H(16), .G(512)) u_port (.late_o(unused_late), .*);

endmodule : fault_port_full
