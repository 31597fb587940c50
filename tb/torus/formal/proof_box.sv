// SPDX-License-Identifier: Apache-2.0
//
// Proof of the local half of freedom from deadlock in three dimensions (docs/torus.md §13): as in proof_rank.sv, the
// rank is {plane, rank in the plane}. A healthy node has blocked ports of one dimension at most. Nothing is assumed of
// walls.
//
// Property 0: the rank rises, or it and the port are the same; and the channel tells the plane, so that it has one rank
// whatever packet uses it.
// Property 1: the invariants that this assumes of a header hold after every hop. Property 2: none of the ports that are
// blocked is named, and a packet is dropped only beside the region that its destination lies in, or behind walls.
// Property 3: without blocked ports and walls the way is that of dimension order on main channels.

module proof_box #(
  parameter int KX       = 10,
  parameter int KY       = 10,
  parameter int KZ       = 10,
  parameter int CW       = 4,
  parameter int Property = 0
) (
  input  logic          fresh_i,
  input  logic [CW-1:0] at_x_i,
  input  logic [CW-1:0] at_y_i,
  input  logic [CW-1:0] at_z_i,
  input  logic [CW-1:0] dest_x_i,
  input  logic [CW-1:0] dest_y_i,
  input  logic [CW-1:0] dest_z_i,
  input  logic [4:0]    header_i,
  input  logic [5:0]    blocked_i,
  input  logic [5:0]    next_blocked_i,
  input  logic [KX-1:0] wall_x_i,
  input  logic [KY-1:0] wall_y_i,
  input  logic [KZ-1:0] wall_z_i,
  output logic          bad_o
);

  logic          eject, drop, next_eject, next_drop, inside, legal, next_legal, invariant, next_invariant, go, next_go;
  logic [2:0]    port, next_port;
  logic [3:0]    vc, next_vc;
  logic [4:0]    header, next_header;
  logic [CW-1:0] x, y, z;
  logic [16:0]   rank, next_rank;

  box_decision #(.KX(KX), .KY(KY), .KZ(KZ), .CW(CW)) u_here (
    .fresh_i, .at_x_i, .at_y_i, .at_z_i, .dest_x_i, .dest_y_i, .dest_z_i, .header_i, .blocked_i, .wall_x_i, .wall_y_i,
    .wall_z_i, .eject_o(eject), .drop_o(drop), .port_o(port), .vc_o(vc), .header_o(header)
  );

  always_comb begin
    x = at_x_i;
    y = at_y_i;
    z = at_z_i;
    if (port == 3'd0) x = (at_x_i == CW'(KX - 1)) ? '0 : (at_x_i + CW'(1'b1));
    if (port == 3'd1) x = (at_x_i == '0) ? CW'(KX - 1) : (at_x_i - CW'(1'b1));
    if (port == 3'd2) y = (at_y_i == CW'(KY - 1)) ? '0 : (at_y_i + CW'(1'b1));
    if (port == 3'd3) y = (at_y_i == '0) ? CW'(KY - 1) : (at_y_i - CW'(1'b1));
    if (port == 3'd4) z = (at_z_i == CW'(KZ - 1)) ? '0 : (at_z_i + CW'(1'b1));
    if (port == 3'd5) z = (at_z_i == '0) ? CW'(KZ - 1) : (at_z_i - CW'(1'b1));
  end

  box_decision #(.KX(KX), .KY(KY), .KZ(KZ), .CW(CW)) u_next (
    .fresh_i(1'b0), .at_x_i(x), .at_y_i(y), .at_z_i(z), .dest_x_i, .dest_y_i, .dest_z_i, .header_i(header),
    .blocked_i(next_blocked_i), .wall_x_i, .wall_y_i, .wall_z_i, .eject_o(next_eject), .drop_o(next_drop),
    .port_o(next_port), .vc_o(next_vc), .header_o(next_header)
  );

  box_rank #(.KX(KX), .KY(KY), .KZ(KZ), .CW(CW)) u_rank (.x_i(at_x_i), .y_i(at_y_i), .z_i(at_z_i), .vc_i(vc),
                                                         .header_i(header), .rank_o(rank));
  box_rank #(.KX(KX), .KY(KY), .KZ(KZ), .CW(CW)) u_next_rank (.x_i(x), .y_i(y), .z_i(z), .vc_i(next_vc),
                                                              .header_i(next_header), .rank_o(next_rank));

  box_legal u_legal (.blocked_i, .legal_o(legal));
  box_legal u_next_legal (.blocked_i(next_blocked_i), .legal_o(next_legal));
  box_invariant #(.CW(CW)) u_invariant (
    .x_i(at_x_i), .y_i(at_y_i), .z_i(at_z_i), .dest_x_i, .dest_y_i, .dest_z_i, .header_i, .holds_o(invariant)
  );
  box_invariant #(.CW(CW)) u_next_invariant (.x_i(x), .y_i(y), .z_i(z), .dest_x_i, .dest_y_i, .dest_z_i,
                                             .header_i(header), .holds_o(next_invariant));

  assign inside  = (8'(at_x_i) < 8'(KX)) && (8'(dest_x_i) < 8'(KX)) && (8'(at_y_i) < 8'(KY)) && (8'(dest_y_i) < 8'(KY))
                   && (8'(at_z_i) < 8'(KZ)) && (8'(dest_z_i) < 8'(KZ));
  assign go      = inside && legal && (fresh_i || invariant) && !eject && !drop;
  assign next_go = go && next_legal && !next_blocked_i[port ^ 3'd1] && !next_eject && !next_drop;

  logic clear_way, in_region, second, first_walls, second_walls;
  assign clear_way    = (blocked_i == '0) && (wall_x_i == '0) && (wall_y_i == '0) && (wall_z_i == '0);
  assign second       = (at_x_i == dest_x_i);
  assign first_walls  = (wall_x_i != '0);
  assign second_walls = (wall_y_i != '0) || (wall_z_i != '0);
  assign in_region    = !fresh_i && header_i[4] && header_i[3] && header_i[0] && (at_z_i == dest_z_i) && blocked_i[2];

  if (Property == 0) begin : gen_rank
    assign bad_o = (next_go && !((next_rank > rank) || ((next_rank == rank) && (next_port == port))))
                   || (go && (header[4] == ((port < 3'd2) || vc[3])));
  end else if (Property == 1) begin : gen_invariant
    assign bad_o = go && !next_invariant;
  end else if (Property == 2) begin : gen_blocked
    assign bad_o = inside && legal && (fresh_i || invariant)
                   && ((go && blocked_i[port]) || (drop && !(second ? second_walls : first_walls) && !in_region));
  end else begin : gen_ecube
    assign bad_o = inside && clear_way
                   && (fresh_i || (invariant && !header_i[3] && (!header_i[0] || (at_y_i == dest_y_i))))
                   && (drop || (!eject && ((vc[1:0] != 2'd0) || vc[3] ||
                                           (port[2:1] != (!second ? 2'd0 : (at_y_i != dest_y_i) ? 2'd1 : 2'd2)))));
  end

endmodule : proof_box

// The two stages of torus_box without the registers between them.
module box_decision #(
  parameter int KX = 10,
  parameter int KY = 10,
  parameter int KZ = 10,
  parameter int CW = 4
) (
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
  output logic          eject_o,
  output logic          drop_o,
  output logic [2:0]    port_o,
  output logic [3:0]    vc_o,
  output logic [4:0]    header_o
);

  logic        second;
  logic [12:0] aim;

  torus_box_aim #(.KX(KX), .KY(KY), .KZ(KZ), .CW(CW)) u_aim (
    .fresh_i, .at_x_i, .at_y_i, .at_z_i, .dest_x_i, .dest_y_i, .dest_z_i, .header_i, .blocked_i, .wall_x_i, .wall_y_i,
    .wall_z_i, .second_o(second), .aim_o(aim)
  );
  torus_box_turn u_turn (.second_i(second), .aim_i(aim), .eject_o, .drop_o, .port_o, .vc_o, .header_o);

endmodule : box_decision

// (plane, dim, stage, position, kind) as a number: torus_rank in the packet's plane.
module box_rank #(
  parameter int KX = 10,
  parameter int KY = 10,
  parameter int KZ = 10,
  parameter int CW = 4
) (
  input  logic [CW-1:0] x_i,
  input  logic [CW-1:0] y_i,
  input  logic [CW-1:0] z_i,
  input  logic [3:0]    vc_i,
  input  logic [4:0]    header_i,
  output logic [16:0]   rank_o
);

  logic [15:0] first, second;

  torus_rank #(.KX(KX), .KY(KY), .CW(CW)) u_first (.x_i, .y_i, .vc_i(vc_i[2:0]), .header_i(header_i[3:0]),
                                                   .rank_o(first));
  torus_rank #(.KX(KY), .KY(KZ), .CW(CW)) u_second (.x_i(y_i), .y_i(z_i), .vc_i(vc_i[2:0]), .header_i(header_i[3:0]),
                                                    .rank_o(second));

  assign rank_o = {header_i[4], header_i[4] ? second : first};

endmodule : box_rank

// Which patterns of blocked ports a healthy node has at the fixed point of rule `dim`.
module box_legal (
  input  logic [5:0] blocked_i,
  output logic       legal_o
);

  logic x, y, z;

  assign x       = (blocked_i[1:0] != 2'd0);
  assign y       = (blocked_i[3:2] != 2'd0);
  assign z       = (blocked_i[5:4] != 2'd0);
  assign legal_o = !(x && y) && !(x && z) && !(y && z);

endmodule : box_legal

// What holds of a header on its way: in the plane (x, y) it is in phase x; in the plane (y, z) the column of the
// destination is reached, and torus_invariant holds of the plane.
module box_invariant #(
  parameter int CW = 4
) (
  input  logic [CW-1:0] x_i,
  input  logic [CW-1:0] y_i,
  input  logic [CW-1:0] z_i,
  input  logic [CW-1:0] dest_x_i,
  input  logic [CW-1:0] dest_y_i,
  input  logic [CW-1:0] dest_z_i,
  input  logic [4:0]    header_i,
  output logic          holds_o
);

  logic second;

  torus_invariant #(.CW(CW)) u_second (
    .x_i(y_i), .y_i(z_i), .dest_x_i(dest_y_i), .dest_y_i(dest_z_i), .header_i(header_i[3:0]), .holds_o(second)
  );

  assign holds_o = header_i[4] ? ((x_i == dest_x_i) && second) : (!header_i[0] && !header_i[3]);

endmodule : box_invariant
