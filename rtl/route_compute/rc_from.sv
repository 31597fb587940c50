// SPDX-License-Identifier: Apache-2.0
//
// The global ports of a router whose window begins at `base` that are at or above `bound` (docs/route_compute.md, unit
// B).
//
// Cost: a comparator and a subtractor of 11 bits, a shifter of H bits: combinational.

module rc_from #(
  parameter int H = 16
) (
  input  logic [10:0]  bound_i,
  input  logic [10:0]  base_i,
  output logic [H-1:0] ports_o
);

  assign ports_o = (bound_i <= base_i) ? {H{1'b1}} : ({H{1'b1}} << (bound_i - base_i));

endmodule : rc_from
