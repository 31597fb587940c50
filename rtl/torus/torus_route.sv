// SPDX-License-Identifier: Apache-2.0
//
// Route unit of an input port of the torus router (docs/torus.md §5): output, virtual channel and new header of a head
// flit.
//
// Two stages with a register behind each: torus_aim, torus_turn (torus_answer). Latency 2, a request a cycle; the
// blocked ports are those of the edge that takes the request. Without an answer, and with one that ejects or drops,
// everything else is 0.
//
// Cost: 14 + 12 flip-flops and the logic of the two stages.

module torus_route #(
  parameter int KX      = 32,  // nodes of a ring in x, 3..64
  parameter int KY      = 32,  // and in y
  parameter int CW      = 5,   // bits of a coordinate, at least clog2 of the larger
  parameter int Ring    = 1,   // 1: safe6_ring, safe4_ring; 0: safe6, safe4
  parameter int Detours = 2    // 2: safe6; 1: safe4
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          valid_i,
  input  logic          fresh_i,
  input  logic [CW-1:0] at_x_i,
  input  logic [CW-1:0] at_y_i,
  input  logic [CW-1:0] dest_x_i,
  input  logic [CW-1:0] dest_y_i,
  input  logic [3:0]    header_i,
  input  logic [3:0]    blocked_i,
  input  logic [KX-1:0] wall_x_i,
  input  logic [KY-1:0] wall_y_i,
  output logic          valid_o,
  output logic          eject_o,
  output logic          drop_o,
  output logic [1:0]    port_o,
  output logic [2:0]    vc_o,
  output logic [3:0]    header_o
);

  logic        in_column, in_row, phase_y, minus, walled, route_class, side, around, back;
  logic        eject, drop;
  logic [12:0] aim_q;
  logic [3:0]  header;
  logic [1:0]  port;
  logic [2:0]  vc;

  torus_aim #(.KX(KX), .KY(KY), .CW(CW), .Ring(Ring)) u_aim (
    .fresh_i, .at_x_i, .at_y_i, .dest_x_i, .dest_y_i, .header_i, .wall_x_i, .wall_y_i,
    .in_column_o(in_column), .in_row_o(in_row), .phase_y_o(phase_y), .minus_o(minus), .walled_o(walled),
    .class_o(route_class), .side_o(side), .around_o(around), .back_o(back)
  );

  always_ff @(posedge clk_i) begin
    aim_q <= {in_column, in_row, phase_y, minus, walled, route_class, side, around, back, blocked_i};
  end

  torus_turn #(.Detours(Detours)) u_turn (
    .in_column_i(aim_q[12]), .in_row_i(aim_q[11]), .phase_y_i(aim_q[10]), .minus_i(aim_q[9]), .walled_i(aim_q[8]),
    .class_i(aim_q[7]), .side_i(aim_q[6]), .around_i(aim_q[5]), .back_i(aim_q[4]), .blocked_i(aim_q[3:0]),
    .eject_o(eject), .drop_o(drop), .port_o(port), .vc_o(vc), .header_o(header)
  );

  torus_answer #(.Width(11)) u_answer (
    .clk_i, .rst_ni, .valid_i, .answer_i({eject, drop, port, vc, header}), .valid_o,
    .answer_o({eject_o, drop_o, port_o, vc_o, header_o})
  );

endmodule : torus_route
