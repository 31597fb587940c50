// SPDX-License-Identifier: Apache-2.0
// B: docs/route_compute.md §5, stage 3, port by port.

module b_spec #(
  parameter int A = 32,
  parameter int H = 16
) (
  input  logic [A*H-1:0] min_free_i,
  input  logic [A*H-1:0] nonmin_free_i,
  input  logic [8:0]     own_gid_i,
  input  logic [4:0]     own_bid_i,
  input  logic           absolute_i,
  input  logic [8:0]     dest_gid_i,
  input  logic [4:0]     dest_bid_i,
  output logic [A*H-1:0] ga_o,
  output logic [A*H-1:0] gb_o,
  output logic [A*H-1:0] gc_o,
  output logic [A*H-1:0] gd_o
);

  // The router of the group that owns group-wide port y; 63 if there is none.
  function automatic logic [5:0] owner(input logic [10:0] y);
    integer r;
    begin
      owner = 6'd63;
      for (r = 0; r < A; r = r + 1) begin
        if (y >= r * H && y < (r + 1) * H) owner = r;
      end
    end
  endfunction

  for (genvar j = 0; j < A * H; j = j + 1) begin : gen_port
    logic [10:0] target;  // group behind port j of the own group
    logic        g2, g3;
    assign target = dragonfly_spec::group_behind(11'(j), own_gid_i, absolute_i);
    assign g2     = (own_bid_i == j / H);
    assign g3     = absolute_i ? (target != {2'd0, dest_gid_i} &&
                                  owner(dragonfly_spec::port_towards(target, dest_gid_i, 1'b1)) == {1'b0, dest_bid_i})
                               : (dest_bid_i == j / H);
    assign ga_o[j] = min_free_i[j];
    assign gb_o[j] = nonmin_free_i[j] && g2 && g3;
    assign gc_o[j] = nonmin_free_i[j] && (g2 != g3);
    assign gd_o[j] = nonmin_free_i[j] && !g2 && !g3;
  end

endmodule : b_spec

module b_miter #(
  parameter int A = 32,
  parameter int H = 16,
  parameter int G = 512
) (
  input  logic [A*H-1:0] min_free_i,
  input  logic [A*H-1:0] nonmin_free_i,
  input  logic [8:0]     own_gid_i,
  input  logic [4:0]     own_bid_i,
  input  logic           absolute_i,
  input  logic [8:0]     dest_gid_i,
  input  logic [4:0]     dest_bid_i,
  output logic           bad_o
);

  logic [A*H-1:0] ga, gb, gc, gd, ga_spec, gb_spec, gc_spec, gd_spec;
  logic [A*H-1:0] own_window_i;

  for (genvar j = 0; j < A * H; j = j + 1) begin : gen_own
    assign own_window_i[j] = (own_bid_i == j / H);
  end

  rc_b #(.A(A), .H(H)) u_dut (
    .min_free_i, .nonmin_free_i, .own_window_i, .own_gid_i, .absolute_i, .dest_gid_i, .dest_bid_i,
    .ga_o(ga), .gb_o(gb), .gc_o(gc), .gd_o(gd)
  );
  b_spec #(.A(A), .H(H)) u_spec (
    .min_free_i, .nonmin_free_i, .own_gid_i, .own_bid_i, .absolute_i, .dest_gid_i, .dest_bid_i,
    .ga_o(ga_spec), .gb_o(gb_spec), .gc_o(gc_spec), .gd_o(gd_spec)
  );

  logic can_occur;
  assign can_occur = (own_bid_i < A) && (dest_bid_i < A) && (own_gid_i < G) && (dest_gid_i < G) && (own_gid_i != dest_gid_i);

  assign bad_o = can_occur && ({ga, gb, gc, gd} != {ga_spec, gb_spec, gc_spec, gd_spec});

endmodule : b_miter
