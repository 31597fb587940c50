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

  // Bit n: n >= own_gid_i, n >= dest_gid_i.
  logic [A*H:0] from_own, from_dest;
  assign from_own  = {(A*H+1){1'b1}} << own_gid_i;
  assign from_dest = {(A*H+1){1'b1}} << dest_gid_i;

  for (genvar j = 0; j < A * H; j = j + 1) begin : gen_port
    // Absolute: port j leads to group t = j or t = j+1. Port y of the destination group leads to t, y = t or y = t-1;
    // no port leads to itself.
    logic g3_j, g3_j1, g3_absolute, g2, g3;
    assign g3_j        = ({1'b0, dest_gid_i} != 10'(j))     &&
                         (from_dest[j]   ? (j > 0 && dest_bid_i == 5'((j - 1) / H)) : (dest_bid_i == 5'(j / H)));
    assign g3_j1       = ({1'b0, dest_gid_i} != 10'(j + 1)) &&
                         (from_dest[j+1] ? (dest_bid_i == 5'(j / H)) : (dest_bid_i == 5'((j + 1) / H)));
    assign g3_absolute = from_own[j] ? g3_j1 : g3_j;
    assign g2          = (own_bid_i == 5'(j / H));
    assign g3          = absolute_i ? g3_absolute : (dest_bid_i == 5'(j / H));
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
    assign own_window_i[j] = (own_bid_i == 5'(j / H));
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
  assign can_occur = (own_bid_i < A) && (dest_bid_i < A) && (own_gid_i < G) && (dest_gid_i < G) &&
                     (own_gid_i != dest_gid_i);

  assign bad_o = can_occur && ({ga, gb, gc, gd} != {ga_spec, gb_spec, gc_spec, gd_spec});

endmodule : b_miter
