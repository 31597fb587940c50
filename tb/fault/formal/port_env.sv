// SPDX-License-Identifier: Apache-2.0
//
// The port unit with commands and rows as the router gives them (well-formed, rows that exist); everything else is
// free. Its assertions are proved.

module port_env #(
  parameter  int P = 1,
  parameter  int A = 2,
  parameter  int H = 1,
  parameter  int G = 2,
  parameter  int QueueDepth = 2,
  parameter  int Banks = 1,
  localparam int NumPorts = P + A - 1 + H
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [5:0]          own_port_i,
  input  logic [1:0]          class_i,
  input  logic                safe_i,
  input  logic                port_level_i,
  input  logic                joins_i,
  input  logic                own_gid_i,
  input  logic                own_bid_i,
  input  logic                cfg_valid_i,
  input  logic [9:0]          cfg_row_i,
  input  logic                cfg_has_a_i,
  input  logic [5:0]          cfg_a_i,
  input  logic [NumPorts-1:0] cfg_b_i,
  input  logic                cmd_valid_i,
  input  logic [1:0]          cmd_kind_i,
  input  logic [5:0]          cmd_port_i,
  input  logic [1:0]          cmd_prefix_i,
  input  logic                cmd_class_i,
  input  logic                cmd_gid_i,
  input  logic                cmd_bid_i,
  input  logic                cmd_isolated_i,
  input  logic                route_read_i,
  input  logic [9:0]          route_row_i,
  input  logic                out_ready_i,
  output logic                any_o
);

  logic        busy, late, msg_valid, cfg_ack;
  logic [NumPorts-1:0] unheard;
  logic [21:0] msg;
  logic [Banks-1:0] write;
  logic [9:0]  write_row;
  logic [2*Banks-1:0] write_level_a;
  logic [Banks*NumPorts-1:0] write_lost, write_partial;
  logic [15:0] fd_count, fr_count, wait_ram, wait_queue;
  logic [12:0] probe;
  logic [9+3*NumPorts-1:0] word;

  fault_port #(.P(P), .A(A), .H(H), .G(G), .QueueDepth(QueueDepth), .Banks(Banks)) u_port (
    .clk_i, .rst_ni,
    .own_gid_i     ({8'd0, own_gid_i}),
    .own_bid_i     ({4'd0, own_bid_i}),
    .own_port_i, .class_i, .safe_i, .port_level_i, .joins_i, .cfg_valid_i,
    .cfg_row_i     ((cfg_row_i < 10'(P + A + G)) ? cfg_row_i : 10'd0),
    .cfg_has_a_i, .cfg_a_i, .cfg_b_i, .cmd_valid_i, .cmd_kind_i, .cmd_port_i,
    .cmd_message_i ({cmd_kind_i[0], cmd_class_i,
                     ((cmd_prefix_i == 2'd0) && (cmd_kind_i != 2'd3)) ? 2'd1 : cmd_prefix_i,
                     8'd0, cmd_gid_i, 4'd0, cmd_bid_i, 4'd0}),
    .cmd_isolated_i, .route_read_i,
    .route_row_i   ((route_row_i < 10'(P + A + G)) ? route_row_i : 10'd0),
    .route_word_o  (word),
    .out_ready_i,
    .busy_o(busy), .late_o(late), .unheard_o(unheard), .msg_valid_o(msg_valid), .msg_o(msg), .write_o(write),
    .write_row_o(write_row), .write_level_a_o(write_level_a), .write_lost_o(write_lost),
    .write_partial_o(write_partial), .cfg_ack_o(cfg_ack), .fd_count_o(fd_count), .fr_count_o(fr_count),
    .wait_ram_o(wait_ram), .wait_queue_o(wait_queue), .probe_o(probe)
  );

  assign any_o = ^{busy, late, unheard, msg_valid, cfg_ack, msg, write, write_row, write_level_a, write_lost,
                   write_partial, fd_count, fr_count, wait_ram, wait_queue, probe, word};

endmodule : port_env
