// SPDX-License-Identifier: Apache-2.0
//
// Round-robin pick of logarithmic depth: the lowest request at or above the pointer, or if there is none the lowest
// request.
//
// The pointer is kept as a mask of the places at and above it, so no decoder stands in front of the pick, and the mask
// behind the winner is a by-product: `upto` of a vector has a bit set from its lowest 1 on, which is one OR a level of
// a prefix tree; shifted by one it names the places above the winner. A mask of zeros is the pointer 0, too: nothing is
// above the last place.
//
// Cost: two prefix trees of Width places side by side, 3 * Width two-input gates; combinational. Width is 1..64.

module router_pick #(
  parameter int Width = 7
) (
  input  logic [Width-1:0] request_i,
  input  logic [Width-1:0] mask_i,    // the places at and above the pointer
  output logic [Width-1:0] grant_o,   // one-hot; 0 without a request
  output logic [Width-1:0] above_o    // the places above the winner: the mask once the pointer has moved past it
);

  function automatic logic [Width-1:0] upto(input logic [Width-1:0] bits);
    upto = bits;
    upto = upto | (upto << 1);
    if (Width > 2)  upto = upto | (upto << 2);
    if (Width > 4)  upto = upto | (upto << 4);
    if (Width > 8)  upto = upto | (upto << 8);
    if (Width > 16) upto = upto | (upto << 16);
    if (Width > 32) upto = upto | (upto << 32);
  endfunction

  logic [Width-1:0] upper, above_upper, above_all;

  assign upper       = request_i & mask_i;
  assign above_upper = upto(upper) << 1;
  assign above_all   = upto(request_i) << 1;

  assign above_o = (upper != '0) ? above_upper : above_all;
  assign grant_o = (upper != '0) ? (upper & ~above_upper) : (request_i & ~above_all);

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_comb begin
    if (request_i != '0) begin
      pick_is_one_hot: assert ((grant_o != '0) && ((grant_o & (grant_o - 1'b1)) == '0));
      pick_is_a_request: assert ((grant_o & ~request_i) == '0);
    end
  end
`endif
`endif

endmodule : router_pick
