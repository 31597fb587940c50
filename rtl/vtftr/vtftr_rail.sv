// SPDX-License-Identifier: Apache-2.0
//
// The rail of a step: the first one from the wanted one on, round the end, whose uplink is not down
// (docs/vtftr.md §9.1, stage 2).
//
// All rails, twice round: the lowest from the wanted one on counts.
//
// Cost: U comparators, ORs over the bits below each of 2*U, an encoder: combinational.

module vtftr_rail #(
  parameter  int U  = 16,  // rails, 1..32
  localparam int NW = vtftr_pkg::NodeWidth
) (
  input  logic [U-1:0]  down_i,
  input  logic [NW-1:0] wanted_i,  // below U
  output logic [NW-1:0] rail_o,
  output logic          none_o
);

  logic [2*U-1:0] up, passed, lowest;  // up from the wanted one on; one below it is; the first

  integer i, k;
  always_comb begin
    for (i = 0; i < 2 * U; i = i + 1) begin
      up[i] = !down_i[i % U] && (6'(i) >= 6'(wanted_i));
    end
    passed = up << 1;
    for (k = 0; k < 6; k = k + 1) begin
      passed = passed | (passed << (1 << k));
    end
    lowest = up & ~passed;
    rail_o = '0;
    for (i = 0; i < 2 * U; i = i + 1) begin
      if (lowest[i]) rail_o = rail_o | NW'(i % U);
    end
  end

  assign none_o = (up == '0);

endmodule : vtftr_rail
