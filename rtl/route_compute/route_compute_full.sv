// SPDX-License-Identifier: Apache-2.0
//
// Route-compute unit at the size dfly(16,32,16,512): a top without parameters, for synthesis and simulation.
// Written by ./dev units from models/route_compute/route_compute.toml.

module route_compute_full (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         req_valid_i,
  input  logic [17:0]  req_dest_i,
  input  logic [8:0]   req_src_gid_i,
  input  logic [1:0]   req_vc_i,
  input  logic         cfg_valid_i,
  input  logic         cfg_write_i,
  input  logic [11:0]  cfg_addr_i,
  input  logic [63:0]  cfg_wdata_i,
  input  logic [62:0]  cong_local_i,
  input  logic [511:0] cong_global_i,
  input  logic [62:0]  busy_local_i,
  input  logic [511:0] busy_global_i,
  output logic [23:0]  probe_o,
  output logic         resp_valid_o,
  output logic [2:0]   resp_hop_class_o,
  output logic [5:0]   resp_port_o,
  output logic [1:0]   resp_vc_o,
  output logic [4:0]   resp_router_o,
  output logic         cfg_ready_o,
  output logic         cfg_ack_o,
  output logic         cfg_err_o,
  output logic [63:0]  cfg_rdata_o,
  output logic [15:0]  local_threshold_o,
  output logic [15:0]  global_threshold_o
);

  route_compute #(
    .P(16), .A(32), .H(16), .G(512), .NB(8), .AbsoluteAtReset(0)
  ) u_route_compute (
    .clk_i,
    .rst_ni,
    .req_valid_i,
    .req_dest_i,
    .req_src_gid_i,
    .req_vc_i,
    .cfg_valid_i,
    .cfg_write_i,
    .cfg_addr_i,
    .cfg_wdata_i,
    .cong_local_i,
    .cong_global_i,
    .busy_local_i,
    .busy_global_i,
    .probe_o,
    .resp_valid_o,
    .resp_hop_class_o,
    .resp_port_o,
    .resp_vc_o,
    .resp_router_o,
    .cfg_ready_o,
    .cfg_ack_o,
    .cfg_err_o,
    .cfg_rdata_o,
    .local_threshold_o,
    .global_threshold_o
  );

endmodule : route_compute_full
