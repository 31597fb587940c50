// SPDX-License-Identifier: Apache-2.0
//
// Even pick, first half: of n ports the one with (lfsr * n) >> 16 ports below it, as that number.
//
// Cost: an adder tree of S bits and a multiplier of 16 by 8 bits: combinational.

module vtftr_rank #(
  parameter int S = 16  // ports, 2..128
) (
  input  logic [S-1:0] ports_i,
  input  logic [15:0]  lfsr_i,
  output logic [6:0]   rank_o
);

  logic [7:0]  count;
  logic [23:0] product;

  integer i;
  always_comb begin
    count = '0;
    for (i = 0; i < S; i = i + 1) begin
      count = count + 8'(ports_i[i]);
    end
  end

  assign product = 24'(lfsr_i) * 24'(count);
  assign rank_o  = 7'(product >> 16);

endmodule : vtftr_rank
