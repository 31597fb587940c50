// SPDX-License-Identifier: Apache-2.0
//
// One output of the switch (docs/arb_request.md §6): credit counter and round-robin arbiter over the P input ports; the
// output half of the separable allocator.
//
// The need of a request is compared with the credit of this very moment, because the request is one or two cycles old.
//
// Cost: a KW-bit counter, a 5-bit pointer, P magnitude comparators, one rotating pick; `grant_o` is combinational in
// `ask_i`.

module arb_switch_output #(
  parameter  int P        = 7,  // input ports, 1..31
  parameter  int KW       = 8,  // bits of the credit, 1..8
  parameter  int Slots    = 4,  // packet slots behind the output, 1..2**KW-1
  parameter  int Ejection = 0   // 1: arrived packets are absorbed, no credit is needed
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic [P-1:0]   ask_i,
  input  logic [4*P-1:0] need_i,
  input  logic           return_i,  // a credit comes back
  output logic [P-1:0]   grant_o,   // one-hot or zero
  output logic [KW-1:0]  credit_o
);

  localparam int MW = (KW > 4) ? KW : 4;
  localparam int IW = (P > 1) ? $clog2(P) : 1;

  logic [KW-1:0] credit_q;
  logic [4:0]    input_ptr_q;
  logic [P-1:0]  able;
  logic [IW-1:0] winner;
  logic          granted;

  for (genvar p = 0; p < P; p++) begin : gen_input
    assign able[p] = ask_i[p] && ((Ejection != 0) || (MW'(credit_q) >= MW'(need_i[4*p +: 4])));
  end

  rotating_pick #(.Width(P)) u_pick (.request_i(able), .start_i(IW'(input_ptr_q)), .index_o(winner));

  assign granted  = (able != '0);
  assign grant_o  = granted ? (P'(1'b1) << winner) : '0;
  assign credit_o = credit_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      credit_q    <= KW'(Slots);
      input_ptr_q <= '0;
    end else begin
      if (Ejection == 0) credit_q <= credit_q - KW'(granted) + KW'(return_i);
      if (granted) input_ptr_q <= (5'(winner) == 5'(P - 1)) ? 5'd0 : (5'(winner) + 5'd1);
    end
  end

  logic unused_bits;
  assign unused_bits = ^input_ptr_q;

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_comb begin
    grant_is_one_hot: assert ((grant_o & (grant_o - P'(1'b1))) == '0);
    grant_only_to_requesters: assert ((grant_o & ~ask_i) == '0);
  end
`endif
`endif

endmodule : arb_switch_output
