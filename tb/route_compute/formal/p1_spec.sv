// SPDX-License-Identifier: Apache-2.0
// P1: docs/route_compute.md §5, stage 4, RTA.

module p1_spec #(
  parameter int A = 32,
  parameter int H = 16
) (
  input  logic [A*H-1:0] ga_i,
  input  logic [A*H-1:0] gb_i,
  input  logic [A*H-1:0] gc_i,
  input  logic [A*H-1:0] gd_i,
  input  logic [A*H-1:0] any_i,
  input  logic [4:0]     own_bid_i,
  input  logic [15:0]    random_i,
  output logic [4:0]     nonempty_o,
  output logic [2:0]     hop_class_o,
  output logic [15:0]    winner_o,
  output logic [15:0]    own_port_o
);

  assign nonempty_o = {|any_i, |gd_i, |gc_i, |gb_i, |ga_i};

  logic [A*H-1:0] chosen;

  always_comb begin
    hop_class_o = 3'd0;
    chosen      = any_i;
    if (any_i != '0) hop_class_o = 3'd7;
    if (gd_i != '0) begin hop_class_o = 3'd4; chosen = gd_i; end
    if (gc_i != '0) begin hop_class_o = 3'd3; chosen = gc_i; end
    if (gb_i != '0) begin hop_class_o = 3'd2; chosen = gb_i; end
    if (ga_i != '0) begin hop_class_o = 3'd1; chosen = ga_i; end
  end

  logic [A-1:0] routers;
  logic [H-1:0] own_ports;

  for (genvar r = 0; r < A; r = r + 1) begin : gen_router
    assign routers[r] = (chosen[r*H +: H] != '0);
  end

  integer r;
  always_comb begin
    own_ports = '0;
    for (r = 0; r < A; r = r + 1) begin
      if (own_bid_i == 5'(r)) own_ports = chosen[r*H +: H];
    end
  end

  // The pick itself is proved by `pick` for every width used here; counters of two kinds side by side would only make
  // this proof long.
  logic [$clog2(A)-1:0]                   winner;
  logic [((H > 1) ? $clog2(H) : 1) - 1:0] own_port;

  even_pick #(.Width(A)) u_router (.request_i(routers), .fraction_i(random_i[7:0]), .index_o(winner));
  even_pick #(.Width(H)) u_port (.request_i(own_ports), .fraction_i(random_i[15:8]), .index_o(own_port));

  assign winner_o   = 16'(winner);
  assign own_port_o = 16'(own_port);

endmodule : p1_spec

module p1_miter #(
  parameter  int A        = 32,
  parameter  int H        = 16,
  localparam int OwnWidth = (H > 1) ? $clog2(H) : 1
) (
  input  logic [A*H-1:0] ga_i,
  input  logic [A*H-1:0] gb_i,
  input  logic [A*H-1:0] gc_i,
  input  logic [A*H-1:0] gd_i,
  input  logic [A*H-1:0] any_i,
  input  logic [4:0]     own_bid_i,
  input  logic [15:0]    random_i,
  output logic           bad_o
);

  logic [4:0]          nonempty, nonempty_spec, winner;
  logic [2:0]          hop_class, hop_class_spec;
  logic                own_wins, own_wins_spec;
  logic [OwnWidth-1:0] own_port;
  logic [15:0]         winner_spec, own_port_spec;

  rc_p1 #(.A(A), .H(H)) u_dut (
    .ga_i, .gb_i, .gc_i, .gd_i, .any_i, .own_bid_i, .random_i, .nonempty_o(nonempty), .hop_class_o(hop_class),
    .winner_o(winner), .own_wins_o(own_wins), .own_port_o(own_port)
  );
  p1_spec #(.A(A), .H(H)) u_spec (
    .ga_i, .gb_i, .gc_i, .gd_i, .any_i, .own_bid_i, .random_i, .nonempty_o(nonempty_spec), .hop_class_o(hop_class_spec),
    .winner_o(winner_spec), .own_port_o(own_port_spec)
  );

  assign own_wins_spec = (hop_class_spec != 3'd0) && (winner_spec == 16'(own_bid_i));

  assign bad_o = (own_bid_i < A) &&
                 (nonempty != nonempty_spec || hop_class != hop_class_spec || own_wins != own_wins_spec ||
                  (hop_class_spec != 3'd0 && 16'(winner) != winner_spec) ||
                  (own_wins_spec && 16'(own_port) != own_port_spec));

endmodule : p1_miter

// Properties of P1 that do not use its specification: the winner asked, in the class that is reported, and no lower
// class did.
module p1_grant_miter #(
  parameter  int A        = 32,
  parameter  int H        = 16,
  localparam int OwnWidth = (H > 1) ? $clog2(H) : 1
) (
  input  logic [A*H-1:0] ga_i,
  input  logic [A*H-1:0] gb_i,
  input  logic [A*H-1:0] gc_i,
  input  logic [A*H-1:0] gd_i,
  input  logic [A*H-1:0] any_i,
  input  logic [4:0]     own_bid_i,
  input  logic [15:0]    random_i,
  output logic           bad_o
);

  logic [4:0]          nonempty, winner;
  logic [2:0]          hop_class;
  logic                own_wins;
  logic [OwnWidth-1:0] own_port;

  rc_p1 #(.A(A), .H(H)) u_dut (
    .ga_i, .gb_i, .gc_i, .gd_i, .any_i, .own_bid_i, .random_i, .nonempty_o(nonempty), .hop_class_o(hop_class),
    .winner_o(winner), .own_wins_o(own_wins), .own_port_o(own_port)
  );

  logic [A*H-1:0] reported, granted;

  assign reported = (hop_class == 3'd1) ? ga_i : (hop_class == 3'd2) ? gb_i : (hop_class == 3'd3) ? gc_i :
                    (hop_class == 3'd4) ? gd_i : (hop_class == 3'd7) ? any_i : '0;

  // The ports that the grant stands for: one own port, or any port of the other router.
  for (genvar j = 0; j < A * H; j = j + 1) begin : gen_port
    assign granted[j] = (winner == 5'(j / H)) && (!own_wins || own_port == OwnWidth'(j % H));
  end

  logic lower_lost;
  assign lower_lost = (ga_i != '0 && hop_class != 3'd1) || (gb_i != '0 && (hop_class == 3'd0 || hop_class > 3'd2)) ||
                      (gc_i != '0 && (hop_class == 3'd0 || hop_class > 3'd3)) ||
                      (gd_i != '0 && (hop_class == 3'd0 || hop_class > 3'd4)) || (any_i != '0 && hop_class == 3'd0);

  assign bad_o = (own_bid_i < A) && (lower_lost || (hop_class != 3'd0 && (granted & reported) == '0) ||
                                     (own_wins && (winner != own_bid_i || hop_class == 3'd0)));

endmodule : p1_grant_miter
