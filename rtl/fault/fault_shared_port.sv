// SPDX-License-Identifier: Apache-2.0
//
// A port whose single-port table RAM serves two masters: the look-ups of route compute, one a cycle, and the fault
// plane's port unit (docs/fault.md §6.5). Look-ups win; the port unit uses the cycles that they leave.
//
//   request ─▶ r0 ─▶ decode ─▶ r1 ─▶ RAM ─▶ effective options, immediate mask ─▶ answer
//
// An answer comes three edges after its request was sampled, whatever the port unit does. The decoder is that of route
// compute.
//
// Cost: the port unit, the decoder, the look-up, two ranks of registers.

module fault_shared_port #(
  parameter  int P          = 2,
  parameter  int A          = 4,
  parameter  int H          = 2,
  parameter  int G          = 8,
  parameter  int QueueDepth = 8,
  localparam int NumPorts   = P + A - 1 + H
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // Port unit
  input  logic [8:0]          own_gid_i,
  input  logic [4:0]          own_bid_i,
  input  logic [5:0]          own_port_i,
  input  logic [1:0]          class_i,
  input  logic                safe_i,
  input  logic                port_level_i,
  input  logic                joins_i,
  input  logic                cfg_valid_i,
  input  logic [9:0]          cfg_row_i,
  input  logic                cfg_has_a_i,
  input  logic [5:0]          cfg_a_i,
  input  logic [NumPorts-1:0] cfg_b_i,
  input  logic                cmd_valid_i,
  input  logic [1:0]          cmd_kind_i,
  input  logic [5:0]          cmd_port_i,
  input  logic [21:0]         cmd_message_i,
  input  logic                cmd_isolated_i,
  input  logic                out_ready_i,
  output logic                busy_o,
  output logic [NumPorts-1:0] unheard_o,
  output logic                msg_valid_o,
  output logic [21:0]         msg_o,
  output logic                write_o,
  output logic [9:0]          write_row_o,
  output logic [1:0]          write_level_a_o,
  output logic [NumPorts-1:0] write_lost_o,
  output logic [NumPorts-1:0] write_partial_o,
  output logic                cfg_ack_o,
  output logic [15:0]         fd_count_o,
  output logic [15:0]         fr_count_o,
  output logic [15:0]         wait_ram_o,
  output logic [15:0]         wait_queue_o,
  output logic [12:0]         probe_o,
  // Look-ups
  input  logic                req_valid_i,
  input  logic [17:0]         req_dest_i,
  input  logic [8:0]          req_src_gid_i,
  input  logic [1:0]          req_vc_i,
  input  logic [NumPorts-1:0] port_mask_i,
  output logic                resp_valid_o,
  output logic [NumPorts-1:0] resp_a_o,
  output logic [NumPorts-1:0] resp_b_o
);

  // Stage 1: which row?
  logic        r0_valid_q;
  logic [17:0] r0_dest_q;
  logic [8:0]  r0_src_gid_q, own_gid_q;
  logic [4:0]  own_bid_q;
  logic [1:0]  class_q, r0_vc_q;
  always_ff @(posedge clk_i) begin
    r0_valid_q   <= rst_ni && req_valid_i;
    r0_dest_q    <= req_dest_i;
    r0_src_gid_q <= req_src_gid_i;
    r0_vc_q      <= req_vc_i;
    own_gid_q    <= own_gid_i;
    own_bid_q    <= own_bid_i;
    class_q      <= class_i;
  end

  logic [1:0] zone;
  logic       unused_rta, transit;
  logic [9:0] row, unused_row_b;
  rc_decode #(.P(P), .A(A), .G(G)) u_decode (
    .dest_i      (r0_dest_q),
    .src_gid_i   (r0_src_gid_q),
    .own_gid_i   (own_gid_q),
    .own_bid_i   (own_bid_q),
    .port_class_i(class_q),
    .zone_o      (zone),
    .rta_o       (unused_rta),
    .transit_o   (transit),
    .index_a_o   (row),
    .index_b_o   (unused_row_b)
  );

  // Stages 2 and 3: the RAM reads in r1, the word is there in r2.
  logic                r1_valid_q, r2_valid_q, r1_transit_q, r2_transit_q;
  logic [1:0]          r1_zone_q, r2_zone_q, r1_vc_q, r2_vc_q;
  logic [NumPorts-1:0] mask_q, a, b;
  always_ff @(posedge clk_i) begin
    r1_valid_q   <= rst_ni && r0_valid_q;
    r1_zone_q    <= zone;
    r1_transit_q <= transit;
    r1_vc_q      <= r0_vc_q;
    r2_valid_q   <= rst_ni && r1_valid_q;
    r2_zone_q    <= r1_zone_q;
    r2_transit_q <= r1_transit_q;
    r2_vc_q      <= r1_vc_q;
    mask_q       <= port_mask_i;
  end

  logic                has_a, unused_late;
  logic [5:0]          port_a;
  logic [1:0]          level_a;
  logic [NumPorts-1:0] options_b, lost, partial;

  fault_port #(.P(P), .A(A), .H(H), .G(G), .QueueDepth(QueueDepth)) u_port (
    .clk_i, .rst_ni, .own_gid_i, .own_bid_i, .own_port_i, .class_i, .safe_i, .port_level_i, .joins_i, .cfg_valid_i,
    .cfg_row_i, .cfg_has_a_i, .cfg_a_i, .cfg_b_i, .cmd_valid_i, .cmd_kind_i, .cmd_port_i, .cmd_message_i,
    .cmd_isolated_i,
    .route_read_i(r0_valid_q && (zone != route_compute_pkg::ZoneInvalid)),
    .route_row_i (row),
    .route_word_o({has_a, port_a, level_a, options_b, lost, partial}),
    .out_ready_i, .busy_o,
    .late_o      (unused_late),
    .unheard_o, .msg_valid_o, .msg_o, .write_o, .write_row_o, .write_level_a_o, .write_lost_o, .write_partial_o,
    .cfg_ack_o, .fd_count_o, .fr_count_o, .wait_ram_o, .wait_queue_o, .probe_o
  );

  fault_lookup #(.P(P), .A(A), .H(H)) u_lookup (
    .zone_i   (r2_zone_q),
    .class_i  (class_q),
    .transit_i(r2_transit_q),
    .vc_i     (r2_vc_q),
    .has_a_i  (has_a),
    .a_i      (port_a),
    .b_i      (options_b),
    .level_a_i(level_a),
    .lost_i   (lost),
    .partial_i(partial),
    .mask_i   (mask_q | unheard_o),
    .a_o      (a),
    .b_o      (b)
  );

  logic answers;
  assign answers = r2_valid_q && (r2_zone_q != route_compute_pkg::ZoneInvalid);
  always_ff @(posedge clk_i) begin
    resp_valid_o <= rst_ni && r2_valid_q;
    resp_a_o     <= (rst_ni && answers) ? a : '0;
    resp_b_o     <= (rst_ni && answers) ? b : '0;
  end

endmodule : fault_shared_port
