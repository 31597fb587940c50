// SPDX-License-Identifier: Apache-2.0
//
// Rotating-priority pick: the lowest set index at or above a start value, or if there is none the lowest set index.
//
// The requests below the start are masked off; if nothing is left the unmasked vector is used. `x & -x` isolates the
// lowest set bit, and a one-hot encoder made of one OR per index bit names it. No loop, so it is also fast in
// simulation.
//
// Cost: one carry chain of Width bits, a start mask (Width comparators with a constant) and an encoder: combinational.
// Width is 1..64. The index is 0 when there is no request.

module rotating_pick #(
  parameter  int Width      = 32,
  localparam int IndexWidth = (Width > 1) ? $clog2(Width) : 1
) (
  input  logic [Width-1:0]      request_i,
  input  logic [IndexWidth-1:0] start_i,
  output logic [IndexWidth-1:0] index_o
);

  logic [Width-1:0] upper;
  logic [Width-1:0] candidates;
  logic [Width-1:0] negated;
  logic [63:0]      isolated;

  assign upper      = request_i & ({Width{1'b1}} << start_i);
  assign candidates = (upper != '0) ? upper : request_i;
  assign negated    = ~candidates + Width'(1'b1);
  assign isolated   = 64'(candidates) & 64'(negated);

  assign index_o = IndexWidth'({
    |(isolated & 64'hFFFF_FFFF_0000_0000),
    |(isolated & 64'hFFFF_0000_FFFF_0000),
    |(isolated & 64'hFF00_FF00_FF00_FF00),
    |(isolated & 64'hF0F0_F0F0_F0F0_F0F0),
    |(isolated & 64'hCCCC_CCCC_CCCC_CCCC),
    |(isolated & 64'hAAAA_AAAA_AAAA_AAAA)
  });

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_comb begin
    if (request_i != '0) begin
      pick_is_one_hot: assert ((isolated != '0) && ((isolated & (isolated - 1'b1)) == '0));
      pick_is_a_request: assert (request_i[index_o]);
      pick_is_first_above_start: assert ((upper == '0) || (index_o >= start_i));
    end
  end
`endif
`endif

endmodule : rotating_pick
