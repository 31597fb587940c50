// SPDX-License-Identifier: Apache-2.0
//
// Unit B of stage 3, RTA: split the uncongested options by the length of the path that they begin (DOAR §3.2, Fig. 6).
//
// GA: minimal, 3 hops at most. Non-minimal ones by two sets: G2, the own router's ports (no local hop at the source),
// and G3, the ports to a group from which a global port leads straight to the destination router. GB: in both, 3 hops;
// GC: in one, 4; GD: in none, 5.
//
// G3. Let y be a port of the destination router, in the destination group d; o is the own group.
// Direct arrangement: y leads to group y, and so does the own group's port y: the destination router's window itself.
// Absolute: y leads to group t = y + (y >= d), to which the own group has port j = t - (t > o), or none if t = o. So
//   d < o:  y <  d or y >= o: j = y;   d <= y <  o-1: j = y+1;   y = o-1 leads to the own group;
//   o < d:  y <  o or y >= d: j = y;   o <  y <  d:   j = y-1;   y = o   leads to the own group.
// Hence three H-bit masks (stay, up, down) of the window, which is placed once; `up` and `down` then move by one bit.
//
// Cost: four H-bit masks of a 10-bit distance, A*H AND-OR gates of about eight inputs: combinational.

module rc_b #(
  parameter int A = 32,
  parameter int H = 16
) (
  input  logic [A*H-1:0]                         min_free_i,
  input  logic [A*H-1:0]                         nonmin_free_i,
  input  logic [A*H-1:0]                         own_window_i,
  input  logic [route_compute_pkg::GidWidth-1:0] own_gid_i,
  input  logic                                   absolute_i,
  input  logic [route_compute_pkg::GidWidth-1:0] dest_gid_i,  // not the own group
  input  logic [route_compute_pkg::BidWidth-1:0] dest_bid_i,
  output logic [A*H-1:0]                         ga_o,
  output logic [A*H-1:0]                         gb_o,
  output logic [A*H-1:0]                         gc_o,
  output logic [A*H-1:0]                         gd_o
);

  logic [10:0]    base, low, high;
  logic           dest_is_lower;
  logic [H-1:0]   from_low, from_low_next, from_high, from_high_last;
  logic [H-1:0]   stay, up, down;
  logic [A*H-1:0] window;
  logic [A*H-1:0] g3;

  assign base          = 11'(H) * 11'(dest_bid_i);
  assign dest_is_lower = dest_gid_i < own_gid_i;
  assign low           = dest_is_lower ? 11'(dest_gid_i) : 11'(own_gid_i);
  assign high          = dest_is_lower ? 11'(own_gid_i) : 11'(dest_gid_i);

  rc_from #(.H(H)) u_from_low       (.bound_i(low),           .base_i(base), .ports_o(from_low));
  rc_from #(.H(H)) u_from_low_next  (.bound_i(low + 11'd1),   .base_i(base), .ports_o(from_low_next));
  rc_from #(.H(H)) u_from_high      (.bound_i(high),          .base_i(base), .ports_o(from_high));
  rc_from #(.H(H)) u_from_high_last (.bound_i(high - 11'd1),  .base_i(base), .ports_o(from_high_last));

  assign stay = absolute_i ? ~(from_low & ~from_high) : {H{1'b1}};
  assign up   = (absolute_i &&  dest_is_lower) ? (from_low & ~from_high_last) : '0;
  assign down = (absolute_i && !dest_is_lower) ? (from_low_next & ~from_high) : '0;

  rc_replicate #(.A(A), .H(H)) u_replicate (
    .router_i(A'(1'b1) << dest_bid_i),
    .ports_o (window)
  );

  assign g3 = (window & {A{stay}}) | ((window & {A{up}}) << 1) | ((window & {A{down}}) >> 1);

  assign ga_o = min_free_i;
  assign gb_o = nonmin_free_i & (own_window_i & g3);
  assign gc_o = nonmin_free_i & (own_window_i ^ g3);
  assign gd_o = nonmin_free_i & ~(own_window_i | g3);

`ifndef SYNTHESIS
`ifndef __ICARUS__
  always_comb begin
    b_classes_are_a_partition: assert (((gb_o | gc_o | gd_o) == nonmin_free_i) && ((gb_o & gc_o) == '0) &&
                                       ((gb_o & gd_o) == '0) && ((gc_o & gd_o) == '0));
  end
`endif
`endif

endmodule : rc_b
