// SPDX-License-Identifier: Apache-2.0
//
// Second stage of torus_box (docs/torus.md §13): torus_turn in the packet's plane; ports and channels of three
// dimensions.
//
// Cost: a torus_turn and some ten gates: combinational.

module torus_box_turn (
  input  logic        second_i,  // the plane (y, z)
  input  logic [12:0] aim_i,
  output logic        eject_o,
  output logic        drop_o,
  output logic [2:0]  port_o,
  output logic [3:0]  vc_o,      // {detour of phase x, r, j}
  output logic [4:0]  header_o   // {second, back, around, dir, dim}
);

  logic       go;
  logic [1:0] port;
  logic [2:0] vc;
  logic [3:0] header;

  torus_turn #(.Detours(2)) u_turn (
    .in_column_i(aim_i[12]), .in_row_i(aim_i[11]), .phase_y_i(aim_i[10]), .minus_i(aim_i[9]), .walled_i(aim_i[8]),
    .class_i(aim_i[7]), .side_i(aim_i[6]), .around_i(aim_i[5]), .back_i(aim_i[4]), .blocked_i(aim_i[3:0]), .eject_o,
    .drop_o, .port_o(port), .vc_o(vc), .header_o(header)
  );

  assign go       = ~eject_o & ~drop_o;
  assign port_o   = {1'b0, port} + ((go & second_i) ? 3'd2 : 3'd0);
  assign vc_o     = {~second_i & (vc[1:0] != 2'd0), vc};
  assign header_o = {go & second_i, header};

endmodule : torus_box_turn
