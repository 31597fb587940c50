// SPDX-License-Identifier: Apache-2.0
//
// Data path of a router as a unit: with registers at the pins that the planes of a router drive from registers of their
// own (docs/router.md §2).
//
// Cost: the data path; 10 flip-flops a port.

module router_data #(
  parameter  int P           = 2,    // nodes a router, 1..16
  parameter  int A           = 4,    // routers a group, 2..32
  parameter  int H           = 2,    // global ports a router, 1..16
  parameter  int FlitBits    = 128,  // 128..256
  parameter  int NodeDepth   = 32,   // flits a virtual channel holds, even, 2..256
  parameter  int LocalDepth  = 32,
  parameter  int GlobalDepth = 256,
  parameter  int OutputFifo  = 64,   // flits, even, 2..64
  parameter  int TurnCycles  = 0,    // of a VC's turn, 0..256; 0: there are none
  localparam int NumPorts    = P + A - 1 + H,
  localparam int V           = router_pkg::NumVcs,
  localparam int CreditWidth = router_pkg::CreditWidth
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              alive_i,
  input  logic [5:0]                        packet_last_i,
  input  logic [NumPorts-1:0]               in_valid_i,
  input  logic [NumPorts-1:0]               in_cut_i,
  input  logic [NumPorts*FlitBits-1:0]      in_flit_i,
  input  logic [NumPorts*6-1:0]             ans_port_i,
  input  logic [NumPorts*2-1:0]             ans_vc_i,
  input  logic [NumPorts*V*CreditWidth-1:0] credit_i,
  input  logic [NumPorts-1:0]               slot_taken_i,
  input  logic [NumPorts-1:0]               link_down_i,
  output logic [NumPorts-1:0]               out_valid_o,
  output logic [NumPorts*FlitBits-1:0]      out_flit_o,
  output logic [NumPorts*V*CreditWidth-1:0] credit_o,
  output logic [NumPorts*V*2-1:0]           sent_o,
  output logic [NumPorts-1:0]               departed_o,
  output logic [2*NumPorts*12-1:0]          grant_o
);

  logic [NumPorts*6-1:0] ans_port_q;
  logic [NumPorts*2-1:0] ans_vc_q;
  logic [NumPorts-1:0]   slot_taken_q, link_down_q;

  always_ff @(posedge clk_i) begin
    ans_port_q   <= ans_port_i;
    ans_vc_q     <= ans_vc_i;
    slot_taken_q <= slot_taken_i;
    link_down_q  <= link_down_i;
  end

  router_switch #(
    .P(P), .A(A), .H(H), .FlitBits(FlitBits), .NodeDepth(NodeDepth), .LocalDepth(LocalDepth), .GlobalDepth(GlobalDepth),
    .OutputFifo(OutputFifo), .TurnCycles(TurnCycles)
  ) u_switch (
    .clk_i, .rst_ni, .alive_i, .packet_last_i, .in_valid_i, .in_cut_i, .in_flit_i, .credit_i, .out_valid_o, .out_flit_o,
    .credit_o,
    .ans_port_i  (ans_port_q),
    .ans_vc_i    (ans_vc_q),
    .slot_taken_i(slot_taken_q),
    .link_down_i (link_down_q),
    .sent_o, .departed_o, .grant_o
  );

endmodule : router_data
