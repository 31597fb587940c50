// SPDX-License-Identifier: Apache-2.0
//
// The rules of a leaf: the first that fits of docs/vtftr.md §2.2. In mode safe the channel that a packet asks for has a
// higher rank than the one that it holds (§3).
//
// Cost: a priority chain of ten small conditions: combinational.

module vtftr_leaf_rules (
  input  logic [1:0] class_i,
  input  logic       safe_i,
  input  logic       vc_i,
  input  logic       column_right_i,
  input  logic       row_right_i,
  input  logic       row_dead_i,
  input  logic       column_dead_i,
  input  logic       cf_i,
  input  logic       known_i,
  output logic [3:0] kind_o,
  output logic       column_o,  // the output is a column uplink; else a row uplink, unless ejected or dropped
  output logic       vc_o
);

  logic from_node, from_row, from_column, vc;

  assign from_node   = (class_i == vtftr_pkg::ClassNode);
  assign from_row    = (class_i == vtftr_pkg::ClassRow);
  assign from_column = class_i[1];
  assign vc          = !from_node && vc_i;

  always_comb begin
    kind_o   = vtftr_pkg::LeafXy;
    column_o = 1'b0;
    vc_o     = vc;
    if (!known_i) begin
      kind_o = vtftr_pkg::LeafBadAddress;
      vc_o   = vc_i;
    end else if (column_right_i && row_right_i) begin
      kind_o = vtftr_pkg::LeafEject;
    end else if (column_right_i) begin
      kind_o   = (safe_i && from_column) ? vtftr_pkg::LeafLoop : vtftr_pkg::LeafDirect;
      column_o = 1'b1;
    end else if (from_row) begin
      kind_o   = (safe_i && row_right_i) ? vtftr_pkg::LeafLoop : vtftr_pkg::LeafRowToColumn;
      column_o = 1'b1;
    end else if (from_column) begin
      kind_o = (safe_i && vc_i) ? vtftr_pkg::LeafSecondTurn : vtftr_pkg::LeafTurn;
      vc_o   = vtftr_pkg::FaultTolerant;
    end else if (row_right_i) begin
      kind_o = vtftr_pkg::LeafDirect;
    end else if (row_dead_i && !column_dead_i) begin
      kind_o   = vtftr_pkg::LeafYx;
      column_o = 1'b1;
    end else if (row_dead_i) begin
      kind_o   = cf_i ? vtftr_pkg::LeafBothColumn : vtftr_pkg::LeafBothRow;
      column_o = cf_i && row_dead_i;
    end
  end

endmodule : vtftr_leaf_rules
