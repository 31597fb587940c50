// SPDX-License-Identifier: Apache-2.0
//
// Number of set bits.
//
// Cost: about Width full adders, combinational.

module congestion_popcount #(
  parameter  int Width      = 31,
  localparam int CountWidth = $clog2(Width + 1)
) (
  input  logic [Width-1:0]      bits_i,
  output logic [CountWidth-1:0] count_o
);

  integer i;
  always_comb begin
    count_o = '0;
    for (i = 0; i < Width; i = i + 1) count_o = count_o + CountWidth'(bits_i[i]);
  end

endmodule : congestion_popcount
