// SPDX-License-Identifier: Apache-2.0
//
// Route-compute unit of one input port: from the destination of a packet to output port and virtual channel (DOAR §3.2,
// Fig. 6, Alg. 1).
//
// A request is taken every cycle and answered exactly four cycles later:
//   r0 (inputs) -> stage 1: decode -> r1 -> stage 2: tables A and B -> r2 -> stage 3: expand and filter -> r3
//   -> stage 4: pick -> response.
// RTA (a packet at a node port to another group) sees the global ports of the whole group: units A1, A2, C1, N1, N2, B,
// then P1, M, P2.
// RTB (everything else) sees the ports of this router: F, S1, S2, then P3. Congestion is sampled into r2, beside the
// table entries: what minimal options are compared with, and what the others are, which is the same unless the rule
// says otherwise (doar_stable).
// The meaning, bit by bit and cycle by cycle, is in docs/route_compute.md.
//
// Cost: table A 64 * (P+A+G) and table B 64 * (A+G) bits of single-port RAM; table C; 5 * A*H flip-flops in r3, 2 * A*H
// in r2, 2 * A*H of masks.

module route_compute #(
  parameter  int P               = 16,   // nodes a router, 1..16
  parameter  int A               = 32,   // routers a group, 2..32
  parameter  int H               = 16,   // global ports a router, 1..16
  parameter  int G               = 512,  // groups, 2..min(A*H+1, 512)
  parameter  int NB              = 8,    // neighbour ports in a global entry of table B, 1..8
  parameter  int AbsoluteAtReset = 0,    // arrangement after reset: 0 direct, 1 absolute
  localparam int NumPorts        = P + A - 1 + H,
  localparam int GroupPorts      = A * H
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // Requests
  input  logic                  req_valid_i,
  input  logic [17:0]           req_dest_i,
  input  logic [8:0]            req_src_gid_i,
  input  logic [1:0]            req_vc_i,
  // Congestion
  input  logic [NumPorts-1:0]   cong_local_i,
  input  logic [GroupPorts-1:0] cong_global_i,
  input  logic [NumPorts-1:0]   busy_local_i,
  input  logic [GroupPorts-1:0] busy_global_i,
  // Configuration
  input  logic                  cfg_valid_i,
  output logic                  cfg_ready_o,
  input  logic                  cfg_write_i,
  input  logic [11:0]           cfg_addr_i,
  input  logic [63:0]           cfg_wdata_i,
  output logic                  cfg_ack_o,
  output logic                  cfg_err_o,
  output logic [63:0]           cfg_rdata_o,
  // Responses
  output logic                  resp_valid_o,
  output logic [2:0]            resp_hop_class_o,
  output logic [5:0]            resp_port_o,
  output logic [1:0]            resp_vc_o,
  output logic [4:0]            resp_router_o,
  // Thresholds for the port's credit monitor, and what is in the stages
  output logic [15:0]           local_threshold_o,
  output logic [15:0]           global_threshold_o,
  output logic [23:0]           probe_o
);

  localparam int TableADepth  = P + A + G;
  localparam int TableBDepth  = A + G;
  localparam int TableAIndex  = $clog2(TableADepth);
  localparam int TableBIndex  = $clog2(TableBDepth);
  localparam int EntryAUsed   = (NumPorts > route_compute_pkg::EntryAWidth) ? NumPorts : route_compute_pkg::EntryAWidth;

  logic        look_valid, cfg_table_a_req, cfg_table_b_req, cfg_write, unused_transit, unused_next;
  logic [1:0]  unused_zone, unused_vc;
  logic [9:0]  look_index_a, look_index_b, cfg_index;
  logic [63:0] cfg_wdata, table_a_rdata, table_b_rdata;

  rc_pipeline #(.P(P), .A(A), .H(H), .G(G), .NB(NB), .AbsoluteAtReset(AbsoluteAtReset)) u_pipeline (
    .clk_i,
    .rst_ni,
    .req_valid_i,
    .req_dest_i,
    .req_src_gid_i,
    .req_vc_i,
    .cong_local_i,
    .cong_global_i,
    .busy_local_i,
    .busy_global_i,
    .cfg_valid_i,
    .cfg_ready_o,
    .cfg_write_i,
    .cfg_addr_i,
    .cfg_wdata_i,
    .cfg_ack_o,
    .cfg_err_o,
    .cfg_rdata_o,
    .look_next_o    (unused_next),
    .look_valid_o   (look_valid),
    .look_index_a_o (look_index_a),
    .look_index_b_o (look_index_b),
    .table_a_req_o  (cfg_table_a_req),
    .table_b_req_o  (cfg_table_b_req),
    .table_write_o  (cfg_write),
    .table_index_o  (cfg_index),
    .table_wdata_o  (cfg_wdata),
    .table_a_rdata_i(table_a_rdata),
    .table_b_rdata_i(table_b_rdata),
    .table_hold_i   (1'b0),
    .table_hold_reads_i(1'b0),
    .zone_o         (unused_zone),
    .transit_o      (unused_transit),
    .vc_o           (unused_vc),
    .entry_a_i      (EntryAUsed'(table_a_rdata)),
    .entry_b_i      (table_b_rdata),
    .resp_valid_o,
    .resp_hop_class_o,
    .resp_port_o,
    .resp_vc_o,
    .resp_router_o,
    .local_threshold_o,
    .global_threshold_o,
    .probe_o
  );

  ram_1p #(.Width(64), .Depth(TableADepth)) u_table_a (
    .clk_i,
    .rst_ni,
    .req_i  (look_valid || cfg_table_a_req),
    .write_i(cfg_table_a_req && cfg_write),
    .addr_i (TableAIndex'(look_valid ? look_index_a : cfg_index)),
    .wdata_i(cfg_wdata),
    .rdata_o(table_a_rdata)
  );

  ram_1p #(.Width(64), .Depth(TableBDepth)) u_table_b (
    .clk_i,
    .rst_ni,
    .req_i  (look_valid || cfg_table_b_req),
    .write_i(cfg_table_b_req && cfg_write),
    .addr_i (TableBIndex'(look_valid ? look_index_b : cfg_index)),
    .wdata_i(cfg_wdata),
    .rdata_o(table_b_rdata)
  );

endmodule : route_compute
