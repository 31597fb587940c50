// SPDX-License-Identifier: Apache-2.0
//
// The rules beyond the paper (docs/vtftr.md §8) with all their pins open, so that a test can try every combination:
// half-dead leaves, and 2, 3 and 4 dimensions.

module beyond_rules (
  // half-dead leaves; own_i and full_i are shared
  input  logic [1:0] class_i,
  input  logic       half_vc_i,
  input  logic       column_right_i,
  input  logic       row_right_i,
  input  logic [1:0] dest_i,
  input  logic [1:0] corner_i,
  input  logic       turn_i,
  output logic       half_eject_o,
  output logic       half_drop_o,
  output logic       half_column_o,
  output logic       half_around_o,
  output logic       half_vc_o,
  // dimensions; element k is of k + 2
  input  logic [2:0] from_i,
  input  logic [1:0] vc_i,
  input  logic [1:0] last_vc_i,
  input  logic       known_i,
  input  logic [3:0] differs_i,
  input  logic [3:0] own_i,
  input  logic [3:0] next_i,
  input  logic [3:0] full_i,
  output logic [2:0] eject_o,
  output logic [2:0] drop_o,
  output logic [2:0] around_o,
  output logic [5:0] dimension_o,
  output logic [5:0] vc_o
);

  vtftr_half_dead_rules u_half_dead (
    .class_i, .vc_i(half_vc_i), .column_right_i, .row_right_i, .own_i(own_i[1:0]), .dest_i, .corner_i, .turn_i,
    .full_i(full_i[1:0]), .eject_o(half_eject_o), .drop_o(half_drop_o), .column_o(half_column_o),
    .around_o(half_around_o), .vc_o(half_vc_o)
  );

  for (genvar k = 0; k < 3; k = k + 1) begin : gen_dimensions
    vtftr_dimensions_rules #(.K(k + 2)) u_rules (
      .from_i, .vc_i, .last_vc_i, .known_i, .differs_i(differs_i[k+1:0]), .own_i(own_i[k+1:0]), .next_i(next_i[k+1:0]),
      .full_i(full_i[k+1:0]), .eject_o(eject_o[k]), .drop_o(drop_o[k]), .dimension_o(dimension_o[2*k+:2]),
      .around_o(around_o[k]), .vc_o(vc_o[2*k+:2])
    );
  end

endmodule : beyond_rules
