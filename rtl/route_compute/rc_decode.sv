// SPDX-License-Identifier: Apache-2.0
//
// Stage 1 of route compute: compare the destination with the own address and form the table indices (DOAR §3.2,
// Alg. 1).
//
// Zone N: a node of this router; B: another router of this group; G: another group; invalid: no such address in this
// network. Only a node port looks at zone G with RTA, everything else is RTB. A packet whose source group is not the
// own one is in transit: it is in an intermediate or in its destination group.
//
// Cost: two comparators of 9 bits, one of 5, three with constants, two adders of 10 bits: combinational.

module rc_decode #(
  parameter int P = 16,
  parameter int A = 32,
  parameter int G = 512
) (
  input  logic [route_compute_pkg::DestWidth-1:0]  dest_i,
  input  logic [route_compute_pkg::GidWidth-1:0]   src_gid_i,
  input  logic [route_compute_pkg::GidWidth-1:0]   own_gid_i,
  input  logic [route_compute_pkg::BidWidth-1:0]   own_bid_i,
  input  logic [1:0]                               port_class_i,
  output logic [1:0]                               zone_o,
  output logic                                     rta_o,
  output logic                                     transit_o,
  output logic [route_compute_pkg::IndexWidth-1:0] index_a_o,
  output logic [route_compute_pkg::IndexWidth-1:0] index_b_o
);

  logic [8:0] gid;
  logic [4:0] bid;
  logic [3:0] nid;
  logic       out_of_range;

  assign {gid, bid, nid} = dest_i;

  assign out_of_range = ({1'b0, gid} >= 10'(G)) || ({1'b0, bid} >= 6'(A)) || ({1'b0, nid} >= 5'(P));

  assign zone_o = out_of_range       ? route_compute_pkg::ZoneInvalid :
                  (gid != own_gid_i) ? route_compute_pkg::ZoneG       :
                  (bid != own_bid_i) ? route_compute_pkg::ZoneB       : route_compute_pkg::ZoneN;

  assign rta_o     = (port_class_i == route_compute_pkg::PortClassNode) && (zone_o == route_compute_pkg::ZoneG);
  assign transit_o = (src_gid_i != own_gid_i);

  always_comb begin
    index_a_o = '0;
    index_b_o = '0;
    case (zone_o)
      route_compute_pkg::ZoneN: begin
        index_a_o = 10'(nid);
      end
      route_compute_pkg::ZoneB: begin
        index_a_o = 10'(P) + 10'(bid);
        index_b_o = 10'(bid);
      end
      route_compute_pkg::ZoneG: begin
        index_a_o = 10'(P + A) + 10'(gid);
        index_b_o = 10'(A) + 10'(gid);
      end
      default: ;
    endcase
  end

endmodule : rc_decode
