// SPDX-License-Identifier: Apache-2.0
//
// Units N1 and N2 of stage 3, RTA: drop the options that are congested globally or locally (DOAR §3.2, Fig. 6); N2 by
// maps of its own.
//
// Cost: 2 * A*H NOR gates and 2 * A*H AND gates: combinational.

module rc_n #(
  parameter int A = 32,
  parameter int H = 16
) (
  input  logic [A*H-1:0] min_i,
  input  logic [A*H-1:0] nonmin_i,
  input  logic [A*H-1:0] cong_global_i,
  input  logic [A*H-1:0] cong_c1_i,
  input  logic [A*H-1:0] detour_global_i,
  input  logic [A*H-1:0] detour_c1_i,
  output logic [A*H-1:0] min_free_o,
  output logic [A*H-1:0] nonmin_free_o
);

  assign min_free_o    = min_i & ~(cong_global_i | cong_c1_i);
  assign nonmin_free_o = nonmin_i & ~(detour_global_i | detour_c1_i);

endmodule : rc_n
