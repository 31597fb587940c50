// SPDX-License-Identifier: Apache-2.0
// A route-compute unit of five stages: the response has a register rank of its own on the way to the crossbar.
// Configuration answers as before.
module rc_five #(
  parameter int P = 16,
  parameter int A = 32,
  parameter int H = 16,
  parameter int G = 512,
  parameter int NB = 8,
  parameter int AbsoluteAtReset = 0
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               req_valid_i,
  input  logic [17:0]        req_dest_i,
  input  logic [8:0]         req_src_gid_i,
  input  logic [1:0]         req_vc_i,
  input  logic [P+A-1+H-1:0] cong_local_i,
  input  logic [A*H-1:0]     cong_global_i,
  input  logic [P+A-1+H-1:0] busy_local_i,
  input  logic [A*H-1:0]     busy_global_i,
  input  logic               cfg_valid_i,
  output logic               cfg_ready_o,
  input  logic               cfg_write_i,
  input  logic [11:0]        cfg_addr_i,
  input  logic [63:0]        cfg_wdata_i,
  output logic               cfg_ack_o,
  output logic               cfg_err_o,
  output logic [63:0]        cfg_rdata_o,
  output logic               resp_valid_o,
  output logic [2:0]         resp_hop_class_o,
  output logic [5:0]         resp_port_o,
  output logic [1:0]         resp_vc_o,
  output logic [4:0]         resp_router_o,
  output logic [15:0]        local_threshold_o,
  output logic [15:0]        global_threshold_o
);

  logic       valid;
  logic [2:0] hop_class;
  logic [5:0] port;
  logic [1:0] vc;
  logic [4:0] router;

  route_compute #(.P(P), .A(A), .H(H), .G(G), .NB(NB), .AbsoluteAtReset(AbsoluteAtReset)) u_four_stages (
    .clk_i, .rst_ni, .req_valid_i, .req_dest_i, .req_src_gid_i, .req_vc_i, .cong_local_i, .cong_global_i,
    .busy_local_i, .busy_global_i, .cfg_valid_i, .cfg_ready_o, .cfg_write_i, .cfg_addr_i, .cfg_wdata_i, .cfg_ack_o,
    .cfg_err_o, .cfg_rdata_o, .resp_valid_o(valid), .resp_hop_class_o(hop_class), .resp_port_o(port), .resp_vc_o(vc),
    .resp_router_o(router), .local_threshold_o, .global_threshold_o, .probe_o()
  );

  always_ff @(posedge clk_i) begin
    resp_valid_o     <= rst_ni && valid;
    resp_hop_class_o <= rst_ni ? hop_class : '0;
    resp_port_o      <= rst_ni ? port : '0;
    resp_vc_o        <= rst_ni ? vc : '0;
    resp_router_o    <= rst_ni ? router : '0;
  end

endmodule : rc_five
