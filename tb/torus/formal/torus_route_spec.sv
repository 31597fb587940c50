// SPDX-License-Identifier: Apache-2.0
//
// The decision of docs/torus.md §4 and §5, rule by rule, stated without regard to cost: distances modulo the ring, a
// wall on the way counted link by link.

module torus_way_spec #(
  parameter int K  = 10,
  parameter int CW = 4
) (
  input  logic [CW-1:0] at_i,
  input  logic [CW-1:0] dest_i,
  input  logic [K-1:0]  wall_i,
  output logic          minus_o,
  output logic          unreachable_o
);

  logic [7:0]   a, d, up, off;
  logic         positive, wanted_plus, plus_hits, minus_hits;
  logic [K-1:0] on_plus_way;

  assign a   = 8'(at_i);
  assign d   = 8'(dest_i);
  assign up  = (d >= a) ? (d - a) : (d + 8'(K) - a);  // links of the way up
  assign positive = d > a;
  assign off = positive ? (d - a) : (a - d);

  for (genvar c = 0; c < K; c++) begin : gen_link
    logic [7:0] ahead;
    assign ahead          = (8'(c) >= a) ? (8'(c) - a) : (8'(c) + 8'(K) - a);
    assign on_plus_way[c] = ahead < up;
  end

  // + if 0 < off <= radius or off < -radius
  assign wanted_plus   = (positive && (off <= 8'(K / 2))) || (!positive && (off > 8'(K / 2)));
  assign plus_hits     = (wall_i & on_plus_way) != '0;
  assign minus_hits    = (wall_i & ~on_plus_way) != '0;
  assign minus_o       = wanted_plus ? plus_hits : !minus_hits;
  assign unreachable_o = plus_hits && minus_hits;

endmodule : torus_way_spec

module torus_route_spec #(
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

  logic       x_minus, x_unreachable, y_minus, y_unreachable, side, r, dim, dir, around, back, dead, ahead_blocked,
              home_blocked;
  logic [7:0] up;
  logic [1:0] port, j, j_used;

  torus_way_spec #(.K(KX), .CW(CW)) u_x (.at_i(at_x_i), .dest_i(dest_x_i), .wall_i(wall_x_i), .minus_o(x_minus),
                                         .unreachable_o(x_unreachable));
  torus_way_spec #(.K(KY), .CW(CW)) u_y (.at_i(at_y_i), .dest_i(dest_y_i), .wall_i(wall_y_i), .minus_o(y_minus),
                                         .unreachable_o(y_unreachable));

  always_comb begin
    // Side S
    up   = (dest_y_i >= at_y_i) ? (8'(dest_y_i) - 8'(at_y_i)) : (8'(dest_y_i) + 8'(KY) - 8'(at_y_i));
    side = (Ring != 0) ? !((up > 8'd0) && (up <= 8'(KY / 2))) : !(dest_y_i > at_y_i);

    dim    = header_i[0];
    dir    = header_i[1];
    around = header_i[2];
    back   = header_i[3];
    dead   = 1'b0;
    if (fresh_i) begin
      dim    = 1'b0;
      around = side;
      back   = 1'b0;
      dir    = x_minus;
      dead   = x_unreachable && (at_x_i != dest_x_i);
    end
    // Rule 2
    if (!dim && (at_x_i == dest_x_i)) begin
      dim  = 1'b1;
      back = 1'b0;
      dir  = y_minus;
      dead = y_unreachable;
    end
    // Rule 3
    if (!dim) r = dir ? (dest_x_i <= at_x_i) : (dest_x_i < at_x_i);
    else      r = dir ? (dest_y_i <= at_y_i) : (dest_y_i < at_y_i);
    j      = ((Detours == 1) || !dir) ? 2'd1 : 2'd2;
    j_used = 2'd0;
    port   = {dim, dir};
    ahead_blocked = dim ? (dir ? blocked_i[3] : blocked_i[2]) : (dir ? blocked_i[1] : blocked_i[0]);
    home_blocked  = 1'b0;
    if (!dim) begin
      // Rule 4
      if (!ahead_blocked) begin
        around = side;
      end else begin
        port   = {1'b1, around};
        j_used = j;
      end
      back = 1'b0;
    end else begin
      // Rule 5
      if (at_x_i == dest_x_i) begin
        back   = 1'b0;
        around = 1'b1;
      end
      home_blocked = around ? blocked_i[0] : blocked_i[1];
      if (back) begin
        if (home_blocked && (at_y_i == dest_y_i)) dead = 1'b1;
        if (!home_blocked) begin
          port   = {1'b0, !around};
          j_used = j;
        end
      end else if (!ahead_blocked) begin
        back = at_x_i != dest_x_i;
      end else begin
        port   = {1'b0, around};
        j_used = j;
      end
    end
    // Rule 6
    if ((port == 2'd0) && blocked_i[0]) dead = 1'b1;
    if ((port == 2'd1) && blocked_i[1]) dead = 1'b1;
    if ((port == 2'd2) && blocked_i[2]) dead = 1'b1;
    if ((port == 2'd3) && blocked_i[3]) dead = 1'b1;

    // Rule 1
    eject_o  = (at_x_i == dest_x_i) && (at_y_i == dest_y_i);
    drop_o   = !eject_o && dead;
    port_o   = '0;
    vc_o     = '0;
    header_o = '0;
    if (!eject_o && !drop_o) begin
      port_o   = port;
      vc_o     = {r, j_used};
      header_o = {back, around, dir, dim};
    end
  end

endmodule : torus_route_spec
