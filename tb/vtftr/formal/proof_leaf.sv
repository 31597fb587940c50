// SPDX-License-Identifier: Apache-2.0
//
// Proofs of a leaf's decision, for any packet and any content of the tables.
//
// Property 0, the local half of freedom from deadlock (docs/vtftr.md §3): in mode safe the channel that a packet asks
// for has a higher rank than the one that it holds: x-up 0 < x-down 0 < y-up 0 < y-down 0 < x-up 1 < ... A packet from
// a node starts on channel 0.
// Property 1: a packet from a node takes a way that is known to be blocked only when both are.

module proof_leaf #(
  parameter int N        = 4,
  parameter int M        = 4,
  parameter int P        = 2,
  parameter int U        = 2,
  parameter int Property = 0
) (
  input  logic [6:0]   own_x_i,
  input  logic [6:0]   own_y_i,
  input  logic [1:0]   class_i,
  input  logic [18:0]  dest_i,
  input  logic         vc_i,
  input  logic         safe_i,
  input  logic [N-1:0] fr_i,
  input  logic [M-1:0] fc_i,
  input  logic         cf_i,
  output logic         bad_o
);

  logic         column_right, row_right, row_dead, column_dead, known, column, vc, goes, from_node;
  logic [4:0]   rail;
  logic [3:0]   kind, held, wanted;
  logic [127:0] fr, fc;

  vtftr_leaf_lookup #(.N(N), .M(M), .P(P), .U(U)) u_lookup (
    .own_x_i, .own_y_i, .dest_i, .fr_i, .fc_i, .column_right_o(column_right), .row_right_o(row_right),
    .row_dead_o(row_dead), .column_dead_o(column_dead), .known_o(known), .rail_o(rail)
  );
  vtftr_leaf_rules u_rules (
    .class_i, .safe_i, .vc_i, .column_right_i(column_right), .row_right_i(row_right), .row_dead_i(row_dead),
    .column_dead_i(column_dead), .cf_i, .known_i(known), .kind_o(kind), .column_o(column), .vc_o(vc)
  );

  assign goes      = (kind != 4'd0) && (kind < 4'd8);
  assign from_node = (class_i == 2'd0);
  // {vc, dimension, down} + 1; 0: none.
  assign held      = from_node ? 4'd0 : ({1'b0, vc_i, class_i[1], 1'b1} + 4'd1);
  assign wanted    = {1'b0, vc, column, 1'b0} + 4'd1;
  assign fr        = 128'(fr_i);
  assign fc        = 128'(fc_i);

  if (Property == 0) begin : gen_rank
    assign bad_o = safe_i && goes && ((wanted <= held) || (from_node && vc));
  end else begin : gen_way
    logic row_known, column_known, both;
    assign row_known    = fr[dest_i[11:5]];
    assign column_known = fc[dest_i[18:12]];
    assign both         = (dest_i[11:5] != own_x_i) && (dest_i[18:12] != own_y_i);
    assign bad_o = from_node && goes && both
                   && (column ? (!row_known || (column_known && !cf_i)) : (row_known && (!column_known || cf_i)));
  end

endmodule : proof_leaf
