// SPDX-License-Identifier: Apache-2.0
//
// A route-compute unit that takes a request in every second cycle at most: tables A and B share one RAM, say. A request
// that comes sooner is lost. Its ports have names of their own; half.toml says which pin each one is.

module rc_half #(
  parameter int P = 16,
  parameter int A = 32,
  parameter int H = 16,
  parameter int G = 512
) (
  input  logic               clk,
  input  logic               reset,
  input  logic               test_mode,
  input  logic               go,
  input  logic [17:0]        dest,
  input  logic [8:0]         src_gid,
  input  logic [1:0]         vc_in,
  input  logic [P+A-1+H-1:0] cong_local,
  input  logic [A*H-1:0]     cong_global,
  input  logic [P+A-1+H-1:0] busy_local,
  input  logic [A*H-1:0]     busy_global,
  input  logic               cfg_valid_i,
  output logic               cfg_ready_o,
  input  logic               cfg_write_i,
  input  logic [11:0]        cfg_addr_i,
  input  logic [63:0]        cfg_wdata_i,
  output logic               cfg_ack_o,
  output logic               cfg_err_o,
  output logic [63:0]        cfg_rdata_o,
  output logic               done,
  output logic [2:0]         hop_class,
  output logic [5:0]         port,
  output logic [1:0]         vc_out,
  output logic [4:0]         router,
  output logic [15:0]        local_threshold_o,
  output logic [15:0]        global_threshold_o
);

  logic busy_q, take;
  assign take = go && !busy_q && !test_mode;
  always_ff @(posedge clk) busy_q <= take && !reset;

  route_compute #(.P(P), .A(A), .H(H), .G(G)) u_unit (
    .clk_i(clk), .rst_ni(!reset), .req_valid_i(take), .req_dest_i(dest), .req_src_gid_i(src_gid), .req_vc_i(vc_in),
    .cong_local_i(cong_local), .cong_global_i(cong_global), .busy_local_i(busy_local), .busy_global_i(busy_global),
    .cfg_valid_i, .cfg_ready_o, .cfg_write_i, .cfg_addr_i, .cfg_wdata_i, .cfg_ack_o, .cfg_err_o, .cfg_rdata_o,
    .resp_valid_o(done), .resp_hop_class_o(hop_class), .resp_port_o(port), .resp_vc_o(vc_out), .resp_router_o(router),
    .local_threshold_o, .global_threshold_o, .probe_o()
  );

endmodule : rc_half
