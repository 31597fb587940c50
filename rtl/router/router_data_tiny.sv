// SPDX-License-Identifier: Apache-2.0
//
// Data path of a router at the size dfly(2,4,2,*): a top without parameters, for synthesis and simulation.
// Written by ./dev units from models/router/router_data.toml.

module router_data_tiny (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         alive_i,
  input  logic [5:0]   packet_last_i,
  input  logic [6:0]   in_valid_i,
  input  logic [6:0]   in_cut_i,
  input  logic [895:0] in_flit_i,
  input  logic [41:0]  ans_port_i,
  input  logic [13:0]  ans_vc_i,
  input  logic [251:0] credit_i,
  input  logic [6:0]   slot_taken_i,
  input  logic [6:0]   link_down_i,
  output logic [6:0]   out_valid_o,
  output logic [895:0] out_flit_o,
  output logic [251:0] credit_o,
  output logic [55:0]  sent_o,
  output logic [6:0]   departed_o,
  output logic [167:0] grant_o
);

  router_data #(
    .P(2), .A(4), .H(2), .FlitBits(128), .NodeDepth(32), .LocalDepth(32), .GlobalDepth(256), .OutputFifo(64),
    .TurnCycles(0)
  ) u_router_data (
    .clk_i,
    .rst_ni,
    .alive_i,
    .packet_last_i,
    .in_valid_i,
    .in_cut_i,
    .in_flit_i,
    .ans_port_i,
    .ans_vc_i,
    .credit_i,
    .slot_taken_i,
    .link_down_i,
    .out_valid_o,
    .out_flit_o,
    .credit_o,
    .sent_o,
    .departed_o,
    .grant_o
  );

endmodule : router_data_tiny
