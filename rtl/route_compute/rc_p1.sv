// SPDX-License-Identifier: Apache-2.0
//
// Unit P1 of stage 4, RTA: pick the hop class, then the router, and if that is the own router its global port
// (DOAR §3.2, Fig. 6).
//
// The first non-empty class of GA, GB, GC, GD counts, else every valid option whatever its congestion, else the request
// is unroutable. Of the routers that have a bit in this class one wins by an even pick. The own router's port is picked
// side by side with it.
//
// Cost: five OR trees and a 5:1 multiplexer of A*H bits, even picks of A and of H bits: combinational.

module rc_p1 #(
  parameter  int A         = 32,
  parameter  int H         = 16,
  localparam int OwnWidth  = (H > 1) ? $clog2(H) : 1
) (
  input  logic [A*H-1:0]                         ga_i,
  input  logic [A*H-1:0]                         gb_i,
  input  logic [A*H-1:0]                         gc_i,
  input  logic [A*H-1:0]                         gd_i,
  input  logic [A*H-1:0]                         any_i,
  input  logic [route_compute_pkg::BidWidth-1:0] own_bid_i,
  input  logic [15:0]                            random_i,
  output logic [4:0]                             nonempty_o,   // {any, GD, GC, GB, GA}
  output logic [2:0]                             hop_class_o,
  output logic [route_compute_pkg::BidWidth-1:0] winner_o,     // 0 when unroutable
  output logic                                   own_wins_o,
  output logic [OwnWidth-1:0]                    own_port_o    // with own_wins_o: which of the H own global ports
);

  localparam int RouterWidth = $clog2(A);
  localparam int BitWidth    = $clog2(A * H);

  logic [A*H-1:0]         chosen;
  logic [A-1:0]           routers;
  logic [RouterWidth-1:0] winner;
  logic [H-1:0]           own_ports;

  logic has_ga, has_gb, has_gc, has_gd, has_any;
  assign has_ga     = ga_i != '0;
  assign has_gb     = gb_i != '0;
  assign has_gc     = gc_i != '0;
  assign has_gd     = gd_i != '0;
  assign has_any    = any_i != '0;
  assign nonempty_o = {has_any, has_gd, has_gc, has_gb, has_ga};

  assign chosen = has_ga ? ga_i :
                  has_gb ? gb_i :
                  has_gc ? gc_i :
                  has_gd ? gd_i : any_i;

  assign hop_class_o = has_ga  ? route_compute_pkg::HopGA :
                       has_gb  ? route_compute_pkg::HopGB :
                       has_gc  ? route_compute_pkg::HopGC :
                       has_gd  ? route_compute_pkg::HopGD :
                       has_any ? route_compute_pkg::HopFallback : route_compute_pkg::HopUnroutable;

  for (genvar r = 0; r < A; r = r + 1) begin : gen_router
    assign routers[r] = |chosen[r*H +: H];
  end

  even_pick #(.Width(A), .FractionWidth(8)) u_pick_router (
    .request_i (routers),
    .fraction_i(random_i[7:0]),
    .index_o   (winner)
  );

  assign own_ports = chosen[BitWidth'(H) * BitWidth'(own_bid_i) +: H];

  even_pick #(.Width(H), .FractionWidth(8)) u_pick_own_port (
    .request_i (own_ports),
    .fraction_i(random_i[15:8]),
    .index_o   (own_port_o)
  );

  assign winner_o   = route_compute_pkg::BidWidth'(winner);
  assign own_wins_o = (own_ports != '0) && (winner_o == own_bid_i);

endmodule : rc_p1
