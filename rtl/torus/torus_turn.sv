// SPDX-License-Identifier: Apache-2.0
//
// Second stage of torus_route (docs/torus.md §5, rules 4 to 6): on, or along a fault region?
//
// Both phases have one question, is the port of the direction free, and one other port: the side of the detour or, on
// the way back, home. Cost: some forty gates, combinational.

module torus_turn #(
  parameter int Detours = 2  // detour channels of a class: 2 one a direction; 1 one for both (safe4)
) (
  input  logic       in_column_i,
  input  logic       in_row_i,
  input  logic       phase_y_i,
  input  logic       minus_i,
  input  logic       walled_i,
  input  logic       class_i,
  input  logic       side_i,
  input  logic       around_i,
  input  logic       back_i,
  input  logic [3:0] blocked_i,
  output logic       eject_o,
  output logic       drop_o,
  output logic [1:0] port_o,
  output logic [2:0] vc_o,     // {r, j}
  output logic [3:0] header_o  // {back, around, dir, dim}
);

  logic       free, home_free, back, around_y, use_side, lost, go, around, out_back;
  logic [1:0] ahead, side_port, port, detour;

  assign ahead = {phase_y_i, minus_i};
  assign free  = ~blocked_i[ahead];

  // Phase y: out on side -, home on the other.
  assign back      = back_i & ~in_column_i;
  assign around_y  = around_i | in_column_i;
  assign home_free = ~blocked_i[{1'b0, ~around_y}];
  assign lost      = back & in_row_i & ~home_free;

  assign use_side  = (phase_y_i & back) ? home_free : ~free;
  assign side_port = phase_y_i ? {1'b0, around_y ^ back} : {1'b1, around_i};
  assign port      = use_side ? side_port : ahead;
  assign detour    = (Detours == 1) ? 2'd1 : {minus_i, ~minus_i};

  assign around   = phase_y_i ? around_y : (free ? side_i : around_i);
  assign out_back = phase_y_i & (back | (free & ~in_column_i));

  assign eject_o  = in_column_i & in_row_i;
  assign drop_o   = ~eject_o & (walled_i | (phase_y_i & lost) | blocked_i[port]);
  assign go       = ~eject_o & ~drop_o;
  assign port_o   = go ? port : 2'd0;
  assign vc_o     = go ? {class_i, use_side ? detour : 2'd0} : 3'd0;
  assign header_o = go ? {out_back, around, minus_i, phase_y_i} : 4'd0;

endmodule : torus_turn
