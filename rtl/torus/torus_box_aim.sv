// SPDX-License-Identifier: Apache-2.0
//
// First stage of torus_box (docs/torus.md §13): in which plane is the packet, and what torus_aim says of it there.
//
// While x differs the plane is (x, y), and walls of y do not matter: phase x never ends in it. In the column of the
// destination it is (y, z), where the packet begins as from a source.
//
// Cost: a comparator of CW bits, two torus_aim: combinational.

module torus_box_aim #(
  parameter int KX = 10,
  parameter int KY = 10,
  parameter int KZ = 10,
  parameter int CW = 4  // bits of a coordinate
) (
  input  logic          fresh_i,
  input  logic [CW-1:0] at_x_i,
  input  logic [CW-1:0] at_y_i,
  input  logic [CW-1:0] at_z_i,
  input  logic [CW-1:0] dest_x_i,
  input  logic [CW-1:0] dest_y_i,
  input  logic [CW-1:0] dest_z_i,
  input  logic [4:0]    header_i,   // {second, back, around, dir, dim}
  input  logic [5:0]    blocked_i,
  input  logic [KX-1:0] wall_x_i,   // of the plane (x, y)
  input  logic [KY-1:0] wall_y_i,   // of the plane (y, z)
  input  logic [KZ-1:0] wall_z_i,
  output logic          second_o,   // the plane (y, z)
  output logic [12:0]   aim_o       // what torus_turn takes, in its order
);

  localparam int Aims = 9;

  logic [Aims-1:0] first_aim, second_aim;

  assign second_o = (at_x_i == dest_x_i);

  torus_aim #(.KX(KX), .KY(KY), .CW(CW), .Ring(1)) u_first (
    .fresh_i, .at_x_i, .at_y_i, .dest_x_i, .dest_y_i, .header_i(header_i[3:0]), .wall_x_i, .wall_y_i({KY{1'b0}}),
    .in_column_o(first_aim[8]), .in_row_o(first_aim[7]), .phase_y_o(first_aim[6]), .minus_o(first_aim[5]),
    .walled_o(first_aim[4]), .class_o(first_aim[3]), .side_o(first_aim[2]), .around_o(first_aim[1]),
    .back_o(first_aim[0])
  );

  torus_aim #(.KX(KY), .KY(KZ), .CW(CW), .Ring(1)) u_second (
    .fresh_i(fresh_i | ~header_i[4]), .at_x_i(at_y_i), .at_y_i(at_z_i), .dest_x_i(dest_y_i), .dest_y_i(dest_z_i),
    .header_i(header_i[3:0]), .wall_x_i(wall_y_i), .wall_y_i(wall_z_i), .in_column_o(second_aim[8]),
    .in_row_o(second_aim[7]), .phase_y_o(second_aim[6]), .minus_o(second_aim[5]), .walled_o(second_aim[4]),
    .class_o(second_aim[3]), .side_o(second_aim[2]), .around_o(second_aim[1]), .back_o(second_aim[0])
  );

  assign aim_o = second_o ? {second_aim, blocked_i[5:2]} : {first_aim, blocked_i[3:0]};

endmodule : torus_box_aim
