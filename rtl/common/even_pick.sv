// SPDX-License-Identifier: Apache-2.0
//
// Even pick: with n requests and k = (fraction * n) >> FractionWidth, the request that has k requests below it. A
// uniform fraction makes every request equally likely, whichever others there are.
//
// The requests are counted byte by byte, then from the lowest byte on (`upto`: those in this byte and all below). The
// winner's byte is the first one with upto > k; inside it the winner is found by halves. Counts lie in fields of 8 bits
// of one word and never leave their field, so the wide additions are short ones side by side.
//
// Cost: a tree of counters, a multiplier of FractionWidth by 7 bits, a comparator a byte, three comparators of 3 bits:
// combinational.
// Width is 1..64. The index is 0 when there is no request.

module even_pick #(
  parameter  int Width         = 32,
  parameter  int FractionWidth = 8,
  localparam int IndexWidth    = (Width > 1) ? $clog2(Width) : 1
) (
  input  logic [Width-1:0]         request_i,
  input  logic [FractionWidth-1:0] fraction_i,
  output logic [IndexWidth-1:0]    index_o
);

  localparam int Bytes    = (Width > 32) ? 8 : (Width > 16) ? 4 : (Width > 8) ? 2 : 1;
  localparam int Bits     = 8 * Bytes;
  localparam int AtWidth  = $clog2(Bits);
  localparam int ProductW = FractionWidth + 7;

  logic [Bits-1:0]     request, by_two, by_four, by_byte, upto_2, upto_4, upto, above, first, below;
  logic [6:0]          rank;
  logic [AtWidth-1:0]  base;

  assign request = Bits'(request_i);

  // Requests in every pair, nibble, byte.
  assign by_two  = (request & {Bytes{8'h55}}) + ((request >> 1) & {Bytes{8'h55}});
  assign by_four = (by_two & {Bytes{8'h33}}) + ((by_two >> 2) & {Bytes{8'h33}});
  assign by_byte = (by_four & {Bytes{8'h0F}}) + ((by_four >> 4) & {Bytes{8'h0F}});

  // In every byte and all below it.
  assign upto_2 = by_byte + (by_byte << 8);
  assign upto_4 = upto_2 + (upto_2 << 16);
  assign upto   = upto_4 + (upto_4 << 32);

  assign rank = 7'((ProductW'(fraction_i) * ProductW'(upto[Bits-2 -: 7])) >> FractionWidth);

  // Bit 7 of a byte: upto > rank, that is upto - (rank + 1) does not borrow. The first such byte holds the winner.
  assign above = ((upto | {Bytes{8'h80}}) - {Bytes{8'(rank) + 8'd1}}) & {Bytes{8'h80}};
  assign first = above & (~above + Bits'(1'b1));
  assign below = upto << 8;

  always_comb begin
    base = '0;
    for (int b = 0; b < Bytes; b = b + 1) begin
      if (first[8*b + 7]) base = base | AtWidth'(8 * b);
    end
  end

  logic [2:0] in_byte, in_four, low_four, in_two;
  logic [2:0] four;  // the lower three requests of the winner's nibble: the highest one needs no look
  logic [1:0] low_two;
  logic       second_four, second_two, second, low_bit;

  assign in_byte = 3'(rank - 7'(below >> base));

  assign low_four    = 3'(by_four >> base);
  assign second_four = (in_byte >= low_four);
  assign four        = second_four ? 3'((request >> 4) >> base) : 3'(request >> base);
  assign in_four     = second_four ? in_byte - low_four : in_byte;

  assign low_two    = {1'b0, four[0]} + {1'b0, four[1]};
  assign second_two = (in_four >= {1'b0, low_two});
  assign low_bit    = second_two ? four[2] : four[0];
  assign in_two     = second_two ? in_four - {1'b0, low_two} : in_four;

  assign second = (in_two != 3'd0) || !low_bit;

  assign index_o = (request == '0) ? '0 : IndexWidth'(base | AtWidth'({second_four, second_two, second}));

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_comb begin
    if (request_i != '0) begin
      pick_is_a_request: assert (request_i[index_o]);
    end
  end
`endif
`endif

endmodule : even_pick
