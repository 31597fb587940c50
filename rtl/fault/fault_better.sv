// SPDX-License-Identifier: Apache-2.0
//
// The better of two levels: full, partial, gateway only, lost (fault_pkg::level_e, a Gray code).
//
// Cost: a comparator of 2 bits: combinational.

module fault_better (
  input  logic [1:0] one_i,
  input  logic [1:0] other_i,
  output logic [1:0] better_o
);

  assign better_o = ({one_i[1], one_i[1] ^ one_i[0]} < {other_i[1], other_i[1] ^ other_i[0]}) ? one_i : other_i;

endmodule : fault_better
