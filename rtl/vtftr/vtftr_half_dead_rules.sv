// SPDX-License-Identifier: Apache-2.0
//
// The rules of a leaf where leaves may be half dead: the first that fits of docs/vtftr.md §8.1. Bit 0 is the row, bit 1
// the column. The channel that a packet asks for has a higher rank than the one that it holds (§3), whatever the inputs
// say.
//
// Cost: some sixty gates, combinational.

module vtftr_half_dead_rules (
  input  logic [1:0] class_i,
  input  logic       vc_i,
  input  logic       column_right_i,
  input  logic       row_right_i,
  input  logic [1:0] own_i,     // the leaf is attached to its line
  input  logic [1:0] dest_i,    // the destination is
  input  logic [1:0] corner_i,  // the leaf of this line at the destination's coordinate is whole
  input  logic       turn_i,    // that of the row is attached to the row
  input  logic [1:0] full_i,    // every line across is masked
  output logic       eject_o,
  output logic       drop_o,
  output logic       column_o,  // the output is a column uplink; else a row uplink, unless ejected or dropped
  output logic       around_o,  // the root picks another leaf than the destination's
  output logic       vc_o
);

  logic from_column, from_row, both, row_way, column_way, row_first, column_first, home, turns, xy, yx, far, row,
        column;

  assign from_column = class_i[1];
  assign from_row    = (class_i == vtftr_pkg::ClassRow);

  // From a node: the shape of the whole way.
  assign both         = !column_right_i && !row_right_i;
  assign row_way      = own_i[0] && dest_i[0];
  assign column_way   = own_i[1] && dest_i[1];
  assign xy           = both && own_i[0] && corner_i[0] && dest_i[1];
  assign yx           = both && own_i[1] && corner_i[1] && dest_i[0];
  assign column_first = column_way && !column_right_i;
  assign row_first    = row_way && !row_right_i && !(column_first && full_i[0] && !full_i[1]);
  assign far          = own_i[0] && dest_i[1];  // row, column, row, column

  // From a row: on in the own column, to the destination's row if the corner leads on, as yx.
  assign home = yx;

  // From a column: the turn.
  assign turns = own_i[0] && turn_i;

  assign eject_o = column_right_i && row_right_i;

  always_comb begin
    row      = 1'b0;
    column   = 1'b0;
    around_o = 1'b0;
    vc_o     = 1'b0;
    if (eject_o) begin
      row = 1'b0;
    end else if (from_column) begin
      row  = !column_right_i && !vc_i && turns;
      vc_o = row && vtftr_pkg::FaultTolerant;
    end else if (from_row && column_right_i) begin
      column = column_way;
      vc_o   = column_way && vc_i;
    end else if (from_row) begin
      column   = !vc_i && (home || column_way);
      around_o = column && !home;
    end else if (column_right_i && column_way) begin
      column = 1'b1;
    end else if (row_right_i && row_way) begin
      row = 1'b1;
    end else if (xy) begin
      row = 1'b1;
    end else if (yx) begin
      column = 1'b1;
    end else begin
      column   = !row_first && column_first;
      row      = row_first || (!column_first && far);
      around_o = row || column;
    end
  end

  assign column_o = column;
  assign drop_o   = !eject_o && !row && !column;

endmodule : vtftr_half_dead_rules
