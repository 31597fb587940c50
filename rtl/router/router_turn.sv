// SPDX-License-Identifier: Apache-2.0
//
// Whose turn it is: every place in turn for `Cycles` cycles, from the edge that ends the reset on
// (docs/router.md §2.8).
//
// Cost: two counters, a decoder of Places bits.

module router_turn #(
  parameter  int Places     = 28,
  parameter  int Cycles     = 16,                              // 1..256
  localparam int PlaceWidth = $clog2(Places),
  localparam int AgeWidth   = (Cycles > 1) ? $clog2(Cycles) : 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  output logic [Places-1:0] turn_o   // one-hot
);

  logic [PlaceWidth-1:0] place_q;
  logic [AgeWidth-1:0]   age_q;

  // The last cycle of the last place: the next edge begins with place 0.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      place_q <= PlaceWidth'(Places - 1);
      age_q   <= AgeWidth'(Cycles - 1);
    end else if (age_q != AgeWidth'(Cycles - 1)) begin
      age_q <= age_q + AgeWidth'(1);
    end else begin
      age_q   <= '0;
      place_q <= (place_q == PlaceWidth'(Places - 1)) ? '0 : place_q + PlaceWidth'(1);
    end
  end

  assign turn_o = Places'(1'b1) << place_q;

endmodule : router_turn
