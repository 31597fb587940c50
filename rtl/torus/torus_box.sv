// SPDX-License-Identifier: Apache-2.0
//
// Route unit of an input port of a torus router of three dimensions (docs/torus.md §13): the route of safe6_ring in the
// plane (x, y), then in (y, z).
//
// Two stages with a register behind each: torus_box_aim, torus_box_turn (torus_answer). Latency 2, a request a cycle;
// the blocked ports are those of the edge that takes the request. Without an answer, and with one that ejects or drops,
// everything else is 0.
//
// Cost: 15 + 15 flip-flops and the logic of the two stages.

module torus_box #(
  parameter int KX = 10,  // nodes of a ring in x, 3..64
  parameter int KY = 10,  // in y
  parameter int KZ = 10,  // in z
  parameter int CW = 4    // bits of a coordinate, at least clog2 of the largest
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          valid_i,
  input  logic          fresh_i,
  input  logic [CW-1:0] at_x_i,
  input  logic [CW-1:0] at_y_i,
  input  logic [CW-1:0] at_z_i,
  input  logic [CW-1:0] dest_x_i,
  input  logic [CW-1:0] dest_y_i,
  input  logic [CW-1:0] dest_z_i,
  input  logic [4:0]    header_i,
  input  logic [5:0]    blocked_i,
  input  logic [KX-1:0] wall_x_i,
  input  logic [KY-1:0] wall_y_i,
  input  logic [KZ-1:0] wall_z_i,
  output logic          valid_o,
  output logic          eject_o,
  output logic          drop_o,
  output logic [2:0]    port_o,
  output logic [3:0]    vc_o,
  output logic [4:0]    header_o
);

  logic        second, second_q, eject, drop;
  logic [12:0] aim, aim_q;
  logic [2:0]  port;
  logic [3:0]  vc;
  logic [4:0]  header;

  torus_box_aim #(.KX(KX), .KY(KY), .KZ(KZ), .CW(CW)) u_aim (
    .fresh_i, .at_x_i, .at_y_i, .at_z_i, .dest_x_i, .dest_y_i, .dest_z_i, .header_i, .blocked_i, .wall_x_i, .wall_y_i,
    .wall_z_i, .second_o(second), .aim_o(aim)
  );

  always_ff @(posedge clk_i) begin
    second_q <= second;
    aim_q    <= aim;
  end

  torus_box_turn u_turn (
    .second_i(second_q), .aim_i(aim_q), .eject_o(eject), .drop_o(drop), .port_o(port), .vc_o(vc), .header_o(header)
  );

  torus_answer #(.Width(14)) u_answer (
    .clk_i, .rst_ni, .valid_i, .answer_i({eject, drop, port, vc, header}), .valid_o,
    .answer_o({eject_o, drop_o, port_o, vc_o, header_o})
  );

endmodule : torus_box
