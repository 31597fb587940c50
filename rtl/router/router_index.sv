// SPDX-License-Identifier: Apache-2.0
//
// Number of the bit that is set; 0 when there is none.
//
// Cost: one OR of at most Width / 2 bits for every bit of the number: combinational. Width is 2..64.

module router_index #(
  parameter  int Width      = 7,
  localparam int IndexWidth = $clog2(Width)
) (
  input  logic [Width-1:0]      onehot_i,
  output logic [IndexWidth-1:0] index_o
);

  logic [63:0] bits;
  assign bits    = 64'(onehot_i);
  assign index_o = IndexWidth'({
    |(bits & 64'hFFFF_FFFF_0000_0000),
    |(bits & 64'hFFFF_0000_FFFF_0000),
    |(bits & 64'hFF00_FF00_FF00_FF00),
    |(bits & 64'hF0F0_F0F0_F0F0_F0F0),
    |(bits & 64'hCCCC_CCCC_CCCC_CCCC),
    |(bits & 64'hAAAA_AAAA_AAAA_AAAA)
  });

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_comb begin
    index_of_one_bit: assert ((onehot_i & (onehot_i - 1'b1)) == '0);
  end
`endif
`endif

endmodule : router_index
