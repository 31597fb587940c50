// SPDX-License-Identifier: Apache-2.0
//
// Units S1, S2 and F of stage 3, RTB: the uncongested ports of the two default entries (DOAR §3.2, Fig. 6).
//
// F: in zone G an entry of table B holds both own global ports (for a packet that is still in its source group) and
// local ports (for one in an intermediate group), and only one kind is kept. S1 and S2 then drop what is congested, S2
// by a map of its own. Zone N has no entry in table B, the invalid zone has none at all. When nothing is free: all
// options, or with `minimal_i` those of table A if there are any.
//
// Cost: about 6 * NumPorts gates and an OR tree: combinational.

module rc_s #(
  parameter  int P        = 16,
  parameter  int A        = 32,
  parameter  int H        = 16,
  localparam int NumPorts = P + A - 1 + H
) (
  input  logic [1:0]          zone_i,
  input  logic                transit_i,
  input  logic [NumPorts-1:0] entry_a_i,
  input  logic [NumPorts-1:0] entry_b_i,
  input  logic [NumPorts-1:0] cong_local_i,
  input  logic [NumPorts-1:0] detour_local_i,
  input  logic                minimal_i,
  output logic [NumPorts-1:0] s1_o,
  output logic [NumPorts-1:0] s2_o,
  output logic [NumPorts-1:0] fallback_o
);

  localparam logic [NumPorts-1:0] LocalPorts  = NumPorts'({(A-1){1'b1}}) << P;
  localparam logic [NumPorts-1:0] GlobalPorts = {NumPorts{1'b1}} << (P + A - 1);

  logic [NumPorts-1:0] keep, le, lf;

  assign keep = (zone_i != route_compute_pkg::ZoneG) ? {NumPorts{1'b1}} : (transit_i ? LocalPorts : GlobalPorts);

  assign le = (zone_i == route_compute_pkg::ZoneInvalid) ? '0 : entry_a_i;
  assign lf = (zone_i == route_compute_pkg::ZoneInvalid || zone_i == route_compute_pkg::ZoneN) ? '0
            : (entry_b_i & keep);

  assign s1_o       = le & ~cong_local_i;
  assign s2_o       = lf & ~detour_local_i;
  assign fallback_o = (minimal_i && (le != '0)) ? le : (le | lf);

endmodule : rc_s
