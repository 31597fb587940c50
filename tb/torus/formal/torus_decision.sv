// SPDX-License-Identifier: Apache-2.0
//
// The two stages of torus_route without the registers between them.

module torus_decision #(
  parameter int KX      = 10,
  parameter int KY      = 10,
  parameter int CW      = 4,
  parameter int Ring    = 1,
  parameter int Detours = 2
) (
  input  logic          fresh_i,
  input  logic [CW-1:0] at_x_i,
  input  logic [CW-1:0] at_y_i,
  input  logic [CW-1:0] dest_x_i,
  input  logic [CW-1:0] dest_y_i,
  input  logic [3:0]    header_i,
  input  logic [3:0]    blocked_i,
  input  logic [KX-1:0] wall_x_i,
  input  logic [KY-1:0] wall_y_i,
  output logic          eject_o,
  output logic          drop_o,
  output logic [1:0]    port_o,
  output logic [2:0]    vc_o,
  output logic [3:0]    header_o
);

  logic in_column, in_row, phase_y, minus, walled, route_class, side, around, back;

  torus_aim #(.KX(KX), .KY(KY), .CW(CW), .Ring(Ring)) u_aim (
    .fresh_i, .at_x_i, .at_y_i, .dest_x_i, .dest_y_i, .header_i, .wall_x_i, .wall_y_i,
    .in_column_o(in_column), .in_row_o(in_row), .phase_y_o(phase_y), .minus_o(minus), .walled_o(walled),
    .class_o(route_class), .side_o(side), .around_o(around), .back_o(back)
  );
  torus_turn #(.Detours(Detours)) u_turn (
    .in_column_i(in_column), .in_row_i(in_row), .phase_y_i(phase_y), .minus_i(minus), .walled_i(walled),
    .class_i(route_class), .side_i(side), .around_i(around), .back_i(back), .blocked_i, .eject_o, .drop_o, .port_o,
    .vc_o, .header_o
  );

endmodule : torus_decision
