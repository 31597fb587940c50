// SPDX-License-Identifier: Apache-2.0
//
// Proof of the local half of freedom from deadlock (docs/torus.md §7): for every packet anywhere in the torus, with any
// legal pattern of blocked ports here and at the next node, the channel of the next hop has a higher rank than that of
// this hop, or the same rank and the same port. Assumed of the packet are the header invariants, which the proof also
// shows to hold after the hop. Nothing is assumed of walls: steering only keeps equal ranks from closing round a ring.
//
// Property 0: the rank. Property 1: the invariants. Property 2: without blocked ports and walls the way is that of
// dimension order: the main channel of the phase, never dropped. Property 3: with legal ports none that is blocked is
// named, and a packet is dropped only beside the region that its destination lies in, or behind walls.

module proof_rank #(
  parameter int KX       = 10,
  parameter int KY       = 10,
  parameter int CW       = 4,
  parameter int Ring     = 1,
  parameter int Detours  = 2,
  parameter int Property = 0
) (
  input  logic          rule_i,  // 0 any, 1 dim
  input  logic          fresh_i,
  input  logic [CW-1:0] at_x_i,
  input  logic [CW-1:0] at_y_i,
  input  logic [CW-1:0] dest_x_i,
  input  logic [CW-1:0] dest_y_i,
  input  logic [3:0]    header_i,
  input  logic [3:0]    blocked_i,
  input  logic [3:0]    next_blocked_i,
  input  logic [KX-1:0] wall_x_i,
  input  logic [KY-1:0] wall_y_i,
  output logic          bad_o
);

  logic          eject, drop, next_eject, next_drop, inside, legal, next_legal, invariant, next_invariant, go, next_go;
  logic [1:0]    port, next_port;
  logic [2:0]    vc, next_vc;
  logic [3:0]    header, next_header;
  logic [CW-1:0] x, y;
  logic [15:0]   rank, next_rank;

  torus_decision #(.KX(KX), .KY(KY), .CW(CW), .Ring(Ring), .Detours(Detours)) u_here (
    .fresh_i, .at_x_i, .at_y_i, .dest_x_i, .dest_y_i, .header_i, .blocked_i, .wall_x_i, .wall_y_i,
    .eject_o(eject), .drop_o(drop), .port_o(port), .vc_o(vc), .header_o(header)
  );

  always_comb begin
    x = at_x_i;
    y = at_y_i;
    if (port == 2'd0) x = (at_x_i == CW'(KX - 1)) ? '0 : (at_x_i + CW'(1'b1));
    if (port == 2'd1) x = (at_x_i == '0) ? CW'(KX - 1) : (at_x_i - CW'(1'b1));
    if (port == 2'd2) y = (at_y_i == CW'(KY - 1)) ? '0 : (at_y_i + CW'(1'b1));
    if (port == 2'd3) y = (at_y_i == '0) ? CW'(KY - 1) : (at_y_i - CW'(1'b1));
  end

  torus_decision #(.KX(KX), .KY(KY), .CW(CW), .Ring(Ring), .Detours(Detours)) u_next (
    .fresh_i(1'b0), .at_x_i(x), .at_y_i(y), .dest_x_i, .dest_y_i, .header_i(header), .blocked_i(next_blocked_i),
    .wall_x_i, .wall_y_i, .eject_o(next_eject), .drop_o(next_drop), .port_o(next_port), .vc_o(next_vc),
    .header_o(next_header)
  );

  torus_rank #(.KX(KX), .KY(KY), .CW(CW)) u_rank (.x_i(at_x_i), .y_i(at_y_i), .vc_i(vc), .header_i(header),
                                                  .rank_o(rank));
  torus_rank #(.KX(KX), .KY(KY), .CW(CW)) u_next_rank (.x_i(x), .y_i(y), .vc_i(next_vc), .header_i(next_header),
                                                       .rank_o(next_rank));

  torus_legal u_legal (.rule_i, .blocked_i, .legal_o(legal));
  torus_legal u_next_legal (.rule_i, .blocked_i(next_blocked_i), .legal_o(next_legal));
  torus_invariant #(.CW(CW)) u_invariant (
    .x_i(at_x_i), .y_i(at_y_i), .dest_x_i, .dest_y_i, .header_i, .holds_o(invariant)
  );
  torus_invariant #(.CW(CW)) u_next_invariant (.x_i(x), .y_i(y), .dest_x_i, .dest_y_i, .header_i(header),
                                               .holds_o(next_invariant));

  assign inside  = (8'(at_x_i) < 8'(KX)) && (8'(dest_x_i) < 8'(KX)) && (8'(at_y_i) < 8'(KY)) && (8'(dest_y_i) < 8'(KY));
  assign go      = inside && legal && (fresh_i || invariant) && !eject && !drop;
  assign next_go = go && next_legal && !next_blocked_i[port ^ 2'd1] && !next_eject && !next_drop;

  logic clear_way, in_region;
  assign clear_way = (blocked_i == '0) && (wall_x_i == '0) && (wall_y_i == '0);
  assign in_region = header_i[3] && header_i[0] && !fresh_i && (at_y_i == dest_y_i) && blocked_i[0];

  if (Property == 0) begin : gen_rank
    assign bad_o = next_go && !((next_rank > rank) || ((next_rank == rank) && (next_port == port)));
  end else if (Property == 1) begin : gen_invariant
    assign bad_o = go && !next_invariant;
  end else if (Property == 2) begin : gen_ecube
    assign bad_o = inside && clear_way && (fresh_i || (invariant && !header_i[0]) || (at_x_i == dest_x_i))
                   && (drop || (!eject && ((vc[1:0] != 2'd0) || (port[1] != (at_x_i == dest_x_i)))));
  end else begin : gen_blocked
    assign bad_o = inside && legal && (fresh_i || invariant)
                   && ((go && blocked_i[port]) || (drop && (wall_x_i == '0) && (wall_y_i == '0) && !in_region));
  end

endmodule : proof_rank

// (dim, stage, position, kind) as a number.
module torus_rank #(
  parameter int KX = 10,
  parameter int KY = 10,
  parameter int CW = 4
) (
  input  logic [CW-1:0] x_i,
  input  logic [CW-1:0] y_i,
  input  logic [2:0]    vc_i,
  input  logic [3:0]    header_i,
  output logic [15:0]   rank_o
);

  logic       dim, minus, stage;
  logic [7:0] c, position;
  logic [1:0] kind;

  assign dim      = header_i[0];
  assign minus    = header_i[1];
  assign c        = dim ? 8'(y_i) : 8'(x_i);
  assign position = minus ? ((dim ? 8'(KY - 1) : 8'(KX - 1)) - c) : c;
  assign stage    = minus ? vc_i[2] : !vc_i[2];
  assign kind     = (vc_i[1:0] == 2'd0) ? 2'd2 : ((dim && header_i[3]) ? 2'd0 : 2'd1);
  assign rank_o   = {4'd0, dim, stage, position, kind};

endmodule : torus_rank

// Which patterns of blocked ports a healthy node has at the fixed point of the rule.
module torus_legal (
  input  logic       rule_i,
  input  logic [3:0] blocked_i,
  output logic       legal_o
);

  assign legal_o = rule_i ? ((blocked_i[1:0] == 2'd0) || (blocked_i[3:2] == 2'd0))
                 : ((blocked_i & (blocked_i - 4'd1)) == 4'd0);

endmodule : torus_legal

// What holds of a header on its way: no `back` in phase x; beside the column in phase y the way out was on side -, and
// if it is still the way out the destination's row is elsewhere.
module torus_invariant #(
  parameter int CW = 4
) (
  input  logic [CW-1:0] x_i,
  input  logic [CW-1:0] y_i,
  input  logic [CW-1:0] dest_x_i,
  input  logic [CW-1:0] dest_y_i,
  input  logic [3:0]    header_i,
  output logic          holds_o
);

  assign holds_o = header_i[0] ? ((x_i == dest_x_i) || (header_i[2] && (header_i[3] || (y_i != dest_y_i))))
                 : !header_i[3];

endmodule : torus_invariant
