// SPDX-License-Identifier: Apache-2.0
// Stage 1: docs/route_compute.md §5.

module decode_spec #(
  parameter int P = 16,
  parameter int A = 32,
  parameter int G = 512
) (
  input  logic [17:0] dest_i,
  input  logic [8:0]  src_gid_i,
  input  logic [8:0]  own_gid_i,
  input  logic [4:0]  own_bid_i,
  input  logic [1:0]  port_class_i,
  output logic [1:0]  zone_o,
  output logic        rta_o,
  output logic        transit_o,
  output logic [9:0]  index_a_o,
  output logic [9:0]  index_b_o
);

  integer gid, bid, nid;

  always_comb begin
    gid = 32'(dest_i[17:9]);
    bid = 32'(dest_i[8:4]);
    nid = 32'(dest_i[3:0]);
    if (gid >= G || bid >= A || nid >= P) begin
      zone_o    = 2'd3;
      index_a_o = 0;
      index_b_o = 0;
    end else if (gid != own_gid_i) begin
      zone_o    = 2'd2;
      index_a_o = P + A + gid;
      index_b_o = A + gid;
    end else if (bid != own_bid_i) begin
      zone_o    = 2'd1;
      index_a_o = P + bid;
      index_b_o = bid;
    end else begin
      zone_o    = 2'd0;
      index_a_o = nid;
      index_b_o = 0;
    end
    rta_o     = (port_class_i == 2'd0) && (zone_o == 2'd2);
    transit_o = (src_gid_i != own_gid_i);
  end

endmodule : decode_spec

module decode_miter #(
  parameter int P = 16,
  parameter int A = 32,
  parameter int G = 512
) (
  input  logic [17:0] dest_i,
  input  logic [8:0]  src_gid_i,
  input  logic [8:0]  own_gid_i,
  input  logic [4:0]  own_bid_i,
  input  logic [1:0]  port_class_i,
  output logic        bad_o
);

  logic [1:0] zone, zone_spec;
  logic       rta, rta_spec, transit, transit_spec;
  logic [9:0] index_a, index_a_spec, index_b, index_b_spec;

  rc_decode #(.P(P), .A(A), .G(G)) u_dut (
    .dest_i, .src_gid_i, .own_gid_i, .own_bid_i, .port_class_i,
    .zone_o(zone), .rta_o(rta), .transit_o(transit), .index_a_o(index_a), .index_b_o(index_b)
  );
  decode_spec #(.P(P), .A(A), .G(G)) u_spec (
    .dest_i, .src_gid_i, .own_gid_i, .own_bid_i, .port_class_i,
    .zone_o(zone_spec), .rta_o(rta_spec), .transit_o(transit_spec), .index_a_o(index_a_spec), .index_b_o(index_b_spec)
  );

  assign bad_o = ({zone, rta, transit, index_a, index_b} !=
                  {zone_spec, rta_spec, transit_spec, index_a_spec, index_b_spec});

endmodule : decode_miter
