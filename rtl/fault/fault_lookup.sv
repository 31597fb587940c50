// SPDX-License-Identifier: Apache-2.0
//
// Effective options of an entry, what route compute may use (docs/fault.md §4, §6.1): every configured option that is neither lost nor a port of the
// immediate mask, full and partial alike. At local ports filter F leaves, of table B of a group, the side that the packet is on; at global ports table B
// of a router is the emergency detour: only when nothing is left of table A, and never to a packet on the highest virtual channel.
// Zone N needs no case of its own: its entries have no table B.
//
// Zones: 0 N, 1 B, 2 G. Port classes: 0 node, 1 local, 2 global. Levels: 0 full, 1 partial, 2 lost.
//
// Cost: about 9 gates a port: combinational.

module fault_lookup #(
  parameter  int P = 2,
  parameter  int A = 4,
  parameter  int H = 2,
  localparam int NumPorts = P + A - 1 + H
) (
  input  logic [1:0]          zone_i,
  input  logic [1:0]          class_i,
  input  logic                transit_i,  // the packet's source group is another one
  input  logic [1:0]          vc_i,       // virtual channel that the packet came on
  input  logic                has_a_i,
  input  logic [5:0]          a_i,
  input  logic [NumPorts-1:0] b_i,
  input  logic [1:0]          level_a_i,
  input  logic [NumPorts-1:0] lost_i,
  input  logic [NumPorts-1:0] mask_i,     // dead ports
  output logic [NumPorts-1:0] a_o,        // at most one
  output logic [NumPorts-1:0] b_o
);

  localparam logic [NumPorts-1:0] LocalPorts  = {{H{1'b0}}, {(A-1){1'b1}}, {P{1'b0}}};
  localparam logic [NumPorts-1:0] GlobalPorts = {{H{1'b1}}, {(A-1){1'b0}}, {P{1'b0}}};

  logic [NumPorts-1:0] a, b, side;
  logic                detour, hide_b;

  assign side = ((zone_i == 2'd2) && (class_i == 2'd1)) ? (transit_i ? LocalPorts : GlobalPorts) : '1;
  assign a    = has_a_i ? (NumPorts'(1'b1) << a_i) & ~mask_i : '0;
  assign b    = b_i & side & ~lost_i & ~mask_i;

  assign detour = (zone_i == 2'd1) && (class_i == 2'd2);
  assign hide_b = detour && ((a_o != '0) || (vc_i == 2'd3));
  assign a_o    = (level_a_i != 2'd2) ? a : '0;
  assign b_o    = hide_b ? '0 : b;

endmodule : fault_lookup
