// SPDX-License-Identifier: Apache-2.0
//
// The switch between registers: a top for lockstep simulation. Requests and returned credits sampled at edge t are
// granted and counted at edge t+1.
//
// Cost: one arb_switch, registers at both ends.

module arb_switch_top #(
  parameter  int N     = 3,  // dimensions, 1..8
  parameter  int KW    = 8,  // bits of a credit, 1..8
  parameter  int Slots = 4,  // packet slots behind each output, 1..2**KW-1
  localparam int P     = 2 * N + 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [P-1:0]      req_valid_i,
  input  logic [P-1:0]      req_eject_i,
  input  logic [3*P-1:0]    req_dim_i,
  input  logic [P-1:0]      req_minus_i,
  input  logic [4*P-1:0]    req_need_i,
  input  logic [2*N-1:0]    return_i,
  output logic [P-1:0]      grant_o,
  output logic [2*N*KW-1:0] credit_o
);

  logic [P-1:0]   valid_q, eject_q, minus_q, grant;
  logic [3*P-1:0] dim_q;
  logic [4*P-1:0] need_q;
  logic [2*N-1:0] return_q;

  always_ff @(posedge clk_i) begin
    valid_q  <= rst_ni ? req_valid_i : '0;
    return_q <= rst_ni ? return_i : '0;
    eject_q  <= req_eject_i;
    minus_q  <= req_minus_i;
    dim_q    <= req_dim_i;
    need_q   <= req_need_i;
    grant_o  <= rst_ni ? grant : '0;
  end

  arb_switch #(.N(N), .KW(KW), .Slots(Slots)) u_switch (
    .clk_i,
    .rst_ni,
    .req_valid_i(valid_q),
    .req_eject_i(eject_q),
    .req_dim_i(dim_q),
    .req_minus_i(minus_q),
    .req_need_i(need_q),
    .return_i(return_q),
    .grant_o(grant),
    .credit_o
  );

endmodule : arb_switch_top
