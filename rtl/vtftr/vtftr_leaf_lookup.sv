// SPDX-License-Identifier: Apache-2.0
//
// What a leaf has to know of a destination: is it in the own column or row, are the leaves on the ways row first and
// column first known to be dead, is there such a node, and its rail. docs/vtftr.md §9.1, stage 2.
//
// Cost: two comparators, two multiplexers of N and M bits, range checks: combinational.

module vtftr_leaf_lookup #(
  parameter  int N  = 16,  // columns
  parameter  int M  = 16,  // rows
  parameter  int P  = 16,  // nodes of a leaf
  parameter  int U  = 16,  // rails, a divisor of P
  localparam int CW = vtftr_pkg::CoordWidth,
  localparam int NW = vtftr_pkg::NodeWidth
) (
  input  logic [CW-1:0]                      own_x_i,
  input  logic [CW-1:0]                      own_y_i,
  input  logic [vtftr_pkg::AddressWidth-1:0] dest_i,
  input  logic [N-1:0]                       fr_i,
  input  logic [M-1:0]                       fc_i,
  output logic                               column_right_o,
  output logic                               row_right_o,
  output logic                               row_dead_o,
  output logic                               column_dead_o,
  output logic                               known_o,  // there is such a node
  output logic [NW-1:0]                      rail_o
);

  localparam int All = 1 << CW;

  logic [CW-1:0]  x, y;
  logic [NW-1:0]  node;
  logic [All-1:0] fr, fc;

  assign {y, x, node} = dest_i;
  assign fr = All'(fr_i);
  assign fc = All'(fc_i);

  assign column_right_o = (x == own_x_i);
  assign row_right_o    = (y == own_y_i);
  assign row_dead_o     = fr[x];
  assign column_dead_o  = fc[y];
  assign known_o        = (8'(x) < 8'(N)) && (8'(y) < 8'(M)) && (6'(node) < 6'(P));
  assign rail_o         = NW'(6'(node) % 6'(U));

endmodule : vtftr_leaf_lookup
