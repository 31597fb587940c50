// SPDX-License-Identifier: Apache-2.0
//
// 16-bit Galois linear-feedback shift register, right shift, polynomial 0xB400 (maximal: 65,535 states, 0 is no state).
//
// `state_o` is the present value; it advances at an edge with `advance_i`. A load wins over an advance.
//
// Cost: 16 flip-flops, 3 XOR gates, a load mux.

module lfsr16 #(
  parameter logic [15:0] ResetValue = 16'hACE1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        advance_i,
  input  logic        load_i,
  input  logic [15:0] load_value_i,
  output logic [15:0] state_o
);

  logic [15:0] state_d, state_q;

  assign state_d = {1'b0, state_q[15:1]} ^ (state_q[0] ? 16'hB400 : 16'h0000);

  always_ff @(posedge clk_i) begin
    if (!rst_ni)        state_q <= ResetValue;
    else if (load_i)    state_q <= load_value_i;
    else if (advance_i) state_q <= state_d;
  end

  assign state_o = state_q;

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_ff @(posedge clk_i) begin
    if (rst_ni && load_i) begin
      lfsr_never_loads_zero: assert (load_value_i != 16'h0000);
    end
  end
`endif
`endif

endmodule : lfsr16
